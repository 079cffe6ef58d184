/**
 * Changes of documents between which no steps are known, and the merge of two that were made to the same document.
 *
 * A merge deletes nothing that was typed here, and nothing that others have typed.
 */

import { Fragment, Slice, type Node } from "@tiptap/pm/model";
import type { Transaction } from "@tiptap/pm/state";
import { ReplaceAroundStep, ReplaceStep } from "@tiptap/pm/transform";
import { changedRanges } from "../document/changed-ranges.js";
import type { Hunk, NodeJSON } from "../types/index.js";
import { compare } from "./sides.js";

/** A replaced range of a document. */
export interface Replacement {
  from: number;
  to: number;
  slice: Slice;
  /** The hunks that are only right together have the same group. */
  group: string;
  /** The type, attributes and marks of the block at `from`, as a node without content. */
  markup?: Node;
}

/** Changes the document of a transaction to `target`, with steps that are as small as their blocks allow. */
export function becomeExactly(transaction: Transaction, target: Node): void {
  const before = transaction.doc;
  const [old, now] = [startsOf(before), startsOf(target)];
  const ranges = changedRanges(before.content.content, target.content.content);
  // From last to first, because positions refer to the document before.
  for (const [from, to, newFrom, newTo] of ranges.reverse()) {
    if (to - from !== newTo - newFrom) {
      const content = target.content.cut(now[newFrom]!, now[newTo]!);
      transaction.step(new ReplaceStep(old[from]!, old[to]!, new Slice(content, 0, 0)));
      continue;
    }
    for (let back = to - from - 1; back >= 0; back--)
      replaceBlock(transaction, old[from + back]!, before.child(from + back), target.child(newFrom + back));
  }
  if (transaction.doc.content.eq(target.content)) return;
  const { size } = transaction.doc.content;
  transaction.step(new ReplaceStep(0, size, new Slice(target.content, 0, 0)));
}

/** Returns intermediate documents between two: each differs from its predecessor in one range of blocks. */
export function stepsTo(before: Node, after: Node): Node[] {
  const [old, now] = [before.content.content, after.content.content];
  const ranges = changedRanges(old, now).flatMap(([from, to, newFrom, newTo]) => {
    if (to - from !== newTo - newFrom) return [[from, to, newFrom, newTo] as const];
    return Array.from(
      { length: to - from },
      (_, by) => [from + by, from + by + 1, newFrom + by, newFrom + by + 1] as const,
    );
  });
  let blocks = [...old];
  return ranges.reverse().map(([from, to, newFrom, newTo]) => {
    blocks = [...blocks.slice(0, from), ...now.slice(newFrom, newTo), ...blocks.slice(to)];
    return after.copy(Fragment.fromArray(blocks));
  });
}

function replaceBlock(transaction: Transaction, at: number, old: Node, now: Node): void {
  if (old.eq(now)) return;
  if (old.sameMarkup(now)) {
    const range = differenceOf(old.content, now.content);
    if (range) {
      const { from, to, newTo } = range;
      const step = new ReplaceStep(at + 1 + from, at + 1 + to, now.slice(from, newTo));
      const { doc } = step.apply(transaction.doc);
      if (doc && doc.nodeAt(at)?.eq(now)) return void transaction.step(step);
    }
  }
  transaction.step(new ReplaceStep(at, at + old.nodeSize, new Slice(Fragment.from(now), 0, 0)));
}

/** Returns what differs between two fragments. */
function differenceOf(old: Fragment, now: Fragment): { from: number; to: number; newTo: number } | undefined {
  const from = old.findDiffStart(now);
  const end = old.findDiffEnd(now);
  if (from === null || !end) return undefined;
  // Repeated text may count for both ends.
  const overlap = Math.max(0, from - Math.min(end.a, end.b));
  return { from, to: end.a + overlap, newTo: end.b + overlap };
}

/** Returns the changes from one document to another, each as small as it can be. */
export function changesBetween(before: Node, after: Node): Replacement[] {
  const { schema } = before.type;
  const { hunks } = compare(before.toJSON() as NodeJSON, after.toJSON() as NodeJSON, { schema });
  const regions = hunks.some(({ linked }) => linked.length) ? rearranged(before, after, hunks) : [];
  const isOutside = ({ from, to }: Hunk) => !regions.some((region) => region.from <= from && to <= region.to);
  const changes = hunks.filter(isOutside).flatMap((hunk) => refined(before, hunk));
  return [...changes, ...regions.flatMap(({ changes }) => changes)].sort((a, b) => a.from - b.from);
}

/** Changed textblocks between which text has moved. */
interface Region {
  from: number;
  to: number;
  changes: Replacement[];
}

/** Returns the regions in which paragraphs were split, joined or moved, with their changes as those of characters and ends of
 * paragraphs: text that is in another paragraph now is neither deleted nor inserted. None if hunks reach out of them. */
