/**
 * The files of the user's book on the page: the panels, the bar above the document, and the questions to the user. Loaded
 * when the user first opens one of the panels.
 */
import type { Editor } from "@tiptap/core";
import type { SavedDocuments } from "copydesk/autosave";
import { Project, type Chapters, type FileState, type OpenFile, type ProjectState } from "copydesk/project";
import "copydesk/ui/checks";
import "copydesk/ui/search";
import type { CopydeskChecks, CopydeskEvents, CopydeskFiles, CopydeskSearch } from "copydesk/ui";
import { pickFolder } from "copydesk/ui/files";
import type { Chat } from "../chat/chat";
import { h, set } from "../dom";
import { icon } from "../icons";
import type { Layout } from "../layout";
import { reasonOf } from "../lazy";
import { localize, locale, messages, type Messages } from "../locale";
import type { Session } from "../session";
import { askConflict } from "./conflict-dialog";
import { AccessGate, accessText, PlaceBar } from "./place-bar";
import { askForConsent } from "./rules-notice";
import { addSample } from "./sample";

export interface ProjectViewOptions {
  editor: Editor;
  saved: SavedDocuments;
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

export class ProjectView {
  private filesPanel: CopydeskFiles | null = null;
  private sample: HTMLElement | null = null;
  private own: HTMLButtonElement | null = null;
  private mounted: Mounted[] = [];
  private places = new PlaceBar({
    onChoose: (folder) => void this.project.choose(folder),
    onOpen: () => void this.project.addFolder(pickFolder("readwrite")),
  });
  /** The state that was drawn. */
  private drawn: Partial<ProjectState> = {};
  private endWatch: () => void = () => {};

  /** Opens the place that had the files when the page was last loaded. */
  static async open(options: ProjectViewOptions): Promise<ProjectView> {
    const { editor, saved, session, chat } = options;
    let view: ProjectView | undefined;
    const project = await Project.open({
      editor,
      saved,
      assistant: chat.assistant,
      additions: session.additions,
      locale,
      onFiles: (files, ruleFiles) => session.useFiles(files, ruleFiles),
      onRefresh: () => view?.mounted.forEach(({ panel }) => panel.refresh()),
      setAsideNote: () => messages().files.setAside,
    });
    view = new ProjectView(options, project);
    return view;
  }

  private constructor(
    private options: ProjectViewOptions,
    private project: Project,
  ) {
    project.subscribe(() => this.stateChanged());
    localize((m) => {
      project.localeChanged();
      this.draw(m);
    });
    this.stateChanged();
    if (!options.saved.isOwned) options.layout.setReadOnly(true);
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
  }

  mountSearch(panel: HTMLElement): void {
    this.mount(panel, document.createElement("copydesk-search"));
  }

  mountChecks(panel: HTMLElement): void {
    this.mount(panel, document.createElement("copydesk-checks"));
  }

  /** Shows a file in the editor, at a line. */
  async open(detail: CopydeskEvents["open-file"]["detail"]): Promise<void> {
    if (await this.project.open(detail)) this.options.layout.closeOutline();
  }

  /** Shows the user's own document in place of a file. */
  async close(): Promise<void> {
    await this.project.close();
  }

  /** Returns the chapters of the book, with what was not saved yet. */
  chapters(): Promise<Chapters> {
    return this.project.chapters();
  }

  /** The file that the editor shows. */
  get file(): OpenFile | undefined {
    return this.project.file ?? undefined;
  }

  /** Returns an image of the folder that has the files. */
  image(path: string): Promise<Blob | undefined> {
    return this.project.image(path);
  }

  private get state(): ProjectState {
    return this.project.getSnapshot();
  }

  private async openSample(): Promise<void> {
    let first: string | undefined;
    await this.project.run(async () => {
      first = await addSample(this.state.workspace);
      return true;
    });
    if (first !== undefined) await this.open({ path: first });
  }

  private mount(element: HTMLElement, panel: Panel): void {
    const gate = new AccessGate(panel, () => void this.project.askForAccess());
    this.mounted.push({ panel, gate });
    panel.workspace = this.state.workspace;
    element.append(gate.element, panel);
    element.classList.add("edits");
    element.inert = element.closest(".app.read-only") !== null;
    element.addEventListener("open-file", (event) => void this.open((event as CopydeskEvents["open-file"]).detail));
    gate.draw(messages(), this.state);
  }

