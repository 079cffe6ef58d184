/** Notations of other programs that readers do not see: comments, attributes, ids of blocks, and signs around text. */

import { isCell, isItem, isLineBreak, isRaw } from "../document/node-kinds.js";
import type { NodeJSON } from "../types/index.js";
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
  readonly nodes: (row: InlineRow, match: RegExpMatchArray & { index: number }, lose: Lose) => NodeJSON[];
}

/** Returns true for text that is Markdown's source in the file of a chapter, where it has no node or mark of the schema. */
export type IsSource = (text: string) => boolean;

/** Called with the label of a link or image whose URL is in the file that the document was read from. */
export type Lose = (label: string) => void;

const nothing = (): NodeJSON[] => [];

/** Returns the nodes of the first group of a match. */
function inside(row: InlineRow, match: RegExpMatchArray & { index: number }): NodeJSON[] {
  const from = match.index + match[0].indexOf(match[1]!);
  return row.slice(from, from + match[1]!.length);
}

/** Obsidian's comments. A sign of percent behind a digit is one. */
const COMMENT: Notation = { sign: "%%", pattern: /(?<![\d%])%%(?!%)[^]*?%%(?!%)/g, nodes: nothing };

/** The tags around text that schemas often have no mark for. Those of keys and samples are code. */
const TAGS = new Map([
  ...["kbd", "samp", "tt", "code"].map((tag) => [tag, "code"] as const),
  ...["b", "strong"].map((tag) => [tag, "bold"] as const),
  ...["i", "em", "cite", "var", "dfn"].map((tag) => [tag, "italic"] as const),
  ...["s", "del", "strike"].map((tag) => [tag, "strike"] as const),
  ...["u", "ins"].map((tag) => [tag, "underline"] as const),
  ["sub", "subscript"],
  ["sup", "superscript"],
  ["mark", "highlight"],
  ...["span", "small", "abbr", "font", "q"].map((tag) => [tag, undefined] as const),
]);
const TAG = [...TAGS.keys()].join("|");

/** A title behind a URL in Markdown. */
const TITLE = String.raw`(?:[ \t]{1,10}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?`;
/** The text of a link: brackets in it are in pairs. */
const LABEL = String.raw`(?:[^[\]\n]|\[[^[\]\n]{0,300}\]){0,500}`;

