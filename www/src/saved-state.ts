/** The saved state of the page, and its saving from then on. One tab at a time edits the document. */
import type { Editor } from "@tiptap/core";
import type { AssistantStorage, StoredConversation } from "copydesk/assistant";
import { hunksRevision, type PendingChanges } from "copydesk/tiptap";
import { removeUnusedImages } from "./content/own-images";
import { documentOf, isReadable, replaceDocument } from "./editor";
import { download } from "./files";
import type { Messages } from "./locale";
import type { Notices } from "./notices";
import { Autosave } from "./store/autosave";
import {
  Database,
  keyOfFile,
  StorageError,
  type StorageProblem,
  type StoredDocument,
  type StoredFile,
} from "./store/database";
import { claim, takeOver } from "./store/ownership";
import { loadItem, removeItem, saveItem } from "./storage";

export interface SavedStateOptions {
  notices: Notices;
  /** Called when another tab edits the document from now on. */
  onReleased: () => void;
  /** Resolves when the wasm is loaded, without which nothing can be made pending. */
  load: () => Promise<void>;
}

export type KeptDocument = NonNullable<StoredDocument["previous"]>;

/** Set in `localStorage` once the user has a place for files. */
export const HAS_FILES = "project";

/** The key of the file that is open, in `localStorage`. */
const OPEN_FILE = "file";

/** The state with which a loaded page continues. */
interface Loaded {
  document?: StoredDocument;
  conversations: StoredConversation[];
}

export class SavedState {
  private autosave: Autosave | null = null;
  /** The user's own document, while that of a recording or of an opened file is shown. */
  private previous: StoredDocument["previous"];
  /** The name of the file that was opened in its place. */
  private opened: string | undefined;
  /** The conversations that have changed. */
  private unsaved = new Set<string>();
  /** The file that the document was opened from; undefined for the user's own document. */
  file: StoredFile | undefined;
  /** The documents that were shown before, by the key of their file: also where storage is disabled. */
  private others = new Map<string | undefined, StoredDocument>();
  private editor: Editor | null = null;
  private conversation: () => string = () => "";

  private constructor(
    private options: SavedStateOptions,
    private database: Database | null,
    readonly owned: boolean,
    private saved: Loaded,
  ) {}

  /** Reads what was saved. Problems are shown, and the page works without what they concern. */
  static async open(options: SavedStateOptions): Promise<SavedState> {
    let state: SavedState | null = null;
    const released = async () => {
      await state?.autosave?.stop();
      options.onReleased();
      state?.showElsewhere();
    };
    const report = (problem: StorageProblem | null) => showProblem(options.notices, problem);
    const claimed = claim(released);
    let database: Database | null = null;
    const saved: Loaded = { conversations: [] };
    let isWhole = false;
    try {
      database = await Database.open(report);
      [saved.document, saved.conversations] = await Promise.all([openDocument(database), database.conversations()]);
      if (saved.document && !isReadable(saved.document.json)) throw new StorageError("unreadable");
      isWhole = true;
    } catch (error) {
      const problem = error instanceof StorageError ? error.problem : "off";
      saved.document = undefined;
      if (database && problem === "unreadable" && (await claimed)) {
        const text = await database.setDocumentAside().catch(() => "");
        report(problem);
        options.notices.show("storage", (m) => m.storage.unreadable, [
          { name: (m) => m.storage.download, run: () => download("copydesk-document.json", text) },
        ]);
      } else report(problem);
    }
    const owned = await claimed;
    // Everything could be read, and this tab alone can add images. Those of files may be in any of their versions.
    const hasFiles = loadItem(HAS_FILES) !== null;
    if (database && owned && isWhole && !hasFiles)
      void removeUnusedImages((pattern) => database.matches(pattern)).catch(() => {});
    state = new SavedState(options, database, owned, saved);
    state.previous = saved.document?.previous;
    state.opened = saved.document?.opened;
    state.file = saved.document?.file;
    if (!owned) state.showElsewhere();
    return state;
  }

