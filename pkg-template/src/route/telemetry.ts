/** Metrics and traces of runs, by the API of OpenTelemetry and the names of its conventions for generative AI. */

import { isObject } from "../base/json.js";
import type { AgentEvent, LlmConfig, Usage } from "../types/index.js";
import { wireFormats } from "../agent/wire-formats.js";
import { isEnd } from "./run-end.js";
import type { WaitingEvent } from "./waiting.js";

type Attributes = Record<string, string | number | boolean>;

interface Histogram {
  record(value: number, attributes?: Attributes): void;
}

interface Counter {
  add(value: number, attributes?: Attributes): void;
}

interface Meter {
  createHistogram(name: string, options?: object): Histogram;
  createCounter(name: string, options?: object): Counter;
  createUpDownCounter(name: string, options?: object): Counter;
}

interface Span {
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { code: number }): unknown;
  end(at?: number): void;
}

interface Tracer {
  startSpan(name: string, options?: object, context?: any): Span;
}

/** The part of the package `@opentelemetry/api` that a route uses. */
export interface OpenTelemetryApi {
  metrics: { getMeter(name: string): Meter };
  trace: { getTracer(name: string): Tracer; setSpan(context: any, span: any): any };
  context: { active(): any; with(context: any, run: () => any): any };
}

/** Facts about a run. */
export interface TracedRun {
  readonly llmConfig: LlmConfig;
  /** True for the route's own model. Names that clients choose are not in metrics: each would be a series. */
  readonly isOwnModel: boolean;
  readonly id: string | undefined;
  readonly thread: string | undefined;
  /** The time of the request, by `performance.now()`. */
  readonly arrived: number;
}

const NAME = "copydesk";
/** `SpanKind` and `SpanStatusCode` of the API, which is not imported. */
const [INTERNAL, CLIENT] = [0, 2];
const ERROR = 2;

const doubling = (first: number, count: number) => Array.from({ length: count }, (_, at) => first * 2 ** at);

/** The instruments of a route. */
export class Telemetry {
  readonly api: OpenTelemetryApi;
  readonly tracer: Tracer;
  readonly active: Counter;
  readonly run: Histogram;
  readonly firstEvent: Histogram;
  readonly turns: Histogram;
  readonly requests: Histogram;
  readonly calls: Histogram;
  readonly request: Histogram;
  readonly firstChunk: Histogram;
  readonly tool: Histogram;
  readonly tokens: readonly (readonly [Counter, keyof Usage])[];

  constructor(api: OpenTelemetryApi) {
    this.api = api;
    this.tracer = api.trace.getTracer(NAME);
    const meter = api.metrics.getMeter(NAME);
    const histogram = (name: string, unit: string, buckets: readonly number[], description: string) =>
      meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: buckets } });
    const seconds = doubling(0.01, 14);
    const counts = doubling(1, 8);
    this.active = meter.createUpDownCounter("copydesk.run.active", { unit: "{run}", description: "Runs under way." });
    this.run = histogram("gen_ai.invoke_agent.duration", "s", doubling(0.1, 13), "Duration of a run.");
    this.firstEvent = histogram(
      "copydesk.run.time_to_first_event",
      "s",
      seconds,
      "Time from a request to its first event.",
    );
    this.turns = histogram("copydesk.run.turns", "{turn}", counts, "Turns of a run.");
    this.requests = histogram(
      "gen_ai.invoke_agent.inference_calls",
      "{inference_call}",
      counts,
      "Requests to the model of a run.",
    );
    this.calls = histogram("gen_ai.invoke_agent.tool_calls", "{tool_call}", counts, "Tool calls of a run.");
    this.request = histogram("gen_ai.client.inference.duration", "s", seconds, "Duration of a request to the model.");
    this.firstChunk = histogram(
      "gen_ai.client.inference.time_to_first_chunk",
      "s",
      seconds,
      "Time to the first part of an answer.",
    );
    this.tool = histogram("gen_ai.execute_tool.duration", "s", seconds, "Duration of a tool call.");
    const tokens = (kind: string) => meter.createCounter(`gen_ai.client.inference.usage.${kind}`, { unit: "{token}" });
    this.tokens = [
      [tokens("input_tokens"), "inputTokens"],
      [tokens("output_tokens"), "outputTokens"],
      [tokens("cache_read.input_tokens"), "cachedTokens"],
      [tokens("cache_write.input_tokens"), "cacheWriteTokens"],
      [tokens("reasoning.output_tokens"), "reasoningTokens"],
    ];
  }
}

