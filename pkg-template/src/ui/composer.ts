/** `<copydesk-composer>`. */

import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { AttachmentSource } from "../assistant/attachment.js";
import type { EditMode } from "../assistant/edit-mode.js";
import { ignoreHeld, onPress } from "../review/presses.js";
import { AssistantElement, Countdown, shortened } from "./assistant-element.js";
import { composerStyle } from "./composer-style.js";
import { define, type CopydeskElement } from "./element.js";
import { icon } from "./icons.js";
import { base } from "./styles.js";

type AttachmentsView = import("./attachments.js").AttachmentsView;

/** The most pixels that the field grows to. */
const HIGHEST = 200;
/** A pasted text of more characters is attached. */
const LONGEST_PASTE = 5000;

/**
 * The message field, which grows with its text; Enter sends, and ArrowUp brings back earlier messages. Files, sections and
 * the selection are attached with the button, with `@`, by pasting and dropping. While the assistant works, its button stops
 * the run, and messages are sent after the current step.
 *
 * @tagname copydesk-composer
 * @fires {CustomEvent<{ text: string, attachments?: readonly Attachment[] }>} message - A message is about to be sent; after `preventDefault()` it is not.
 * @fires {CustomEvent<{ mode: EditMode }>} mode-change - The user has chosen an edit mode.
 * @slot composer-start - Before the field.
 * @slot composer-foot - Below the field, before the choices.
 * @slot missing - Shown while `assistant` is missing.
 * @csspart progress - What the assistant does now.
 * @csspart queue - The messages that are sent after the current step.
 * @csspart form - The field with everything around it.
 * @csspart box - The field with its buttons.
 * @csspart attachments - What is attached to the next message.
 * @csspart attachment - Something that is attached, with the button that removes it.
 * @csspart attachment-error - Why something was not attached.
 * @csspart attach - The button that opens the list of what can be attached.
 * @csspart attachables - The list of what can be attached.
 * @csspart field - The field.
 * @csspart send - The button that sends, or stops.
 * @csspart foot - The line below the field.
 * @csspart model - The choice of a model.
 * @csspart mode - The choice of an edit mode.
 * @csspart empty - Shown while `assistant` is missing.
 */
export class CopydeskComposer extends AssistantElement {
  static override properties: PropertyDeclarations = {
    modes: { attribute: false },
    hasText: { state: true },
    attachments: { state: true },
    hasFailed: { state: true },
  };
  static override styles = [
    base,
    composerStyle,
    css`
      :host {
        display: block;
      }
    `,
  ];

  /** The edit modes to choose from; fewer than two for no choice. */
  declare modes: readonly EditMode[];
  declare private hasText: boolean;
  /** The view of attachments, which is loaded when it is needed first. */
  declare private attachments: AttachmentsView | undefined;
  /** True if that could not be loaded. */
  declare private hasFailed: boolean;
  #loading: Promise<typeof import("./attachments.js")> | undefined;
  /** True while the message waits for an attachment that is read. */
  #isWaiting = false;
  /** The message that ArrowUp has brought back, counted from the last one; -1 for none. */
  #recalled = -1;

  constructor() {
    super();
    this.modes = ["review", "auto", "ask"];
    this.hasText = this.hasFailed = false;
    acceptDrops(this, (files) => this.attach(...files));
    new Countdown(this, () => this.state?.activity?.is === "retry");
  }

  /** The text of the field. */
  get value(): string {
    return this.#field?.value ?? "";
  }

  set value(text: string) {
    void this.updateComplete.then(() => {
      const field = this.#field;
      if (!field) return;
      field.value = text;
      this.#resize();
      field.setSelectionRange(text.length, text.length);
    });
  }

  override focus(options?: FocusOptions): void {
    void this.updateComplete.then(() => this.#field?.focus(options));
  }

  /** Attaches files, or parts of the document or the workspace, to the next message. */
  attach(...sources: AttachmentSource[]): void {
    if (!this.disabled && sources.length) void this.#view((view) => view.attach(...sources));
  }

  /** Calls `use` with the view of attachments. */
  async #view(use?: (view: AttachmentsView) => Promise<void>): Promise<void> {
    try {
      // One promise, so that attachments stay in order.
      const { AttachmentsView } = await (this.#loading ??= import("./attachments.js"));
      this.attachments ??= new AttachmentsView(this, {
        assistant: () => this.shown,
        field: () => this.#field!,
        words: () => [this.language, this.words],
        attach: (...sources) => this.attach(...sources),
        changed: () => this.#resize(),
      });
      this.hasFailed = false;
      await use?.(this.attachments);
    } catch (error) {
      console.warn(error);
      this.#loading = undefined;
      this.hasFailed = true;
    }
  }

  get #field(): HTMLTextAreaElement | null {
    return this.shadowRoot?.querySelector("textarea") ?? null;
  }

