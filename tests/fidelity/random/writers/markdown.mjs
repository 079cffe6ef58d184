// Writes blocks as Markdown (CommonMark and GFM, with tags for marks that Markdown lacks).
import { formOf, LISTS } from "../tree.mjs";

/** Thrown for what Markdown cannot state. */
export class Unstated extends Error {}

const SIGNS = { bold: "**", italic: "*", strike: "~~", code: "`" };
const TAGS = { underline: "u", subscript: "sub", superscript: "sup" };

/**
 * Returns a writer of Markdown: `{ inline(content), block(node), blocks(nodes) }`. A block is a list of rows.
 *
 * `bullet`: the sign of items; `wide`: nested items are indented by four spaces; `escapes`: characters are escaped (texts
 * that need it are `Unstated` without it); `spaces`: a hard break is two spaces instead of a backslash.
 */
export function markdownWriter({ bullet = "-", wide = false, escapes = false, spaces = false }) {
  const plainText = (text) => {
    if (/<[a-z/!]/i.test(text)) {
      if (!escapes) throw new Unstated("a tag");
      return text.replace(/<(?=[a-z/!])/gi, "\\<");
    }
    return text;
  };
  const mark = ({ type, attrs }, inner) => {
    if (SIGNS[type]) return SIGNS[type] + inner + SIGNS[type];
    if (TAGS[type]) return `<${TAGS[type]}>${inner}</${TAGS[type]}>`;
    if (type === "highlight")
      return `<mark data-color="${attrs.color}" style="background-color: ${attrs.color}">${inner}</mark>`;
    return `[${inner}](${attrs.href}${attrs.title ? ` "${attrs.title}"` : ""})`;
  };
  const inline = (content, newline) => {
    const text = run(content, newline);
    if (/~~~|\*{4}/.test(text)) throw new Unstated("signs that touch");
    return text;
  };
  const run = (content = [], newline = spaces ? "  \n" : "\\\n") =>
    content
      .map((part) => {
        if (part.type === "hardBreak") return newline;
        const marks = part.marks ?? [];
        if (part.type !== "text") return formOf(part);
        const code = marks.some(({ type }) => type === "code");
        return marks.reduceRight((inner, each) => mark(each, inner), code ? part.text : plainText(part.text));
      })
      .join("");
  const paragraph = (node) => {
    const rows = inline(node.content).split("\n");
    if (rows.some((row) => /^([-+*>]|#{1,6}|\d+[.)])\s|^$/.test(row))) throw new Unstated("a sign at the beginning");
    return rows;
  };
  const item = (node, marker) => {
    const by = " ".repeat(wide ? 4 : Math.min(marker.length, 4));
    const [first, ...rest] = node.content;
    const rows = paragraph(first).map((row, at) => (at ? by : marker) + row);
    for (const each of rest) {
      // A list that counts from another number than 1 cannot follow a paragraph without a blank row.
      if (each.type === "paragraph" || each.type === "codeBlock" || each.attrs?.start) rows.push("");
      rows.push(...block(each, signs(rest).get(each)).map((row) => (row ? by + row : row)));
    }
    return rows;
  };
  const markers = {
    bulletList: (sign) => () => `${sign} `,
    taskList:
      (sign) =>
      ({ attrs }) =>
        `${sign} [${attrs?.checked ? "x" : " "}] `,
    orderedList:
      (sign, start = 1) =>
      (_, at) =>
        `${start + at}${sign === "*" ? ")" : "."} `,
  };
  const list = (node, sign = bullet) => {
    const marker = markers[node.type](sign, node.attrs?.start);
    const width = node.type === "taskList" ? 2 : undefined;
    return node.content.flatMap((each, at) => {
      const sign = marker(each, at);
      if (!width || wide) return item(each, sign);
      const [head, ...rest] = item(each, sign);
      return [head, ...rest.map((row) => row.replace(/^ {4}/, "  "))];
    });
  };
  const cellText = ({ content, attrs }) => {
    if (content.length > 1 || content[0].type !== "paragraph" || attrs?.colspan > 1) throw new Unstated("a cell");
    return inline(content[0].content, "<br>").replaceAll("|", "\\|");
  };
  const row = ({ content }) => `| ${content.map(cellText).join(" | ")} |`;
  const table = (node) => {
    const [head, ...rest] = node.content;
    if (head.content.some(({ type }) => type !== "tableHeader")) throw new Unstated("a table without a head");
    return [row(head), `|${" --- |".repeat(head.content.length)}`, ...rest.map(row)];
  };
  const block = (node, sign) => {
    switch (node.type) {
      case "paragraph":
        return paragraph(node);
      case "heading":
        return [`${"#".repeat(node.attrs.level)} ${inline(node.content, "<br>")}`];
      case "codeBlock":
        return [`\`\`\`${node.attrs?.language ?? ""}`, ...(node.content?.[0].text ?? "").split("\n"), "```"];
      case "blockquote":
        return blocks(node.content).map((each) => (each ? `> ${each}` : ">"));
      case "bulletList":
      case "taskList":
      case "orderedList":
        return list(node, sign);
      case "listItem":
      case "taskItem":
        throw new Error("items are written by `items`");
      case "table":
        return table(node);
      case "tableRow":
        return [row(node)];
      case "horizontalRule":
        return ["---"];
      case "blockMath":
        return ["$$", node.attrs.latex, "$$"];
      case "image":
        return [`![${node.attrs.alt ?? ""}](${node.attrs.src}${node.attrs.title ? ` "${node.attrs.title}"` : ""})`];
      default:
        throw new Unstated(node.type);
    }
  };
  /** Rows of blocks with blank rows between them. Neighbouring lists of one kind get different signs. */
  const blocks = (nodes) => {
    const rows = [];
    nodes.forEach((node, at) => {
      if (at) rows.push("");
      rows.push(...block(node, signs(nodes).get(node)));
    });
    return rows;
  };
  /** The signs of lists: another one than that of a list just before, with which it would be one list. */
  const signs = (nodes) => {
    const found = new Map();
    const kind = (node) => (node?.type === "orderedList" ? "ordered" : LISTS.has(node?.type) ? "bullets" : undefined);
    nodes.forEach((node, at) => {
      const twin = at && kind(node) && kind(nodes[at - 1]) === kind(node) && found.get(nodes[at - 1]) === bullet;
      found.set(node, twin ? (bullet === "*" ? "-" : "*") : bullet);
    });
    return found;
  };
  /** Rows of some items of a list. */
  const items = (parent, [from, to]) => {
    const { content, ...rest } = parent;
    const start = (parent.attrs?.start ?? 1) + from;
    return list({
      ...rest,
      attrs: parent.type === "orderedList" ? { start } : parent.attrs,
      content: content.slice(from, to),
    });
  };
  return { inline, block, blocks, items, cellText };
}
