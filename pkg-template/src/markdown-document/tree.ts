/** Properties of Markdown's tree that every reader of it shares. */

import type { Definition, List, Nodes, Root, RootContent, Text } from "mdast";

/** Returns the definitions of a tree by their identifiers; the first of several counts. */
export function definitionsOf(tree: Root): Map<string, Definition> {
  const found = new Map<string, Definition>();
  const visit = (node: Nodes): void => {
    if (node.type === "definition" && !found.has(node.identifier)) found.set(node.identifier, node);
    if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(tree);
  return found;
}

/** Returns the range of a tree's node in the source. */
export function rangeOf(node: Nodes): { from: number; to: number } {
  const { start, end } = node.position ?? {};
  return { from: start?.offset ?? 0, to: end?.offset ?? 0 };
}

/** Returns the identifier of a label, as the parser does. */
export function identifierOf(label: string): string {
  const line = label.replace(/(?:\r\n?|\n)[ \t>]*/g, " ").replace(/[ \t]+/g, " ");
  return line.trim().toLowerCase().toUpperCase().toLowerCase();
}

/** Returns true if every item of a list is a task. */
export function isTaskList({ ordered, children }: List): boolean {
  return !ordered && children.length > 0 && children.every(({ checked }) => typeof checked === "boolean");
}

/** Returns true for the tag of a hard break. */
export function isBreakTag(node: Nodes | undefined): boolean {
  return node?.type === "html" && /^<br *\/?>$/.test(node.value);
}

/** Returns a text and its range without the white space at its start or end, be it a line end. References are content. */
export function trimmedText(
  node: Text,
  source: string,
  atStart: boolean,
  atEnd: boolean,
): { value: string; from: number; to: number } {
  let [{ from, to }, { value }] = [rangeOf(node), node];
  if (atStart) {
    const [space = "", lineEnd] = /^[ \t]*((?:\r\n?|\n)[ \t>]*)?/.exec(source.slice(from, to)) ?? [];
    from += space.length;
    // The parser leaves out the spaces beside a line end.
    value = lineEnd ? value.replace(/^(?:\r\n?|\n)/, "") : value.slice(space.length);
  }
  if (atEnd) {
    const [lineEnd = ""] = /(?:\r\n?|\n)$/.exec(value) ?? [];
    let end = to;
    while (end > from && /[ \t\r\n]/.test(source.charAt(end - 1))) end -= 1;
    value = value.slice(0, value.length - (lineEnd.length || to - end));
    to = end;
  }
  return { value, from, to };
}

/** Returns text with its soft line breaks as spaces; those between wide letters and beside wide signs are dropped. */
export function withoutSoftBreaks(text: string): string {
  const lines = text.split(/\r\n?|\n/);
  if (lines.length === 1) return text;
  const trimmed = lines.map((line, at) => withoutSpaces(line, at > 0, at < lines.length - 1));
  const space = (at: number): string => {
    const [before = "", after] = [trimmed[at], trimmed[at + 1]];
    if (after === undefined) return "";
    const [left, right] = [before.slice(-1), after.slice(0, 1)];
    if (WIDE_SIGN.test(left) || WIDE_SIGN.test(right)) return "";
    const [last, first] = [beside([...before.slice(-9)].reverse()), beside([...after.slice(0, 9)])];
    // Signs alone are those of the other line.
    return WIDE.test(last || (before && first)) && WIDE.test(first || (after && last)) ? "" : " ";
  };
  return trimmed.map((line, at) => line + space(at)).join("");
}

/** Returns the first of some characters that tells of a script; an empty text if none does. */
function beside(chars: readonly string[]): string {
  return chars.find((char) => !SHARED_SIGN.test(char)) ?? "";
}

/** Returns text without the spaces at its start or end. Other white space stays, unlike with `trim`. */
function withoutSpaces(text: string, atStart: boolean, atEnd: boolean): string {
  let [start, end] = [0, text.length];
  while (atStart && text[start] === " ") start += 1;
  while (atEnd && end > start && text[end - 1] === " ") end -= 1;
  return text.slice(start, end);
}

/** Scripts and signs without spaces between words: a line break between them is dropped from the text. */
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF00-\uFF60]/u;

/** Signs and spaces of these scripts, which no space is beside. */
const WIDE_SIGN = /[\u3000-\u303F\uFF00-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF60]/;

/** Dashes, dots and quotation marks, which are as wide as the letters beside them. */
const SHARED_SIGN = /[\u2014\u2026\u00B7\u2018\u2019\u201C\u201D]/;

/** Returns true for front matter; TOML is not a type of mdast itself. */
export function isFrontMatter(node: RootContent): boolean {
  return node.type === "yaml" || (node.type as string) === "toml";
}

/** Returns text with LF as its line ends. */
export function lf(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
