/**
 * Follows the document for views that describe it. A key costs the comparison of what it changed: nodes
 * that are the same object in both documents are skipped.
 */
import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { hunksRevision } from "../review/hunks.js";
import { isBlank } from "./ranges.js";

/** Time between the last change and its report, in milliseconds. */
const DELAY = 60;

export interface DocumentChange {
  /** Words of the document. */
  words: number;
  /** True if headings, images or pending changes are others, or the document has become empty or is it no longer. */
  structure: boolean;
}

/** Nodes of one document that are not in another one. */
export interface Differing {
  removed: Node[];
  added: Node[];
}

const watches = new WeakMap<Editor, DocumentWatch>();

/** Returns the watch of an editor. */
export function watchOf(editor: Editor): DocumentWatch {
  let watch = watches.get(editor);
  if (!watch) watches.set(editor, (watch = new DocumentWatch(editor)));
  return watch;
}

export class DocumentWatch {
  words: number;
  private doc: Node;
  private hunks: number;
  private wasBlank: boolean;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private listeners = new Set<(change: DocumentChange) => void>();

  constructor(private editor: Editor) {
    this.doc = editor.state.doc;
    this.hunks = hunksRevision(editor);
    this.wasBlank = isBlank(editor);
    this.words = wordsOf(this.doc);
    editor.on("transaction", () => {
      if (this.doc === editor.state.doc && this.hunks === hunksRevision(editor)) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(), DELAY);
    });
  }

  /** Calls `listener` shortly after the document or its pending changes have changed. Returns a function that ends it. */
  follow(listener: (change: DocumentChange) => void): () => void {
    const subscription = (change: DocumentChange) => listener(change);
    this.listeners.add(subscription);
    return () => void this.listeners.delete(subscription);
  }

  private look(): void {
    const { editor } = this;
    if (editor.isDestroyed) return;
    const { removed, added } = differing(this.doc, editor.state.doc);
    const sum = (nodes: readonly Node[]) => nodes.reduce((words, node) => words + wordsOf(node), 0);
    this.words += sum(added) - sum(removed);
    const structure =
      this.hunks !== hunksRevision(editor) ||
      this.wasBlank !== isBlank(editor) ||
      [...removed, ...added].some(isStructural);
    this.doc = editor.state.doc;
    this.hunks = hunksRevision(editor);
    this.wasBlank = isBlank(editor);
    for (const listener of this.listeners) listener({ words: this.words, structure });
  }
}

/** Returns the nodes in which two versions of a node differ: textblocks, leaves, or whole nodes of other types. */
export function differing(before: Node, after: Node, found: Differing = { removed: [], added: [] }): Differing {
  if (before === after) return found;
  if (before.isTextblock || after.isTextblock || before.isLeaf || after.isLeaf) {
    found.removed.push(before);
    found.added.push(after);
    return found;
  }
  const [olds, news] = [before.children, after.children];
  let start = 0;
  while (start < olds.length && start < news.length && olds[start] === news[start]) start++;
  let [oldEnd, newEnd] = [olds.length, news.length];
  while (oldEnd > start && newEnd > start && olds[oldEnd - 1] === news[newEnd - 1]) (oldEnd--, newEnd--);
  if (oldEnd - start === 1 && newEnd - start === 1) return differing(olds[start]!, news[start]!, found);
  found.removed.push(...olds.slice(start, oldEnd));
  found.added.push(...news.slice(start, newEnd));
  return found;
}

function isStructural(node: Node): boolean {
  return node.type.name === "heading" || node.type.name === "image" || node.children.some(isStructural);
}

/** Returns the number of words in a node: of Latin text, and characters of Chinese text. */
export function wordsOf(node: Node): number {
  if (node.isTextblock) return countWords(node.textBetween(0, node.content.size, " ", " "));
  return node.children.reduce((words, child) => words + wordsOf(child), 0);
}

const HAN = /\p{Script=Han}/gu;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu;

function countWords(text: string): number {
  const han = text.match(HAN)?.length ?? 0;
  const others = text.match(WORD)?.filter((word) => !/\p{Script=Han}/u.test(word)).length ?? 0;
  return han + others;
}
