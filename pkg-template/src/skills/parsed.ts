/** Markdown of skills, which strangers have written. */

import type { Root } from "mdast";

/** Parses Markdown. A text that would take too long has no content. The parser is loaded with the first one. */
export async function parsed(markdown: string): Promise<Root> {
  const { parse } = await import("../markdown-document/syntax.js");
  try {
    return parse(markdown, { hasMath: false, hasFrontMatter: false });
  } catch {
    return { type: "root", children: [] };
  }
}