function rearranged(before: Node, after: Node, hunks: readonly Hunk[]): Region[] {
  const [old, now] = [startsOf(before), startsOf(after)];
  const all = changedRanges(before.content.content, after.content.content).map(([start, end, newStart, newEnd]) => {
    const [from, to] = [old[start]!, old[end]!];
    return { from, to, old: before.content.cut(from, to), now: after.content.cut(now[newStart]!, now[newEnd]!) };
  });
  const regionOf = ({ from, to }: Hunk) => all.find((region) => region.from <= from && to <= region.to);
  const places = new Map(hunks.map((hunk) => [hunk.id, regionOf(hunk)]));
  if ([...places.values()].includes(undefined)) return [];
  return all.flatMap((region) => {
    const { from, to, old, now } = region;
    const inside = hunks.filter(({ id }) => places.get(id) === region);
    const isWithin = inside.every(({ linked }) => linked.every((id) => places.get(id) === region));
    if (!isWithin || inside.every(({ linked }) => !linked.length)) return [];
    const [first, last] = [old.firstChild, now.firstChild];
    const isText = [old, now].every(({ content }) => content.every(({ isTextblock }) => isTextblock));
    if (!first || !last || !isText) return [];
    const [units, others] = [unitsOfBlocks(old), unitsOfBlocks(now)];
    if (units.length * others.length > COMPARED) return [];
    const group = inside.map(({ id }) => id).sort()[0]!;
    const changes = changedUnits(units, others, { from: from + 1, group });
    return [{ from, to, changes: grouped([...markupOf(first, last, { from, group }), ...changes], inside) }];
  });
}

/** Returns changes with the groups of the hunks that they are parts of, or as they are if one is not of exactly one group. */
function grouped(changes: Replacement[], hunks: readonly Hunk[]): Replacement[] {
  const groups = changes.map(({ from, to }) => {
    const touched = hunks.filter((hunk) => hunk.from <= to && from <= hunk.to);
    return [...new Set(touched.map(groupOf))];
  });
  if (groups.some(({ length }) => length !== 1)) return changes;
  return changes.map((change, index) => ({ ...change, group: groups[index]![0]! }));
}

/** Returns the name of the hunks that are only right together with a hunk. */
function groupOf({ id, linked }: Hunk): string {
  return [id, ...linked].sort()[0]!;
}

function refined(doc: Node, hunk: Hunk): Replacement[] {
  const { from, to, content: given, block } = hunk;
  const content = Fragment.fromJSON(doc.type.schema, given);
  const group = groupOf(hunk);
  const whole = { from, to, slice: new Slice(content, 0, 0), group };
  if (from === to || !content.size) return [whole];
  const inline = (at: number, old: Fragment, now: Fragment) => {
    const [units, others] = [unitsOf(old), unitsOf(now)];
    return units.length * others.length > COMPARED ? undefined : changedUnits(units, others, { from: at, group });
  };
  if (!block) return inline(from, doc.slice(from, to).content, content) ?? [whole];
  const old = doc.nodeAt(from);
  const now = content.firstChild!;
  const isOne = content.childCount === 1 && old?.nodeSize === to - from && old.isTextblock && now.isTextblock;
  const inner = isOne ? inline(from + 1, old.content, now.content) : undefined;
  return inner ? [...markupOf(old!, now, { from, group }), ...inner] : [whole];
}

/** Returns the change of the markup of a block, if there is one. */
function markupOf(old: Node, now: Node, { from, group }: { from: number; group: string }): Replacement[] {
  return old.sameMarkup(now) ? [] : [{ from, to: from, slice: Slice.empty, group, markup: now.cut(0, 0) }];
}

/** The largest product of the lengths of two texts that are compared unit by unit. */
const COMPARED = 1_000_000;

/** Returns the changes between two lists of units that begin at `from`. */
function changedUnits(
  before: readonly Node[],
  after: readonly Node[],
  { from, group }: { from: number; group: string },
): Replacement[] {
  const changes: Replacement[] = [];
  let [oldAt, newAt, at] = [0, 0, from];
  for (const [oldNext, newNext] of [...commonUnits(before, after), [before.length, after.length] as const]) {
    const to = before.slice(oldAt, oldNext).reduce((end, unit) => end + unit.nodeSize, at);
    if (to > at || newNext > newAt) changes.push({ from: at, to, slice: sliceOf(after.slice(newAt, newNext)), group });
    [oldAt, newAt, at] = [oldNext + 1, newNext + 1, to + (before[oldNext]?.nodeSize ?? 0)];
  }
  return changes;
}

/** Inline content as nodes of the size 1. */
function unitsOf(content: Fragment): Node[] {
  return content.content.flatMap((node) => {
    if (!node.isText) return [node];
    return Array.from({ length: node.nodeSize }, (_, index) => node.cut(index, index + 1));
  });
}

/** Textblocks as units of inline content, with an empty block for the end of each and the start of the next one: both have
 * the size 2. */
function unitsOfBlocks(blocks: Fragment): Node[] {
  return blocks.content.flatMap((block, index) => [...(index ? [block.cut(0, 0)] : []), ...unitsOf(block.content)]);
}

