/** The view of one run: the user's message and everything that follows, built from the agent's events. */
import type { AgentEvent, DocUpdateEvent } from "copydesk";
import type { Editor } from "@tiptap/core";
import { hunksOf } from "copydesk/tiptap";
import { h, languageOf } from "../dom";
import { addEditRange, editRange, highlight, removeHighlight } from "../edit-ranges";
import { documentOf, rangeOfChanges, rangeOfUpdate, scrollTo, scrollToElement } from "../editor";
import { inAllLocales, localize, messages, type Messages } from "../locale";
import type { RunSetup } from "../plugins/additions";
import type { ServerTool } from "../plugins/tool-names";
import type { ShownDecision } from "./decisions";
import { byCall, changesOf, highlightChanges, showChange, undoTurns } from "./review";
import { richText } from "./rich-text";
import { writesFile } from "./file-tool-text";
import { runSetup, settingsNotice } from "./run-setup";
import { ToolRow } from "./tool-row";

export interface RunOptions {
  /** Returns the usage of turns, or null where the token counts mean nothing. */
  usage: (turnIds: readonly string[]) => { tokens: number; cost: number | null; estimated: boolean } | null;
  /** Approves or rejects a call. */
  approve: (toolId: string, approved: boolean) => void;
  /** Receives a function that describes the current activity, or null when there is none. */
  onProgress: (description: (() => string) | null) => void;
  announce: (text: string) => void;
  /** Returns the titles of the sections as they were before a call. */
  titles: (toolId: string) => string[];
  /** Takes the focus where the element that had it is gone. */
  takeFocus: () => void;
  /** Returns the tool of a server that has a name; null for other tools. */
  serverTool: (toolName: string) => ServerTool | null;
  /** Returns what the run began with; undefined if that is not known. */
  setup: () => RunSetup | undefined;
  /** Called when content was added at the end. */
  onContent: () => void;
  openSettings: () => void;
  /** Takes the decisions about the changes of a call back; false if none can be. */
  takeBack: (toolId: string) => boolean;
  tryAgain: () => void;
  /** Called when the run was undone, with its calls. */
  onUndone: (toolIds: ReadonlySet<string>) => void;
  /** The run is over, and comes from a recording or was saved: nothing of it can be undone. */
  past?: boolean;
}

/** Error codes that settings can fix; for others the button is to try again. */
const SETTINGS_ERRORS = new Set([
  "unauthorized",
  "not_found",
  "blocked_by_cors",
  "config",
  "not_a_stream",
  "bad_request",
  "missing_key",
  "model_not_found",
  "quota_exceeded",
  "redirected",
]);

/** Sentences of the demo model about what only another model can do. */
const NEEDS_MODEL = Object.values(inAllLocales((m) => [m.demo.needsModel, m.demo.differs])).flat();

const saysModelIsNeeded = (text: string) => NEEDS_MODEL.some((sentence) => text.includes(sentence));

/** Milliseconds for which the range of a finished edit stays highlighted. */
const HIGHLIGHT_TIME = 1400;

let serial = 0;

export class RunView {
  readonly element = h("article", { class: "run" });
  readonly rows = new Map<string, ToolRow>();
  private answer = h("div", { class: "answer" });
  /** Elements of the current turn, which are discarded if its request is retried. */
  private turnElements: HTMLElement[] = [];
  private retry: { element: HTMLElement; stop: () => void } | null = null;
  private failure: HTMLElement | null = null;
  private id = ++serial;
  private message: { element: HTMLElement; text: string; scheduled: boolean } | null = null;
  private thinking: { element: HTMLElement; summary: HTMLElement; text: string } | null = null;
  private timeline: HTMLOListElement | null = null;
  private undo: HTMLElement | null = null;
  private hasSetup = false;
  private edits = 0;
  /** Writes of files. */
  private writes = 0;
  private started = performance.now();
  private duration = 0;
  private lastMessage = "";
  private turnIds: string[] = [];
  /** Calls whose preview was scrolled into view. */
  private previewed = new Set<string>();
  ended = false;

  constructor(
    prompt: string,
    private editor: Editor,
    private options: RunOptions,
  ) {
    const assistant = h("span", { class: "visually-hidden" });
    localize((m) => (assistant.textContent = `${m.assistant}: `));
    this.answer.append(assistant);
    this.element.append(userMessage(prompt), this.answer);
  }

