/** `<copydesk-versions>`. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { FileVersion, Workspace, WorkspaceChange } from "../types/workspace.js";
import "./diff.js";
import { dateFormat, define } from "./element.js";
import { panelStyle, workspaceStyle } from "./panel-styles.js";
import { messageOf } from "./sentence.js";
import { base } from "./styles.js";
import { groupsOf } from "./version-groups.js";
import { versionsStyle } from "./versions-style.js";
import { WorkspaceElement, type Failure } from "./workspace-element.js";

/** A version that is compared with the file: both texts, or why they could not be read. */
type Comparison = { old: string; now: string } | { problem: string };

/**
 * The versions of one file. Each can be compared with the file as it is, and restored.
 *
 * @tagname copydesk-versions
 * @fires {CustomEvent} versions-close - The user wants to go back to the files.
 * @slot missing - Shown while `workspace` or `path` is missing.
 * @csspart back - The button that goes back.
 * @csspart heading - The path of the file.
 * @csspart status - What was done, or why it could not be.
 * @csspart list - The list of versions.
 * @csspart version - The button of a version, which unfolds the comparison.
 * @csspart time - The time of a version.
 * @csspart author - The author of a version.
 * @csspart more - The button that shows the saves before a version.
 * @csspart diff - The differences between a version and the file.
 * @csspart restore - The button that restores a version.
 * @csspart empty - Shown while `workspace` or `path` is missing.
 */
export class CopydeskVersions extends WorkspaceElement {
  static override properties: PropertyDeclarations = {
    path: {},
    found: { state: true },
    now: { state: true },
    opened: { state: true },
    comparison: { state: true },
    unfolded: { state: true },
    isRestored: { state: true },
    problem: { state: true },
  };
  static override styles = [base, panelStyle, workspaceStyle, versionsStyle];

  /** The path of the file; it may have been removed. */
  declare path: string | undefined;
  declare private found: readonly FileVersion[];
  /** The version that the file has; null if there is no file. */
  declare private now: string | null;
  /** The version that is compared. */
  declare private opened: string | null;
  declare private comparison: Comparison | null;
  /** The oldest versions of the groups that are unfolded: newer ones may join a group. */
  declare private unfolded: ReadonlySet<string>;
  declare private isRestored: boolean;
  declare private problem: Failure | null;

  constructor() {
    super();
    this.forget();
  }

