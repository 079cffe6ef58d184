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

/** The most items of runs that are drawn at once: at first, and with each step back. One run is drawn as a whole. */
const ITEMS_AT_ONCE = 6;
/** Distance from the end in pixels up to which the newest content stays in view. */
const NEAR = 160;
/** The last runs, which are drawn wherever the view is. */
const RECENT = 20;
/** The height that is drawn above and below the view, in heights of the view. */
const AROUND = 1;
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
 * @csspart message-attachments - What was attached to a message.
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
  #shown: readonly Run[] = [];
  /** The frame in which it is seen what is in view. */
  #frame = 0;
  #refocus = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The runs in view and around it, by their ids: nothing of others is drawn that were seen before. */
  #near = new Set<string>();
  /** Runs that the user has touched, whose rows may be open: they stay as they are. */
  #touched = new Set<string>();
  /** The heights of runs that were drawn, in pixels. */
  #heights = new Map<string, number>();
  /** The space between runs, in pixels. */
  #between = 0;
  #sizes = typeof ResizeObserver === "function" ? new ResizeObserver(() => this.#stick()) : undefined;
  #conversation = "";
  #runs = 0;
  #queued = 0;

  constructor() {
    super();
    this.hasSettings = false;
    this.said = "";
    this.editing = this.copied = null;
    this.most = 0;
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
    this.said = assistant.getSnapshot().isWorking ? this.m.announceStart : "";
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
      [this.most, this.editing, this.#runs] = [stepBack(state.runs, 0), null, 0];
      for (const kept of [this.#near, this.#touched, this.#heights]) kept.clear();
    }
    // A conversation that was restored has the same id.
    if (!this.most) this.most = stepBack(state.runs, 0);
    if (state.runs.length > this.#runs) {
      this.#sticks = true;
      // New runs come in addition to those that are drawn.
      if (this.#runs) this.most += state.runs.length - this.#runs;
    }
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
    this.#arrangeSoon();
    if (this.#refocus && !this.focused) log.focus({ preventScroll: true });
    this.#refocus = false;
  }

  protected override render(): TemplateResult {
    const { state, m } = this;
    if (!state) return this.empty();
    const hidden = Math.max(0, state.runs.length - this.most);
    this.#shown = state.runs.slice(hidden);
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
          <div class="runs" ?data-empty=${!state.runs.length} @click=${this.#touch} @focusin=${this.#touch}>
            ${state.runs.length ? this.#all(this.#shown) : this.#welcome()}
          </div>
          <slot name="end"></slot>
        </div>
      </div>
      <div class="visually-hidden" role="status" aria-live="polite">${this.said}</div>`;
  }

  #all(runs: readonly Run[]): unknown {
    const blocks: (Run | Gap)[] = [];
    for (const [at, run] of runs.entries()) {
      if (runs.length - at <= RECENT || !this.#isGap(run)) blocks.push(run);
      else {
        const before = blocks.at(-1);
        const height = this.#heights.get(run.id)!;
        if (before && "height" in before) before.height += this.#between + height;
        else blocks.push({ id: `before-${run.id}`, height });
      }
    }
    return repeat(
      blocks,
      ({ id }) => id,
      (block) =>
        "height" in block ? html`<div class="gap" style="height: ${block.height}px"></div>` : this.#run(block),
    );
  }

  #run(run: Run): unknown {
    const counting = run.items.some(({ type }) => type === "retry") ? performance.now() : 0;
    const { pointed } = this.state!;
    const own = pointed !== null && run.items.some((item) => item.type === "call" && item.call.toolId === pointed);
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
        own && pointed,
        counting,
      ],
      () => runTemplate(run, this.#context(run)),
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
      footer: this.#footer(run),
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
        if (text.trim() && !assistant.editMessage(run.id, text.trim())) return;
        this.#refocus = true;
        this.editing = null;
      },
      copy: (text) => void this.#copy(run.id, text),
    };
  }

  /** Returns what the app shows below a run. If it fails, the conversation is shown without it. */
  #footer(run: Run): unknown {
    try {
      return this.runFooter?.(run) ?? nothing;
    } catch (error) {
      reportError(error);
      return nothing;
    }
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

  /** The last text of the model, without the marks of Markdown. */
  #lastText(): string {
    const text = this.shown?.state.runs.at(-1)?.items.findLast((item) => item.type === "text")?.text ?? "";
    return text.replace(/\*\*|`|^#+ /gm, "");
  }

  #scrolled(): void {
    const log = this.#log!;
    this.#sticks = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR;
    this.#arrangeSoon();
  }

  /** The rows of a run are drawn after it: in the next frame nothing needs a layout of its own. */
  #arrangeSoon(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      // Nothing has a height while the element is not shown.
      if (!this.isConnected || !this.#runs || !this.#log?.clientHeight) return;
      this.#measure();
      this.#look();
      this.#fill();
    });
  }

  /** Measures what is drawn. */
  #measure(): void {
    const blocks = this.#log!.querySelector(".runs")!.children as HTMLCollectionOf<HTMLElement>;
    for (const block of blocks)
      if (block.dataset.run) this.#heights.set(block.dataset.run, block.getBoundingClientRect().height);
    if (blocks[1]) this.#between = Number.parseFloat(getComputedStyle(blocks[1]).marginTop);
  }

  /** Draws the runs in view and around it, and no others that were seen before. */
  #look(): void {
    const log = this.#log!;
    const { scrollTop, clientHeight } = log;
    const [from, to] = [scrollTop - AROUND * clientHeight, scrollTop + (1 + AROUND) * clientHeight];
    const near = new Set<string>();
    let at = log.querySelector<HTMLElement>(".runs")!.offsetTop;
    for (const { id } of this.#shown) {
      const end = at + (this.#heights.get(id) ?? 0);
      if (end >= from && at <= to) near.add(id);
      at = end + this.#between;
    }
    if (near.size === this.#near.size && [...near].every((id) => this.#near.has(id))) return;
    this.#near = near;
    this.requestUpdate();
  }

  /** Returns true for a run that is not drawn. */
  #isGap({ id, isRunning }: Run): boolean {
    if (isRunning || this.editing === id || this.#touched.has(id)) return false;
    return this.#heights.has(id) && !this.#near.has(id);
  }

  #touch(event: Event): void {
    const run = (event.target as HTMLElement).closest<HTMLElement>("[data-run]")?.dataset.run;
    if (run) this.#touched.add(run);
  }

  /** Draws earlier runs, a few in a frame, until there is more than the reader sees. */
  #fill(): void {
    const log = this.#log!;
    const isShort = this.most < RECENT || log.scrollTop <= log.clientHeight;
    if (isShort && (this.state?.runs.length ?? 0) > this.most) this.#earlier();
  }

  /** Draws earlier runs, and keeps what is in view where it is. */
  #earlier(): void {
    const log = this.#log!;
    const [fromEnd, hadFocus] = [log.scrollHeight - log.scrollTop, this.focused !== null];
    this.most = stepBack(this.state?.runs ?? [], this.most);
    if (this.#sticks) return;
    void this.updateComplete.then(() => {
      log.scrollTop = log.scrollHeight - fromEnd;
      // The button is gone after the first message.
      if (hadFocus && !this.focused) log.focus({ preventScroll: true });
    });
  }

  /** Keeps the newest content in view, unless the user has scrolled back. */
  #stick(): void {
    const log = this.#log;
    if (log && this.#sticks && this.#runs) log.scrollTop = log.scrollHeight;
  }
}

/** Neighbouring runs that are not drawn. */
interface Gap {
  id: string;
  /** Their height in pixels. */
  height: number;
}

/** Returns the number of runs that are drawn after a step back: a few more, counted from the end. */
function stepBack(runs: readonly Run[], most: number): number {
  let [items, now] = [0, most];
  while (now < runs.length && items < ITEMS_AT_ONCE) items += 1 + runs[runs.length - ++now]!.items.length;
  return now;
}

define("copydesk-conversation", CopydeskConversation);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-conversation": CopydeskConversation;
  }
}
