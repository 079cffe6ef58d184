/**
 * The files of the user's book on the page: the panels, the bar above the document, and the questions to the user. Loaded
 * when the user first opens one of the panels.
 */
import type { Editor } from "@tiptap/core";
import type { SavedDocuments } from "copydesk/autosave";
import {
  Project,
  type Chapters,
  type FileState,
  type OpenFile,
  type ProjectState,
  type StoredFolder,
} from "copydesk/project";
import "copydesk/ui/checks";
import "copydesk/ui/search";
import type { CopydeskChecks, CopydeskEvents, CopydeskFiles, CopydeskSearch } from "copydesk/ui";
import { pickFolder } from "copydesk/ui/files";
import { html, nothing, type TemplateResult } from "lit";
import type { Chat } from "../chat/chat";
import { drawIn, type Template } from "../draw";
import { icon } from "../icons";
import type { Layout } from "../layout";
import { reasonOf } from "../lazy";
import { localize, locale, messages, type Messages } from "../locale";
import type { Session } from "../session";
import { askConflict } from "./conflict-dialog";
import { accessGate, accessText, placeBar } from "./place-bar";
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

export class ProjectView {
  private mounted: { panel: Panel; draw: () => void }[] = [];
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
    localize(() => {
      project.localeChanged();
      this.draw();
    });
    this.stateChanged();
    if (!options.saved.isOwned) options.layout.setReadOnly(true);
  }

  mountFiles(panel: HTMLElement): void {
    const places = {
      onChoose: (folder: StoredFolder | null) => void this.project.choose(folder),
      onOpen: () => void this.project.addFolder(pickFolder("readwrite")),
    };
    const sample = () => void this.openSample();
    const showOwn = () => void this.close().then(() => this.options.layout.closeOutline());
    this.mount(panel, "copydesk-files", (m) => {
      const { state } = this;
      return html`<button
          type="button"
          class="own-document"
          aria-current=${state.file ? nothing : "true"}
          @click=${showOwn}
        >
          ${icon("read")}<span>${m.files.ownDocument}</span>
        </button>
        ${placeBar(m, state, places)} ${this.gate(m)}
        <copydesk-files
          .workspace=${state.workspace}
          .current=${state.file?.path}
          ?hidden=${state.access !== "open"}
          @open-file=${this.opened}
        ></copydesk-files>
        <div class="sample-offer" ?hidden=${state.folder !== null || state.fileCount !== 0}>
          <p>${m.files.emptyHint}</p>
          <button type="button" class="button small" @click=${sample}>${m.files.openSample}</button>
        </div>`;
    });
  }

  /** Draws the search in the files, below what `above` returns. */
  mountSearch(panel: HTMLElement, above: Template): void {
    this.mount(
      panel,
      "copydesk-search",
      (m) =>
        html`${above(m)} ${this.gate(m)}
          <copydesk-search
            .workspace=${this.state.workspace}
            ?hidden=${this.state.access !== "open"}
            @open-file=${this.opened}
          ></copydesk-search>`,
    );
  }

  mountChecks(panel: HTMLElement): void {
    this.mount(
      panel,
      "copydesk-checks",
      (m) =>
        html`${this.gate(m)}
          <copydesk-checks
            .workspace=${this.state.workspace}
            ?hidden=${this.state.access !== "open"}
            @open-file=${this.opened}
          ></copydesk-checks>`,
    );
  }

  private mount(element: HTMLElement, name: Panel["localName"], template: Template): void {
    const draw = drawIn(element, template);
    this.mounted.push({ panel: element.querySelector<Panel>(name)!, draw });
  }

  private gate(m: Messages): TemplateResult {
    return accessGate(m, this.state, () => void this.project.askForAccess());
  }

  private opened = ({ detail }: CopydeskEvents["open-file"]): void => void this.open(detail);

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

  /** Draws what a change of the state concerns. */
  private stateChanged(): void {
    const [before, now] = [this.drawn, this.state];
    this.drawn = now;
    const { session, chat, layout } = this.options;
    if (now.workspace !== before.workspace) {
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
    const drawn = ["workspace", "folder", "access", "folders", "file", "fileCount"] as const;
    if (drawn.some((name) => now[name] !== before[name])) this.draw();
  }

  /** States that the assistant works on the document; the user may stop it and continue. */
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
  private draw(): void {
    const { session, layout } = this.options;
    const { file } = this.state;
    const asked = document.activeElement?.closest(".place-access");
    for (const { panel, draw } of this.mounted) {
      const hadFocus = asked?.parentElement === panel.parentElement;
      draw();
      // The button is removed with the sentence.
      if (hadFocus && this.state.access === "open") panel.focus();
    }
    session.documentPath = file?.path;
    layout.showBar(file ? (m) => this.bar(m, file) : null);
    this.showFile();
  }

  private bar(m: Messages, { path, state }: NonNullable<ProjectState["file"]>): TemplateResult {
    const said = this.needsAccess(state) ? m.files.places.noAccess : m.files.states[state.name];
    const name = m.files.closeFile;
    return html`<span class="file-path">${path}</span><span class="file-state" data-state=${state.name}>${said}</span
      ><button type="button" class="tool" aria-label=${name} title=${name} @click=${() => void this.close()}>
        ${icon("close")}
      </button>`;
  }
}