  protected override missing(): string | null {
    return super.missing() ?? (this.path === undefined ? "needs the property `path`, the path of a file." : null);
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("path")) {
      this.forget();
      if (this.hasUpdated && !changed.has("workspace")) void this.#read();
    }
    super.willUpdate(changed);
  }

  protected override forget(): void {
    this.found = [];
    this.now = null;
    this.opened = null;
    this.comparison = null;
    this.unfolded = new Set();
    this.isRestored = false;
    this.problem = null;
  }

  protected override changed(change?: WorkspaceChange): void {
    if (!change || change.path === this.path) void this.#read();
  }

  async #read(): Promise<void> {
    const { path, workspace } = this;
    if (path === undefined || !workspace) return;
    try {
      const [found, now] = await Promise.all([workspace.versions(path), versionOf(workspace, path)]);
      if (!this.#shows(workspace, path)) return;
      this.problem = null;
      const isSame = this.now === now && JSON.stringify(found) === JSON.stringify(this.found);
      [this.found, this.now] = [found, now];
      if (isSame) return;
      this.isRestored = false;
      if (this.opened !== null) await this.#compare(this.opened);
    } catch (error) {
      if (this.#shows(workspace, path)) this.problem = this.failure(error);
    }
  }

  /** Returns true if a file is shown still: others may have been given meanwhile. */
  #shows(workspace: Workspace, path: string): boolean {
    return workspace === this.workspace && path === this.path;
  }

  protected override render(): TemplateResult {
    const { m, path, workspace } = this;
    if (!workspace || path === undefined) return this.empty();
    return html`<div lang=${m.lang}>
      <button
        type="button"
        class="text-button"
        part="back"
        .textContent=${`‹ ${m.versions.back}`}
        @click=${() => this.emit("versions-close", {})}
      ></button>
      <h3 class="heading" part="heading" .textContent=${m.versions.of(path)}></h3>
      <p class="status" part="status" role="status" .textContent=${this.#status()}></p>
      <ol class="versions" part="list">
        ${this.found.length ? nothing : html`<li class="hint">${m.versions.none}</li>`}
        ${repeat(
          groupsOf(this.found),
          (versions) => versions.at(-1)!.id,
          (versions) => this.#group(versions),
        )}
      </ol>
    </div>`;
  }

  #status(): string {
    return this.problem ? this.said(this.problem) : this.isRestored ? this.m.versions.restored : "";
  }

  /** Returns the row of the newest version of a group; a button unfolds the others. */
  #group([newest, ...others]: readonly FileVersion[]): TemplateResult {
    const oldest = others.at(-1);
    if (!newest || !oldest) return html`<li>${newest && this.#version(newest)}</li>`;
    const isUnfolded = this.unfolded.has(oldest.id) || others.some(({ id }) => id === this.opened);
    return html`<li>
      ${this.#version(newest)}
      <button
        type="button"
        class="text-button more-versions"
        part="more"
        aria-expanded=${isUnfolded}
        .textContent=${this.m.versions.earlier(others.length)}
        @click=${() => this.#unfold(oldest.id, others, !isUnfolded)}
      ></button>
      ${
        isUnfolded
          ? html`<ol>
              ${repeat(
                others,
                ({ id }) => id,
                (version) => html`<li>${this.#version(version)}</li>`,
              )}
            </ol>`
          : nothing
      }
    </li>`;
  }

  #unfold(oldest: string, others: readonly FileVersion[], isUnfolded: boolean): void {
    const unfolded = new Set(this.unfolded);
    if (isUnfolded) unfolded.add(oldest);
    else unfolded.delete(oldest);
    this.unfolded = unfolded;
    if (!isUnfolded && others.some(({ id }) => id === this.opened)) this.opened = null;
  }

  #version(version: FileVersion): TemplateResult {
    const m = this.m.versions;
    const { id, author, note, removed } = version;
    const isNow = version === this.found.find((each) => each.version === this.now && !each.removed);
    const format = dateFormat(this.language, this.m.lang, { dateStyle: "medium", timeStyle: "medium" });
    const time = format.format(version.time);
    const says = [m.authors[author], removed && m.deleted, isNow && m.current].filter(Boolean).join(" · ");
    return html`<button
        type="button"
        class="version"
        part="version"
        data-version=${id}
        aria-expanded=${this.opened === id}
        ?disabled=${removed}
        @click=${() => this.#toggle(id)}
      >
        <span part="time">${time}</span><span class="version-author" part="author">${says}</span>${
          note ? html`<span class="version-author">${note}</span>` : nothing
        }
      </button>
      ${this.opened === id ? this.#details(version, isNow) : nothing}`;
  }

  #toggle(id: string): void {
    this.opened = this.opened === id ? null : id;
    this.comparison = null;
    if (this.opened !== null) void this.#compare(id);
  }

  async #compare(id: string): Promise<void> {
    const { workspace, path } = this;
    if (!workspace || path === undefined) return;
    let comparison: Comparison;
    try {
      const old = await workspace.readVersion(path, id);
      comparison = { old, now: this.now === null ? "" : (await workspace.read(path)).text };
    } catch (error) {
      comparison = { problem: messageOf(error) };
    }
    if (this.opened === id && this.#shows(workspace, path)) this.comparison = comparison;
  }

  #details({ id }: FileVersion, isNow: boolean): TemplateResult | typeof nothing {
    const { comparison } = this;
    const m = this.m.versions;
    if (!comparison) return nothing;
    if ("problem" in comparison) return html`<p class="problem">${comparison.problem}</p>`;
    const { old, now } = comparison;
    if (isNow || old === now) return html`<p class="hint">${m.same}</p>`;
    return html`<p class="hint">${m.compared}</p>
      <copydesk-diff
        part="diff"
        .oldText=${old}
        .newText=${now}
        .label=${m.compared}
        .locale=${this.language}
        .words=${this.words}
      ></copydesk-diff>
      <button
        type="button"
        class="button plain small"
        part="restore"
        ?disabled=${this.disabled}
        .textContent=${m.restore}
        @click=${() => void this.#restore(id)}
      ></button>`;
  }

  async #restore(id: string): Promise<void> {
    const { workspace, path } = this;
    if (!workspace || path === undefined) return;
    this.problem = null;
    try {
      await workspace.restore(path, id);
      if (!this.#shows(workspace, path)) return;
      this.opened = null;
      await this.#read();
      if (!this.#shows(workspace, path)) return;
      this.isRestored = true;
      this.focus();
    } catch (error) {
      if (this.#shows(workspace, path)) this.problem = this.failure(error);
    }
  }
}

/** Returns the version that a file has; null if there is no file. */
function versionOf(workspace: Workspace, path: string): Promise<string | null> {
  return workspace.read(path).then(
    ({ version }) => version,
    () => null,
  );
}

define("copydesk-versions", CopydeskVersions);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-versions": CopydeskVersions;
  }
}
