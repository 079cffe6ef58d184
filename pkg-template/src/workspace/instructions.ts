/** The files of a workspace that agents follow as instructions. */

import { foldedPath } from "./paths.js";

/** The first rules, and the folder with further ones. */
export const RULE_FILE = "AGENTS.md";
export const RULE_FOLDER = ".rules";

/** Returns true for the path of a file whose text is a rule. */
export const isRuleFile = (path: string): boolean => path === RULE_FILE || /^\.rules\/[^/]+\.md$/.test(path);

/**
 * Returns true if agents may follow the file at `path`: one with rules, the main file of a skill, or one in `more`,
 * which are further files and folders. Names that some file system takes for the same one count.
 */
export function isInstruction(path: string, more: readonly string[] = []): boolean {
  const given = foldedPath(path);
  if (/(?:^|\/)skill\.md$/.test(given)) return true;
  return [RULE_FILE, RULE_FOLDER, ...more].map(foldedPath).some((one) => given === one || given.startsWith(`${one}/`));
}
