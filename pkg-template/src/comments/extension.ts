/** The TipTap extension with the comments of an editor. */

import { Extension, type Editor } from "@tiptap/core";
import type { Transaction } from "@tiptap/pm/state";
import { check } from "../base/error.js";
import { localeOf } from "../base/locale.js";
import { noticesOf } from "../review/notice.js";
import { sharedOf } from "../document/shared-origin.js";
import { readAuthor } from "../suggestions/entry.js";
import type { Author, Locale } from "../types/index.js";
import { pageCarrier, type CommentCarrier, type StoredComments } from "./carrier.js";
import { ChangeStates } from "./change-states.js";
import {
  changeIn,
  commentsChange,
  commentsPlugin,
  currentOf,
  followRanges,
  rangesOf,
  type CommentsChange,
} from "./plugin.js";
import { asFollowed, reconciled, type Ranges, type ThreadRange } from "./ranges.js";
import type { CommentStore } from "./store.js";
import type { IgnoredComment } from "./stored.js";
import { CommentThreads } from "./threads.js";
import { commentWords } from "./words.js";

export interface CommentsOptions {
  /** The comments of the room: `sharedComments` of `copydesk/suggestions`. Without it, comments are those of this page. */
  shared: CommentCarrier | null;
  /** Comments of this page that were stored with the document: `editor.storage.comments.stored`. */
  stored: StoredComments | null;
  /** The person at this editor. */
  user: Omit<Author, "kind">;
}

export interface CommentsStorage extends CommentStore {
  create(...given: Parameters<CommentStore["create"]>): string;
  /** The comments of this page, to be stored with the document. */
  readonly stored: StoredComments;
  /** The stored comments that cannot be read, with the reasons. */
  readonly ignored: readonly IgnoredComment[];
  /** The id of the thread that the user has chosen. */
  readonly current: string | undefined;
  /** Changes the author of later comments. */
  setUser(user: Omit<Author, "kind">): void;
}

declare module "@tiptap/core" {
  interface Storage {
    comments: CommentsStorage;
  }

  interface EditorEvents {
    /** The user has chosen a thread, by a click on its text or by `selectComment`. */
    commentSelect: { thread: string | undefined };
    /** Comments of other participants are ignored, because they are damaged, too large or of a later version. */
    commentsIgnored: { comments: readonly IgnoredComment[] };
  }

  interface Commands<ReturnType> {
    comments: {
      /** Adds a comment about the selected text; false if none is selected. */
      addComment: (text: string) => ReturnType;
      /** Chooses a thread and scrolls to its text; `null` for none. False if there is no such thread. */
      selectComment: (thread: string | null) => ReturnType;
    };
  }
}

interface OwnStorage extends CommentsStorage {
  host: EditorComments;
}

/** Milliseconds, besides a random part, after which a page stores the ranges of a change that another one has made. */
const LATER = 500;