  override updated(): void {
    if (this.state?.attachments.length && !this.attachments && !this.hasFailed) void this.#view();
    if (this.#isWaiting && !this.#isReading) {
      this.#isWaiting = false;
      // What could not be attached is the user's to decide about.
      if (!this.state?.attachments.some(({ state }) => state === "failed")) this.#submit();
    }
    const unsent = this.shown?.takeUnsent();
    if (!unsent) return;
    // The unsent text precedes text that was written since.
    this.value = [unsent, this.value].filter((part) => part.trim()).join("\n");
    this.focus();
  }

  protected override render(): TemplateResult {
    const { state, m } = this;
    if (!state) return this.empty();
    const progress = this.progress();
    return html`<div lang=${m.lang}>
      <div class="progress" part="progress" ?data-idle=${!progress}>
        <div class="progress-line"></div>
        <span class="progress-text">${progress && `${progress}…`}</span>
      </div>
      ${this.#queue(state.queue)}
      <form class="composer ${this.hasText ? "has-text" : ""}" part="form">
        <div class="composer-box" part="box">
          ${this.attachments?.list() ?? nothing}
          <slot name="composer-start"></slot
          ><button
            type="button"
            class="attach"
            part="attach"
            aria-label=${m.attach}
            title=${m.attach}
            ?disabled=${this.disabled}
            @pointerdown=${(event: Event) => event.preventDefault()}
            @click=${() => void this.#view((view) => view.open())}
          >
            ${icon("attach")}
          </button>
          <label for="composer" class="visually-hidden">${m.composer}</label>
          <textarea
            id="composer"
            dir="auto"
            part="field"
            rows="1"
            enterkeyhint="send"
            autocomplete="off"
            placeholder=${state.isWorking ? m.placeholderWorking : state.runs.length ? m.placeholderMore : m.placeholderEmpty}
            ?disabled=${this.disabled}
            @input=${this.#typed}
            @compositionend=${this.#typed}
            @keydown=${this.#key}
            @paste=${this.#pasted}
            @blur=${() => this.attachments?.close()}
          ></textarea>
          ${this.#buttons(state.isWorking)}
        </div>
        <div class="composer-foot" part="foot">
          <p class="composer-hint">${this.#hint(state.isWorking)}</p>
          <slot name="composer-foot"></slot>
          ${this.#models()} ${this.#modes()}
        </div>
      </form>
    </div>`;
  }

