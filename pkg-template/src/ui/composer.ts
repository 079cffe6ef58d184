/** `<copydesk-composer>`. */

import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { EditMode } from "../assistant/controller.js";
import { AssistantElement, Countdown, shortened } from "./assistant-element.js";
import { composerStyle } from "./composer-style.js";
import { define } from "./element.js";
import { icon } from "./icons.js";
import { base } from "./styles.js";

/** The most pixels that the field grows to. */
const HIGHEST = 200;

/**
 * The message field, which grows with its text; Enter sends. While the assistant works, its button stops the run, and
 * messages are sent after the current step.
 *
 * @tagname copydesk-composer
 * @fires {CustomEvent<{ text: string }>} message - A message is about to be sent; after `preventDefault()` it is not.
 * @fires {CustomEvent<{ mode: EditMode }>} mode-change - The user has chosen an edit mode.
 * @slot composer-start - Before the field.
 * @slot composer-foot - Below the field, before the choices.
 * @slot missing - Shown while `assistant` is missing.
 * @csspart progress - What the assistant does now.
 * @csspart queue - The messages that are sent after the current step.
 * @csspart form - The field with everything around it.
 * @csspart box - The field with its buttons.
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
  #last = "";

  constructor() {
    super();
    this.modes = ["review", "auto", "ask"];
    this.hasText = false;
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

  get #field(): HTMLTextAreaElement | null {
    return this.shadowRoot?.querySelector("textarea") ?? null;
  }

  override updated(): void {
    const unsent = this.shown?.takeUnsent();
    if (!unsent) return;
    // What was not sent comes before what was written since.
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
      <form class="composer ${this.hasText ? "has-text" : ""}" part="form" @submit=${this.#submitted}>
        <div class="composer-box" part="box">
          <slot name="composer-start"></slot>
          <label for="composer" class="visually-hidden">${m.composer}</label>
          <textarea
            id="composer"
            part="field"
            rows="1"
            enterkeyhint="send"
            autocomplete="off"
            placeholder=${state.isWorking ? m.placeholderWorking : state.runs.length ? m.placeholderMore : m.placeholderEmpty}
            ?disabled=${this.disabled}
            @input=${this.#resize}
            @keydown=${this.#key}
          ></textarea>
          ${this.#buttons(state.isWorking)}
        </div>
        <div class="composer-foot" part="foot">
          <p class="composer-hint">${!state.isWorking ? m.hintIdle : this.hasText ? m.hintLater : m.hintWorking}</p>
          <slot name="composer-foot"></slot>
          ${this.#models()} ${this.#modes()}
        </div>
      </form>
    </div>`;
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
        type="submit"
        class="send"
        part="send"
        data-mode=${isWorking ? "stop" : "send"}
        aria-label=${name}
        title=${name}
        ?disabled=${this.disabled}
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
        <span class="queue-label">${m.queued}</span><span class="queue-text">${shortened(text, 1000)}</span
        ><button
          type="button"
          class="queue-remove"
          aria-label=${remove}
          title=${remove}
          @click=${() => this.shown?.unqueue(at)}
        >
          ${icon("close")}
        </button>
      </li>`;
    });
    return html`<ul class="queue" part="queue" aria-label=${m.queued}>
      ${items}
    </ul>`;
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

  #submitted(event: Event): void {
    event.preventDefault();
    if (this.state?.isWorking) this.shown?.stop();
    else this.#submit();
  }

  #submit(): void {
    const field = this.#field;
    const text = field?.value.trim();
    if (!field || !text || this.disabled || !this.emit("message", { text }, true)) return;
    this.#last = text;
    field.value = "";
    this.#resize();
    this.shown?.send(text);
  }

  #key(event: KeyboardEvent): void {
    // Enter that confirms a composition of an input method must not send. (229: Safari ends the composition first.)
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      this.#submit();
    } else if (event.key === "ArrowUp" && !this.value && this.#last) {
      event.preventDefault();
      this.value = this.#last;
    } else if (event.key === "Escape" && this.state?.isWorking) {
      event.preventDefault();
      this.shown?.stop();
    }
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

define("copydesk-composer", CopydeskComposer);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-composer": CopydeskComposer;
  }
}
