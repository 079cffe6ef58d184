/** `<copydesk-tool-row>`. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Assistant } from "../assistant/controller.js";
import { changesOf } from "../assistant/changes.js";
import type { ToolCallState } from "../assistant/run.js";
import { focusHunk } from "../review/shown.js";
import { hunksOf } from "../review/hunks.js";
import { returnFocus } from "../review/focus.js";
import { ignoreHeld, onPress } from "../review/presses.js";
import "./approval.js";
import { ChatElement } from "./chat-element.js";
import { define, freshId } from "./element.js";
import { icon } from "./icons.js";
import { base } from "./styles.js";
import { rowStyle } from "./tool-row-style.js";
import { field } from "./call-text.js";
import { callIcon, describeCall } from "./tool-text.js";

type Details = typeof import("./call-details.js");

/** The details of rows, once they are loaded. */
let details: Details | undefined;
let loading: Promise<Details> | undefined;

/** Loads what rows unfold into. Fails if that is not possible; the next call tries again. */
async function loadDetails(): Promise<void> {
  try {
    details = await (loading ??= import("./call-details.js"));
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

/**
 * A tool call in one line, which unfolds into its changes in words, and its details.
 *
 * @tagname copydesk-tool-row
 * @fires {CustomEvent<{ toolId: string, approved: boolean }>} approval - The user has allowed or denied the call; after `preventDefault()` it waits still.
 * @slot missing - Shown while `call` is missing.
 * @csspart head - The line, which is a button.
 * @csspart icon - The icon.
 * @csspart text - What the call does, in words.
 * @csspart body - What the line unfolds into.
 * @csspart show - The button that scrolls the document to the edit.
 * @csspart changes - The changes in words.
 * @csspart review - How many changes wait, with the two buttons.
 * @csspart accept - The button that accepts the changes.
 * @csspart reject - The button that rejects them.
 * @csspart decided - What was decided.
 * @csspart take-back - The button that takes a decision back.
 * @csspart allow - The button that allows the call.
 * @csspart deny - The button that denies it.
 * @csspart empty - Shown while `call` is missing.
 */
export class CopydeskToolRow extends ChatElement {
  static override properties: PropertyDeclarations = {
    call: { attribute: false },
    assistant: { attribute: false },
    isOpen: { state: true },
    hasFailed: { state: true },
  };
  static override styles = [base, rowStyle];

  /** The call, of the state of an assistant. */
  declare call: ToolCallState | undefined;
  /** The assistant whose call it is, which its buttons act on. */
  declare assistant: Assistant | undefined;
  declare private isOpen: boolean;
  /** True if what the row unfolds into could not be loaded. */
  declare private hasFailed: boolean;
  #body = freshId("row");
  #hasStyle = false;
  /** True until the button that accepts the changes again gets the focus of the one that has taken their decision back. */
  #isTakingBack = false;

  constructor() {
    super();
    this.isOpen = this.hasFailed = false;
    for (const [type, on] of [
      ["pointerenter", true],
      ["focusin", true],
      ["pointerleave", false],
      ["focusout", false],
    ] as const)
      this.addEventListener(type, () => this.call?.hasRange && this.assistant?.point(this.call.toolId, on));
  }

  protected override missing(): string | null {
    return this.call ? null : "needs the property `call`, a call of the state of an assistant.";
  }

  override willUpdate(changed: Map<string, unknown>): void {
    const before = changed.get("call") as ToolCallState | undefined;
    // Nobody knows from its name what a tool of others does with what.
    if (changed.has("call") && this.call?.server && this.call.state === "approval" && before?.state !== "approval")
      this.isOpen = true;
  }

  protected override firstUpdated(): void {
    // It is there by the time that somebody unfolds the row.
    if (!details) void this.#load();
  }

  override updated(): void {
    if (!this.#isTakingBack) return;
    const isLost = this.ownerDocument.activeElement === this.ownerDocument.body;
    const next = this.#find(".row-accept");
    // The button is there until the changes are pending.
    if (!next && !isLost) return;
    this.#isTakingBack = false;
    if (isLost || this.focused) (next ?? this.#find(".row-head"))?.focus();
  }

  protected override render(): TemplateResult {
    const { call, m } = this;
    if (!call) return this.empty();
    const { state } = call;
    const failed = state === "failed" || state === "stopped" || state === "rejected";
    const classes = ["row-part", call.hasRange ? "has-range" : ""].join(" ");
    return html`<div class=${classes} data-state=${state} data-review=${reviewOf(call)} lang=${m.lang}>
      <button
        type="button"
        class="row-head"
        part="head"
        aria-expanded=${this.isOpen}
        aria-controls=${this.#body}
        @click=${() => (this.isOpen = !this.isOpen)}
      >
        <span class="row-icon" part="icon"
          >${icon(failed ? "cross" : callIcon(call))}<span class="visually-hidden"
            >${state === "preparing" ? m.status.running : m.status[state]}</span
          ></span
        ><span class="row-text" part="text">${this.#text()}</span
        ><span class="row-time">${call.ms === undefined ? "" : m.ms(call.ms)}</span>${icon("chevron")}
      </button>
      ${
        state === "approval"
          ? html`<copydesk-approval
              exportparts="allow, deny"
              .call=${call}
              .assistant=${this.assistant}
              .locale=${this.language}
              .words=${this.words}
              .disabled=${this.disabled}
              @decision=${this.#decided}
            ></copydesk-approval>`
          : nothing
      }
      ${this.#review(call)} ${this.#outcome(call)}
      <div class="row-body" part="body" id=${this.#body} ?hidden=${!this.isOpen}>
        ${this.isOpen ? this.#details(call) : nothing}
      </div>
    </div>`;
  }

  #text(): string {
    const { call, m } = this;
    if (!call) return "";
    const progress = call.state === "running" ? progressOf(call.progress) : undefined;
    const isOpenEnded = call.state === "preparing" || call.state === "running";
    const schema = this.assistant?.editor.schema;
    const said = describeCall(call, m);
    return (
      // Their names come with the details.
      ((schema && details?.formsInWords(said, schema, m.lang)) ?? said) +
      (progress ? `: ${progress}` : "") +
      (isOpenEnded ? "…" : "")
    );
  }

  #review(call: ToolCallState): TemplateResult | typeof nothing {
    const { m } = this;
    if (!call.pending.length) return nothing;
    const button = (name: string, act: string, accept: boolean) =>
      html`<button
        type="button"
        class="inline-link ${name}"
        part=${accept ? "accept" : "reject"}
        aria-label=${m.actionOnCall(act, describeCall(call, m))}
        ?disabled=${this.disabled}
        @mousedown=${(event: Event) => event.preventDefault()}
        @click=${onPress((event) => this.#decide(call, accept, event))}
        @keydown=${ignoreHeld}
      >
        ${act}
      </button>`;
    return html`<div class="row-review" part="review">
      <span class="row-count">${m.pending(call.pending.length)}</span>
      ${button("row-accept", m.accept, true)} ${button("row-reject", m.reject, false)}
    </div>`;
  }

  #outcome(call: ToolCallState): TemplateResult | typeof nothing {
    const { m } = this;
    const { decisions, isFinal } = call;
    if (!decisions.length) return nothing;
    const accepted = decisions.filter((decision) => decision.accepted).length;
    const verdict = m.verdict(accepted, decisions.length - accepted, call.pending.length > 0);
    const canTakeBack = !isFinal && decisions.some(({ isReversible }) => isReversible);
    return html`<div class="row-decided" part="decided">
      <p class="row-verdict">
        ${icon(accepted ? "check" : "cross")}${isFinal ? `${verdict}. ${m.changedSince}` : verdict}
      </p>
      ${
        canTakeBack
          ? html`<button
              type="button"
              class="inline-link"
              part="take-back"
              aria-label=${m.actionOnCall(m.takeBack, describeCall(call, m))}
              ?disabled=${this.disabled}
              @click=${onPress(() => void this.#takeBack(call))}
              @keydown=${ignoreHeld}
            >
              ${m.takeBack}
            </button>`
          : nothing
      }
    </div>`;
  }

  #details(call: ToolCallState): TemplateResult | typeof nothing {
    const { m } = this;
    if (details) {
      this.#adopt(details);
      const words = { m, tag: this.language, tables: this.words };
      return details.callDetails(call, words, this.assistant?.editor, () => this.assistant?.show(call.toolId));
    }
    return this.hasFailed
      ? html`<p>${m.detailsFailed}</p>
          <button type="button" class="button small" @click=${() => void this.#load()}>${m.tryAgain}</button>`
      : nothing;
  }

  /** Draws the row again when its details are loaded, or cannot be. */
  async #load(): Promise<void> {
    try {
      await loadDetails();
      this.hasFailed = false;
    } catch (error) {
      console.warn(error);
      this.hasFailed = true;
    }
    this.requestUpdate();
  }

  #adopt({ adoptDetailsStyle }: Details): void {
    if (this.#hasStyle) return;
    this.#hasStyle = true;
    adoptDetailsStyle(this);
  }

  #decided(): void {
    // The buttons are removed: keyboard focus stays in the row.
    this.#find(".row-head")?.focus();
  }

  /** Decides the changes, and moves the focus to the next decision. */
  #decide({ toolId }: ToolCallState, accept: boolean, event: MouseEvent): void {
    const { assistant } = this;
    if (!assistant?.editor.isEditable) return;
    const byKey = event.detail === 0;
    assistant.decide(toolId, accept);
    // Conflicts are decided one by one.
    const [left] = changesOf(assistant.editor, toolId);
    if (left !== undefined) focusHunk(assistant.editor, left);
    else if (byKey) this.#goOn(assistant, accept ? ".row-accept" : ".row-reject");
    else returnFocus(assistant.editor.view, event);
  }

  /** Gives the focus to a button of the next row with changes that wait; without one, to the next change or the text. */
  #goOn({ editor }: Assistant, button: ".row-accept" | ".row-reject"): void {
    const rows = [...(this.getRootNode() as ParentNode).querySelectorAll("copydesk-tool-row")];
    const at = rows.indexOf(this);
    const next = [...rows.slice(at + 1), ...rows.slice(0, at)]
      .filter(({ call }) => call && changesOf(editor, call.toolId).length)
      .flatMap((row) => row.#find(button) ?? [])[0];
    const [change] = hunksOf(editor);
    if (next) next.focus();
    else if (change) focusHunk(editor, change.id);
    else if (editor.isEditable) editor.view.focus();
    else this.#find(".row-head")?.focus();
  }

  /**
   * Makes the changes pending again, and moves the focus to the button that accepts them, unless the user moves it
   * elsewhere meanwhile.
   */
  async #takeBack({ toolId }: ToolCallState): Promise<void> {
    const { ownerDocument } = this;
    const types = ["focusin", "pointerdown"];
    const leave = (event: Event) => {
      if (!event.composedPath().includes(this)) this.#isTakingBack = false;
    };
    this.#isTakingBack = this.focused !== null;
    for (const type of types) ownerDocument.addEventListener(type, leave, true);
    let isDone = false;
    try {
      isDone = (await this.assistant?.takeBack(toolId)) ?? false;
    } catch (error) {
      console.warn(error);
    } finally {
      for (const type of types) ownerDocument.removeEventListener(type, leave, true);
      if (!isDone) this.#isTakingBack = false;
    }
  }

  #find(selector: string): HTMLElement | null {
    return this.shadowRoot?.querySelector<HTMLElement>(selector) ?? null;
  }
}

/** Returns what became of the changes of a call. */
export function reviewOf({ pending, decisions }: ToolCallState): string {
  if (pending.length) return "pending";
  const accepted = decisions.filter((decision) => decision.accepted).length;
  if (!decisions.length) return "none";
  return accepted === decisions.length ? "accepted" : accepted ? "mixed" : "rejected";
}

/** Returns the progress that a tool reports, as text. */
function progressOf(partial: unknown): string | undefined {
  if (typeof partial === "string") return partial;
  const [message, done, total] = ["message", "progress", "total"].map((name) => field(partial, name));
  if (typeof message === "string") return message;
  return typeof done !== "number" ? undefined : typeof total === "number" ? `${done} / ${total}` : String(done);
}

define("copydesk-tool-row", CopydeskToolRow);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-tool-row": CopydeskToolRow;
  }
}
