/** Comments about ranges of a document, and the interface of what stores them. */

import type { Author } from "../types/index.js";

/** A comment of a thread. */
export interface Comment {
  id: string;
  author: Author;
  /** The time at which it was written, in milliseconds since 1970 by the clock of its author. */
  time: number;
  /** Plain text. */
  text: string;
  /** `pending`: it belongs to changes that nobody has decided. `withdrawn`: these were rejected. */
  state: "shown" | "pending" | "withdrawn";
}

/** A thread of comments about a range. */
export interface CommentThread {
  id: string;
  state: "open" | "resolved";
  /** The range in the editor's document; `null` if its text was deleted. */
  range: { from: number; to: number } | null;
  /** The text of the range when the thread was created. */
  quote: string;
  /** The comments, the oldest first. */
  comments: readonly Comment[];
  /** The user who has resolved it. */
  resolvedBy?: Author;
  /** True if it will be resolved when pending changes are accepted. */
  isResolving: boolean;
}

/** A comment that is added. */
export interface NewComment {
  text: string;
  /** Default: the user of this page. */
  author?: Author;
  /** Ids of tool calls with pending changes, with which it is accepted or rejected. */
  changes?: readonly string[];
}

/** Storage of comments: that of copydesk, or an adapter for another one. Methods may be asynchronous. */
export interface CommentStore {
  /** Returns all threads: those in the document in its order, then those whose text was deleted. The same array as long as
   * nothing has changed. */
  threads(): readonly CommentThread[];
  /** Creates a thread about a range of the editor's document. Returns its id. */
  create(range: { from: number; to: number }, comment: NewComment): string | Promise<string>;
  /** Adds a comment to a thread. */
  reply(thread: string, comment: NewComment): void | Promise<void>;
  /** Resolves a thread, with `changes` only when these are accepted. */
  resolve(thread: string, by?: Omit<NewComment, "text">): void | Promise<void>;
  /** Opens a resolved thread again. */
  reopen(thread: string, by?: Omit<NewComment, "text">): void | Promise<void>;
  /** Calls `listener` after each change. Returns the function that ends this. */
  subscribe(listener: () => void): () => void;
}
