/** The store of comments: the page, or a shared document (`sharedComments` of `copydesk/suggestions`). */

import type { Node } from "@tiptap/pm/model";
import { isObject } from "../base/json.js";
import type { StoredRange, ThreadRange } from "./ranges.js";
import { isCommentId, type EntryMap } from "./stored.js";

export interface CommentCarrier {
  readonly entries: EntryMap;
  /** True if other participants of a room have the comments as well. */
  readonly isShared: boolean;
  /** Returns the stored range of a thread; `undefined` if its text is not in the document. */
  find(thread: string, doc: Node): StoredRange | undefined;
  /** Returns true if `doc` is what the stored ranges belong to. */
  isCurrent(doc: Node): boolean;
  /** Stores ranges that are not stored as they are. */
  place(ranges: Iterable<[thread: string, range: ThreadRange]>, doc: Node): void;
  /** Makes several changes of entries at once. */
  transact(run: () => void): void;
  /** Calls `changed` after each change of entries or places; `isLocal` is false if another participant made it. Returns the
   * function that ends this. */
  observe(changed: (isLocal: boolean) => void): () => void;
}

/** The comments of a page as JSON: `editor.storage.comments.stored`. */
export interface StoredComments {
  /** Entries by their keys. */
  entries: Record<string, unknown>;
  /** Ranges by the ids of the threads, in the editor's document. */
  ranges: Record<string, ThreadRange>;
}

/** Returns a carrier of the page, with comments that were stored with the document. */
export function pageCarrier(stored: StoredComments | null): CommentCarrier {
  const given = isObject(stored) ? stored : ({} as Partial<StoredComments>);
  const entries = new Map<string, unknown>(isObject(given.entries) ? Object.entries(given.entries) : []);
  const ranges = new Map<string, ThreadRange>();
  for (const [id, range] of isObject(given.ranges) ? Object.entries(given.ranges) : []) {
    const read = readRange(range);
    if (isCommentId(id) && read) ranges.set(id, read);
  }
  const listeners = new Set<(isLocal: boolean) => void>();
  const told = () => {
    for (const listener of [...listeners]) listener(true);
  };
  return {
    entries,
    isShared: false,
    find: (thread, doc) => {
      const range = ranges.get(thread);
      return range && range.to <= doc.content.size ? { ...range, isExact: true } : undefined;
    },
    isCurrent: () => true,
    place: (placed) => {
      for (const [id, range] of placed) ranges.set(id, range);
    },
    transact: (run) => {
      run();
      told();
    },
    observe: (changed) => {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
  };
}

function readRange(value: unknown): ThreadRange | undefined {
  if (!isObject(value)) return undefined;
  const { from, to, lost } = value as Record<string, unknown>;
  const isPosition = (given: unknown): given is number => Number.isSafeInteger(given) && (given as number) >= 0;
  if (!isPosition(from) || !isPosition(to) || from > to) return undefined;
  if (typeof lost === "string") return { from, to: from, lost };
  return from < to ? { from, to } : undefined;
}
