/** A `fetch` that continues the stream of a run, for clients of other packages. */

import { routeIn } from "./arrival.js";
import { END } from "./client-writer.js";
import { newToken, RUN_HEADER, TOKEN_HEADER } from "./run-key.js";

export interface ResumableFetchOptions {
  /**
   * The secret by which runs can be continued and stopped: 16 to 200 letters, digits and `- . _ ~`. Keep it to read
   * the last run of a conversation after a reload. Default: a new one.
   */
  runToken?: string;
  /** Replaces `globalThis.fetch`. */
  fetch?: typeof globalThis.fetch;
}

/** Statuses of load balancers without an instance, and of a route without its log. */
const UNAVAILABLE: readonly number[] = [502, 503, 504];
/** The attempts in a row to continue, without a new event. */
const ATTEMPTS = 6;

/**
 * Creates a `fetch` for `DefaultChatTransport` of the AI SDK and `HttpAgent` of AG-UI, for a route with a log. If the
 * stream of a run is cut, it continues the run: nothing is repeated, and nothing is lost. An aborted request stops its
 * run.
 */
export function resumableFetch(options: ResumableFetchOptions = {}): typeof globalThis.fetch {
  const { runToken = newToken(), fetch = (...given) => globalThis.fetch(...given) } = options;
  return async (input, init = {}) => new ResumedRequest(input, init, runToken, fetch).response();
}

class ResumedRequest {
  readonly #url: string | URL | Request;
  readonly #init: RequestInit;
  readonly #headers: Headers;
  readonly #fetch: typeof globalThis.fetch;
  readonly #isRun: boolean;
  /** Attempts since the last event. */
  #attempt = 0;

  constructor(url: string | URL | Request, init: RequestInit, token: string, fetch: typeof globalThis.fetch) {
    this.#url = url;
    this.#init = init;
    this.#fetch = fetch;
    this.#isRun = init.method?.toUpperCase() === "POST";
    this.#headers = new Headers(init.headers);
    this.#headers.set(TOKEN_HEADER, token);
    if (this.#isRun) this.#headers.set(RUN_HEADER, crypto.randomUUID());
  }

  async response(): Promise<Response> {
    this.#init.signal?.addEventListener("abort", this.#stop, { once: true });
    const first = await this.#open();
    const id = first.headers.get(RUN_HEADER);
    // A run that is not in a log cannot be continued.
    if (!first.ok || !first.body || id === null) {
      this.#forget();
      return first;
    }
    // The last run of a conversation may be another one when the stream is opened again.
    this.#headers.set(RUN_HEADER, id);
    const events = this.#events(first.body);
    const body = new ReadableStream<Uint8Array>({
      pull: async (out) => {
        const { done, value } = await events.next();
        if (done) out.close();
        else out.enqueue(value);
      },
      cancel: async () => void (await events.return()),
    });
    return new Response(body, { status: first.status, headers: first.headers });
  }

  /** Requests the run, again while its servers are not there. */
  async #open(): Promise<Response> {
    for (;;) {
      const isLast = this.#attempt >= ATTEMPTS;
      try {
        const response = await this.#fetch(this.#url, { ...this.#init, headers: this.#headers });
        if (isLast || !UNAVAILABLE.includes(response.status)) return response;
        await response.body?.cancel();
      } catch (thrown) {
        if (isLast || this.#isAborted) throw thrown;
      }
      await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    const attempt = this.#attempt++;
    await new Promise((resolve) => setTimeout(resolve, attempt && 100 * 2 ** attempt));
  }

  /** Returns whole events up to the end of the run, over several streams if one is cut. */
  async *#events(first: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    const encoder = new TextEncoder();
    try {
      for (let body: ReadableStream<Uint8Array> | null = first; ; body = await this.#reopened()) {
        try {
          for await (const text of wholeEvents(body)) {
            this.#attempt = 0;
            const id = /^id: (.+)$/gm;
            for (const [, last] of text.matchAll(id)) this.#headers.set("last-event-id", last!);
            yield encoder.encode(text);
            if (text.endsWith(END)) return;
          }
        } catch (thrown) {
          if (this.#isAborted || this.#attempt >= ATTEMPTS) throw thrown;
        }
      }
    } finally {
      this.#forget();
    }
  }

  async #reopened(): Promise<ReadableStream<Uint8Array>> {
    if (this.#attempt >= ATTEMPTS) throw new TypeError("network error: the stream was cut");
    await this.#pause();
    const response = await this.#open();
    if (response.ok && response.body) return response.body;
    throw new TypeError(`network error: the stream was cut, and the answer to go on is ${response.status}`);
  }

  get #isAborted(): boolean {
    return this.#init.signal?.aborted === true;
  }

  /** The request is over: its signal stops nothing. */
  #forget(): void {
    this.#init.signal?.removeEventListener("abort", this.#stop);
  }

  /** Stops the run of a request that is aborted, if it is known. */
  readonly #stop = (): void => {
    const id = this.#headers.get(RUN_HEADER);
    if (id === null) return;
    const [target = ""] = String(this.#url instanceof Request ? this.#url.url : this.#url).split("#");
    const [path = "", query] = target.split("?");
    const more = query === undefined ? "" : `${query}&`;
    const url = `${this.#isRun ? path : routeIn(path)}?${more}run=${encodeURIComponent(id)}`;
    const { body: _body, signal: _signal, ...rest } = this.#init;
    // A run that is not there needs no stop.
    this.#fetch(url, { ...rest, method: "DELETE", keepalive: true, headers: this.#headers }).catch(() => {});
  };
}

/** Returns the text of a stream up to the end of each event. Cancels the stream if it is not read to the end. */
async function* wholeEvents(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string, void, undefined> {
  if (!body) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      rest += decoder.decode(read.value, { stream: true });
      const end = rest.lastIndexOf("\n\n") + 2;
      if (end < 2) continue;
      yield rest.slice(0, end);
      rest = rest.slice(end);
    }
  } finally {
    // A stream that has failed cannot be cancelled.
    reader.cancel().catch(() => {});
  }
}