  get document(): StoredDocument | undefined {
    return this.saved.document;
  }

  /** The saved conversations, the newest first. */
  private get conversations(): readonly StoredConversation[] {
    return this.saved.conversations;
  }

  /** The changes that were pending. */
  get pending(): PendingChanges | undefined {
    const { hunks, hunksOf } = this.saved.document ?? { hunks: [] };
    return hunks.length ? { hunks, ...(hunksOf ? { document: hunksOf } : {}) } : undefined;
  }

  /** Reports the changes that no longer fit the document. */
  private watchRestored(editor: Editor): void {
    const count = this.pending?.hunks.length ?? 0;
    editor.storage.copydesk.restored.catch(() => this.options.notices.show("hunks", (m) => m.storage.lostHunks(count)));
  }

  /** Saves the editor's document and the current conversation from now on. */
  start(editor: Editor, current: () => StoredConversation): void {
    this.watchRestored(editor);
    this.editor = editor;
    this.conversation = () => current().id;
    if (!this.database || !this.owned) return;
    this.autosave = new Autosave(this.database, {
      state: () => {
        const conversation = current();
        if (conversation.runs.length) this.remember(conversation);
        const conversations = this.saved.conversations.filter(({ id }) => this.unsaved.has(id));
        this.unsaved.clear();
        return { document: this.documentNow(editor, conversation.id), conversations };
      },
      onProblem: (problem) => {
        // What could not be saved is saved with the next change.
        if (problem) for (const { id } of this.saved.conversations) this.unsaved.add(id);
        showProblem(this.options.notices, problem);
      },
    });
    let saved = hunksRevision(editor);
    editor.on("transaction", ({ transaction }) => {
      if (!transaction.docChanged && saved === hunksRevision(editor)) return;
      saved = hunksRevision(editor);
      this.autosave?.schedule();
    });
    if (this.previous) this.offerPrevious(editor);
  }

  /** Saves soon. */
  changed(): void {
    this.autosave?.schedule();
  }

  /** Saves what is not saved yet, now. */
  async flush(): Promise<void> {
    await this.autosave?.flush();
  }

  private async deleteConversation(id: string): Promise<void> {
    this.saved.conversations = this.saved.conversations.filter((conversation) => conversation.id !== id);
    await this.database?.deleteConversation(id).catch(() => showProblem(this.options.notices, "off"));
  }

  /**
   * Shows another document in the editor: that of a file, or the user's own. The one that was shown is kept. A file
   * continues from what was not saved of it, or waits for review; otherwise `content` is shown.
   */
  async show(next?: { file: StoredFile; content: StoredDocument["json"] }): Promise<void> {
    const { editor } = this;
    if (!editor) return;
    await this.options.load();
    this.others.set(this.file && keyOfFile(this.file), this.documentNow(editor, this.conversation()));
    this.autosave?.schedule();
    await this.flush();
    const key = next && keyOfFile(next.file);
    const kept = this.others.get(key) ?? (await this.database?.document(key).catch(() => undefined));
    this.file = next && (kept?.file ?? next.file);
    this.previous = kept?.previous;
    this.opened = kept?.opened;
    if (key === undefined) removeItem(OPEN_FILE);
    else saveItem(OPEN_FILE, key);
    const json = kept?.json ?? next?.content ?? { type: "doc", content: [{ type: "paragraph" }] };
    replaceDocument(editor, json, kept?.hunks ?? []);
    if (this.previous) this.offerPrevious(editor);
    else this.options.notices.remove("previous");
    this.autosave?.schedule();
  }

  /** Forgets what was kept of the document of a file: everything of it is in the file. */
  async forget(file: string): Promise<void> {
    this.others.delete(file);
    await this.database?.deleteDocument(file).catch(() => showProblem(this.options.notices, "off"));
  }

  /** Notes the version of the file that the document goes on from. */
  setFile(file: StoredFile): void {
    const before = this.file && keyOfFile(this.file);
    const key = keyOfFile(file);
    this.file = file;
    this.autosave?.schedule();
    if (before === undefined || before === key) return;
    saveItem(OPEN_FILE, key);
    void this.flush().then(() => this.forget(before));
  }

