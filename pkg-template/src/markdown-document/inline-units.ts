/** The content of a textblock as units, one for each character and leaf, and the difference between two of them. */

import type { Mark, MarkType, Node } from "@tiptap/pm/model";
import { isLineBreak } from "../document/node-kinds.js";
import { align } from "./align.js";
import { FLANKED } from "./html-tags.js";
import type { Unit } from "./origins.js";
import { isOwnLink, linkTextAt } from "./own-links.js";

export interface ContentUnit {
  /** The character; undefined for a leaf. */
  char?: string;
  node: Node;
  marks: readonly Mark[];
  /** Equal for equal units with equal marks. */
  key: string;
}

/** Units of a textblock that the file has, by their index in a list of sources. */
export interface KnownUnits {
  known: Map<ContentUnit, number>;
  source: readonly Unit[];
}

/** Returns the units of a textblock. Links that editors make of URLs in text do not count. */
export function contentUnits(textblock: Node): ContentUnit[] {
  const units: ContentUnit[] = [];
  textblock.children.forEach((node, index) => {
    const link = node.marks.find(({ type }) => type.name === "link");
    const isOwn = link && isOwnLink(link.attrs.href, linkTextAt(textblock, index, link));
    const marks = isOwn ? link.removeFromSet(node.marks) : node.marks;
    if (!node.isText) units.push({ node, marks, key: `${LEAF}${node.type.name} ${JSON.stringify(node.attrs)}` });
    // Code units, which positions count.
    else for (const char of (node.text ?? "").split("")) units.push({ char, node, marks, key: char });
  });
  const types = new Set(textblock.children.flatMap(({ marks }) => marks.map(({ type }) => type)));
  for (const type of types) if (FLANKED.has(type.name)) trim(units, type);
  const keys = new Map<readonly Mark[], string>();
  for (const unit of units) {
    if (unit.marks.length === 0) continue;
    const markKey = keys.get(unit.marks) ?? JSON.stringify(unit.marks);
    keys.set(unit.marks, markKey);
    unit.key += markKey;
  }
  return units;
}

/** Removes a mark from the white space at its ends: it is not visible there, and its signs cannot be there. */
function trim(units: ContentUnit[], type: MarkType): void {
  const isIn = (unit: ContentUnit | undefined): boolean => type.isInSet(unit?.marks ?? []) !== undefined;
  const isBlank = ({ char, node, marks }: ContentUnit): boolean => {
    if (char === undefined) return isLineBreak(node.type.name);
    return /\s/.test(char) && !marks.some((mark) => mark.type.name === "code");
  };
  const walk = (order: readonly number[]): void => {
    let isEnd = true;
    for (const at of order) {
      const unit = units[at];
      isEnd = unit !== undefined && isIn(unit) ? isEnd && isBlank(unit) : true;
      if (unit && isEnd && isIn(unit)) units[at] = { ...unit, marks: type.removeFromSet(unit.marks) };
    }
  };
  const order = [...units.keys()];
  walk(order);
  walk(order.reverse());
}

const LEAF = "\uFFFC";

/** Units `[from, to)` of the old content that are replaced by `[start, end)` of the new one. */
export interface Hunk {
  from: number;
  to: number;
  start: number;
  end: number;
}

/** Returns the smallest replacements that make the new content of the old one: whole words, then their characters. */
export function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
  const all = trimmed({ from: 0, to: before.length, start: 0, end: after.length }, before, after);
  if (!all) return [];
  const [old, fresh] = [tokensOf(before, all.from, all.to), tokensOf(after, all.start, all.end)];
  const pairs = align(
    old.map(({ key }, at) => key || `${at} before`),
    fresh.map(({ key }, at) => key || `${at} after`),
  );
  const hunks: Hunk[] = [];
  let [from, start] = [all.from, all.start];
  const add = (to: number, end: number): void => {
    const hunk = trimmed({ from, to, start, end }, before, after);
    if (hunk) hunks.push(hunk);
  };
  pairs.forEach((pair, at) => {
    const [one, other] = [pair === undefined ? undefined : old[pair], fresh[at]];
    if (!one || !other) return;
    add(one.from, other.from);
    [from, start] = [one.to, other.to];
  });
  add(all.to, all.end);
  return hunks;
}

/** Removes the equal parts at both ends; undefined if nothing is left. */
function trimmed(hunk: Hunk, before: readonly string[], after: readonly string[]): Hunk | undefined {
  let { from, to, start, end } = hunk;
  while (from < to && start < end && before[from] === after[start]) {
    from += 1;
    start += 1;
  }
  while (from < to && start < end && before[to - 1] === after[end - 1]) {
    to -= 1;
    end -= 1;
  }
  if (from === to || start === end) {
    // A word that is inserted before white space is so behind the word before, and a line ends with its own break.
    const [units, first, last] = from === to ? [after, start, end] : [before, from, to];
    const isLine = units.slice(first, last).some(isBreak);
    const slides = (by: number): boolean => {
      const unit = units[last - 1 - by];
      if (isLine ? isBreak(unit) : from < to || !isSpace(unit)) return false;
      return by < Math.min(from, start) && before[from - 1 - by] === unit && after[start - 1 - by] === unit;
    };
    let by = 0;
    while (slides(by)) by += 1;
    if (!isLine || isBreak(units[last - 1 - by])) {
      [from, to, start, end] = [from - by, to - by, start - by, end - by];
    }
  }
  return from === to && start === end ? undefined : { from, to, start, end };
}

function isSpace(key: string | undefined): boolean {
  return key?.startsWith(" ") ?? false;
}

function isBreak(key: string | undefined): boolean {
  return isLineBreak(/^\uFFFC(\w+)/.exec(key ?? "")?.[1] ?? "");
}

interface Token {
  from: number;
  to: number;
  /** Empty for white space and signs, which are everywhere. */
  key: string;
}

const LETTER = /^[\p{L}\p{N}\p{M}]/u;
const WIDE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function tokensOf(keys: readonly string[], from: number, to: number): Token[] {
  const tokens: Token[] = [];
  for (let at = from; at < to; at += 1) {
    const key = keys[at] as string;
    const last = tokens.at(-1);
    const isLetter = LETTER.test(key);
    const joins = isLetter && !WIDE.test(key) && last?.key && last.to === at && !WIDE.test(keys[at - 1] as string);
    if (last && joins && key.slice(1) === (keys[at - 1] as string).slice(1)) {
      last.to += 1;
      last.key += key[0];
    } else tokens.push({ from: at, to: at + 1, key: isLetter || key.startsWith(LEAF) ? key : "" });
  }
  return tokens;
}
