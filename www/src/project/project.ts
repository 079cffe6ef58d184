/**
 * The files of the user's book: the place that has them, the file that the editor shows, and the panels.
 * Loaded when the user first opens one of the panels.
 */
import type { Editor } from "@tiptap/core";
import type { Workspace } from "copydesk/workspace";
import { readMarkdown } from "copydesk/markdown";
import type { Chat } from "../chat/chat";
import { h, set } from "../dom";
import { icon } from "../icons";
import type { Layout } from "../layout";
import { reasonOf } from "../lazy";
import { RuleFiles } from "../plugins/rule-files";
import { localize, messages, type Messages } from "../locale";
import "copydesk/ui/checks";
import "copydesk/ui/search";
import type { CopydeskChecks, CopydeskEvents, CopydeskFiles, CopydeskSearch } from "copydesk/ui";
import { pickFolder } from "copydesk/ui/files";
import type { SavedState } from "../saved-state";
import type { Session } from "../session";
import { loadItem, removeItem, saveItem } from "../storage";
import type { StoredFile } from "../store/database";
import { putFolder, storeFolder, storedFolders, type StoredFolder } from "../store/folders";
import { agentFiles } from "./agent-files";
import { chaptersOf, type Chapters } from "./chapters";
import { askConflict } from "./conflict-dialog";
import { imageIn } from "./folder-images";
import { goToLine } from "./go-to";
import { OpenFile, type FileState } from "./open-file";
import { Place } from "./place";
import { AccessGate, accessText, PlaceBar } from "./place-bar";
import { askForConsent } from "./rules-notice";
import { addSample } from "./sample";

/** The id of the folder that has the files, in `localStorage`; absent for the browser's storage. */
const FOLDER = "folder";

export interface ProjectOptions {
  editor: Editor;
  saved: SavedState;
  session: Session;
  chat: Chat;
  layout: Layout;
}

/** A panel of the files. */
type Panel = CopydeskChecks | CopydeskFiles | CopydeskSearch;

/** A panel on the page, and what stands in its place without permission. */
interface Mounted {
  panel: Panel;
  gate: AccessGate;
}

export class Project {
  private file: OpenFile | null = null;
  private filesPanel: CopydeskFiles | null = null;
  private sample: HTMLElement | null = null;
  private own: HTMLButtonElement | null = null;
  private mounted: Mounted[] = [];
  private places = new PlaceBar({
    onChoose: (folder) => void this.choose(folder),
    onOpen: () => void this.openFolder(),
  });
  private endWatch: () => void = () => {};
  /** The files of the place with rules. */
  private rules!: RuleFiles;
  /** Files are opened and closed one after another. */
  private work: Promise<void> = Promise.resolve();

  /** Opens the place that had the files when the page was last loaded. */
  static async open(options: ProjectOptions): Promise<Project> {
    const { saved } = options;
    const folders = await storedFolders().catch((error: unknown) => {
      // Those in the browser can be used nevertheless.
      console.warn(error);
      return [];
    });
    const id = saved.file ? saved.file.folder : loadItem(FOLDER);
    const folder = folders.find((each) => each.id === id) ?? null;
    const project = new Project(options, folders, folder);
    await project.place.look();
    if (saved.owned && saved.file) {
      if (saved.file.folder === folder?.id) project.attach(saved.file);
      else await project.leaveUnknown();
    }
    return project;
  }

  private place: Place;

  private constructor(
    private options: ProjectOptions,
    private folders: StoredFolder[],
    folder: StoredFolder | null,
  ) {
    this.place = this.placeOf(folder);
    const { chat, saved, layout } = options;
    chat.assistant.onEvent((event) => {
      if (event.type === "doc_update") this.file?.agentEdits();
    });
    addEventListener("pagehide", () => void this.file?.save());
    document.addEventListener("visibilitychange", () => document.hidden && void this.file?.save());
    addEventListener("focus", () => void this.place.look());
    localize((m) => this.draw(m));
    this.usePlace();
    if (!saved.owned) layout.setReadOnly(true);
  }

