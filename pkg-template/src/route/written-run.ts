/** The format in which a run is written for its client, and the parts of a request about that. */

import type { Locale, Message } from "../types/index.js";
import type { ChatRequest } from "./body.js";
import { eventIdIn, PartWriter, PlainWriter, TextWriter, type ClientWriter, type EventId } from "./client-writer.js";
import { routeError } from "./errors.js";
import type { StreamFormat, WrittenRun } from "./formats/format.js";
import { FORMATS } from "./formats/index.js";
import { idIn, RUN_HEADER } from "./run-key.js";

export class RunWriting {
  constructor(
    readonly format: StreamFormat,
    private readonly locale: Locale,
  ) {}

  /** True if the format writes several server-sent events for one event. */
  get #hasParts(): boolean {
    return this.format !== FORMATS.copydesk;
  }

  /** Returns what the writer knows of a run: `key` is that of one in the log. */
  runOf(chat: ChatRequest, key: string | undefined, html: WrittenRun["html"]): Omit<WrittenRun, "isReplay"> {
    const isOpen = chat.message === undefined;
    const known = isOpen ? callsIn(chat.history.findLast(({ role }) => role === "assistant")) : [];
    return { body: chat.body, known, id: key && idIn(key), html };
  }

  /** Returns the writer for a client that has the events up to one. */
  writer(written: WrittenRun, after: EventId): ClientWriter {
    if (written.id === undefined) return new PlainWriter(this.format.writer(written));
    return this.#hasParts ? new PartWriter(this.format.writer(written), after) : new TextWriter(after);
  }

  /** Returns the headers of a stream. With the id of a run in the log the client can continue it. */
  headersOf(id: string | undefined): Record<string, string> {
    const { headers } = this.format;
    return id !== undefined && this.#hasParts ? { ...headers, [RUN_HEADER]: id } : headers;
  }

  /** Returns the last event that a client has, if it names one. */
  lastEventOf(request: Request): EventId | undefined {
    const given = request.headers.get("last-event-id");
    const id = given === null ? undefined : eventIdIn(given, this.#hasParts);
    if (given === null || id) return id;
    const wrong = { name: "last-event-id", given: given.slice(0, 100), expected: "the id of an event" };
    throw routeError("invalid_parameter", this.locale, wrong);
  }
}

/** Returns the ids of the calls of an answer. */
function callsIn(answer: Message | undefined): string[] {
  const content = answer?.role === "assistant" ? answer.content : [];
  return content.flatMap((part) => (part.type === "toolCall" ? [part.id] : []));
}
