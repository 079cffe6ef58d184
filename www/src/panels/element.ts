/** The basis of the panels: custom elements that show a workspace. */
import type { Workspace, WorkspaceChange } from "copydesk/workspace";
import { wordsIn, type Words } from "./words";

/** A place in a file: the detail of the event `open-file`. */
export interface OpenFileDetail {
  path: string;
  /** From 1. */
  line?: number;
}

/**
 * A panel of a workspace. It shows nothing until the property `workspace` is set, and speaks the language of its attribute
 * `lang` or of the page. It emits `open-file` with {@link OpenFileDetail}.
 */
export abstract class PanelElement extends HTMLElement {
  private shown: Workspace | null = null;
  private endWatch: (() => void) | null = null;
  private languages: MutationObserver | null = null;
  private isBuilt = false;

  get workspace(): Workspace | null {
    return this.shown;
  }

  set workspace(workspace: Workspace | null) {
    if (workspace === this.shown) return;
    if (this.shown && this.isBuilt) this.forget();
    this.shown = workspace;
    this.follow();
  }

  connectedCallback(): void {
    if (!this.isBuilt) this.build();
    this.isBuilt = true;
    this.languages = new MutationObserver(() => this.draw(this.words));
    for (const element of [this, document.documentElement])
      this.languages.observe(element, { attributeFilter: ["lang"] });
    this.follow();
  }

  disconnectedCallback(): void {
    this.languages?.disconnect();
    this.endWatch?.();
    this.endWatch = null;
  }

  /** The texts in the language of the panel. */
  protected get words(): Words {
    return wordsIn(this.language);
  }

  protected get language(): "en" | "zh-CN" {
    const tag = this.closest("[lang]")?.getAttribute("lang") ?? document.documentElement.lang;
    return tag.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
  }

  /** Creates the content, once. */
  protected abstract build(): void;

  /** Writes everything in the current language. */
  protected abstract draw(words: Words): void;

  /** Called with a workspace, and after each of its changes. */
  protected abstract changed(change?: WorkspaceChange): void;

  /** Called before another workspace is shown: removes what belongs to the one before. */
  protected forget(): void {}

  protected open(detail: OpenFileDetail): void {
    this.emit("open-file", detail);
  }

  protected emit<T>(type: string, detail: T): void {
    this.dispatchEvent(new CustomEvent<T>(type, { detail, bubbles: true, composed: true }));
  }

  private follow(): void {
    if (!this.isConnected || !this.isBuilt) return;
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
