/** Links and embeds of Obsidian and other wikis: `[[Page#Heading|text]]`, `![[image.png]]`. */

import type { NodeJSON } from "../types.js";

const WIKI_LINK = /(!?)\[\[([^[\]|#\n]{0,500})(?:#([^[\]|\n]{0,500}))?(?:\|([^[\]\n]{0,500}))?\]\]/g;
const IMAGE = /\.(?:png|jpe?g|gif|webp|svg|bmp|avif)$/i;

/** Returns the URL that leads to a page and a heading; undefined if the book has none. */
export type FindPage = (page: string, heading: string | undefined) => string | undefined;

/** Returns a node whose links to pages of the book are links, and whose embedded images are images. Others stay text. */
export function withWikiLinks(node: NodeJSON, find: FindPage): NodeJSON {
  if (!node.content || node.type === "codeBlock") return node;
  return {
    ...node,
    content: node.content.flatMap((child) =>
      child.text === undefined ? [withWikiLinks(child, find)] : linked(child, find),
    ),
  };
}

function linked(node: NodeJSON, find: FindPage): NodeJSON[] {
  const { text = "", marks = [] } = node;
  if (!text.includes("[[") || marks.some(({ type }) => type === "code" || type === "link")) return [node];
  const parts: NodeJSON[] = [];
  let at = 0;
  for (const { 0: source, 1: embed, 2: page = "", 3: heading, 4: shown, index } of text.matchAll(WIKI_LINK)) {
    const href = find(page.trim(), heading?.trim());
    const isImage = href === undefined && embed === "!" && IMAGE.test(page.trim());
    if (href === undefined && !isImage) continue;
    if (index > at) parts.push({ ...node, text: text.slice(at, index) });
    const name = shown?.trim() || [page.trim(), heading?.trim()].filter(Boolean).join(" > ");
    const link = { type: "link", attrs: { href } };
    if (!isImage) parts.push({ ...node, text: name, marks: [...marks, link] });
    else
      parts.push({
        type: "image",
        attrs: imageOf(page.trim(), shown?.trim() ?? ""),
        ...(marks.length ? { marks } : {}),
      });
    at = index + source.length;
  }
  if (at < text.length) parts.push({ ...node, text: text.slice(at) });
  return parts;
}

/** An image is shown with a description, or with a width, or with both sizes. */
function imageOf(page: string, shown: string): Record<string, unknown> {
  const [, width] = /^(\d{1,4})(?:x\d{1,4})?$/.exec(shown) ?? [];
  const src = page.split("/").map(encodeURIComponent).join("/");
  return width === undefined ? { src, alt: shown || page } : { src, alt: page, width: Number(width) };
}
