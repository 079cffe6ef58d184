/** The files of a user with an editor: the place that has them, and the file that is shown. */

import type { Editor } from "@tiptap/core";
import type { AgentOptions } from "copydesk";
import type { Additions } from "../additions/additions.js";
import type { RuleFile } from "../additions/rule-file.js";
import type { Assistant } from "../assistant/controller.js";
import type { SavedDocuments } from "../autosave/saved-documents.js";
import type { StoredFile } from "../autosave/stored-file.js";
import { localItems, type Items } from "../base/items.js";
import { localeOf } from "../base/locale.js";
import type { Workspace } from "../types/workspace.js";
import type { WorkspaceHost } from "../types/workspace-host.js";
import { agentFiles } from "./agent-files.js";
import { chaptersOf, type Chapters } from "./chapters.js";
import { imageIn } from "./folder-images.js";
import { putFolder, storedFolders, storeFolder, type StoredFolder } from "./folders.js";
import { goToLine } from "./go-to-line.js";
import { openMarkdown } from "./markdown-files.js";
import { OpenFile, type FileState } from "./open-file.js";
import { Place, type Access } from "./place.js";
import { RuleTexts } from "./rule-texts.js";

export interface ProjectOptions {
  /** The editor, with the extension `Copydesk`. */
  editor: Editor;
  /** The stored documents. The files need them, because unsaved text must not be lost. */
  saved: SavedDocuments;
  /** The assistant of the editor, which may be working when another file is opened. */
  assistant: Assistant;
  /** The additions of the assistant, which get the rules in the files. */
  additions?: Additions;
  /** The name of the workspace in the browser's storage. Default: `my-book`. */
  name?: string;
  /** The storage of the place and the user's decisions about rules. Default: `localStorage`. */
  items?: Items;
  /** Returns the language of messages, as a tag. Default: that of the page. */
  locale?: () => string;
  /** Called with the files for the assistant, and with the consent to rules in them: the options `workspace` and `ruleFiles`
   * of an agent. */
  onFiles: (files: WorkspaceHost, ruleFiles: AgentOptions["ruleFiles"]) => void;
  /** Called when the files can be read again after they could not: views of them are out of date. */
  onRefresh?: () => void;
  /** Returns the remark for a version that was given up in a conflict. */
  setAsideNote?: () => string;
}

/** A reason for the user why a file or a place was not opened. */
export type ProjectProblem =
  | { readonly is: "failed"; readonly error: unknown }
  /** The folder of the file that was shown is not stored any more. */
  | { readonly is: "unknown_folder" };

/** The state for views. Each change makes a new object, which shares what did not change. */
export interface ProjectState {
  readonly workspace: Workspace;
  /** The folder that has the files; null for the browser's storage. */
  readonly folder: StoredFolder | null;
  /** False while the user has not allowed the use of the folder. */
  readonly access: Access;
  /** The folders that were opened, the one that was chosen last first. */
  readonly folders: readonly StoredFolder[];
  /** The file that the editor shows; null for the user's own document. */
  readonly file: { readonly path: string; readonly state: FileState } | null;
  /** The number of files; null if they are not counted yet, or cannot be listed. */
  readonly fileCount: number | null;
  readonly ruleFiles: readonly RuleFile[];
  /** True if the user's command waits: the assistant works on the document. */
  readonly isBusy: boolean;
  readonly problem: ProjectProblem | null;
}

/** The item with the id of the folder that has the files; absent for the browser's storage. */
const FOLDER = "folder";

export class Project {
  #state: ProjectState;
  #listeners = new Set<() => void>();
  #items: Items;
  #place: Place;
  #file: OpenFile | null = null;
  #rules!: RuleTexts;
  #endWatch: () => void = () => {};
  #ends = new AbortController();
  /** Files are opened and closed one after another. */
  #work: Promise<unknown> = Promise.resolve();
  /** The command that waits for the end of the assistant's work. */
  #waiting: (() => Promise<boolean>) | null = null;

  /** Opens the place that had the files when the page was last loaded, and the file that was shown. */
  static async open(options: ProjectOptions): Promise<Project> {
    const { saved, items = localItems() } = options;
    const folders = await storedFolders().catch((error: unknown) => {
      // Those in the browser can be used nevertheless.
      console.warn(error);
      return [];
    });
    const id = saved.file ? saved.file.folder : items.get(FOLDER);
    const folder = folders.find((each) => each.id === id) ?? null;
    const project = new Project(options, items, folders, folder);
    await project.#place.look();
    if (!saved.isOwned || !saved.file) return project;
    if (saved.file.folder === folder?.id) project.#attach(saved.file);
    else {
      // The user's own document is shown in place of a file whose folder is not stored any more.
      await saved.show();
      project.#set({ problem: { is: "unknown_folder" } });
    }
    return project;
  }

