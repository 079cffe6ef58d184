/** Panels that show a workspace. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { SkippedFiles } from "../types/workspace-host.js";
import type { Workspace, WorkspaceChange } from "../types/workspace.js";
import type { CopydeskEvents } from "./events.js";
import { PanelElement } from "./panel-element.js";
import { messageOf } from "./sentence.js";

/** A failure, which is said as long as the panel has the language of its message. */
export interface Failure {
  message: string;
  lang: string;
}

/** The progress of reading all files, before the first search or check. */
export interface Progress {
  read: number;
  files: number;
}

/** A panel of a workspace. It shows nothing without the property `workspace`. */
export abstract class WorkspaceElement extends PanelElement {
  static override properties: PropertyDeclarations = {
    workspace: { attribute: false },
    progress: { state: true },
  };

  /** The workspace, of copydesk/workspace. */
  declare workspace: Workspace | undefined;
  declare protected progress: Progress | null;
  #followed: Workspace | undefined;
  #endWatch: (() => void) | undefined;

  constructor() {
    super();
    this.progress = null;
  }

  protected override missing(): string | null {
    return this.workspace ? null : "needs the property `workspace`, a workspace of copydesk/workspace.";
  }

  /** Called with a workspace, and after each of its changes. */
  protected abstract changed(change?: WorkspaceChange): void;

  /** Called before another workspace is shown: removes what belongs to the one before. */
  protected abstract forget(): void;

  /** Shows the workspace from the start, as after the user has given access to its folder. */
  refresh(): void {
    this.#follow(undefined);
    this.requestUpdate();
  }

  override focus(options?: FocusOptions): void {
    void this.updateComplete.then(() =>
      this.shadowRoot?.querySelector<HTMLElement>("input, button:not([hidden])")?.focus(options),
    );
  }

  override willUpdate(_changed: Map<string, unknown>): void {
    this.#follow(this.workspace);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#endWatch?.();
    this.#endWatch = undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#followed && !this.#endWatch) this.#watch(this.#followed);
  }

  #follow(workspace: Workspace | undefined): void {
    if (workspace === this.#followed) return;
    this.#endWatch?.();
    this.#endWatch = undefined;
    if (this.#followed) this.forget();
    this.#followed = workspace;
    if (workspace && this.isConnected) this.#watch(workspace);
  }

  /** Follows a workspace, whose present state is shown first. */
  #watch(workspace: Workspace): void {
    this.#endWatch = workspace.watch((change) => this.changed(change));
    this.changed();
  }

  protected open(detail: CopydeskEvents["open-file"]["detail"]): void {
    this.emit("open-file", detail);
  }

  protected failure(error: unknown): Failure {
    return { message: messageOf(error), lang: this.m.lang };
  }

  /** Returns the message of a failure; nothing in another language: the next try says it there. */
  protected said(failure: Failure | null): string {
    return failure?.lang === this.m.lang ? failure.message : "";
  }

  /** Returns the bar that shows how many files were read. */
  protected reading(): TemplateResult | typeof nothing {
    const { m, progress } = this;
    if (!progress || progress.read === progress.files) return nothing;
    const { read, files } = progress;
    return html`<progress
      class="reading"
      part="progress"
      max=${files}
      value=${read}
      aria-label=${m.workspace.reading}
      title=${m.workspace.read(read, files)}
    ></progress>`;
  }

  /** Returns how many files could not be read, and each with its reason on demand. */
  protected skipped(
    skipped: SkippedFiles | undefined,
    summary: (count: number) => string,
  ): TemplateResult | typeof nothing {
    if (!skipped?.count) return nothing;
    const { leftOut } = this.m.workspace;
    return html`<details class="skipped" part="skipped">
      <summary .textContent=${summary(skipped.count)}></summary>
      <ul>
        ${skipped.files.map(({ path, code }) => html`<li .textContent=${leftOut(path, code)}></li>`)}
      </ul>
    </details>`;
  }
}
