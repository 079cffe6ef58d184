/** `<copydesk-find>`. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Editor } from "@tiptap/core";
import { scrollerOf } from "../assistant/ranges.js";
import type { Find } from "../find/search.js";
import { define } from "./element.js";
import { findStyle } from "./find-style.js";
import { FollowController } from "./follow-controller.js";
import { icon, type IconName } from "./icons.js";
import { PanelElement } from "./panel-element.js";
import { fieldStyle } from "./panel-styles.js";
import { base } from "./styles.js";
import type { PanelWords } from "./words/panels.js";

/** Characters of a selection that become the text to find. */
const LONGEST = 200;

/**
 * A bar that finds and replaces text in a document, also in the changes that are proposed. It is hidden until it is opened.
 * Enter goes to the next match, Shift+Enter to the previous one, Escape closes it.
 *
 * @tagname copydesk-find
 * @fires {CustomEvent<{}>} find-close - The user has closed the bar; after `preventDefault()` the focus does not go to the document.
 * @slot missing - Shown while `find` is missing and the bar is open.
 * @csspart bar - The bar.
 * @csspart expand - The button that shows the field for the other text.
 * @csspart field - A field.
 * @csspart toggle - A button that is on or off.
 * @csspart previous - The button for the previous match.
 * @csspart next - The button for the next match.
 * @csspart status - Which match is the current one, or what was replaced.
 * @csspart close - The button that closes the bar.
 * @csspart replacing - The line with the field for the other text.
 * @csspart replace - The button that replaces the current match.
 * @csspart replace-all - The button that replaces all matches.
 * @csspart empty - Shown while `find` is missing.
 */
export class CopydeskFind extends PanelElement {
  static override properties: PropertyDeclarations = {
    find: { attribute: false },
    open: { type: Boolean, reflect: true },
    isReplacing: { state: true },
    isCaseSensitive: { state: true },
    isWholeWord: { state: true },
    said: { state: true },
  };
  static override styles = [base, fieldStyle, findStyle];

