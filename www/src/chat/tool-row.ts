/** A tool call in the timeline: one line that expands to its arguments and result. */
import type { Hunk, ImageContent } from "copydesk";
import { h, languageOf, set } from "../dom";
import { icon } from "../icons";
import { localize, messages } from "../locale";
import type { ShownDecision } from "./decisions";
import { changesOfFile } from "./file-tool-text";
import { listOfChanges, type Change } from "./review";
import { callIcon, describeCall, field, wordsOf, type Call } from "./tool-text";

export interface RowOptions {
  /** Highlights the range of the call in the document, or removes the highlight. */
  highlight: (on: boolean) => void;
  /** Scrolls the document to the range. */
  show: () => void;
  /** Accepts or rejects the pending changes of the call. */
  decide: (accept: boolean) => void;
  /** Makes the decided changes of the call pending again; returns false if their text was changed since. */
  takeBack: () => boolean;
  /** Approves or rejects the call. */
  approve: (approved: boolean) => void;
  /** Measure the duration of the call; false in a replay. */
  timed: boolean;
}

export class ToolRow {
  readonly element: HTMLLIElement;
  readonly call: Call;
  private label = h("span", { class: "row-text" });
  private icon = h("span", { class: "row-icon" });
  private time = h("span", { class: "row-time" });
  private head: HTMLButtonElement;
  private body = h("div", { class: "row-body", hidden: true });
  private count = h("span", { class: "row-count" });
  private accept = h("button", { type: "button", class: "inline-link" });
  private reject = h("button", { type: "button", class: "inline-link" });
  private review = h("div", { class: "row-review", hidden: true }, this.count, this.accept, this.reject);
  private verdict = h("p", { class: "row-verdict" });
  private takeBack = h("button", { type: "button", class: "inline-link" });
  private outcome = h("div", { class: "row-decided", hidden: true }, this.verdict, this.takeBack);
  private allow = h("button", { type: "button", class: "button small" });
  private deny = h("button", { type: "button", class: "button plain small" });
  private approval = h("div", { class: "row-approval", hidden: true }, this.allow, this.deny);
  private images: readonly ImageContent[] = [];
  private progress = "";
  private started = 0;
  private ms: number | undefined;
  private hasRange = false;
  private pending: readonly Hunk[] = [];
  private decisions: readonly ShownDecision[] = [];
  /** True if the decisions cannot be taken back any more. */
  private isFinal = false;

  constructor(
    readonly toolId: string,
    given: Pick<Call, "toolName" | "titles" | "server">,
    private options: RowOptions,
  ) {
    this.call = { ...given, input: {}, state: "preparing" };
    this.body.id = `call-${toolId.replace(/\W/g, "_")}-${Math.random().toString(36).slice(2, 7)}`;
    this.head = h(
      "button",
      { type: "button", class: "row-head", "aria-expanded": "false", "aria-controls": this.body.id },
      this.icon,
      this.label,
      this.time,
      icon("chevron"),
    );
    this.head.addEventListener("click", () => this.expand(!!this.body.hidden));
    this.element = h(
      "li",
      { class: "row", "data-tool": given.toolName, "data-call": toolId },
      this.head,
      this.approval,
      this.review,
      this.outcome,
      this.body,
    );
    for (const [button, accept] of [
      [this.accept, true],
      [this.reject, false],
    ] as const) {
      button.addEventListener("click", () => {
        // The buttons are hidden when nothing is pending: keyboard focus stays in the row.
        const focused = this.review.contains(document.activeElement);
        this.options.decide(accept);
        if (focused && this.review.hidden) this.head.focus();
      });
    }
    this.takeBack.addEventListener("click", () => {
      const focused = document.activeElement === this.takeBack;
      this.isFinal = !this.options.takeBack();
      this.draw();
      if (focused) (this.review.hidden ? this.head : this.accept).focus();
    });
    for (const [button, approved] of [
      [this.allow, true],
      [this.deny, false],
    ] as const) {
      button.addEventListener("click", () => this.onDecision(approved));
    }
    for (const [type, on] of [
      ["pointerenter", true],
      ["focusin", true],
      ["pointerleave", false],
      ["focusout", false],
    ] as const) {
      this.element.addEventListener(type, () => this.hasRange && this.options.highlight(on));
    }
    localize(() => this.draw());
  }

