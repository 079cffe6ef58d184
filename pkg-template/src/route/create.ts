/** The handlers of a route. */

import { Document, handleOf } from "../document.js";
import { check, reportError } from "../error.js";
import { init } from "../load.js";
import { localeOf } from "../locale.js";
import type { LlmConfig, Locale, Message } from "../types.js";
import { readChatRequest, type ChatRequest } from "./body.js";
import { asRouteError, errorResponse, routeError } from "./errors.js";
import type { StreamFormat } from "./formats/format.js";
import { FORMATS } from "./formats/index.js";
import type { DocAgentRouteOptions } from "./options.js";
import { checkAccess, checkHost, checkOrigin, corsHeaders, preflight } from "./origin.js";
import { PrivateErrors } from "./private-errors.js";
import { eventsOf } from "./following.js";
import type { OwnLog } from "./lease.js";
import { DocumentLock } from "./document-lock.js";
import { DocumentQueue, type DocumentKey } from "./queue.js";
import type { RunOwner } from "./run-log.js";
import { stateOf } from "./log-state.js";
import { newToken, runKey, TOKEN_HEADER, tokenOf } from "./run-key.js";
import { Run, type EndedRun, type RunInput } from "./run.js";
import { checkServer, isPublic } from "./servers.js";
import { ServiceConfigs } from "./services.js";
import { SourceHTML } from "./source-html.js";
import { Tasks } from "./tasks.js";

/** Handlers of requests, in the form that Next.js, Hono, Deno, Bun and service workers take. */
export interface DocAgentRoute {
  /** Runs the agent and answers with its events. */
  POST: (request: Request) => Promise<Response>;
  /** Answers with the configured services, for `…/config`. */
  GET: (request: Request) => Promise<Response>;
  /** Answers preflight requests. */
  OPTIONS: (request: Request) => Promise<Response>;
  /** Stops the run with the id of the query, `?run=…`, and the token of the header `copydesk-run-token`. */
  DELETE: (request: Request) => Promise<Response>;
  /** Answers with the state of this instance, for `…/health`: status 503 when it is closing. */
  health: (request: Request) => Promise<Response>;
  /**
   * Closes this instance, before its process ends: it refuses requests, and leaves its runs to the other instances, each
   * when none of its calls is under way. Runs without a log go on. Resolves when there are none; those that are left after
   * `within` ms (10000) are left at once, or stopped.
   */
  close: (options?: { within?: number }) => Promise<void>;
  /** All of these: `GET` for paths that end with `/config`, and `health`. */
  fetch: (request: Request, context?: RequestContext) => Promise<Response>;
}

/** What a worker offers with a request. */
export interface RequestContext {
  /** Keeps the worker alive. */
  waitUntil?: (promise: Promise<unknown>) => void;
}

const MAX_BODY = 16 * 1024 * 1024;
const TOTAL_TIMEOUT = 240_000;
const KEEP_ALIVE = 15_000;
const RESUME_WITHIN = 60_000;
const LEASE = 15_000;
const CLOSE_WITHIN = 10_000;
/** The time in milliseconds between two tries to lock a document. */
const LOCKED = 500;

/** Creates the handlers of a route that runs the agent for front ends. */
export function createDocAgentRoute(options: DocAgentRouteOptions = {}): DocAgentRoute {
  const route = new Route(options);
  const post = (request: Request, context?: RequestContext) =>
    route.answer(request, "POST", () => route.post(request, context));
  const GET = (request: Request) => route.answer(request, "GET", () => route.config(request));
  const DELETE = (request: Request) => route.answer(request, "POST, DELETE", () => route.stop(request));
  const health = (request: Request) => route.answer(request, "GET", () => route.health());
  const OPTIONS = (request: Request) => route.answer(request, "POST, GET, DELETE", async () => NOTHING());
  return {
    // Next.js gives handlers a context of its own.
    POST: (request) => post(request),
    GET,
    DELETE,
    OPTIONS,
    health,
    close: (given) => route.close(given?.within),
    fetch(request, context) {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/config")) return GET(request);
      if (pathname.endsWith("/health")) return health(request);
      return request.method === "DELETE" ? DELETE(request) : post(request, context);
    },
  };
}

const NOTHING = () => new Response(null, { status: 204 });

