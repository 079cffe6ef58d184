/** The handlers of a route. */

import { Document, handleOf } from "../document/document.js";
import { CopydeskError, reportError } from "../base/error.js";
import { init } from "../loading/load.js";
import { localeOf } from "../base/locale.js";
import type { LlmConfig, Locale } from "../types/index.js";
import { nothing, streamOf } from "./answers.js";
import { isOfThread, threadIn, type Arrival, type Beginning, type RequestContext } from "./arrival.js";
import { chatRequestOf, readChatRequest, type BodyRules, type ChatRequest } from "./body.js";
import { Closing } from "./closing.js";
import { Approvals, type Answered } from "./approvals.js";
import { agentOptions, checkWithin, readOptions } from "./check-options.js";
import { BEGINNING, textOf, type EventId } from "./client-writer.js";
import { asRouteError, errorResponse, routeError } from "./errors.js";
import type { WrittenRun } from "./formats/format.js";
import type { DocAgentRouteOptions } from "./options.js";
import { checkHost, checkOrigin, corsHeaders, preflight } from "./origin.js";
import { PrivateErrors } from "./private-errors.js";
import { eventsOf } from "./following.js";
import type { OwnLog } from "./lease.js";
import { DocumentLock } from "./document-lock.js";
import { DocumentQueue, type DocumentKey } from "./queue.js";
import { htmlOf } from "./logged-html.js";
import type { LoggedRun, RunLog, RunOwner } from "./run-log.js";
import { stateOf } from "./log-state.js";
import { idIn, newToken, RUN_HEADER, runIdOf, runKey, threadKey, TOKEN_HEADER, tokenOf } from "./run-key.js";
import { OpenCalls } from "./open-calls.js";
import { Run, type EndedRun, type RunInput } from "./run.js";
import { isPublic, modelFor } from "./servers.js";
import { ServiceConfigs } from "./services.js";
import { SourceHTML } from "./source-html.js";
import { bodyIn, claimIn, contentIn, storedRequest } from "./stored-request.js";
import { RunTelemetry, Telemetry } from "./telemetry.js";
import { Tasks } from "./tasks.js";
import { LogTimeout, timedLog } from "./timed-log.js";
import { RunWriting } from "./written-run.js";

/** Handlers of requests, in the form that Next.js, Hono, Deno, Bun and service workers take. */
export interface DocAgentRoute {
  /** Runs the agent and answers with its events. */
  POST: (request: Request) => Promise<Response>;
  /** Answers with the configured services, for `…/config`, or with a run of a conversation, for `…/<id>/stream`. */
  GET: (request: Request) => Promise<Response>;
  /** Answers preflight requests. */
  OPTIONS: (request: Request) => Promise<Response>;
  /** Stops the run with the id of the query, `?run=…`, and the token of the header `copydesk-run-token`. */
  DELETE: (request: Request) => Promise<Response>;
  /** Answers with the state of this instance, for `…/health`: status 503 when it is closing. */
  health: (request: Request) => Promise<Response>;
  /**
   * Closes this instance, before its process ends: it refuses requests, and leaves its runs to the other instances,
   * each when none of its calls is under way. Runs without a log continue. Resolves when there are none; those that are
   * left after `within` ms (10000; `Infinity`: none) are left at once, or stopped. Does not wait longer than 2 s for that.
   */
  close: (options?: { within?: number }) => Promise<void>;
  /** All of these: `GET` for paths that end with `/config`, and `health`. */
  fetch: (request: Request, context?: RequestContext) => Promise<Response>;
}

const MAX_BODY = 16 * 1024 * 1024;
const KEEP_ALIVE = 15_000;
const RESUME_WITHIN = 60_000;
const LEASE = 15_000;
const LOG_TIMEOUT = 5_000;
const CLOSE_WITHIN = 10_000;
/** The time in milliseconds that what is left at the deadline has to end. */
const GRACE = 2_000;
/** The time in milliseconds between two tries to lock a document. */
const LOCKED = 500;