  private constructor(
    private options: ProjectOptions,
    items: Items,
    folders: readonly StoredFolder[],
    folder: StoredFolder | null,
  ) {
    this.#items = items;
    this.#place = this.#placeOf(folder);
    const { workspace, access } = this.#place;
    this.#state = {
      workspace,
      folder,
      access,
      folders,
      file: null,
      fileCount: null,
      ruleFiles: [],
      isBusy: false,
      problem: null,
    };
    const { signal } = this.#ends;
    const endEvents = options.assistant.onEvent((event) => event.type === "doc_update" && this.#file?.agentEdits());
    signal.addEventListener("abort", endEvents);
    addEventListener("pagehide", () => void this.#file?.save(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden && void this.#file?.save(), { signal });
    addEventListener("focus", () => void this.#place.look(), { signal });
    this.#usePlace();
  }

  /** The state, for `useSyncExternalStore` and the like. */
  readonly getSnapshot = (): ProjectState => this.#state;

  /** Calls `listener` after each change of the state. Returns a function that ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  #set(change: Partial<ProjectState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        reportError(error);
      }
    }
  }

  /** The file that the editor shows, with its commands; null for the user's own document. */
  get file(): OpenFile | null {
    return this.#file;
  }

  /** Shows a file in the editor, at a line. Resolves with true when it is shown, and with false when the state says why
   * not. */
  open({ path, line }: { path: string; line?: number }): Promise<boolean> {
    return this.run(async () => {
      const { editor, saved } = this.options;
      const { workspace } = this.#place;
      if (this.#file?.path !== path) {
        if (this.#mustWait(() => this.open({ path, ...(line === undefined ? {} : { line }) }))) return false;
        const { text, version } = await workspace.read(path);
        const { json } = await openMarkdown(editor, text);
        const folder = this.#place.folder ? { folder: this.#place.folder.id } : {};
        await this.#leave(() => saved.show({ file: { ...folder, path, version, source: text }, content: json }));
        if (saved.file) this.#attach(saved.file);
      }
      if (line !== undefined) {
        await this.#file?.save();
        await goToLine(editor, (await workspace.read(path)).text, line);
      }
      return true;
    });
  }

  /** Shows the user's own document in place of a file. Resolves with false if it must wait. */
  close(): Promise<boolean> {
    return this.run(async () => {
      if (!this.#file) return true;
      if (this.#mustWait(() => this.close())) return false;
      await this.#leave(() => this.options.saved.show());
      return true;
    });
  }

  /** Continues with the files of a folder, or of the browser's storage. The file that is shown is saved and closed. */
  choose(folder: StoredFolder | null): Promise<boolean> {
    return this.run(async () => {
      if (folder?.id === this.#place.folder?.id) {
        await this.#place.look();
        return true;
      }
      if (this.#mustWait(() => this.choose(folder))) return false;
      if (this.#file) await this.#leave(() => this.options.saved.show());
      const before = this.#place;
      const chosen = folder && (await putFolder(folder));
      this.#place = this.#placeOf(chosen);
      if (folder) this.#items.set(FOLDER, folder.id);
      else this.#items.remove(FOLDER);
      await this.#place.look();
      const { workspace, access } = this.#place;
      this.#set({ workspace, folder: chosen, access });
      this.#usePlace();
      await before.workspace.close();
      return true;
    });
  }

  /**
   * Continues with the files of a folder that the user picks: `picking` is the result of the browser's dialog, which
   * needs the click and does not wait for the work under way.
   */
  addFolder(picking: Promise<FileSystemDirectoryHandle | null | undefined>): Promise<boolean> {
    return this.run(async () => {
      const handle = await picking;
      if (!handle) return false;
      const folder = await storeFolder(handle);
      this.#set({ folders: await storedFolders() });
      queueMicrotask(() => void this.choose(folder));
      return true;
    });
  }

  /** Asks the user for permission to use the folder. Call it in a click. */
  async askForAccess(): Promise<void> {
    await this.#place.ask().catch((error: unknown) => this.#fail(error));
  }

  /** Stops the assistant, and carries out the command that waits. Resolves as that does. */
  async goOn(): Promise<boolean> {
    const waiting = this.#waiting;
    this.cancel();
    await this.options.assistant.settle();
    return (await waiting?.()) ?? false;
  }

  /** Drops the command that waits. */
  cancel(): void {
    this.#waiting = null;
    if (this.#state.isBusy) this.#set({ isBusy: false });
  }

  /** Clears the problem, which the user has read. */
  dismiss(): void {
    this.#set({ problem: null });
  }

  /** Stores the user's decision about rules in files, with the texts that were shown. */
  decideRules(files: readonly RuleFile[], isUsed: boolean): Promise<void> {
    return this.#rules.decide(files, isUsed);
  }

  /** Returns the chapters of the book, with what was not saved yet. */
  async chapters(): Promise<Chapters> {
    await this.#file?.save();
    return chaptersOf(this.#place.workspace);
  }

  /** Returns an image of the folder that has the files. */
  async image(path: string): Promise<Blob | undefined> {
    const { folder } = this.#place;
    return folder ? imageIn(folder.handle, path) : undefined;
  }

  /** Opens the workspace in the language of the page, after that has changed. */
  localeChanged(): void {
    this.#place.workspace.localeChanged();
  }

  /** Runs something after the commands under way. A failure becomes the problem of the state. */
  run(task: () => Promise<boolean>): Promise<boolean> {
    const done = this.#work.then(task).catch((error: unknown) => {
      this.#fail(error);
      return false;
    });
    this.#work = done;
    return done;
  }

  /** Saves the file that is shown, and releases everything. */
  async dispose(): Promise<void> {
    await this.run(async () => {
      this.#ends.abort();
      await this.#file?.close();
      this.#endWatch();
      await this.#place.workspace.close();
      this.#listeners.clear();
      return true;
    });
  }

  #fail(error: unknown): void {
    this.#set({ problem: { is: "failed", error } });
  }

  #placeOf(folder: StoredFolder | null): Place {
    const { name = "my-book", locale } = this.options;
    const onAccess = (place: Place) => {
      if (place !== this.#place) return;
      this.#set({ access: place.access });
      if (place.access !== "open") return;
      this.options.onRefresh?.();
      this.#rules.look();
      void this.#count();
      void this.#file?.look();
    };
    return new Place(folder, { name, locale: () => localeOf(locale?.()), onAccess });
  }

  /** Gives the files of the place to everything that uses them. */
  #usePlace(): void {
    this.#endWatch();
    const { additions, onFiles } = this.options;
    const { workspace, folder } = this.#place;
    const endCount = workspace.watch(() => void this.#count());
    const listener = (ruleFiles: RuleFile[]) => {
      this.#set({ ruleFiles });
      additions?.setRuleFiles(ruleFiles, (decided, isUsed) => rules.decide(decided, isUsed));
    };
    const rules = new RuleTexts(workspace, folder?.id ?? null, listener, this.#items);
    this.#rules = rules;
    this.#endWatch = () => {
      endCount();
      rules.close();
      this.#set({ ruleFiles: [] });
      additions?.setRuleFiles([]);
    };
    onFiles(
      agentFiles(workspace, () => this.#file),
      rules.accepts,
    );
    void this.#count();
  }

  async #count(): Promise<void> {
    const place = this.#place;
    // Views of the files say why they cannot be listed.
    const files = await place.workspace.list().catch(() => null);
    if (place === this.#place) this.#set({ fileCount: files?.length ?? null });
  }

  #attach(file: StoredFile): void {
    const { editor, saved, locale, setAsideNote } = this.options;
    const opened: OpenFile = new OpenFile(editor, this.#place.workspace, file, {
      onState: (state) => this.#file === opened && this.#set({ file: { path: opened.path, state } }),
      onBase: (base) => saved.setFile(base),
      onTyped: (...given) => this.#rules.typed(...given),
      locale: () => localeOf(locale?.()),
      setAsideNote: () => setAsideNote?.(),
    });
    this.#file = opened;
    this.#set({ file: { path: opened.path, state: opened.state } });
  }

  /** Saves and leaves the file that is shown, and shows another document. */
  async #leave(show: () => Promise<void>): Promise<void> {
    const file = this.#file;
    const { saved, editor } = this.options;
    const isSaved = (await file?.close()) ?? false;
    const isReviewed = editor.storage.copydesk.pending.hunks.length === 0;
    this.#file = null;
    await show();
    this.#set({ file: null });
    if (file && isSaved && isReviewed) await saved.forget(file.key);
  }

  /** Returns true while the assistant works on the document; the user may stop it and continue. */
  #mustWait(command: () => Promise<boolean>): boolean {
    if (!this.options.assistant.state.isWorking) return false;
    this.#waiting = command;
    this.#set({ isBusy: true });
    return true;
  }
}
