/** Calls of built-in tools from a loop that is not the agent's. */

import { Agent } from "../agent.js";
import type { Document } from "../document.js";
import type { AgentEvent, FetchLike, Locale, Message, Services } from "../types.js";

export interface ToolRunnerOptions {
  readonly services?: Services;
  readonly locale: Locale;
  readonly fetch?: FetchLike;
  readonly emit?: (event: AgentEvent) => void;
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

/** The host of a runner's model, which no request reaches. Each has its own, because requests to a host are limited. */
let runners = 0;

/**
 * Runs calls in an agent whose model is the other loop: the calls of one task are one answer, and the request that
 * follows has the results as a model is shown them. So arguments are checked, line numbers are those that were shown,
 * strangers' text is fenced, and long results are paged, all as in a run.
 */
export class ToolRunner {
  readonly #agent: Agent;
  readonly #fetch: FetchLike;
  readonly #baseUrl = `https://loop-${++runners}.invalid`;
  readonly #options: ToolRunnerOptions;
  #waiting: Call[] = [];
  #running: Call[] = [];
  #isScheduled = false;
  #seq = 0;
  #isAnswered = false;

  constructor(document: Document, options: ToolRunnerOptions) {
    const { services, locale } = options;
    this.#options = options;
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    this.#agent = new Agent({
      document,
      llmConfig: {
        // The conversation is the other loop's: nothing is summarised here.
        model: { api: "openai-completions", modelId: "loop", contextWindow: 1_000_000_000 },
        streamOptions: { baseUrl: this.#baseUrl },
      },
      locale,
      ...(services && { services }),
      systemPrompt: "",
      documentInPrompt: false,
      maxRepeats: 1_000_000,
      fetch: (url, init) => (url.startsWith(this.#baseUrl) ? this.#answer(init) : this.#fetch(url, init)),
      // Earlier results were shown when their calls were answered.
      transformContext: (messages) => messages.slice(lastPrompt(messages)),
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

  /** Waits for the other calls of the same answer. */
  #schedule(): void {
    if (this.#isScheduled || this.#running.length) return;
    this.#isScheduled = true;
    setTimeout(() => {
      this.#isScheduled = false;
      void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#running = this.#waiting;
    this.#waiting = [];
    if (!this.#running.length) return;
    this.#isAnswered = false;
    let failure: unknown;
    try {
      const { error } = await this.#agent.prompt("calls");
      failure = error && Object.assign(new Error(error.message), { code: error.code });
    } catch (thrown) {
      failure = thrown;
    }
    // Those that have their result are settled.
    for (const { reject } of this.#running) reject(failure ?? new DOMException("The call was stopped.", "AbortError"));
    this.#running = [];
    if (this.#waiting.length) this.#schedule();
  }

  #abort(call: Call): void {
    call.reject(call.signal?.reason);
    this.#waiting = this.#waiting.filter((other) => other !== call);
    // The agent stops all calls of an answer or none.
    if (this.#running.includes(call) && this.#running.every(({ signal }) => signal?.aborted)) this.#agent.abort();
  }

  /** Answers in place of a model: first with the calls, then, when it has their results, with nothing more. */
  async #answer(init: RequestInit | undefined): Promise<Response> {
    if (this.#isAnswered) {
      this.#settle(JSON.parse(String(init?.body)) as { messages: SentMessage[] });
      return stream({ content: "" }, "stop");
    }
    this.#isAnswered = true;
    const calls = this.#running.map(({ id, name, args }, index) => ({
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

function stream(delta: object, reason: string): Response {
  const chunk = JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] });
  return new Response(`data: ${chunk}\n\ndata: [DONE]\n\n`, { headers: { "content-type": "text/event-stream" } });
}

function lastPrompt(messages: Message[]): number {
  return messages.findLastIndex(({ role }) => role === "user");
}
