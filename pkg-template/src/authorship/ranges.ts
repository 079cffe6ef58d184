/**
 * Ranges of text that agents wrote, as they follow a document.
 *
 * Typed text has no range here: a range is split around it. Text that an undo restores is found by the former blocks,
 * because the steps of a history may be joined.
 */

import type { Node } from "@tiptap/pm/model";
import type { StepMap } from "@tiptap/pm/transform";
import { changedRanges } from "../document/changed-ranges.js";

/** A range with the id of its record. Ranges are in the order of the document and do not overlap. */
export interface RecordRange {
  from: number;
  to: number;
  id: string;
}

export type RecordRanges = readonly RecordRange[];

/** A top-level block as it was, with its ranges from its start on. */
export interface KnownBlock {
  block: Node;
  ranges: RecordRanges;
}

/** The largest number of blocks that are remembered for the undo history. */
const MOST_BLOCKS = 2_000;

/** Follows ranges over a step: what was inserted is in none of them. */
export function mapOver(ranges: RecordRanges, map: StepMap): RecordRange[] {
  let pieces = [...ranges];
  map.forEach((from, to) => {
    pieces = pieces.flatMap((range) => {
      if (range.to <= from || range.from >= to) {
        const isSplit = from === to && range.from < from && from < range.to;
        if (!isSplit) return [range];
      }
      return [
        { ...range, to: Math.min(range.to, from) },
        { ...range, from: Math.max(range.from, to) },
      ].filter((piece) => piece.from < piece.to);
    });
  });
  return pieces
    .map(({ from, to, id }) => ({ id, from: map.map(from, 1), to: map.map(to, -1) }))
    .filter(({ from, to }) => from < to);
}

/** Returns the ranges without those parts that others cover, and with the others. */
export function withRanges(ranges: RecordRanges, others: RecordRanges): RecordRange[] {
  const left = others.reduce<readonly RecordRange[]>(
    (pieces, { from, to }) =>
      pieces.flatMap((range) =>
        [
          { ...range, to: Math.min(range.to, from) },
          { ...range, from: Math.max(range.from, to) },
        ].filter((piece) => piece.from < piece.to),
      ),
    ranges,
  );
  return joined([...left, ...others]);
}

/** Joins ranges of one record that touch. */
export function joined(ranges: RecordRanges): RecordRange[] {
  const found: RecordRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last && last.id === range.id && last.to >= range.from) last.to = Math.max(last.to, range.to);
    else if (range.from < range.to) found.push({ ...range });
  }
  return found;
}

/** Remembers the blocks that a change replaces. */
export function remember(known: readonly KnownBlock[], before: Node, after: Node, ranges: RecordRanges): KnownBlock[] {
  const starts = startsOf(before);
  const blocks = changedRanges(before.content.content, after.content.content).flatMap(([from, to]) =>
    Array.from({ length: to - from }, (_, by): KnownBlock => {
      const [start, end] = [starts[from + by]!, starts[from + by + 1]!];
      const inside = ranges.filter((range) => range.from < end && range.to > start);
      const moved = inside.map((range) => ({
        id: range.id,
        from: Math.max(range.from, start) - start,
        to: Math.min(range.to, end) - start,
      }));
      return { block: before.child(from + by), ranges: moved };
    }),
  );
  return [...known, ...blocks].slice(-MOST_BLOCKS);
}

/** Follows ranges in blocks that are the same over a change whose steps are not known. */
export function shiftedOver(ranges: RecordRanges, before: Node, after: Node): RecordRange[] {
  const [old, now] = [startsOf(before), startsOf(after)];
  const regions = changedRanges(before.content.content, after.content.content).map(
    ([from, to, newFrom, newTo]) => [old[from]!, old[to]!, now[newFrom]!, now[newTo]!] as const,
  );
  return ranges.flatMap((range) => {
    if (regions.some(([from, to]) => from < range.to && to > range.from)) return [];
    const last = regions.findLast(([, to]) => to <= range.from);
    const by = last ? last[3] - last[1] : 0;
    return [{ ...range, from: range.from + by, to: range.to + by }];
  });
}

/** Returns the ranges of a document to which a history has returned: in blocks that are known those of then. */
export function returned(ranges: RecordRanges, known: readonly KnownBlock[], before: Node, after: Node): RecordRange[] {
  const starts = startsOf(after);
  let found = [...ranges];
  for (const [, , from, to] of changedRanges(before.content.content, after.content.content))
    for (let index = from; index < to; index++) {
      const block = after.child(index);
      const then = known.findLast((one) => one.block.eq(block));
      if (!then) continue;
      const [start, end] = [starts[index]!, starts[index + 1]!];
      const outside = withRanges(found, [{ from: start, to: end, id: "" }]).filter(({ id }) => id !== "");
      found = [
        ...outside,
        ...then.ranges.map((range) => ({ ...range, from: range.from + start, to: range.to + start })),
      ];
    }
  return joined(found);
}

/** Returns the characters of a range that have text or a leaf, as units with their positions. */
export function unitsIn(doc: Node, from: number, to: number): { unit: string; at: number }[] {
  const found: { unit: string; at: number }[] = [];
  if (from >= to) return found;
  doc.nodesBetween(from, to, (node, position) => {
    if (node.isText) {
      const [start, end] = [Math.max(0, from - position), Math.min(node.text!.length, to - position)];
      for (let index = start; index < end; index++) found.push({ unit: node.text![index]!, at: position + index });
    } else if (node.isLeaf && position >= from && position < to) found.push({ unit: "\ufffc", at: position });
  });
  return found;
}

function startsOf(doc: Node): number[] {
  const starts = [0];
  for (const block of doc.content.content) starts.push(starts.at(-1)! + block.nodeSize);
  return starts;
}
