/** The page's side of an agent in a worker. */

import type { AppCallbacks } from "../agent/app-callbacks.js";
import { addedMessages } from "../languages/languages.js";
import { guarded } from "../document/calls.js";
import { handleOf, onGuards } from "../document/document.js";
import { inThisThread, type Engine, type EngineParts } from "../agent/engine.js";
import { CopydeskError } from "../base/error.js";
import { jsonOf } from "../base/json.js";
import { previewListenerOf, type PreviewTarget } from "../agent/preview-channel.js";
import type { AgentEvent, ErrorInfo, Ledger, Message, RunResult, Usage } from "../types/index.js";
import type { DocumentSource } from "../wasm/page/copydesk.js";
import { AppCalls } from "./app-calls.js";
import { grown } from "./growth.js";
import { Inbox } from "./inbox.js";
import type { FromWorker, Item, Method, Snapshot, Start, Target, ToWorker } from "./messages.js";
import { ofPage } from "./page-urls.js";
import { workerError, WorkerWatch } from "./worker-watch.js";
import { workerWords } from "./words.js";

/** A run under way. */
interface Run {
  resolve: (result: RunResult) => void;
  reject: (thrown: unknown) => void;
}

const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  totalTokens: 0,
};

/**
 * Runs an agent in a worker. The page keeps the document and the functions of the app, and a copy of the agent's state,
 * which changes with each event before the listeners see it.
 */
export class RemoteEngine implements Engine {
  readonly #port: MessagePort;
  readonly #inbox: Inbox<FromWorker>;
  readonly #watch: WorkerWatch;
  readonly #document: DocumentSource;
  readonly #app: AppCallbacks;
  readonly #calls: AppCalls;
  readonly #report: (event: AgentEvent) => void;
  readonly #stopGuards: () => void;
  /** An agent of this thread that never runs: it finds invalid settings and messages at once. */
  readonly #validator: Engine;
  readonly #locale: string | undefined;
  #runs = new Map<number, Run>();
  #lastRun = 0;
  #seq = 0;
  #state: Omit<Snapshot, "messages" | "ledger" | "usage">;
  #messages: Message[] = [];
  #usage: Usage;
  #ledger: Ledger;
  /** The arguments of unfinished calls. */
  #arguments = new Map<string, unknown>();
  readonly #targets = new Map<string, Target>();
  /** The calls that could not be shown, because the document had changed. */
  readonly #outdated = new Set<string>();
  readonly #redraw: (toolId: string) => void;
  /** The messages of a prompt until its first turn: from then on the worker has told that it has them. */
  #prompted = "[]";
  /** The calls whose edits were made and whose results have not arrived. */
  #edited = new Map<string, string>();
  /** The calls that were decided, which the worker may not know yet. */
  readonly #decided = new Set<string>();
  /** True after the run was stopped: the document is not changed for it any more. */
  #isStopped = false;
  #isDisposed = false;
  #failure: ErrorInfo | undefined;

  constructor(worker: Worker, parts: EngineParts, loadTimeout: number) {
    const { document, settings, fetch, app, report } = parts;
    this.#validator = inThisThread({ ...parts, record: false, report: () => {} });
    this.#app = app;
    this.#report = report;
    this.#locale = (settings as { locale?: string }).locale;
    this.#state = this.#validator.state as Snapshot;
    this.#usage = this.#validator.usage as Usage;
    this.#ledger = this.#validator.ledger as Ledger;
    this.#document = guarded((wasm) => new wasm.DocumentSource(handleOf(document)));
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#calls = new AppCalls(app, fetch, (message) => this.#post(message));
    this.#inbox = new Inbox(
      (message) => this.#receive(message),
      (item) => this.#take(item),
      () => this.#post({ type: "shown" }),
    );
    port1.onmessage = ({ data }) => this.#inbox.add(data as FromWorker);
    port1.onmessageerror = () => this.#lose("worker_stopped", "a message could not be read");
    this.#watch = new WorkerWatch(worker, loadTimeout, (code, reason) => this.#lose(code, reason));
    this.#redraw = (toolId) => {
      const event = { seq: this.#seq, type: "tool_args", toolId, toolName: "", partial: {} } as const;
      previewListenerOf(document)?.(event, (id) => this.preview(id));
    };
    this.#stopGuards = onGuards(document, () => this.#update());
    const start: Start = {
      copydesk: "agent",
      port: port2,
      lock: this.#watch.lock,
      document: guarded(() => this.#document.begin()),
      settings: ofPage(settings),
      languages: addedMessages(),
      logger: app.has("logger"),
      workspace: app.has("workspace"),
      fetch: !!fetch,
      preview: !!previewListenerOf(document),
    };
    worker.postMessage(start, [port2]);
  }