/** Something that has begun. */
interface Begun {
  readonly span: Span;
  /** By `performance.now()`. */
  readonly at: number;
}

/** The metrics and traces of one run, without its texts and arguments. */
export class RunTelemetry {
  readonly #of: Telemetry;
  readonly #arrived: number;
  /** The attributes of metrics and of spans about the model. */
  readonly #series: Attributes;
  readonly #model: Attributes;
  readonly #modelId: string;
  readonly #ids: Attributes;
  #run: Begun | undefined;
  /** The context of the request, and then that of the run. */
  #context: unknown;
  readonly #tools = new Map<string, Begun & { readonly name: string }>();
  #request: Begun | undefined;
  #firstChunk: number | undefined;
  #hasEvent = false;
  #counts = { turns: 0, requests: 0, calls: 0 };
  readonly #usage: Attributes = {};

  constructor(telemetry: Telemetry, { llmConfig, isOwnModel, id, thread, arrived }: TracedRun) {
    this.#of = telemetry;
    this.#arrived = arrived;
    const { model, streamOptions } = llmConfig;
    const { hostname, port, protocol } = new URL(streamOptions.baseUrl);
    const provider = { "gen_ai.provider.name": wireFormats[model.api]?.provider };
    const server = { "server.address": hostname, "server.port": Number(port) || (protocol === "http:" ? 80 : 443) };
    this.#modelId = model.modelId;
    this.#model = { ...provider, "gen_ai.request.model": model.modelId, ...server };
    this.#series = isOwnModel ? this.#model : provider;
    const ids = { "copydesk.run.id": id, "gen_ai.conversation.id": thread };
    this.#ids = Object.fromEntries(Object.entries(ids).filter(([, value]) => value !== undefined)) as Attributes;
    this.#context = telemetry.api.context.active();
  }

