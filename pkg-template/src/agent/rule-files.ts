/** The rules in the files of a workspace: `AGENTS.md`, and those in `.rules`. */

import { pluginWords } from "./plugin-words.js";
import type { AgentPlugin, PluginHost, Rule } from "../types/index.js";
import type { Workspace } from "../types/workspace.js";
import { isRuleFile, RULE_FILE as FILE, RULE_FOLDER as FOLDER } from "../workspace/instructions.js";

/** The most files that are read. */
const MOST_FILES = 100;
/** The most characters of a file that are read; the agent shows fewer, and reports this. */
const LONGEST = 40_000;

/** Returns true if the user has agreed to follow a file with rules. */
export type RuleConsent = (file: { path: string; text: string }) => boolean | Promise<boolean>;

/**
 * The outcome of reading: the rules, the files that the user has not agreed to, and messages about unreadable files.
 */
interface RulesRead {
  rules: Rule[];
  refused: string[];
  failures: string[];
}

/** Returns a plugin that adds the rules in the files of the agent's workspace, as far as the user agrees to them. They
 * are read again when they change, and after a failure; of a workspace without `watch`, and with `isAccepted`, before
 * each request. */
export const ruleFiles = (isAccepted?: RuleConsent): AgentPlugin => ({
  name: "rule files",
  connect(host) {
    const workspace = host.workspace as Partial<Workspace> | undefined;
    let loading: Promise<void> | undefined;
    let newest = 0;
    let told: string[] = [];
    let asked = "";
    const load = async () => {
      const own = ++newest;
      const { rules, refused, failures } = await read(host, isAccepted);
      // A slow one that ends after a later one has older rules.
      if (own !== newest) return;
      host.provide({ rules, readOnlyPaths: [FILE, FOLDER] });
      for (const message of failures) if (!told.includes(message)) host.notice("rules_not_read", message);
      told = failures;
      const names = refused.join(", ");
      if (names && names !== asked) host.notice("rules_not_accepted", refusalOf(host, names));
      asked = names;
      // For example, the user has not yet allowed access to the folder.
      if (failures.length) loading = undefined;
    };
    const unwatch = workspace?.watch?.(({ path, from }) => {
      if (isRuleFile(path) || (from !== undefined && isRuleFile(from))) loading = undefined;
    });
    host.provide({ readOnlyPaths: [FILE, FOLDER] });
    return {
      ready: () => (unwatch && !isAccepted && loading) || (loading = load()),
      close: () => unwatch?.(),
    };
  },
});

async function read(host: PluginHost, isAccepted: RuleConsent = () => true): Promise<RulesRead> {
  const rules: Rule[] = [];
  const refused: string[] = [];
  const failures: string[] = [];
  try {
    const paths = ((await host.workspace?.list()) ?? []).map(({ path }) => path).filter(isRuleFile);
    // AGENTS.md comes first in the order of paths, which begins with a dot elsewhere.
    const sorted = paths.sort((one, other) => Number(other === FILE) - Number(one === FILE) || (one < other ? -1 : 1));
    for (const path of sorted.slice(0, MOST_FILES)) {
      const read = await textOf(host, path);
      if (read.failure !== undefined) failures.push(messageOf(host, path, read.failure));
      if (!read.text?.trim()) continue;
      if (await isAccepted({ path, text: read.text })) rules.push({ id: path, text: read.text.slice(0, LONGEST) });
      else refused.push(path);
    }
    if (sorted.length > MOST_FILES) failures.push(messageOf(host, `${FOLDER}/`, `${sorted.length} > ${MOST_FILES}`));
  } catch (error) {
    failures.push(messageOf(host, FILE, reasonOf(error)));
  }
  return { rules, refused, failures };
}

async function textOf(host: PluginHost, path: string): Promise<{ text?: string | undefined; failure?: string }> {
  try {
    return { text: (await host.workspace?.read(path))?.text };
  } catch (error) {
    return (error as { code?: unknown }).code === "file_not_found" ? {} : { failure: reasonOf(error) };
  }
}

function messageOf(host: PluginHost, path: string, reason: string): string {
  return pluginWords(host.locale).rulesNotRead(path, reason);
}

function refusalOf(host: PluginHost, names: string): string {
  return pluginWords(host.locale).rulesRefused(names);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
