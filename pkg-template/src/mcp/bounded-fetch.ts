/** A `fetch` for servers that are not trusted: it bounds what they send. */

import { LARGEST_MESSAGE } from "./limits.js";

/** A message of a server was larger than the limit. */
export class TooLarge extends Error {
  constructor() {
    super(`more than ${LARGEST_MESSAGE} bytes in one message`);
    this.name = "TooLarge";
  }
}

/** The failures of requests. An exception of a fault in the code may be a TypeError, too. */
const failures = new WeakSet<object>();

/** Returns true if a request failed with this error: it got no response, or its connection broke. */
export function isFailedRequest(error: object): boolean {
  return failures.has(error);
}

/** Events of the requests to a server. */
export interface FetchObserver {
  /** A message was too large. Its stream has failed; calls that wait for it would wait on. */
  tooLarge(): void;
  /** The server does not know the session of its notifications any more. */
  sessionLost(): void;
  /** The response to a message has arrived. */
  responded(response: Response): void;
}

/** Returns `base` with bounded bodies. A stream of events may be endless, but not an event. */
export function boundedFetch(base: typeof fetch, observer: FetchObserver): typeof fetch {
  // A GET that fails says nothing about the session unless one has succeeded: it is optional for servers.
  let hasListened = false;
  return async (input, init) => {
    const failed = rememberUnlessAborted(init?.signal);
    const response = await base(input, init).catch(failed);
    const isListening = (init?.method ?? "GET") === "GET";
    if (isListening && response.ok) hasListened = true;
    if (isListening && response.status === 404 && hasListened) observer.sessionLost();
    if (!isListening) observer.responded(response);
    if (!response.body || response.status < 200) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    const { status, statusText, headers, url, redirected } = response;
    const body = bounded(response.body, isStream, observer, failed);
    const copy = new Response(body, { status, statusText, headers });
    // The client compares them to find redirects.
    return Object.defineProperties(copy, { url: { value: url }, redirected: { value: redirected } });
  };
}

/** Returns a function that remembers an error of a request, and throws it. */
function rememberUnlessAborted(signal: AbortSignal | null | undefined): (error: unknown) => never {
  return (error) => {
    if (!signal?.aborted && typeof error === "object" && error !== null) failures.add(error);
    throw error;
  };
}

/** Returns a body that fails when it, or an event of a stream, is longer than the limit. */
function bounded(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  isStream: boolean,
  observer: FetchObserver,
  failed: (error: unknown) => never,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  let length = 0;
  let isAtLineStart = false;
  return new ReadableStream({
    async pull(controller) {
      const { done, value: chunk } = await reader.read().catch(failed);
      if (done) return controller.close();
      length += chunk.length;
      if (isStream) {
        // An event ends with an empty line. Line feeds, carriage returns and both in a row end a line.
        for (let at = 0; at < chunk.length; at++) {
          const isBreak = chunk[at] === 10 || chunk[at] === 13;
          if (isBreak && isAtLineStart) length = chunk.length - at;
          isAtLineStart = isBreak;
        }
      }
      if (length <= LARGEST_MESSAGE) return controller.enqueue(chunk);
      if (isStream) observer.tooLarge();
      const error = new TooLarge();
      void reader.cancel(error).catch(() => {});
      throw error;
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