  #hint(isWorking: boolean): string {
    const { m } = this;
    if (this.hasFailed) return m.attachFailed;
    return !isWorking ? m.hintIdle : this.hasText ? m.hintLater : m.hintWorking;
  }

  #buttons(isWorking: boolean): TemplateResult {
    const { m } = this;
    const name = isWorking ? m.stop : m.send;
    return html`<button
        type="button"
        class="send-later"
        ?hidden=${!isWorking || !this.hasText}
        aria-label=${m.sendLater}
        title=${m.sendLater}
        @click=${() => {
          this.#submit();
          this.focus();
        }}
      >
        ${icon("send")}</button
      ><button
        type="button"
        class="send"
        part="send"
        data-mode=${isWorking ? "stop" : "send"}
        aria-label=${name}
        title=${name}
        ?disabled=${this.disabled}
        @click=${this.#pressed}
        @keydown=${ignoreHeld}
      >
        ${isWorking ? html`<span class="stop-square"></span>` : icon("send")}
      </button>`;
  }

  #queue(queue: readonly string[]): TemplateResult | typeof nothing {
    const { m } = this;
    if (!queue.length) return nothing;
    const items = queue.map((text, at) => {
      const remove = m.removeQueued(shortened(text, 200));
      return html`<li class="queue-item">
        <span class="queue-label">${m.queued}</span
        ><span class="queue-text" title=${shortened(text, 1000)}>${shortened(text, 1000)}</span
        ><button
          type="button"
          class="remove"
          aria-label=${remove}
          title=${remove}
          @click=${onPress(() => this.#unqueue(at))}
          @keydown=${ignoreHeld}
        >
          ${icon("close")}
        </button>
      </li>`;
    });
    return html`<ul class="queue" part="queue" aria-label=${m.queued}>
      ${items}
    </ul>`;
  }

  /** Removes a queued message. Moves the focus to the button of the next one, or into the field. */
  #unqueue(at: number): void {
    this.shown?.unqueue(at);
    // The state is told in a microtask, and drawn after it.
    setTimeout(() => {
      const buttons = [...this.renderRoot.querySelectorAll<HTMLElement>(".queue .remove")];
      (buttons[at] ?? buttons.at(-1) ?? this.#field)?.focus();
    });
  }

  #models(): TemplateResult | typeof nothing {
    const { state, m } = this;
    if (!state || state.models.length < 2) return nothing;
    return html`<select
      class="mode-select model-select"
      part="model"
      aria-label=${m.model}
      title=${m.model}
      .value=${live(state.model ?? "")}
      ?disabled=${this.disabled}
      @change=${(event: Event) => this.shown?.setModel((event.target as HTMLSelectElement).value)}
    >
      ${state.models.map(({ id, name }) => html`<option value=${id} ?selected=${id === state.model}>${name}</option>`)}
    </select>`;
  }

  #modes(): TemplateResult | typeof nothing {
    const { state, m } = this;
    if (!state || this.modes.length < 2) return nothing;
    return html`<select
      class="mode-select"
      part="mode"
      aria-label=${m.mode}
      title=${m.mode}
      .value=${live(state.mode)}
      ?disabled=${this.disabled}
      @change=${(event: Event) => this.#chooseMode((event.target as HTMLSelectElement).value as EditMode)}
    >
      ${this.modes.map((mode) => html`<option value=${mode} ?selected=${mode === state.mode}>${m.modes[mode]}</option>`)}
    </select>`;
  }

  #chooseMode(mode: EditMode): void {
    this.shown?.setMode(mode);
    this.emit("mode-change", { mode });
  }

  /** Its first press changes what a second one would mean. */
  #pressed = onPress(() => {
    if (this.state?.isWorking) this.shown?.stop();
    else this.#submit();
  });

  #submit(): void {
    const field = this.#field;
    const text = field?.value.trim();
    const attachments = this.state?.attachments ?? [];
    if (!field || !text || this.disabled) return;
    this.#isWaiting = this.#isReading;
    if (this.#isWaiting) return;
    if (!this.emit("message", { text, attachments }, true)) return;
    this.#recalled = -1;
    field.value = "";
    this.#resize();
    this.shown?.send(text);
  }

  get #isReading(): boolean {
    return this.state?.attachments.some(({ state }) => state === "reading") ?? false;
  }

  #key(event: KeyboardEvent): void {
    // Enter that confirms a composition of an input method must not send. (229: Safari ends the composition first.)
    if (event.isComposing || event.keyCode === 229) return;
    if (this.attachments?.key(event)) event.preventDefault();
    else if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      this.#submit();
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      if (this.#recall(event.key === "ArrowUp" ? 1 : -1)) event.preventDefault();
    } else if (event.key === "Escape" && this.state?.isWorking) {
      event.preventDefault();
      this.shown?.stop();
    }
  }

  /** Shows an earlier or later message of the user. Returns false while the field has another text. */
  #recall(step: number): boolean {
    const sent = (this.state?.runs ?? []).flatMap(({ prompt, items }) => [
      prompt,
      ...items.flatMap((item) => (item.type === "user" ? item.text : [])),
    ]);
    sent.push(...(this.state?.queue ?? []));
    if (this.value !== (this.#recalled < 0 ? "" : sent.at(-1 - this.#recalled))) return false;
    const next = this.#recalled + step;
    if (next < -1 || next >= sent.length) return false;
    this.#recalled = next;
    this.value = next < 0 ? "" : sent.at(-1 - next)!;
    return true;
  }

  #typed(event: InputEvent | CompositionEvent): void {
    this.#recalled = -1;
    this.#isWaiting = false;
    this.#resize();
    const isComposing = "isComposing" in event && event.isComposing;
    if (!isComposing && (this.attachments || this.value.includes("@"))) void this.#view((view) => view.typed());
  }

  /** Attaches pasted files, and long texts. A program that copies text may add a picture of it. */
  #pasted(event: ClipboardEvent): void {
    const { clipboardData } = event;
    const text = clipboardData?.getData("text/plain") ?? "";
    const files = [...(clipboardData?.files ?? [])];
    const isFile = files.length > 0 && !clipboardData!.types.includes("text/html");
    if (!isFile && text.length <= LONGEST_PASTE) return;
    event.preventDefault();
    this.attach(...(isFile ? files : [{ kind: "text" as const, text }]));
  }

  #resize(): void {
    const field = this.#field;
    if (!field) return;
    this.hasText = field.value.trim() !== "";
    // The second button makes the field narrower.
    void this.updateComplete.then(() => {
      field.style.height = "auto";
      field.style.height = `${Math.min(field.scrollHeight, HIGHEST)}px`;
    });
  }
}

/** Calls `take` with the files that are dropped on an element. */
export function acceptDrops(element: CopydeskElement, take: (files: File[]) => void): void {
  const isDrop = (event: DragEvent) =>
    !event.defaultPrevented && !element.disabled && event.dataTransfer?.types.includes("Files");
  element.addEventListener("dragover", (event: DragEvent) => isDrop(event) && event.preventDefault());
  element.addEventListener("drop", (event: DragEvent) => {
    if (!isDrop(event)) return;
    event.preventDefault();
    take([...event.dataTransfer!.files]);
  });
}

define("copydesk-composer", CopydeskComposer);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-composer": CopydeskComposer;
  }
}