  prepare(input: Record<string, unknown>): void {
    if (this.call.state !== "preparing") return;
    this.call.input = input;
    this.draw();
  }

  /** The call waits for the user's approval. */
  requestApproval(input: Record<string, unknown>): void {
    this.call.input = input;
    this.call.state = "approval";
    // Nobody knows from its name what a tool of others does with what.
    if (this.call.server) this.expand(true);
    this.draw();
  }

  private onDecision(approved: boolean): void {
    if (this.call.state !== "approval") return;
    // The buttons are removed: keyboard focus stays in the row.
    if (this.approval.contains(document.activeElement)) this.head.focus();
    this.options.approve(approved);
  }

  /** Shows the progress that a tool reports as text. */
  update(partial: unknown): void {
    const text = typeof partial === "string" ? partial : progressOf(partial);
    if (!text) return;
    this.progress = text;
    this.draw();
  }

  start(input: Record<string, unknown>): void {
    this.call.input = input;
    this.call.state = "running";
    if (this.options.timed) this.started = performance.now();
    this.draw();
  }

  finish(content: unknown, isError: boolean, images: readonly ImageContent[] = []): void {
    this.images = images;
    if (this.started) this.ms = performance.now() - this.started;
    this.call.content = content;
    const code = isError ? errorOf(content)?.code : undefined;
    this.call.state = !isError ? "done" : code === "rejected" ? "rejected" : code === "not_run" ? "stopped" : "failed";
    this.draw();
  }

  /** The run ended before the call did. */
  interrupt(): void {
    if (!this.unfinished) return;
    this.call.state = "stopped";
    this.draw();
  }

  setHasRange(): void {
    this.hasRange = true;
    this.element.classList.add("has-range");
    this.draw();
  }

  /** Sets the pending changes of the call. */
  setPending(changes: readonly Hunk[]): void {
    const isSame =
      changes.length === this.pending.length &&
      changes.every(
        ({ id, newText }, index) => id === this.pending[index]?.id && newText === this.pending[index].newText,
      );
    this.pending = changes;
    if (changes.length && !this.hasRange) this.setHasRange();
    else if (!isSame) this.draw();
  }

  /** Shows which changes of the call the user has accepted and rejected. */
  setDecisions(decisions: readonly ShownDecision[]): void {
    if (!decisions.length && !this.decisions.length) return;
    if (decisions.length !== this.decisions.length) this.isFinal = false;
    this.decisions = decisions;
    this.draw();
  }

  get unfinished(): boolean {
    return this.call.state === "preparing" || this.call.state === "approval" || this.call.state === "running";
  }

  get text(): string {
    return describeCall(this.call, messages());
  }

  private expand(open: boolean): void {
    this.body.hidden = !open;
    this.head.setAttribute("aria-expanded", String(open));
    if (open) this.drawBody();
  }

