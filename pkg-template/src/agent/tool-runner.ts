/** Calls of built-in tools from a loop that is not the agent's. */

import { Agent } from "./agent.js";
import { guarded } from "../document/calls.js";
import { Document, handleOf } from "../document/document.js";
import type { AgentEvent, FetchLike, Guards, Locale, Message, Services } from "../types/index.js";

/** A built-in tool. */
export interface BuiltInTool {
  /** The tool as a model is told it; `parameters` is a JSON Schema. */
  readonly spec: { name: string; description: string; parameters: object };
  /** True if its calls may change the document. */
  readonly edits: boolean;
  /** True if its results come from outside of the document. */
  readonly external: boolean;
}

export interface ToolRunnerOptions {
  /** Limits of the calls, besides those of the document. */
  readonly guards?: Guards | undefined;
  readonly services?: Services;
  readonly locale: Locale;
  readonly fetch?: FetchLike;
  readonly emit?: (event: AgentEvent) => void;
  /** The time in milliseconds after the first call of an answer in which further ones belong to it. Default: 0. */
  readonly gather?: number;
}

/** A result as a model reads it. */
export interface ToolOutcome {
  readonly text: string;
  /** The result, or `{error}`. */
  readonly details: unknown;
  readonly isError: boolean;
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly signal: AbortSignal | undefined;
  readonly onUpdate: ((partial: unknown) => void) | undefined;
  readonly resolve: (outcome: ToolOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Events of calls. The others are those of a run, which the other loop has itself. */
const OF_CALLS = new Set<AgentEvent["type"]>(["tool_use", "tool_update", "doc_update", "tool_result"]);

/** A run takes as many answers as there are; the limit is for models that never come to an end. */
const NO_LIMIT = 1_000_000;

/** The host of a runner's model, which no request reaches. Each has its own, because requests to a host are limited. */
let runners = 0;

/**
 * Runs calls in an agent whose model is the other loop: calls that are made together are an answer, and the request
 * that follows has the results as a model is shown them. So arguments are checked, line numbers are those that were
 * shown, strangers' text is fenced, and long results are paged, all as in a run.
 *
 * Calls that are made while others run count as the document was shown before these, whose results their caller has not
 * read: the results are held back until no call waits.
 */
export class ToolRunner {
  /** The built-in tools, in the order in which a model is told them. */
  readonly tools: readonly BuiltInTool[];
  readonly #agent: Agent;
  readonly #fetch: FetchLike;
  readonly #baseUrl = `https://loop-${++runners}.invalid`;
  readonly #options: ToolRunnerOptions;
  #waiting: Call[] = [];
  /** The calls of the next answer. */
  #next: Call[] = [];
  /** The calls that have begun and have no result yet. */
  #running: Call[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The run under way. */
  #run: Promise<void> | undefined;
  #seq = 0;

  constructor(document: Document, options: ToolRunnerOptions) {
    const { services, locale, guards } = options;
    this.#options = options;
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    const target = Document.forAgent(document, guards);
    this.tools = guarded(() => handleOf(target).toolSpecs(locale));
    this.#agent = new Agent({
      document: target,
      llmConfig: {
        // The conversation is the other loop's: nothing is summarised here.
        model: { api: "openai-completions", modelId: "loop", contextWindow: 1_000_000_000 },
        streamOptions: { baseUrl: this.#baseUrl },
      },
      locale,
      ...(services && { services }),
      systemPrompt: "",
      documentInPrompt: false,
      maxTurns: NO_LIMIT,
      maxRepeats: NO_LIMIT,
      fetch: (url, init) => (url.startsWith(this.#baseUrl) ? this.#answer(init) : this.#fetch(url, init)),
      transformContext: (messages) => this.#toSend(messages),
    });
    this.#agent.subscribe((event) => this.#report(event));
  }

  /** Runs a call. Rejects only if it is aborted, or copydesk fails. */
  run(
    id: string,
    name: string,
    args: unknown,
    signal?: AbortSignal | undefined,
    onUpdate?: ((partial: unknown) => void) | undefined,
  ): Promise<ToolOutcome> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const isTaken = [...this.#waiting, ...this.#running].some((call) => call.id === id);
      const call = { id: isTaken ? `${id}-${this.#seq}` : id, name, args, signal, onUpdate, resolve, reject };
      this.#waiting.push(call);
      signal?.addEventListener("abort", () => this.#abort(call), { once: true });
      this.#schedule();
    });
  }

  dispose(): void {
    this.#agent.dispose();
  }

  /** Stops the calls: those that have begun resolve to a result that states whether they ran, the others reject with
   * `reason`. Then releases memory; no further call can be made. */
  async stop(reason: unknown): Promise<void> {
    for (const { reject } of this.#waiting) reject(reason);
    this.#waiting = [];
    this.#agent.abort();
    await this.#run;
    this.dispose();
  }

  /** Waits for the other calls of the same answer. */
  #schedule(): void {
    if (this.#run || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#waiting.length) this.#run = this.#runAll();
    }, this.#options.gather ?? 0);
  }

  async #runAll(): Promise<void> {
    await this.#runWaiting();
    this.#run = undefined;
    if (this.#waiting.length) this.#schedule();
  }

  async #runWaiting(): Promise<void> {
    this.#running = [...this.#waiting];
    let failure: unknown = new DOMException("The call was stopped.", "AbortError");
    try {
      const { error } = await this.#agent.prompt("calls");
      if (error) failure = Object.assign(new Error(error.message), { code: error.code });
      if (this.#running.length) this.#settleStopped(this.#agent.messages);
    } catch (thrown) {
      failure = thrown;
    }
    for (const { reject } of this.#running) reject(failure);
    this.#running = [];
  }

  /** Settles the calls of a run that was stopped before their results were sent. */
  #settleStopped(messages: Message[]): void {
    for (const { id, resolve } of this.#running) {
      const result = messages.findLast((message) => message.role === "toolResult" && message.toolCallId === id);
      // Only a request has strangers' text between its marks.
      if (result?.role === "toolResult" && !result.untrusted) resolve(outcomeOf(result));
    }
  }

  #abort(call: Call): void {
    call.reject(call.signal?.reason);
    this.#waiting = this.#waiting.filter((other) => other !== call);
    // The agent stops all calls of an answer or none.
    if (this.#running.includes(call) && this.#running.every(({ signal }) => signal?.aborted)) this.#agent.abort();
  }

  /** Takes the calls of the next answer. Returns the messages of the request for it: without the results, if calls were
   * made that do not know them. Earlier results were sent when their calls were answered. */
  #toSend(messages: Message[]): Message[] {
    this.#next = this.#waiting;
    this.#waiting = [];
    this.#running.push(...this.#next.filter((call) => !this.#running.includes(call)));
    const start = lastPrompt(messages);
    return messages.slice(start, this.#next.length ? start + 1 : undefined);
  }

  /** Answers in place of a model: with the calls or, when it has the results of all, with nothing more. */
  async #answer(init: RequestInit | undefined): Promise<Response> {
    if (!this.#next.length) {
      this.#settle(JSON.parse(String(init?.body)) as { messages: SentMessage[] });
      return stream({ content: "" }, "stop");
    }
    const calls = this.#next.map(({ id, name, args }, index) => ({
      index,
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(args ?? {}) },
    }));
    return stream({ tool_calls: calls }, "tool_calls");
  }

  readonly #results = new Map<string, { content: unknown; isError: boolean }>();

  #settle({ messages }: { messages: SentMessage[] }): void {
    for (const { role, tool_call_id: id, content } of messages) {
      const call = role === "tool" && this.#running.find((one) => one.id === id);
      const result = this.#results.get(id ?? "");
      if (call && result) call.resolve({ text: String(content), details: result.content, isError: result.isError });
    }
    this.#running = this.#running.filter(({ id }) => !this.#results.has(id));
    this.#results.clear();
  }

  #report(event: AgentEvent): void {
    if (event.type === "tool_result") this.#results.set(event.toolId, event);
    if (event.type === "tool_update") this.#running.find(({ id }) => id === event.toolId)?.onUpdate?.(event.partial);
    if (OF_CALLS.has(event.type)) this.#options.emit?.({ ...event, seq: this.#seq++ });
  }
}

interface SentMessage {
  role: string;
  content: unknown;
  tool_call_id?: string;
}

/** Returns the result of a call that was not sent. */
function outcomeOf({ content, isError }: { content: unknown; isError: boolean }): ToolOutcome {
  return { text: typeof content === "string" ? content : JSON.stringify(content), details: content, isError };
}

function stream(delta: object, reason: string): Response {
  const chunk = JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] });
  return new Response(`data: ${chunk}\n\ndata: [DONE]\n\n`, { headers: { "content-type": "text/event-stream" } });
}

function lastPrompt(messages: Message[]): number {
  return messages.findLastIndex(({ role }) => role === "user");
}
