/** Positions of suggestions after a change of the document. */

import type { Node } from "@tiptap/pm/model";
import { relocateRanges, type ThreadRange } from "../comments/ranges.js";
import type { ChangedRange } from "../document/changed-ranges.js";
import type { Hunk } from "../types/index.js";

export type HunkPlace = Pick<Hunk, "id" | "from" | "to">;

/** The positions of pending hunks in the wasm: 8 numbers for each, after the revision. */
export interface HunkPlaces {
  hunkPlaces(start: number, end: number): Uint32Array;
}

/** Returns the pending hunks in changed blocks, with their positions. `order` has the ids of all of them. */
export function placesIn(
  ranges: readonly ChangedRange[],
  doc: Node,
  order: readonly string[],
  handle: HunkPlaces,
): HunkPlace[] {
  if (!order.length) return [];
  return ranges.flatMap(([, , newFrom, newTo]) => {
    const [start, end] = [startOf(doc, newFrom), startOf(doc, newTo)];
    const first = firstFrom(start, order.length, handle);
    let last = first;
    while (last < order.length && (handle.hunkPlaces(last, last + 1)[1] ?? 0) <= end) last++;
    const places = handle.hunkPlaces(first, last);
    return order.slice(first, last).map((id, index) => {
      const [from = 0, to = 0] = places.subarray(8 * index + 1);
      return { id, from, to };
    });
  });
}

/** Returns the index of the first pending hunk that ends at a position or behind it. */
function firstFrom(position: number, count: number, handle: HunkPlaces): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((handle.hunkPlaces(middle, middle + 1)[2] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the position of a top-level block. */
function startOf(doc: Node, index: number): number {
  let at = 0;
  for (let before = 0; before < index && before < doc.childCount; before++) at += doc.child(before).nodeSize;
  return at;
}

/** The places of suggestions within textblocks that are not pending, which the wasm does not follow. */
export class WaitingPlaces {
  #doc: Node | undefined;
  /** The text of each suggestion or, of an insertion, the character before or behind it. */
  #ranges: ReadonlyMap<string, ThreadRange> = new Map();
  readonly #ends = new Map<string, "from" | "to">();

  /** Replaces the places by those in a document. */
  reset(doc: Node, places: readonly HunkPlace[]): void {
    this.#doc = doc;
    this.#ends.clear();
    this.#ranges = new Map(places.flatMap((place) => this.#read(doc, place)));
  }

  /** Returns the places in the next document. Those whose text is not there are left out. */
  follow(doc: Node): HunkPlace[] {
    if (!this.#doc || !this.#ranges.size) return [];
    const moved = relocateRanges(this.#ranges, this.#doc, doc);
    const places = [...moved].flatMap(([id, { from, to, lost }]) => {
      if (lost !== undefined) return [];
      const end = this.#ends.get(id);
      const [start, stop] = end ? [end === "from" ? from : to, end === "from" ? from : to] : [from, to];
      return doc.resolve(start).sameParent(doc.resolve(stop)) ? [{ id, from: start, to: stop }] : [];
    });
    this.reset(doc, places);
    return places;
  }

  #read(doc: Node, { id, from, to }: HunkPlace): [string, ThreadRange][] {
    const [start, end] = [doc.resolve(from), doc.resolve(to)];
    if (!start.parent.inlineContent || !start.sameParent(end)) return [];
    if (from < to) return [[id, { from, to }]];
    const isBehind = start.parentOffset > 0;
    if (!isBehind && !start.parent.content.size) return [];
    this.#ends.set(id, isBehind ? "to" : "from");
    return [[id, isBehind ? { from: from - 1, to: from } : { from, to: from + 1 }]];
  }
}
