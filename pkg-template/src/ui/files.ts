/** `<copydesk-files>`. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { SkippedFile, WorkspaceEntry } from "../types/workspace-host.js";
import type { WorkspaceChange } from "../types/workspace.js";
import type { ImportedFiles } from "../workspace/transfer.js";
import { define } from "./element.js";
import * as transfer from "./file-transfer.js";
import { filesStyle } from "./files-style.js";
import { fieldStyle, panelStyle, workspaceStyle } from "./panel-styles.js";
import { EXPORTED_OF_VERSIONS } from "./parts.js";
import { popupMenu } from "./popup-menu.js";
import { base, popup } from "./styles.js";
import type { CopydeskVersions } from "./versions.js";
import "./versions.js";
import type { PanelWords } from "./words/panels-en.js";
import { WorkspaceElement, type Failure } from "./workspace-element.js";

/** Files that are listed at most. */
const MOST_LISTED = 1000;

/** The field for a path, and what happens with the path. */
interface PathForm {
  path: string;
  apply: (path: string) => Promise<void>;
}

/** The sentence about the last action, with the buttons that go on with it. */
type Report = (m: PanelWords) => { text: string; skipped?: readonly string[]; buttons?: readonly ReportButton[] };

interface ReportButton {
  name: string;
  run: () => void;
  isLink?: boolean;
}

/**
 * The files of a workspace: they are opened, created, renamed and deleted, imported and exported, and their versions compared
 * and restored.
 *
 * @tagname copydesk-files
 * @fires {CustomEvent<{ path: string, line?: number }>} open-file - The user wants to see a file.
 * @slot missing - Shown while `workspace` is missing.
 * @csspart bar - The line with the buttons for all files.
 * @csspart create - The button for another file.
 * @csspart menu - A button that opens a menu.
 * @csspart form - The form with the path of a file.
 * @csspart input - The field for the path.
 * @csspart problem - Why a path cannot be used.
 * @csspart save - The button that applies the path.
 * @csspart cancel - The button that closes the form.
 * @csspart status - What was done, or why it could not be.
 * @csspart list - The files.
 * @csspart heading - The path of a folder.
 * @csspart row - A file with its menu.
 * @csspart file - The button that opens a file.
 * @csspart versions - The versions of a file. Its parts begin with `versions-`: `versions-version`.
 * @csspart empty - Shown while `workspace` is missing.
 */
export class CopydeskFiles extends WorkspaceElement {
  static override properties: PropertyDeclarations = {
    current: {},
    entries: { state: true },
    form: { state: true },
    pathProblem: { state: true },
    report: { state: true },
    problem: { state: true },
    versionsOf: { state: true },
  };
  static override styles = [base, popup, fieldStyle, panelStyle, workspaceStyle, filesStyle];

  /** The path of the file that is marked as open. */
  declare current: string | undefined;
  declare private entries: readonly WorkspaceEntry[];
  declare private form: PathForm | null;
  declare private pathProblem: Failure | null;
  declare private report: Report | null;
  declare private problem: Failure | null;
  /** The path of the file whose versions are shown. */
  declare private versionsOf: string | null;
  #listing = 0;
  /** Counts what was shown: a report belongs to the workspace of its action. */
  #shown = 0;
  /** The form whose path is being applied. */
  #applied: PathForm | null = null;
  /** The reason why the files could not be listed. */
  #unlisted: Failure | null = null;

  constructor() {
    super();
    this.forget();
  }

  protected override forget(): void {
    this.#listing++;
    this.#shown++;
    this.entries = [];
    this.form = null;
    this.pathProblem = null;
    this.report = null;
    this.problem = null;
    this.versionsOf = null;
  }

  protected override changed(_change?: WorkspaceChange): void {
    void this.#list();
  }

