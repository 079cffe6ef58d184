/** The attachments in `<copydesk-composer>`: those of the next message, and the list to choose from. Loaded when first
 * needed. */

import { adoptStyles, html, nothing, type CSSResultOrNative, type LitElement, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Attachment, AttachmentKind, AttachmentSource, AttachmentTarget } from "../assistant/attachment.js";
import type { Assistant } from "../assistant/controller.js";
import { ignoreHeld, onPress } from "../review/presses.js";
import { attachmentsStyle } from "./attachments-style.js";
import { icon, type IconName } from "./icons.js";
import { GAP, keepPlaced } from "./popup-place.js";
import { popup } from "./styles.js";
import { attachmentWordsFor, type AttachmentWords } from "./words/attachments.js";
import type { WordTables } from "./words/index.js";

/** The part of the composer that the view needs. */
export interface AttachmentsHost {
  assistant: () => Assistant | undefined;
  field: () => HTMLTextAreaElement;
  /** The language tag, and the words of the app. */
  words: () => [tag: string, tables: WordTables | undefined];
  /** Attaches something, and shows a failure. */
  attach: (...sources: AttachmentSource[]) => void;
  /** The text of the field was changed. */
  changed: () => void;
}

type Item = { readonly kind: "device" } | AttachmentTarget;

/** An `@` in the field, and the text after it up to the cursor. */
interface Mention {
  readonly at: number;
  readonly query: string;
}

/** The most items that are shown. */
const MOST = 50;
const LIST = "attachables";
/** An `@` that begins a word, with what follows up to the cursor. */
const MENTION = /(?:^|[^A-Za-z0-9._%+@-])@([^\s@]{0,60})$/;

const ICONS: Record<AttachmentKind | "device", IconName> = {
  selection: "write",
  section: "read",
  file: "files",
  text: "read",
  image: "image",
  device: "attach",
};

export class AttachmentsView {
  /** The targets in the list; null while it is closed. */
  #targets: readonly AttachmentTarget[] | null = null;
  /** The `@` that has opened the list, with its text; null if the button has. */
  #mention: Mention | null = null;
  #at = 0;
  #said = "";
  /** The number of the last opening. */
  #opened = 0;
  /** The position of the `@` whose list was closed with Escape. */
  #dismissed = -1;

  constructor(
    private element: LitElement,
    private host: AttachmentsHost,
  ) {
    const { elementStyles } = element.constructor as typeof LitElement;
    adoptStyles(element.renderRoot as ShadowRoot, [...elementStyles, popup, attachmentsStyle] as CSSResultOrNative[]);
  }

