/** Links and embeds of Obsidian and other wikis: `[[Page#Heading|text]]`, `![[image.png]]`. */

import { isRaw } from "../document/node-kinds.js";
import type { NodeJSON } from "../types/index.js";
import { InlineRow, isRow, type Replacement } from "./inline-row.js";

const WIKI_LINK = /(!?)\[\[([^[\]|#\n]{0,500})(?:#([^[\]|\n]{0,500}))?(?:\|([^[\]\n]{0,500}))?\]\]/g;
const IMAGE = /\.(?:png|jpe?g|gif|webp|svg|bmp|avif)$/i;

/** Returns the URL that leads to a page and a heading; undefined if the book has none. */
export type FindPage = (page: string, heading: string | undefined) => string | undefined;

/**
 * Returns a node whose links to pages of the book are links, and whose embedded images are images. Of other links the
 * text is left, and `lose` is called with the page.
 */
export function withWikiLinks(node: NodeJSON, find: FindPage, lose: (page: string) => void): NodeJSON {
  if (!node.content || isRaw(node.type)) return node;
  if (isRow(node)) return { ...node, content: [...linked(node.content, find, lose)] };
  return { ...node, content: node.content.map((child) => withWikiLinks(child, find, lose)) };
}

function linked(content: readonly NodeJSON[], find: FindPage, lose: (page: string) => void): readonly NodeJSON[] {
  const row = new InlineRow(content);
  if (!row.text.includes("[[")) return content;
  const replacements: Replacement[] = [];
  for (const match of row.text.matchAll(WIKI_LINK)) {
    const { 0: source, 1: embed, 2: page = "", 3: heading, 4: shown, index } = match;
    const [name, below] = [page.trim(), heading?.trim()];
    if (!name && !below) continue;
    const to = index + source.length;
    const marks = row.marksAt(index);
    const href = find(name, below);
    if (href === undefined && embed === "!" && IMAGE.test(name)) {
      replacements.push({
        from: index,
        to,
        nodes: [{ type: "image", attrs: imageOf(name, shown?.trim() ?? ""), ...marks }],
      });
      continue;
    }
    // Behind a name they are an index: `x[[1]]`.
    if (href === undefined && /[\w)\]]/.test(row.text[index - 1] ?? "")) continue;
    // Ids of blocks are not for readers.
    const label = [name, below?.startsWith("^") ? "" : below].filter(Boolean).join(" > ") || name;
    const start = to - 2 - (shown?.trimStart().length ?? 0);
    const own = row.slice(start, start + (shown?.trim().length ?? 0));
    const text = own.length || !label ? own : [{ type: "text", text: label, ...marks }];
    if (href === undefined) lose(name || below!);
    const link = { type: "link", attrs: { href } };
    const nodes = href === undefined ? text : text.map((node) => ({ ...node, marks: [...(node.marks ?? []), link] }));
    replacements.push({ from: index, to, nodes });
  }
  return row.replaced(replacements);
}

/** An image is shown with a description, or with a width, or with both sizes. */
function imageOf(page: string, shown: string): Record<string, unknown> {
  const [, width] = /^(\d{1,4})(?:x\d{1,4})?$/.exec(shown) ?? [];
  const src = page.split("/").map(encodeURIComponent).join("/");
  return width === undefined ? { src, alt: shown || page } : { src, alt: page, width: Number(width) };
}
