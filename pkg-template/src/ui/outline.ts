/** `<copydesk-outline>`. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Editor } from "@tiptap/core";
import { watchOf } from "../assistant/document-watch.js";
import { isMounted } from "../assistant/mounted.js";
import { scrollerOf, scrollToElement } from "../assistant/ranges.js";
import { sectionsOf, type Section } from "../assistant/sections.js";
import { define, languageOf } from "./element.js";
import { FollowController } from "./follow-controller.js";
import { outlineStyle } from "./outline-style.js";
import { PanelElement } from "./panel-element.js";
import { base } from "./styles.js";

/** Pixels below the top of the frame where the reader's line is. */
const READ_AT = 120;
/** Pixels between the current entry and the edges of what scrolls the outline. */
const MARGIN = 60;

/** A section with its heading in the page, once it was looked up. */
interface Entry {
  section: Section;
  heading: HTMLElement | null;
}

/**
 * The sections of the document, also those that are suggested, with the one that the reader is in, and the number of words.
 *
 * @tagname copydesk-outline
 * @fires {CustomEvent<{ number: number, title: string }>} section-select - The user has chosen a section; after `preventDefault()` the document does not scroll to it.
 * @slot missing - Shown while `editor` is missing.
 * @csspart list - The list of sections.
 * @csspart section - The button of a section.
 * @csspart number - The number of a section.
 * @csspart name - The title of a section.
 * @csspart no-sections - Shown while there are no sections.
 * @csspart length - The number of words.
 * @csspart empty - Shown while `editor` is missing.
 */
export class CopydeskOutline extends PanelElement {
  static override properties: PropertyDeclarations = {
    editor: { attribute: false },
    current: { state: true },
  };
  static override styles = [base, outlineStyle];

  /** The editor, with the extension `Copydesk`. */
  declare editor: Editor | undefined;
  /** The index of the section that the reader is in. */
  declare private current: number;
  #entries: Entry[] = [];
  #followed = FollowController.of(
    this,
    () => this.mounted(this.editor),
    (editor) => this.#follow(editor),
  );
  #frame: Element | undefined;
  #isScheduled = false;

  constructor() {
    super();
    this.current = -1;
  }

  protected override missing(): string | null {
    return this.editor ? null : "needs the property `editor`, a TipTap editor with the extension Copydesk.";
  }

  get #editing(): Editor | undefined {
    return this.#followed.current?.[0];
  }

  protected override updated(changed: Map<string, unknown>): void {
    // While somebody writes, the list stays where the reader has scrolled it.
    if (changed.has("current")) this.#keepInView();
  }

  protected override render(): TemplateResult {
    const { m } = this;
    const editor = this.#editing;
    if (!editor) return this.empty();
    const { words } = watchOf(editor);
    const length = words ? m.outline.words(words) : "";
    return html`<nav lang=${m.lang} aria-label=${m.outline.label}>
      <ol class="outline-list" part="list">
        ${guard([this.#entries, this.current, m], () => this.#entries.map(({ section }, at) => this.#entry(section, at)))}
      </ol>
      <p class="outline-none" part="no-sections" ?hidden=${this.#entries.length > 0}>${m.outline.noSections}</p>
      <p class="outline-length" part="length">${length}</p>
    </nav>`;
  }

  #entry(section: Section, at: number): TemplateResult {
    const { number, title, state } = section;
    const m = this.m.outline;
    return html`<li>
      <button
        type="button"
        class="${number ? "outline-entry" : "outline-title"} ${state}"
        part="section"
        dir="auto"
        lang=${title ? languageOf(title) : nothing}
        aria-current=${at === this.current ? "location" : nothing}
        @click=${() => this.#select(section)}
      >
        ${number ? html`<span class="outline-number" part="number">${number}</span>` : nothing}
        <span class="outline-name" part="name">${title || (number ? "…" : m.introduction)}</span>
        ${state ? html`<span class="visually-hidden" lang=${this.m.lang}>(${m[state]})</span>` : nothing}
      </button>
    </li>`;
  }

  #select({ number, title, find }: Section): void {
    const editor = this.#editing;
    if (!editor || !isMounted(editor) || !this.emit("section-select", { number, title }, true)) return;
    const element = find();
    if (element) scrollToElement(editor, element);
  }

  #follow(editor: Editor): () => void {
    const end = watchOf(editor).follow(({ structure }) => {
      if (structure && isMounted(editor)) this.#read(editor);
      this.requestUpdate();
    });
    const endPlaces = this.#followPlaces(editor);
    this.#read(editor);
    return () => {
      end();
      endPlaces();
      this.#bind(undefined);
      this.#entries = [];
      this.current = -1;
    };
  }

  /** Looks again when the editor has left the page or is in another place of it. Returns a function that ends it. */
  #followPlaces(editor: Editor): () => void {
    const left = () => this.requestUpdate();
    const placed = () => isMounted(editor) && this.#read(editor);
    editor.on("destroy", left).on("unmount", left).on("mount", placed);
    return () => void editor.off("destroy", left).off("unmount", left).off("mount", placed);
  }

  /** Follows what scrolls the document. */
  #bind(frame: Element | undefined): void {
    if (frame === this.#frame) return;
    eventsOf(this.#frame)?.removeEventListener("scroll", this.#scrolled);
    this.#frame = frame;
    eventsOf(frame)?.addEventListener("scroll", this.#scrolled, { passive: true });
  }

  #read(editor: Editor): void {
    this.#bind(scrollerOf(editor.view.dom));
    this.#entries = sectionsOf(editor).map((section) => ({ section, heading: null }));
    this.#markCurrent();
  }

  #scrolled = (): void => {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      this.#markCurrent();
    });
  };

  /** Marks the last section that begins above the reader's line. Sections are in the order of the page. */
  #markCurrent(): void {
    const [frame, editor] = [this.#frame, this.#editing];
    if (!frame || !editor || !isMounted(editor)) return;
    const top = (frame === document.scrollingElement ? 0 : frame.getBoundingClientRect().top) + READ_AT;
    let [first, last] = [0, this.#entries.length - 1];
    while (first < last) {
      const middle = (first + last + 1) >> 1;
      const entry = this.#entries[middle]!;
      if (!entry.heading?.isConnected) entry.heading = entry.section.find();
      if (entry.heading && entry.heading.getBoundingClientRect().top <= top) first = middle;
      else last = middle - 1;
    }
    this.current = this.#entries.length ? first : -1;
  }

  /** Scrolls what scrolls the outline, and never the page, so far that the current entry is in view. */
  #keepInView(): void {
    const entry = this.shadowRoot?.querySelector("[aria-current]");
    const scroller = entry && scrollerOf(entry);
    if (!scroller || scroller === document.scrollingElement || scroller === this.#frame) return;
    const [frame, box] = [scroller.getBoundingClientRect(), entry.getBoundingClientRect()];
    const margin = Math.min(MARGIN, frame.height / 4);
    if (box.top < frame.top + margin) scroller.scrollTop -= frame.top + margin - box.top;
    else if (box.bottom > frame.bottom - margin) scroller.scrollTop += box.bottom - frame.bottom + margin;
  }
}

/** Returns what dispatches the scroll events of an element: those of the page come from the document. */
function eventsOf(frame: Element | undefined): EventTarget | undefined {
  return frame === document.scrollingElement ? document : frame;
}

define("copydesk-outline", CopydeskOutline);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-outline": CopydeskOutline;
  }
}
