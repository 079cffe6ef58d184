/** Pairing of the children of an edited node with those of the node that was read. */

import type { Node } from "@tiptap/pm/model";
import { align } from "./align.js";

/** Pairs children that are equal, then those between them: in order if they are as many, otherwise the most similar. */
export function pairsOf(before: readonly Node[], after: readonly Node[]): (number | undefined)[] {
  const pairs = align(before.map(keyOf), after.map(keyOf));
  for (let start = 0; start < after.length; start += 1) {
    if (pairs[start] !== undefined) continue;
    let end = start;
    while (end < after.length && pairs[end] === undefined) end += 1;
    const from = start > 0 ? (pairs[start - 1] as number) + 1 : 0;
    const to = end < after.length ? (pairs[end] as number) : before.length;
    pairBetween(before.slice(from, to), after.slice(start, end)).forEach((pair, index) => {
      if (pair !== undefined) pairs[start + index] = from + pair;
    });
    start = end;
  }
  return pairs;
}

function pairBetween(before: readonly Node[], after: readonly Node[]): (number | undefined)[] {
  if (before.length === after.length) {
    return after.map((node, at) => (before[at]?.type === node.type ? at : undefined));
  }
  let next = 0;
  return after.map((node) => {
    for (let at = next; at < Math.min(before.length, next + 20); at += 1) {
      const old = before[at] as Node;
      if (old.type !== node.type || !isSimilar(old.textContent, node.textContent)) continue;
      next = at + 1;
      return at;
    }
    return undefined;
  });
}

/** Returns true if half of the shorter text is the same start or end. */
export function isSimilar(one: string, other: string): boolean {
  const least = Math.min(one.length, other.length);
  let start = 0;
  while (start < least && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < least - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return least > 0 && (start + end) * 2 >= least;
}

function keyOf(node: Node): string {
  return JSON.stringify(node);
}
