/** One request and everything that came of it, as the events tell it. */
import type { AgentEvent } from "copydesk";
import type { Editor } from "@tiptap/core";
import { h, languageOf } from "../dom";
import { documentOf, placeOfChanges, placeOfUpdate, scrollTo, scrollToElement } from "../editor";
import { addPlace, darken, light, placeOf } from "../places";
import { inWords, words, type Words } from "../words";
import { changesOf, lightChanges, showChange, undoTurns } from "./review";
import { richText } from "./rich-text";
import { ToolRow } from "./tool-row";

export interface RunHooks {
  /** What turns cost; null where the model's count of tokens means nothing. */
  spent: (turnIds: readonly string[]) => { tokens: number; cost: number | null } | null;
  /** Says whether a call may run. */
  approve: (toolId: string, approved: boolean) => void;
  /** What the desk does now, in words; null when it does nothing. */
  progress: (now: (() => string) | null) => void;
  announce: (text: string) => void;
  /** Something was added at the end. */
  grew: () => void;
  openSettings: () => void;
  tryAgain: () => void;
  /** It comes out of a file: it was elsewhere and at another time, and nothing of it can be undone or tried again. */
  replayed?: boolean;
}

/** Codes that settings can mend; for others the way out is to try again. */
const settingsHelp = new Set(["unauthorized", "not_found", "blocked_by_cors", "config", "not_a_stream", "bad_request", "missing_key", "model_not_found", "quota_exceeded", "redirected"]);

let serial = 0;

export class RunView {
  readonly element = h("article", { class: "run" });
  readonly rows = new Map<string, ToolRow>();
  private answer = h("div", { class: "answer" });
  /** What the turn under way has shown: void, where its request is sent again. */
  private shown: HTMLElement[] = [];
  private waiting: { element: HTMLElement; stop: () => void } | null = null;
  private failure: HTMLElement | null = null;
  private id = ++serial;
  private said: { element: HTMLElement; text: string; asked: boolean } | null = null;
  private thought: { element: HTMLElement; summary: HTMLElement; text: string } | null = null;
  private timeline: HTMLOListElement | null = null;
  private edits = 0;
  private started = performance.now();
  private lastAnswer = "";
  private turnIds: string[] = [];
  /** The calls whose preview the reader has been taken to. */
  private previewed = new Set<string>();
  ended = false;

  constructor(
    prompt: string,
    private editor: Editor,
    private hooks: RunHooks,
  ) {
    const you = h("span", { class: "sr" });
    const desk = h("span", { class: "sr" });
    inWords((w) => {
      you.textContent = `${w.you}: `;
      desk.textContent = `${w.deskSays}: `;
    });
    this.answer.append(desk);
    this.element.append(h("div", { class: "asked", lang: languageOf(prompt) }, you, prompt), this.answer);
  }

  handle(event: AgentEvent): void {
    if (event.type !== "retry") this.endWaiting();
    switch (event.type) {
      case "agent_start":
        this.hooks.progress(() => words().working.start);
        this.hooks.announce(words().announceStart);
        break;
      case "turn_start":
        this.turnIds.push(event.turnId);
        this.shown = [];
        this.hooks.progress(() => words().working.model);
        break;
      case "thinking_start":
        this.startThought();
        break;
      case "thinking":
        if (!this.thought) this.startThought();
        this.thought!.text += event.content;
        this.thought!.element.textContent = this.thought!.text;
        break;
      case "thinking_end":
        this.endThought();
        break;
      case "content":
        this.say(event.content);
        break;
      case "tool_args": {
        const row = this.row(event.toolId, event.toolName);
        row.preparing(event.partial);
        this.showPreview(event.toolId);
        this.hooks.progress(() => row.inWords);
        break;
      }
      case "approval_request": {
        const row = this.row(event.toolId, event.toolName);
        row.asks(event.toolInput);
        this.hooks.progress(() => words().working.asking);
        this.hooks.announce(`${words().asksFor} ${row.inWords}`);
        this.hooks.grew();
        break;
      }
      case "tool_use": {
        const row = this.row(event.toolId, event.toolName);
        row.runs(event.toolInput);
        this.hooks.progress(() => row.inWords);
        break;
      }
      case "tool_update":
        this.rows.get(event.toolId)?.says(event.partial);
        break;
      case "tool_result": {
        const row = this.row(event.toolId, event.toolName);
        row.ends(event.content, event.isError);
        this.hooks.announce(row.inWords);
        break;
      }
      case "doc_update":
        this.placeEdit(event);
        break;
      case "message":
        if (event.message.role === "user") this.hear(String(event.message.content));
        break;
      case "retry":
        this.startAgain();
        this.awaitRetry(event.delayMs, event.reason);
        break;
      case "compaction": {
        const { before, after } = event;
        this.add(this.line("notice compaction", (w) => w.compacted(before, after)));
        break;
      }
      case "notice":
        this.add(h("p", { class: "notice" }, event.message));
        break;
      case "complete":
        this.end();
        this.add(this.line("run-end", (w) => w.summary(this.edits, this.hooks.replayed ? "" : w.seconds(this.took), this.spent(w))));
        this.hooks.announce(`${words().announceDone} ${this.lastAnswer}`);
        break;
      case "aborted":
        this.end();
        this.add(this.line("run-end stopped", (w) => w.stopped));
        this.hooks.announce(words().stopped);
        break;
      case "error":
        this.fail(event.error, event.code);
        break;
    }
  }