  prompt(messages: Message[], options: { scope?: unknown } | undefined): Promise<RunResult> {
    // Fails for messages that the wasm cannot read.
    this.#validator.queue(messages, false);
    this.#validator.clearQueues();
    return this.#run(messages, options);
  }

  continueRun(options: { scope?: unknown } | undefined): Promise<RunResult> {
    return this.#run(undefined, options);
  }

  queue(messages: Message[], isFollowUp: boolean): void {
    this.#validator.queue(messages, isFollowUp);
    this.#validator.clearQueues();
    this.#do("queue", JSON.parse(jsonOf(messages, "messages")), isFollowUp);
  }

  clearQueues(): void {
    this.#do("clearQueues");
  }

  approve(toolId: string, approved: boolean, reason: string): void {
    // Of an agent of this thread no call waits.
    if (!this.#state.waitingForApproval.includes(toolId)) return this.#validator.approve(toolId, approved, reason);
    this.#state.waitingForApproval = this.#state.waitingForApproval.filter((id) => id !== toolId);
    this.#decided.add(toolId);
    this.#do("approve", toolId, approved, reason);
  }

  abort(): void {
    this.#isStopped = this.#runs.size > 0;
    this.#do("abort");
  }

  configure(settings: object): void {
    this.#validator.configure(settings);
    this.#do("configure", ofPage(settings));
  }

  notice(code: string, message: string): void {
    this.#do("notice", code, message);
  }

  setTools(tools: unknown): void {
    this.#validator.setTools(tools);
    this.#do("setTools", tools);
  }

  setMessages(messages: Message[]): void {
    if (this.#state.isStreaming) throw busy(this.#locale);
    this.#validator.setMessages(messages);
    this.#messages = this.#validator.messages as Message[];
    this.#do("setMessages", this.#messages);
  }

  get messages(): Message[] {
    return structuredClone(this.#messages);
  }

  get state(): Snapshot {
    return structuredClone(this.#state) as Snapshot;
  }

  get isRunning(): boolean {
    return this.#state.isStreaming;
  }

  get usage(): Usage {
    return { ...this.#usage };
  }

  get ledger(): Ledger {
    return structuredClone(this.#ledger);
  }

  get recording(): string {
    return this.#validator.recording;
  }

  /** Returns where an unfinished call will write. Null while the document has changed since the worker knew it. */
  preview(toolId: string): PreviewTarget | null {
    const known = this.#targets.get(toolId);
    if (!known?.target) return null;
    if (!this.#document.isCurrent(known.revision)) {
      this.#outdated.add(toolId);
      this.#update();
      return null;
    }
    const { from, to, ...rest } = known.target;
    return { ...rest, from: this.#document.inEditor(from), to: this.#document.inEditor(to) };
  }

  free(): void {
    this.#isDisposed = true;
    this.#post({ type: "dispose" });
    if (!this.#runs.size) this.#close();
    else if (!this.#watch.canSeeTheEnd) this.#abandon();
  }

  /** Ends the run without waiting for the worker, which may be gone. */
  #abandon(): void {
    this.#emit({ type: "aborted" });
    for (const run of this.#runs.values()) run.resolve({ status: "aborted", text: "", usage: { ...NO_USAGE } });
    this.#runs.clear();
    this.#close();
  }

  #run(messages: Message[] | undefined, options: { scope?: unknown } | undefined): Promise<RunResult> {
    if (this.#failure) return this.#failedRun(messages ?? [], this.#failure);
    const isFirst = this.#runs.size === 0;
    const id = ++this.#lastRun;
    const hooks = this.#calls.begin();
    // At once, so that the run begins with the current document, scope and settings.
    const update = guarded(() => this.#document.update());
    const text = messages && jsonOf(messages, "messages");
    this.#post({ type: "run", id, messages: text, options: this.#inDocument(options), hooks, update });
    if (isFirst) {
      this.#isStopped = false;
      this.#decided.clear();
      this.#state.isStreaming = true;
      this.#prompted = text ?? "[]";
      this.#watch.wait();
    }
    return new Promise((resolve, reject) => this.#runs.set(id, { resolve, reject }));
  }

  /** Returns the options with the scope as a range of the document with its proposals. */
  #inDocument(options: { scope?: unknown } | undefined): unknown {
    const { from, to } = (options?.scope ?? {}) as { from?: unknown; to?: unknown };
    const isRange = Number.isInteger(from) && Number.isInteger(to) && Number(from) >= 0 && Number(to) >= Number(from);
    if (!isRange) return options;
    const [start, end] = this.#document.inDocument(Number(from), Number(to));
    return { ...options, scope: { from: start, to: end } };
  }

  /** The run of an agent whose worker is gone. */
  async #failedRun(messages: Message[], failure: ErrorInfo): Promise<RunResult> {
    await null;
    this.#messages.push(...(JSON.parse(jsonOf(messages, "messages")) as Message[]));
    this.#emit({ type: "agent_start" });
    return this.#end(failure);
  }

  /** Reports the end of a run by an error. */
  #end({ code, message, details }: ErrorInfo): RunResult {
    Object.assign(this.#state, {
      isStreaming: false,
      streamingText: null,
      pendingToolCalls: [],
      waitingForApproval: [],
      errorMessage: message,
    });
    this.#emit({ type: "error", error: message, code, details });
    return { status: "error", text: "", usage: { ...NO_USAGE }, error: { code, message, details } };
  }

  #emit(event: object): void {
    this.#report({ seq: ++this.#seq, ...event } as AgentEvent);
  }

  #do(method: Method, ...args: unknown[]): void {
    this.#post({ type: "do", method, args });
  }

  #post(message: ToWorker, transfer: Transferable[] = []): void {
    if (!this.#failure) this.#port.postMessage(message, transfer);
  }

  /** Tells the worker what has changed in the document. */
  #update(): void {
    if (this.#isDisposed) return;
    const update = guarded(() => this.#document.update());
    if (update) this.#post({ type: "update", update });
  }

  #receive(message: FromWorker): void {
    if (this.#failure) return;
    switch (message.type) {
      case "ready":
        return this.#watch.ready();
      case "failed":
        return this.#fail(message.error);
      case "events":
        return this.#aim(message.targets);
      case "ended":
        return this.#ended(message);
      case "ask":
        return this.#answer(message.id, message.question);
      case "call":
        // A stopped run starts no tool. Its call ends without a result.
        if (this.#isStopped && (message.call.kind === "tool" || message.call.kind === "workspace")) return;
        if (message.state) this.#set(message.state);
        return this.#calls.run(message.id, message.call);
      case "cancel":
        return this.#calls.cancel(message.id);
      case "log":
        return this.#app.log(message.level, message.message, message.fields);
    }
  }

  /** Takes in where unfinished calls will write. */
  #aim(targets: Target[]): void {
    for (const target of targets) {
      this.#targets.set(target.toolId, target);
      // After a change of the document a target comes without an event.
      if (this.#outdated.delete(target.toolId)) this.#redraw(target.toolId);
    }
  }

  #take(item: Item): void {
    if (this.#failure) return;
    const { event } = item;
    this.#seq = event.seq;
    switch (event.type) {
      case "content":
        this.#state.streamingText = (this.#state.streamingText ?? "") + event.content;
        break;
      case "tool_args":
        if (event.delta !== undefined) break;
        event.partial = grown(this.#arguments.get(event.toolId), item.grown) as typeof event.partial;
        this.#arguments.set(event.toolId, event.partial);
        break;
      case "doc_update":
        this.#edited.delete(event.toolId);
        break;
      case "turn_start":
      case "retry":
        this.#arguments.clear();
        this.#targets.clear();
        this.#outdated.clear();
    }
    if (event.type === "turn_start") this.#prompted = "[]";
    if (item.state) this.#set(item.state);
    this.#report(event);
  }

  #set({ messages, ledger, usage, ...state }: Snapshot): void {
    const waitingForApproval = state.waitingForApproval.filter((id) => !this.#decided.has(id));
    this.#state = { ...state, waitingForApproval };
    this.#usage = usage;
    if (ledger) this.#ledger = ledger;
    if (messages) this.#messages.splice(messages.from, Infinity, ...messages.rest);
  }

  #ended({ id, result, state }: Extract<FromWorker, { type: "ended" }>): void {
    const run = this.#runs.get(id);
    this.#runs.delete(id);
    this.#set(state);
    // A prompt while another run is under way fails, and that run continues.
    if ("status" in result) run?.resolve(result);
    else run?.reject(new CopydeskError(result));
    if (this.#isDisposed && !this.#runs.size) this.#close();
  }

  #answer(id: number, question: string): void {
    const { request } = JSON.parse(question) as { request: string | Record<string, { origin?: { toolId?: string } }> };
    const isRead = typeof request === "string" || "Decided" in request;
    // The run was stopped while its call asked: the call ends without an answer.
    if ((this.#isStopped || this.#isDisposed) && !isRead) return;
    const [update, answer] = guarded(() => this.#document.answer(question)) as [string | undefined, string];
    const toolId = isRead ? undefined : request["Commit"]?.origin?.toolId;
    if (toolId && answer === '"Done"') this.#edited.set(toolId, answer);
    this.#post({ type: "answer", id, update, answer });
  }

  #lose(code: "worker_load" | "worker_stopped", reason: string): void {
    // What has arrived from the worker comes first.
    this.#inbox.afterAll(() => this.#fail(workerError(code, reason, this.#locale)));
  }

  #fail(failure: ErrorInfo): void {
    if (this.#failure) return;
    this.#failure = failure;
    this.#messages.push(...(JSON.parse(this.#prompted) as Message[]));
    this.#keepResults();
    const runs = [...this.#runs.values()];
    this.#runs.clear();
    this.#close();
    if (!runs.length) return;
    const result = this.#end(failure);
    for (const run of runs) run.resolve(result);
  }

  /**
   * Adds results for calls whose edits were made before the worker was lost. Without them another agent that continues
   * the conversation would edit again.
   */
  #keepResults(): void {
    const calls = this.#messages.flatMap((message) => (message.role === "assistant" ? message.content : []));
    for (const toolCallId of this.#edited.keys()) {
      const call = calls.find((part) => part.type === "toolCall" && part.id === toolCallId);
      if (call?.type !== "toolCall") continue;
      const content = { success: true, message: "The edit was made. Its details were lost." };
      this.#messages.push({ role: "toolResult", toolCallId, toolName: call.name, content, isError: false });
    }
    this.#edited.clear();
  }

  #close(): void {
    this.#watch.end();
    this.#calls.end();
    this.#stopGuards();
    this.#inbox.end();
    this.#port.close();
    if (!this.#isDisposed) return;
    this.#validator.free();
    this.#document.free();
  }
}

function busy(locale: string | undefined): CopydeskError {
  return new CopydeskError({ code: "busy", message: workerWords(locale).busy, details: {} });
}
