/** One run of a route: an agent whose events go to an output. */

import { Agent } from "../agent/agent.js";
import type { Document } from "../document/document.js";
import { reportError } from "../base/error.js";
import { isObject } from "../base/json.js";
import { localeOf } from "../base/locale.js";
import type { AgentOptions } from "../agent/options.js";
import { setReadGate } from "../agent/read-gate.js";
import type {
  AgentEvent,
  AgentTool,
  AssistantMessage,
  Message,
  RunResult,
  ToolCall,
  ToolResultChange,
  ToolResultContext,
} from "../types/index.js";
import { isSameCall } from "./approvals.js";
import type { ClientWriter, EventId } from "./client-writer.js";
import { openCallsIn, type Decision } from "./conversation.js";
import { asRouteError } from "./errors.js";
import type { WrittenRun } from "./formats/format.js";
import type { RunEnd } from "./options.js";
import type { PrivateErrors } from "./private-errors.js";
import { isEnd, isOfCall } from "./run-end.js";
import { OpenCalls } from "./open-calls.js";
import type { LoggedRun, RunState } from "./run-log.js";
import type { OwnLog } from "./lease.js";
import { RunOutput } from "./run-output.js";
import type { RunTelemetry } from "./telemetry.js";
import { onWaiting, type WaitingEvent } from "./waiting.js";

export interface RunInput {
  readonly options: Omit<AgentOptions, "document">;
  readonly document: Document;
  /** The run as writers see it. Its HTML is also that of `get_document`. */
  readonly written: Omit<WrittenRun, "isReplay">;
  /** Absent if the run continues with the calls at the end of the history. */
  readonly message: string | undefined;
  readonly history: Agent["messages"];
  readonly decisions: readonly Decision[];
  /** Replaces what clients may not read. */
  readonly errors: PrivateErrors | undefined;
  readonly keepAlive: number;
  /** The log of events. */
  readonly log: OwnLog | undefined;
  /** The run in the log that continues, and the last event that its client has. */
  readonly earlier: { readonly run: LoggedRun; readonly after: EventId; readonly calls: OpenCalls } | undefined;
  /** The time in milliseconds for which a run with a log continues without a client. */
  readonly resumeWithin: number;
  readonly telemetry: RunTelemetry | undefined;
  /** Returns the signature of a request for approval, if they are signed. */
  readonly sign: ((waiting: WaitingEvent) => Promise<string>) | undefined;
}

/** The end of a run. */
export type EndedRun = Pick<RunEnd, "result" | "waiting">;

/** Events after which a run can continue without running a call twice. */
const isSaved = (event: AgentEvent) => event.type === "turn_end" || isOfCall(event);