/** Creates the handlers of a route that runs the agent for front ends. */
export function createDocAgentRoute(options: DocAgentRouteOptions = {}): DocAgentRoute {
  const route = new Route(options);
  const post = (request: Request, context?: RequestContext) =>
    route.answer(request, "POST", () => route.post(request, context));
  const get = (request: Request, context?: RequestContext) =>
    route.answer(request, "GET", () => route.get(request, context));
  const DELETE = (request: Request) => route.answer(request, "POST, DELETE", () => route.stop(request));
  const health = (request: Request) => route.answer(request, "GET", () => route.health());
  const OPTIONS = (request: Request) => route.answer(request, "POST, GET, DELETE", async () => nothing());
  return {
    // Next.js gives handlers a context of its own.
    POST: (request) => post(request),
    GET: (request) => get(request),
    DELETE,
    OPTIONS,
    health,
    close: (given) => route.close(given?.within),
    fetch(request, context) {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/health")) return health(request);
      if (pathname.endsWith("/config") || (request.method === "GET" && isOfThread(pathname)))
        return get(request, context);
      return request.method === "DELETE" ? DELETE(request) : post(request, context);
    },
  };
}

class Route {
  readonly #options: DocAgentRouteOptions;
  readonly #locale: Locale;
  readonly #writing: RunWriting;
  readonly #services: ServiceConfigs;
  readonly #approvals: Approvals | undefined;
  readonly #telemetry: Telemetry | undefined;
  readonly #queue = new DocumentQueue();
  /** Runs of the log that are under way, by their keys. */
  readonly #live = new Map<string, Run>();
  /** All runs under way. */
  readonly #runs = new Set<Run>();
  readonly #tasks = new Tasks();
  /** Begun by `close`. */
  readonly #closing = new Closing();
  #deadline: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;
  /** Requests for the same run are answered one after another. */
  readonly #arrivals = new DocumentQueue();
  /** The name of this instance in the log. */
  readonly #name = crypto.randomUUID();

  constructor(given: DocAgentRouteOptions) {
    const { options: read, format } = readOptions(given);
    const { log, logTimeout = LOG_TIMEOUT } = read;
    const options = log ? { ...read, log: timedLog(log, logTimeout) } : read;
    this.#options = options;
    const { services, searchService, imageService, logger } = options;
    this.#locale = localeOf(options.locale);
    this.#writing = new RunWriting(format, this.#locale);
    if (options.approvalSecret !== undefined) this.#approvals = new Approvals(options, this.#locale);
    if (options.openTelemetry) this.#telemetry = new Telemetry(options.openTelemetry);
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

  get(request: Request, context?: RequestContext): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (isOfThread(pathname)) return this.#tasks.add(this.#replay(request, threadIn(pathname), context));
    return this.#config(request);
  }

  async #config(request: Request): Promise<Response> {
    if (this.#options.exposeKeys) checkHost(request, this.#options, this.#locale);
    const described = await this.#services.describe(this.#options.exposeKeys === true);
    return Response.json(described, { headers: { "cache-control": "no-store" } });
  }

