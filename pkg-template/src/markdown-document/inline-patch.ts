/** Changes of a textblock as edits of its source. */

import { Mark } from "@tiptap/pm/model";
import { isLineBreak } from "../document/node-kinds.js";
import { hunksOf, type ContentUnit, type Hunk } from "./inline-units.js";
import type { Enclosing, Range, Unit } from "./origins.js";

/** A replacement in the source. */
export interface Edit extends Range {
  text: string;
}

/** Thrown for a change that has no edit at this level. */
export class Unpatchable extends Error {}

/** The old content of a textblock with its source, and the new one, which it writes. */
export interface InlineChange {
  source: readonly Unit[];
  /** The file, to which the ranges refer. */
  text: string;
  /** True if tags may be written. */
  hasTags: boolean;
  before: readonly ContentUnit[];
  after: readonly ContentUnit[];
  /** Returns true for a unit that has source in another block of the file. */
  isMoved(unit: ContentUnit): boolean;
  /** Writes text for a place where it has all its marks. */
  plain(value: string, kind: Unit["piece"]["kind"], at: Range): string;
  /** Writes content with more marks than its place, or with leaves. */
  content(units: readonly ContentUnit[], outer: readonly Mark[], at: Range): string;
  /** Writes all the new content. */
  all(): string;
}

/** A place at which content can be inserted: the marks that hold there, and the inline nodes around it. */
interface Slot {
  at: number;
  marks: readonly Mark[];
  enclosing: readonly Enclosing[];
  kind: Unit["piece"]["kind"];
}

/** Returns the edits that make the new content of the old one. */
export function inlineEdits(change: InlineChange, way: InlineWay): Edit[] {
  const { isRight = false, joins, takesSigns, signs, takes } = way;
  const spans = spansOf(change.source);
  const hunks = hunksOf(
    change.before.map(({ key }) => key),
    change.after.map(({ key }) => key),
  );
  if (takes) return wideEdits(hunks, takes, change);
  const edits = hunks.flatMap((hunk) => {
    const range = joins ? withLineEnds(hunk, change) : withoutOuterSpace(withoutLineEnd(hunk, change), change);
    return hunkEdits(takesSigns ? withSigns(range, change) : range, change, spans, isRight);
  });
  return [...edits, ...labelEdits(edits, spans), ...(signs ? signEdits(edits, spans, signs, change.hasTags) : [])];
}

/** The way in which edits are made: see `Way`. */
export interface InlineWay {
  isRight?: boolean;
  takesSigns?: boolean;
  joins?: boolean;
  signs?: "*" | "tag" | undefined;
  takes?: "nodes" | "lines";
}

/** Returns an edit for each hunk that writes what is beside it again: inline nodes, or its lines. */
function wideEdits(hunks: readonly Hunk[], takes: "nodes" | "lines", change: InlineChange): Edit[] {
  const { source, text, after } = change;
  const goesOn = (inner: Unit | undefined, outer: Unit | undefined): boolean => {
    const [node] = outer?.piece.enclosing ?? [];
    if (!outer || (node && node === inner?.piece.enclosing[0])) return outer !== undefined;
    return takes === "lines" ? !isLineEnd(outer, text) : node !== undefined;
  };
  const wide: Hunk[] = [];
  hunks.forEach((hunk, index) => {
    const last = wide.at(-1);
    const next = hunks[index + 1]?.from ?? source.length;
    let { from, to, start, end } = hunk;
    while (from > (last?.to ?? 0) && goesOn(source[from], source[from - 1])) [from, start] = [from - 1, start - 1];
    while (to < next && goesOn(source[to - 1], source[to])) [to, end] = [to + 1, end + 1];
    if (last?.to === from) Object.assign(last, { to, end });
    else wide.push({ from, to, start, end });
  });
  return wide.map(({ from, to, start, end }) => {
    const [first, last] = [source[from], source[to - 1]];
    if (!first || !last || from === to) throw new Unpatchable();
    const range = {
      from: Math.min(first.from, first.piece.enclosing[0]?.from ?? Infinity),
      to: Math.max(last.to, last.piece.enclosing[0]?.to ?? 0),
    };
    return { ...range, text: change.content(after.slice(start, end), [], range) };
  });
}

