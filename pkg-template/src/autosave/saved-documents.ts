/** The documents that a page has shown, and their saving. One tab at a time edits. */

import type { Editor } from "@tiptap/core";
import type { Schema } from "@tiptap/pm/model";
import { init, type NodeJSON } from "copydesk";
import type { AssistantStorage } from "../assistant/storage.js";
import type { StoredConversation } from "../assistant/stored.js";
import { localItems, type Items } from "../base/items.js";
import type { PendingChanges } from "../document/pending.js";
import { hunksRevision } from "../review/hunks.js";
import { Database, SaveError, type SaveProblem } from "./database.js";
import type { CurrentDocument } from "./document-changes.js";
import { claim, takeOver } from "./ownership.js";
import { replaceDocument } from "./replace-document.js";
import { Saver } from "./saver.js";
import type { KeptDocument, StoredDocument } from "./stored-document.js";
import { keyOfFile, type StoredFile } from "./stored-file.js";

export interface SavedDocumentsOptions {
  /** The schema of the editor. A document that it cannot hold is set aside. */
  schema: Schema;
  /** The name of the database, which the lock of the editing tab begins with. Default: `copydesk`. */
  name?: string;
  /** The storage for the name of the open file. Default: `localStorage`. */
  items?: Items;
  /** Resolves when the wasm is loaded, without which nothing can be made pending. Default: `init`. */
  load?: () => Promise<unknown>;
  /** Called when another tab edits from now on: the editor must not be editable. */
  onReleased?: () => void;
  /** Called when another document is shown. */
  onShow?: () => void;
}

/** The state that a page tells its user. Each change makes a new object, which shares what did not change. */
export interface SavedState {
  /** True while another tab edits. */
  readonly isElsewhere: boolean;
  /** The reason why nothing is saved at the moment; null if it is. */
  readonly problem: SaveProblem | null;
  /** The JSON of the document that could not be read. */
  readonly setAside: string | null;
  /** The user's own document is kept while another one is shown: that of the file `opened`, or without a name. */
  readonly previous: { readonly opened: string | undefined } | null;
  /** The number of pending changes that no longer fit the document. */
  readonly lostHunks: number;
}

/** The item with the key of the file that is open. */
const OPEN_FILE = "file";

/** The state with which a loaded page continues. */
interface Loaded {
  document?: StoredDocument;
  conversations: StoredConversation[];
}

export class SavedDocuments {
  #state: SavedState = { isElsewhere: false, problem: null, setAside: null, previous: null, lostHunks: 0 };
  #listeners = new Set<() => void>();
  #saver: Saver | null = null;
  /** The user's own document, while another one is shown. */
  #previous: KeptDocument | undefined;
  /** The name of the file that was opened in its place. */
  #opened: string | undefined;
  /** The conversations that have changed. */
  #unsaved = new Set<string>();
  #file: StoredFile | undefined;
  /** The documents that were shown before, by the key of their file: also where storage is disabled. */
  #others = new Map<string | undefined, StoredDocument>();
  #editor: Editor | null = null;
  #current: (() => StoredConversation) | undefined;
  #database: Database | null = null;
  #loaded: Loaded = { conversations: [] };
  #items: Items;
  #ends = new AbortController();
  #isOwned = false;
  #isWhole = false;

  private constructor(private options: SavedDocumentsOptions) {
    this.#items = options.items ?? localItems();
  }

  /** Reads the saved documents. The state names those that cannot be read, and the page works without them. */
  static async open(options: SavedDocumentsOptions): Promise<SavedDocuments> {
    const saved = new SavedDocuments(options);
    await saved.#open();
    return saved;
  }

