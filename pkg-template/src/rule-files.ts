/** The rules in the files of a workspace: `AGENTS.md`, and those in `.rules`. */

import type { AgentPlugin, PluginHost, Rule } from "./types.js";
import type { Workspace } from "./types/workspace.js";

/** The first rules, and the folder with further ones. */
const FILE = "AGENTS.md";
const FOLDER = ".rules";
/** The most files that are read. */
const MOST_FILES = 100;
/** The most characters of a file that are read; the agent shows fewer, and says so. */
const LONGEST = 40_000;

const isRuleFile = (path: string): boolean => path === FILE || /^\.rules\/[^/]+\.md$/.test(path);

/** What was read: the rules, and messages about what could not be. */
interface RulesRead {
  rules: Rule[];
  failures: string[];
}

/** Adds the rules in the files of the agent's workspace. They are read again when they change, and after a failure;
 * of a workspace without `watch` before each request. */
export const ruleFiles: AgentPlugin = {
  name: "rule files",
  connect(host) {
    const workspace = host.workspace as Partial<Workspace> | undefined;
    let loading: Promise<void> | undefined;
    let newest = 0;
    let told: string[] = [];
    const load = async () => {
      const own = ++newest;
      const { rules, failures } = await read(host);
      // A slow one that ends after a later one has older rules.
      if (own !== newest) return;
      host.provide({ rules, readOnlyPaths: [FILE, FOLDER] });
      for (const message of failures) if (!told.includes(message)) host.notice("rules_not_read", message);
      told = failures;
      // For example, the user has not yet allowed access to the folder.
      if (failures.length) loading = undefined;
    };
    const unwatch = workspace?.watch?.(({ path, from }) => {
      if (isRuleFile(path) || (from !== undefined && isRuleFile(from))) loading = undefined;
    });
    host.provide({ readOnlyPaths: [FILE, FOLDER] });
    return {
      ready: () => (unwatch && loading) || (loading = load()),
      close: () => unwatch?.(),
    };
  },
};

async function read(host: PluginHost): Promise<RulesRead> {
  const rules: Rule[] = [];
  const failures: string[] = [];
  try {
    const paths = ((await host.workspace?.list()) ?? []).map(({ path }) => path).filter(isRuleFile);
    // AGENTS.md comes first in the order of paths, which begins with a dot elsewhere.
    const sorted = paths.sort((one, other) => Number(other === FILE) - Number(one === FILE) || (one < other ? -1 : 1));
    for (const path of sorted.slice(0, MOST_FILES)) {
      const read = await textOf(host, path);
      if (read.failure !== undefined) failures.push(messageOf(host, path, read.failure));
      if (read.text?.trim()) rules.push({ id: path, text: read.text.slice(0, LONGEST) });
    }
    if (sorted.length > MOST_FILES) failures.push(messageOf(host, `${FOLDER}/`, `${sorted.length} > ${MOST_FILES}`));
  } catch (error) {
    failures.push(messageOf(host, FILE, reasonOf(error)));
  }
  return { rules, failures };
}

async function textOf(host: PluginHost, path: string): Promise<{ text?: string | undefined; failure?: string }> {
  try {
    return { text: (await host.workspace?.read(path))?.text };
  } catch (error) {
    return (error as { code?: unknown }).code === "file_not_found" ? {} : { failure: reasonOf(error) };
  }
}

function messageOf(host: PluginHost, path: string, reason: string): string {
  return host.locale === "zh-CN"
    ? `规则文件 ${path} 未能读取：${reason}`
    : `Rules in ${path} were not read, and do not apply: ${reason}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
