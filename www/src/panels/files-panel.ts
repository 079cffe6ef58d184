/** `<copydesk-files>`: the files of a workspace; new, rename, delete, import, export and versions. */
import { importZip, type ImportedFiles, type SkippedFile, type WorkspaceEntry } from "copydesk/workspace";
import { PanelElement, messageOf } from "./element";
import { arrange, h, set } from "./h";
import { popupMenu, type PopupMenu } from "./popup-menu";
import * as transfer from "./transfer";
import { VersionsView } from "./versions-view";
import type { Words } from "./words";

/** Files that are listed at most. */
const MOST_LISTED = 1000;

/** The text field for a path, and what happens with the path. */
interface PathForm {
  path: string;
  apply: (path: string) => Promise<void>;
}

export class FilesPanel extends PanelElement {
  private create = h("button", { type: "button", class: "copydesk-button" });
  private importMenu!: PopupMenu;
  private exportMenu!: PopupMenu;
  private list = h("div", { class: "copydesk-file-list" });
  private form = h("form", { class: "copydesk-path-form", hidden: true, novalidate: true });
  private field = h("input", { type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
  private problem = h("p", { class: "copydesk-problem", role: "alert", hidden: true });
  private status = h("div", { class: "copydesk-status", role: "status" });
  private files = h("div", { class: "copydesk-files-view" });
  private versions = new VersionsView();
  private entries: WorkspaceEntry[] = [];
  /** The rows by path, and the lists by folder, in the current language. */
  private rows = new Map<string, HTMLElement>();
  private folders = new Map<string, { heading: HTMLElement; list: HTMLElement }>();
  private pathForm: PathForm | null = null;
  private currentPath: string | null = null;
  private listing = 0;
  /** Returns what the status shows, in a language. */
  private said: ((words: Words) => (Node | false)[]) | null = null;
  /** The language of the error that is shown. */
  private errorIn: string | null = null;

  /** The file that is marked as open. */
  get current(): string | null {
    return this.currentPath;
  }

  set current(path: string | null) {
    this.currentPath = path;
    for (const button of this.list.querySelectorAll<HTMLElement>("[data-path]"))
      set(button, { "aria-current": button.dataset.path === path ? "true" : undefined });
  }

  protected build(): void {
    this.importMenu = popupMenu([
      { name: (w) => w.importZip, run: () => void this.importZip() },
      { name: (w) => w.importFolder, run: () => void this.importFolder() },
    ]);
    this.exportMenu = popupMenu([
      { name: (w) => w.exportZip, run: () => void this.exportZip() },
      { name: (w) => w.exportFolder, run: () => void this.exportFolder() },
    ]);
    this.create.addEventListener("click", () => this.ask({ path: this.nextPath(), apply: (path) => this.add(path) }));
    const bar = h(
      "div",
      { class: "copydesk-panel-bar" },
      this.create,
      this.importMenu.element,
      this.exportMenu.element,
    );
    this.field.id = `copydesk-path-${Math.random().toString(36).slice(2, 8)}`;
    this.problem.id = `${this.field.id}-problem`;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.submit();
    });
    this.form.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.endForm();
    });
    this.files.append(bar, this.form, this.status, this.list);
    this.versions.addEventListener("back", () => this.showFiles());
    this.versions.hidden = true;
    this.append(this.files, this.versions);
  }

  protected draw(words: Words): void {
    this.create.textContent = words.newFile;
    this.importMenu.draw(words, words.import);
    this.exportMenu.draw(words, words.export);
    // The next try says it in the other language.
    if (this.errorIn !== null && this.errorIn !== this.language) this.removeErrors();
    else if (this.errorIn === null) this.drawStatus(words);
    this.drawForm(words);
    this.rows.clear();
    this.folders.clear();
    this.drawList(words);
  }

  protected async changed(): Promise<void> {
    const listing = ++this.listing;
    try {
      const entries = await this.workspace!.list();
      if (listing !== this.listing) return;
      this.entries = entries;
      this.drawList(this.words);
    } catch (error) {
      if (listing === this.listing) this.sayError(error);
    }
  }

  protected override forget(): void {
    this.listing++;
    this.entries = [];
    this.removeErrors();
    this.say(null);
    this.form.hidden = true;
    this.pathForm = null;
    this.versions.hidden = true;
    this.files.hidden = false;
  }

  private drawList(words: Words): void {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.path;
    const shown = new Map<string, string[]>();
    for (const { path } of this.entries.slice(0, MOST_LISTED)) {
      const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      const own = shown.get(folder);
      if (own) own.push(path);
      else shown.set(folder, [path]);
    }
    const parts: Node[] = [];
    for (const [folder, paths] of shown) {
      const { heading, list } = entryOf(this.folders, folder, () => ({
        heading: h("h3", { class: "copydesk-folder" }, folder || words.rootFolder),
        list: h("ul"),
      }));
      const nameAt = folder ? folder.length + 1 : 0;
      arrange(
        list,
        paths.map((path) => entryOf(this.rows, path, () => this.row(path, path.slice(nameAt), words))),
      );
      parts.push(heading, list);
    }
    const more = this.entries.length - MOST_LISTED;
    if (more > 0) parts.push(h("p", { class: "copydesk-hint" }, words.moreFiles(more)));
    if (!parts.length) parts.push(h("p", { class: "copydesk-hint" }, words.noFiles));
    arrange(this.list, parts);
    const listed = new Set([...shown.values()].flat());
    for (const path of [...this.rows.keys()]) if (!listed.has(path)) this.rows.delete(path);
    for (const folder of [...this.folders.keys()]) if (!shown.has(folder)) this.folders.delete(folder);
    this.current = this.currentPath;
    this.exportMenu.element.hidden = !this.entries.length;
    if (focused !== undefined) this.list.querySelector<HTMLElement>(`[data-path="${CSS.escape(focused)}"]`)?.focus();
  }

  private row(path: string, name: string, words: Words): HTMLElement {
    const button = h("button", { type: "button", class: "copydesk-file", "data-path": path, title: path }, name);
    button.addEventListener("click", () => this.open({ path }));
    const menu = popupMenu([
      { name: (w) => w.rename, run: () => this.ask({ path, apply: (to) => this.workspace!.rename(path, to) }) },
      { name: (w) => w.versions, run: () => this.showVersions(path) },
      { name: (w) => w.remove, run: () => void this.removeFile(path) },
    ]);
    menu.draw(words, "⋯", words.fileActions(path));
    menu.element.classList.add("copydesk-row-menu");
    return h("li", { class: "copydesk-file-row" }, button, menu.element);
  }

  /** Returns the path of the next chapter. */
  private nextPath(): string {
    const numbers = this.entries.map(({ path }) => Number(/^chapters\/ch(\d{3})\.md$/.exec(path)?.[1] ?? 0));
    return `chapters/ch${String(Math.max(0, ...numbers) + 1).padStart(3, "0")}.md`;
  }

  private async add(path: string): Promise<void> {
    await this.workspace!.write(path, "", { expected: null });
    this.open({ path });
  }

  private ask(form: PathForm): void {
    this.pathForm = form;
    this.field.value = form.path;
    this.form.hidden = false;
    this.problem.hidden = true;
    this.drawForm(this.words);
    this.field.focus();
    const name = form.path.lastIndexOf("/") + 1;
    this.field.setSelectionRange(name, form.path.length - (/\.\w+$/.exec(form.path)?.[0].length ?? 0));
  }

  private drawForm(words: Words): void {
    const label = h("label", { for: this.field.id }, words.path);
    set(this.field, { placeholder: words.pathHint, "aria-describedby": this.problem.id });
    const ok = h("button", { type: "submit", class: "copydesk-button main" }, words.ok);
    const cancel = h("button", { type: "button", class: "copydesk-button" }, words.cancel);
    cancel.addEventListener("click", () => this.endForm());
    const isFocused = document.activeElement === this.field;
    this.form.replaceChildren(label, this.field, this.problem, h("div", { class: "copydesk-panel-bar" }, ok, cancel));
    if (isFocused) this.field.focus();
  }

  private async submit(): Promise<void> {
    const form = this.pathForm;
    if (!form || !this.workspace) return;
    try {
      await form.apply(this.field.value.trim());
      this.endForm();
    } catch (error) {
      this.problem.textContent = messageOf(error);
      this.problem.hidden = false;
      this.errorIn = this.language;
      set(this.field, { "aria-invalid": "true" });
      this.field.focus();
    }
  }

  private endForm(): void {
    this.form.hidden = true;
    this.pathForm = null;
    set(this.field, { "aria-invalid": undefined });
    this.create.focus();
  }

  /** Deletes a file; the button in the message takes it back. */
  private removeFile(path: string): Promise<void> {
    return this.tell(async () => {
      const workspace = this.workspace!;
      const { text } = await workspace.read(path);
      await workspace.remove(path);
      const takeBack = () =>
        this.tell(async () => {
          await workspace.write(path, text, { expected: null });
          this.say(null);
        });
      this.say((words) => {
        const back = h("button", { type: "button", class: "copydesk-text-button" }, words.takeBack);
        back.addEventListener("click", () => void takeBack());
        return [h("p", {}, words.removed(path)), back];
      });
      this.status.querySelector("button")?.focus();
    });
  }

  private async importZip(): Promise<void> {
    const zip = await transfer.pickZip();
    await this.report(
      (consent) => importZip(this.workspace!, zip, consent),
      (w) => w.imported,
    );
  }

  private async importFolder(): Promise<void> {
    await this.withFolder("read", (handle) => (consent) => transfer.importFolder(this.workspace!, handle, consent));
  }

  private exportZip(): Promise<void> {
    return this.tell(async () => {
      const skipped = await transfer.saveZip(this.workspace!);
      const { language } = this;
      this.say((words) => (skipped.length ? [h("p", {}, words.notInZip), leftOutList(skipped, words, language)] : []));
    });
  }

  private async exportFolder(): Promise<void> {
    await this.withFolder(
      "readwrite",
      (handle) => (consent) => transfer.exportFolder(this.workspace!, handle, consent),
    );
  }

  private withFolder(
    mode: "read" | "readwrite",
    run: (handle: FileSystemDirectoryHandle) => (consent: transfer.Consent) => Promise<ImportedFiles>,
  ): Promise<void> {
    return this.tell(async () => {
      const handle = await transfer.pickFolder(mode);
      if (handle === undefined) this.say((words) => [h("p", {}, words.noFolders)]);
      else if (handle) await this.report(run(handle), (w) => (mode === "read" ? w.imported : w.exported));
    });
  }

  /** Copies files and says how many, with each that was left out, and buttons that agree to replacing or adding them. */
  private report(
    run: (consent: transfer.Consent) => Promise<ImportedFiles>,
    sentence: (words: Words) => Words["imported"],
    consent: transfer.Consent = { overwrite: false, instructions: [] },
  ): Promise<void> {
    return this.tell(async () => {
      const { written, skipped } = await run(consent);
      const { language } = this;
      this.say((words) => {
        const button = (name: string, more: Partial<transfer.Consent>) => {
          const element = h("button", { type: "button", class: "copydesk-button" }, name);
          element.addEventListener("click", () => void this.report(run, sentence, { ...consent, ...more }));
          return element;
        };
        const refused = skipped.filter(({ code }) => code === "instruction_skipped").map(({ path }) => path);
        return [
          h("p", {}, sentence(words)(written.length, skipped.length)),
          skipped.length > 0 && leftOutList(skipped, words, language),
          !consent.overwrite &&
            skipped.some(({ code }) => code === "file_exists") &&
            button(words.replaceThese, { overwrite: true }),
          refused.length > 0 && button(words.addInstructions(refused), { instructions: refused }),
        ];
      });
    });
  }

  /** Runs an action and shows its failure. */
  private async tell(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.sayError(error);
    }
  }

  private sayError(error: unknown): void {
    this.say(() => [h("p", {}, messageOf(error))]);
    this.errorIn = this.language;
    this.status.dataset.error = "";
  }

  private removeErrors(): void {
    this.errorIn = null;
    this.problem.hidden = true;
    set(this.field, { "aria-invalid": undefined });
    if (this.status.dataset.error !== undefined) this.say(null);
  }

  /** Shows what `content` returns; again when the language changes. */
  private say(content: ((words: Words) => (Node | false)[]) | null): void {
    delete this.status.dataset.error;
    this.errorIn = null;
    this.said = content;
    this.drawStatus(this.words);
  }

  private drawStatus(words: Words): void {
    const isFocused = this.status.contains(document.activeElement);
    this.status.replaceChildren(...(this.said?.(words) ?? []).filter((part) => part !== false));
    if (isFocused) this.status.querySelector("button")?.focus();
  }

  private showVersions(path: string): void {
    this.versions.path = path;
    this.versions.workspace = this.workspace;
    this.files.hidden = true;
    this.versions.hidden = false;
    this.versions.focus();
  }

  private showFiles(): void {
    const { path } = this.versions;
    this.versions.hidden = true;
    this.files.hidden = false;
    const row = path === null ? null : this.list.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`);
    (row ?? this.create).focus();
  }
}

/** Returns the value of a key, which is made and kept if there is none. */
function entryOf<V>(map: Map<string, V>, key: string, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

/** Lists files that were left out, with the errors of the language that the workspace had. */
function leftOutList(skipped: readonly SkippedFile[], words: Words, language: string): HTMLElement {
  const said = ({ path, code, message }: SkippedFile) =>
    words.lang === language ? message : words.leftOut(path, code);
  return h("ul", { class: "copydesk-skipped" }, ...skipped.map((file) => h("li", {}, said(file))));
}
