/** The reader of a chat route, for pages. */

import { documentOf } from "../document/document-of.js";
import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { chat as en } from "../languages/en/chat.js";
import { chat as zh } from "../languages/zh-CN/chat.js";
import type { Document } from "../document/document.js";
import { check, CopydeskError } from "../base/error.js";
import { isObject } from "../base/json.js";
import { localeOf } from "../base/locale.js";
import { loadMarkdown } from "../markdown/markdown.js";
import type { EditorWithCopydesk } from "../agent/options.js";
import type { AgentEvent, Locale } from "../types/index.js";
import type { ChatBody } from "./chat-body.js";
import { isEnd } from "./run-end.js";
import { newToken, TOKEN_HEADER } from "./run-key.js";
import { ServerEventReader } from "./sse-reader.js";

export interface ChatStreamOptions {
  /** The document to which updates are applied: an editor with the extension `Copydesk`, or a `Document`. */
  document?: Document | EditorWithCopydesk;
  /** Stops the run. */
  signal?: AbortSignal;
  /** Headers of the app's own, such as `authorization`. */
  headers?: Record<string, string>;
  /** Replaces `globalThis.fetch`. */
  fetch?: typeof globalThis.fetch;
  /** The `seq` of the last event that was handled, to continue the run of `body.runId`. */
  lastEventId?: number;
  /**
   * The secret by which the run can be continued and stopped: 16 to 200 letters, digits and `- . _ ~`, such as
   * `crypto.randomUUID()`. Keep it to continue the run of `body.runId` after a reload. Default: a new one.
   */
  runToken?: string;
  /** The language of errors. Default: the page's. */
  locale?: Locale;
}

/** Statuses of load balancers without an instance, and of a route without its log. */
const UNAVAILABLE: readonly number[] = [502, 503, 504];

/** The attempts in a row to continue a run, without a new event. */
const ATTEMPTS = 6;

/**
 * Posts a message to a chat route and returns the events of the run. With `document`, each `doc_update` has been applied
 * when it is returned; without `body.documentContent` that document is sent.
 *
 * With `body.runId`, at a route with a log, a stream that is cut is continued: no event comes twice, and none is lost.
 * With `lastEventId` the run is continued from there, for instance after the page was loaded again.
 *
 * @throws CopydeskError for an error of the route, with its code; `stream_cut` if the stream ends before the run does;
 * `document_changed` if somebody else has changed the document during the run: nothing more is applied then.
 */
export async function* streamDocAgentChat(
  url: string | URL,
  body: ChatBody & Record<string, unknown>,
  options: ChatStreamOptions = {},
): AsyncGenerator<AgentEvent, void, undefined> {
  check(isObject(body), "body", body, "an object with message and llmConfig");
  const locale = localeOf(options.locale);
  const copy = options.document === undefined ? undefined : new Copy(documentOf(options.document), locale);
  const documentContent = body.documentContent ?? copy?.document.toHTML();
  const connection = new Connection(
    url,
    { ...body, ...(documentContent !== undefined && { documentContent }) },
    options,
  );
  let isOver = false;
  try {
    for await (const event of connection.events(locale)) {
      await copy?.follow(event);
      isOver = isEnd(event);
      yield event;
    }
  } finally {
    if (!isOver) connection.stop();
  }
}

/** The requests of one run. */
class Connection {
  readonly #url: string | URL;
  readonly #body: ChatBody;
  readonly #options: ChatStreamOptions;
  readonly #fetch: typeof globalThis.fetch;
  readonly #headers: Record<string, string>;
  #last: number | undefined;

  constructor(url: string | URL, body: ChatBody, options: ChatStreamOptions) {
    this.#url = url;
    this.#body = body;
    this.#options = options;
    this.#fetch = options.fetch ?? ((...given) => globalThis.fetch(...given));
    this.#last = options.lastEventId;
    const { headers, runToken = newToken() } = options;
    this.#headers = { ...(body.runId !== undefined && { [TOKEN_HEADER]: runToken }), ...headers };
  }

  /** True if the last answer was that of a server that is not there at the moment, for a run with an id. */
  #isUnavailable = false;

