/** Positions of the editor's document as positions and lines of what an agent reads: the document with pending changes. */

import type { Hunk, Line } from "../types/index.js";

/** The lines that a range covers, as an agent counts them; `undefined` if there are none. */
export function linesOf(
  range: { from: number; to: number },
  lines: readonly Line[],
  hunks: readonly Hunk[],
): { first: number; last: number } | undefined {
  const from = toProposed(range.from, hunks, "start");
  const to = toProposed(range.to, hunks, "end");
  const covered = lines.filter((line) => line.to >= from && line.from <= to);
  const [first, last] = [covered[0], covered.at(-1)];
  return first && last && { first: first.line, last: last.line };
}

/** Returns the range of the editor's document for a range of the proposal; `undefined` if a pending change has made a part
 * of it. */
export function toBase(
  range: { from: number; to: number },
  hunks: readonly Hunk[],
): { from: number; to: number } | undefined {
  const isProposed = hunks.some(({ proposedFrom, proposedTo }) => proposedFrom < range.to && proposedTo > range.from);
  if (isProposed) return undefined;
  const before = hunks.findLast(({ proposedTo }) => proposedTo <= range.from);
  const offset = before ? before.to - before.proposedTo : 0;
  return { from: range.from + offset, to: range.to + offset };
}

function toProposed(position: number, hunks: readonly Hunk[], side: "start" | "end"): number {
  const before = hunks.findLast(({ from }) => from <= position);
  if (!before) return position;
  // Within text that is replaced, the replacement.
  if (position < before.to) return side === "start" ? before.proposedFrom : before.proposedTo;
  return position - before.to + before.proposedTo;
}

/** Returns the position of a text in a line: each text form of a node is one position. */
export function rangeIn({ from, to, atoms = [] }: Line, offset: number, length: number): { from: number; to: number } {
  const positionOf = (at: number) => {
    const before = atoms.filter((atom) => atom.offset + atom.length <= at);
    return from + at - before.reduce((sum, atom) => sum + atom.length - 1, 0);
  };
  return { from: positionOf(offset), to: Math.min(positionOf(offset + length), to) };
}