/** Returns the value of an attribute in a tag. */
function attribute(tag: string, name: string): string | undefined {
  const [, double, single, bare] =
    new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`, "i").exec(tag) ?? [];
  return double ?? single ?? bare;
}

function image(src: string | undefined, alt = ""): NodeJSON[] {
  if (!src) return alt ? [{ type: "text", text: alt }] : [];
  return [{ type: "image", attrs: { src, alt } }];
}

/**
 * Markdown's source that the schema has no marks for: code excludes others in TipTap, few schemas have all tags, and images are
 * blocks in many.
 */
const SOURCE: readonly Notation[] = [
  {
    sign: "![",
    pattern: new RegExp(String.raw`!\[(${LABEL})\]\(\s?(?:<([^<>\n]{1,1000})>|([^\s()<>]{1,1000}))${TITLE}\s?\)`, "g"),
    nodes: (_, [, alt, bracketed, url]) => image(bracketed ?? url, alt),
  },
  // The definition of the image is in no document: its text is what is left.
  {
    sign: "![",
    pattern: new RegExp(String.raw`!\[(${LABEL})\]\[[^[\]\n]{0,300}\]`, "g"),
    nodes: (row, match, lose) => {
      lose(match[0]);
      return between(row, match, 1, 2, undefined);
    },
  },
  {
    sign: "<img",
    pattern: /<img\s[^<>]{0,2000}>/gi,
    nodes: (_, [tag]) => image(attribute(tag, "src"), attribute(tag, "alt")),
  },
  { sign: "<wbr", pattern: /<wbr\s?\/?>/gi, nodes: nothing },
  {
    sign: "</a>",
    pattern: /<a(?:\s[^<>]{0,2000})?>([^<]*)<\/a>/gi,
    nodes: (row, match) => {
      const tag = match[0].slice(0, match[0].indexOf(">") + 1);
      const href = attribute(tag, "href");
      return between(row, match, 1, tag.length, href ? "link" : undefined, href ? { href } : undefined);
    },
  },
  // Links to definitions whose text has code, in schemas without links.
  {
    sign: "`",
    pattern: new RegExp(
      String.raw`(?<![!\]\\])\[((?:[^[\]\n` +
        "`" +
        String.raw`]{0,200}` +
        "`" +
        String.raw`[^[\]\n` +
        "`" +
        String.raw`]{1,200}` +
        "`" +
        String.raw`){1,10}[^[\]\n` +
        "`" +
        String.raw`]{0,200})\](?:\[[^[\]\n]{0,300}\])?(?![(\[:])`,
      "g",
    ),
    nodes: (row, match, lose) => {
      lose(match[0]);
      return between(row, match, 1, 1, undefined);
    },
  },
  {
    sign: "`",
    pattern: /(?<!`)(`+)(?!`)([^\n]{0,500}?[^`\n])\1(?!`)/g,
    nodes: (row, match) => {
      const from = match.index + match[1]!.length;
      return row.slice(from, from + match[2]!.length).map((node) => ({ ...node, marks: [{ type: "code" }] }));
    },
  },
  // Innermost first: a second pass has those around them.
  ...[1, 2].map((): Notation => {
    const pattern = new RegExp(String.raw`<(${TAG})(?:\s[^<>]{0,200})?>([^<]*)</\1>`, "gi");
    return {
      sign: "</",
      pattern,
      nodes: (row, match) => between(row, match, 2, match[0].indexOf(">") + 1, TAGS.get(match[1]!.toLowerCase())),
    };
  }),
  { sign: "**", pattern: /\*\*([^*\n]*\ufffc[^*\n]*)\*\*/g, nodes: (row, match) => between(row, match, 1, 2, "bold") },
  {
    sign: "*",
    pattern: /(?<!\*)\*([^*\n]*\ufffc[^*\n]*)\*(?!\*)/g,
    nodes: (row, match) => between(row, match, 1, 1, "italic"),
  },
  {
    sign: "](",
    pattern: /(?<!!)\[([^[\]\n]*\ufffc[^[\]\n]*)\]\(([^\s()<>]{1,1000})\)/g,
    nodes: (row, match) => between(row, match, 1, 1, "link", { href: match[2]! }),
  },
];

const NOTATIONS: readonly Notation[] = [
  ...SOURCE,
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

/** Returns the nodes of a group that begins at an offset of a match, with a mark. */
function between(
  row: InlineRow,
  match: RegExpMatchArray & { index: number },
  group: number,
  offset: number,
  mark: string | undefined,
  attrs?: NonNullable<NodeJSON["attrs"]>,
): NodeJSON[] {
  const from = match.index + offset;
  const nodes = row.slice(from, from + match[group]!.length);
  if (mark === undefined) return nodes;
  return nodes.map((node) => ({ ...node, marks: [...(node.marks ?? []), { type: mark, ...(attrs && { attrs }) }] }));
}

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
  return isHidden(node)
    ? withoutCommentBlocks(
        mapped(
          node,
          [COMMENT],
          () => {},
          () => false,
        ),
      )
    : node;
}

function isHidden({ text, content }: NodeJSON): boolean {
  return text?.includes("%%") ?? content?.some(isHidden) ?? false;
}

/**
 * Returns a document with the content that its notations represent. Markdown's own count if they are source: others are
 * text.
 */
export function withoutNotations(node: NodeJSON, lose: Lose, isSource: IsSource): NodeJSON {
  return mapped(withDirectives(node), NOTATIONS, lose, isSource);
}

/** Returns whether a text is one of the notations in some source, or an element that begins with one of its tags. */
export function sourceIn(raw: ReadonlySet<string>): IsSource {
  const known = new Set<string>();
  const remember: IsSource = (text) => known.add(text).size > 0;
  for (const text of raw) mapped({ type: "paragraph", content: [{ type: "text", text }] }, SOURCE, () => {}, remember);
  return (text) => known.has(text) || raw.has(/^<[^<>]*>/.exec(text)?.[0] ?? "");
}

/** Applies notations to all rows of a node. A block that has nothing else is removed. */
function mapped(node: NodeJSON, notations: readonly Notation[], lose: Lose, isSource: IsSource): NodeJSON {
  if (!node.content || isRaw(node.type)) return node;
  const apply = (content: readonly NodeJSON[], notation: Notation) => applied(content, notation, lose, isSource);
  if (isRow(node)) {
    const content = node.content.flatMap((child) => linkText(child, apply));
    return { ...node, content: [...notations.reduce(apply, content)] };
  }
  const content = node.content.flatMap((child, at) => {
    const plain = mapped(child, notations, lose, isSource);
    const isEmptied = plain.type === "paragraph" && isRow(child) && isBlank(plain);
    const isNeeded = at === 0 && (isItem(node.type) || isCell(node.type));
    return (isEmptied && !isNeeded) || isContents(plain) ? [] : [plain];
  });
  return { ...node, content };
}

/** Returns the text of a link without source. It has no other notations. */
function linkText(
  node: NodeJSON,
  apply: (content: readonly NodeJSON[], notation: Notation) => readonly NodeJSON[],
): readonly NodeJSON[] {
  const link = node.marks?.find(({ type }) => type === "link");
  if (!link || node.marks?.some(({ type }) => type === "code")) return [node];
  const plain = { ...node, marks: node.marks?.filter((mark) => mark !== link) };
  return SOURCE.reduce(apply, [plain]).map((part) => ({ ...part, marks: [...(part.marks ?? []), link] }));
}

function applied(
  content: readonly NodeJSON[],
  notation: Notation,
  lose: Lose,
  isSource: IsSource,
): readonly NodeJSON[] {
  const { sign, pattern, nodes } = notation;
  // The characters of a sign may be in several nodes; the row has one text for all of them.
  const row = new InlineRow(content);
  if (!row.text.includes(sign)) return content;
  const isMarkdown = SOURCE.includes(notation);
  const replacements = [...row.text.matchAll(pattern)].flatMap((match): Replacement | [] => {
    if (isMarkdown && !isSource(match[0])) return [];
    return { from: match.index, to: match.index + match[0].length, nodes: nodes(row, match, lose) };
  });
  return row.replaced(replacements);
}

function isBlank({ content = [] }: NodeJSON): boolean {
  return content.every(({ type, text }) => isLineBreak(type) || (text !== undefined && !text.trim()));
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
