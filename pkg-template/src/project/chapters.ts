/** The chapters of a book among the files of a workspace. */

import type { Workspace } from "../types/workspace.js";
import type { SkippedFile } from "../types/workspace-host.js";

export interface Chapter {
  path: string;
  text: string;
}

export interface Chapters {
  chapters: Chapter[];
  /** Files and folders that may be, or have, chapters and could not be read. */
  skipped: SkippedFile[];
}

const MARKDOWN = /\.(?:md|markdown)$/i;
const NUMBERED = /(?:^|\/)(?:ch(?:apter)?[-_ ]?\d+|第.+章)[^/]*$/i;
const EXTENSION = /\.[^./\s]{1,10}$/;

/** Reads the chapters of a book in their order: all Markdown files, if no name is that of a chapter. */
export async function chaptersOf(workspace: Workspace): Promise<Chapters> {
  const texts: Chapter[] = [];
  const leftOut: SkippedFile[] = [];
  for await (const files of workspace.readAll({ skipped: (file) => leftOut.push(file) })) {
    for (const { path, text } of files) if (MARKDOWN.test(path)) texts.push({ path, text });
  }
  // A name without an extension may be that of a folder.
  const skipped = leftOut.filter(({ path }) => MARKDOWN.test(path) || !EXTENSION.test(path));
  const numbered = [...texts, ...skipped].some(({ path }) => MARKDOWN.test(path) && NUMBERED.test(path));
  const isChapter = ({ path }: { path: string }) => !numbered || !MARKDOWN.test(path) || NUMBERED.test(path);
  const { compare } = new Intl.Collator("zh", { numeric: true });
  const inOrder = <T extends { path: string }>(files: T[]) =>
    files.filter(isChapter).sort((a, b) => compare(a.path, b.path));
  return { chapters: inOrder(texts), skipped: inOrder(skipped) };
}
