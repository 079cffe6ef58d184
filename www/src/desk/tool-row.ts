/** One tool call in the timeline: a line that unfolds to its arguments and its result. */
import { h, set } from "../dom";
import { icon } from "../icons";
import { inWords, words } from "../words";
import { callIcon, callInWords, type Call } from "./tool-words";

export interface RowLinks {
  /** Lights the place of the call on the page, or puts the light out. */
  light: (on: boolean) => void;
  /** Scrolls the page there. */
  show: () => void;
  /** Takes or drops the changes of the call that wait. */
  settle: (accepts: boolean) => void;
  /** Says whether the call may run. */
  approve: (approved: boolean) => void;
  /** Whether the time that it takes says something: in a recording that is played fast it does not. */
  timed: boolean;
}

export class ToolRow {
  readonly element: HTMLLIElement;
  readonly call: Call;
  private line = h("span", { class: "row-words" });
  private sign = h("span", { class: "row-sign" });
  private time = h("span", { class: "row-time" });
  private head: HTMLButtonElement;
  private body = h("div", { class: "row-body", hidden: true });
  private waits = h("span", { class: "row-count" });
  private accept = h("button", { type: "button", class: "inline-link" });
  private reject = h("button", { type: "button", class: "inline-link" });
  private review = h("div", { class: "row-review", hidden: true }, this.waits, this.accept, this.reject);
  private allow = h("button", { type: "button", class: "button small" });
  private refuse = h("button", { type: "button", class: "button plain small" });
  private question = h("div", { class: "row-ask", hidden: true }, this.allow, this.refuse);
  private progress = "";
  private started = 0;
  private ms: number | undefined;
  private placed = false;
  private changes = 0;

  constructor(
    readonly toolId: string,
    toolName: string,
    titles: string[],
    private links: RowLinks,
  ) {
    this.call = { toolName, input: {}, state: "preparing", titles };
    this.body.id = `call-${toolId.replace(/\W/g, "_")}-${Math.random().toString(36).slice(2, 7)}`;
    this.head = h(
      "button",
      { type: "button", class: "row-head", "aria-expanded": "false", "aria-controls": this.body.id },
      this.sign,
      this.line,
      this.time,
      icon("chevron"),
    );
    this.head.addEventListener("click", () => this.unfold(!!this.body.hidden));
    this.element = h("li", { class: "row", "data-tool": toolName, "data-call": toolId }, this.head, this.question, this.review, this.body);
    this.accept.addEventListener("click", () => this.links.settle(true));
    this.reject.addEventListener("click", () => this.links.settle(false));
    for (const [button, approved] of [[this.allow, true], [this.refuse, false]] as const) {
      button.addEventListener("click", () => this.decide(approved));
    }
    for (const [type, on] of [["pointerenter", true], ["focusin", true], ["pointerleave", false], ["focusout", false]] as const) {
      this.element.addEventListener(type, () => this.placed && this.links.light(on));
    }
    inWords(() => this.draw());
  }

  preparing(input: Record<string, unknown>): void {
    if (this.call.state !== "preparing") return;
    this.call.input = input;
    this.draw();
  }

  /** The call waits for the person's yes. */
  asks(input: Record<string, unknown>): void {
    this.call.input = input;
    this.call.state = "asking";
    this.draw();
  }

  private decide(approved: boolean): void {
    if (this.call.state !== "asking") return;
    // The buttons go; whoever used the keyboard stays on the line.
    if (this.question.contains(document.activeElement)) this.head.focus();
    this.links.approve(approved);
  }

  /** How far the call has come, where it says so in words. */
  says(partial: unknown): void {
    if (typeof partial !== "string") return;
    this.progress = partial;
    this.draw();
  }

  runs(input: Record<string, unknown>): void {
    this.call.input = input;
    this.call.state = "running";
    if (this.links.timed) this.started = performance.now();
    this.draw();
  }

  ends(content: unknown, isError: boolean): void {
    if (this.started) this.ms = performance.now() - this.started;
    this.call.content = content;
    const code = isError ? errorOf(content)?.code : undefined;
    this.call.state = !isError ? "done" : code === "rejected" ? "refused" : code === "not_run" ? "stopped" : "failed";
    this.draw();
  }

  /** The run was stopped or failed before the call came to its end. */
  breaksOff(): void {
    if (!this.pending) return;
    this.call.state = "stopped";
    this.draw();
  }

  hasPlace(): void {
    this.placed = true;
    this.element.classList.add("has-place");
    this.draw();
  }

  /** How many changes of the call wait for the person. */
  waiting(changes: number): void {
    if (this.changes === changes) return;
    this.changes = changes;
    this.draw();
  }

  get pending(): boolean {
    return this.call.state === "preparing" || this.call.state === "asking" || this.call.state === "running";
  }

  get inWords(): string {
    return callInWords(this.call, words());
  }

  private unfold(open: boolean): void {
    this.body.hidden = !open;
    this.head.setAttribute("aria-expanded", String(open));
    if (open) this.drawBody();
  }

  private draw(): void {
    const w = words();
    const { state } = this.call;
    set(this.element, { "data-state": state });
    this.line.textContent = this.inWords + (state === "running" && this.progress ? `: ${this.progress}` : "") + (this.pending && state !== "asking" ? "…" : "");
    const status = state === "preparing" ? w.status.running : w.status[state];
    const broke = state === "failed" || state === "stopped" || state === "refused";
    this.sign.replaceChildren(icon(broke ? "cross" : callIcon(this.call)), h("span", { class: "sr" }, status));
    this.question.hidden = state !== "asking";
    for (const [button, act] of [[this.allow, w.allow], [this.refuse, w.refuse]] as const) {
      button.textContent = act;
      set(button, { "aria-label": w.ofCall(act, this.inWords) });
    }
    this.time.textContent = this.ms === undefined ? "" : w.ms(this.ms);
    this.review.hidden = this.changes === 0;
    this.waits.textContent = w.waiting(this.changes);
    for (const [button, act] of [[this.accept, w.accept], [this.reject, w.reject]] as const) {
      button.textContent = act;
      set(button, { "aria-label": w.ofCall(act, this.inWords) });
    }
    if (!this.body.hidden) this.drawBody();
  }

  private drawBody(): void {
    const w = words();
    const { content, state, input } = this.call;
    const parts: HTMLElement[] = [];
    if (this.placed) {
      const show = h("button", { type: "button", class: "button plain small" }, w.showOnPage);
      show.addEventListener("click", () => this.links.show());
      parts.push(show);
    }
    parts.push(h("h4", {}, w.arguments), json(input));
    if (content !== undefined) {
      const message = errorOf(content)?.message;
      parts.push(h("h4", {}, state === "failed" ? w.error : w.result));
      if (state === "failed" && message) parts.push(h("p", { class: "row-error" }, message));
      parts.push(json(content));
    }
    this.body.replaceChildren(...parts);
  }
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