/** Returns a hunk that removes the space before a word rather than the end of a line behind it. */
function withoutLineEnd(hunk: Hunk, { source, before, text }: InlineChange): Hunk {
  const { from, to, start, end } = hunk;
  const last = source[to - 1];
  const isLineEnd = last !== undefined && start === end && /[\r\n]/.test(text.slice(last.from, last.to));
  const slides = isLineEnd && from > 0 && last.piece.kind === "text" && before[from - 1]?.key === before[to - 1]?.key;
  return slides ? { from: from - 1, to: to - 1, start: start - 1, end: end - 1 } : hunk;
}

/** Returns a hunk without the spaces that would be at the end or start of a line, where Markdown has none. */
function withoutOuterSpace(hunk: Hunk, { source, before, after, text }: InlineChange): Hunk {
  let { from, to, start, end } = hunk;
  if (start < end && isBreak(after[start])) while (isSpaceAt(source[from - 1], before[from - 1], text)) from -= 1;
  if (start < end && isBreak(after[end - 1])) while (isSpaceAt(source[to], before[to], text)) to += 1;
  if (isLineEnd(source[to], text)) {
    while (end > start && after[end - 1]?.char === " ") end -= 1;
    if (start === end) while (isSpaceAt(source[from - 1], before[from - 1], text)) from -= 1;
  }
  if (isLineEnd(source[from - 1], text)) {
    while (start < end && after[start]?.char === " ") start += 1;
    if (start === end) while (isSpaceAt(source[to], before[to], text)) to += 1;
    // A line without text would end the paragraph.
    if (start === end && before[to]?.char === " " && isLineEnd(source[to], text)) to += 1;
  }
  return { from, to, start, end };
}

/** Returns true for a unit that is the end of a line: in text, or a hard break. */
export function isLineEnd(unit: Unit | undefined, text: string): boolean {
  if (unit?.piece.kind !== "text") return unit?.piece.isBreak === true;
  return /[\r\n]/.test(text.slice(unit.from, unit.to));
}

function isBreak(unit: ContentUnit | undefined): boolean {
  return unit !== undefined && unit.char === undefined && isLineBreak(unit.node.type.name);
}

function isSpaceAt(unit: Unit | undefined, content: ContentUnit | undefined, text: string): boolean {
  return unit?.piece.kind === "text" && content?.char === " " && !isLineEnd(unit, text);
}