  /** Keeps the document while that of a recording, or of the file `opened`, is shown in its place. */
  keepDocument(editor: Editor, conversation: string, opened?: string): void {
    this.previous ??= this.documentNow(editor, conversation);
    this.opened = opened;
    this.offerPrevious(editor);
  }

  /** Keeps a document again that was released. */
  keep(document: KeptDocument, opened: string): void {
    this.previous ??= document;
    this.opened = opened;
    if (this.editor) this.offerPrevious(this.editor);
  }

  /** Returns the document that was kept, and keeps it no longer. */
  release(): KeptDocument | null {
    const kept = this.previous ?? null;
    this.previous = this.opened = undefined;
    this.options.notices.remove("previous");
    return kept;
  }

  /** Returns true while another document than the user's own is shown. */
  get hasPrevious(): boolean {
    return this.previous !== undefined;
  }

  /** Loads the wasm, which changes to pending changes need. */
  load(): Promise<void> {
    return this.options.load();
  }

  private offerPrevious(editor: Editor): void {
    const back = async () => {
      await this.options.load();
      const kept = this.release();
      if (!kept) return;
      documentOf(editor).reject("all");
      editor.commands.setContent(kept.json);
      if (kept.hunks.length) documentOf(editor).restoreHunks(kept.hunks);
    };
    const { opened } = this;
    this.options.notices.show("previous", (m) => (opened ? m.storage.opened(opened) : m.storage.recording), [
      { name: (m) => m.storage.backToDocument, run: () => void back().catch((error: unknown) => console.warn(error)) },
      ...(opened ? [{ name: (m: Messages) => m.close, run: () => this.options.notices.remove("previous") }] : []),
    ]);
  }

  private documentNow(editor: Editor, conversation: string): StoredDocument {
    const json = editor.getJSON() as StoredDocument["json"];
    const { hunks, document } = editor.storage.copydesk.pending;
    return {
      ...(this.file ? { file: this.file } : {}),
      json,
      hunks: [...hunks],
      ...(document ? { hunksOf: document } : {}),
      conversation,
      ...(this.previous ? { previous: this.previous } : {}),
      ...(this.opened ? { opened: this.opened } : {}),
    };
  }

  /** The place of the conversations: they are saved together with the document. */
  readonly conversationStorage: AssistantStorage = {
    load: async () => this.conversations,
    save: async (conversation) => {
      this.remember(conversation);
      this.autosave?.schedule();
    },
    remove: (id) => this.deleteConversation(id),
  };

  private remember(conversation: StoredConversation): void {
    this.unsaved.add(conversation.id);
    const others = this.saved.conversations.filter(({ id }) => id !== conversation.id);
    this.saved.conversations = [conversation, ...others].sort((a, b) => b.changed - a.changed);
  }

  /** Says that another tab edits the document, with a button that moves it here. */
  private showElsewhere(): void {
    const moveHere = async () => {
      await takeOver();
      location.reload();
    };
    this.options.notices.show("elsewhere", (m) => m.storage.elsewhere, [
      { name: (m) => m.storage.moveHere, run: () => void moveHere() },
    ]);
  }
}

/** Returns the document that was shown: that of a file, or the user's own. */
async function openDocument(database: Database): Promise<StoredDocument | undefined> {
  const file = loadItem(OPEN_FILE);
  // The file itself is in the workspace, so a document of it that cannot be read is no loss of it.
  const open = file === null ? undefined : await database.document(file).catch(() => undefined);
  if (open && isReadable(open.json)) return open;
  removeItem(OPEN_FILE);
  return database.document();
}

function showProblem(notices: Notices, problem: StorageProblem | null): void {
  if (problem === null) return notices.remove("storage");
  const reload = { name: (m: Messages) => m.storage.reload, run: () => location.reload() };
  notices.show("storage", (m) => m.storage[problem], problem === "replaced" ? [reload] : []);
}