  async #open(): Promise<void> {
    const released = async () => {
      await this.#saver?.stop();
      this.#isOwned = false;
      this.options.onReleased?.();
      this.#set({ isElsewhere: true });
    };
    const claimed = claim(this.#lock, released, this.#ends.signal);
    const loaded = this.#loaded;
    try {
      const database = await Database.open(this.#name, (problem) => this.#set({ problem }));
      this.#database = database;
      [loaded.document, loaded.conversations] = await Promise.all([
        this.#openDocument(database),
        database.conversations(),
      ]);
      if (loaded.document && !this.#canHold(loaded.document.json)) throw new SaveError("unreadable");
      this.#isWhole = true;
    } catch (error) {
      const problem = error instanceof SaveError ? error.problem : "off";
      loaded.document = undefined;
      const setAside =
        this.#database && problem === "unreadable" && (await claimed)
          ? await this.#database.setDocumentAside().catch(() => "")
          : null;
      this.#set({ problem, setAside });
    }
    this.#isOwned = await claimed;
    const { document } = loaded;
    this.#previous = document?.previous;
    this.#opened = document?.opened;
    this.#file = document?.file;
    if (!this.#isOwned) this.#set({ isElsewhere: true });
  }

  get #name(): string {
    return this.options.name ?? "copydesk";
  }

  get #lock(): string {
    return `${this.#name}.document`;
  }

  /** The state, for `useSyncExternalStore` and the like. */
  readonly getSnapshot = (): SavedState => this.#state;

  /** Calls `listener` after each change of the state. Returns a function that ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  #set(change: Partial<SavedState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        reportError(error);
      }
    }
  }

  /** True if this tab may edit. */
  get isOwned(): boolean {
    return this.#isOwned;
  }

  /** True if everything that was kept could be read. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The document that was saved last. */
  get document(): StoredDocument | undefined {
    return this.#loaded.document;
  }

  /** The file that the document was opened from; undefined for the user's own document. */
  get file(): StoredFile | undefined {
    return this.#file;
  }

  /** The changes that were pending in the saved document, for the option `pending` of the extension `Copydesk`. */
  get pending(): PendingChanges | undefined {
    const { hunks, hunksOf } = this.#loaded.document ?? { hunks: [] };
    return hunks.length ? { hunks, ...(hunksOf ? { document: hunksOf } : {}) } : undefined;
  }

  /** Returns the matches of a pattern in everything that is kept. */
  async matches(pattern: RegExp): Promise<Set<string>> {
    return (await this.#database?.matches(pattern)) ?? new Set();
  }

  /** Saves the editor's document and the current conversation from now on. */
  start(editor: Editor, current: () => StoredConversation): void {
    const count = this.pending?.hunks.length ?? 0;
    editor.storage.copydesk.restored.catch(() => this.#set({ lostHunks: count }));
    this.#editor = editor;
    this.#current = current;
    if (!this.#database || !this.#isOwned) return;
    this.#saver = new Saver(this.#database, {
      state: () => {
        const conversation = current();
        if (conversation.runs.length) this.#remember(conversation);
        const conversations = this.#loaded.conversations.filter(({ id }) => this.#unsaved.has(id));
        this.#unsaved.clear();
        return { document: this.#currentDocument(editor), conversations };
      },
      onProblem: (problem) => {
        // What could not be saved is saved with the next change.
        if (problem) for (const { id } of this.#loaded.conversations) this.#unsaved.add(id);
        this.#set({ problem });
      },
    });
    let revision = hunksRevision(editor);
    const changed = ({ transaction }: { transaction: { docChanged: boolean } }) => {
      if (!transaction.docChanged && revision === hunksRevision(editor)) return;
      revision = hunksRevision(editor);
      this.changed();
    };
    editor.on("transaction", changed);
    this.#ends.signal.addEventListener("abort", () => editor.off("transaction", changed));
    if (this.#previous) this.#offerPrevious();
  }

  /** Saves soon. */
  changed(): void {
    this.#saver?.schedule();
  }

  /** Saves what is not saved yet, now. */
  async flush(): Promise<void> {
    await this.#saver?.flush();
  }

  /**
   * Shows another document in the editor: that of a file, or the user's own. The one that was shown is kept. A file
   * continues from what was not saved of it, or waits for review; otherwise `content` is shown.
   */
  async show(next?: { file: StoredFile; content: NodeJSON }): Promise<void> {
    const editor = this.#editor;
    if (!editor) return;
    await this.load();
    this.#others.set(this.#file && keyOfFile(this.#file), this.#documentNow(editor));
    this.changed();
    await this.flush();
    const key = next && keyOfFile(next.file);
    const kept = this.#others.get(key) ?? (await this.#database?.document(key).catch(() => undefined));
    this.#file = next && (kept?.file ?? next.file);
    this.#previous = kept?.previous;
    this.#opened = kept?.opened;
    if (key === undefined) this.#items.remove(OPEN_FILE);
    else this.#items.set(OPEN_FILE, key);
    const json = kept?.json ?? next?.content ?? { type: "doc", content: [{ type: "paragraph" }] };
    replaceDocument(editor, json, kept?.hunks ?? []);
    this.options.onShow?.();
    this.#offerPrevious();
    this.changed();
  }

  /** Forgets what was kept of the document of a file: everything of it is in the file. */
  async forget(file: string): Promise<void> {
    this.#others.delete(file);
    await this.#database?.deleteDocument(file).catch(() => this.#set({ problem: "off" }));
  }

  /** Records the version of the file from which the document continues. */
  setFile(file: StoredFile): void {
    const before = this.#file && keyOfFile(this.#file);
    const key = keyOfFile(file);
    this.#file = file;
    this.changed();
    if (before === undefined || before === key) return;
    this.#items.set(OPEN_FILE, key);
    void this.flush().then(() => this.forget(before));
  }

  /** Keeps the document while another one, or the file `opened`, is shown in its place. */
  keepDocument(opened?: string): void {
    if (this.#editor) this.#previous ??= this.#documentNow(this.#editor);
    this.#opened = opened;
    this.#offerPrevious();
  }

  /** Keeps a document again that was released. */
  keep(document: KeptDocument, opened: string): void {
    this.#previous ??= document;
    this.#opened = opened;
    this.#offerPrevious();
  }

  /** Returns the document that was kept, and keeps it no longer. */
  release(): KeptDocument | null {
    const kept = this.#previous ?? null;
    this.#previous = this.#opened = undefined;
    this.#set({ previous: null });
    return kept;
  }

  /** Shows the user's own document again, which was kept. */
  async bringBack(): Promise<void> {
    await this.load();
    const kept = this.release();
    const editor = this.#editor;
    if (!kept || !editor) return;
    const { document } = editor.storage.copydesk;
    document.reject("all");
    editor.commands.setContent(kept.json);
    if (kept.hunks.length) document.restoreHunks(kept.hunks);
  }

  /** Loads the wasm, which changes to pending changes need. */
  async load(): Promise<void> {
    await (this.options.load ?? init)();
  }

  /** Takes the editing over from another tab. The page must be loaded again then. */
  takeOver(): Promise<void> {
    return takeOver(this.#lock);
  }

  /** Saves what is not saved yet, and releases everything. Call it before the editor is destroyed. */
  async close(): Promise<void> {
    await this.#saver?.stop();
    this.#ends.abort();
    this.#listeners.clear();
    this.#database?.close();
  }

  #offerPrevious(): void {
    this.#set({ previous: this.#previous ? { opened: this.#opened } : null });
  }

  #currentDocument(editor: Editor): CurrentDocument {
    const { hunks, document } = editor.storage.copydesk.pending;
    return {
      ...(this.#file ? { file: this.#file } : {}),
      doc: editor.state.doc,
      hunks: [...hunks],
      ...(document ? { hunksOf: document } : {}),
      conversation: this.#current?.().id ?? "",
      ...(this.#previous ? { previous: this.#previous } : {}),
      ...(this.#opened ? { opened: this.#opened } : {}),
    };
  }

  #documentNow(editor: Editor): StoredDocument {
    const { doc, ...rest } = this.#currentDocument(editor);
    return { ...rest, json: doc.toJSON() as NodeJSON };
  }

  /** The place of the conversations, for `createAssistant`: they are saved together with the document. */
  readonly conversationStorage: AssistantStorage = {
    load: async () => this.#loaded.conversations,
    save: async (conversation) => {
      this.#remember(conversation);
      this.changed();
    },
    remove: async (id) => {
      const loaded = this.#loaded;
      loaded.conversations = loaded.conversations.filter((conversation) => conversation.id !== id);
      await this.#database?.deleteConversation(id).catch(() => this.#set({ problem: "off" }));
    },
  };

  #remember(conversation: StoredConversation): void {
    this.#unsaved.add(conversation.id);
    const others = this.#loaded.conversations.filter(({ id }) => id !== conversation.id);
    this.#loaded.conversations = [conversation, ...others].sort((a, b) => b.changed - a.changed);
  }

  /** Returns the document that was shown: that of a file, or the user's own. */
  async #openDocument(database: Database): Promise<StoredDocument | undefined> {
    const file = this.#items.get(OPEN_FILE);
    // The file itself is in the workspace, so nothing is lost if the document of it cannot be read.
    const open = file === null ? undefined : await database.document(file).catch(() => undefined);
    if (open && this.#canHold(open.json)) return open;
    this.#items.remove(OPEN_FILE);
    return database.document();
  }

  #canHold(json: NodeJSON): boolean {
    try {
      this.options.schema.nodeFromJSON(json).check();
      return true;
    } catch {
      return false;
    }
  }
}
