/**
 * Ranges of comments that follow a document.
 *
 * A change of this editor is known by its steps. Of one by another participant only both documents are known: y-tiptap
 * replaces everything. There, blocks that are the same move their ranges, and within the others text that is the same.
 */

import type { Node } from "@tiptap/pm/model";
import type { Mapping } from "@tiptap/pm/transform";
import { changedRanges } from "../document/changed-ranges.js";

/** The range of a thread. One whose text was deleted is empty, and has the text. */
export interface ThreadRange {
  from: number;
  to: number;
  lost?: string;
}

/** A range that is stored for a thread. */
export interface StoredRange extends ThreadRange {
  /** False if the character at an end of it was deleted. It may have been inserted elsewhere, as by a split of its block. */
  isExact: boolean;
}

/** Ranges by the ids of their threads. */
export type Ranges = ReadonlyMap<string, ThreadRange>;

/** The longest deleted text by which a range is found again. */
const LONGEST_LOST = 2_000;

/** Returns the text of a range, with a line break between blocks. Nodes without text are U+FFFC. */
export function textOf(doc: Node, from: number, to: number): string {
  return doc.textBetween(from, to, "\n", "\ufffc");
}

/** Follows the ranges over the steps of a change. `isMapped` is false if some are not where their ends were mapped to. */
export function mapRanges(
  ranges: Ranges,
  before: Node,
  after: Node,
  mapping: Mapping,
): { ranges: Ranges; isMapped: boolean } {
  if (!ranges.size) return { ranges, isMapped: true };
  let inserted: [from: number, to: number][] | undefined;
  let isMapped = true;
  const mapped = mapEach(ranges, (range) => {
    if (range.lost !== undefined) {
      const at = mapping.map(range.from);
      const found = regained(after, range.lost, at, (inserted ??= insertedBy(mapping)));
      if (found) isMapped = false;
      return found ?? { ...range, from: at, to: at };
    }
    const [from, to] = [mapping.map(range.from, 1), mapping.map(range.to, -1)];
    // Deletions in it may leave the borders of blocks at its ends.
    const isSmaller = to - from < range.to - range.from;
    const left = from < to ? (isSmaller ? withoutBorders(after, from, to) : { from, to }) : undefined;
    if (left?.from !== from || left.to !== to) isMapped = false;
    if (left) return left;
    // What replaces the whole text takes its comments.
    const [start, end] = [mapping.map(range.from, -1), mapping.map(range.to, 1)];
    const isReplaced = !!after.textBetween(start, end, "", "\ufffc");
    if (isReplaced) return within(after, start, end);
    return { from: start, to: start, lost: textOf(before, range.from, range.to).slice(0, LONGEST_LOST) };
  });
  return { ranges: mapped, isMapped };
}

/** Follows the ranges from one document to another, between which no steps are known. `resolve` returns the range that is
 * stored for a thread, if its text is there. What changed has to be searched only
 * if it is not exact. */
export function relocateRanges(
  ranges: Ranges,
  before: Node,
  after: Node,
  resolve: (id: string) => StoredRange | undefined = () => undefined,
): Ranges {
  if (!ranges.size) return ranges;
  const [old, now] = [startsOf(before), startsOf(after)];
  const regions = changedRanges(before.content.content, after.content.content).map(([from, to, newFrom, newTo]) => ({
    from: old[from]!,
    to: old[to]!,
    newFrom: now[newFrom]!,
    newTo: now[newTo]!,
  }));
  return mapEach(ranges, (range, id) => {
    const last = regions.findLast(({ to }) => to <= range.from);
    const offset = last ? last.newTo - last.to : 0;
    if (range.lost !== undefined) {
      const inserted = regions.map(({ newFrom, newTo }) => [newFrom, newTo] as const);
      const at = Math.min(range.from + offset, after.content.size);
      const stored = resolve(id);
      const found = stored?.isExact ? undefined : regained(after, range.lost, -1, inserted);
      return found ?? (stored && asFollowed(stored)) ?? { ...range, from: at, to: at };
    }
    const touched = regions.filter(({ from, to }) => from < range.to && to > range.from);
    const [first, end] = [touched[0], touched.at(-1)];
    if (!first || !end) return { from: range.from + offset, to: range.to + offset };
    // Between the regions, blocks are the same: one region from the first to the last.
    const region = { from: first.from, to: end.to, newFrom: first.newFrom, newTo: end.newTo };
    const stored = resolve(id);
    const relocated = stored?.isExact ? undefined : relocate(range, before, after, region);
    if (!stored) return relocated!.range;
    return relocated?.isWhole ? reconciled(relocated.range, stored) : asFollowed(stored);
  });
}

interface Region {
  from: number;
  to: number;
  newFrom: number;
  newTo: number;
}

/** Returns a stored range as one to follow. */
export function asFollowed({ isExact: _, ...range }: StoredRange): ThreadRange {
  return range;
}

/** Returns the range of a thread from the range that this page has followed and the stored one. A stored range that is not
 * exact lacks text that was inserted again elsewhere, and contains text typed beside the deleted character. */
export function reconciled(followed: ThreadRange, stored: StoredRange): ThreadRange {
  const { from, to } = followed;
  if (stored.isExact || (stored.from <= from && to <= stored.to)) return asFollowed(stored);
  const isApart = stored.to < from || to < stored.from;
  return isApart ? followed : { from: Math.min(from, stored.from), to: Math.max(to, stored.to) };
}

