/** Pairing of the blocks of a document with those of the file that it was opened from. */

import type { Node } from "@tiptap/pm/model";
import { align } from "./align.js";
import type { OpenedBlock } from "./source-parts.js";

/** A block of the document, and the block of the source that it is, or whose place it takes. */
export interface Item {
  node: Node;
  /** The block at the same place of the source. */
  at?: number;
  /** The block that it still is, there or elsewhere. */
  same?: OpenedBlock;
}

/**
 * Pairs blocks that are equal as JSON, then those that are equal as Markdown, be it elsewhere, then those at the same
 * place.
 */
export function pairedBlocks(
  blocks: readonly OpenedBlock[],
  nodes: readonly Node[],
  markdownOf: (node: Node) => string,
): Item[] {
  const before = blocks.map(({ node }) => JSON.stringify(node));
  const after = nodes.map((node) => JSON.stringify(node));
  const copies = new Map(before.map((key, at) => [key, at]));
  const exact = align(before, after);
  const taken = new Set(exact);
  const left = blocks.filter((_, at) => !taken.has(at)).map(({ node }) => node);
  const added = nodes.filter((_, at) => exact[at] === undefined);
  const [oldTexts, newTexts] = [left, added].map((some) => new Set(some.map(({ textContent }) => textContent)));
  // Blocks with different text are not equal as Markdown.
  const keyOf = (node: Node, json: string, others: ReadonlySet<string> | undefined): string => {
    const mayBeEqual = others?.has(node.textContent);
    return mayBeEqual ? markdownOf(node) : json;
  };
  const keys = before.map((key, at) => {
    return taken.has(at) ? key : keyOf((blocks[at] as OpenedBlock).node, key, newTexts);
  });
  const wanted = after.map((key, at) => (exact[at] === undefined ? keyOf(nodes[at] as Node, key, oldTexts) : key));
  const pairs = align(keys, wanted);
  const items = nodes.map((node, at): Item => {
    const old = pairs[at];
    return old === undefined ? { node } : { node, at: old, same: blocks[old] };
  });
  const unpaired = new Set(blocks.keys());
  for (const { at } of items) if (at !== undefined) unpaired.delete(at);
  const places = new Map<string, number[]>();
  for (const at of [...unpaired].reverse()) {
    const key = keys[at] as string;
    const others = places.get(key);
    if (others) others.push(at);
    else places.set(key, [at]);
  }
  items.forEach((item, index) => {
    if (item.at !== undefined) return;
    const moved = places.get(wanted[index] ?? "")?.pop();
    if (moved !== undefined) unpaired.delete(moved);
    const source = moved ?? copies.get(after[index] as string);
    if (source !== undefined) item.same = blocks[source];
  });
  pairPlaces(items, blocks, unpaired);
  return items;
}

/** Gives changed blocks the place of the block between the same neighbours. */
function pairPlaces(items: readonly Item[], blocks: readonly OpenedBlock[], unpaired: ReadonlySet<number>): void {
  for (let start = 0; start < items.length;) {
    const item = items[start] as Item;
    if (item.at !== undefined) {
      start += 1;
      continue;
    }
    let end = start;
    while (end < items.length && items[end]?.at === undefined) end += 1;
    const from = start > 0 ? ((items[start - 1] as Item).at ?? -1) + 1 : 0;
    const to = items[end]?.at ?? blocks.length;
    const places = [...unpaired].filter((at) => at >= from && at < to);
    const changed = items.slice(start, end).filter(({ same }) => !same);
    if (places.length === changed.length) changed.forEach((one, index) => (one.at = places[index]));
    else {
      for (const one of changed) {
        const found = places.findIndex((at) => blocks[at]?.node.type === one.node.type);
        if (found >= 0) one.at = places.splice(0, found + 1).at(-1);
      }
    }
    start = end;
  }
}
