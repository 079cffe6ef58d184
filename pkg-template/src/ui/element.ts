/** The common parts of all elements: language, words, events and the empty state. */

import { LitElement, html, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Editor } from "@tiptap/core";
import { isMounted, whenMounted } from "../assistant/mounted.js";
import type { CopydeskEvents } from "./events.js";
import type { WordTables } from "./words/index.js";

/** The elements that follow the language of the page. */
const followers = new Set<CopydeskElement>();
let observer: MutationObserver | undefined;

/** Calls the elements when the page's language or direction changes. One observer serves all. */
function followPage(element: CopydeskElement): void {
  followers.add(element);
  observer ??= new MutationObserver(() => {
    for (const follower of followers) follower.requestUpdate();
  });
  if (followers.size === 1)
    observer.observe(document.documentElement, { attributeFilter: ["lang", "dir"], subtree: true });
}

function unfollowPage(element: CopydeskElement): void {
  followers.delete(element);
  if (!followers.size) observer?.disconnect();
}

/** The parent of a node, also across the border of a shadow tree. */
function parentOf(node: Node): Node | null {
  return node.parentNode instanceof ShadowRoot ? node.parentNode.host : node.parentNode;
}

function languageAt(element: Element): string {
  for (let at: Node | null = element; at; at = parentOf(at))
    if (at instanceof Element && at.getAttribute("lang")) return at.getAttribute("lang")!;
  return navigator.language || "en";
}

/** The listeners of the elements are typed. */
export interface CopydeskElement {
  addEventListener<Name extends keyof CopydeskEvents>(
    type: Name,
    listener: (event: CopydeskEvents[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Name extends keyof HTMLElementEventMap>(
    type: Name,
    listener: (event: HTMLElementEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/**
 * The base of the elements.
 *
 * @cssprop --copydesk-surface - The ground of fields and menus.
 * @cssprop --copydesk-ground - The ground of notes and code.
 * @cssprop --copydesk-ink - The text.
 * @cssprop --copydesk-muted - Text that matters less.
 * @cssprop --copydesk-line - The borders of fields and buttons.
 * @cssprop --copydesk-hairline - The lines between areas.
 * @cssprop --copydesk-accent - Buttons, links and the focus.
 * @cssprop --copydesk-accent-deep - A button under the pointer.
 * @cssprop --copydesk-on-accent - Text on a button.
 * @cssprop --copydesk-tint - The ground of what is under the pointer.
 * @cssprop --copydesk-tint-strong - The ground of what is highlighted.
 * @cssprop --copydesk-error - Failures.
 * @cssprop --copydesk-warning - Notices and conflicts.
 * @cssprop --copydesk-insert - Inserted text.
 * @cssprop --copydesk-delete - Deleted text.
 * @cssprop --copydesk-shadow - The shadow of menus.
 * @cssprop --copydesk-font-size - The size of the text. Default: 14px, in panels beside the page 13px.
 * @cssprop --copydesk-heading-font - The font of headings. Default: that of the page.
 * @cssprop --copydesk-mono - The font of code.
 * @cssprop --copydesk-radius - The radius of corners. Default: 8px.
 * @cssprop --copydesk-space - The space at the sides. Default: 20px.
 * @cssprop --copydesk-density - A factor for all other spaces. Default: 1.
 */
export abstract class CopydeskElement extends LitElement {
  static override properties: PropertyDeclarations = {
    locale: {},
    words: { attribute: false },
    disabled: { type: Boolean, reflect: true },
  };

  /** A language tag. Default: that of the closest `lang` attribute. */
  declare locale: string | undefined;
  /** Words of the app, by language tag; see `WordTables`. */
  declare words: WordTables | undefined;
  /** True if nothing can be changed: everything can be read still. */
  declare disabled: boolean;
  #isTold = false;
  #awaited: Editor | undefined;
  #endWait: (() => void) | undefined;
  #children = typeof MutationObserver === "function" ? new MutationObserver(() => this.requestUpdate()) : undefined;

  constructor() {
    super();
    this.disabled = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    followPage(this);
    this.#children?.observe(this, { childList: true });
    // What it needs may be set in the same task.
    setTimeout(() => this.#tell());
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    unfollowPage(this);
    this.#children?.disconnect();
    this.#stopWaiting();
  }

  /** The language tag that the element is shown in. */
  protected get language(): string {
    return this.locale || languageAt(this);
  }

  /** Returns what the element needs and does not have, for developers; null if it has everything. */
  protected missing(): string | null {
    return null;
  }

  /** Returns the element that has the focus in the element's own tree. */
  protected get focused(): HTMLElement | null {
    return (this.shadowRoot?.activeElement as HTMLElement | null) ?? null;
  }

  /** Returns an editor that is in the page. The element is drawn again when it is. */
  protected mounted(editor: Editor | undefined): Editor | undefined {
    // Hooks of frameworks return null before there is one.
    const isHere = editor != null && isMounted(editor);
    if (isHere || editor !== this.#awaited) this.#stopWaiting();
    // An editor may leave the page and come back.
    if (editor && !isHere && this.isConnected && !this.#awaited) {
      this.#awaited = editor;
      this.#endWait = whenMounted(editor, () => {
        this.#stopWaiting();
        this.requestUpdate();
      });
    }
    return isHere ? editor : undefined;
  }

  #stopWaiting(): void {
    this.#endWait?.();
    this.#endWait = undefined;
    this.#awaited = undefined;
  }

  /** Returns true if the page has put something into a slot. A slot that is passed on would hide what is shown without. */
  protected hasSlotted(name: string): boolean {
    return this.querySelector(`:scope > [slot="${name}"]`) !== null;
  }

  /** Dispatches an event that leaves shadow trees. Returns false if a listener has prevented its default. */
  protected emit<Name extends keyof CopydeskEvents>(
    name: Name,
    detail: CopydeskEvents[Name]["detail"],
    cancelable = false,
  ): boolean {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable }));
  }

  /** Shown while something is missing. */
  protected empty(): TemplateResult {
    return html`<p class="empty" part="empty"><slot name="missing"></slot></p>`;
  }

  #tell(): void {
    if (this.#isTold || !this.isConnected) return;
    const missing = this.missing();
    if (!missing) return;
    this.#isTold = true;
    console.warn(`<${this.localName}> ${missing}`);
  }
}

/** Defines an element, unless the page has it: two copies of this package may be loaded. */
export function define(name: string, element: CustomElementConstructor): void {
  if (!customElements.get(name)) customElements.define(name, element);
}

/** Returns the language of most of a text. It is set as `lang`, which selects the shape of punctuation. */
export function languageOf(text: string): "zh-CN" | "en" {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const latin = text.match(/[A-Za-z]+/g)?.length ?? 0;
  return han > latin ? "zh-CN" : "en";
}

/** Returns a format of dates for a language tag, or for `other` if the tag is not valid, as `en_US`. */
export function dateFormat(tag: string, other: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(tag, options);
  } catch {
    return new Intl.DateTimeFormat(other, options);
  }
}

let serial = 0;

/** Returns an id that no other element of the page has. */
export function freshId(name: string): string {
  return `copydesk-${name}-${++serial}`;
}