/** Add it to the editor's extensions. */
export const Comments = Extension.create<CommentsOptions, OwnStorage>({
  name: "comments",

  addOptions() {
    return { shared: null, stored: null, user: { name: "" } };
  },

  addStorage() {
    return {} as OwnStorage;
  },

  onBeforeCreate() {
    const { editor, options, storage } = this;
    const host = new EditorComments(editor, options);
    // The editor has no state yet. It may never be mounted.
    host.settleSoon({ find: true });
    const { threads } = host;
    storage.host = host;
    storage.threads = () => threads.threads();
    storage.create = (range, comment) => threads.create(range, comment);
    storage.reply = (thread, comment) => threads.reply(thread, comment);
    storage.resolve = (thread, by) => threads.resolve(thread, by);
    storage.reopen = (thread, by) => threads.reopen(thread, by);
    storage.subscribe = (listener) => threads.subscribe(listener);
    storage.setUser = (user) => host.setUser(user);
    Object.defineProperties(storage, {
      stored: { configurable: true, get: () => host.stored },
      ignored: { configurable: true, get: () => threads.ignored },
      current: { configurable: true, get: () => currentOf(editor.state) },
    });
  },

  onTransaction({ transaction }) {
    this.storage.host.followed(transaction);
  },

  onDestroy() {
    this.storage.host.release();
  },

  addCommands() {
    return {
      addComment:
        (text) =>
        ({ state, dispatch }) => {
          const { from, to, empty } = state.selection;
          if (empty || !text.trim() || !state.doc.textBetween(from, to, "", "\ufffc")) return false;
          // After this transaction: another one of its own adds the range.
          if (dispatch)
            queueMicrotask(() => this.storage.host.isReleased || this.storage.create({ from, to }, { text }));
          return true;
        },
      selectComment:
        (thread) =>
        ({ tr, dispatch }) => {
          const { host } = this.storage;
          if (thread !== null && !host.threads.ids.includes(thread)) return false;
          if (!dispatch) return true;
          commentsChange(tr, { current: thread });
          queueMicrotask(() => {
            if (host.isReleased) return;
            if (thread !== null) host.scrollTo(thread);
            host.selected();
          });
          return true;
        },
    };
  },

  addProseMirrorPlugins() {
    const { host } = this.storage;
    return [
      commentsPlugin({
        ranges: () => host.unmounted,
        open: () => host.threads.open,
        find: (thread, doc) => host.carrier.find(thread, doc),
        clicked: (thread) => host.select(thread),
      }),
    ];
  },
});

/** The comments of an editor with its document. */
class EditorComments {
  readonly carrier: CommentCarrier;
  readonly threads: CommentThreads;
  /** The ranges as long as the editor is not mounted. */
  unmounted: Ranges = new Map<string, ThreadRange>();
  readonly #editor: Editor;
  #user: Author;
  /** True if ranges of this page have to be stored, or ranges that others have stored to be found. */
  #due: { store: boolean; find: boolean } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  isReleased = false;
  /** The states of what depends on decisions, as listeners were last told of them. */
  #states = "";
  /** The open threads, as they were last highlighted. */
  #open = "";
  readonly #told = new Set<string>();
  readonly #unobserve: () => void;

  constructor(editor: Editor, { shared, stored, user }: CommentsOptions) {
    const isCarrier = shared === null || typeof shared?.observe === "function";
    check(isCarrier, "shared", shared, "the result of sharedComments of copydesk/suggestions");
    this.#editor = editor;
    this.carrier = shared ?? pageCarrier(stored);
    this.#user = personOf(user);
    const states = new ChangeStates(editor);
    this.threads = new CommentThreads({
      carrier: this.carrier,
      content: () => editor.state.doc,
      ranges: () => this.#ranges,
      add: (thread, range) => {
        this.carrier.place([[thread, range]], editor.state.doc);
        this.#change({ placed: new Map([[thread, range]]) });
      },
      user: () => this.#user,
      stateOf: (changes) => states.of(changes),
    });
    this.#unobserve = this.carrier.observe((isLocal) => this.settleSoon({ find: !isLocal }));
  }

  get #ranges(): Ranges {
    return rangesOf(this.#editor.state) ?? this.unmounted;
  }

  setUser(user: Omit<Author, "kind">): void {
    this.#user = personOf(user);
  }