  /** A failure, as a sentence with one button that helps. */
  fail(message: string, code: string): void {
    this.end();
    const settings = settingsHelp.has(code);
    const button = h("button", { type: "button", class: "button small" });
    inWords((w) => (button.textContent = settings ? w.openSettings : w.tryAgain));
    button.addEventListener("click", () => (settings ? this.hooks.openSettings() : this.hooks.tryAgain()));
    this.failure = h("div", { class: "failure", "data-code": code }, h("p", {}, message), !this.hooks.replayed && button);
    this.add(this.failure);
    this.hooks.announce(message);
  }

  /** The person tries again: what failed goes on. */
  goesOn(): void {
    this.failure?.remove();
    this.failure = null;
    this.ended = false;
    this.undo?.remove();
    this.undo = null;
    this.started = performance.now();
  }

  /** What the person said meanwhile, where the desk heard it. */
  private hear(text: string): void {
    const you = h("span", { class: "sr" });
    inWords((w) => (you.textContent = `${w.you}: `));
    this.add(h("div", { class: "asked", lang: languageOf(text) }, you, text));
  }

  /** What the turn has shown so far is void. */
  private startAgain(): void {
    this.endThought();
    this.said = null;
    this.timeline = null;
    for (const element of this.shown) element.remove();
    this.shown = [];
    for (const [id, row] of this.rows) if (!row.element.isConnected) this.rows.delete(id);
  }

  /** Counts the seconds until the request is sent again. */
  private awaitRetry(delayMs: number, reason: string): void {
    this.endWaiting();
    const due = performance.now() + delayMs;
    const now = () => words().retrying(Math.max(0, Math.ceil((due - performance.now()) / 1000)), words().retryReasons[reason] ?? reason);
    const element = h("p", { class: "notice retrying" }, now());
    const draw = () => {
      element.textContent = now();
      this.hooks.progress(now);
    };
    const timer = setInterval(draw, 500);
    this.waiting = { element, stop: () => clearInterval(timer) };
    this.add(element);
    draw();
    this.hooks.announce(now());
  }

  private endWaiting(): void {
    this.waiting?.stop();
    this.waiting?.element.remove();
    this.waiting = null;
  }

  /** Money where the prices are known, else tokens. */
  private spent(w: Words): string {
    const spent = this.hooks.spent(this.turnIds);
    if (!spent) return "";
    return spent.cost !== null ? w.cost(spent.cost) : spent.tokens ? w.tokens(spent.tokens) : "";
  }

  private took = 0;
  private undo: HTMLElement | null = null;

  private end(): void {
    this.ended = true;
    this.took = performance.now() - this.started;
    if (this.edits && !this.hooks.replayed) {
      queueMicrotask(() => {
        this.undo = this.undoButton();
        this.add(this.undo);
      });
    }
    this.flush();
    this.endThought();
    for (const row of this.rows.values()) row.breaksOff();
    this.hooks.progress(null);
  }

  /** How many changes of each call wait. */
  countWaiting(): void {
    for (const row of this.rows.values()) row.waiting(changesOf(this.editor, row.toolId).length);
  }

  /** One button that takes the whole run back, and then says what could not be taken back. */
  private undoButton(): HTMLElement {
    const button = h("button", { type: "button", class: "button plain small undo-run" });
    let stays: string[] | null | undefined;
    const line = h("div", { class: "run-undo", role: "status" }, button);
    inWords((w) => {
      button.textContent = w.undoRun;
      if (stays !== undefined) line.textContent = stays === null ? w.notUndone : stays.length ? w.undoneBut(stays) : w.undone;
    });
    button.addEventListener("click", () => {
      stays = undoTurns(this.editor, this.turnIds);
      const w = words();
      line.textContent = stays === null ? w.notUndone : stays.length ? w.undoneBut(stays) : w.undone;
    });
    return line;
  }

