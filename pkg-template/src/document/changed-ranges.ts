/** The top-level blocks that a change of a document has replaced. */

import type { Node } from "@tiptap/pm/model";

/** Old blocks `from`–`to` that were replaced by new blocks `newFrom`–`newTo`. */
export type ChangedRange = [from: number, to: number, newFrom: number, newTo: number];

/** Returns the ranges that differ between two lists of blocks. Unchanged blocks are identical objects. TipTap's
 * collaboration makes new ones for each change of another participant: blocks at both ends are compared by content. */
export function changedRanges(before: readonly Node[], after: readonly Node[]): ChangedRange[] {
  const shorter = Math.min(before.length, after.length);
  // Almost all blocks are identical with every key: no call for those.
  let start = 0;
  while (start < shorter && (before[start] === after[start] || before[start]!.eq(after[start]!))) start++;
  let [oldEnd, newEnd] = [before.length, after.length];
  while (oldEnd > start && newEnd > start) {
    const one = before[oldEnd - 1]!;
    const other = after[newEnd - 1]!;
    if (one !== other && !one.eq(other)) break;
    oldEnd--;
    newEnd--;
  }
  return start === oldEnd && start === newEnd ? [] : rangesWithin(before, after, start, oldEnd, newEnd);
}

function rangesWithin(
  before: readonly Node[],
  after: readonly Node[],
  start: number,
  oldEnd: number,
  newEnd: number,
): ChangedRange[] {
  if (oldEnd - start < 4 || newEnd - start < 4) return [[start, oldEnd, start, newEnd]];
  const indexes = new Map<Node | undefined, number>();
  for (let index = oldEnd - 1; index >= start; index--) indexes.set(before[index], index);
  const ranges: ChangedRange[] = [];
  let [oldAt, newAt] = [start, start];
  const close = (old: number, now: number) => {
    if (old > oldAt || now > newAt) ranges.push([oldAt, old, newAt, now]);
  };
  for (let now = start; now < newEnd; now++) {
    const old = indexes.get(after[now]);
    if (old === undefined || old < oldAt) continue;
    close(old, now);
    [oldAt, newAt] = [old + 1, now + 1];
  }
  close(oldEnd, newEnd);
  return ranges;
}
