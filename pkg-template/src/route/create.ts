/** The handlers of a route. */

import { Document, handleOf } from "../document.js";
import { check, reportError } from "../error.js";
import { init } from "../load.js";
import { localeOf } from "../locale.js";
import type { LlmConfig, Locale, RunResult } from "../types.js";
import { readChatRequest, type ChatRequest } from "./body.js";
import { asRouteError, errorResponse, routeError } from "./errors.js";
import { copydeskWriter } from "./formats/copydesk.js";
import type { DocAgentRouteOptions } from "./options.js";
import { checkOrigin, corsHeaders, preflight } from "./origin.js";
import { DocumentQueue, type DocumentKey } from "./queue.js";
import { Run } from "./run.js";
import { ServiceConfigs } from "./services.js";
import { SourceHTML } from "./source-html.js";

/** Handlers of requests, in the form that Next.js, Hono, Deno, Bun and service workers take. */
export interface DocAgentRoute {
  /** Runs the agent and answers with its events. */
  POST: (request: Request) => Promise<Response>;
  /** Answers with the configured services, for `…/config`. */
  GET: (request: Request) => Promise<Response>;
  /** Answers preflight requests. */
  OPTIONS: (request: Request) => Promise<Response>;
  /** All of these: `GET` for paths that end with `/config`. */
  fetch: (request: Request) => Promise<Response>;
}

const MAX_BODY = 16 * 1024 * 1024;
const TOTAL_TIMEOUT = 240_000;
const KEEP_ALIVE = 15_000;

/** Creates the handlers of a route that runs the agent for front ends. */
export function createDocAgentRoute(options: DocAgentRouteOptions = {}): DocAgentRoute {
  const route = new Route(options);
  const POST = (request: Request) => route.answer(request, "POST", () => route.post(request));
  const GET = (request: Request) => route.answer(request, "GET", () => route.config());
  return {
    POST,
    GET,
    OPTIONS: (request) => route.answer(request, "POST, GET", async () => new Response(null, { status: 204 })),
    fetch: (request) => (new URL(request.url).pathname.endsWith("/config") ? GET(request) : POST(request)),
  };
}

class Route {
  readonly #options: DocAgentRouteOptions;
  readonly #locale: Locale;
  readonly #services: ServiceConfigs;
  readonly #queue = new DocumentQueue();

  constructor(options: DocAgentRouteOptions) {
    this.#options = options;
    const { whenBusy = "queue", origins = [], baseUrls, services, searchService, imageService, logger } = options;
    check(["queue", "refuse"].includes(whenBusy), "whenBusy", whenBusy, '"queue" or "refuse"');
    check(origins === "any" || Array.isArray(origins), "origins", origins, 'a list of origins or "any"');
    check(baseUrls === undefined || Array.isArray(baseUrls), "baseUrls", baseUrls, "a list of URLs");
    this.#locale = localeOf(options.locale);
    const sources = { ...(searchService && { search: searchService }), ...(imageService && { image: imageService }) };
    this.#services = new ServiceConfigs(sources, services, logger);
  }