/** Finds the text of a range in a changed region. `isWhole` is true if all of it is there. */
function relocate(
  range: ThreadRange,
  before: Node,
  after: Node,
  region: Region,
): { range: ThreadRange; isWhole: boolean } {
  const [old, now] = [charactersOf(before, region.from, region.to), charactersOf(after, region.newFrom, region.newTo)];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start]!.unit === now[start]!.unit) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end]!.unit === now[now.length - 1 - end]!.unit) end++;
  // The characters that are in the range and the same in both.
  const covered = old.flatMap(({ at }, index) => (at >= range.from && at < range.to ? [index] : []));
  const places = covered.flatMap((index) => {
    if (index < start) return [now[index]!.at];
    return index >= old.length - end ? [now[now.length - (old.length - index)]!.at] : [];
  });
  const isWhole = places.length === covered.length && covered.length > 0;
  // It may extend beyond the region, where blocks are the same.
  const isBefore = range.from < region.from;
  const isBehind = range.to > region.to;
  const from = isBefore ? range.from + region.newFrom - region.from : places[0];
  const to = isBehind ? range.to + region.newTo - region.to : places.length ? places.at(-1)! + 1 : undefined;
  if (!isWhole && !isBefore && !isBehind) {
    const middle = now.slice(start, now.length - end);
    const text = covered.map((index) => old[index]!.unit).join("");
    const at = middle
      .map(({ unit }) => unit)
      .join("")
      .indexOf(text);
    const last = middle[at + text.length - 1];
    if (text && at >= 0) return { range: { from: middle[at]!.at, to: last!.at + 1 }, isWhole: true };
  }
  if (from !== undefined && to !== undefined && from < to) return { range: { from, to }, isWhole };
  const lost = textOf(before, range.from, range.to).slice(0, LONGEST_LOST);
  const place = Math.min(from ?? now[start]?.at ?? region.newTo, after.content.size);
  return { range: { from: place, to: place, lost }, isWhole: false };
}

/** The UTF-16 code units of the text of a range of whole blocks, each with its position. A leaf is U+FFFC. */
function charactersOf(doc: Node, from: number, to: number): { unit: string; at: number }[] {
  const found: { unit: string; at: number }[] = [];
  doc.nodesBetween(from, to, (node, position) => {
    if (node.isText)
      for (let index = 0; index < node.text!.length; index++)
        found.push({ unit: node.text![index]!, at: position + index });
    else if (node.isLeaf) found.push({ unit: "\ufffc", at: position });
  });
  return found;
}

/** Finds deleted text that was inserted again: around its place, or else where it is once. */
function regained(
  doc: Node,
  lost: string,
  at: number,
  inserted: readonly (readonly [from: number, to: number])[],
): ThreadRange | undefined {
  if (!lost.trim()) return undefined;
  const found = inserted.flatMap(([from, to]) => {
    if (to - from < lost.length || to > doc.content.size) return [];
    const all: ThreadRange[] = [];
    // Character by character only in inserted text, which is small.
    const characters = charactersWithBreaks(doc, from, to);
    const text = characters.map(({ unit }) => unit).join("");
    for (let index = text.indexOf(lost); index >= 0 && all.length < 2; index = text.indexOf(lost, index + 1))
      all.push({ from: characters[index]!.at, to: characters[index + lost.length - 1]!.at + 1 });
    return all;
  });
  const here = found.filter(({ from, to }) => from <= at && at <= to);
  if (here.length === 1) return here[0];
  return found.length === 1 ? found[0] : undefined;
}

/** As `charactersOf`, with a line break before each textblock but the first, as `textOf` has it. */
function charactersWithBreaks(doc: Node, from: number, to: number): { unit: string; at: number }[] {
  const found: { unit: string; at: number }[] = [];
  doc.nodesBetween(from, to, (node, position) => {
    if (node.isText) {
      const [start, end] = [Math.max(0, from - position), Math.min(node.text!.length, to - position)];
      for (let index = start; index < end; index++) found.push({ unit: node.text![index]!, at: position + index });
    } else if (node.isLeaf) found.push({ unit: "\ufffc", at: position });
    else if (node.isTextblock && found.length) found.push({ unit: "\n", at: position });
  });
  return found;
}

/** Returns a range without borders of blocks at its ends; `undefined` if there is nothing else in it. */
function withoutBorders(doc: Node, from: number, to: number): ThreadRange | undefined {
  const characters = charactersWithBreaks(doc, from, to).filter(({ unit }) => unit !== "\n");
  const [first, last] = [characters[0], characters.at(-1)];
  return first && last && { from: first.at, to: last.at + 1 };
}

/** Returns a range without borders of blocks and spaces at its ends. */
function within(doc: Node, from: number, to: number): ThreadRange {
  const characters = charactersWithBreaks(doc, from, to).filter(({ unit }) => unit.trim());
  return { from: characters[0]?.at ?? from, to: (characters.at(-1)?.at ?? to - 1) + 1 };
}

/** Returns the ranges of the new document that the steps have inserted. */
function insertedBy(mapping: Mapping): [from: number, to: number][] {
  return mapping.maps.flatMap((map, index) => {
    const rest = mapping.slice(index + 1);
    const found: [number, number][] = [];
    map.forEach((_from, _to, from, to) => {
      if (from < to) found.push([rest.map(from, -1), rest.map(to, 1)]);
    });
    return found;
  });
}

function startsOf(doc: Node): number[] {
  const starts = [0];
  for (const block of doc.content.content) starts.push(starts.at(-1)! + block.nodeSize);
  return starts;
}

function mapEach(ranges: Ranges, follow: (range: ThreadRange, id: string) => ThreadRange): Ranges {
  let isSame = true;
  const followed = new Map<string, ThreadRange>();
  for (const [id, range] of ranges) {
    const next = follow(range, id);
    if (next.from !== range.from || next.to !== range.to || next.lost !== range.lost) isSame = false;
    followed.set(id, next);
  }
  return isSame ? ranges : followed;
}