  async stop(request: Request): Promise<Response> {
    const id = new URL(request.url).searchParams.get("run") ?? "";
    const token = tokenOf(request, this.#locale);
    const isStopped = token !== undefined && (await this.#stop(id, token));
    if (!isStopped) throw routeError("unknown_run", this.#locale, { id: id.slice(0, 100) });
    return nothing();
  }

  /** Stops a run, or the last one of a conversation. */
  async #stop(id: string, token: string): Promise<boolean> {
    const { log } = this.#options;
    if (!log) return false;
    const own = await runKey(id, token);
    let isStopped = this.#stopHere(own);
    try {
      const key = (await log.latest(await threadKey(id, token))) ?? own;
      isStopped = this.#stopHere(key) || isStopped;
      // Another instance may own the run, or continue it before it has ended here.
      return (await log.stop(key)) || isStopped;
    } catch (reason) {
      if (!isStopped) this.#refuse(reason);
      this.#logFailed(reason);
      return true;
    }
  }

  /** Stops a run that is under way at this instance. Needs no log. */
  #stopHere(key: string): boolean {
    const run = this.#live.get(key);
    run?.stop();
    return run !== undefined;
  }

  async health(): Promise<Response> {
    const { log } = this.#options;
    const isClosing = this.#closing.hasBegun;
    const health = { status: isClosing ? "closing" : "ok", log: await stateOf(log), runs: this.#runs.size };
    return Response.json(health, { status: isClosing ? 503 : 200, headers: { "cache-control": "no-store" } });
  }

  async close(within = CLOSE_WITHIN): Promise<void> {
    checkWithin(within);
    return (this.#closed ??= this.#close(within));
  }

  async #close(within: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    this.#deadline = new Promise((resolve) => {
      if (within !== Infinity) timer = setTimeout(resolve, within);
    });
    this.#closing.begin();
    for (const run of this.#runs) void run.leave(this.#deadline);
    const late = this.#deadline.then(() => new Promise<void>((resolve) => (timer = setTimeout(resolve, GRACE))));
    // A body that does not arrive, or a log or a hook of the app that does not answer, would hold the process for ever.
    await Promise.race([this.#tasks.settled(), late]);
    clearTimeout(timer);
  }

  post(request: Request, context?: RequestContext): Promise<Response> {
    return this.#tasks.add(this.#post(request, context));
  }

  async #post(request: Request, context?: RequestContext): Promise<Response> {
    this.#checkOpen();
    const { maxBodyBytes = MAX_BODY, log } = this.#options;
    const chat = await readChatRequest(request, { limit: maxBodyBytes, ...this.#rules() });
    const given = tokenOf(request, this.#locale);
    const runId = this.#runIdOf(chat, request, given);
    if (!log || runId === undefined) return this.#begin({ chat, request, context });
    const token = given ?? newToken();
    const thread = this.#writing.format.threadOf(chat.body);
    const arrival = { chat, request, context, thread: thread && (await threadKey(thread, token)) };
    const response = await this.#resume(log, await runKey(runId, token), arrival);
    if (given === undefined) response.headers.set(TOKEN_HEADER, token);
    return response;
  }

  #checkOpen(): void {
    if (this.#closing.hasBegun) throw routeError("closing", this.#locale);
  }

  #rules(): Omit<BodyRules, "limit"> {
    return { locale: this.#locale, hasModel: this.#options.llmConfig !== undefined, format: this.#writing.format };
  }

  /** Returns the id of a run that is to be logged. */
  #runIdOf({ runId }: ChatRequest, request: Request, token: string | undefined): string | undefined {
    if (!this.#writing.format.needsToken) return runId;
    if (token === undefined) return undefined;
    return runIdOf(request.headers.get(RUN_HEADER)) ?? runId ?? crypto.randomUUID();
  }

  /** Answers with the last run of a conversation from its beginning, or with nothing. */
  async #replay(request: Request, thread: string, context?: RequestContext): Promise<Response> {
    this.#checkOpen();
    const { log } = this.#options;
    const token = tokenOf(request, this.#locale);
    if (!log || token === undefined) return nothing();
    // A client that continues a run names it: the conversation may have another one by now.
    const runId = runIdOf(request.headers.get(RUN_HEADER));
    const latest = async () =>
      log.latest(await threadKey(thread, token)).catch((reason: unknown) => this.#refuse(reason));
    const key = runId === undefined ? await latest() : await runKey(runId, token);
    return key === undefined ? nothing() : this.#resume(log, key, { request, context });
  }

  /** Continues a run. Requests for the same one are answered one after another. */
  async #resume(log: RunLog, id: string, arrival: Arrival): Promise<Response> {
    const leave = await this.#arrivals.enter(id);
    try {
      return await this.#goOn({ log, id, owner: this.#owner(this.#name) }, arrival);
    } finally {
      leave();
    }
  }

  /** Continues the run of a key, whatever its state is: under way, interrupted, over; or begins it. */
  async #goOn(own: OwnLog, arrival: Arrival): Promise<Response> {
    const { log, id } = own;
    const { chat, request } = arrival;
    const given = arrival.after ?? this.#writing.lastEventOf(request);
    const after = given ?? BEGINNING;
    const isReplay = chat === undefined;
    const live = this.#live.get(id);
    // Without the log nobody knows whether another instance has the run.
    const failed = (reason: unknown) => {
      this.#logFailed(reason);
      if ((given === undefined && !isReplay) || live) return null;
      throw routeError("log_failed", this.#locale);
    };
    const run = await log.find(id).catch(failed);
    if (run?.isOver && after.seq > run.lastSeq)
      throw routeError("unknown_event", this.#locale, { given: after.seq, last: run.lastSeq });
    // A log that fails at the moment ends the stream, and the client tries again.
    if (live && run !== undefined) return this.#attached(live, request, { ...live.written, isReplay }, after);
    // The log has removed events that the client may lack.
    if (live || (!run && given !== undefined)) throw routeError("unknown_run", this.#locale, { id: idIn(id) });
    if (run) return this.#goOnWith(run, own, arrival, after);
    if (chat === undefined) return nothing();
    // A log that has just failed is not asked again.
    if (run === null) return this.#begin({ ...arrival, chat });
    const claim = crypto.randomUUID();
    const stored = storedRequest(chat, this.#writing.format, claim);
    const claimed = await log.claim(id, own.owner, stored).catch((reason: unknown) => {
      this.#endLate(own, reason);
      return failed(reason);
    });
    if (claimed?.run) return this.#goOnWith(claimed.run, own, arrival, after, claimed.isOwner);
    return this.#begin({ ...arrival, chat, own: claimed ? own : undefined, claim });
  }

  /** Continues a run that the log has, if this instance can own it; else reads it. */
  async #goOnWith(run: LoggedRun, own: OwnLog, arrival: Arrival, after: EventId, isOwned = false): Promise<Response> {
    const { chat: given } = arrival;
    const { llmConfig, wasm, keepAlive = KEEP_ALIVE } = this.#options;
    const chat = given ?? this.#chatIn(run);
    // A request without a model continues a run if the route has one.
    const canOwn = !run.isOver && (given !== undefined || llmConfig !== undefined);
    const claimed = canOwn && !isOwned ? await this.#claim(own, run) : { isOwner: isOwned, run };
    const earlier = { run: claimed.run ?? run, after };
    const claim = claimIn(run);
    if (claimed.isOwner) return this.#begin({ ...arrival, chat, own, earlier, claim, isReplay: !given });
    await init(wasm);
    const events = eventsOf(own.log, own.id, run, {
      writerOf: (current) => {
        const html = () => htmlOf(current(), contentIn(current(), this.#writing.format), this.#locale);
        return this.#writing.writer({ ...this.#writing.runOf(chat, own.id, html), isReplay: !given }, after);
      },
      keepAlive,
      failed: (reason) => this.#logFailed(reason),
      closing: this.#closing,
      ...(canOwn && { goOn: (last) => this.#goOnAfter(own, { ...arrival, after: last }) }),
    });
    return streamOf(events, this.#writing.headersOf(idIn(own.id)));
  }

  /** Continues a run whose owner is gone, in the stream that has its events so far. */
  async #goOnAfter({ log, id }: OwnLog, arrival: Arrival): Promise<Response["body"]> {
    try {
      return (await this.#tasks.add(this.#resume(log, id, arrival))).body;
    } catch (thrown) {
      // The stream ends. The client comes back, and is answered with the error.
      asRouteError(thrown, this.#locale, this.#options.logger);
      return null;
    }
  }

  /** Ends a run in a log that has taken it too late: it runs without the log, and must not begin again. */
  #endLate({ log, id, owner }: OwnLog, reason: unknown): void {
    if (!(reason instanceof LogTimeout)) return;
    const end = async () => {
      const { isOwner, run } = (await reason.answer) as Awaited<ReturnType<RunLog["claim"]>>;
      if (!isOwner || run) return;
      const { code, message: error, details } = routeError("log_failed", this.#locale);
      const events = [
        { type: "agent_start", seq: 1 } as const,
        { type: "error", seq: 2, error, code, details } as const,
      ];
      const entries = events.map((event) => ({ seq: event.seq, text: textOf(event) }));
      await log.append(id, owner, -1, { events: entries, state: undefined, isOver: true });
    };
    void end().catch((late: unknown) => this.#logFailed(late));
  }

  #claim({ log, id, owner }: OwnLog, run: LoggedRun): ReturnType<RunLog["claim"]> {
    return log.claim(id, owner, run.request).catch((reason: unknown) => this.#refuse(reason));
  }

  /** Returns a run of the log as it continues: calls that have edited its document have their results. */
  async #settled({ log, id }: OwnLog, { run, after }: NonNullable<Beginning["earlier"]>): Promise<RunInput["earlier"]> {
    const events = await log.eventsAfter(id, -1).catch((reason: unknown) => this.#refuse(reason));
    const calls = new OpenCalls(run.state?.messages ?? [], events);
    return { run: { ...run, state: run.state && calls.settled(run.state) }, after, calls };
  }

  /** Refuses to continue a run without the log. */
  #refuse(reason: unknown): never {
    this.#logFailed(reason);
    throw routeError("log_failed", this.#locale);
  }

  #chatIn(run: LoggedRun): ChatRequest {
    return chatRequestOf(bodyIn(run), { ...this.#rules(), hasModel: true });
  }

  #attached(run: Run, request: Request, written: WrittenRun, after: EventId): Response {
    return streamOf(run.attach(request, this.#writing.writer(written, after)), this.#writing.headersOf(written.id));
  }

  #owner(owner: string): RunOwner {
    return { owner, lease: this.#options.lease ?? LEASE };
  }

  /** A run without its log is better than none: a database may be full, or closed to private windows. */
  #logFailed(reason: unknown): null {
    this.#options.logger?.error?.("the log of runs failed", { reason: String(reason) });
    return null;
  }

  /** Begins a run, or continues one of the log. One that cannot begin is free for a later request at once. */
  async #begin(beginning: Beginning): Promise<Response> {
    try {
      return await this.#started(beginning);
    } catch (thrown) {
      const { own } = beginning;
      const ended = own?.log.renew(own.id, { ...own.owner, lease: 0 });
      await ended?.catch((reason: unknown) => this.#logFailed(reason));
      throw thrown;
    }
  }

  async #started(beginning: Beginning): Promise<Response> {
    const { chat, request, context, own, thread, earlier: found, isReplay = false } = beginning;
    const arrived = performance.now();
    const earlier = found && own ? await this.#settled(own, found) : undefined;
    const { keepAlive = KEEP_ALIVE, resumeWithin = RESUME_WITHIN, whenBusy = "queue", wasm, guards } = this.#options;
    await init(wasm);
    const llmConfig = modelFor(chat, this.#options, this.#locale);
    const held = await this.#options.document?.(chat.body, request);
    if (held) handleOf(held);
    const locale = this.#locale;
    const documentContent = earlier ? contentIn(earlier.run, this.#writing.format) : chat.documentContent;
    const sent = held ?? Document.fromHTML(documentContent, { locale });
    const source = held ? undefined : new SourceHTML(documentContent, sent, locale);
    const state = held ? undefined : earlier?.run.state;
    const document = state ? Document.fromJSON(state.document, undefined, { locale }) : sent;
    if (guards) document.setGuards(guards);
    const html = () => source?.render(document) ?? document.toHTML();

    const services = await this.#services.next();
    const written = this.#writing.runOf(chat, own?.id, html);
    const { baseUrls, exposeErrors, llmConfig: ownModel, logger } = this.#options;
    const isModelNamed = ownModel === undefined;
    const isModelPublic = isModelNamed && isPublic(llmConfig, baseUrls);
    const errors = exposeErrors ? undefined : new PrivateErrors({ isModelPublic, isModelNamed, locale, logger });
    const input: Omit<RunInput, "telemetry"> = {
      errors,
      options: {
        ...agentOptions(this.#options),
        ...(chat.toolArgs && { toolArgs: chat.toolArgs }),
        llmConfig,
        services,
        locale,
      },
      document,
      written,
      message: chat.message,
      history: chat.history,
      decisions: chat.decisions,
      keepAlive,
      log: own,
      earlier,
      resumeWithin,
      sign: this.#approvals && ((waiting) => this.#approvals!.sign(waiting, this.#writing.format.threadOf(chat.body))),
    };
    const writer = this.#writing.writer({ ...written, isReplay }, earlier?.after ?? BEGINNING);

    const key: DocumentKey | undefined = held ?? chat.documentId;
    const lock = typeof key === "string" ? this.#lockOf(key) : undefined;
    if (key !== undefined && whenBusy === "refuse") {
      const isFree = !this.#queue.isBusy(key) && (!lock || (await lock.take()));
      if (!isFree) throw routeError("document_busy", locale);
    }
    let run: Run;
    let answered: Answered | undefined;
    try {
      answered = await this.#answer(beginning);
      run = new Run({ ...input, telemetry: this.#traced(chat, llmConfig, own, arrived) });
    } catch (thrown) {
      await answered?.release().catch((reason: unknown) => this.#logFailed(reason));
      await lock?.free();
      throw thrown;
    }
    const turn = key === undefined ? undefined : this.#queue.enter(key);
    // Not before: a page that is loaded again must not begin a run that was refused.
    if (own && thread !== undefined)
      await own.log.setLatest(thread, own.id).catch((reason: unknown) => this.#logFailed(reason));
    const body = run.attach(request, writer, !earlier);
    if (own) this.#live.set(own.id, run);
    const id = own?.id;
    this.#runs.add(run);
    const over = this.#follow(run, turn, lock, (end) => this.#atEnd(end, document, html, chat)).then(() => {
      this.#runs.delete(run);
      if (id !== undefined) this.#live.delete(id);
    });
    void this.#tasks.add(over);
    context?.waitUntil?.(over);
    if (this.#closing.hasBegun) void run.leave(this.#deadline);
    return streamOf(body, this.#writing.headersOf(written.id));
  }

  #traced(
    { body }: ChatRequest,
    llmConfig: LlmConfig,
    own: OwnLog | undefined,
    arrived: number,
  ): RunTelemetry | undefined {
    if (!this.#telemetry) return undefined;
    const isOwnModel = this.#options.llmConfig !== undefined;
    const ids = { id: own && idIn(own.id), thread: this.#writing.format.threadOf(body) };
    return new RunTelemetry(this.#telemetry, { llmConfig, isOwnModel, ...ids, arrived });
  }

  /** Checks the decisions of a request that begins a run. */
  async #answer({ chat, claim = crypto.randomUUID(), earlier }: Beginning): Promise<Answered | undefined> {
    const goesOn = earlier?.run.state !== undefined;
    try {
      return await this.#approvals?.answer(chat, this.#writing.format.threadOf(chat.body), { claim, goesOn });
    } catch (thrown) {
      if (thrown instanceof CopydeskError) throw thrown;
      return this.#refuse(thrown);
    }
  }

  async #follow(
    run: Run,
    turn: Promise<() => void> | undefined,
    lock: DocumentLock | undefined,
    atEnd: (end: EndedRun) => Promise<void>,
  ): Promise<void> {
    const leave = await turn;
    try {
      while (lock && !run.isEnding && !(await lock.take())) await new Promise((resolve) => setTimeout(resolve, LOCKED));
      await run.finish(atEnd);
    } finally {
      await lock?.free();
      leave?.();
    }
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
}