  /** Draws what a change of the state concerns. */
  private stateChanged(): void {
    const [before, now] = [this.drawn, this.state];
    this.drawn = now;
    const { session, chat, layout } = this.options;
    if (now.workspace !== before.workspace) {
      for (const { panel } of this.mounted) panel.workspace = now.workspace;
      this.endWatch();
      // The recorded runs fit the texts of files.
      this.endWatch = now.workspace.watch(() => chat.drawWelcome());
    }
    if (now.fileCount !== before.fileCount) {
      session.fileCount = now.fileCount ?? 0;
      chat.drawWelcome();
    }
    if (now.ruleFiles !== before.ruleFiles)
      askForConsent(layout, now.folder?.handle.name ?? "", now.ruleFiles, (files, isUsed) => {
        void this.project.decideRules(files, isUsed);
      });
    if (now.isBusy !== before.isBusy) this.showBusy(now.isBusy);
    if (now.problem !== before.problem) this.showProblem(now.problem);
    const drawn = ["folder", "access", "folders", "file", "fileCount"] as const;
    if (drawn.some((name) => now[name] !== before[name])) this.draw(messages());
  }

  /** Says that the assistant works on the document; the user may stop it and go on. */
  private showBusy(isBusy: boolean): void {
    const { notices, closeOutline } = this.options.layout;
    if (!isBusy) return notices.remove("busy");
    const stop = async () => {
      if (await this.project.goOn()) closeOutline();
    };
    notices.show("busy", (m) => m.files.busy, [
      { name: (m) => m.files.stopAndOpen, run: () => void stop() },
      { name: (m) => m.close, run: () => this.project.cancel() },
    ]);
  }

  private showProblem(problem: ProjectState["problem"]): void {
    const { notices } = this.options.layout;
    if (!problem) return notices.remove("open");
    const text = problem.is === "failed" ? reasonOf(problem.error) : (m: Messages) => m.files.places.unknown;
    notices.show("open", text, [{ name: (m) => m.close, run: () => this.project.dismiss() }]);
  }

  private showFile(): void {
    const { notices } = this.options.layout;
    const { project, state } = this;
    const { file } = project;
    if (!file || !state.file) return notices.remove("file");
    const { path, state: fileState } = state.file;
    if (this.needsAccess(fileState))
      return notices.show("file", (m) => m.files.places.kept(accessText(m, state)), [
        { name: (m) => m.files.places.allow, run: () => void project.askForAccess() },
      ]);
    switch (fileState.name) {
      case "conflict":
        return notices.show("file", (m) => m.files.conflict(path, m.files.authors[fileState.by]), [
          { name: (m) => m.files.compare, run: () => void this.compare(file, fileState.theirs) },
          { name: (m) => m.files.takeMine, run: () => void file.resolve("mine") },
          { name: (m) => m.files.takeTheirs, run: () => void file.resolve("theirs") },
        ]);
      case "lossy":
        return notices.show("file", (m) => m.files.lossy(fileState.lost.map(({ message }) => message)), [
          { name: (m) => m.files.saveAnyway, run: () => void file.saveLossy() },
        ]);
      case "removed":
        return notices.show("file", (m) => m.files.removed(path), [
          { name: (m) => m.files.writeAgain, run: () => void file.writeAgain() },
          { name: (m) => m.files.closeFile, run: () => void this.close() },
        ]);
      case "failed": {
        const [reason, again] = [reasonOf(fileState.error), () => void file.look()];
        return notices.failed("file", (m) => m.files.failed(reason(m)), again);
      }
      default:
        return notices.remove("file");
    }
  }

  /** Returns true if permission is what the file needs first. */
  private needsAccess({ name }: FileState): boolean {
    return this.state.access !== "open" && name !== "conflict" && name !== "lossy";
  }

  private async compare(file: OpenFile, theirs: string): Promise<void> {
    const side = await askConflict(file.path, await file.text(), theirs);
    if (side) await file.resolve(side);
  }

  /** Draws what depends on the place and the file. */
  private draw(m: Messages): void {
    const { state } = this;
    this.places.draw(m, state);
    for (const { gate } of this.mounted) gate.draw(m, state);
    // The sample is no part of a folder of the user's.
    if (this.sample) this.sample.hidden = state.folder !== null || state.fileCount !== 0;
    this.drawBar(m);
    this.showFile();
  }

  private drawBar(m: Messages): void {
    const { file } = this.state;
    this.options.session.documentPath = file?.path;
    const bar = this.options.layout.fileBar;
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
}
