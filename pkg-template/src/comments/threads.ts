/** The comments of a document: entries of a carrier with their ranges and states. */

import type { Node } from "@tiptap/pm/model";
import { check, members } from "../base/error.js";
import { readAuthor } from "../suggestions/entry.js";
import type { Author } from "../types/index.js";
import type { CommentCarrier } from "./carrier.js";
import { textOf, type Ranges, type ThreadRange } from "./ranges.js";
import type { Comment, CommentStore, CommentThread, NewComment } from "./store.js";
import {
  entryOf,
  LONGEST,
  newCommentId,
  readThreads,
  type IgnoredComment,
  type StoredComment,
  type StoredThread,
} from "./stored.js";

/** The holder of the document and the ranges. */
export interface CommentHost {
  carrier: CommentCarrier;
  /** Returns the current document. */
  content(): Node;
  /** Returns the current ranges. */
  ranges(): Ranges;
  /** Adds the range of a new thread. */
  add(thread: string, range: ThreadRange): void;
  /** Returns the author of comments without another one. */
  user(): Author;
  /** Returns the state of comments with these tool calls. */
  stateOf(changes: readonly string[]): Comment["state"];
}

export class CommentThreads implements CommentStore {
  readonly #host: CommentHost;
  readonly #listeners = new Set<() => void>();
  #read: ReturnType<typeof readThreads> | undefined;
  #shown: { read: unknown; ranges: Ranges; states: string; threads: readonly CommentThread[] } | undefined;
  readonly #release: () => void;

  constructor(host: CommentHost) {
    this.#host = host;
    this.#release = host.carrier.observe(() => {
      this.#read = undefined;
      this.changed();
    });
  }

  get #all(): { threads: StoredThread[]; ignored: IgnoredComment[] } {
    return (this.#read ??= readThreads(this.#host.carrier.entries));
  }

  /** The stored comments that cannot be read. */
  get ignored(): readonly IgnoredComment[] {
    return this.#all.ignored;
  }

  /** The ids of all threads. */
  get ids(): string[] {
    return this.#all.threads.map(({ id }) => id);
  }

  /** The ids of the open threads. */
  get open(): Set<string> {
    const open = this.#all.threads.filter((thread) => !this.#resolution(thread).isResolved);
    return new Set(open.map(({ id }) => id));
  }

  /** The tool calls on whose decisions comments depend, a list for each. */
  get changes(): (readonly string[])[] {
    const all = this.#all.threads.flatMap(({ changes, replies, resolution }) => [
      changes,
      ...replies.map((reply) => reply.changes),
      resolution?.changes ?? [],
    ]);
    return all.filter((changes) => changes.length);
  }

  /** The states of everything that depends on such decisions. */
  get states(): string {
    return this.changes.map((changes) => this.#host.stateOf(changes)).join();
  }

  threads(): readonly CommentThread[] {
    const all = this.#all;
    const ranges = this.#host.ranges();
    const { states } = this;
    const shown = this.#shown;
    if (shown?.read === all && shown.ranges === ranges && shown.states === states) return shown.threads;
    const threads = all.threads.map((thread) => this.#thread(thread, ranges.get(thread.id)));
    // Those without a range are last; sorting is stable.
    threads.sort((a, b) => (a.range?.from ?? Infinity) - (b.range?.from ?? Infinity) || 0);
    this.#shown = { read: all, ranges, states, threads };
    return threads;
  }

  create(range: { from: number; to: number }, comment: NewComment): string {
    const { from, to } = members(range, "range");
    const doc = this.#host.content();
    const isRange = Number.isInteger(from) && Number.isInteger(to) && 0 <= from && from < to && to <= doc.content.size;
    check(isRange, "range", `${from}–${to}`, "a range of the document");
    const quote = textOf(doc, from, to);
    check(!!quote.replaceAll("\n", ""), "range", "without content", "a range with text");
    const id = newCommentId();
    const entry = entryOf({ ...this.#new(comment), quote });
    this.#host.carrier.transact(() => {
      this.#host.carrier.entries.set(id, entry);
      this.#host.add(id, { from, to });
    });
    return id;
  }

  reply(thread: string, comment: NewComment): void {
    this.#checkThread(thread);
    this.#set(`${thread}/${newCommentId()}`, entryOf(this.#new(comment)));
  }

  resolve(thread: string, by: Omit<NewComment, "text"> = {}): void {
    this.#setState(thread, true, by);
  }

  reopen(thread: string, by: Omit<NewComment, "text"> = {}): void {
    this.#setState(thread, false, by);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Tells the listeners of a change. */
  changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  release(): void {
    this.#release();
    this.#listeners.clear();
  }

  /** Returns the entries as they are now: comments whose changes were decided are as others, or are left out. */
  settledEntries(): Record<string, unknown> {
    const { entries } = this.#host.carrier;
    const settled: Record<string, unknown> = {};
    for (const key of entries.keys()) {
      const value = entries.get(key) as { changes?: string[] };
      const { changes = [], ...rest } = value;
      const state = changes.length ? this.#host.stateOf(changes) : "shown";
      // A thread without its first comment would lose the replies.
      if (state === "withdrawn" && key.includes("/")) continue;
      settled[key] = state === "pending" ? value : rest;
    }
    return settled;
  }

  #thread(thread: StoredThread, range: ThreadRange | undefined): CommentThread {
    const { id, quote, replies } = thread;
    const { isResolved, isResolving, by } = this.#resolution(thread);
    const comments = [{ ...thread, id }, ...replies].map((comment) => this.#comment(comment));
    return {
      id,
      state: isResolved ? "resolved" : "open",
      range: range && range.lost === undefined ? { from: range.from, to: range.to } : null,
      quote,
      comments,
      isResolving,
      ...(isResolved && by && { resolvedBy: by }),
    };
  }

  #comment({ id, author, time, text, changes }: StoredComment & { id: string }): Comment {
    return { id, author, time, text, state: this.#stateOf(changes) };
  }

  #stateOf(changes: readonly string[]): Comment["state"] {
    return changes.length ? this.#host.stateOf(changes) : "shown";
  }

  #resolution({ resolution }: StoredThread) {
    if (!resolution) return { isResolved: false, isResolving: false, by: undefined };
    const state = this.#stateOf(resolution.changes);
    const { isResolved, by } = resolution;
    return { isResolved: isResolved && state === "shown", isResolving: isResolved && state === "pending", by };
  }

  #new(comment: NewComment): { text: string; author: Author; changes: readonly string[] | undefined } {
    const { text, author, changes } = members(comment, "comment");
    check(typeof text === "string" && !!text.trim(), "text", text, "a text that is not empty");
    check(text.length <= LONGEST, "text", `${text.length} characters`, `at most ${LONGEST} characters`);
    return { text, ...this.#by({ author, changes } as Omit<NewComment, "text">) };
  }

  #by({ author, changes }: Omit<NewComment, "text">): { author: Author; changes: readonly string[] | undefined } {
    return { author: (author && readAuthor(author)) ?? this.#host.user(), changes };
  }

  #setState(thread: string, isResolved: boolean, by: Omit<NewComment, "text">): void {
    this.#checkThread(thread);
    this.#set(`${thread}/state`, entryOf({ isResolved, ...this.#by(members(by, "by")) }));
  }

  #checkThread(thread: string): void {
    check(
      this.#all.threads.some(({ id }) => id === thread),
      "thread",
      thread,
      "the id of a thread",
    );
  }

  #set(key: string, entry: unknown): void {
    const { carrier } = this.#host;
    carrier.transact(() => carrier.entries.set(key, entry));
  }
}
