/** The comments of a room without an editor. */

import type { Node } from "@tiptap/pm/model";
import type { Mapping } from "@tiptap/pm/transform";
import type { CommentCarrier } from "../comments/carrier.js";
import { asFollowed, mapRanges, relocateRanges, type Ranges, type ThreadRange } from "../comments/ranges.js";
import type { Comment, CommentStore } from "../comments/store.js";
import { CommentThreads } from "../comments/threads.js";
import type { Document } from "../document/document.js";
import { outcomeOf } from "../document/outcomes.js";
import { sharedComments } from "../suggestions/comments.js";
import type { Author } from "../types/index.js";
import type { SharedDocument } from "./shared-document.js";

export class RoomComments {
  readonly #content: SharedDocument;
  readonly #document: Document;
  readonly #carrier: CommentCarrier;
  readonly #threads: CommentThreads;
  /** The ranges in the document that they were last followed to. */
  #ranges: Ranges = new Map<string, ThreadRange>();
  #known: Node;

  constructor(content: SharedDocument, document: Document, user: Author) {
    this.#content = content;
    this.#document = document;
    this.#known = content.read();
    this.#carrier = sharedComments({ fragment: content.fragment });
    this.#threads = new CommentThreads({
      carrier: this.#carrier,
      content: () => content.read(),
      ranges: () => this.#current(),
      add: (thread, range) => {
        this.#carrier.place([[thread, range]], content.read());
        this.#ranges = new Map([...this.#ranges, [thread, range]]);
      },
      user: () => user,
      stateOf: (changes) => this.#stateOf(changes),
    });
  }

  get store(): CommentStore {
    return this.#threads;
  }

  /** Makes an edit of this participant, and follows its steps. */
  edited(before: Node, after: Node, mapping: Mapping, write: () => void): void {
    const { ranges } = mapRanges(this.#current(), before, after, mapping);
    write();
    this.#ranges = ranges;
    this.#known = this.#content.read();
    this.#carrier.place(ranges, this.#known);
  }

  release(): void {
    this.#threads.release();
  }

  #current(): Ranges {
    const now = this.#content.read();
    const find = (thread: string) => this.#carrier.find(thread, now);
    if (now !== this.#known) {
      this.#ranges = relocateRanges(this.#ranges, this.#known, now, find);
      this.#known = now;
    }
    const found = this.#threads.ids.flatMap((id): [string, ThreadRange][] => {
      const range = this.#ranges.get(id);
      const stored = !range || range.lost !== undefined ? find(id) : undefined;
      return stored ? [[id, asFollowed(stored)]] : [];
    });
    if (found.length) this.#ranges = new Map([...this.#ranges, ...found]);
    return this.#ranges;
  }

  #stateOf(changes: readonly string[]): Comment["state"] {
    const isPending = this.#document.hunks().some(({ toolIds }) => toolIds.some((id) => changes.includes(id)));
    if (isPending) return "pending";
    return outcomeOf(this.#document, changes) === "rejected" ? "withdrawn" : "shown";
  }
}
