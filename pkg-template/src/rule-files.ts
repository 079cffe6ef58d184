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

const isRuleFile = (path: string): boolean => path === FILE || (path.startsWith(`${FOLDER}/`) && path.endsWith(".md"));

/** Adds the rules in the files of the agent's workspace. They are read again when they change; of a workspace without
 * `watch` before each request. */
export const ruleFiles: AgentPlugin = {
  name: "rule files",
  connect(host) {
    const workspace = host.workspace as Partial<Workspace> | undefined;
    let loading: Promise<void> | undefined;
    const load = () => (loading = read(host));
    const unwatch = workspace?.watch?.(({ path, from }) => {
      if (isRuleFile(path) || (from !== undefined && isRuleFile(from))) loading = undefined;
    });
    return {
      ready: () => (unwatch && loading) || load(),
      close: () => unwatch?.(),
    };
  },
};

async function read(host: PluginHost): Promise<void> {
  const rules: Rule[] = [];
  try {
    const paths = ((await host.workspace?.list()) ?? []).map(({ path }) => path).filter(isRuleFile);
    // AGENTS.md comes first in the order of paths, which begins with a dot elsewhere.
    const sorted = paths.sort((one, other) => Number(other === FILE) - Number(one === FILE) || (one < other ? -1 : 1));
    for (const path of sorted.slice(0, MOST_FILES)) {
      const text = await textOf(host, path);
      if (text?.trim()) rules.push({ id: path, text: text.slice(0, LONGEST) });
    }
    if (sorted.length > MOST_FILES) tell(host, `${FOLDER}/`, `${sorted.length} > ${MOST_FILES}`);
  } catch (error) {
    tell(host, FILE, reasonOf(error));
  }
  host.provide({ rules, readOnlyPaths: [FILE, FOLDER] });
}

async function textOf(host: PluginHost, path: string): Promise<string | undefined> {
  try {
    return (await host.workspace?.read(path))?.text;
  } catch (error) {
    if ((error as { code?: unknown }).code !== "file_not_found") tell(host, path, reasonOf(error));
    return undefined;
  }
}

function tell(host: PluginHost, path: string, reason: string): void {
  const message =
    host.locale === "zh-CN"
      ? `规则文件 ${path} 未能读取：${reason}`
      : `Rules in ${path} were not read, and do not apply: ${reason}`;
  host.notice("rules_not_read", message);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
