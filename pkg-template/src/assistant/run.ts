/** The state of a run, made of the agent's events. Every change makes new objects; what did not change is shared. */

import type { AgentEvent, Hunk, ImageContent, UserMessage } from "copydesk";
import { writersOf } from "../agent/tool-kinds.js";
import type { AttachedContent } from "./attachment.js";
import type { ShownDecision } from "./decisions.js";
import type { RunSetup } from "./stored.js";
import type { ServerTool } from "./tool-names.js";

/** A tool call. */
export interface ToolCallState {
  readonly toolId: string;
  readonly toolName: string;
  readonly input: Record<string, unknown>;
  /** `preparing`: its arguments are arriving. `waiting`: they are whole, and another call of the answer is before it.
   * `stopped`: the run ended before the call did. `rejected`: the user did not allow it. */
  readonly state: "preparing" | "waiting" | "approval" | "running" | "done" | "failed" | "stopped" | "rejected";
  /** The result, or `{ error }`. */
  readonly content?: unknown;
  readonly images: readonly ImageContent[];
  /** The progress that the tool has reported. */
  readonly progress?: unknown;
  /** Its duration in milliseconds; absent if it is not known. */
  readonly ms?: number;
  /** The titles of the sections before the call. */
  readonly titles: readonly string[];
  /** The tool of a server that is called. */
  readonly server: ServerTool | null;
  /** True if its edit can be shown in the document. */
  readonly hasRange: boolean;
  /** Its changes that wait for the user. */
  readonly pending: readonly Hunk[];
  /** The decisions of the user about its changes. */
  readonly decisions: readonly ShownDecision[];
  /** True if the decisions cannot be taken back any more, because the text was changed since. */
  readonly isFinal: boolean;
}

/** Tokens of a run, and its cost in the currency of the prices; null without prices. */
export interface RunUsage {
  readonly tokens: number;
  readonly cost: number | null;
  /** True if the prices are estimates. */
  readonly isEstimated: boolean;
}

/** A part of a run, in the order in which it is shown. */
export type RunItem = { readonly id: number } & (
  | { readonly type: "setup"; readonly setup: RunSetup }
  /** Text of the model, in Markdown. */
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string; readonly isDone: boolean }
  | { readonly type: "call"; readonly call: ToolCallState }
  /** A message that was queued and has been sent. */
  | { readonly type: "user"; readonly text: string; readonly attachments: readonly AttachedContent[] }
  | { readonly type: "notice"; readonly code: string; readonly message: string }
  /** Older messages were summarized. */
  | { readonly type: "compaction"; readonly before: number; readonly after: number }
  /** A request is repeated at the time `due` (`performance.now()`). */
  | { readonly type: "retry"; readonly due: number; readonly reason: string }
  | {
      readonly type: "end";
      readonly edits: number;
      /** Absent for a run of an earlier page. */
      readonly ms?: number;
      readonly usage?: RunUsage;
    }
  | { readonly type: "stopped" }
  | { readonly type: "failure"; readonly code: string; readonly message: string }
  /** The page was closed, or the assistant disposed, before the run had ended. */
  | { readonly type: "interrupted" }
);

/** The state of undoing a run: possible, done except the texts of `left`, or in vain. */
export type UndoState =
  { readonly is: "offered" } | { readonly is: "done"; readonly left: readonly string[] } | { readonly is: "nothing" };

/** A message of the user and everything that followed. */
export interface Run {
  /** Unique in the page. */
  readonly id: string;
  readonly prompt: string;
  /** The attachments of the message. */
  readonly attachments: readonly AttachedContent[];
  readonly items: readonly RunItem[];
  readonly isRunning: boolean;
  /** True for a run of an earlier page or of a recording: it cannot be undone. */
  readonly isPast: boolean;
  /** True if the failure that it ended with can be tried again. */
  readonly canTryAgain: boolean;
  /** True if its message can be edited and sent again. */
  readonly canEdit: boolean;
  readonly undo: UndoState | null;
}

/** The surroundings that a run needs. */
export interface RunHost {
  titles: (toolId: string) => readonly string[];
  serverTool: (toolName: string) => ServerTool | null;
  setup: () => RunSetup | undefined;
  usage: (turnIds: readonly string[]) => RunUsage | undefined;
  /** Returns the attachments of a message that was sent while the run was under way; `index` counts these messages. */
  attachedLater: (index: number) => readonly AttachedContent[];
}

const FILE_WRITERS = writersOf("workspace");

const UNFINISHED = new Set<ToolCallState["state"]>(["preparing", "waiting", "approval", "running"]);

/** Returns true for a call without a result. */
function isUnfinished({ state }: ToolCallState): boolean {
  return UNFINISHED.has(state);
}

let serial = 0;