  get stored(): StoredComments {
    const ranges = Object.fromEntries(this.#ranges);
    return { entries: this.threads.settledEntries(), ranges };
  }

  select(thread: string): void {
    this.#change({ current: thread });
    this.selected();
  }

  selected(): void {
    this.threads.changed();
    this.#editor.emit("commentSelect", { thread: currentOf(this.#editor.state) });
  }

  scrollTo(thread: string): void {
    const range = this.#ranges.get(thread);
    if (!range) return;
    const { node } = this.#editor.view.domAtPos(range.from);
    const element = node instanceof HTMLElement ? node : node.parentElement;
    element?.scrollIntoView({ block: "center" });
  }

  /** Called after each transaction of the editor. */
  followed(transaction: Transaction): void {
    if (!rangesOf(this.#editor.state)) {
      const { ranges } = followRanges(this.unmounted, transaction, (thread, doc) => this.carrier.find(thread, doc));
      this.unmounted = new Map([...ranges, ...(changeIn(transaction)?.placed ?? [])]);
    }
    const { states } = this.threads;
    if (states !== this.#states) {
      this.#states = states;
      this.settleSoon();
      this.threads.changed();
    }
    if (!transaction.docChanged || !this.threads.ids.length) return;
    this.threads.changed();
    if (!this.carrier.isShared) return;
    const origin = sharedOf(transaction);
    const isOwn = !origin?.isChangeOrigin || origin.isUndoRedoOperation === true;
    this.settleSoon({ store: isOwn, find: !isOwn });
    // The page that made the change stores the ranges, unless it is without copydesk.
    if (!isOwn) this.#timer ??= setTimeout(() => this.#storeLate(), LATER + Math.random() * 2000);
  }

  /** Updates the highlights in a microtask, stores ranges of this page and finds those of others. */
  settleSoon({ store = false, find = false } = {}): void {
    const due = this.#due;
    this.#due = { store: store || due?.store === true, find: find || due?.find === true };
    if (!due) queueMicrotask(() => this.#settle());
  }

  release(): void {
    this.isReleased = true;
    clearTimeout(this.#timer);
    this.#unobserve();
    this.threads.release();
  }

  #storeLate(): void {
    this.#timer = undefined;
    this.settleSoon({ store: true });
  }

  #settle(): void {
    const { store, find } = this.#due!;
    this.#due = undefined;
    const editor = this.#editor;
    // An editor that is not mounted says that it is destroyed.
    if (this.isReleased) return;
    const { doc } = editor.state;
    if (this.carrier.isCurrent(doc)) {
      const ranges = this.#ranges;
      // First the ranges that this page has followed: the stored ones may be older.
      if (store && this.carrier.isShared) this.carrier.place(ranges, doc);
      const placed = new Map<string, ThreadRange>();
      for (const id of this.threads.ids) {
        const range = ranges.get(id);
        // The page follows what it has. Of a room, what others have stored counts, and text that has come back.
        if (range && (!this.carrier.isShared || (range.lost === undefined && !find))) continue;
        const found = this.carrier.find(id, doc);
        if (!found) continue;
        const known = range?.lost === undefined ? range : undefined;
        const now = known ? reconciled(known, found) : asFollowed(found);
        if (!range || now.from !== range.from || now.to !== range.to) placed.set(id, now);
      }
      const open = [...this.threads.open].join();
      if (placed.size || open !== this.#open) {
        this.#open = open;
        this.#change({ placed });
      }
      if (placed.size) this.threads.changed();
    }
    this.#tellIgnored();
  }

  #change(change: CommentsChange): void {
    const { state, view } = this.#editor;
    view.dispatch(commentsChange(state.tr, change));
  }

  #tellIgnored(): void {
    const found = this.threads.ignored.filter(({ id }) => !this.#told.has(id));
    if (!found.length) return;
    for (const { id } of found) this.#told.add(id);
    noticesOf(this.#editor.view)?.show(commentWords(this.#locale).ignored(found.length));
    this.#editor.emit("commentsIgnored", { comments: found });
  }

  get #locale(): Locale {
    const copydesk = this.#editor.extensionManager.extensions.find(({ name }) => name === "copydesk");
    return localeOf((copydesk?.options as { locale?: string } | undefined)?.locale);
  }
}

function personOf(user: unknown): Author {
  check(typeof (user as Author | null)?.name === "string", "user", user, "an object with a name");
  return readAuthor({ ...(user as object), kind: "person" })!;
}