  /** Returns the events up to the end of the run, over several streams if one is cut. */
  async *events(locale: Locale): AsyncGenerator<AgentEvent, void, undefined> {
    for (let attempt = 0; ; attempt++) {
      let cut: unknown = textError("stream_cut", locale);
      try {
        for await (const event of eventsOf(await this.#open(locale))) {
          attempt = 0;
          this.#last = event.seq;
          yield event;
          if (isEnd(event)) return;
        }
      } catch (thrown) {
        // The errors of a route are final, unless it or its log is not there at the moment; a connection fails with a
        // TypeError.
        const isFinal = thrown instanceof CopydeskError && !this.#isUnavailable;
        if (isFinal || this.#options.signal?.aborted) throw thrown;
        cut = thrown;
      }
      if (this.#body.runId === undefined || attempt >= ATTEMPTS) throw cut;
      await new Promise((resolve) => setTimeout(resolve, attempt && 100 * 2 ** attempt));
    }
  }

  /** Stops the run of a route with a log. Without one, the end of the connection stops it. */
  stop(): void {
    const { runId } = this.#body;
    if (runId === undefined) return;
    const [target = ""] = String(this.#url).split("#");
    const url = `${target}${target.includes("?") ? "&" : "?"}run=${encodeURIComponent(runId)}`;
    // A run that is not there needs no stop.
    this.#fetch(url, { method: "DELETE", keepalive: true, headers: this.#headers }).catch(() => {});
  }

  async #open(locale: Locale): Promise<ReadableStream<Uint8Array>> {
    const { signal } = this.#options;
    const response = await this.#fetch(this.#url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream",
        ...(this.#last !== undefined && { "last-event-id": String(this.#last) }),
        ...this.#headers,
      },
      body: JSON.stringify(this.#body),
      ...(signal && { signal }),
    });
    // A request with the id of its run begins it once, however often it is sent.
    this.#isUnavailable = this.#body.runId !== undefined && UNAVAILABLE.includes(response.status);
    if (!response.ok || !response.body) throw await failure(response, locale);
    return response.body;
  }
}

/** Returns the events of a stream. Cancels the stream if they are not read to the end. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<AgentEvent, void, undefined> {
  const events = new ServerEventReader();
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read())
      for (const { data } of events.read(read.value)) yield JSON.parse(data) as AgentEvent;
  } finally {
    // A stream that has failed cannot be cancelled.
    reader.cancel().catch(() => {});
  }
}

/** A copy of the route's document. */
class Copy {
  readonly document: Document;
  readonly #locale: Locale;
  #version: string;

  constructor(document: Document, locale: Locale) {
    this.document = document;
    this.#locale = locale;
    this.#version = document.version;
  }

  /** Applies an update. Its lines and sections are those of the document as the route has it. */
  async follow(event: AgentEvent): Promise<void> {
    if (event.type !== "doc_update" || event.pending) return;
    const apply = () => {
      if (this.document.version !== this.#version) throw textError("document_changed", this.#locale);
      this.#version = this.document.apply(event).version;
    };
    try {
      apply();
    } catch (thrown) {
      if (!(thrown instanceof CopydeskError && thrown.code === "markdown_not_loaded")) throw thrown;
      await loadMarkdown();
      apply();
    }
  }
}

function textError(
  code: keyof LanguageWords["chat"],
  locale: Locale,
  details: Record<string, unknown> = {},
): CopydeskError {
  const message = wordsOf("chat", { en, "zh-CN": zh }, locale)[code];
  return new CopydeskError({ code, message, details });
}

/** Returns the error that a route has answered with. */
async function failure(response: Response, locale: Locale): Promise<CopydeskError> {
  const { status } = response;
  const text = await response.text();
  try {
    const { error, code, details } = JSON.parse(text) as Record<string, unknown>;
    if (typeof error === "string" && typeof code === "string")
      return new CopydeskError({ code, message: error, details: { ...(details as object), status } });
  } catch {
    // Not JSON: the answer of another server.
  }
  return textError("bad_answer", locale, { status, answer: text.slice(0, 200) });
}
