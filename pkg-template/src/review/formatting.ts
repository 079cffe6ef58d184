/** Changes of types, attributes and marks that change no text. */

import { Fragment, type Mark, type MarkType, type Node } from "@tiptap/pm/model";
import type { Hunk } from "../types/index.js";

/** A mark that is added to a range of the document. */
export interface AddedMark {
  from: number;
  to: number;
  mark: Mark;
}

/** A change of the form of one node, or of one mark of inline content. */
export type FormChange =
  | { readonly kind: "node"; readonly before: Node; readonly after: Node }
  | { readonly kind: "mark"; readonly before: Mark; readonly after: Mark }
  | { readonly kind: "added" | "removed"; readonly type: MarkType };

/** A change of the form of content, whose text stays. */
export interface Formatting {
  readonly changes: readonly FormChange[];
  readonly added: readonly AddedMark[];
}

/**
 * Returns the change of a hunk that changes no text and no picture, but types, attributes or marks of its nodes; undefined for
 * any other hunk.
 */
export function formattingOf(doc: Node, hunk: Hunk): Formatting | undefined {
  const { from, to, content, kind, conflict, originalText, newText } = hunk;
  if (kind !== "edit" || conflict || originalText !== newText || to > doc.content.size) return undefined;
  if (!doc.resolve(from).sameParent(doc.resolve(to))) return undefined;
  const comparison = new Comparison();
  const after = Fragment.fromJSON(doc.type.schema, content);
  return comparison.compare(doc.slice(from, to).content, after, from) && comparison.changes.length
    ? comparison
    : undefined;
}

/** Compares content with its new form, and collects the changes. */
class Comparison implements Formatting {
  readonly changes: FormChange[] = [];
  readonly added: AddedMark[] = [];

  /** Compares content that begins at a position. Returns false if text or pictures differ, or the nodes are others. */
  compare(before: Fragment, after: Fragment, at: number): boolean {
    if (before.size !== after.size) return false;
    if (before.firstChild?.isInline) return this.#compareInline(before, after, at);
    if (before.childCount !== after.childCount) return false;
    let position = at;
    for (const [index, child] of before.content.entries()) {
      if (!this.#compareNodes(child, after.child(index), position)) return false;
      position += child.nodeSize;
    }
    return true;
  }

  #compareNodes(before: Node, after: Node, at: number): boolean {
    if (before.isText || after.isText || before.isLeaf !== after.isLeaf) return false;
    if (before.isTextblock !== after.isTextblock) return false;
    // A picture is more than its attributes.
    if (
      before.isLeaf &&
      (before.type !== after.type ||
        (before.type.name === "image" && !before.hasMarkup(after.type, after.attrs, before.marks)))
    )
      return false;
    if (!before.hasMarkup(after.type, after.attrs, before.marks)) this.changes.push({ kind: "node", before, after });
    return this.compare(before.content, after.content, at + 1);
  }

  #compareInline(before: Fragment, after: Fragment, at: number): boolean {
    const [old, now] = [before.content, after.content];
    let [position, i, j, oldStart, nowStart] = [at, 0, 0, 0, 0];
    while (i < old.length && j < now.length) {
      const [one, other] = [old[i]!, now[j]!];
      if (one.isText !== other.isText) return false;
      if (!one.isText) {
        if (!this.#compareNodes(one, other, position)) return false;
        this.#compareMarks(one.marks, other.marks, position, position + one.nodeSize);
        position += one.nodeSize;
        [i, j] = [i + 1, j + 1];
        continue;
      }
      const size = Math.min(one.nodeSize - oldStart, other.nodeSize - nowStart);
      if (one.text!.slice(oldStart, oldStart + size) !== other.text!.slice(nowStart, nowStart + size)) return false;
      this.#compareMarks(one.marks, other.marks, position, position + size);
      position += size;
      oldStart += size;
      nowStart += size;
      if (oldStart === one.nodeSize) [i, oldStart] = [i + 1, 0];
      if (nowStart === other.nodeSize) [j, nowStart] = [j + 1, 0];
    }
    return i === old.length && j === now.length;
  }

  #compareMarks(before: readonly Mark[], after: readonly Mark[], from: number, to: number): void {
    for (const mark of after) {
      const same = before.find(({ type }) => type === mark.type);
      if (!same) {
        this.changes.push({ kind: "added", type: mark.type });
        this.added.push({ from, to, mark });
      } else if (!same.eq(mark)) this.changes.push({ kind: "mark", before: same, after: mark });
    }
    for (const { type } of before)
      if (!after.some((mark) => mark.type === type)) this.changes.push({ kind: "removed", type });
  }
}