type Part = RunItem extends infer Item ? (Item extends RunItem ? Omit<Item, "id"> : never) : never;

/** Writes the state of one run. */
export class RunRecorder {
  readonly id = `run-${++serial}`;
  #run: Run;
  #items = 0;
  /** The number of items before the current turn, which are kept if its request is repeated. */
  #turnStart = 0;
  #text: number | null = null;
  #thinking: number | null = null;
  #hasSetup = false;
  /** Edits of the document. */
  #edits = 0;
  /** Writes of files. */
  #writes = 0;
  #begun = performance.now();
  #callsBegun = new Map<string, number>();
  turnIds: string[] = [];

  constructor(
    { prompt, attachments = [] }: { prompt: string; attachments?: readonly AttachedContent[] },
    readonly host: RunHost,
    isPast: boolean,
  ) {
    this.#run = {
      id: this.id,
      prompt,
      attachments,
      items: [],
      isRunning: true,
      isPast,
      canTryAgain: false,
      canEdit: false,
      undo: null,
    };
  }

  get run(): Run {
    return this.#run;
  }

  set(change: Partial<Run>): void {
    this.#run = { ...this.#run, ...change };
  }

  call(toolId: string): ToolCallState | undefined {
    for (const item of this.#run.items) if (item.type === "call" && item.call.toolId === toolId) return item.call;
    return undefined;
  }

  calls(): ToolCallState[] {
    return this.#run.items.flatMap((item) => (item.type === "call" ? [item.call] : []));
  }

  /** Returns the last text of the model. */
  get lastText(): string {
    return this.#run.items.findLast((item) => item.type === "text")?.text ?? "";
  }

  handle(event: AgentEvent): void {
    if (event.type !== "retry") this.#removeRetry();
    switch (event.type) {
      case "turn_start":
        this.turnIds.push(event.turnId);
        this.#addSetup();
        this.#turnStart = this.#run.items.length;
        break;
      case "thinking_start":
        this.#think("");
        break;
      case "thinking":
        this.#think(event.content);
        break;
      case "thinking_end":
        this.#endThinking();
        break;
      case "content":
        this.#say(event.content);
        break;
      case "tool_args":
        this.#prepare(event.toolId, event.toolName, event.partial);
        break;
      case "approval_request":
        this.#wait();
        this.#change(event.toolId, event.toolName, { input: event.toolInput ?? {}, state: "approval" });
        break;
      case "tool_use":
        this.#wait();
        if (!this.#run.isPast) this.#callsBegun.set(event.toolId, performance.now());
        this.#change(event.toolId, event.toolName, { input: event.toolInput ?? {}, state: "running" });
        break;
      case "tool_update":
        if (this.call(event.toolId)) this.updateCall(event.toolId, { progress: event.partial });
        break;
      case "tool_result":
        this.#finish(event);
        break;
      case "doc_update":
        this.#edits++;
        break;
      case "message":
        if (event.message.role === "user") this.#addMessage(textOf(event.message));
        break;
      case "retry":
        this.#discardTurn();
        this.#removeRetry();
        this.#add({ type: "retry", due: performance.now() + event.delayMs, reason: event.reason });
        break;
      case "compaction":
        this.#add({ type: "compaction", before: event.before, after: event.after });
        break;
      case "notice":
        this.#add({ type: "notice", code: event.code, message: event.message });
        break;
      case "complete":
        this.#complete();
        break;
      case "aborted":
        this.#end();
        this.#add({ type: "stopped" });
        break;
      case "error":
        this.fail(event.error, event.code);
    }
  }

  fail(message: string, code: string): void {
    this.#end();
    this.#add({ type: "failure", code, message });
    if (!this.#run.isPast) this.set({ canTryAgain: true });
  }

  /** The page was closed, or the assistant disposed, before the run had ended. */
  interrupt(): void {
    this.#end();
    this.#add({ type: "interrupted" });
    this.set({ canTryAgain: true });
  }

  /** Offers to try again what an earlier page has left as a failure. */
  offerAgain(): void {
    const last = this.#run.items.at(-1);
    if (last?.type === "failure") this.set({ canTryAgain: true });
  }

  /** Continues after a failure; `isPast` if that was in an earlier page as well. */
  resume(isPast = false): void {
    // Names of turns are used again in every page.
    if (this.#run.isPast) this.turnIds = [];
    const items = this.#run.items.filter(({ type }) => type !== "failure" && type !== "interrupted");
    this.set({ items, isPast, isRunning: true, canTryAgain: false, undo: null });
    this.#text = null;
    this.#begun = performance.now();
  }

  /** Changes a call; without an effect if there is no such call. */
  updateCall(toolId: string, change: Partial<ToolCallState>): void {
    const items = this.#run.items.map((item) =>
      item.type === "call" && item.call.toolId === toolId ? { ...item, call: { ...item.call, ...change } } : item,
    );
    this.set({ items });
  }

  #complete(): void {
    const usage = this.#run.isPast ? undefined : this.host.usage(this.turnIds);
    this.#end();
    const time = this.#run.isPast ? {} : { ms: performance.now() - this.#begun };
    this.#add({ type: "end", edits: this.#edits + this.#writes, ...time, ...(usage ? { usage } : {}) });
  }

  #end(): void {
    this.#endThinking();
    for (const call of this.calls()) if (isUnfinished(call)) this.updateCall(call.toolId, { state: "stopped" });
    this.set({ isRunning: false, undo: this.#edits && !this.#run.isPast ? { is: "offered" } : null });
  }

  #add(part: Part): number {
    const id = ++this.#items;
    this.#text = null;
    this.set({ items: [...this.#run.items, { ...part, id } as RunItem] });
    return id;
  }

  #replace(id: number, change: (item: RunItem) => RunItem): void {
    this.set({ items: this.#run.items.map((item) => (item.id === id ? change(item) : item)) });
  }

  #addSetup(): void {
    if (this.#hasSetup) return;
    this.#hasSetup = true;
    const setup = this.host.setup();
    if (setup && (setup.skills.length || setup.servers.length || setup.rules.length))
      this.#add({ type: "setup", setup });
  }

  #say(content: string): void {
    if (this.#text === null) {
      if (!content.trim()) return;
      this.#text = this.#add({ type: "text", text: content });
    } else this.#replace(this.#text, (item) => (item.type === "text" ? { ...item, text: item.text + content } : item));
  }

  #addMessage(text: string): void {
    const later = this.#run.items.filter(({ type }) => type === "user").length;
    this.#add({ type: "user", text, attachments: this.host.attachedLater(later) });
  }

  #think(content: string): void {
    this.#thinking ??= this.#add({ type: "thinking", text: "", isDone: false });
    this.#replace(this.#thinking, (item) => (item.type === "thinking" ? { ...item, text: item.text + content } : item));
  }

  #endThinking(): void {
    if (this.#thinking === null) return;
    this.#replace(this.#thinking, (item) => (item.type === "thinking" ? { ...item, isDone: true } : item));
    this.#thinking = null;
  }

  #prepare(toolId: string, toolName: string, partial: Record<string, unknown> = {}): void {
    const known = this.call(toolId);
    if (known && known.state !== "preparing") return;
    this.#change(toolId, toolName, { input: partial });
  }

  /** A call has begun, so that the answer has come to its end: its other calls wait for their turn. */
  #wait(): void {
    for (const { toolId, state } of this.calls())
      if (state === "preparing") this.updateCall(toolId, { state: "waiting" });
  }

  #change(toolId: string, toolName: string, change: Partial<ToolCallState>): void {
    if (this.call(toolId)) return this.updateCall(toolId, change);
    const call: ToolCallState = {
      toolId,
      toolName,
      input: {},
      state: "preparing",
      images: [],
      titles: this.host.titles(toolId),
      server: this.host.serverTool(toolName),
      hasRange: false,
      pending: [],
      decisions: [],
      isFinal: false,
      ...change,
    };
    this.#add({ type: "call", call });
  }

  #finish({ toolId, toolName, content, isError, images = [] }: Extract<AgentEvent, { type: "tool_result" }>): void {
    const begun = this.#callsBegun.get(toolId);
    const code = isError ? errorOf(content)?.code : undefined;
    const state = !isError ? "done" : code === "rejected" ? "rejected" : code === "not_run" ? "stopped" : "failed";
    const time = begun === undefined ? {} : { ms: performance.now() - begun };
    this.#change(toolId, toolName, { content, images, state, ...time });
    if (!isError && FILE_WRITERS.includes(toolName)) this.#writes++;
  }

  /** Removes the content of the current turn. */
  #discardTurn(): void {
    this.#thinking = this.#text = null;
    this.set({ items: this.#run.items.slice(0, this.#turnStart) });
  }

  #removeRetry(): void {
    if (this.#run.items.some(({ type }) => type === "retry"))
      this.set({ items: this.#run.items.filter(({ type }) => type !== "retry") });
  }
}

/** Returns the text of a message of the user, without its images. */
export function textOf({ content }: UserMessage): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
}

/** Returns the error of a result. */
export function errorOf(content: unknown): { code?: string; message?: string } | undefined {
  const error = content && typeof content === "object" ? (content as Record<string, unknown>).error : undefined;
  if (typeof error === "string") return { message: error };
  const { code, message } = error && typeof error === "object" ? (error as Record<string, unknown>) : {};
  return { ...(typeof code === "string" ? { code } : {}), ...(typeof message === "string" ? { message } : {}) };
}
