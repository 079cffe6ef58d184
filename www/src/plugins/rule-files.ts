/** The files of the user whose texts are rules (docs/agent.md#rules). */
import type { Workspace } from "copydesk/workspace";
import type { RuleFile } from "./additions";

const isRuleFile = (path: string): boolean => path === "AGENTS.md" || /^\.rules\/[^/]+\.md$/.test(path);

/** Calls `listener` with the rule files now and after each of their changes, until the returned function is called. */
export function watchRuleFiles(workspace: Workspace, listener: (files: RuleFile[]) => void): () => void {
  let reading = 0;
  const read = async () => {
    const turn = ++reading;
    const paths = (await workspace.list()).map(({ path }) => path).filter(isRuleFile);
    const files = await Promise.all(paths.map(async (path) => ({ path, text: (await workspace.read(path)).text })));
    if (turn === reading) listener(files.filter(({ text }) => text.trim()));
  };
  // A file that was removed meanwhile is reported by the next change.
  const update = () => void read().catch((error: unknown) => console.warn(error));
  const endWatch = workspace.watch(({ path, from }) => {
    if (isRuleFile(path) || (from !== undefined && isRuleFile(from))) update();
  });
  update();
  return () => {
    reading = -1;
    endWatch();
  };
}
