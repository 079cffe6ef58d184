/** `<copydesk-conversation>`. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import type { AgentEvent } from "copydesk";
import type { Assistant } from "../assistant/controller.js";
import type { Run } from "../assistant/run.js";
import { AssistantElement, Countdown } from "./assistant-element.js";
import { conversationStyle } from "./conversation-style.js";
import { define } from "./element.js";
import { runTemplate, settingsNotice, type RunContext } from "./run-view.js";
import { base } from "./styles.js";
import { suggestions } from "./suggestions.js";
import { describeCall } from "./tool-text.js";

/** The number of runs that are drawn at first, and with each step back. */
const RUNS_AT_ONCE = 30;
/** Distance from the end in pixels up to which the newest content stays in view. */
const NEAR = 160;
/** Milliseconds without a change of the document until the suggestions are made again. */
const DELAY = 60;

/**
 * The messages and runs, and what is shown before there are any.
 *
 * @tagname copydesk-conversation
 * @fires {CustomEvent<{ text: string }>} message - A suggestion is about to be sent; after `preventDefault()` it is not.
 * @fires {CustomEvent<{ toolId: string, approved: boolean }>} approval - The user has allowed or denied a call; after `preventDefault()` it waits still.
 * @fires {CustomEvent} open-settings - The user wants the settings of the model, which are the page's own.
 * @slot welcome - In place of what is shown before there is a conversation.
 * @slot end - Below the last run.
 * @slot missing - Shown while `assistant` is missing.
 * @csspart log - The part that scrolls.
 * @csspart welcome - Shown before there is a conversation.
 * @csspart suggestion - A prompt that is offered.
 * @csspart run - A message and everything that followed.
 * @csspart setup - The rules, skills and servers of a run.
 * @csspart message - A message of the user, or of the model.
 * @csspart edit - The button that edits a message.
 * @csspart edit-field - The field for the message that is edited.
 * @csspart answer - Everything that followed a message.
 * @csspart thinking - What the model has thought.
 * @csspart timeline - A list of calls.
 * @csspart row - A call. The parts of its row begin with `row-`: `row-head`.
 * @csspart notice - A notice of the agent.
 * @csspart failure - Why a run has failed, and the button that helps.
 * @csspart end - The last line of a run: edits, time and cost.
 * @csspart copy - The button that copies the answer.
 * @csspart undo - The button that undoes a run.
 * @csspart empty - Shown while `assistant` is missing.
 */
export class CopydeskConversation extends AssistantElement {
  static override properties: PropertyDeclarations = {
    suggestions: { attribute: false },
    hasSettings: { type: Boolean, attribute: "has-settings" },
    runFooter: { attribute: false },
    said: { state: true },
    editing: { state: true },
    copied: { state: true },
    most: { state: true },
  };
  static override styles = [base, conversationStyle];

  /** Prompts that are offered before there is a conversation. Default: some that fit the document. */
  declare suggestions: readonly string[] | undefined;
  /** True if the page has settings of the model: failures that they can mend have a button for them. */
  declare hasSettings: boolean;
  /** Returns what is shown below a run: an element, a text, a Lit template or nothing. */
  declare runFooter: ((run: Run) => unknown) | undefined;
  /** The text of the live region. */
  declare private said: string;
  /** The id of the run whose message is being edited. */
  declare private editing: string | null;
  /** The id of the run whose answer was copied. */
  declare private copied: string | null;
  /** The number of runs that are drawn. */
  declare private most: number;
  #sticks = true;
  #refocus = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sizes = typeof ResizeObserver === "function" ? new ResizeObserver(() => this.#stick()) : undefined;
  #conversation = "";
  #runs = 0;
  #queued = 0;

  constructor() {
    super();
    this.hasSettings = false;
    this.said = "";
    this.editing = this.copied = null;
    this.most = RUNS_AT_ONCE;
    new Countdown(this, () => this.state?.activity?.is === "retry");
  }

  /** Says a text to users of screen readers. */
  announce(text: string): void {
    this.said = text;
  }

