/** A `fetch` for servers that are not trusted: it bounds what they send. */

import { LARGEST_MESSAGE } from "./limits.js";

/** A message of a server was larger than the limit. */
export class TooLarge extends Error {
  constructor() {
    super(`more than ${LARGEST_MESSAGE} bytes in one message`);
    this.name = "TooLarge";
  }
}

/** Events of the requests to a server. */
export interface FetchObserver {
  /** A message was too large. Its stream has failed; calls that wait for it would wait on. */
  tooLarge(): void;
  /** The server does not know the session of its notifications any more. */
  sessionLost(): void;
  /** The response to a request has arrived. */
  responded(response: Response): void;
}

/** Returns `base` with bounded bodies. A stream of events may be endless, but not an event. */
export function boundedFetch(base: typeof fetch, observer: FetchObserver): typeof fetch {
  // A GET that fails says nothing about the session unless one has succeeded: it is optional for servers.
  let hasListened = false;
  return async (input, init) => {
    const response = await base(input, init);
    const isListening = (init?.method ?? "GET") === "GET";
    if (isListening && response.ok) hasListened = true;
    if (isListening && response.status === 404 && hasListened) observer.sessionLost();
    observer.responded(response);
    if (!response.body || response.status < 200) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    const { status, statusText, headers, url, redirected } = response;
    const body = response.body.pipeThrough(bounded(isStream, observer));
    const copy = new Response(body, { status, statusText, headers });
    // The client compares them to find redirects.
    return Object.defineProperties(copy, { url: { value: url }, redirected: { value: redirected } });
  };
}

/** Fails when a body, or an event of a stream, is longer than the limit. */
function bounded(
  isStream: boolean,
  observer: FetchObserver,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let length = 0;
  let isAtLineStart = false;
  return new TransformStream({
    transform(chunk, controller) {
      length += chunk.length;
      if (isStream) {
        // An event ends with an empty line. Line feeds, carriage returns and both in a row end a line.
        for (let at = 0; at < chunk.length; at++) {
          const isBreak = chunk[at] === 10 || chunk[at] === 13;
          if (isBreak && isAtLineStart) length = chunk.length - at;
          isAtLineStart = isBreak;
        }
      }
      if (length <= LARGEST_MESSAGE) {
        controller.enqueue(chunk);
        return;
      }
      if (isStream) observer.tooLarge();
      controller.error(new TooLarge());
    },
  });
}