  handle(event: AgentEvent): void {
    if (event.type !== "retry") this.removeRetry();
    switch (event.type) {
      case "agent_start":
        this.options.onProgress(() => messages().working.start);
        this.options.announce(messages().announceStart);
        break;
      case "turn_start":
        this.turnIds.push(event.turnId);
        this.turnElements = [];
        this.addSetup();
        this.options.onProgress(() => messages().working.model);
        break;
      case "thinking_start":
        this.startThinking();
        break;
      case "thinking":
        if (!this.thinking) this.startThinking();
        this.thinking!.text += event.content;
        this.thinking!.element.textContent = this.thinking!.text;
        break;
      case "thinking_end":
        this.endThinking();
        break;
      case "content":
        this.addText(event.content);
        break;
      case "tool_args": {
        const row = this.row(event.toolId, event.toolName);
        row.prepare(event.partial ?? {});
        this.scrollToPreview(event.toolId);
        this.options.onProgress(() => row.text);
        break;
      }
      case "approval_request": {
        const row = this.row(event.toolId, event.toolName);
        row.requestApproval(event.toolInput);
        this.options.onProgress(() => messages().working.approval);
        this.options.announce(`${messages().approvalNeeded} ${row.text}`);
        this.options.onContent();
        break;
      }
      case "tool_use": {
        const row = this.row(event.toolId, event.toolName);
        row.start(event.toolInput);
        this.options.onProgress(() => row.text);
        break;
      }
      case "tool_update":
        this.rows.get(event.toolId)?.update(event.partial);
        break;
      case "tool_result": {
        const row = this.row(event.toolId, event.toolName);
        row.finish(event.content, event.isError, event.images);
        if (!event.isError && writesFile(event.toolName)) this.writes++;
        this.options.announce(row.text);
        break;
      }
      case "doc_update":
        this.addEdit(event);
        break;
      case "message":
        // A queued message was sent.
        if (event.message.role === "user") this.add(userMessage(String(event.message.content)));
        break;
      case "retry":
        this.discardTurn();
        this.showRetry(event.delayMs, event.reason);
        break;
      case "compaction": {
        const { before, after } = event;
        this.add(this.line("notice compaction", (m) => m.compacted(before, after)));
        break;
      }
      case "notice":
        this.addNotice(event.code, event.message);
        break;
      case "complete":
        this.end();
        if (saysModelIsNeeded(this.lastMessage)) this.add(h("div", { class: "needs-model" }, this.settingsButton()));
        this.add(
          this.line("run-end", (m) =>
            m.summary(this.edits + this.writes, this.options.past ? "" : m.seconds(this.duration), this.costText(m)),
          ),
        );
        this.options.announce(this.lastMessage || messages().announceDone);
        break;
      case "aborted":
        this.end();
        this.add(this.line("run-end stopped", (m) => m.stopped));
        this.options.announce(messages().stopped);
        break;
      case "error":
        this.fail(event.error, event.code);
        break;
    }
  }

  /** Shows a failure as a sentence with one button that helps. */
  fail(message: string, code: string): void {
    this.end();
    this.failure = h("div", { class: "failure", "data-code": code }, h("p", {}, message));
    if (!this.options.past) this.offerAgain();
    this.add(this.failure);
    this.options.announce(message);
  }

  /** Adds the button to a failure that the run has ended with. */
  offerAgain(): void {
    if (!this.failure) return;
    if (SETTINGS_ERRORS.has(this.failure.dataset.code ?? "")) return this.failure.append(this.settingsButton());
    const button = h("button", { type: "button", class: "button small" });
    localize((m) => (button.textContent = m.tryAgain));
    button.addEventListener("click", () => this.options.tryAgain());
    this.failure.append(button);
  }

  private settingsButton(): HTMLElement {
    const button = h("button", { type: "button", class: "button small" });
    localize((m) => (button.textContent = m.openSettings));
    button.addEventListener("click", () => this.options.openSettings());
    return button;
  }

  /** Shows that the page was closed before the run had ended, with a button that continues it. */
  interrupt(): void {
    this.end();
    const button = h("button", { type: "button", class: "button small" });
    const line = this.line("", (m) => m.interrupted);
    localize((m) => (button.textContent = m.continueRun));
    button.addEventListener("click", () => this.options.tryAgain());
    this.failure = h("div", { class: "failure interrupted" }, line, button);
    this.add(this.failure);
  }

