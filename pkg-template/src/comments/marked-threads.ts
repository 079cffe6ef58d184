/** Threads of another store, whose ranges are marks in the editor's document. */

import type { Editor } from "@tiptap/core";
import type { MarkType, Node } from "@tiptap/pm/model";
import type { Transaction } from "@tiptap/pm/state";
import { check, members } from "../base/error.js";
import { isObject } from "../base/json.js";
import { readAuthor } from "../suggestions/entry.js";
import type { Author } from "../types/index.js";
import { ChangeStates } from "./change-states.js";
import { textOf } from "./ranges.js";
import type { Comment, CommentStore, CommentThread, NewComment } from "./store.js";
import { LONGEST } from "./stored.js";

/** A mark with the id of a thread. */
export interface ThreadMark {
  name: string;
  /** The attribute with the id. */
  attribute: string;
}

/** A thread of a store, without its range. */
export type MarkedThread = Pick<CommentThread, "id" | "state" | "resolvedBy"> & {
  comments: Omit<Comment, "state">[];
  /** The text of the range when the thread was created, if the store has it. */
  quote: unknown;
};

/** A store of threads. Authors of comments are `undefined` for the user of the store. */
export interface ThreadBackend {
  threads(): MarkedThread[];
  create(comment: { text: string; author: Author | undefined; quote: string }): string | Promise<string>;
  reply(thread: string, comment: { text: string; author: Author | undefined }): unknown;
  setState(thread: string, state: CommentThread["state"], by: Author | undefined): unknown;
  observe(changed: () => void): () => void;
}

/** A comment, or a resolution without text, that is written as soon as its changes are accepted. */
interface Held {
  thread: string;
  text: string | undefined;
  author: Author | undefined;
  changes: readonly string[];
  time: number;
}

/** The user of a store, for comments that wait. */
const SELF: Author = { kind: "person", name: "" };

export class MarkedThreads implements CommentStore {
  readonly #editor: Editor;
  readonly #backend: ThreadBackend;
  readonly #mark: ThreadMark;
  readonly #states: ChangeStates;
  readonly #listeners = new Set<() => void>();
  #held: Held[] = [];
  /** An editor that is not mounted says that it is destroyed. */
  #isReleased = false;
  #ranges: { doc: Node; byThread: Map<string, { from: number; to: number }> } | undefined;
  #shown: { doc: Node; threads: readonly CommentThread[] } | undefined;

  constructor(editor: Editor, backend: ThreadBackend, mark: ThreadMark) {
    check(typeof editor?.on === "function", "editor", editor, "an editor");
    const { name, attribute } = members(mark, "mark");
    check(typeof name === "string" && typeof attribute === "string", "mark", mark, "{name, attribute}");
    check(!!editor.schema.marks[name], "editor", `without the mark ${name}`, "an editor with the mark of the threads");
    this.#editor = editor;
    this.#backend = backend;
    this.#mark = { name, attribute };
    this.#states = new ChangeStates(editor);
    const changed = () => this.#changed();
    const followed = ({ transaction }: { transaction: Transaction }) => this.#followed(transaction);
    const end = backend.observe(changed);
    editor.on("transaction", followed);
    editor.on("destroy", () => {
      this.#isReleased = true;
      end();
      this.#listeners.clear();
    });
  }

