/**
 * The files of the user's book: the workspace in the browser's storage, the file that the editor shows, and the panels.
 * Loaded when the user first opens one of the panels.
 */
import type { Editor } from "@tiptap/core";
import { indexedDBWorkspace, type Workspace } from "copydesk/workspace";
import { readMarkdown } from "copydesk/markdown";
import type { Chat } from "../chat/chat";
import { h, set } from "../dom";
import { icon } from "../icons";
import type { Layout } from "../layout";
import { localize, messages, type Messages } from "../locale";
import { definePanels, type ChecksPanel, type FilesPanel, type OpenFileDetail, type SearchPanel } from "../panels";
import type { SavedState } from "../saved-state";
import type { Session } from "../session";
import type { StoredFile } from "../store/database";
import { agentFiles } from "./agent-files";
import { askConflict } from "./conflict-dialog";
import { goToLine } from "./go-to";
import { OpenFile, type FileState } from "./open-file";
import { addSample } from "./sample";

/** The workspace's name, which zip files have as well. */
const NAME = "my-book";

export interface ProjectOptions {
  editor: Editor;
  saved: SavedState;
  session: Session;
  chat: Chat;
  layout: Layout;
}

export class Project {
  readonly workspace: Workspace = indexedDBWorkspace(NAME);
  private file: OpenFile | null = null;
  private filesPanel: FilesPanel | null = null;
  private sample: HTMLElement | null = null;
  private own: HTMLButtonElement | null = null;
  /** Files are opened and closed one after another. */
  private work: Promise<void> = Promise.resolve();

  constructor(private options: ProjectOptions) {
    definePanels();
    const { session, saved, layout } = options;
    session.subscribe((event) => {
      if (event.type === "doc_update") this.file?.agentEdits();
    });
    addEventListener("pagehide", () => void this.file?.save());
    document.addEventListener("visibilitychange", () => document.hidden && void this.file?.save());
    this.workspace.watch(() => void this.count());
    localize((m) => this.drawBar(m));
    if (saved.owned && saved.file) this.attach(saved.file);
    session.useFiles(agentFiles(this.workspace, () => this.file));
    void this.count();
    if (!saved.owned) layout.setReadOnly(true);
  }

  mountFiles(panel: HTMLElement): void {
    const own = h("button", { type: "button", class: "own-document" }, icon("read"), h("span"));
    own.addEventListener("click", () => void this.close().then(() => this.options.layout.closeOutline()));
    const files = document.createElement("copydesk-files") as FilesPanel;
    files.workspace = this.workspace;
    const hint = h("p", {});
    const open = h("button", { type: "button", class: "button small" });
    const sample = h("div", { class: "sample-offer", hidden: true }, hint, open);
    open.addEventListener("click", () => void this.openSample());
    panel.append(own, files, sample);
    this.listen(panel);
    [this.filesPanel, this.sample, this.own] = [files, sample, own];
    localize((m) => {
      own.querySelector("span")!.textContent = m.files.ownDocument;
      hint.textContent = m.files.emptyHint;
      open.textContent = m.files.openSample;
    });
    this.drawBar(messages());
    void this.count();
  }

  mountSearch(panel: HTMLElement): void {
    const search = document.createElement("copydesk-search") as SearchPanel;
    search.workspace = this.workspace;
    panel.append(search);
    this.listen(panel);
  }

  mountChecks(panel: HTMLElement): void {
    const checks = document.createElement("copydesk-checks") as ChecksPanel;
    checks.workspace = this.workspace;
    panel.append(checks);
    this.listen(panel);
  }

  /** Shows a file in the editor, at a line. */
  open({ path, line }: OpenFileDetail): Promise<void> {
    return this.enqueue(async () => {
      const { editor, saved, layout } = this.options;
      if (this.file?.path !== path) {
        if (this.isBusy(() => this.open({ path, ...(line ? { line } : {}) }))) return;
        const { text, version } = await this.workspace.read(path);
        const { json } = readMarkdown(text, editor.schema);
        await this.leave(() => saved.show({ file: { path, version, source: text }, content: json }));
        if (saved.file) this.attach(saved.file);
      }
      if (line !== undefined) {
        await this.file?.save();
        goToLine(editor, (await this.workspace.read(path)).text, line);
      }
      layout.closeOutline();
    });
  }

  /** Shows the user's own document in place of a file. */
  close(): Promise<void> {
    return this.enqueue(async () => {
      if (!this.file || this.isBusy(() => this.close())) return;
      await this.leave(() => this.options.saved.show());
      this.drawBar(messages());
    });
  }

  /** Returns the texts of the chapters, or of all Markdown files if no name is that of a chapter. */
  async chapters(): Promise<string[]> {
    await this.file?.save();
    const paths = (await this.workspace.list())
      .map(({ path }) => path)
      .filter((path) => /\.(?:md|markdown)$/i.test(path));
    const numbered = paths.filter((path) => /(?:^|\/)(?:ch(?:apter)?[-_ ]?\d+|第.+章)[^/]*$/i.test(path));
    const order = new Intl.Collator("zh", { numeric: true });
    const chosen = (numbered.length ? numbered : paths).sort(order.compare);
    return Promise.all(chosen.map(async (path) => (await this.workspace.read(path)).text));
  }