  /** Answers a request of one of the methods; failures become answers. */
  async answer(request: Request, methods: string, handle: () => Promise<Response>): Promise<Response> {
    let headers: Record<string, string> = {};
    try {
      checkOrigin(request, this.#options.origins ?? [], this.#locale);
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
      const error = asRouteError(thrown);
      if (error.status === 500) this.#options.logger?.error?.(error.message, { code: error.code });
      return errorResponse(error, headers);
    }
  }

  async config(): Promise<Response> {
    const described = await this.#services.describe(this.#options.exposeKeys === true);
    return Response.json(described, { headers: { "cache-control": "no-store" } });
  }

  async post(request: Request): Promise<Response> {
    const { maxBodyBytes = MAX_BODY, keepAlive = KEEP_ALIVE, whenBusy = "queue", wasm, guards } = this.#options;
    const rules = { limit: maxBodyBytes, locale: this.#locale, hasModel: this.#options.llmConfig !== undefined };
    const chat = await readChatRequest(request, rules);
    const llmConfig = this.#modelFor(chat);
    await init(wasm);
    const held = await this.#options.document?.(chat.body, request);
    const document = held ?? Document.fromHTML(chat.documentContent, { locale: this.#locale });
    if (held) handleOf(held);
    if (guards) document.setGuards(guards);
    const source = held ? undefined : new SourceHTML(chat.documentContent, document, this.#locale);
    const html = () => source?.render(document) ?? document.toHTML();

    const key: DocumentKey | undefined = held ?? chat.documentId;
    const services = await this.#services.next();
    if (key !== undefined && whenBusy === "refuse" && this.#queue.isBusy(key))
      throw routeError("document_busy", this.#locale);
    const writer = copydeskWriter();
    const run = new Run({
      options: { ...agentOptions(this.#options), llmConfig, services, locale: this.#locale },
      document,
      html,
      message: chat.message,
      history: chat.history,
      writer,
      keepAlive,
      request,
    });
    const turn = key === undefined ? undefined : this.#queue.enter(key);
    void this.#follow(run, turn, (result) => this.#atEnd(result, document, html, chat));
    return new Response(run.body, { headers: { ...HEADERS, ...writer.headers } });
  }

  async #follow(
    run: Run,
    turn: Promise<() => void> | undefined,
    atEnd: (result: RunResult) => Promise<void>,
  ): Promise<void> {
    const leave = await turn;
    await run.finish(atEnd);
    leave?.();
  }

  async #atEnd(result: RunResult, document: Document, html: () => string, { body }: ChatRequest): Promise<void> {
    const { onEnd, logger } = this.#options;
    if (!onEnd) return;
    try {
      await onEnd({ result, document, html: html(), body });
    } catch (thrown) {
      // The run is over, and its events are right.
      if (logger?.error) logger.error("onEnd failed", { reason: String(thrown) });
      else reportError(thrown);
    }
  }

  /** Returns the model of a run, with the route's limits. */
  #modelFor({ llmConfig }: ChatRequest): LlmConfig {
    const { llmConfig: own, baseUrls, totalTimeout = TOTAL_TIMEOUT } = this.#options;
    if (!own && baseUrls) {
      const { baseUrl } = llmConfig!.streamOptions;
      if (!baseUrls.some((allowed) => isBelow(baseUrl, allowed)))
        throw routeError("base_url_not_allowed", this.#locale, { given: baseUrl.slice(0, 200) });
    }
    const { streamOptions, ...rest } = own ?? llmConfig!;
    const wanted = streamOptions.totalTimeout;
    const isLimit = typeof wanted === "number" && wanted > 0;
    return {
      ...rest,
      streamOptions: { ...streamOptions, totalTimeout: isLimit ? Math.min(wanted, totalTimeout) : totalTimeout },
    };
  }
}

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  connection: "keep-alive",
  // nginx would collect the events.
  "x-accel-buffering": "no",
};

/** Returns the options that an agent takes as well. */
function agentOptions(options: DocAgentRouteOptions): Omit<DocAgentRouteOptions, "document" | "llmConfig"> {
  const {
    llmConfig: _llmConfig,
    guards: _guards,
    wasm: _wasm,
    searchService: _search,
    imageService: _image,
    exposeKeys: _exposeKeys,
    origins: _origins,
    baseUrls: _baseUrls,
    maxBodyBytes: _maxBodyBytes,
    totalTimeout: _totalTimeout,
    keepAlive: _keepAlive,
    document: _document,
    whenBusy: _whenBusy,
    onEnd: _onEnd,
    ...rest
  } = options;
  return rest;
}

/** Returns whether a URL is of an origin, or begins with whole segments of the path of another URL. */
function isBelow(url: string, allowed: string): boolean {
  if (!URL.canParse(allowed)) return false;
  const [given, limit] = [new URL(url), new URL(allowed)];
  const path = (of: URL) => `${of.pathname.replace(/\/+$/, "")}/`;
  return given.origin === limit.origin && path(given).startsWith(path(limit));
}
