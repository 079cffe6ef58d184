/** The basis of the panels that show a workspace. */
import type { Workspace, WorkspaceChange } from "copydesk/workspace";
import { LocalizedElement } from "./localized";
import { wordsIn, type Words } from "./words";

/** A place in a file: the detail of the event `open-file`. */
export interface OpenFileDetail {
  path: string;
  /** From 1. */
  line?: number;
}

/**
 * A panel of a workspace. It shows nothing until the property `workspace` is set. It emits `open-file` with
 * {@link OpenFileDetail}.
 */
export abstract class PanelElement extends LocalizedElement<Words> {
  private shown: Workspace | null = null;
  private endWatch: (() => void) | null = null;

  get workspace(): Workspace | null {
    return this.shown;
  }

  set workspace(workspace: Workspace | null) {
    if (workspace === this.shown) return;
    if (this.shown && this.isShown) this.forget();
    this.shown = workspace;
    this.follow();
  }

  refresh(): void {
    const { workspace } = this;
    this.workspace = null;
    this.workspace = workspace;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.endWatch?.();
    this.endWatch = null;
  }

  /** The texts in the language of the panel. */
  protected get words(): Words {
    return wordsIn(this.language);
  }

  /** Called with a workspace, and after each of its changes. */
  protected abstract changed(change?: WorkspaceChange): void;

  /** Called before another workspace is shown: removes what belongs to the one before. */
  protected forget(): void {}

  protected open(detail: OpenFileDetail): void {
    this.emit("open-file", detail);
  }

  private follow(): void {
    if (!this.isShown) return;
    this.endWatch?.();
    this.endWatch = this.shown?.watch((change) => this.changed(change)) ?? null;
    this.draw(this.words);
    if (this.shown) this.changed();
  }
}

/** Returns the sentence of a failure. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