  /** Shows the user's own document in place of a file whose folder is not stored any more. */
  private async leaveUnknown(): Promise<void> {
    const { saved, layout } = this.options;
    await saved.show();
    layout.notices.show("open", (m) => m.files.places.unknown, [
      { name: (m) => m.close, run: () => layout.notices.remove("open") },
    ]);
  }

  mountFiles(panel: HTMLElement): void {
    const own = h("button", { type: "button", class: "own-document" }, icon("read"), h("span"));
    own.addEventListener("click", () => void this.close().then(() => this.options.layout.closeOutline()));
    const files = document.createElement("copydesk-files");
    const hint = h("p", {});
    const open = h("button", { type: "button", class: "button small" });
    const sample = h("div", { class: "sample-offer", hidden: true }, hint, open);
    open.addEventListener("click", () => void this.openSample());
    panel.append(own, this.places.element);
    this.mount(panel, files);
    panel.append(sample);
    [this.filesPanel, this.sample, this.own] = [files, sample, own];
    localize((m) => {
      own.querySelector("span")!.textContent = m.files.ownDocument;
      hint.textContent = m.files.emptyHint;
      open.textContent = m.files.openSample;
    });
    this.draw(messages());
    void this.count();
  }

  mountSearch(panel: HTMLElement): void {
    this.mount(panel, document.createElement("copydesk-search"));
  }

  mountChecks(panel: HTMLElement): void {
    this.mount(panel, document.createElement("copydesk-checks"));
  }

