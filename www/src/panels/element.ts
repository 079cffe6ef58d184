/** The basis of the panels: custom elements in two languages, and those that show a workspace. */
import type { Workspace, WorkspaceChange } from "copydesk/workspace";
import { wordsIn, type Words } from "./words";

/** A place in a file: the detail of the event `open-file`. */
export interface OpenFileDetail {
  path: string;
  /** From 1. */
  line?: number;
}

/** A custom element that speaks the language of its attribute `lang` or of the page. `W` are its texts. */
export abstract class LocalizedElement<W> extends HTMLElement {
  private languages: MutationObserver | null = null;
  private isBuilt = false;

  connectedCallback(): void {
    if (!this.isBuilt) this.build();
    this.isBuilt = true;
    this.languages = new MutationObserver(() => this.draw(this.words));
    for (const element of [this, document.documentElement])
      this.languages.observe(element, { attributeFilter: ["lang"] });
    this.shown();
  }

  disconnectedCallback(): void {
    this.languages?.disconnect();
  }

  /** The texts in the language of the element. */
  protected abstract get words(): W;

  protected get language(): "en" | "zh-CN" {
    const tag = this.closest("[lang]")?.getAttribute("lang") ?? document.documentElement.lang;
    return tag.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
  }

  /** True between its first connection and its removal from the page. */
  protected get isShown(): boolean {
    return this.isConnected && this.isBuilt;
  }

  /** Creates the content, once. */
  protected abstract build(): void;

  /** Writes everything in the current language. */
  protected abstract draw(words: W): void;

  /** Called when it was added to a page, with its content. */
  protected shown(): void {
    this.draw(this.words);
  }

  protected emit<T>(type: string, detail: T): void {
    this.dispatchEvent(new CustomEvent<T>(type, { detail, bubbles: true, composed: true }));
  }
}

/**
 * A panel of a workspace. It shows nothing until the property `workspace` is set. It emits `open-file` with
 * {@link OpenFileDetail}.
 */
export abstract class PanelElement extends LocalizedElement<Words> {
  private given: Workspace | null = null;
  private endWatch: (() => void) | null = null;

  get workspace(): Workspace | null {
    return this.given;
  }

  set workspace(workspace: Workspace | null) {
    if (workspace === this.given) return;
    this.given = workspace;
    this.follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.endWatch?.();
    this.endWatch = null;
  }

  protected get words(): Words {
    return wordsIn(this.language);
  }

  /** Called with a workspace, and after each of its changes. */
  protected abstract changed(change?: WorkspaceChange): void;

  protected override shown(): void {
    this.follow();
  }

  protected open(detail: OpenFileDetail): void {
    this.emit("open-file", detail);
  }

  private follow(): void {
    if (!this.isShown) return;
    this.endWatch?.();
    this.endWatch = this.given?.watch((change) => this.changed(change)) ?? null;
    this.draw(this.words);
    if (this.given) this.changed();
  }
}

/** Returns the sentence of a failure. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