  threads(): readonly CommentThread[] {
    const { doc } = this.#editor.state;
    // A rejection need not change the document.
    if (this.#held.some(({ changes }) => this.#states.of(changes) !== "pending")) {
      this.#shown = undefined;
      queueMicrotask(() => this.#writeDecided());
    }
    if (this.#shown?.doc === doc) return this.#shown.threads;
    const ranges = this.#rangesIn(doc);
    const threads = this.#backend.threads().map((thread) => this.#thread(thread, ranges.get(thread.id)));
    threads.sort((a, b) => (a.range?.from ?? Infinity) - (b.range?.from ?? Infinity) || 0);
    this.#shown = { doc, threads };
    return threads;
  }

  async create(range: { from: number; to: number }, comment: NewComment): Promise<string> {
    const { from, to } = members(range, "range");
    const { doc } = this.#editor.state;
    const isRange = Number.isInteger(from) && Number.isInteger(to) && 0 <= from && from < to && to <= doc.content.size;
    check(isRange, "range", `${from}–${to}`, "a range of the document");
    const quote = textOf(doc, from, to);
    check(!!quote.replaceAll("\n", ""), "range", "without content", "a range with text");
    const { text, author } = read(comment);
    // The document may change until the store has answered.
    const followed = { from, to };
    const follow = ({ transaction: { mapping } }: { transaction: Transaction }) => {
      followed.from = mapping.map(followed.from, 1);
      followed.to = mapping.map(followed.to, -1);
    };
    this.#editor.on("transaction", follow);
    try {
      const id = await this.#backend.create({ text, author, quote });
      if (!this.#isReleased && followed.from < followed.to) this.#addMark(id, followed);
      return id;
    } finally {
      this.#editor.off("transaction", follow);
    }
  }

  async reply(thread: string, comment: NewComment): Promise<void> {
    this.#checkThread(thread);
    await this.#write({ thread, ...read(comment), time: Date.now() });
  }

  async resolve(thread: string, by: Omit<NewComment, "text"> = {}): Promise<void> {
    this.#checkThread(thread);
    await this.#write({ thread, text: undefined, ...readBy(by), time: Date.now() });
  }

  async reopen(thread: string, by: Omit<NewComment, "text"> = {}): Promise<void> {
    this.#checkThread(thread);
    const { author } = readBy(by);
    this.#held = this.#held.filter((held) => held.thread !== thread || held.text !== undefined);
    await this.#backend.setState(thread, "open", author);
    this.#changed();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #thread(
    { quote, comments, ...thread }: MarkedThread,
    range: { from: number; to: number } | undefined,
  ): CommentThread {
    const isHeld = (one: Held) => one.thread === thread.id && this.#states.of(one.changes) !== "withdrawn";
    const held = this.#held.filter(isHeld);
    const waiting = held.flatMap(({ text, author = SELF, time }, at): Comment[] =>
      text === undefined ? [] : [{ id: `${thread.id}/${at}`, author, time, text, state: "pending" }],
    );
    const { doc } = this.#editor.state;
    return {
      ...thread,
      range: range ?? null,
      quote: typeof quote === "string" ? quote : range ? textOf(doc, range.from, range.to) : "",
      comments: [...comments.map((comment) => ({ ...comment, state: "shown" as const })), ...waiting],
      isResolving: thread.state === "open" && held.some(({ text }) => text === undefined),
    };
  }

  /** Writes a comment or a resolution, now or when its changes are accepted. */
  async #write(held: Held): Promise<void> {
    const state = held.changes.length ? this.#states.of(held.changes) : "shown";
    if (state === "pending") this.#held.push(held);
    else if (state === "shown") {
      const { thread, text, author } = held;
      if (text === undefined) await this.#backend.setState(thread, "resolved", author);
      else await this.#backend.reply(thread, { text, author });
    }
    this.#changed();
  }

  #followed(transaction: Transaction): void {
    // The decision that has made the transaction is known after it.
    if (this.#held.length) queueMicrotask(() => this.#writeDecided());
    if (transaction.docChanged) this.#changed();
  }

  async #writeDecided(): Promise<void> {
    const decided = this.#held.filter(({ changes }) => this.#states.of(changes) !== "pending");
    if (!decided.length || this.#isReleased) return;
    this.#held = this.#held.filter((held) => !decided.includes(held));
    for (const held of decided) await this.#write(held);
  }

  #changed(): void {
    this.#shown = undefined;
    for (const listener of [...this.#listeners]) listener();
  }

  #addMark(id: string, { from, to }: { from: number; to: number }): void {
    const { state, view, schema } = this.#editor;
    const type = schema.marks[this.#mark.name] as MarkType;
    const tr = state.tr.addMark(from, to, type.create({ [this.#mark.attribute]: id }));
    view.dispatch(tr.setMeta("addToHistory", false));
  }

  /** Returns the ranges of all threads: from the first to the last node that has the mark. */
  #rangesIn(doc: Node): Map<string, { from: number; to: number }> {
    if (this.#ranges?.doc === doc) return this.#ranges.byThread;
    const byThread = new Map<string, { from: number; to: number }>();
    const { name, attribute } = this.#mark;
    doc.descendants((node, at) => {
      for (const mark of node.marks) {
        const id: unknown = mark.type.name === name ? mark.attrs[attribute] : undefined;
        if (typeof id !== "string" || !id) continue;
        byThread.set(id, { from: byThread.get(id)?.from ?? at, to: at + node.nodeSize });
      }
    });
    this.#ranges = { doc, byThread };
    return byThread;
  }

  #checkThread(thread: string): void {
    const isThread = this.#backend.threads().some(({ id }) => id === thread);
    check(isThread, "thread", thread, "the id of a thread");
  }
}

function read(comment: NewComment): { text: string; author: Author | undefined; changes: readonly string[] } {
  const { text, author, changes } = members(comment, "comment");
  check(typeof text === "string" && !!text.trim(), "text", text, "a text that is not empty");
  check(text.length <= LONGEST, "text", `${text.length} characters`, `at most ${LONGEST} characters`);
  return { text, ...readBy({ author, changes } as Omit<NewComment, "text">) };
}

function readBy(by: Omit<NewComment, "text">): { author: Author | undefined; changes: readonly string[] } {
  const { author, changes } = members(by, "by");
  return { author: author && readAuthor(author), changes: changes ?? [] };
}

/** Returns the text of a comment that is stored as text, as nodes of ProseMirror or as blocks, with a line for each block. */
export function plainTextOf(body: unknown, depth = 0): string {
  if (typeof body === "string") return body;
  if (depth > 100) return "";
  if (Array.isArray(body)) {
    const isBlock = (part: unknown) => isObject(part) && !["text", "link"].includes(memberOf(part, "type") as string);
    return body
      .map((part, at) => (at && isBlock(part) && isBlock(body[at - 1]) ? "\n" : "") + plainTextOf(part, depth + 1))
      .join("");
  }
  if (!isObject(body)) return "";
  const text = memberOf(body, "text");
  if (typeof text === "string") return text;
  const parts = ["content", "children"].map((name) => plainTextOf(memberOf(body, name), depth + 1));
  return parts.filter((part) => part !== "").join("\n");
}

/** Returns a member of data that anybody may have written. */
export function memberOf(data: unknown, name: string): unknown {
  return isObject(data) ? (data as Record<string, unknown>)[name] : undefined;
}

/** Returns the author that copydesk has stored with a comment. */
export function storedAuthor(data: unknown): Author | undefined {
  return readAuthor(memberOf(data, "copydesk"));
}

export function timeOf(value: unknown): number {
  const time = value instanceof Date || typeof value === "string" ? new Date(value).getTime() : Number(value);
  return Number.isFinite(time) ? time : 0;
}

export function shortened(text: string): string {
  return text.slice(0, LONGEST);
}
