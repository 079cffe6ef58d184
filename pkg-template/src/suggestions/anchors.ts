/**
 * Positions of a ProseMirror document as relative positions of the Yjs fragment behind it.
 *
 * The elements of the fragment are the nodes of the document, and an `XmlText` is a run of text nodes. So sizes of
 * nodes, and with them positions, follow from the fragment alone.
 */

import type { Node, Schema } from "@tiptap/pm/model";
import {
  createAbsolutePositionFromRelativePosition,
  createID,
  createRelativePositionFromJSON,
  createRelativePositionFromTypeIndex,
  getItem,
  relativePositionToJSON,
  XmlElement,
  XmlFragment,
  XmlText,
  type AbstractType,
  type Doc,
  type Item,
} from "yjs";

/** A relative position as JSON. */
export type Anchor = Record<string, unknown>;
/** Yjs items of one client: the clock of the first one, and their number. */
export type Span = [clock: number, length: number];
/** The side of a position: -1 stays before content that is inserted there, 0 moves behind it. */
export type Side = -1 | 0;

/** A range. */
export interface Place {
  from: Anchor;
  to: Anchor;
}

type Child = XmlElement | XmlText;

/** Positions at one moment: create another one after each change of the document. */
export class Anchors {
  readonly #shared: Doc;
  readonly #fragment: XmlFragment;
  readonly #schema: Schema;
  readonly #children: readonly Child[];
  /** The positions of the top-level elements, and the end. */
  readonly #starts: number[] = [0];
  #indexes: Map<unknown, number> | undefined;