  private line(name: string, text: (w: Words) => string): HTMLElement {
    const line = h("p", { class: name });
    inWords((w) => (line.textContent = text(w)));
    return line;
  }

  private add(element: HTMLElement): void {
    this.flush();
    this.said = null;
    this.timeline = null;
    this.answer.append(element);
    this.shown.push(element);
    this.hooks.grew();
  }

  private startThought(): void {
    const text = h("div", { class: "thought-text" });
    const summary = h("summary", {});
    summary.textContent = words().thinking;
    this.add(h("details", { class: "thought" }, summary, text));
    this.thought = { element: text, summary, text: "" };
    this.hooks.progress(() => words().working.thinking);
  }

  private endThought(): void {
    const summary = this.thought?.summary;
    if (summary) inWords((w) => (summary.textContent = w.thought));
    this.thought = null;
  }

  private say(content: string): void {
    if (!this.said) {
      if (!content.trim()) return;
      const element = h("div", { class: "said" });
      this.add(element);
      this.said = { element, text: "", asked: false };
      this.hooks.progress(() => words().working.answering);
    }
    this.said.text += content;
    if (this.said.asked) return;
    this.said.asked = true;
    if (document.hidden) this.flush();
    else requestAnimationFrame(() => this.flush());
  }

  private flush(): void {
    const said = this.said;
    if (!said?.asked) return;
    said.asked = false;
    said.element.lang = languageOf(said.text);
    said.element.replaceChildren(...richText(said.text));
    this.lastAnswer = said.text;
    this.hooks.grew();
  }

  private row(toolId: string, toolName: string): ToolRow {
    const known = this.rows.get(toolId);
    if (known) return known;
    const place = this.placeId(toolId);
    const row = new ToolRow(toolId, toolName, documentOf(this.editor).outline().map((section) => section.title), {
      light: (on) => this.lightCall(toolId, on),
      approve: (approved) => this.hooks.approve(toolId, approved),
      timed: !this.hooks.replayed,
      settle: (accepts) => {
        if (accepts) this.editor.commands.acceptAll({ toolId });
        else this.editor.commands.rejectAll({ toolId });
      },
      show: () => {
        const [change] = changesOf(this.editor, toolId);
        if (change) return showChange(this.editor, change);
        const found = placeOf(this.editor, place);
        if (found) scrollTo(this.editor, found.from);
        light(this.editor, place);
      },
    });
    row.element.dataset.place = place;
    this.rows.set(toolId, row);
    if (!this.timeline) {
      const list = h("ol", { class: "timeline" });
      this.add(list);
      this.timeline = list;
    }
    this.timeline.append(row.element);
    this.hooks.grew();
    return row;
  }

  /** Takes a reader who is not writing to what is being written, once a call. It is drawn with the next frame. */
  private showPreview(toolId: string): void {
    if (this.previewed.has(toolId) || this.editor.isFocused) return;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const preview = this.editor.view.dom.querySelector<HTMLElement>(".copydesk-preview");
        if (!preview || this.previewed.has(toolId)) return;
        this.previewed.add(toolId);
        scrollToElement(this.editor, preview, true);
      }),
    );
  }

  /** Lights a call's changes where they wait, and otherwise the place where they have been made. */
  private lightCall(toolId: string, on: boolean): void {
    const waits = on && changesOf(this.editor, toolId).length > 0;
    lightChanges(this.editor, waits ? toolId : null);
    if (on && !waits) light(this.editor, this.placeId(toolId));
    else darken(this.editor, this.placeId(toolId));
  }

  private placeId(toolId: string): string {
    return `${this.id}:${toolId}`;
  }

  private placeEdit(event: Extract<AgentEvent, { type: "doc_update" }>): void {
    this.edits++;
    if (this.hooks.replayed) return;
    const row = this.rows.get(event.toolId);
    const place = placeOfChanges(this.editor, event.toolId) ?? placeOfUpdate(this.editor, event, row?.call.input.imageUrl);
    if (!place) return;
    const id = this.placeId(event.toolId);
    addPlace(this.editor, id, place);
    row?.hasPlace();
    // What waits is marked as it is.
    if (!changesOf(this.editor, event.toolId).length && documentOf(this.editor).mode === "auto") light(this.editor, id);
    setTimeout(() => {
      if (!row?.element.matches(":hover, :focus-within")) darken(this.editor, id);
    }, 1400);
    if (!this.editor.isFocused && !this.previewed.has(event.toolId)) scrollTo(this.editor, place.from, true);
  }
}