class Route {
  readonly #options: DocAgentRouteOptions;
  readonly #locale: Locale;
  readonly #format: StreamFormat;
  readonly #services: ServiceConfigs;
  readonly #queue = new DocumentQueue();
  /** Runs of the log that are under way, by their keys. */
  readonly #live = new Map<string, Run>();
  /** All runs under way. */
  readonly #runs = new Set<Run>();
  readonly #tasks = new Tasks();
  /** Aborted by `close`. */
  readonly #closing = new AbortController();
  #deadline: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;
  /** Requests for the same run are answered one after another. */
  readonly #arrivals = new DocumentQueue();
  /** What the log knows this instance by. */
  readonly #name = crypto.randomUUID();

  constructor(options: DocAgentRouteOptions) {
    this.#options = options;
    const { whenBusy = "queue", baseUrls, services, searchService, imageService, logger } = options;
    check(["queue", "refuse"].includes(whenBusy), "whenBusy", whenBusy, '"queue" or "refuse"');
    const { format = "copydesk", log, lease = LEASE } = options;
    check(typeof lease === "number" && lease > 0 && lease < 2 ** 31, "lease", lease, "a time in milliseconds above 0");
    const formats = Object.keys(FORMATS);
    check(formats.includes(format), "format", format, `one of ${formats.join(", ")}`);
    check(!log || format === "copydesk", "format", format, '"copydesk" for a route with a log');
    this.#format = FORMATS[format];
    const asks = !!options.needsApproval?.length || !!options.tools?.some(({ needsApproval }) => needsApproval);
    check(
      !asks || this.#format.canApprove,
      "format",
      format,
      "one in which calls can be approved: ui-message-stream, ag-ui",
    );
    checkAccess(options);
    check(baseUrls === undefined || Array.isArray(baseUrls), "baseUrls", baseUrls, "a list of URLs");
    this.#locale = localeOf(options.locale);
    const sources = { ...(searchService && { search: searchService }), ...(imageService && { image: imageService }) };
    this.#services = new ServiceConfigs(sources, services, logger);
  }