  /** Continues a run that had failed; `past` if that was in an earlier page as well. */
  resume(past = false): void {
    const hadFocus = this.failure?.contains(document.activeElement);
    this.failure?.remove();
    if (hadFocus) this.options.takeFocus();
    this.failure = null;
    this.ended = false;
    // Names of turns are used again in every page.
    if (this.options.past) this.turnIds = [];
    this.options.past = past;
    this.undo?.remove();
    this.undo = null;
    this.started = performance.now();
  }

  /** Updates the number of pending changes of each call. */
  updatePending(): void {
    const pending = byCall(hunksOf(this.editor));
    for (const row of this.rows.values()) row.setPending(pending.get(row.toolId) ?? []);
  }

  /** Shows in the rows of the calls what the user has decided. */
  showDecisions(decisions: readonly ShownDecision[]): void {
    for (const row of this.rows.values()) row.setDecisions(decisions.filter(({ toolId }) => toolId === row.toolId));
  }

  /** Removes the content of the current turn. */
  private discardTurn(): void {
    this.endThinking();
    this.message = null;
    this.timeline = null;
    for (const element of this.turnElements) element.remove();
    this.turnElements = [];
    for (const [id, row] of this.rows) if (!row.element.isConnected) this.rows.delete(id);
  }

  /** Shows a countdown to the next attempt. */
  private showRetry(delayMs: number, reason: string): void {
    this.removeRetry();
    const due = performance.now() + delayMs;
    const text = () => {
      const seconds = Math.max(0, Math.ceil((due - performance.now()) / 1000));
      return messages().retrying(seconds, messages().retryReasons[reason] ?? reason);
    };
    const element = h("p", { class: "notice retrying" }, text());
    const draw = () => {
      element.textContent = text();
      this.options.onProgress(text);
    };
    const timer = setInterval(draw, 500);
    this.retry = { element, stop: () => clearInterval(timer) };
    this.add(element);
    draw();
    this.options.announce(text());
  }

  private removeRetry(): void {
    this.retry?.stop();
    this.retry?.element.remove();
    this.retry = null;
  }

  /** Returns the cost where prices are known, otherwise the tokens. */
  private costText(m: Messages): string {
    const usage = this.options.usage(this.turnIds);
    if (!usage) return "";
    const { cost, tokens, estimated } = usage;
    if (cost === null) return tokens ? m.tokens(tokens) : "";
    return estimated ? m.estimated(m.cost(cost)) : m.cost(cost);
  }

  private end(): void {
    this.ended = true;
    this.duration = performance.now() - this.started;
    if (this.edits && !this.options.past) {
      queueMicrotask(() => {
        this.undo = this.undoButton();
        this.add(this.undo);
      });
    }
    this.flush();
    this.endThinking();
    for (const row of this.rows.values()) row.interrupt();
    this.options.onProgress(null);
  }

  /** Creates a button that undoes the run, and then shows what could not be undone. */
  private undoButton(): HTMLElement {
    const button = h("button", { type: "button", class: "button plain small undo-run" });
    const line = h("div", { class: "run-undo", role: "status" }, button);
    let remaining: string[] | null | undefined;
    const draw = (m: Messages) => {
      button.textContent = m.undoRun;
      if (remaining === undefined) return;
      line.textContent = remaining === null ? m.nothingToUndo : remaining.length ? m.undoneExcept(remaining) : m.undone;
    };
    localize(draw);
    button.addEventListener("click", () => {
      remaining = undoTurns(this.editor, this.turnIds);
      // It does not matter what was accepted.
      this.options.onUndone(new Set(this.rows.keys()));
      const hadFocus = document.activeElement === button;
      draw(messages());
      if (hadFocus) this.options.takeFocus();
    });
    return line;
  }

  private line(name: string, text: (m: Messages) => string): HTMLElement {
    const line = h("p", { class: name });
    localize((m) => (line.textContent = text(m)));
    return line;
  }

  private add(element: HTMLElement): void {
    this.flush();
    this.message = null;
    this.timeline = null;
    this.answer.append(element);
    this.turnElements.push(element);
    this.options.onContent();
  }

  private startThinking(): void {
    const text = h("div", { class: "thinking-text" });
    const summary = h("summary", {}, messages().thinking);
    this.add(h("details", { class: "thinking" }, summary, text));
    this.thinking = { element: text, summary, text: "" };
    this.options.onProgress(() => messages().working.thinking);
  }

  private endThinking(): void {
    const summary = this.thinking?.summary;
    if (summary) localize((m) => (summary.textContent = m.thoughts));
    this.thinking = null;
  }