  private draw(): void {
    const m = messages();
    const { state } = this.call;
    set(this.element, { "data-state": state });
    this.label.textContent =
      this.text +
      (state === "running" && this.progress ? `: ${this.progress}` : "") +
      (this.unfinished && state !== "approval" ? "…" : "");
    const status = state === "preparing" ? m.status.running : m.status[state];
    const failed = state === "failed" || state === "stopped" || state === "rejected";
    this.icon.replaceChildren(
      icon(failed ? "cross" : callIcon(this.call)),
      h("span", { class: "visually-hidden" }, status),
    );
    this.approval.hidden = state !== "approval";
    for (const [button, act] of [
      [this.allow, m.allow],
      [this.deny, m.deny],
    ] as const) {
      button.textContent = act;
      set(button, { "aria-label": m.actionOnCall(act, this.text) });
    }
    this.time.textContent = this.ms === undefined ? "" : m.ms(this.ms);
    const accepted = this.decisions.filter((decision) => decision.accepted).length;
    const rejected = this.decisions.length - accepted;
    set(this.element, {
      "data-review": this.pending.length
        ? "pending"
        : accepted && rejected
          ? "mixed"
          : accepted
            ? "accepted"
            : rejected
              ? "rejected"
              : "none",
    });
    this.review.hidden = this.pending.length === 0;
    this.count.textContent = m.pending(this.pending.length);
    this.outcome.hidden = this.decisions.length === 0;
    const verdict = m.verdict(accepted, rejected, this.pending.length > 0);
    this.verdict.replaceChildren(
      icon(accepted ? "check" : "cross"),
      this.isFinal ? `${verdict}. ${m.changedSince}` : verdict,
    );
    this.takeBack.hidden = this.isFinal || !this.decisions.some(({ isReversible }) => isReversible);
    for (const [button, act] of [
      [this.accept, m.accept],
      [this.reject, m.reject],
      [this.takeBack, m.takeBack],
    ] as const) {
      button.textContent = act;
      set(button, { "aria-label": m.actionOnCall(act, this.text) });
    }
    if (!this.body.hidden) this.drawBody();
  }

  private drawBody(): void {
    const m = messages();
    const { content, state, input } = this.call;
    const parts: HTMLElement[] = [];
    if (this.hasRange) {
      const show = h("button", { type: "button", class: "button plain small" }, m.showInDocument);
      show.addEventListener("click", () => this.options.show());
      parts.push(show);
    }
    const code = errorOf(content)?.code ?? "";
    if (state === "failed" || state === "rejected" || state === "stopped") {
      const reason =
        m.reasons[code] ?? m.files.reasons[code] ?? (state === "failed" ? errorOf(content)?.message : undefined);
      if (reason) parts.push(h("p", { class: "row-error" }, reason));
    }
    const pending: Change[] = this.pending.map(({ originalText, newText, proposedFrom }) => ({
      originalText,
      newText,
      at: proposedFrom,
    }));
    const changes = [...this.decisions, ...pending, ...changesOfFile(this.call)].sort((a, b) => a.at - b.at);
    const words = wordsOf(this.call, m);
    if (changes.length) parts.push(listOfChanges(changes));
    else if (words) parts.push(h("p", { class: "row-words", lang: languageOf(words) }, words));
    this.images.forEach(({ data, mimeType }, at) =>
      parts.push(
        h("img", { class: "row-image", src: `data:${mimeType};base64,${data}`, alt: m.plugins.resultImage(at + 1) }),
      ),
    );
    parts.push(
      h(
        "details",
        { class: "row-details" },
        h("summary", {}, m.details),
        json(input),
        content !== undefined && json(content),
      ),
    );
    this.body.replaceChildren(...parts);
  }
}

/** Returns the progress that a server reports, as text. */
function progressOf(partial: unknown): string | undefined {
  const [message, done, total] = ["message", "progress", "total"].map((name) => field(partial, name));
  if (typeof message === "string") return message;
  return typeof done !== "number" ? undefined : typeof total === "number" ? `${done} / ${total}` : String(done);
}

function json(value: unknown): HTMLElement {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return h("pre", { tabindex: "0", class: "json" }, text);
}

function errorOf(content: unknown): { code?: string; message?: string } | undefined {
  const error = content && typeof content === "object" ? (content as Record<string, unknown>).error : undefined;
  if (typeof error === "string") return { message: error };
  const { code, message } = error && typeof error === "object" ? (error as Record<string, unknown>) : {};
  return { ...(typeof code === "string" ? { code } : {}), ...(typeof message === "string" ? { message } : {}) };
}
