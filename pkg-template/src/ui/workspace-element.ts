/** Panels that show a workspace. */

import type { PropertyDeclarations } from "lit";
import type { Workspace, WorkspaceChange } from "../types/workspace.js";
import type { CopydeskEvents } from "./events.js";
import { PanelElement } from "./panel-element.js";
import { messageOf } from "./sentence.js";

/** A failure, which is said as long as the panel has the language of its message. */
export interface Failure {
  message: string;
  lang: string;
}

/** A panel of a workspace. It shows nothing without the property `workspace`. */
export abstract class WorkspaceElement extends PanelElement {
  static override properties: PropertyDeclarations = {
    workspace: { attribute: false },
  };

  /** The workspace, of copydesk/workspace. */
  declare workspace: Workspace | undefined;
  #followed: Workspace | undefined;
  #endWatch: (() => void) | undefined;

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
}
