/** `copydesk/markdown`: opens Markdown files as documents of an editor and saves them. */

export type { Lost } from "./markdown-document/compare.js";
export { SOURCE_LANGUAGE } from "./markdown-document/source-language.js";
export { MarkdownFiles, type MarkdownFilesOptions } from "./markdown-document/files.js";
export { readMarkdown, type OpenedMarkdown } from "./markdown-document/opened.js";
export { readTextFile, type ReadTextFileOptions } from "./markdown-document/text-file.js";
export { writeMarkdown, type WriteMarkdownOptions, type WrittenMarkdown } from "./markdown-document/write.js";
