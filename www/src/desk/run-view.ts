/** One request and everything that came of it, as the events tell it. */
import type { AgentEvent } from "copydesk";
import type { Editor } from "@tiptap/core";
import { h, languageOf } from "../dom";
import { documentOf, placeOfChanges, placeOfUpdate, scrollTo, scrollToElement } from "../editor";
import { addPlace, darken, light, placeOf } from "../places";
import { inWords, words } from "../words";
import { changesOf, lightChanges, showChange, undoTurns } from "./review";
import { richText } from "./rich-text";
import { ToolRow } from "./tool-row";

export interface RunHooks {
  /** Whether the model's count of tokens means something. */
  counts: boolean;
  /** What the desk does now, in words; null when it does nothing. */
  progress: (now: (() => string) | null) => void;
  announce: (text: string) => void;
  /** Something was added at the end. */
  grew: () => void;
  openSettings: () => void;
  tryAgain: () => void;
}

/** Codes that settings can mend; for others the way out is to try again. */
const settingsHelp = new Set(["unauthorized", "not_found", "blocked_by_cors", "config", "not_a_stream", "bad_request", "missing_key"]);

let serial = 0;

export class RunView {
  readonly element = h("article", { class: "run" });
  readonly rows = new Map<string, ToolRow>();
  private answer = h("div", { class: "answer" });
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
    switch (event.type) {
      case "agent_start":
        this.hooks.progress(() => words().working.start);
        this.hooks.announce(words().announceStart);
        break;
      case "turn_start":
        this.turnIds.push(event.turnId);
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
      case "tool_use": {
        const row = this.row(event.toolId, event.toolName);
        row.runs(event.toolInput);
        this.hooks.progress(() => row.inWords);
        break;
      }
      case "tool_result": {
        const row = this.row(event.toolId, event.toolName);
        row.ends(event.content, event.isError);
        this.hooks.announce(row.inWords);
        break;
      }
      case "doc_update":
        this.placeEdit(event);
        break;
      case "notice":
        this.add(h("p", { class: "notice" }, event.message));
        break;
      case "complete":
        this.end();
        this.add(this.footer((w) => w.summary(this.edits, w.seconds(this.took), this.hooks.counts ? event.usage.totalTokens : 0)));
        this.hooks.announce(`${words().announceDone} ${this.lastAnswer}`);
        break;
      case "aborted":
        this.end();
        this.add(this.footer((w) => w.stopped, "stopped"));
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
    this.add(h("div", { class: "failure", "data-code": code }, h("p", {}, message), button));
    this.hooks.announce(message);
  }

  private took = 0;

  private end(): void {
    this.ended = true;
    this.took = performance.now() - this.started;
    if (this.edits) queueMicrotask(() => this.add(this.undoButton()));
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

  private footer(text: (w: ReturnType<typeof words>) => string, extra = ""): HTMLElement {
    const line = h("p", { class: `run-end ${extra}` });
    inWords((w) => (line.textContent = text(w)));
    return line;
  }

  private add(element: HTMLElement): void {
    this.flush();
    this.said = null;
    this.timeline = null;
    this.answer.append(element);
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