  async #list(): Promise<void> {
    const listing = ++this.#listing;
    try {
      const entries = await this.workspace?.list();
      if (listing !== this.#listing || !entries) return;
      this.entries = entries;
      if (this.problem === this.#unlisted) this.problem = null;
    } catch (error) {
      if (listing === this.#listing) this.problem = this.#unlisted = this.failure(error);
    }
  }

  protected override render(): TemplateResult {
    const { m, workspace, versionsOf } = this;
    if (!workspace) return this.empty();
    if (versionsOf !== null)
      return html`<copydesk-versions
        part="versions"
        exportparts=${EXPORTED_OF_VERSIONS}
        .workspace=${workspace}
        .path=${versionsOf}
        .locale=${this.language}
        .words=${this.words}
        .disabled=${this.disabled}
        @versions-close=${(event: Event) => this.#closeVersions(event)}
      ></copydesk-versions>`;
    return html`<fieldset ?disabled=${this.disabled} lang=${m.lang}>
        ${this.#bar()} ${this.form ? this.#pathForm(this.form) : nothing}
        <div class="status" part="status" role="status">${this.#status()}</div>
      </fieldset>
      <div part="list" lang=${m.lang}>${this.#folders()}</div>`;
  }

  #bar(): TemplateResult {
    const m = this.m.fileList;
    const create = () => void this.#ask({ path: this.#nextPath(), apply: (path) => this.#add(path) });
    return html`<div class="panel-bar" part="bar">
      <button type="button" class="button plain small" part="create" .textContent=${m.create} @click=${create}></button>
      ${popupMenu({
        id: "import",
        text: m.import,
        items: [
          { name: m.importZip, run: () => void this.#importZip() },
          { name: m.importFolder, run: () => void this.#importFolder() },
        ],
      })}
      ${
        this.entries.length
          ? popupMenu({
              id: "export",
              text: m.export,
              items: [
                { name: m.exportZip, run: () => void this.#exportZip() },
                { name: m.exportFolder, run: () => void this.#exportFolder() },
              ],
            })
          : nothing
      }
    </div>`;
  }

  #pathForm({ path }: PathForm): TemplateResult {
    const { m } = this;
    const problem = this.said(this.pathProblem);
    return html`<form class="path-form" part="form" novalidate @submit=${this.#submitted} @keydown=${this.#key}>
      <label for="path">${m.fileList.path}</label>
      <input
        id="path"
        part="input"
        type="text"
        spellcheck="false"
        autocomplete="off"
        autocapitalize="off"
        placeholder=${m.fileList.pathHint}
        aria-invalid=${problem ? "true" : nothing}
        aria-describedby="path-problem"
        .defaultValue=${path}
      />
      <p id="path-problem" class="problem" part="problem" role="alert" ?hidden=${!problem} .textContent=${problem}></p>
      <div class="panel-bar">
        <button type="submit" class="button small" part="save" .textContent=${m.fileList.ok}></button>
        <button
          type="button"
          class="button plain small"
          part="cancel"
          .textContent=${m.cancel}
          @click=${() => void this.#endForm()}
        ></button>
      </div>
    </form>`;
  }