  constructor(fragment: XmlFragment, document: Node) {
    this.#shared = fragment.doc as Doc;
    this.#fragment = fragment;
    this.#schema = document.type.schema;
    this.#children = fragment.toArray() as Child[];
    const isSame = this.#children.length === document.childCount;
    let at = 0;
    for (const [index, child] of this.#children.entries())
      this.#starts.push((at += isSame ? document.child(index).nodeSize : this.#sizeOf(child)));
  }

  /** The size of the content. */
  get size(): number {
    return this.#starts.at(-1)!;
  }

  /** Returns a position as a relative one; `undefined` if it is not in the fragment. */
  anchor(position: number, side: Side): Anchor | undefined {
    if (position < 0 || position > this.size) return undefined;
    const index = lastAtMost(this.#starts, position);
    const start = this.#starts[index]!;
    const child = this.#children[index];
    if (position === start || !child) return relative(this.#fragment, index, side);
    return this.#inside(child, position - start, side);
  }

  /** Returns the current position of a relative one; `undefined` if its content was deleted. With `follows`, content that
   * was deleted and restored by this page's undo is found; other pages cannot find it. */
  position(anchor: Anchor, follows: boolean): number | undefined {
    try {
      const given = createRelativePositionFromJSON(anchor);
      const found = createAbsolutePositionFromRelativePosition(given, this.#shared, follows);
      return found ? this.#positionIn(found.type, found.index) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Returns false if the content beside a relative position was deleted: its position is the one where it was. */
  isPresent(anchor: Anchor, follows: boolean): boolean {
    try {
      let { item: id } = createRelativePositionFromJSON(anchor);
      if (!id) return true;
      const { store } = this.#shared;
      let item = getItem(store, id) as Item;
      while (follows && item.redone) {
        id = createID(item.redone.client, item.redone.clock + id.clock - item.id.clock);
        item = getItem(store, id) as Item;
      }
      // Deleted items may have been replaced by a placeholder, whose `deleted` is true as well.
      return !item.deleted;
    } catch {
      return false;
    }
  }

  /** Returns the Yjs items of a client from a clock on that are between two positions of one parent. */
  items(from: number, to: number, client: number, clock: number): Span[] {
    const found: Span[] = [];
    const collect = (item: Item, start: number, end: number) => {
      // Yjs joins inserted items with earlier ones.
      const first = Math.max(item.id.clock + start, clock);
      const length = item.id.clock + end - first;
      if (!item.deleted && item.id.client === client && length > 0) found.push([first, length]);
    };
    const within = (parent: XmlFragment, start: number): void => {
      let at = start;
      for (const child of parent.toArray() as Child[]) {
        const size = this.#sizeOf(child);
        const end = at + size;
        if (end > from && at < to) {
          if (child instanceof XmlText) textItems(child, from - at, to - at, collect);
          else if (from <= at && end <= to) collect(child._item as Item, 0, 1);
          else if (from > at && to < end) within(child, at + 1);
        }
        at = end;
      }
    };
    within(this.#fragment, 0);
    return found;
  }

  /** A position within a child, by its distance from the child's start. */
  #inside(child: Child, offset: number, side: Side): Anchor | undefined {
    if (child instanceof XmlText) return relative(child, offset, side);
    const children = child.toArray() as Child[];
    let left = offset - 1;
    for (const [index, inner] of children.entries()) {
      const size = this.#sizeOf(inner);
      if (inner instanceof XmlText) {
        const isHere =
          side < 0 ? left > 0 && left <= size : left < size || (left === size && index + 1 === children.length);
        if (isHere) return relative(inner, left, side);
      } else if (left === 0) return relative(child, index, side);
      else if (left < size) return this.#inside(inner, left, side);
      left -= size;
    }
    return left === 0 ? relative(child, children.length, side) : undefined;
  }

  #positionIn(type: AbstractType<any>, index: number): number | undefined {
    let at = 0;
    if (type instanceof XmlText) at = index;
    else if (type instanceof XmlFragment)
      at = type === this.#fragment ? this.#starts[index]! : this.#sizeBefore(type, index);
    else return undefined;
    let inner: AbstractType<any> = type;
    while (inner !== this.#fragment) {
      if (!inner._item || inner._item.deleted) return undefined;
      const parent = inner.parent;
      if (!(parent instanceof XmlFragment)) return undefined;
      if (!(inner instanceof XmlText)) at += 1;
      if (parent === this.#fragment) {
        this.#indexes ??= new Map(this.#children.map((child, index) => [child, index]));
        const index = this.#indexes.get(inner);
        return index === undefined ? undefined : at + this.#starts[index]!;
      }
      at += this.#sizeBefore(parent, (parent.toArray() as unknown[]).indexOf(inner));
      inner = parent;
    }
    return at;
  }

  #sizeBefore(parent: XmlFragment, index: number): number {
    return (parent.toArray() as Child[]).slice(0, index).reduce((sum, child) => sum + this.#sizeOf(child), 0);
  }

  #sizeOf(child: Child): number {
    if (child instanceof XmlText) return child.length;
    if (this.#schema.nodes[child.nodeName]?.isLeaf) return 1;
    return 2 + this.#sizeBefore(child, child.length);
  }
}

/** Returns a place that does not grow when somebody types at its ends. */
export function placeOf(anchors: Anchors, from: number, to: number): Place | undefined {
  const side: Side = from < to ? -1 : 0;
  const [start, end] = [anchors.anchor(from, 0), anchors.anchor(to, side)];
  return start && end ? { from: start, to: end } : undefined;
}

function relative(type: AbstractType<any>, index: number, side: Side): Anchor {
  return relativePositionToJSON(createRelativePositionFromTypeIndex(type, index, side)) as Anchor;
}

/** Calls `collect` for the items of a text between two offsets, each with its range within them. */
function textItems(
  text: XmlText,
  from: number,
  to: number,
  collect: (item: Item, start: number, end: number) => void,
): void {
  let at = 0;
  for (let item = text._start; item && at < to; item = item.right) {
    if (item.deleted || !item.countable) continue;
    const [start, end] = [Math.max(0, from - at), Math.min(item.length, to - at)];
    if (start < end) collect(item, start, end);
    at += item.length;
  }
}

/** Returns the index of the last of ascending numbers that is at most `most`. */
function lastAtMost(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= most) low = middle;
    else high = middle;
  }
  return low;
}
