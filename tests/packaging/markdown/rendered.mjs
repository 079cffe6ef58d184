// What readers of a Markdown file see, by a renderer that knows nothing of documents.
import { micromark } from "micromark";
import { cjkFriendlyExtension } from "micromark-extension-cjk-friendly";
import { gfmStrikethroughCjkFriendly } from "micromark-extension-cjk-friendly-gfm-strikethrough";
import { gfmFootnote, gfmFootnoteHtml } from "micromark-extension-gfm-footnote";
import { gfmStrikethroughHtml } from "micromark-extension-gfm-strikethrough";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";
import { gfmTaskListItem, gfmTaskListItemHtml } from "micromark-extension-gfm-task-list-item";

const BLOCK = /^(?:ul|ol|li|blockquote|h\d|table|thead|tbody|tr|th|td|pre|section)$/;
const LEAF = /^(?:img|br|hr|input)$/;

/**
 * The text with the blocks that each run of it is in and the set of its inline elements. Documents have no
 * paragraphs of tight lists, no emphasis in emphasis, and no line breaks of the source. `inserted` is left out.
 */
export function rendered(markdown, inserted = "") {
  const written = micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [cjkFriendlyExtension(), gfmStrikethroughCjkFriendly({ singleTilde: false }), gfmTable(), gfmTaskListItem(), gfmFootnote()],
    htmlExtensions: [gfmStrikethroughHtml(), gfmTableHtml(), gfmTaskListItemHtml(), gfmFootnoteHtml()],
  });
  const html = inserted ? written.replaceAll(inserted, "") : written;
  const runs = [];
  let [blocks, inline] = [[], []];
  const add = (text) => {
    const where = `${blocks.join(">")} ${[...new Set(inline)].sort().join(" ")}`;
    const last = runs.at(-1);
    if (last?.where === where && !blocks.at(-1)?.startsWith("<pre")) last.text += text;
    else runs.push({ where, text });
  };
  for (const [token, closing, name] of html.matchAll(/<(\/?)([a-z]\w*)(?: [^<>]*)?>|[^<]+|</g)) {
    if (!name) add(blocks.at(-1)?.startsWith("<pre") ? token : token.replace(/\s+/g, " "));
    else if (LEAF.test(name)) add(` ${token} `);
    else if (name === "p") add("¶");
    else if (BLOCK.test(name)) {
      if (closing) blocks = blocks.slice(0, blocks.findLastIndex((tag) => tag.startsWith(`<${name}`)));
      else blocks = [...blocks, token];
      inline = [];
      runs.push({ where: "", text: token });
    } else if (closing) inline = inline.slice(0, inline.findLastIndex((tag) => tag.startsWith(`<${name}`)));
    else inline = [...inline, token];
  }
  return runs
    .map(({ where, text }) => [where, where.includes("<pre") ? text : text.replace(/[\s¶]*¶[\s¶]*/g, "¶").replace(/ +/g, " ")])
    .map(([where, text]) => [where, text.replace(/^[¶ ]+|[¶ ]+$/g, "")])
    .filter(([, text]) => text)
    .map(([where, text]) => `${where}| ${text}`)
    .join("\n");
}