/** Returns a hunk with the signs in the text right beside it. */
function withSigns(hunk: Hunk, { source, before, after }: InlineChange): Hunk {
  const { from, to, start, end } = hunk;
  const isSign = (unit: Unit | undefined, one: ContentUnit | undefined, other: ContentUnit | undefined): boolean => {
    return unit?.piece.kind === "text" && one?.key === other?.key && /^[!-/:-@[-`{-~]$/.test(one?.char ?? "");
  };
  const left = isSign(source[from - 1], before[from - 1], after[start - 1]) ? 1 : 0;
  const right = isSign(source[to], before[to], after[end]) ? 1 : 0;
  return { from: from - left, to: to + right, start: start - left, end: end + right };
}

/** Returns a hunk with the ends of lines beside it. */
function withLineEnds(hunk: Hunk, { source, text }: InlineChange): Hunk {
  const hasLineEnd = (from: number | undefined, to: number | undefined): boolean => {
    return from !== undefined && to !== undefined && /[\r\n]/.test(text.slice(from, to));
  };
  const isJoined = ({ piece }: Unit): boolean => piece.kind === "text";
  let { from, to, start, end } = hunk;
  const [left, right] = [source[from - 1], source[to]];
  const isBetween = from === to && left && right && left.piece === right.piece && hasLineEnd(left.to, right.from);
  const takes = (unit: Unit | undefined): boolean => {
    return unit !== undefined && isJoined(unit) && (isBetween || hasLineEnd(unit.from, unit.to));
  };
  if (takes(left)) [from, start] = [from - 1, start - 1];
  if (takes(right)) [to, end] = [to + 1, end + 1];
  return { from, to, start, end };
}

/** Returns edits of the signs of emphasis beside other edits. */
function signEdits(edits: readonly Edit[], spans: Spans, signs: "*" | "tag", hasTags: boolean): Edit[] {
  return [...spans.keys()].flatMap(({ from, to, sign, tag }): Edit[] => {
    if (sign === undefined || tag === undefined) return [];
    const ends = [from, from + sign.length, to - sign.length, to];
    if (!edits.some((edit) => ends.includes(edit.from) || ends.includes(edit.to))) return [];
    if (signs === "tag" && !hasTags) return [];
    const [start, end] =
      signs === "tag" ? [`<${tag}>`, `</${tag}>`] : [sign, sign].map((one) => one.replace(/_/g, "*"));
    return [
      { from, to: from + sign.length, text: start as string },
      { from: to - sign.length, to, text: end as string },
    ];
  });
}

/** Returns edits that keep the targets of links whose text was their label or URL and has changed. */
function labelEdits(edits: readonly Edit[], spans: Spans): Edit[] {
  return [...spans.keys()].flatMap(({ from, to, label, url }): Edit[] => {
    if (!edits.some((edit) => edit.from > from && edit.to < to)) return [];
    if (url !== undefined) {
      return [
        { from, to: from + 1, text: "[" },
        { from: to - 1, to, text: `](${url})` },
      ];
    }
    if (label === undefined) return [];
    const isCollapsed = to - from > label.length + 2;
    return [{ from: isCollapsed ? to - 2 : to, to, text: `[${label}]` }];
  });
}

/** The first and the last unit in each inline node. */
type Spans = Map<Enclosing, { first: number; last: number }>;

function spansOf(source: readonly Unit[]): Spans {
  const spans: Spans = new Map();
  source.forEach(({ piece }, at) => {
    for (const node of piece.enclosing) {
      const span = spans.get(node);
      if (span) span.last = at;
      else spans.set(node, { first: at, last: at });
    }
  });
  return spans;
}

function hunkEdits({ from, to, start, end }: Hunk, change: InlineChange, spans: Spans, isRight: boolean): Edit[] {
  const { source } = change;
  const insertions = insertionsOf(change.after.slice(start, end), (units) => {
    return slotFor(from, to, source, units, spans, isRight);
  });
  const removed: Range[] = [];
  for (let at = from; at < to; at += 1) {
    const { piece, ...range } = source[at] as Unit;
    const gone = piece.enclosing.find((node) => {
      const span = spans.get(node);
      const isUsed = insertions.some(({ slot }) => slot.enclosing.includes(node));
      return span && span.first >= from && span.last < to && !isUsed;
    });
    add(removed, gone ?? range, source[at - 1]?.piece === piece && at > from);
  }
  const edits: Edit[] = removed.map((range) => ({ ...range, text: "" }));
  for (const { slot, units } of insertions) {
    const place = edits.find((edit) => edit.from <= slot.at && slot.at <= edit.to);
    const target = place ?? { from: slot.at, to: slot.at, text: "" };
    if (target.from < slot.at && slot.at < target.to) throw new Unpatchable();
    target.text += written(units, slot, target, change);
    if (!place) edits.push(target);
  }
  return edits.sort((one, other) => one.from - other.from);
}

interface Insertion {
  slot: Slot;
  units: readonly ContentUnit[];
}

/** Returns the places of new units: one for each run with the same marks, if there is one with exactly these. */
function insertionsOf(units: readonly ContentUnit[], slotOf: (units: readonly ContentUnit[]) => Slot): Insertion[] {
  if (units.length === 0) return [];
  const runs: ContentUnit[][] = [];
  for (const unit of units) {
    const last = runs.at(-1);
    if (last?.[0] && Mark.sameSet(last[0].marks, unit.marks)) last.push(unit);
    else runs.push([unit]);
  }
  const found = runs.map((run) => ({ slot: slotOf(run), units: run }));
  const isExact = found.every(({ slot, units: [unit] }) => slot.marks.length === unit?.marks.length);
  const isInOrder = found.every(({ slot }, at) => at === 0 || slot.at >= (found[at - 1] as Insertion).slot.at);
  return isExact && isInOrder ? found : [{ slot: slotOf(units), units }];
}

/** Adds a range to others, with what is between it and the last one if that belongs to the same node. */
function add(ranges: Range[], { from, to }: Range, joins: boolean): void {
  const last = ranges.at(-1);
  if (last && (joins || from <= last.to)) last.to = Math.max(last.to, to);
  else ranges.push({ from, to });
}

function written(units: readonly ContentUnit[], slot: Slot, at: Range, change: InlineChange): string {
  const isText = units.every(
    (unit) => unit.char !== undefined && unit.marks.length === slot.marks.length && !change.isMoved(unit),
  );
  if (isText) return change.plain(units.map(({ char }) => char).join(""), slot.kind, at);
  return change.content(units, slot.marks, at);
}

/** Returns the place within as many marks of the inserted units as possible. */
function slotFor(
  from: number,
  to: number,
  source: readonly Unit[],
  inserted: readonly ContentUnit[],
  spans: Spans,
  isRight: boolean,
): Slot {
  const left = from > 0 ? slotsAt(source[from - 1] as Unit, "to", (node) => spans.get(node)?.last === from - 1) : [];
  const right = source[to] ? slotsAt(source[to] as Unit, "from", (node) => spans.get(node)?.first === to) : [];
  const inner = to > from ? slotsAt(source[from] as Unit, "from", (node) => spans.get(node)?.first === from) : [];
  // Behind a node whose end is removed.
  const outer = to > from ? slotsAt(source[to - 1] as Unit, "to", (node) => spans.get(node)?.last === to - 1) : [];
  const slots = [...inner, ...(isRight ? [...right, ...left] : [...left, ...right]), ...outer];
  const fitting = slots.filter(({ marks }) =>
    marks.every((mark) => inserted.every((unit) => mark.isInSet(unit.marks))),
  );
  const [best] = fitting.sort((one, other) => other.marks.length - one.marks.length);
  if (!best) throw new Unpatchable();
  return best;
}

/** Returns the places at one side of a unit: beside it, and outside of each node that starts or ends there. */
function slotsAt({ piece, ...range }: Unit, side: "from" | "to", isEnd: (node: Enclosing) => boolean): Slot[] {
  const { enclosing, marks, kind } = piece;
  const slots: Slot[] = [{ at: range[side], marks, enclosing, kind: kind === "leaf" ? "text" : kind }];
  // Behind code and source is text.
  const isOutside = range[side] === piece[side] && kind === "source";
  if (isOutside) slots[0] = { ...(slots[0] as Slot), kind: "text" };
  if (kind === "code") {
    const plain = marks.filter(({ type }) => type.name !== "code");
    slots.push({ at: piece[side], marks: plain, enclosing, kind: "text" });
  }
  for (let depth = enclosing.length - 1; depth >= 0; depth -= 1) {
    const node = enclosing[depth] as Enclosing;
    if (!isEnd(node)) break;
    slots.push({ at: node[side], marks: node.marks, enclosing: enclosing.slice(0, depth), kind: "text" });
  }
  return slots;
}