  override focus(options?: FocusOptions): void {
    this.#log?.focus(options);
  }

  get #log(): HTMLElement | null {
    return this.shadowRoot?.querySelector(".log") ?? null;
  }

  protected override follow(assistant: Assistant): () => void {
    const { editor } = assistant;
    const changed = () => {
      if (assistant.getSnapshot().runs.length) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.requestUpdate(), DELAY);
    };
    editor.on("transaction", changed);
    const ends = [
      super.follow(assistant),
      assistant.onEvent((event) => this.#hear(event)),
      () => void editor.off("transaction", changed),
    ];
    return () => ends.forEach((end) => end());
  }

  /** A run is drawn at most once a frame; a page in the background has none. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.hasUpdated && this.state?.isWorking && !document.hidden)
      await Promise.race([
        new Promise((resolve) => requestAnimationFrame(resolve)),
        new Promise((resolve) => setTimeout(resolve, 100)),
      ]);
    await super.scheduleUpdate();
  }

  override willUpdate(changed: Map<string, unknown>): void {
    super.willUpdate(changed);
    const { state } = this;
    if (!state) return;
    if (state.conversation.id !== this.#conversation) {
      this.#conversation = state.conversation.id;
      [this.most, this.editing, this.#runs] = [RUNS_AT_ONCE, null, 0];
    }
    if (state.runs.length > this.#runs) this.#sticks = true;
    this.#runs = state.runs.length;
    if (state.queue.length > this.#queued) this.said = `${this.m.queued}: ${state.queue.at(-1)!.slice(0, 200)}`;
    this.#queued = state.queue.length;
  }

  override updated(): void {
    const log = this.#log;
    this.toggleAttribute("data-has-runs", this.#runs > 0);
    if (!log) return;
    const content = log.querySelector(".content");
    this.#sizes?.observe(log);
    if (content) this.#sizes?.observe(content);
    this.#stick();
    if (this.#refocus && !this.focused) log.focus({ preventScroll: true });
    this.#refocus = false;
  }

  protected override render(): TemplateResult {
    const { state, m } = this;
    if (!state) return this.empty();
    const hidden = Math.max(0, state.runs.length - this.most);
    return html`<div
        class="log"
        part="log"
        role="log"
        aria-live="off"
        tabindex="0"
        aria-label=${m.conversation}
        lang=${m.lang}
        @scroll=${this.#scrolled}
      >
        <div class="content">
          ${
            hidden
              ? html`<button type="button" class="button plain small earlier" @click=${this.#earlier}>
                  ${m.showEarlier}
                </button>`
              : nothing
          }
          <div class="runs">${state.runs.length ? this.#all(state.runs.slice(hidden)) : this.#welcome()}</div>
          <slot name="end"></slot>
        </div>
      </div>
      <div class="visually-hidden" role="status" aria-live="polite">${this.said}</div>`;
  }

  #all(runs: readonly Run[]): unknown {
    const { state } = this;
    return repeat(
      runs,
      ({ id }) => id,
      (run) => {
        const counting = run.items.some(({ type }) => type === "retry") ? performance.now() : 0;
        const own = run.items.some((item) => item.type === "call" && item.call.toolId === state?.pointed);
        return guard(
          [
            run,
            this.language,
            this.words,
            this.disabled,
            this.hasSettings,
            this.runFooter,
            this.editing === run.id,
            this.copied === run.id,
            own && state?.pointed,
            counting,
          ],
          () => runTemplate(run, this.#context(run)),
        );
      },
    );
  }

  #context(run: Run): RunContext {
    const assistant = this.shown!;
    return {
      m: this.m,
      language: this.language,
      words: this.words,
      assistant,
      disabled: this.disabled,
      hasSettings: this.hasSettings,
      pointed: this.state?.pointed ?? null,
      isEditing: this.editing === run.id,
      isCopied: this.copied === run.id,
      retryText: (due, reason) => this.retryText(due, reason),
      footer: this.runFooter?.(run) ?? nothing,
      openSettings: () => void this.emit("open-settings", {}),
      tryAgain: () => {
        this.#refocus = this.focused !== null;
        assistant.tryAgain();
      },
      undo: () => {
        this.#refocus = this.focused !== null;
        assistant.undoRun(run.id);
      },
      edit: () => this.#edit(run.id),
      cancelEdit: () => {
        this.#refocus = true;
        this.editing = null;
      },
      sendEdited: (text) => {
        this.#refocus = true;
        this.editing = null;
        if (text.trim()) assistant.editMessage(run.id, text.trim());
      },
      copy: (text) => void this.#copy(run.id, text),
    };
  }

  #welcome(): TemplateResult {
    const { state, m, shown } = this;
    const given = this.suggestions ?? (shown ? suggestions(shown.editor, m, null) : []);
    const items = given.map(
      (text) =>
        html`<li>
          <button
            type="button"
            class="suggestion"
            part="suggestion"
            ?disabled=${this.disabled}
            @click=${() => this.#suggest(text)}
          >
            ${text}
          </button>
        </li>`,
    );
    return html`<slot name="welcome"
      ><div class="welcome" part="welcome">
        <h3>${m.welcomeTitle}</h3>
        <p>${m.welcomeText[state?.mode ?? "review"]}</p>
        <ul class="suggestions">
          ${items}
        </ul>
      </div></slot
    >`;
  }

  #suggest(text: string): void {
    this.#refocus = this.focused !== null;
    if (this.emit("message", { text }, true)) this.shown?.send(text);
  }

  #edit(id: string): void {
    this.editing = id;
    void this.updateComplete.then(() => {
      const field = this.shadowRoot?.querySelector<HTMLTextAreaElement>(".edit-message textarea");
      field?.focus();
      field?.setSelectionRange(field.value.length, field.value.length);
    });
  }

  async #copy(id: string, text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch (error) {
      // The page has no permission, or is not secure.
      console.warn(error);
      return;
    }
    this.copied = id;
    this.said = this.m.copied;
    setTimeout(() => (this.copied = null), 2000);
  }

  #hear(event: AgentEvent): void {
    const { m } = this;
    const row = (toolId: string) => {
      const call = this.shown?.call(toolId);
      return call ? describeCall(call, m) : "";
    };
    switch (event.type) {
      case "agent_start":
        this.said = m.announceStart;
        break;
      case "approval_request":
        this.said = `${m.approvalNeeded} ${row(event.toolId)}`;
        break;
      case "tool_result":
        this.said = row(event.toolId);
        break;
      case "retry":
        this.said = this.retryText(performance.now() + event.delayMs, event.reason);
        break;
      case "notice":
        this.said = event.code === "settings_changed" ? settingsNotice(event.message, this.shown!, m) : event.message;
        break;
      case "complete":
        this.said = this.#lastText() || m.announceDone;
        break;
      case "aborted":
        this.said = m.stopped;
        break;
      case "error":
        this.said = event.code === "wasm_load" ? m.engineFailed : event.error;
    }
  }

  #lastText(): string {
    return this.shown?.state.runs.at(-1)?.items.findLast((item) => item.type === "text")?.text ?? "";
  }

  #scrolled(): void {
    const log = this.#log!;
    this.#sticks = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR;
    if (log.scrollTop < NEAR && (this.state?.runs.length ?? 0) > this.most) this.#earlier();
  }

  /** Draws earlier runs, and keeps what is in view where it is. */
  #earlier(): void {
    const log = this.#log!;
    const fromEnd = log.scrollHeight - log.scrollTop;
    this.most += RUNS_AT_ONCE;
    this.#sticks = false;
    void this.updateComplete.then(() => (log.scrollTop = log.scrollHeight - fromEnd));
  }

  /** Keeps the newest content in view, unless the user has scrolled back. */
  #stick(): void {
    const log = this.#log;
    if (log && this.#sticks && this.#runs) log.scrollTop = log.scrollHeight;
  }
}

define("copydesk-conversation", CopydeskConversation);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-conversation": CopydeskConversation;
  }
}
