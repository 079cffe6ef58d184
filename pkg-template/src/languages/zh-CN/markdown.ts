/** Messages about the parts of a document that Markdown does not keep, in Chinese. */

import type { markdown as english } from "../en/markdown.js";

export const markdown: typeof english = {
  nodes: (count, type, text) => `${count} 个 ${type}${text && `，首个为“${text}”`}`,
  attribute: (name, nodes) => `Markdown 无法表示 ${name}（${nodes}）。`,
  mark: (name, nodes) => `Markdown 无法保留 ${name}（${nodes}）。`,
  emptyParagraphs: (count) => `Markdown 没有空段落，将缺少 ${count} 个。`,
  content: (nodes) => `Markdown 无法原样保留 ${nodes}。`,
  url: (url) => `文件中不能有此 URL：${url}`,
};