function sliceOf(units: readonly Node[]): Slice {
  const starts = units.flatMap((unit, index) => (unit.isTextblock ? [index] : []));
  if (!starts.length) return new Slice(Fragment.fromArray([...units]), 0, 0);
  const blocks = [0, ...starts].map((start, index) => {
    const content = units.slice(index ? start + 1 : 0, starts[index] ?? units.length);
    return units[starts[Math.max(0, index - 1)]!]!.copy(Fragment.fromArray(content));
  });
  return new Slice(Fragment.fromArray(blocks), 1, 1);
}

/** Returns the indexes of a longest common subsequence. */
function commonUnits(a: readonly Node[], b: readonly Node[]): [number, number][] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i]!.eq(b[j]!)
        ? 1 + lengths[(i + 1) * width + j + 1]!
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const common: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i]!.eq(b[j]!)) common.push([i++, j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return common;
}

/**
 * Adds changes of others to a transaction whose document this editor has changed from the same one, `before`. What this
 * editor has inserted stays, also within text that others have deleted, and what others have inserted comes behind text that
 * was deleted here. Left out are changes of whole blocks in which this editor has changed something, and joins of a paragraph that
 * it has changed as a whole.
 */
export function mergeChanges(
  transaction: Transaction,
  before: Node,
  mine: readonly Replacement[],
  theirs: readonly Replacement[],
): void {
  const overlaps = (change: Replacement, others: readonly Replacement[]) =>
    others.some((one) => one.from < change.to && change.from < one.to);
  const isInside = (change: Replacement) => overlaps(change, mine);
  const isOfBlocks = ({ from, to }: Replacement) => from < to && !before.resolve(from).parent.inlineContent;
  // An end of a paragraph cannot be deleted where one of the two paragraphs has become something else.
  const joins = ({ from, to }: Replacement) => before.resolve(from).parent !== before.resolve(to).parent;
  const myBlocks = mine.filter(({ from }) => !before.resolve(from).parent.inlineContent);
  const isLeft = (one: Replacement) => (isOfBlocks(one) && isInside(one)) || (joins(one) && overlaps(one, myBlocks));
  const left = new Set(theirs.filter(isLeft).map(({ group }) => group));
  for (const change of [...theirs].reverse()) {
    const { from, slice, group, markup } = change;
    if (left.has(group)) continue;
    for (const [start, end] of remaining(change, mine).reverse())
      transaction.step(new ReplaceStep(mapped(start, mine, true), mapped(end, mine, false), Slice.empty));
    const at = mapped(from, mine, true);
    if (markup) setMarkup(transaction, at, markup);
    if (slice.size) insert(transaction, at, slice);
  }
  transaction.doc.check();
}

/** Returns the parts of a deleted range that this editor has not deleted, without what it has inserted between them. */
function remaining({ from, to }: Replacement, mine: readonly Replacement[]): [from: number, to: number][] {
  const parts: [number, number][] = [];
  let at = from;
  for (const one of mine) {
    if (one.to < from || one.from > to) continue;
    if (one.from > at) parts.push([at, one.from]);
    at = Math.max(at, one.to);
  }
  if (at < to) parts.push([at, to]);
  return parts;
}

/** Returns a position after the changes: within a deleted range its end, and behind or before what was inserted there. */
function mapped(position: number, mine: readonly Replacement[], isBehind: boolean): number {
  let moved = position;
  for (const { from, to, slice } of mine) {
    if (to < position || (to === position && (from < to || isBehind))) moved += slice.size - (to - from);
    else if (from < position) moved += slice.size + from - position;
  }
  return moved;
}

function setMarkup(transaction: Transaction, at: number, node: Node): void {
  const old = transaction.doc.nodeAt(at);
  if (!old?.isTextblock) return;
  const end = at + old.nodeSize;
  transaction.step(new ReplaceAroundStep(at, end, at + 1, end - 1, new Slice(Fragment.from(node), 0, 0), 1, true));
}

/** Inserts a slice at a position or, if it does not fit there, in blocks of its own: without the empty ones at its open ends, which
 * only split a block. */
function insert(transaction: Transaction, at: number, slice: Slice): void {
  if (!transaction.maybeStep(new ReplaceStep(at, at, slice)).failed) return;
  const { doc } = transaction;
  const blocks = [...slice.content.content];
  if (slice.openEnd && !blocks.at(-1)!.content.size) blocks.pop();
  if (slice.openStart && blocks[0] && !blocks[0].content.size) blocks.shift();
  if (!blocks.length) return;
  const content = Fragment.fromArray(blocks);
  const isInline = content.firstChild!.isInline;
  const block = isInline ? doc.type.contentMatch.defaultType?.createAndFill(null, content) : undefined;
  const whole = new Slice(block ? Fragment.from(block) : content, 0, 0);
  const near = doc.resolve(Math.min(at, doc.content.size));
  const place = near.depth ? near.after(1) : near.pos;
  transaction.step(new ReplaceStep(place, place, whole));
}

function startsOf(doc: Node): number[] {
  const starts = [0];
  for (const block of doc.content.content) starts.push(starts.at(-1)! + block.nodeSize);
  return starts;
}
