/**
 * The file that the editor shows: saves what the user writes, and follows what others write. Nothing is overwritten
 * unseen: a text that others wrote meanwhile is a conflict, and what Markdown cannot hold is named before it is saved.
 */

import type { Editor } from "@tiptap/core";
import { CopydeskError, type NodeJSON } from "copydesk";
import { keyOfFile, type StoredFile } from "../autosave/stored-file.js";
import type { Lost } from "../markdown-document/compare.js";
import type { OpenedMarkdown } from "../markdown-document/opened.js";
import type { WrittenMarkdown } from "../markdown-document/write.js";
import type { Locale } from "../types/index.js";
import type { ChangeAuthor, Workspace, WorkspaceChange } from "../types/workspace.js";
import type { WriteAuthor } from "../types/workspace-host.js";
import { opened, openMarkdown, workerOf } from "./markdown-files.js";
import { changeInto, loadDiff, type Diff } from "./show-text.js";

/** Time between the last change and its saving, in milliseconds. */
const DELAY = 1000;

/**
 * `opening`: it has not been compared with what is shown. `unsaved`: it will be saved in a moment. `removed`: somebody has
 * removed the file. `lossy`: Markdown has no form for `lost`. `conflict`: somebody else has written `theirs` meanwhile.
 * `failed`: it could not be read or written.
 */
export type FileState =
  | { readonly name: "opening" | "saved" | "unsaved" | "removed" }
  | { readonly name: "lossy"; readonly lost: readonly Lost[] }
  | { readonly name: "conflict"; readonly theirs: string; readonly by: ChangeAuthor }
  | { readonly name: "failed"; readonly error: unknown };

export interface OpenFileOptions {
  /** Called with each state. */
  onState: (state: FileState) => void;
  /** Called when the document continues from another version of the file. */
  onBase: (file: StoredFile) => void;
  /** Called before a text that the user has written is saved. */
  onTyped: (path: string, before: string, after: string) => Promise<void>;
  /** Returns the language of messages. */
  locale: () => Locale;
  /** Returns the remark for a version that was given up in a conflict. */
  setAsideNote: () => string | undefined;
}

export class OpenFile {
  state: FileState = { name: "opening" };
  private opened: OpenedMarkdown;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Reads and writes of the file happen one after another. */
  private work: Promise<void> = Promise.resolve();
  private endWatch: () => void;
  private accepted = new Set<string>();
  private author: WriteAuthor = "user";
  private lastAuthor: ChangeAuthor = "outside";
  private isClosed = false;
  private readonly onUpdate = () => this.edited();

  constructor(
    private editor: Editor,
    private workspace: Workspace,
    private base: StoredFile,
    private options: OpenFileOptions,
  ) {
    this.opened = opened(editor, base.source);
    this.endWatch = workspace.watch((change) => this.heard(change));
    editor.on("update", this.onUpdate);
    // If it cannot be loaded, the first use reports this.
    void loadDiff().catch(() => {});
    // It may have been changed, by the user or by others, before the page was loaded.
    void this.look();
  }

  get path(): string {
    return this.base.path;
  }

  /** The Markdown file from which the document continues. */
  get markdown(): OpenedMarkdown {
    return this.opened;
  }

  /** Identifies the file among those of all places. */
  get key(): string {
    return keyOfFile(this.base);
  }

  /** Returns the document as it would be saved. */
  async text(): Promise<string> {
    return (await this.written()).text;
  }

  /** Notes that the assistant changes the document. */
  agentEdits(): void {
    this.author = "agent";
  }

  /** Saves what is not saved. Resolves also when it cannot be saved: `state` says why. */
  save(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    return this.enqueue(() => this.write());
  }

  /** Looks for what others wrote, then saves what is not saved. */
  async look(): Promise<void> {
    await this.compare();
    await this.save();
  }

  /** Saves although Markdown does not hold everything. */
  saveLossy(): Promise<void> {
    if (this.state.name === "lossy") for (const lost of this.state.lost) this.accepted.add(keyOf(lost));
    return this.save();
  }

  /** Ends a conflict. The text that is not taken becomes a version of the file. */
  resolve(side: "mine" | "theirs"): Promise<void> {
    return this.enqueue(async () => {
      const [theirs, diff] = await Promise.all([this.workspace.read(this.path), loadDiff()]);
      const shown = side === "theirs" ? await openMarkdown(this.editor, theirs.text) : undefined;
      const { doc } = this.editor.state;
      const { text, opened } = await this.written();
      const mine = await this.workspace.write(this.path, text, {
        expected: theirs.version,
        note: shown && this.options.setAsideNote(),
      });
      if (!shown) return this.goOn(mine.version, opened, doc === this.editor.state.doc);
      const { version } = await this.workspace.write(this.path, theirs.text, { expected: mine.version });
      if (doc === this.editor.state.doc) return this.follow(shown, version, diff);
      // Text that was typed meanwhile is in no version: the user is asked again.
      void this.compare();
    });
  }

