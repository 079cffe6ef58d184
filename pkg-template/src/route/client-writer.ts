/** Writers of the events of a run for one client. */

import type { AgentEvent } from "../types/index.js";
import type { EventWriter } from "./formats/format.js";
import { isLast } from "./run-end.js";
import type { LoggedEvent } from "./run-log.js";
import type { WaitingEvent } from "./waiting.js";

export type RunEvent = AgentEvent | WaitingEvent;

/** An event on its way to the log and to clients. One that comes from the log has its text only. */
export interface Entry extends LoggedEvent {
  readonly event?: RunEvent;
}

/** The last part of an event that a client has. */
export interface EventId {
  readonly seq: number;
  readonly part: number;
}

/** The id before the first event. */
export const BEGINNING: EventId = { seq: -1, part: Infinity };

/** Reads an id as `TextWriter` writes it, or with parts, as `PartWriter` does. */
export function eventIdIn(text: string, hasParts: boolean): EventId | undefined {
  const [, seq, part] = /^(-?\d{1,15})(?:\.(\d{1,15}))?$/.exec(text) ?? [];
  if (seq === undefined || (part !== undefined && !hasParts)) return undefined;
  return { seq: Number(seq), part: part === undefined ? Infinity : Number(part) };
}

/** Returns an event as the log has it. */
export function textOf(event: RunEvent): string {
  return `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}

const DATA = "\ndata: ";

/** Returns an event of the log. */
export function eventOf({ event, text }: Entry): RunEvent {
  return event ?? (JSON.parse(text.slice(text.indexOf(DATA) + DATA.length)) as RunEvent);
}

export interface ClientWriter {
  /** The number of the event after which the writer needs those of the log. */
  readonly after: number;
  /** The last event that the client had. */
  readonly last: EventId;
  /** Returns events as server-sent events. */
  write(entries: readonly Entry[]): string;
}

/** Writes events as the log has them. */
export class TextWriter implements ClientWriter {
  readonly after: number;

  constructor(readonly last: EventId) {
    this.after = last.seq;
  }

  write(entries: readonly Entry[]): string {
    return entries.map(({ text }) => text).join("");
  }
}

/** Writes the events of a run without a log. */
export class PlainWriter implements ClientWriter {
  readonly after = -1;
  readonly last = BEGINNING;
  readonly #writer: EventWriter;

  constructor(writer: EventWriter) {
    this.#writer = writer;
  }

  write(entries: readonly Entry[]): string {
    let text = "";
    for (const entry of entries) text += this.#writer.write(eventOf(entry));
    return text;
  }
}

/** Tells a client of `resumableFetch` that the stream is whole. */
export const END = ": end\n\n";

/**
 * Writes events in a format that makes several server-sent events of one, or none: each of them has an id. The format
 * depends on all earlier events, so those of the log are written again, and dropped up to the last that the client
 * has.
 */
export class PartWriter implements ClientWriter {
  readonly after = -1;
  readonly #writer: EventWriter;

  constructor(
    writer: EventWriter,
    readonly last: EventId,
  ) {
    this.#writer = writer;
  }

  write(entries: readonly Entry[]): string {
    return entries.map((entry) => this.#parts(eventOf(entry))).join("");
  }

  #parts(event: RunEvent): string {
    const { seq, part } = this.last;
    const parts = this.#writer.write(event).split(/(?<=\n\n)/);
    const isNew = (at: number) => event.seq > seq || (event.seq === seq && at > part);
    const numbered = parts.map((text, at) => (text && isNew(at) ? `id: ${event.seq}.${at}\n${text}` : ""));
    return numbered.join("") + (isLast(event) ? END : "");
  }
}