  /** The search in an editor with the extension `FindMarks`; both are of copydesk/find. */
  declare find: Find | undefined;
  /** True while the bar is shown. */
  declare open: boolean;
  /** True if the user wants to replace. */
  declare private isReplacing: boolean;
  declare private isCaseSensitive: boolean;
  declare private isWholeWord: boolean;
  /** The result of the last replacement, until the next search. */
  declare private said: ((m: PanelWords) => string) | null;
  #searching: Find | undefined;
  #followed = new FollowController(
    this,
    () => {
      const { find } = this;
      return find && this.mounted(find.editor) && [find];
    },
    (find) => find.subscribe(() => this.requestUpdate()),
  );

  constructor() {
    super();
    this.open = this.isReplacing = this.isCaseSensitive = this.isWholeWord = false;
    this.said = null;
  }

  protected override missing(): string | null {
    return this.find ? null : "needs the property `find`, a `Find` of copydesk/find.";
  }

  /** Opens the bar for the selected text, or for what was searched before, and focuses its field. */
  async show({ replace = false }: { replace?: boolean } = {}): Promise<void> {
    this.open = true;
    if (replace) this.isReplacing = true;
    await this.updateComplete;
    const [editor, field] = [this.#editor, this.#field("text")];
    if (!editor || !field) return;
    const { selection, doc } = editor.state;
    const { from, to, $from, $to } = selection;
    const chosen = $from.sameParent($to) && to - from <= LONGEST ? doc.textBetween(from, to) : "";
    if (chosen.trim()) field.value = chosen;
    this.focus();
    this.#search();
  }

  /** Closes the bar. The current match stays selected. */
  close(): void {
    this.#followed.current?.[0].show();
    this.said = null;
    this.open = false;
  }

  /** Focuses the field. */
  override focus(): void {
    const field = this.#field("text");
    field?.focus();
    field?.select();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#use(undefined);
  }

  protected override updated(): void {
    this.#use(this.open ? this.#followed.current?.[0] : undefined);
  }

  protected override render(): TemplateResult {
    const { m } = this;
    const editor = this.#editor;
    if (!editor) return this.empty();
    const canReplace = this.#canReplace;
    const isReplacing = canReplace && this.isReplacing;
    return html`<div
      class="find-bar"
      part="bar"
      role="search"
      lang=${m.lang}
      aria-label=${m.find.label}
      @keydown=${this.#key}
    >
      <div class="find-row">
        <button
          type="button"
          class="tool expand"
          part="expand"
          aria-expanded=${isReplacing}
          aria-label=${m.find.showReplace}
          title=${m.find.showReplace}
          ?hidden=${!canReplace}
          @click=${() => (this.isReplacing = !this.isReplacing)}
        >
          ${icon("chevron")}
        </button>
        ${this.#input("text", m.find.find)}
        ${this.#toggle("Aa", m.find.caseSensitive, this.isCaseSensitive, () => (this.isCaseSensitive = !this.isCaseSensitive))}
        ${this.#toggle("ab|", m.find.wholeWord, this.isWholeWord, () => (this.isWholeWord = !this.isWholeWord))}
        ${this.#tool("up", "previous", m.find.previous, () => this.#go(-1))}
        ${this.#tool("down", "next", m.find.next, () => this.#go(1))}
        <span class="find-status" part="status" role="status" .textContent=${this.#status()}></span>
        ${this.#tool("close", "close", m.find.close, this.#closed)}
      </div>
      <div class="find-row replacing" part="replacing" ?hidden=${!isReplacing}>
        ${this.#input("replacement", m.find.replacement)}
        <button
          type="button"
          class="button plain small"
          part="replace"
          @click=${this.#replace}
          .textContent=${m.find.replace}
        ></button>
        <button
          type="button"
          class="button plain small"
          part="replace-all"
          @click=${this.#replaceAll}
          .textContent=${m.find.replaceAll}
        ></button>
      </div>
    </div>`;
  }

  get #editor(): Editor | undefined {
    return this.#followed.current?.[0].editor;
  }

  get #canReplace(): boolean {
    return !this.disabled && this.#editor?.isEditable === true;
  }

  #field(name: string): HTMLInputElement | null {
    return this.renderRoot.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  }

  /** Begins and ends the search. */
  #use(find: Find | undefined): void {
    if (find === this.#searching) return;
    this.#searching?.end();
    this.#searching = find;
    // The search changes the state that is drawn.
    if (find) void this.updateComplete.then(() => this.#searching === find && this.#search());
  }

  #tool(name: IconName, part: string, label: string, run: () => void): TemplateResult {
    return html`<button type="button" class="tool" part=${part} aria-label=${label} title=${label} @click=${run}>
      ${icon(name)}
    </button>`;
  }

  #toggle(text: string, label: string, isOn: boolean, change: () => void): TemplateResult {
    const click = () => {
      change();
      this.#search();
    };
    return html`<button
      type="button"
      class="tool find-toggle"
      part="toggle"
      aria-pressed=${isOn}
      aria-label=${label}
      title=${label}
      data-sign=${text}
      @click=${click}
    ></button>`;
  }

  #input(name: "text" | "replacement", label: string): TemplateResult {
    const isSearched = name === "text";
    return html`<input
      name=${name}
      type="text"
      part="field"
      autocomplete="off"
      autocapitalize=${isSearched ? "off" : nothing}
      spellcheck="false"
      enterkeyhint=${isSearched ? "search" : nothing}
      aria-label=${label}
      placeholder=${label}
      @input=${isSearched ? this.#search : nothing}
    />`;
  }

  #search = (): void => {
    const text = this.#field("text")?.value ?? "";
    this.said = null;
    this.#searching?.search({ text, caseSensitive: this.isCaseSensitive, wholeWord: this.isWholeWord });
    this.#searching?.show();
    this.requestUpdate();
  };

  #go(step: 1 | -1): void {
    this.said = null;
    this.#searching?.go(step);
  }

  #replace = (): void => {
    if (!this.#searching || !this.#canReplace) return;
    const isReplaced = this.#searching.replace(this.#field("replacement")?.value ?? "");
    this.said = isReplaced ? null : (m) => m.find.isPending;
  };

  #replaceAll = (): void => {
    if (!this.#searching || !this.#canReplace) return;
    const { count, left } = this.#searching.replaceAll(this.#field("replacement")?.value ?? "");
    this.said = (m) => m.find.replaced(count, left);
  };

  #closed = (): void => {
    const editor = this.#editor;
    this.close();
    if (!this.emit("find-close", {}, true) || !editor) return;
    if (editor.isEditable) editor.view.focus();
    else (scrollerOf(editor.view.dom) as HTMLElement).focus();
  };

  #key = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const { name } = event.target as HTMLInputElement;
    if (event.key === "Escape") this.#closed();
    else if (event.key === "Enter" && name === "text") this.#go(event.shiftKey ? -1 : 1);
    else if (event.key === "Enter" && name === "replacement") this.#replace();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  #status(): string {
    const { m, said } = this;
    if (said) return said(m);
    if (!this.#searching || !this.#field("text")?.value) return "";
    const { current, total, proposed } = this.#searching.found;
    return total ? m.find.count(current, total, proposed) : m.find.nothing;
  }
}

define("copydesk-find", CopydeskFind);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-find": CopydeskFind;
  }
}
