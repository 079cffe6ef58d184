/** The basis of all panels: custom elements in the language of the page. */

export type PanelLanguage = "en" | "zh-CN";

/** An element that speaks the language of its attribute `lang`, or else of the page. */
export abstract class LocalizedElement<Words> extends HTMLElement {
  private languages: MutationObserver | null = null;
  private isBuilt = false;

  connectedCallback(): void {
    if (!this.isBuilt) this.build();
    this.isBuilt = true;
    this.languages = new MutationObserver(() => this.draw(this.words));
    for (const element of [this, document.documentElement])
      this.languages.observe(element, { attributeFilter: ["lang"] });
    this.draw(this.words);
  }

  disconnectedCallback(): void {
    this.languages?.disconnect();
  }

  /** True while the element is in a page and has its content. */
  protected get isShown(): boolean {
    return this.isConnected && this.isBuilt;
  }

  /** The texts in the language of the panel. */
  protected abstract get words(): Words;

  protected get language(): PanelLanguage {
    const tag = this.closest("[lang]")?.getAttribute("lang") ?? document.documentElement.lang;
    return tag.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
  }

  /** Creates the content, once. */
  protected abstract build(): void;

  /** Writes everything in the current language. */
  protected abstract draw(words: Words): void;

  protected emit<T>(type: string, detail: T): void {
    this.dispatchEvent(new CustomEvent<T>(type, { detail, bubbles: true, composed: true }));
  }
}
