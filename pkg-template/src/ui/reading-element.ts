/** Panels that read all files of a workspace for one result. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { SkippedFiles } from "../types/workspace-host.js";
import type { Workspace } from "../types/workspace.js";
import { WorkspaceElement, type Failure } from "./workspace-element.js";

/** Called with the number of files that were read, and of all files. */
export type ReadFiles = (read: number, files: number) => void;

/** A panel with the result of the last search or check, its progress, and its failure. */
export abstract class ReadingElement<Result> extends WorkspaceElement {
  static override properties: PropertyDeclarations = {
    result: { state: true },
    isReading: { state: true },
    isStale: { state: true },
    problem: { state: true },
    progress: { state: true },
  };

  declare protected result: Result | null;
  declare protected isReading: boolean;
  /** True if files have changed since the files were read. */
  declare protected isStale: boolean;
  declare protected problem: Failure | null;
  declare protected progress: { read: number; files: number } | null;
  #asked = 0;

  constructor() {
    super();
    this.forget();
  }

  protected override changed(): void {
    if (this.result || this.isReading) this.isStale = true;
  }

  protected override forget(): void {
    this.#asked++;
    this.result = null;
    this.isReading = false;
    this.#begin();
  }

  /** Shows the result of `read`, or why it failed, unless another call or another workspace came in between. */
  protected async show(read: (workspace: Workspace, progress: ReadFiles) => Promise<Result>): Promise<void> {
    const { workspace } = this;
    if (!workspace) return;
    const asked = ++this.#asked;
    const isLast = () => asked === this.#asked;
    this.isReading = true;
    this.#begin();
    try {
      const result = await read(workspace, (read, files) => {
        if (isLast()) this.progress = { read, files };
      });
      if (isLast()) this.result = result;
    } catch (error) {
      if (!isLast()) return;
      this.result = null;
      this.problem = this.failure(error);
    } finally {
      if (isLast()) {
        this.isReading = false;
        this.progress = null;
      }
    }
  }

  #begin(): void {
    this.isStale = false;
    this.problem = null;
    this.progress = null;
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
