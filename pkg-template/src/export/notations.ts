/** Notations of other programs that readers do not see: comments, attributes, ids of blocks, and signs around text. */

import type { NodeJSON } from "../types.js";
import { withDirectives } from "./directives.js";
import { InlineRow, isRow, OPAQUE, type Replacement } from "./inline-row.js";

/** An attribute list of kramdown, Pandoc or VitePress, without its braces: `.class #id key="value"`. */
const VALUE = String.raw`(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[^\s{}"'=]{1,200})`;
const ATTRIBUTE = String.raw`(?:[.#][\p{L}\w:-]{1,80}|[\w-]{1,40}=${VALUE})`;
const ATTRIBUTES = String.raw`${ATTRIBUTE}(?:\s${ATTRIBUTE}){0,20}`;

interface Notation {
  readonly sign: string;
  readonly pattern: RegExp;
  /** Returns the nodes in place of a match. */
  readonly nodes: (row: InlineRow, match: RegExpMatchArray & { index: number }) => NodeJSON[];
}

const nothing = (): NodeJSON[] => [];

/** Returns the nodes of the first group of a match. */
function inside(row: InlineRow, match: RegExpMatchArray & { index: number }): NodeJSON[] {
  const from = match.index + match[0].indexOf(match[1]!);
  return row.slice(from, from + match[1]!.length);
}

/** Obsidian's comments. A sign of percent behind a digit is one. */
const COMMENT: Notation = { sign: "%%", pattern: /(?<![\d%])%%(?!%)[^]*?%%(?!%)/g, nodes: nothing };

const NOTATIONS: readonly Notation[] = [
  // Pandoc's spans: `[text]{.smallcaps}`.
  { sign: "]{", pattern: new RegExp(String.raw`\[([^[\]]+)\]\{:?\s?${ATTRIBUTES}\s?\}`, "gu"), nodes: inside },
  // kramdown's lists, and those behind code, images and links.
  { sign: "{:", pattern: new RegExp(String.raw`[ \t]?\{:\s?(?:${ATTRIBUTES}|toc)\s?\}`, "gu"), nodes: nothing },
  { sign: `${OPAQUE}{`, pattern: new RegExp(String.raw`(?<=${OPAQUE})\{${ATTRIBUTES}\s?\}`, "gu"), nodes: nothing },
  // Those at the end of a block.
  { sign: "{", pattern: new RegExp(String.raw`(?:^|[ \t])\{(?=[.#])${ATTRIBUTES}\s?\}$`, "gu"), nodes: nothing },
  // Obsidian's ids of blocks: a single letter or a number is an exponent.
  { sign: "^", pattern: /(?:^|[ \t])\^(?=[\w-]{2})(?=[\d-]*[a-z])[a-z\d-]+$/gi, nodes: nothing },
  // Fields of Obsidian's Dataview; the name of one in parentheses is not shown.
  { sign: "::", pattern: /\((?:[^()[\]:]{1,60})::[ \t]*([^()\n]+)\)/g, nodes: inside },
  { sign: "::", pattern: /\[([^()[\]:]{1,60}::[ \t]*[^[\]\n]+)\]/g, nodes: field },
  // Obsidian's highlights. Between letters the signs compare.
  {
    sign: "==",
    pattern: /(?<![\w=])==(?![\s=])([^=\n]*[^\s=])==(?![\w=])/g,
    nodes: (row, match) => inside(row, match).map(highlighted),
  },
];

function field(row: InlineRow, match: RegExpMatchArray & { index: number }): NodeJSON[] {
  const colons = match[0].indexOf("::");
  const name = row.slice(match.index + 1, match.index + colons + 1);
  return [...name, ...row.slice(match.index + colons + 2, match.index + match[0].length - 1)];
}

function highlighted(node: NodeJSON): NodeJSON {
  return { ...node, marks: [...(node.marks ?? []), { type: "highlight" }] };
}

/** Returns a document without comments: they have no footnotes either. */
export function withoutHidden(node: NodeJSON): NodeJSON {
  return isHidden(node) ? withoutCommentBlocks(mapped(node, [COMMENT])) : node;
}

function isHidden({ text, content }: NodeJSON): boolean {
  return text?.includes("%%") ?? content?.some(isHidden) ?? false;
}

/** Returns a document whose notations are what they stand for. */
export function withoutNotations(node: NodeJSON): NodeJSON {
  return mapped(withDirectives(node), NOTATIONS);
}

const BEGIN_WITH_PARAGRAPH = new Set(["listItem", "taskItem", "tableCell", "tableHeader"]);

/** Applies notations to all rows of a node. A block that has nothing else is removed. */
function mapped(node: NodeJSON, notations: readonly Notation[]): NodeJSON {
  if (!node.content || node.type === "codeBlock") return node;
  if (isRow(node)) return { ...node, content: [...notations.reduce(applied, node.content)] };
  const content = node.content.flatMap((child, at) => {
    const plain = mapped(child, notations);
    const isEmptied = plain.type === "paragraph" && isRow(child) && isBlank(plain);
    const isNeeded = at === 0 && BEGIN_WITH_PARAGRAPH.has(node.type);
    return (isEmptied && !isNeeded) || isContents(plain) ? [] : [plain];
  });
  return { ...node, content };
}

function applied(content: readonly NodeJSON[], { sign, pattern, nodes }: Notation): readonly NodeJSON[] {
  // Signs may be those of several nodes, of which the row has one text.
  const row = new InlineRow(content);
  if (!row.text.includes(sign)) return content;
  const replacements = [...row.text.matchAll(pattern)].map((match): Replacement => {
    return { from: match.index, to: match.index + match[0].length, nodes: nodes(row, match) };
  });
  return row.replaced(replacements);
}

function isBlank({ content = [] }: NodeJSON): boolean {
  return content.every(({ type, text }) => type === "hardBreak" || (text !== undefined && !text.trim()));
}

/** Returns true for the place of a table of contents, which exported files have where their format has it. */
function isContents({ type, content = [] }: NodeJSON): boolean {
  const [only] = content;
  return type === "paragraph" && content.length === 1 && /^(?:\[\[_?toc_?\]\]|\[toc\])$/i.test(only?.text ?? "");
}

/** Removes comments of several blocks: the first one begins with the sign, and the last one ends with it. */
function withoutCommentBlocks(node: NodeJSON): NodeJSON {
  if (!node.content || isRow(node)) return node;
  const kept: NodeJSON[] = [];
  let comment: NodeJSON[] = [];
  for (const child of node.content.map(withoutCommentBlocks)) {
    const text = child.type === "paragraph" && isRow(child) ? new InlineRow(child.content!).text.trim() : "";
    // In a row that has a pair both were removed.
    const has = text.includes("%%");
    if (comment.length && has && text.endsWith("%%")) comment = [];
    else if (comment.length || (has && text.startsWith("%%"))) comment.push(child);
    else kept.push(child);
  }
  // One that is never closed is text.
  return { ...node, content: [...kept, ...comment] };
}