export class Run {
  readonly #agent: Agent;
  /** Another instance continues the run. */
  #isLost = false;
  readonly #output: RunOutput;
  readonly #input: RunInput;
  /** Decisions that were not used yet, by the ids of their calls. */
  readonly #decisions: Map<string, Decision>;
  /** The number of clients that have come. */
  #visits = 0;
  #isStopped = false;
  #isFinished = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @throws CopydeskError for settings or a history that an agent refuses. */
  constructor(input: RunInput) {
    const { options, document, written, keepAlive, log, earlier } = input;
    this.#input = input;
    setReadGate(document, () => this.#output.ready());
    try {
      const tools = options.tools?.map((tool) => this.#owned(tool));
      const hooks = { afterToolCall: withSource(options.afterToolCall, () => written.html()) };
      this.#agent = new Agent({ ...options, ...(tools && { tools }), document, ...hooks });
    } finally {
      setReadGate(document, undefined);
    }
    const messages = earlier?.run.state?.messages ?? input.history;
    this.#decisions = decisionsFor(messages, input);
    try {
      if (messages.length) this.#agent.messages = messages;
    } catch (thrown) {
      this.#agent.dispose();
      throw thrown;
    }
    this.#output = new RunOutput(keepAlive, log, earlier?.run.lastSeq ?? -1, {
      gone: () => this.#gone(),
      failed: (reason) => options.logger?.error?.("the log of the run failed", { reason: String(reason) }),
      unwritten: (reason) => report("events could not be written", reason, options.logger),
      stopped: this.stop,
      lost: () => {
        this.#isLost = true;
        if (!this.#isFinished) this.#agent.abort();
      },
    });
  }

  get written(): Omit<WrittenRun, "isReplay"> {
    return this.#input.written;
  }

  /** Returns the stream for a client. Others may be there. */
  attach(request: Request, writer: ClientWriter, isNew = false): ReadableStream<Uint8Array<ArrayBuffer>> {
    clearTimeout(this.#timer);
    this.#visits += 1;
    return this.#output.attach(request, writer, isNew);
  }

  /** True for a run that was stopped, or that another instance continues. */
  get isEnding(): boolean {
    return this.#isStopped || this.#isLost;
  }

  /** Stops the run. It ends with `aborted`. */
  readonly stop = (): void => {
    this.#isStopped = true;
    // The log may have been asked about clients meanwhile.
    if (!this.#isFinished) this.#agent.abort();
  };

  /**
   * Leaves the run to another instance as soon as no call is under way, or at the deadline. A run without a log
   * continues until then, and is stopped.
   */
  async leave(deadline: Promise<void>): Promise<void> {
    const hasLog = this.#output.hasLog;
    await (hasLog ? Promise.race([this.#callsEnded(), deadline]) : deadline);
    if (this.#isFinished) return;
    if (hasLog) await this.#output.release();
    else this.stop();
  }

  /** Resolves when no call is under way. The log has the results then, or gets them next. */
  #callsEnded(): Promise<void> {
    if (this.#agent.state.pendingToolCalls.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const unsubscribe = this.#agent.subscribe(({ type }) => {
        if (type !== "turn_end") return;
        unsubscribe();
        resolve();
      });
    });
  }

  /** Runs to the end, which `atEnd` sees before the stream is closed. Never rejects. */
  async finish(atEnd: (end: EndedRun) => Promise<void>): Promise<void> {
    const { earlier, sign, telemetry } = this.#input;
    telemetry?.begin();
    // The events of a run that continues follow those that its client has.
    const first = earlier ? Math.max(earlier.run.lastSeq, earlier.after.seq) + 1 : 0;
    const goesOn = first > 0;
    let seq = Math.max(first - 1, 0);
    let end: AgentEvent | WaitingEvent | undefined;
    let waiting: readonly string[] = [];
    // A run that ends before it could begin has a beginning, too.
    const endSeq = () => {
      if (seq === 0) this.#write({ type: "agent_start", seq: ++seq });
      return seq + 1;
    };
    if (goesOn) this.#write({ type: "retry", seq: ++seq, attempt: 1, delayMs: 0, ...INTERRUPTED });
    this.#agent.subscribe((event) => {
      if (waiting.length || (goesOn && event.type === "agent_start")) return;
      for (const result of earlier?.calls.answered(this.#agent.messages, () => ++seq) ?? [])
        this.#write(result, this.#state());
      const decision = event.type === "approval_request" && this.#decisions.get(event.toolId);
      if (decision) {
        this.#decisions.delete(decision.toolId);
        return this.#agent.approve(decision.toolId, decision.approved, decision.reason);
      }
      telemetry?.event(event);
      const shown = this.#input.errors?.event(event) ?? event;
      const next = { ...shown, seq: goesOn ? ++seq : (seq = event.seq) };
      // The end is written when the app has seen the end of the run.
      if (isEnd(next)) end = next;
      else if (this.#output.hasLog && isSaved(next)) this.#write(next, this.#state());
      else this.#write(next);
    });
    // The client decides later, perhaps at another instance of the server: its request brings all that is needed.
    const unwatch = onWaiting(this.#agent, (waits) => {
      waiting = waits.approvals;
      end = { ...waits, seq: ++seq };
      this.#agent.abort();
    });
    try {
      const result = this.isEnding ? STOPPED : await this.#start();
      if (sign && end?.type === "waiting") end = { ...end, signature: await sign(end) };
      if (!this.#isLost) await atEnd({ result, waiting });
      end ??=
        result.status === "complete" ? { type: "complete", seq: endSeq(), usage } : { type: "aborted", seq: endSeq() };
    } catch (thrown) {
      const { locale, logger } = this.#input.options;
      const { message: error, code, details } = asRouteError(thrown, localeOf(locale), logger);
      end = { type: "error", seq: end?.seq ?? endSeq(), error, code, details };
    }
    unwatch();
    telemetry?.end(end, this.#isLost);
    try {
      await this.#output.end(end);
    } catch (thrown) {
      report("the end of the run could not be written", thrown, this.#input.options.logger);
    }
    clearTimeout(this.#timer);
    this.#isFinished = true;
    this.#agent.dispose();
  }

  async #start(): Promise<RunResult> {
    const { message, earlier } = this.#input;
    if (!earlier?.run.state) return message === undefined ? this.#agent.continue() : this.#agent.prompt(message);
    // The interruption may have come between the last answer and the end.
    if (isAnswered(earlier.run.state.messages)) return { status: "complete", text: "", usage };
    return this.#agent.continue();
  }

  /** Returns the point from which the run can continue; nothing if the document cannot be read. */
  #state(): RunState | undefined {
    try {
      return { messages: this.#agent.messages, document: this.#input.document.toJSON() };
    } catch (thrown) {
      report("the document of the run could not be read", thrown, this.#input.options.logger);
      return undefined;
    }
  }

  #write(event: AgentEvent, state?: RunState): void {
    this.#output.write(event, state);
  }

  /** The last client has gone: it may come back to a run with a log, or read it at another instance. */
  readonly #gone = (): void => {
    if (!this.#output.hasLog) return this.stop();
    clearTimeout(this.#timer);
    const visits = this.#visits;
    const leave = async () => {
      const isAttended = await this.#output.isAttended();
      // A client may have come back meanwhile.
      if (this.#visits !== visits) return;
      if (isAttended) this.#gone();
      else this.stop();
    };
    this.#timer = setTimeout(() => void leave(), this.#input.resumeWithin);
  };

  /**
   * Returns a tool of the app whose calls start when the log has the answer that contains them, at the owner of the run
   * alone: an instance that continues the run knows that they may have run.
   */
  #owned(tool: AgentTool): AgentTool {
    const { log, telemetry } = this.#input;
    if (!log && !telemetry) return tool;
    return {
      ...tool,
      execute: async (id, ...given) => {
        if (!(await this.#output.isOwned())) throw new Error("Another instance of the server goes on with this run.");
        const execute = () => tool.execute(id, ...given);
        return telemetry ? telemetry.inTool(id, execute) : execute();
      },
    };
  }
}

const INTERRUPTED = {
  reason: "stream_cut",
  message: "The run was interrupted and goes on.",
  interrupted: true,
} as const;
const usage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  totalTokens: 0,
};
const STOPPED: RunResult = { status: "aborted", text: "", usage };

/** Reports what ends no run. */
function report(what: string, thrown: unknown, logger: AgentOptions["logger"]): void {
  if (logger?.error) logger.error(what, { reason: String(thrown) });
  else reportError(thrown);
}

/** Returns the decisions of a request about the calls with which its run continues. Another run may have other ones. */
function decisionsFor(messages: readonly Message[], { history, decisions }: RunInput): Map<string, Decision> {
  const [open, asked] = [openCallsIn(messages).calls, openCallsIn(history).calls];
  const isOpen = (one: ToolCall) => open.some((other) => isSameCall(one, other));
  const ids = new Set(asked.filter(isOpen).map(({ id }) => id));
  return new Map(decisions.filter(({ toolId }) => ids.has(toolId)).map((decision) => [decision.toolId, decision]));
}

function isAnswered(messages: Message[]): boolean {
  const last = messages.findLast(({ role }) => ["user", "assistant", "toolResult"].includes(role));
  return last?.role === "assistant" && (last as AssistantMessage).content.every(({ type }) => type !== "toolCall");
}

type AfterToolCall = NonNullable<AgentOptions["afterToolCall"]>;

/** Shows the model the source of the document as `rawHtml`. The app's hook sees the result with it. */
function withSource(hook: AfterToolCall | undefined, html: () => string | undefined): AfterToolCall {
  return async (context, signal) => {
    const { toolCall, isError, result } = context;
    let change: ToolResultChange | undefined;
    if (toolCall.name === "get_document" && !isError && isObject(result) && "rawHtml" in result) {
      change = { content: { ...result, rawHtml: html() } };
      const withRaw = { value: change.content, enumerable: true };
      context = Object.defineProperty(context, "result", withRaw) as ToolResultContext;
    }
    const changed = await hook?.(context, signal);
    return changed ? { ...change, ...changed } : change;
  };
}