  /** Shows a file in the editor, at a line. */
  open({ path, line }: CopydeskEvents["open-file"]["detail"]): Promise<void> {
    return this.enqueue(async () => {
      const { editor, saved, layout } = this.options;
      if (this.file?.path !== path) {
        if (this.isBusy(() => this.open({ path, ...(line ? { line } : {}) }))) return;
        const { text, version } = await this.workspace.read(path);
        const { json } = readMarkdown(text, editor.schema);
        const folder = this.place.folder ? { folder: this.place.folder.id } : {};
        await this.leave(() => saved.show({ file: { ...folder, path, version, source: text }, content: json }));
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
      this.draw(messages());
    });
  }

  /** Goes on with the files of a folder, or of the browser's storage. The open file is saved and closed. */
  private choose(folder: StoredFolder | null): Promise<void> {
    return this.enqueue(async () => {
      if (folder?.id === this.place.folder?.id) return this.place.look();
      if (this.isBusy(() => this.choose(folder))) return;
      if (this.file) await this.leave(() => this.options.saved.show());
      const before = this.place;
      this.place = this.placeOf(folder && (await putFolder(folder)));
      if (folder) saveItem(FOLDER, folder.id);
      else removeItem(FOLDER);
      await this.place.look();
      this.usePlace();
      await before.workspace.close();
    });
  }

  /** Lets the user pick a folder of the computer, and goes on with its files. */
  private openFolder(): Promise<void> {
    // The browser's dialog needs the click, so it does not wait for the work under way.
    const picking = pickFolder("readwrite");
    return this.enqueue(async () => {
      const handle = await picking;
      if (!handle) return;
      const folder = await storeFolder(handle);
      this.folders = await storedFolders();
      queueMicrotask(() => void this.choose(folder));
    });
  }

  private placeOf(folder: StoredFolder | null): Place {
    return new Place(folder, (place) => {
      if (place !== this.place) return;
      this.draw(messages());
      if (place.access !== "open") return;
      for (const { panel } of this.mounted) panel.refresh();
      this.rules.look();
      void this.count();
      void this.file?.look();
    });
  }

  private get workspace(): Workspace {
    return this.place.workspace;
  }

  /** Gives the files of the place to everything that uses them. */
  private usePlace(): void {
    this.endWatch();
    const endCount = this.workspace.watch(() => void this.count());
    const { session, layout } = this.options;
    const { folder, name } = this.place;
    const rules = new RuleFiles(this.workspace, folder?.id ?? null, (files) => {
      session.additions.setRuleFiles(files, (decided, isUsed) => rules.decide(decided, isUsed));
      askForConsent(layout, name ?? "", files, (decided, isUsed) => void rules.decide(decided, isUsed));
    });
    this.rules = rules;
    this.endWatch = () => {
      endCount();
      rules.close();
      session.additions.setRuleFiles([]);
      layout.notices.remove("rules");
    };
    for (const { panel } of this.mounted) panel.workspace = this.workspace;
    session.useFiles(
      agentFiles(this.workspace, () => this.file),
      rules.accepts,
    );
    this.draw(messages());
    void this.count();
  }

  private async ask(): Promise<void> {
    const { place } = this;
    await place.ask().catch((error: unknown) => this.showError(error));
  }

  /** Returns the chapters of the book, with what was not saved yet. */
  async chapters(): Promise<Chapters> {
    await this.file?.save();
    return chaptersOf(this.workspace);
  }

  /** Returns an image of the folder that has the files. */
  async image(path: string): Promise<Blob | undefined> {
    const { folder } = this.place;
    return folder ? imageIn(folder.handle, path) : undefined;
  }

  private attach(file: StoredFile): void {
    const { editor, saved } = this.options;
    this.file = new OpenFile(editor, this.workspace, file, {
      onState: (state) => this.showState(state),
      onBase: (base) => saved.setFile(base),
      onTyped: (...given) => this.rules.typed(...given),
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
    if (file && isSaved && isReviewed) await saved.forget(file.key);
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
    const { place } = this;
    // The panels say why the files cannot be listed.
    const files = await place.workspace.list().catch(() => null);
    if (place !== this.place) return;
    // The sample is no part of a folder of the user's.
    if (this.sample) this.sample.hidden = place.folder !== null || files?.length !== 0;
    this.options.session.fileCount = files?.length ?? 0;
    this.options.chat.drawWelcome();
  }

  private mount(element: HTMLElement, panel: Panel): void {
    const gate = new AccessGate(panel, () => void this.ask());
    this.mounted.push({ panel, gate });
    panel.workspace = this.workspace;
    element.append(gate.element, panel);
    this.listen(element);
    gate.draw(messages(), this.place);
  }

  private listen(panel: HTMLElement): void {
    panel.classList.add("edits");
    panel.inert = panel.closest(".app.read-only") !== null;
    panel.addEventListener("open-file", (event) => void this.open((event as CopydeskEvents["open-file"]).detail));
  }

  private showState(state: FileState): void {
    this.drawBar(messages());
    const { notices } = this.options.layout;
    const { file, place } = this;
    if (!file) return;
    const { path } = file;
    if (this.needsAccess(state))
      return notices.show("file", (m) => m.files.places.kept(accessText(m, place.access, place.name ?? "")), [
        { name: (m) => m.files.places.allow, run: () => void this.ask() },
      ]);
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
        return notices.show("file", (m) => m.files.failed(state.reason(m)), [
          { name: (m) => m.tryAgain, run: () => void file.look() },
        ]);
      default:
        return notices.remove("file");
    }
  }

  /** Returns true if permission is what the file needs first. */
  private needsAccess({ name }: FileState): boolean {
    return this.place.access !== "open" && name !== "conflict" && name !== "lossy";
  }

  private async compare(file: OpenFile, theirs: string): Promise<void> {
    const side = await askConflict(file.path, file.text, theirs);
    if (side) await file.resolve(side);
  }

  /** Draws what depends on the place and the file. */
  private draw(m: Messages): void {
    this.places.draw(m, this.place, this.folders);
    for (const { gate } of this.mounted) gate.draw(m, this.place);
    if (this.file) this.showState(this.file.state);
    else this.drawBar(m);
  }

  private drawBar(m: Messages): void {
    this.options.session.documentPath = this.file?.path;
    const bar = this.options.layout.fileBar;
    const { file } = this;
    bar.hidden = !file;
    if (this.filesPanel) this.filesPanel.current = file?.path;
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
      h(
        "span",
        { class: "file-state", "data-state": file.state.name },
        this.needsAccess(file.state) ? m.files.places.noAccess : m.files.states[file.state.name],
      ),
      close,
    );
    if (hadFocus) close.focus();
  }

  private enqueue(run: () => Promise<void>): Promise<void> {
    this.work = this.work.then(run).catch((error: unknown) => this.showError(error));
    return this.work;
  }

  private showError(error: unknown): void {
    const { notices } = this.options.layout;
    notices.show("open", reasonOf(error), [{ name: (m) => m.close, run: () => notices.remove("open") }]);
  }
}