  private attach(file: StoredFile): void {
    const { editor, saved } = this.options;
    this.file = new OpenFile(editor, this.workspace, file, {
      onState: (state) => this.showState(state),
      onBase: (base) => saved.setFile(base),
      setAsideNote: () => messages().files.setAside,
    });
    this.showState(this.file.state);
  }

  /** Saves and leaves the open file, and shows another document. */
  private async leave(show: () => Promise<void>): Promise<void> {
    const { file } = this;
    const { saved, editor, layout } = this.options;
    const isSaved = (await file?.close()) ?? false;
    const isReviewed = editor.storage.copydesk.pending.hunks.length === 0;
    this.file = null;
    layout.notices.remove("file");
    await show();
    if (file && isSaved && isReviewed) await saved.forget(file.path);
  }

  /** Returns true while the assistant works on the document; the user may stop it and go on. */
  private isBusy(goOn: () => Promise<void>): boolean {
    const { chat, layout } = this.options;
    if (!chat.working) return false;
    const stop = async () => {
      layout.notices.remove("busy");
      await chat.settle();
      await goOn();
    };
    layout.notices.show("busy", (m) => m.files.busy, [
      { name: (m) => m.files.stopAndOpen, run: () => void stop() },
      { name: (m) => m.close, run: () => layout.notices.remove("busy") },
    ]);
    return true;
  }

  private async openSample(): Promise<void> {
    await this.enqueue(async () => {
      const first = await addSample(this.workspace);
      if (first !== undefined) queueMicrotask(() => void this.open({ path: first }));
    });
  }

  /** Tells the parts of the page how many files there are. */
  private async count(): Promise<void> {
    const files = await this.workspace.list().catch(() => null);
    if (!files) return;
    if (this.sample) this.sample.hidden = files.length > 0;
    this.options.session.fileCount = files.length;
    this.options.chat.drawWelcome();
  }

  private listen(panel: HTMLElement): void {
    panel.classList.add("edits");
    panel.inert = panel.closest(".app.read-only") !== null;
    panel.addEventListener("open-file", (event) => void this.open((event as CustomEvent<OpenFileDetail>).detail));
  }

  private showState(state: FileState): void {
    this.drawBar(messages());
    const { notices } = this.options.layout;
    const { file } = this;
    if (!file) return;
    const { path } = file;
    switch (state.name) {
      case "conflict":
        return notices.show("file", (m) => m.files.conflict(path, m.files.authors[state.by]), [
          { name: (m) => m.files.compare, run: () => void this.compare(file, state.theirs) },
          { name: (m) => m.files.takeMine, run: () => void file.resolve("mine") },
          { name: (m) => m.files.takeTheirs, run: () => void file.resolve("theirs") },
        ]);
      case "lossy":
        return notices.show("file", (m) => m.files.lossy(state.lost.map(({ message }) => message)), [
          { name: (m) => m.files.saveAnyway, run: () => void file.saveLossy() },
        ]);
      case "removed":
        return notices.show("file", (m) => m.files.removed(path), [
          { name: (m) => m.files.writeAgain, run: () => void file.writeAgain() },
          { name: (m) => m.files.closeFile, run: () => void this.close() },
        ]);
      case "failed":
        return notices.show("file", (m) => m.files.failed(state.message), [
          { name: (m) => m.tryAgain, run: () => void file.save() },
        ]);
      default:
        return notices.remove("file");
    }
  }

  private async compare(file: OpenFile, theirs: string): Promise<void> {
    const side = await askConflict(file.path, file.text, theirs);
    if (side) await file.resolve(side);
  }

  private drawBar(m: Messages): void {
    this.options.session.documentPath = this.file?.path;
    const bar = this.options.layout.fileBar;
    const { file } = this;
    bar.hidden = !file;
    if (this.filesPanel) this.filesPanel.current = file?.path ?? null;
    if (this.own) set(this.own, { "aria-current": file ? undefined : "true" });
    if (!file) return bar.replaceChildren();
    const hadFocus = bar.contains(document.activeElement);
    const close = h(
      "button",
      { type: "button", class: "tool", "aria-label": m.files.closeFile, title: m.files.closeFile },
      icon("close"),
    );
    close.addEventListener("click", () => void this.close());
    bar.replaceChildren(
      h("span", { class: "file-path" }, file.path),
      h("span", { class: "file-state", "data-state": file.state.name }, m.files.states[file.state.name]),
      close,
    );
    if (hadFocus) close.focus();
  }

  private enqueue(run: () => Promise<void>): Promise<void> {
    const { notices } = this.options.layout;
    this.work = this.work.then(run).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      notices.show("open", () => message, [{ name: (m) => m.close, run: () => notices.remove("open") }]);
    });
    return this.work;
  }
}