  begin(): void {
    const { api, tracer, active } = this.#of;
    const attributes = {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": NAME,
      ...this.#model,
      ...this.#ids,
    };
    const span = tracer.startSpan(`invoke_agent ${NAME}`, { kind: INTERNAL, attributes }, this.#context);
    this.#run = { span, at: performance.now() };
    this.#context = api.trace.setSpan(this.#context, span);
    active.add(1);
  }

  event(event: AgentEvent): void {
    if (!this.#hasEvent) {
      this.#hasEvent = true;
      this.#of.firstEvent.record(secondsSince(this.#arrived), this.#series);
    }
    switch (event.type) {
      case "turn_start":
        this.#counts.turns += 1;
        return this.#requested(0);
      case "thinking_start":
      case "content":
      case "tool_args":
        return this.#arrives();
      case "retry":
        // Nothing was sent again.
        if (event.reason === "text_was_thinking") return;
        this.#answered({ "error.type": event.reason });
        return this.#requested(event.delayMs);
      case "approval_request":
        return this.#answered();
      case "tool_use":
        this.#answered();
        return this.#called(event.toolId, event.toolName);
      case "tool_result":
        this.#answered();
        return this.#returned(event.toolId, event.isError ? codeIn(event.content) : undefined);
      case "turn_end":
        this.#answered();
        return this.#used(event.usage);
    }
  }

  /** Runs a function of a tool within the span of its call. */
  inTool<T>(toolId: string, run: () => T): T {
    const { api } = this.#of;
    const begun = this.#tools.get(toolId);
    return begun ? (api.context.with(api.trace.setSpan(this.#context, begun.span), run) as T) : run();
  }

  /** Ends the run. `isLost` states that another instance continues it. */
  end(last: AgentEvent | WaitingEvent, isLost: boolean): void {
    if (!this.#run) return;
    const { turns, requests, calls } = this.#counts;
    const error = last.type === "error" ? { "error.type": last.code } : undefined;
    this.#answered(error ?? (isEnd(last) && last.type !== "complete" ? { "error.type": "aborted" } : undefined));
    for (const id of [...this.#tools.keys()]) this.#returned(id, "aborted");
    const status = { "copydesk.run.status": isLost ? "left" : last.type };
    const series = { "gen_ai.agent.name": NAME, ...this.#series };
    this.#of.run.record(secondsSince(this.#run.at), { ...series, ...status, ...error });
    this.#of.turns.record(turns, series);
    this.#of.requests.record(requests, series);
    this.#of.calls.record(calls, series);
    this.#of.active.add(-1);
    ended(this.#run.span, { ...status, ...this.#usage, ...error });
  }

  #requested(delayMs: number): void {
    this.#counts.requests += 1;
    this.#firstChunk = undefined;
    const attributes = { "gen_ai.operation.name": "chat", ...this.#model, "gen_ai.request.stream": true };
    const options = { kind: CLIENT, attributes, startTime: Date.now() + delayMs };
    const span = this.#of.tracer.startSpan(`chat ${this.#modelId}`, options, this.#context);
    this.#request = { span, at: performance.now() + delayMs };
  }

  #arrives(): void {
    if (!this.#request || this.#firstChunk !== undefined) return;
    this.#firstChunk = secondsSince(this.#request.at);
    this.#of.firstChunk.record(this.#firstChunk, { "gen_ai.operation.name": "chat", ...this.#series });
  }

  /** Ends the request under way. */
  #answered(error?: Attributes): void {
    if (!this.#request) return;
    const { span, at } = this.#request;
    this.#request = undefined;
    this.#of.request.record(secondsSince(at), { "gen_ai.operation.name": "chat", ...this.#series, ...error });
    const first = this.#firstChunk;
    ended(span, { ...(first !== undefined && { "gen_ai.response.time_to_first_chunk": first }), ...error });
  }

  #used(usage: Usage): void {
    const series = { "gen_ai.operation.name": "chat", ...this.#series, "gen_ai.token.modality": "unknown" };
    for (const [counter, kind] of this.#of.tokens) if (usage[kind] > 0) counter.add(usage[kind], series);
    for (const [name, kind] of USAGE) this.#usage[name] = Number(this.#usage[name] ?? 0) + usage[kind];
  }

  #called(toolId: string, name: string): void {
    const attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.type": "function",
    };
    const options = { kind: INTERNAL, attributes: { ...attributes, "gen_ai.tool.call.id": toolId } };
    const span = this.#of.tracer.startSpan(`execute_tool ${name}`, options, this.#context);
    this.#tools.set(toolId, { span, at: performance.now(), name });
  }

  /** Ends a call. One that was refused has not begun. */
  #returned(toolId: string, code: string | undefined): void {
    this.#counts.calls += 1;
    const begun = this.#tools.get(toolId);
    if (!begun) return;
    this.#tools.delete(toolId);
    const error = code === undefined ? undefined : { "error.type": code };
    const series = { "gen_ai.agent.name": NAME, "gen_ai.tool.name": begun.name, "gen_ai.tool.type": "function" };
    this.#of.tool.record(secondsSince(begun.at), { ...series, ...error });
    ended(begun.span, error);
  }
}

const USAGE = [
  ["gen_ai.usage.input_tokens", "inputTokens"],
  ["gen_ai.usage.output_tokens", "outputTokens"],
  ["gen_ai.usage.cache_read.input_tokens", "cachedTokens"],
  ["gen_ai.usage.cache_write.input_tokens", "cacheWriteTokens"],
  ["gen_ai.usage.reasoning.output_tokens", "reasoningTokens"],
] as const satisfies readonly (readonly [string, keyof Usage])[];

function ended(span: Span, attributes: Attributes = {}): void {
  span.setAttributes(attributes);
  if ("error.type" in attributes) span.setStatus({ code: ERROR });
  span.end();
}

/** A request may end before the delay that precedes it. */
function secondsSince(at: number): number {
  return Math.max(0, performance.now() - at) / 1000;
}

/** Returns the code of a failed call. Other texts could be any number of series. */
function codeIn(content: unknown): string {
  const { error } = (isObject(content) ? content : {}) as { error?: { code?: unknown } };
  const code = error?.code;
  return typeof code === "string" && /^[a-z_]{1,40}$/.test(code) ? code : "_OTHER";
}
