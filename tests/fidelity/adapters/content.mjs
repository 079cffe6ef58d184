// What engines without rules of their own make of a model's content.
import { micromark } from "micromark";
import { gfmStrikethrough, gfmStrikethroughHtml } from "micromark-extension-gfm-strikethrough";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";
import { gfmTaskListItem, gfmTaskListItemHtml } from "micromark-extension-gfm-task-list-item";

const GFM = {
  allowDangerousHtml: true,
  extensions: [gfmStrikethrough(), gfmTable(), gfmTaskListItem()],
  htmlExtensions: [gfmStrikethroughHtml(), gfmTableHtml(), gfmTaskListItemHtml()],
};

const TAG = /<\/?[a-z][a-z0-9]*(\s[^<>]*)?\/?>/i;
const BLOCK_TAG = /<(p|h[1-6]|ul|ol|li|table|tr|td|th|blockquote|pre|hr|img|div|details)\b/i;
const MARKDOWN = /^(#{1,6} |[-*+] |\d+[.)] |> |```|\|)|\*\*|__|~~|`|\]\(/m;

export const escapeHtml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Returns content as HTML: as it is, converted from Markdown, or as text. `inline` where it is one line without blocks. */
export function readContent(content, format) {
  const kind = format ?? (TAG.test(content) ? "html" : MARKDOWN.test(content) ? "markdown" : "text");
  if (kind === "html") return { html: content, inline: !BLOCK_TAG.test(content) };
  if (kind === "markdown") {
    const blocks = micromark(content, GFM).trim();
    const alone = /^<p>((?:(?!<p>)[\s\S])*)<\/p>$/.exec(blocks);
    return alone ? { html: alone[1], inline: true } : { html: blocks, inline: false };
  }
  const lines = content.split("\n").map(escapeHtml);
  return lines.length === 1
    ? { html: lines[0], inline: true }
    : { html: lines.map((line) => `<p>${line}</p>`).join(""), inline: false, lines };
}

/** Returns content as blocks of HTML. */
export function blocksOf(content, format) {
  const { html, inline } = readContent(content ?? "", format);
  return inline && html ? `<p>${html}</p>` : html;
}

export const imageHtml = ({ imageUrl, imageDescription }) =>
  `<img src="${imageUrl}" alt="${escapeHtml(imageDescription)}">`;

/** Fills in atoms as the HTML that these engines show. */
export { htmlOf } from "./shown.mjs";
