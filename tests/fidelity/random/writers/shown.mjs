// Writes lines as `numbered` with style "structure" shows them (docs/documents.md), without their numbers.
import { ITEMS, LEAVES, LISTS, formOf, linesOf } from "../tree.mjs";

/** Returns the lines of a tree as `{ prefix, text, open?, close? }`: the signs, the text, and the fences around it. */
export function shownLines(tree, { indent = 2, bullet = "-" } = {}) {
  const lines = linesOf(tree);
  return lines.map(({ node, text, segment, parents }, at) => {
    const prefix = prefixOf(node, segment, parents, { indent, bullet });
    if (node.type !== "codeBlock") return { prefix: prefix + signOf(node, segment), text: text + leafText(node) };
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
