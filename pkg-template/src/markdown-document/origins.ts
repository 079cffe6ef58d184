/**
 * The positions of a document's content in its source: the range of every block, and of every character of its text. A
 * character can be an escape or a reference, and a space can be the end of a line with the signs of a quote behind it.
 */

import type { Mark, Node } from "@tiptap/pm/model";
import type { LinkReference, Nodes } from "mdast";
import { decodeReference } from "./syntax.js";

export interface Range {
  from: number;
  to: number;
}

/** An inline node of the source around content, such as emphasis, with the marks that hold outside of it. */
export interface Enclosing extends Range {
  marks: readonly Mark[];
  /** The mark that it is in the document. */
  mark?: Mark | undefined;
  /** The reference of a link to a definition. */
  reference?: Pick<LinkReference, "identifier" | "label" | "referenceType">;
  /** The label of a link to a definition whose text is its label. */
  label?: string;
  /** The URL of a link that is only a URL between angle brackets. */
  url?: string;
  /** The sign at each end of emphasis, and the tag of the same meaning. */
  sign?: string;
  tag?: string;
}

/** A part of a textblock that is one node of the tree. */
export interface Piece extends Range {
  /** The size in the document. */
  size: number;
  /** `source` is text that the schema has no node for, `block` such a block, `leaf` a node without text. */
  kind: "text" | "code" | "source" | "block" | "leaf";
  /** The text in the document. */
  text: string;
  marks: readonly Mark[];
  /** True for a hard break. */
  isBreak?: boolean;
  /** The inline nodes around it, the innermost last. */
  enclosing: readonly Enclosing[];
}

/** The source of a block. */
export interface Origin extends Range {
  /** The node of the tree; undefined for an element in several nodes. */
  tree?: Nodes;
  /** The parts of a textblock. */
  pieces?: readonly Piece[];
}

/** The source of the nodes of a document, by their identity. */
export type Origins = Map<Node, Origin>;

/** The source of one character or leaf. */
export type Unit = Range & { piece: Piece };

/** Returns the source of each unit of a textblock; undefined if a part of it cannot be found. */
export function unitsOf(pieces: readonly Piece[], source: string): Unit[] | undefined {
  const units: Unit[] = [];
  for (const [index, piece] of pieces.entries()) {
    const ranges = rangesOf(piece, source);
    if (!ranges) return undefined;
    const before = pieces[index - 1];
    const next = pieces[index + 1];
    const [first, last] = [ranges[0], ranges.at(-1)];
    // The white space beside a break belongs to it, and the signs of quotes behind the end of a line.
    if (first && before && piece.isBreak) {
      const end = Math.max(before.to, ...before.enclosing.map(({ to }) => to).filter((to) => to <= piece.from));
      if (/^[ \t\r\n>]*$/.test(source.slice(end, first.from))) first.from = end;
    }
    if (last && next) {
      const start = Math.min(next.from, ...next.enclosing.map(({ from }) => from).filter((from) => from >= piece.to));
      const isLineEnd = /[\r\n]$/.test(source.slice(last.from, last.to));
      if ((isLineEnd || piece.isBreak) && /^[ \t\r\n>]*$/.test(source.slice(last.to, start))) last.to = start;
    }
    for (const range of ranges) units.push(Object.assign(range, { piece }));
  }
  return units;
}

function rangesOf(piece: Piece, source: string): Range[] | undefined {
  const { from, to, kind, text } = piece;
  if (kind === "leaf") return [{ from, to }];
  if (kind === "block") return verbatim(source, from, to);
  if (kind !== "code") return aligned(text, source, from, to, kind === "text");
  const ticks = /^`+/.exec(source.slice(from, to))?.[0].length ?? 0;
  let [start, end] = [from + ticks, to - ticks];
  // One space at each end is not part of the code.
  const isPadded = /^[ \r\n][^]*[^ \r\n][^]*[ \r\n]$/.test(source.slice(start, end));
  const paddingAt = (at: number): number => (source.startsWith("\r\n", at) ? 2 : 1);
  if (isPadded) [start, end] = [start + paddingAt(start), end - paddingAt(end - 2)];
  return aligned(text, source, start, end, false);
}

/** Returns the range of each character; CRLF is one. */
function verbatim(source: string, from: number, to: number): Range[] {
  const found = source.slice(from, to).matchAll(/\r\n|[^]/g);
  return [...found].map(({ 0: { length }, index }) => ({ from: from + index, to: from + index + length }));
}

/** A line end with the white space around it and the signs of quotes. In code, spaces before it are part of the text. */
const LINE_END = /[ \t]*(?:\r\n?|\n)[ \t>]*/y;
const LINE_END_IN_CODE = /(?:\r\n?|\n)[ \t>]*/y;
const ESCAPE = /\\[!-/:-@[-`{-~]/y;
const REFERENCE = /&(?:#[xX][0-9a-fA-F]{1,6}|#\d{1,7}|[A-Za-z][A-Za-z0-9]{0,31});/y;

/** Walks through text and its source at once. */
function aligned(text: string, source: string, from: number, to: number, hasEscapes: boolean): Range[] | undefined {
  const ranges: Range[] = [];
  let at = from;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0];
    return found && at + found.length <= to ? found : undefined;
  };
  // What starts the next line can be outside of the node.
  const lineEndHere = (): string | undefined => {
    const pattern = hasEscapes ? LINE_END : LINE_END_IN_CODE;
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0].slice(0, to - at);
    return found && /[\r\n]/.test(found) ? found : undefined;
  };
  const take = (length: number, count = 1): void => {
    for (let unit = 0; unit < count; unit += 1) ranges.push({ from: at, to: at + length });
    at += length;
  };
  while (ranges.length < text.length) {
    const wanted = text[ranges.length] as string;
    const lineEnd = lineEndHere();
    if (lineEnd) {
      const length = lineLength(lineEnd, text.slice(ranges.length + (wanted === " " ? 1 : 0)), source.slice(at, to));
      // Between wide letters a line end is nothing in the text.
      if (wanted === " " || wanted === "\n") take(length);
      else at += length;
      continue;
    }
    if (at >= to) return undefined;
    const escape = hasEscapes ? match(ESCAPE) : undefined;
    const reference = hasEscapes ? match(REFERENCE) : undefined;
    const decoded = reference ? decodeReference(reference) : undefined;
    if (escape?.[1] === wanted) take(2);
    else if (reference && decoded !== undefined && text.startsWith(decoded, ranges.length)) {
      take(reference.length, decoded.length);
    } else if (source[at] === wanted) take(1);
    // Tables escape pipes in code, too.
    else if (source.startsWith("\\|", at) && wanted === "|") take(2);
    else return undefined;
  }
  return /^[ \t\r\n]*$/.test(source.slice(at, to)) ? ranges : undefined;
}

/** Returns the length of a line end that is not text: a sign `>` can belong to it, and spaces can in code. */
function lineLength(lineEnd: string, rest: string, source: string): number {
  if (!/^[> \t]/.test(rest)) return lineEnd.length;
  for (let length = lineEnd.length; length > 0; length -= 1) {
    const [next = ""] = /^[^\r\n]*/.exec(source.slice(length, length + 8)) ?? [];
    if (rest.startsWith(next)) return length;
    if (/[\r\n]/.test(lineEnd.charAt(length - 1))) break;
  }
  return lineEnd.length;
}