  #status(): TemplateResult | typeof nothing {
    if (this.problem) {
      const said = this.said(this.problem);
      return said ? html`<p>${said}</p>` : nothing;
    }
    if (!this.report) return nothing;
    const { text, skipped = [], buttons = [] } = this.report(this.m);
    return html`${text ? html`<p>${text}</p>` : nothing}${
      skipped.length
        ? html`<ul class="skipped">
            ${skipped.map((each) => html`<li .textContent=${each}></li>`)}
          </ul>`
        : nothing
    }${buttons.map(
      ({ name, run, isLink }) =>
        html`<button
          type="button"
          class=${isLink ? "text-button" : "button plain small"}
          .textContent=${name}
          @click=${run}
        ></button>`,
    )}`;
  }

  #folders(): TemplateResult {
    const m = this.m.fileList;
    const folders = new Map<string, string[]>();
    for (const { path } of this.entries.slice(0, MOST_LISTED)) {
      const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      const paths = folders.get(folder);
      if (paths) paths.push(path);
      else folders.set(folder, [path]);
    }
    const more = this.entries.length - MOST_LISTED;
    return html`${repeat(
      folders,
      ([folder]) => folder,
      ([folder, paths]) =>
        html`<h3 class="heading" part="heading" .textContent=${folder || m.root}></h3>
          <ul>
            ${repeat(
              paths,
              (path) => path,
              (path) => this.#row(path, folder ? path.slice(folder.length + 1) : path),
            )}
          </ul>`,
    )}
    ${more > 0 ? html`<p class="hint">${m.more(more)}</p>` : nothing}
    ${this.entries.length ? nothing : html`<p class="hint">${m.none}</p>`}`;
  }

  #row(path: string, name: string): TemplateResult {
    const m = this.m.fileList;
    return html`<li class="file-row" part="row">
      <button
        type="button"
        class="file"
        part="file"
        data-path=${path}
        title=${path}
        aria-current=${path === this.current ? "true" : nothing}
        .textContent=${name}
        @click=${() => this.open({ path })}
      ></button>
      ${popupMenu({
        id: `file-${path}`,
        label: m.actions(path),
        items: this.disabled ? [this.#versionsItem(path)] : this.#actions(path),
      })}
    </li>`;
  }

  #actions(path: string) {
    const m = this.m.fileList;
    const rename = (to: string) => this.workspace!.rename(path, to);
    return [
      { name: m.rename, run: () => void this.#ask({ path, apply: rename }) },
      this.#versionsItem(path),
      { name: m.remove, run: () => void this.#remove(path) },
    ];
  }

  #versionsItem(path: string) {
    return { name: this.m.fileList.versions, run: () => void this.#showVersions(path) };
  }

  /** Returns the path of the next chapter. */
  #nextPath(): string {
    const numbers = this.entries.map(({ path }) => Number(/^chapters\/ch(\d{3})\.md$/.exec(path)?.[1] ?? 0));
    return `chapters/ch${String(Math.max(0, ...numbers) + 1).padStart(3, "0")}.md`;
  }

  async #add(path: string): Promise<void> {
    await this.workspace?.write(path, "", { expected: null });
    this.open({ path });
  }

  /** Asks for a path; the name without its extension is selected. */
  async #ask(form: PathForm): Promise<void> {
    this.form = null;
    await this.updateComplete;
    this.form = form;
    this.pathProblem = null;
    await this.updateComplete;
    const field = this.#field;
    field?.focus();
    const name = form.path.lastIndexOf("/") + 1;
    field?.setSelectionRange(name, form.path.length - (/\.\w+$/.exec(form.path)?.[0].length ?? 0));
  }

  get #field(): HTMLInputElement | null {
    return this.renderRoot.querySelector<HTMLInputElement>("#path");
  }

  #submitted = (event: Event): void => {
    event.preventDefault();
    void this.#submit();
  };

  #key = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.stopPropagation();
    void this.#endForm();
  };

  async #submit(): Promise<void> {
    const { form } = this;
    const path = this.#field?.value.trim();
    if (!form || path === undefined || form === this.#applied) return;
    this.#applied = form;
    try {
      await form.apply(path);
      if (form === this.form) await this.#endForm();
    } catch (error) {
      // The user may have opened another form by now.
      if (form !== this.form) return;
      this.pathProblem = this.failure(error);
      this.#field?.focus();
    } finally {
      if (form === this.#applied) this.#applied = null;
    }
  }

  async #endForm(): Promise<void> {
    this.form = null;
    await this.#focus("[part=create]");
  }

  async #focus(selector: string): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(selector)?.focus();
  }

  /** Deletes a file; the button in the report takes it back. */
  async #remove(path: string): Promise<void> {
    const { workspace } = this;
    if (!workspace) return;
    await this.#tell(async () => {
      const { text } = await workspace.read(path);
      await workspace.remove(path);
      const takeBack = () =>
        void this.#tell(async () => {
          await workspace.write(path, text, { expected: null });
          return null;
        });
      return (m) => ({
        text: m.fileList.removed(path),
        buttons: [{ name: m.fileList.takeBack, run: takeBack, isLink: true }],
      });
    });
    await this.#focus("[part=status] button");
  }

  async #importZip(): Promise<void> {
    const { workspace } = this;
    const zip = await transfer.pickZip();
    // Another workspace must not get what the user has picked for this one.
    if (workspace && workspace === this.workspace)
      await this.#copy("imported", (consent) => transfer.importZipFile(workspace, zip, consent));
  }

  #importFolder(): Promise<void> {
    return this.#withFolder("read", "imported", transfer.importFolder);
  }

  #exportFolder(): Promise<void> {
    return this.#withFolder("readwrite", "exported", transfer.exportFolder);
  }

  async #exportZip(): Promise<void> {
    const { workspace } = this;
    if (!workspace) return;
    await this.#tell(async () => {
      const skipped = await transfer.saveZip(workspace);
      const { lang } = this.m;
      if (!skipped.length) return null;
      return (m) => ({ text: m.fileList.notInZip, skipped: leftOut(skipped, m, lang) });
    });
  }

  /** Lets the user pick a folder, and copies files from or to it. */
  async #withFolder(mode: "read" | "readwrite", done: "imported" | "exported", copy: typeof transfer.importFolder) {
    const { workspace } = this;
    if (!workspace) return;
    let handle: FileSystemDirectoryHandle | null | undefined;
    await this.#tell(async () => {
      handle = await transfer.pickFolder(mode);
      return handle === undefined ? (m) => ({ text: m.fileList.noFolders }) : this.report;
    });
    const picked = handle;
    if (picked && workspace === this.workspace) await this.#copy(done, (consent) => copy(workspace, picked, consent));
  }

  /** Copies files and says how many, with each that was left out, and buttons that agree to replacing or adding them. */
  async #copy(
    done: "imported" | "exported",
    run: (consent: transfer.Consent) => Promise<ImportedFiles>,
    consent: transfer.Consent = { overwrite: false, instructions: [] },
  ): Promise<void> {
    const again = (more: Partial<transfer.Consent>) => () => void this.#copy(done, run, { ...consent, ...more });
    await this.#tell(async () => {
      const { written, skipped } = await run(consent);
      const { lang } = this.m;
      const refused = skipped.filter(({ code }) => code === "instruction_skipped").map(({ path }) => path);
      const exist = !consent.overwrite && skipped.some(({ code }) => code === "file_exists");
      return (m) => ({
        text: m.fileList[done](written.length, skipped.length),
        skipped: leftOut(skipped, m, lang),
        buttons: [
          ...(exist ? [{ name: m.fileList.replace, run: again({ overwrite: true }) }] : []),
          ...(refused.length
            ? [{ name: m.fileList.addInstructions(refused), run: again({ instructions: refused }) }]
            : []),
        ],
      });
    });
  }

  /** Runs an action and shows its report, or its failure, unless another workspace is shown by then. */
  async #tell(action: () => Promise<Report | null>): Promise<void> {
    const shown = this.#shown;
    const tell = (report: Report | null, problem: Failure | null) => {
      if (shown === this.#shown) [this.report, this.problem] = [report, problem];
    };
    try {
      tell(await action(), null);
    } catch (error) {
      tell(null, this.failure(error));
    }
  }

  async #showVersions(path: string): Promise<void> {
    this.versionsOf = path;
    await this.updateComplete;
    this.renderRoot.querySelector<CopydeskVersions>("copydesk-versions")?.focus();
  }

  async #closeVersions(event: Event): Promise<void> {
    event.stopPropagation();
    const path = this.versionsOf;
    this.versionsOf = null;
    await this.updateComplete;
    const row = path === null ? null : this.renderRoot.querySelector(`[data-path="${CSS.escape(path)}"]`);
    (row as HTMLElement | null)?.focus();
    if (!row) await this.#focus("[part=create]");
  }
}

export { pickFolder } from "./file-transfer.js";

/** Returns a sentence for each file that was left out, with the message of the language that the workspace had. */
function leftOut(skipped: readonly SkippedFile[], m: PanelWords, lang: string): string[] {
  return skipped.map(({ path, code, message }) => (m.lang === lang ? message : m.workspace.leftOut(path, code)));
}

define("copydesk-files", CopydeskFiles);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-files": CopydeskFiles;
  }
}