  /** Creates the file again after it was removed. */
  writeAgain(): Promise<void> {
    return this.enqueue(async () => {
      const { doc } = this.editor.state;
      const { text, opened } = await this.written();
      const { version } = await this.workspace.write(this.path, text, { expected: null });
      this.goOn(version, opened, doc === this.editor.state.doc);
    });
  }

  /** Saves and stops following the file. Returns true if everything is in the file. */
  async close(): Promise<boolean> {
    await this.save();
    this.isClosed = true;
    this.endWatch();
    this.editor.off("update", this.onUpdate);
    clearTimeout(this.timer);
    return this.state.name === "saved";
  }

  private edited(): void {
    if (this.isClosed) return;
    if (this.state.name === "saved" || this.state.name === "opening") this.become({ name: "unsaved" });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), DELAY);
  }

  private heard({ path, kind, from, author, version }: WorkspaceChange): void {
    if (kind === "renamed" && from === this.path) {
      this.base = { ...this.base, path };
      this.options.onBase(this.base);
      this.options.onState(this.state);
    } else if (path === this.path && (version !== this.base.version || this.state.name === "removed")) {
      this.lastAuthor = author;
      void this.compare();
    }
  }

  private compare(): Promise<void> {
    return this.enqueue(async () => {
      if (this.isClosed) return;
      let file;
      try {
        file = await this.workspace.read(this.path);
      } catch (error) {
        if (codeOf(error) !== "file_not_found") throw error;
        return this.become({ name: "removed" });
      }
      if (file.version === this.base.version) {
        if (this.state.name !== "removed") return;
        // Somebody wrote it again.
        this.become({ name: "unsaved" });
        return this.write();
      }
      const diff = await loadDiff();
      for (;;) {
        const { doc } = this.editor.state;
        const mine = await this.text();
        if (this.isClosed) return;
        if (mine !== this.base.source && mine !== file.text) {
          return this.become({ name: "conflict", theirs: file.text, by: this.lastAuthor });
        }
        const theirs = await openMarkdown(this.editor, file.text);
        // Text that was typed meanwhile would be lost.
        if (doc === this.editor.state.doc) return this.follow(theirs, file.version, diff);
      }
    });
  }

  private async write(): Promise<void> {
    if (this.isClosed || this.state.name === "removed" || this.state.name === "conflict") return;
    const author = this.author;
    const { text, lost, opened } = await this.written();
    // What Markdown has no form for is named, also where the text is the same without it.
    if (lost.some((each) => !this.accepted.has(keyOf(each)))) return this.become({ name: "lossy", lost });
    // Text that was written meanwhile is saved next.
    if (text === this.base.source) return this.become({ name: this.timer === undefined ? "saved" : "unsaved" });
    try {
      if (author === "user") await this.options.onTyped(this.path, this.base.source, text);
      const { version } = await this.workspace.write(this.path, text, { expected: this.base.version, author });
      this.author = "user";
      this.goOn(version, opened, this.timer === undefined);
    } catch (error) {
      if (codeOf(error) !== "file_changed" && codeOf(error) !== "file_not_found") throw error;
      void this.compare();
    }
  }

  /** Writes the document in the worker. The user can type meanwhile. */
  private written(): Promise<WrittenMarkdown> {
    const document = this.editor.getJSON() as NodeJSON;
    return workerOf(this.editor).write(this.opened, document, { locale: this.options.locale() });
  }

  /** Shows the text that others wrote. */
  private follow(opened: OpenedMarkdown, version: string, diff: Diff): void {
    if (this.isClosed) return;
    changeInto(this.editor, opened.json, diff);
    clearTimeout(this.timer);
    this.timer = undefined;
    this.goOn(version, opened);
  }

  private goOn(version: string, opened: OpenedMarkdown, isSaved = true): void {
    this.opened = opened;
    this.base = { ...this.base, version, source: opened.source };
    this.options.onBase(this.base);
    this.become({ name: isSaved ? "saved" : "unsaved" });
  }

  private become(state: FileState): void {
    this.state = state;
    if (!this.isClosed) this.options.onState(state);
  }

  private enqueue(run: () => Promise<void>): Promise<void> {
    this.work = this.work.then(run).catch((error: unknown) => {
      // Tries that fail alike are said once.
      if (this.state.name === "failed" && reasonOf(this.state.error) === reasonOf(error)) return;
      this.become({ name: "failed", error });
    });
    return this.work;
  }
}

/** Losses of one kind are accepted once, lost text each time. */
function keyOf({ kind, node, name, text }: Lost): string {
  return [kind, node, name, kind === "content" ? text : ""].join(" ");
}

function codeOf(error: unknown): string {
  return error instanceof CopydeskError ? error.code : "";
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