  /** Appends to the current message of the assistant. It is drawn at most once a frame. */
  private addText(content: string): void {
    if (!this.message) {
      if (!content.trim()) return;
      const element = h("div", { class: "assistant-message" });
      this.add(element);
      this.message = { element, text: "", scheduled: false };
      this.options.onProgress(() => messages().working.answering);
    }
    this.message.text += content;
    if (this.message.scheduled) return;
    this.message.scheduled = true;
    if (document.hidden) this.flush();
    else requestAnimationFrame(() => this.flush());
  }

  private flush(): void {
    const { message } = this;
    if (!message?.scheduled) return;
    message.scheduled = false;
    message.element.lang = languageOf(message.text);
    message.element.replaceChildren(...richText(message.text));
    this.lastMessage = message.text;
    this.options.onContent();
  }

  /** Shows what the run begins with, once. */
  private addSetup(): void {
    if (this.hasSetup) return;
    this.hasSetup = true;
    const setup = this.options.setup();
    const element = setup && runSetup(setup);
    if (!element) return;
    this.add(element);
    // It stays if the first request is repeated.
    this.turnElements = [];
  }

  private addNotice(code: string, message: string): void {
    const changes = code === "settings_changed";
    const { serverTool } = this.options;
    this.add(
      changes
        ? this.line("notice", (m) => settingsNotice(message, serverTool, m))
        : h("p", { class: "notice", "data-code": code }, message),
    );
    this.options.announce(changes ? settingsNotice(message, serverTool, messages()) : message);
  }

  private row(toolId: string, toolName: string): ToolRow {
    const known = this.rows.get(toolId);
    if (known) return known;
    const rangeId = this.rangeId(toolId);
    const server = this.options.serverTool(toolName);
    const row = new ToolRow(
      toolId,
      { toolName, titles: this.options.titles(toolId), server },
      {
        highlight: (on) => this.highlightCall(toolId, on),
        approve: (approved) => this.options.approve(toolId, approved),
        timed: !this.options.past,
        decide: (accept) => {
          if (accept) this.editor.commands.acceptAll({ toolId });
          else this.editor.commands.rejectAll({ toolId });
        },
        takeBack: () => this.options.takeBack(toolId),
        show: () => {
          const [change] = changesOf(this.editor, toolId);
          if (change) {
            this.editor.commands.setReviewView("marked");
            return showChange(this.editor, change);
          }
          const range = editRange(this.editor, rangeId);
          if (range) scrollTo(this.editor, range.from);
          highlight(this.editor, rangeId);
        },
      },
    );
    row.element.dataset.range = rangeId;
    this.rows.set(toolId, row);
    if (!this.timeline) {
      const list = h("ol", { class: "timeline" });
      this.add(list);
      this.timeline = list;
    }
    this.timeline.append(row.element);
    this.options.onContent();
    return row;
  }

  /**
   * Scrolls to the preview of a call, once, unless the user is in the editor. The preview is drawn in the next frame.
   */
  private scrollToPreview(toolId: string): void {
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

  /** Highlights the pending changes of a call or, if there are none, the range of its edit. */
  private highlightCall(toolId: string, on: boolean): void {
    const pending = on && changesOf(this.editor, toolId).length > 0;
    highlightChanges(this.editor, pending ? toolId : null);
    if (on && !pending) highlight(this.editor, this.rangeId(toolId));
    else removeHighlight(this.editor, this.rangeId(toolId));
  }

  private rangeId(toolId: string): string {
    return `${this.id}:${toolId}`;
  }

  private addEdit(event: DocUpdateEvent): void {
    this.edits++;
    const row = this.rows.get(event.toolId);
    if (this.options.past) return;
    const range = rangeOfChanges(this.editor, event.toolId) ?? rangeOfUpdate(this.editor, event);
    if (!range) return;
    const id = this.rangeId(event.toolId);
    addEditRange(this.editor, id, range);
    row?.setHasRange();
    // Pending changes are already marked.
    if (!changesOf(this.editor, event.toolId).length && documentOf(this.editor).mode === "auto")
      highlight(this.editor, id);
    setTimeout(() => {
      if (!row?.element.matches(":hover, :focus-within")) removeHighlight(this.editor, id);
    }, HIGHLIGHT_TIME);
    if (!this.editor.isFocused && !this.previewed.has(event.toolId)) scrollTo(this.editor, range.from, true);
  }
}

function userMessage(text: string): HTMLElement {
  const you = h("span", { class: "visually-hidden" });
  localize((m) => (you.textContent = `${m.you}: `));
  return h("div", { class: "user-message", lang: languageOf(text) }, you, text);
}
