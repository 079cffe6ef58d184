/** `<copydesk-tool-row>`. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Change } from "../assistant/changes.js";
import type { Assistant } from "../assistant/controller.js";
import { errorOf, isUnfinished, type ToolCallState } from "../assistant/run.js";
import { changeList, changeListStyle } from "./change-list.js";
import "./approval.js";
import { ChatElement } from "./chat-element.js";
import { define, freshId, languageOf } from "./element.js";
import { changesOfFile } from "./file-tool-text.js";
import { icon } from "./icons.js";
import { base } from "./styles.js";
import { rowStyle } from "./tool-row-style.js";
import { field } from "./call-text.js";
import { callIcon, describeCall, wordsOf } from "./tool-text.js";

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
  };
  static override styles = [base, rowStyle, changeListStyle];

  /** The call, of the state of an assistant. */
  declare call: ToolCallState | undefined;
  /** The assistant whose call it is, which its buttons act on. */
  declare assistant: Assistant | undefined;
  declare private isOpen: boolean;
  #body = freshId("row");
  /** The button that had the focus is gone: it goes to this one. */
  #focusNext: ".row-head" | ".row-accept" | null = null;

  constructor() {
    super();
    this.isOpen = false;
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

  override updated(): void {
    if (!this.#focusNext) return;
    const next = this.shadowRoot?.querySelector<HTMLElement>(this.#focusNext);
    this.#focusNext = null;
    (next ?? this.shadowRoot?.querySelector<HTMLElement>(".row-head"))?.focus();
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
    const isOpenEnded = isUnfinished(call) && call.state !== "approval";
    return describeCall(call, m) + (progress ? `: ${progress}` : "") + (isOpenEnded ? "…" : "");
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
        @click=${() => {
          if (this.focused) this.#focusNext = ".row-head";
          this.assistant?.decide(call.toolId, accept);
        }}
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
              @click=${() => {
                if (this.focused) this.#focusNext = ".row-accept";
                this.assistant?.takeBack(call.toolId);
              }}
            >
              ${m.takeBack}
            </button>`
          : nothing
      }
    </div>`;
  }

  #details(call: ToolCallState): TemplateResult {
    const { m } = this;
    const reason = reasonOf(call, m);
    const pending: Change[] = call.pending.map(({ originalText, newText, proposedFrom }) => ({
      originalText,
      newText,
      at: proposedFrom,
    }));
    const changes = [...call.decisions, ...pending, ...changesOfFile(call)].sort((a, b) => a.at - b.at);
    const words = changes.length ? "" : wordsOf(call, m);
    return html`
      ${
        call.hasRange
          ? html`<button
              type="button"
              class="button plain small"
              part="show"
              @click=${() => this.assistant?.show(call.toolId)}
            >
              ${m.showInDocument}
            </button>`
          : nothing
      }
      ${reason ? html`<p class="row-error">${reason}</p>` : nothing}
      ${changes.length ? changeList(changes, m) : nothing}
      ${words ? html`<p class="row-words" tabindex="0" dir="auto" lang=${languageOf(words)}>${words}</p>` : nothing}
      ${call.images.map(
        ({ data, mimeType }, at) =>
          html`<img class="row-image" src="data:${mimeType};base64,${data}" alt=${m.plugins.resultImage(at + 1)} />`,
      )}
      <details class="row-details">
        <summary>${m.details}</summary>
        ${json(call.input)} ${call.content === undefined ? nothing : json(call.content)}
      </details>
    `;
  }

  #decided(): void {
    // The buttons are removed: keyboard focus stays in the row.
    this.shadowRoot?.querySelector<HTMLElement>(".row-head")?.focus();
  }
}

/** Returns what became of the changes of a call. */
export function reviewOf({ pending, decisions }: ToolCallState): string {
  if (pending.length) return "pending";
  const accepted = decisions.filter((decision) => decision.accepted).length;
  if (!decisions.length) return "none";
  return accepted === decisions.length ? "accepted" : accepted ? "mixed" : "rejected";
}

/** Returns why a call has no result. */
function reasonOf({ state, content }: ToolCallState, m: CopydeskToolRow["m"]): string | undefined {
  if (state !== "failed" && state !== "rejected" && state !== "stopped") return undefined;
  const { code = "", message } = errorOf(content) ?? {};
  return m.reasons[code] ?? m.files.reasons[code] ?? (state === "failed" ? message : undefined);
}

/** Returns the progress that a tool reports, as text. */
function progressOf(partial: unknown): string | undefined {
  if (typeof partial === "string") return partial;
  const [message, done, total] = ["message", "progress", "total"].map((name) => field(partial, name));
  if (typeof message === "string") return message;
  return typeof done !== "number" ? undefined : typeof total === "number" ? `${done} / ${total}` : String(done);
}

function json(value: unknown): TemplateResult {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return html`<pre tabindex="0" class="json">${text}</pre>`;
}

define("copydesk-tool-row", CopydeskToolRow);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-tool-row": CopydeskToolRow;
  }
}
