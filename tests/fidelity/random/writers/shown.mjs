// Writes lines as `numbered` with style "structure" shows them (docs/documents.md), without their numbers.
import { ITEMS, LEAVES, LISTS, formOf, linesOf, unitsOf } from "../tree.mjs";
import { SIMPLE } from "./html.mjs";

/**
 * Returns the lines of a tree as `{ prefix, text, open?, close? }`: the signs, the text, and the fences around it.
 * `marks`: with marks as inline HTML; else as models write lines when they leave the tags out.
 */
export function shownLines(tree, { indent = 2, bullet = "-", marks = false } = {}) {
  const lines = linesOf(tree);
  return lines.map(({ node, text, segment, parents }, at) => {
    const prefix = prefixOf(node, segment, parents, { indent, bullet });
    if (node.type !== "codeBlock") {
      const shown = marks && !LEAVES.has(node.type) ? markedText(node, segment) : text;
      return { prefix: prefix + signOf(node, segment), text: shown + leafText(node) };
    }
    const last = lines[at + 1]?.node !== node;
    const below = prefixOf(node, 1, parents, { indent, bullet });
    return {
      prefix,
      text,
      ...(segment === 0 ? { open: `${below}\`\`\`${node.attrs?.language ?? ""}` } : {}),
      ...(last ? { close: `${below.endsWith("> ") ? below : ""}\`\`\`` } : {}),
    };
  });
}

/** Returns the text of a line of a textblock with its marks as tags; neighbours share a tag where they can. */
function markedText(node, segment) {
  let left = segment;
  let out = "";
  let run = "";
  const open = [];
  const flush = () => {
    out += run.replace(/&(?=[a-z0-9#])/gi, "&amp;").replace(/<(?=[a-z/!?])/gi, "&lt;");
    run = "";
  };
  const close = (count) => {
    while (open.length > count) out += `</${open.pop().tag}>`;
  };
  for (const { text, leaf, marks } of unitsOf(node.content)) {
    if (text === "\n") left -= 1;
    if (left || text === "\n") continue;
    const wanted = marks.map(tagOf);
    const kept = wanted.findIndex(({ start }, at) => open[at]?.start !== start);
    const same = kept < 0 ? wanted.length : kept;
    if (same < open.length || same < wanted.length) {
      flush();
      close(same);
      for (const tag of wanted.slice(same)) {
        out += tag.start;
        open.push(tag);
      }
    }
    run += leaf ? formOf(leaf) : text;
  }
  flush();
  close(0);
  return out;
}

function tagOf({ type, attrs }) {
  if (SIMPLE[type]) return { tag: SIMPLE[type], start: `<${SIMPLE[type]}>` };
  if (type === "highlight") return { tag: "mark", start: `<mark data-color="${attrs.color}">` };
  return { tag: "a", start: `<a href="${attrs.href.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}">` };
}

function leafText({ type, attrs }) {
  if (type === "horizontalRule") return "---";
  if (type === "image") return `![${attrs.alt ?? ""}](${attrs.src})`;
  if (type === "blockMath") return `$${formOf({ type, attrs })}$`;
  return "";
}

function signOf({ type, attrs }, segment) {
  if (type === "detailsSummary") return "▸ ";
  return type === "heading" && segment === 0 ? `${"#".repeat(attrs.level)} ` : "";
}

function prefixOf(node, segment, parents, { indent, bullet }) {
  let prefix = "";
  for (const [depth, parent] of parents.entries()) {
    const child = parents[depth + 1] ?? node;
    if (parent.type === "blockquote") prefix += "> ";
    else if (parent.type === "detailsContent") prefix += "  ";
    else if (parent.type === "tableCell" || parent.type === "tableHeader") prefix += "| ";
    else if (ITEMS.has(parent.type)) {
      const first = parent.content[0] === child && child === node && segment === 0;
      prefix += first ? markerOf(parent, parents[depth - 1], bullet) : " ".repeat(indent);
    }
  }
  return prefix;
}

function markerOf(item, list, bullet) {
  if (item.type === "taskItem") return `${bullet} [${item.attrs?.checked ? "x" : " "}] `;
  if (list.type === "bulletList") return `${bullet} `;
  return `${(list.attrs?.start ?? 1) + list.content.indexOf(item)}. `;
}

/** Returns the rows of a range of lines. A code block has its fences if all of it is in the range. */
export function rowsOf(shown, tree, [from, to]) {
  const nodes = linesOf(tree).map(({ node }) => node);
  const rows = [];
  for (let at = from; at < to; at += 1) {
    const { prefix, text, open, close } = shown[at];
    const first = nodes.indexOf(nodes[at]);
    const last = nodes.lastIndexOf(nodes[at]);
    const fenced = first >= from && last < to;
    if (open && fenced) rows.push({ text: open });
    rows.push({ text: prefix + text, line: at });
    if (close && fenced) rows.push({ text: close });
  }
  return rows;
}

export { LEAVES, LISTS };