  /** Answers a request of one of the methods; failures become answers. */
  async answer(request: Request, methods: string, handle: () => Promise<Response>): Promise<Response> {
    let headers: Record<string, string> = {};
    try {
      checkOrigin(request, this.#options, this.#locale);
      headers = corsHeaders(request);
      if (request.method === "OPTIONS") return preflight(request, methods);
      if (!methods.split(", ").includes(request.method)) {
        headers.allow = `${methods}, OPTIONS`;
        throw routeError("method_not_allowed", this.#locale, { method: request.method, valid: methods });
      }
      const response = await handle();
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    } catch (thrown) {
      return errorResponse(asRouteError(thrown, this.#locale, this.#options.logger), headers);
    }
  }

  async config(request: Request): Promise<Response> {
    if (this.#options.exposeKeys) checkHost(request, this.#options, this.#locale);
    const described = await this.#services.describe(this.#options.exposeKeys === true);
    return Response.json(described, { headers: { "cache-control": "no-store" } });
  }

  async stop(request: Request): Promise<Response> {
    const id = new URL(request.url).searchParams.get("run") ?? "";
    const token = tokenOf(request, this.#locale);
    const key = token === undefined ? undefined : await runKey(id, token);
    const run = key === undefined ? undefined : this.#live.get(key);
    run?.stop();
    // Another instance may own the run.
    const isStopped = run !== undefined || (key !== undefined && (await this.#options.log?.stop(key)));
    if (!isStopped) throw routeError("unknown_run", this.#locale, { id: id.slice(0, 100) });
    return NOTHING();
  }

  async health(): Promise<Response> {
    const { log } = this.#options;
    const isClosing = this.#closing.signal.aborted;
    const health = { status: isClosing ? "closing" : "ok", log: await stateOf(log), runs: this.#runs.size };
    return Response.json(health, { status: isClosing ? 503 : 200, headers: { "cache-control": "no-store" } });
  }

  close(within = CLOSE_WITHIN): Promise<void> {
    return (this.#closed ??= this.#close(within));
  }

  async #close(within: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    this.#deadline = new Promise((resolve) => (timer = setTimeout(resolve, within)));
    this.#closing.abort();
    for (const run of this.#runs) void run.leave(this.#deadline);
    await this.#tasks.settled();
    clearTimeout(timer);
  }

  post(request: Request, context?: RequestContext): Promise<Response> {
    return this.#tasks.add(this.#post(request, context));
  }

  async #post(request: Request, context?: RequestContext): Promise<Response> {
    if (this.#closing.signal.aborted) throw routeError("closing", this.#locale);
    const { maxBodyBytes = MAX_BODY, log, llmConfig } = this.#options;
    const rules = {
      limit: maxBodyBytes,
      locale: this.#locale,
      hasModel: llmConfig !== undefined,
      format: this.#format,
    };
    const chat = await readChatRequest(request, rules);
    const { runId } = chat;
    if (!log || runId === undefined) return this.#begin(chat, request, undefined, undefined, context);
    const given = tokenOf(request, this.#locale);
    const token = given ?? newToken();
    const key = await runKey(runId, token);
    const leave = await this.#arrivals.enter(key);
    try {
      const owner = this.#owner(this.#name);
      const response = await this.#resume(chat, request, { log, id: key, owner }, context);
      if (given === undefined) response.headers.set(TOKEN_HEADER, token);
      return response;
    } finally {
      leave();
    }
  }

  /** Goes on with the run of a key, wherever it is: under way, interrupted, over; or begins it. */
  async #resume(chat: ChatRequest, request: Request, own: OwnLog, context?: RequestContext): Promise<Response> {
    const { log, id } = own;
    const given = request.headers.get("last-event-id");
    if (given !== null && !/^-?\d{1,15}$/.test(given)) {
      const wrong = { name: "last-event-id", given: given.slice(0, 100), expected: "the seq of an event" };
      throw routeError("invalid_parameter", this.#locale, wrong);
    }
    const after = given === null ? -1 : Number(given);
    const live = this.#live.get(id);
    // Without the log nobody knows whether another instance has the run.
    const failed = (reason: unknown) => {
      this.#logFailed(reason);
      if (given === null || live) return null;
      throw routeError("log_failed", this.#locale);
    };
    const run = await log.find(id).catch(failed);
    // A log that fails at the moment ends the stream, and the client tries again.
    if (live && run !== undefined) return streamOf(live.attach(request, after));
    // The log has removed events that the client may lack.
    if (live) throw routeError("unknown_run", this.#locale, { id: chat.runId ?? "" });
    if (run === null) return this.#begin(chat, request, undefined, undefined, context);
    if (run?.isOver) {
      const events = await log.eventsAfter(id, after);
      return streamOf(events.map(({ text }) => text).join(""));
    }
    if (!run && given !== null) throw routeError("unknown_run", this.#locale, { id: chat.runId ?? "" });
    const claimed = await log.claim(id, own.owner, chat.documentContent).catch(failed);
    if (claimed?.isOwner === false) {
      const { keepAlive = KEEP_ALIVE } = this.#options;
      const failed = (reason: unknown) => this.#logFailed(reason);
      return streamOf(eventsOf(log, id, after, { keepAlive, failed, closing: this.#closing.signal }));
    }
    const earlier = claimed?.run && { run: claimed.run, after };
    return this.#begin(chat, request, claimed ? own : undefined, earlier, context);
  }

  #owner(owner: string): RunOwner {
    return { owner, lease: this.#options.lease ?? LEASE };
  }

  /** A run without its log is better than none: a database may be full, or closed to private windows. */
  #logFailed(reason: unknown): null {
    this.#options.logger?.error?.("the log of runs failed", { reason: String(reason) });
    return null;
  }

  async #begin(
    chat: ChatRequest,
    request: Request,
    own: OwnLog | undefined,
    earlier: RunInput["earlier"],
    context: RequestContext | undefined,
  ): Promise<Response> {
    const { keepAlive = KEEP_ALIVE, resumeWithin = RESUME_WITHIN, whenBusy = "queue", wasm, guards } = this.#options;
    await init(wasm);
    const llmConfig = this.#modelFor(chat);
    const held = await this.#options.document?.(chat.body, request);
    if (held) handleOf(held);
    const locale = this.#locale;
    const documentContent = earlier?.run.documentContent ?? chat.documentContent;
    const sent = held ?? Document.fromHTML(documentContent, { locale });
    const source = held ? undefined : new SourceHTML(documentContent, sent, locale);
    const state = held ? undefined : earlier?.run.state;
    const document = state ? Document.fromJSON(state.document, undefined, { locale }) : sent;
    if (guards) document.setGuards(guards);
    const html = () => source?.render(document) ?? document.toHTML();

    const key: DocumentKey | undefined = held ?? chat.documentId;
    const services = await this.#services.next();
    const lock = typeof key === "string" ? this.#lockOf(key) : undefined;
    if (key !== undefined && whenBusy === "refuse") {
      const isFree = !this.#queue.isBusy(key) && (!lock || (await lock.take()));
      if (!isFree) throw routeError("document_busy", locale);
    }
    const known = chat.message === undefined ? callsIn(chat.history.findLast(({ role }) => role === "assistant")) : [];
    const writer = this.#format.writer({ body: chat.body, known, html });
    const { baseUrls, exposeErrors, llmConfig: ownModel, logger } = this.#options;
    const isModelNamed = ownModel === undefined;
    const isModelPublic = isModelNamed && isPublic(llmConfig, baseUrls);
    const errors = exposeErrors ? undefined : new PrivateErrors({ isModelPublic, isModelNamed, locale, logger });
    const run = new Run({
      errors,
      options: {
        ...agentOptions(this.#options),
        ...(chat.toolArgs && { toolArgs: chat.toolArgs }),
        llmConfig,
        services,
        locale,
      },
      document,
      html,
      message: chat.message,
      history: chat.history,
      decisions: chat.decisions,
      writer,
      keepAlive,
      log: own,
      earlier,
      resumeWithin,
    });
    const body = run.attach(request, earlier?.after);
    if (own) this.#live.set(own.id, run);
    const turn = key === undefined ? undefined : this.#queue.enter(key);
    const id = own?.id;
    this.#runs.add(run);
    const over = this.#follow(run, turn, lock, (end) => this.#atEnd(end, document, html, chat)).then(() => {
      this.#runs.delete(run);
      if (id !== undefined) this.#live.delete(id);
    });
    void this.#tasks.add(over);
    context?.waitUntil?.(over);
    if (this.#closing.signal.aborted) void run.leave(this.#deadline);
    return streamOf(body, writer.headers);
  }

  async #follow(
    run: Run,
    turn: Promise<() => void> | undefined,
    lock: DocumentLock | undefined,
    atEnd: (end: EndedRun) => Promise<void>,
  ): Promise<void> {
    const leave = await turn;
    while (lock && !run.isEnding && !(await lock.take())) await new Promise((resolve) => setTimeout(resolve, LOCKED));
    await run.finish(atEnd);
    await lock?.free();
    leave?.();
  }

  /** Returns the lock of a document that the instances of the route share. */
  #lockOf(documentId: string): DocumentLock | undefined {
    const { log } = this.#options;
    if (!log) return undefined;
    const owner = this.#owner(crypto.randomUUID());
    return new DocumentLock(log, documentId, owner, (reason) => this.#logFailed(reason));
  }

  async #atEnd(end: EndedRun, document: Document, html: () => string, { body }: ChatRequest): Promise<void> {
    const { onEnd, logger } = this.#options;
    if (!onEnd) return;
    try {
      await onEnd({ ...end, document, html: html(), body });
    } catch (thrown) {
      // The run is over, and its events are right.
      if (logger?.error) logger.error("onEnd failed", { reason: String(thrown) });
      else reportError(thrown);
    }
  }

  /** Returns the model of a run, with the route's limits. */
  #modelFor({ llmConfig }: ChatRequest): LlmConfig {
    const { llmConfig: own, baseUrls, totalTimeout = TOTAL_TIMEOUT } = this.#options;
    if (!own && baseUrls) checkServer(llmConfig!, baseUrls, this.#locale);
    const { streamOptions, ...rest } = own ?? llmConfig!;
    const wanted = streamOptions.totalTimeout;
    const isLimit = typeof wanted === "number" && wanted > 0;
    return {
      ...rest,
      streamOptions: { ...streamOptions, totalTimeout: isLimit ? Math.min(wanted, totalTimeout) : totalTimeout },
    };
  }
}

function streamOf(body: BodyInit, headers: Record<string, string> = {}): Response {
  return new Response(body, { headers: { ...HEADERS, ...headers } });
}

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  connection: "keep-alive",
  // nginx would collect the events.
  "x-accel-buffering": "no",
};

/** Returns the ids of the calls of an answer. */
function callsIn(answer: Message | undefined): string[] {
  const content = answer?.role === "assistant" ? answer.content : [];
  return content.flatMap((part) => (part.type === "toolCall" ? [part.id] : []));
}

/** Returns the options that an agent takes as well. */
function agentOptions(options: DocAgentRouteOptions): Omit<DocAgentRouteOptions, "document" | "llmConfig"> {
  const {
    llmConfig: _llmConfig,
    guards: _guards,
    wasm: _wasm,
    searchService: _search,
    imageService: _image,
    exposeKeys: _exposeKeys,
    exposeErrors: _exposeErrors,
    origins: _origins,
    hosts: _hosts,
    baseUrls: _baseUrls,
    maxBodyBytes: _maxBodyBytes,
    totalTimeout: _totalTimeout,
    keepAlive: _keepAlive,
    document: _document,
    whenBusy: _whenBusy,
    onEnd: _onEnd,
    log: _log,
    resumeWithin: _resumeWithin,
    lease: _lease,
    format: _format,
    ...rest
  } = options;
  return rest;
}