  get #m(): AttachmentWords["attachments"] {
    return attachmentWordsFor(...this.host.words());
  }

  get #attachments(): readonly Attachment[] {
    return this.host.assistant()?.state.attachments ?? [];
  }

  /** Returns the attachments of the next message, and the list of what can be attached. */
  list(): TemplateResult {
    const all = this.#attachments;
    const failed = all.filter(({ state }) => state === "failed");
    const kept = all.filter(({ state }) => state !== "failed");
    return html`${
        kept.length
          ? html`<ul class="attachments" part="attachments" aria-label=${this.#m.list}>
              ${repeat(
                kept,
                ({ id }) => id,
                (attachment) => this.#attachment(attachment),
              )}
            </ul>`
          : nothing
      }${this.#total(kept)}${failed.map((attachment) => this.#failure(attachment))}${this.#choice()}<span
        class="visually-hidden"
        role="status"
        >${this.#said}</span
      ><input type="file" multiple hidden @change=${this.#chosen} />`;
  }

  #attachment({ id, kind, name, image, tokens, state }: Attachment): TemplateResult {
    const m = this.#m;
    const size = state === "reading" ? m.reading : tokens === null ? "" : m.tokens(tokens);
    const remove = m.remove(name || m.kinds[kind]);
    return html`<li class="attachment" part="attachment" data-kind=${kind} data-state=${state}>
      ${image ? html`<img src="data:${image.mimeType};base64,${image.data}" alt="" />` : icon(ICONS[kind])}
      <span class="attachment-text"
        ><span class="attachment-name" dir="auto" title=${name}>${name || m.kinds[kind]}</span
        ><span class="attachment-size"
          >${[kind === "text" || kind === "image" ? "" : m.kinds[kind], size].filter(Boolean).join(" · ")}</span
        ></span
      >
      <button
        type="button"
        class="remove"
        aria-label=${remove}
        title=${remove}
        @click=${onPress(() => this.#remove(id))}
        @keydown=${(event: KeyboardEvent) => this.#keyOn(id, event)}
      >
        ${icon("close")}
      </button>
    </li>`;
  }

  #failure({ id, error }: Attachment): TemplateResult {
    return html`<p class="attachment-error" part="attachment-error" role="alert" data-code=${error!.code}>
      <span id="error-${id}">${error!.message}</span>
      <button
        type="button"
        class="button plain small"
        aria-describedby="error-${id}"
        @click=${onPress(() => this.#remove(id))}
      >
        ${this.#m.dismiss}
      </button>
    </p>`;
  }

  #total(all: readonly Attachment[]): TemplateResult | typeof nothing {
    if (all.length < 2 || all.some(({ tokens }) => tokens === null)) return nothing;
    const tokens = all.reduce((sum, one) => sum + (one.tokens ?? 0), 0);
    return html`<p class="attachments-total">${this.#m.total(tokens)}</p>`;
  }

  #choice(): TemplateResult | typeof nothing {
    const items = this.#items;
    if (!items) return nothing;
    const m = this.#m;
    return html`<ul
      id=${LIST}
      class="popup attachables"
      part="attachables"
      role="listbox"
      popover="manual"
      aria-label=${m.choose}
    >
      ${items.map(
        (item, at) =>
          html`<li
            id="${LIST}-${at}"
            class="attachable"
            role="option"
            aria-selected=${at === this.#at}
            @pointerdown=${(event: Event) => event.preventDefault()}
            @click=${() => this.#choose(item)}
          >
            ${icon(ICONS[item.kind])}<span class="attachable-name" dir="auto">${this.#nameOf(item)}</span
            ><span class="attachable-kind">${this.#kindOf(item)}</span>
          </li>`,
      )}
    </ul>`;
  }

  /** The items of the list; null if it is closed. */
  get #items(): Item[] | null {
    if (!this.#targets) return null;
    const query = (this.#mention?.query ?? "").toLowerCase();
    const found = this.#targets.filter(({ name = "" }) => name.toLowerCase().includes(query)).slice(0, MOST);
    return query ? found : [{ kind: "device" }, ...found];
  }

  #nameOf(item: Item): string {
    if (item.kind === "device") return this.#m.fromDevice;
    return item.name || (item.kind === "section" ? this.#m.sectionNumber(item.number) : this.#m.kinds[item.kind]);
  }

  #kindOf(item: Item): string {
    if (item.kind === "device") return "";
    return item.kind === "section" ? this.#m.sectionNumber(item.number) : this.#m.kinds[item.kind];
  }

  /** Attaches something, and announces it. Fails if the modules of attachments cannot be loaded. */
  async attach(...sources: AttachmentSource[]): Promise<void> {
    const before = new Set(this.#attachments.map(({ id }) => id));
    await this.host.assistant()?.attach(...sources);
    const m = this.#m;
    const added = this.#attachments.filter(({ id, state }) => !before.has(id) && state === "ready");
    const size = ({ tokens }: Attachment) => (tokens === null ? "" : m.tokens(tokens));
    this.#say(added.map((one) => m.attached(one.name, size(one))).join(" "));
  }

  /** Opens or closes the list. */
  async open(): Promise<void> {
    if (this.#targets && !this.#mention) return this.close();
    this.host.field().focus();
    await this.#open(null);
  }

  /** Opens or closes the list as the text before the cursor says. */
  async typed(): Promise<void> {
    const mention = this.#mentionAtCursor();
    if (!mention) {
      this.#dismissed = -1;
      return this.close();
    }
    if (this.#dismissed !== mention.at) await this.#open(mention);
  }

  close(): void {
    this.#opened++;
    if (this.#targets) this.#set(null);
  }

  /** Handles a key in the field. Returns false for keys that are not for the list. */
  key(event: KeyboardEvent): boolean {
    const items = this.#items;
    if (!items) return this.#keyWithoutList(event);
    const { key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
    if (key === "Escape") {
      this.#dismissed = this.#mention?.at ?? this.#dismissed;
      this.close();
      return true;
    }
    if (key === "ArrowDown" || key === "ArrowUp") {
      const step = key === "ArrowDown" ? 1 : -1;
      this.#at = (this.#at + step + items.length) % items.length;
      this.element.requestUpdate();
      this.#drawn();
      return true;
    }
    if (key !== "Enter" && key !== "Tab") return false;
    this.#choose(items[this.#at]!);
    return true;
  }

  /** Backspace at the beginning moves to the last attachment. */
  #keyWithoutList({ key, shiftKey }: KeyboardEvent): boolean {
    const { selectionStart, selectionEnd } = this.host.field();
    if (key !== "Backspace" || shiftKey || selectionStart || selectionEnd) return false;
    const last = this.#buttons.at(-1);
    last?.focus();
    return last !== undefined;
  }

  get #buttons(): HTMLElement[] {
    return [...this.element.renderRoot.querySelectorAll<HTMLElement>(".attachment .remove, .attachment-error button")];
  }

  #keyOn(id: string, event: KeyboardEvent): void {
    ignoreHeld(event);
    const { key } = event;
    if (key === "Backspace" || key === "Delete") {
      event.preventDefault();
      return this.#remove(id);
    }
    const rtl = getComputedStyle(this.element).direction === "rtl";
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    const at = this.#buttons.indexOf(event.currentTarget as HTMLElement) + (rtl ? -step : step);
    if (!step || at < 0) return;
    event.preventDefault();
    (this.#buttons[at] ?? this.host.field()).focus();
  }

  /** Removes an attachment. The focus moves to the next one, or into the field. */
  #remove(id: string): void {
    const removed = this.#attachments.find((one) => one.id === id);
    const at = this.#buttons.findIndex((button) => button.matches(":focus"));
    this.host.assistant()?.detach(id);
    if (removed) this.#say(this.#m.removed(removed.name));
    // The state is told in a microtask, and drawn after it.
    setTimeout(() => {
      void this.element.updateComplete.then(() => {
        if (at >= 0) (this.#buttons[at] ?? this.#buttons.at(-1) ?? this.host.field()).focus();
      });
    });
  }

  #say(text: string): void {
    this.#said = text;
    this.element.requestUpdate();
  }

  /** Returns the `@` before the cursor; null if there is none. */
  #mentionAtCursor(): Mention | null {
    const { value, selectionStart, selectionEnd } = this.host.field();
    if (selectionStart !== selectionEnd) return null;
    const query = MENTION.exec(value.slice(0, selectionStart))?.[1];
    return query === undefined ? null : { at: selectionStart - query.length - 1, query };
  }

  async #open(mention: Mention | null): Promise<void> {
    const opening = ++this.#opened;
    const targets = this.#targets ?? (await this.host.assistant()?.attachable()) ?? [];
    if (opening !== this.#opened) return;
    this.#mention = mention;
    this.#set(targets);
  }

  #set(targets: readonly AttachmentTarget[] | null): void {
    this.#targets = targets;
    this.#at = 0;
    // Without a match it is closed; the next key may find one.
    if (!this.#items?.length) this.#targets = null;
    const field = this.host.field();
    for (const [name, value] of [
      ["aria-autocomplete", "list"],
      ["aria-controls", LIST],
    ] as const) {
      if (this.#targets) field.setAttribute(name, value);
      else field.removeAttribute(name);
    }
    this.#said = this.#targets ? this.#m.found(this.#items!.length) : "";
    this.element.requestUpdate();
    this.#drawn();
  }

  /** Places the list, and marks its current item. */
  #drawn(): void {
    void this.element.updateComplete.then(() => {
      const list = this.element.renderRoot.querySelector<HTMLElement>(`#${LIST}`);
      const field = this.host.field();
      if (!list) return field.removeAttribute("aria-activedescendant");
      const current = list.children[this.#at];
      field.setAttribute("aria-activedescendant", current?.id ?? "");
      if (!list.matches(":popover-open")) list.showPopover();
      keepPlaced(list, () => {
        const box = field.closest(".composer-box")!.getBoundingClientRect();
        list.style.width = `${Math.min(box.width, innerWidth - 2 * GAP)}px`;
        list.style.left = `${Math.max(GAP, box.left)}px`;
        const height = Math.min(list.scrollHeight + 2, Math.max(120, box.top - 2 * GAP));
        list.style.maxHeight = `${height}px`;
        list.style.top = `${Math.max(GAP, box.top - GAP - Math.min(height, list.offsetHeight))}px`;
      });
      current?.scrollIntoView({ block: "nearest" });
    });
  }

  #choose(item: Item): void {
    const mention = this.#mention;
    this.close();
    const field = this.host.field();
    if (mention) {
      // The name stays in the text, so that it can speak of what is attached. The cursor may have moved since.
      const name = item.kind === "device" || item.kind === "selection" ? "" : `${this.#nameOf(item)} `;
      field.setRangeText(name ? `@${name}` : "", mention.at, mention.at + 1 + mention.query.length, "end");
      this.host.changed();
      this.#dismissed = -1;
    }
    if (item.kind === "device") {
      const input = this.element.renderRoot.querySelector<HTMLInputElement>("input[type=file]")!;
      input.click();
    } else this.host.attach(item);
    field.focus();
  }

  #chosen = (event: Event): void => {
    const input = event.currentTarget as HTMLInputElement;
    const files = [...(input.files ?? [])];
    // The same file can be chosen again.
    input.value = "";
    if (files.length) this.host.attach(...files);
    this.host.field().focus();
  };
}
