/**
 * Stored comments as flat entries: one for each thread, each reply and each resolution, so that nothing that two people
 * do at the same time is lost. Any peer may have written them.
 *
 * | key | value |
 * |---|---|
 * | `<thread>` | the first comment, with the text of the range |
 * | `<thread>/<comment>` | a reply |
 * | `<thread>/state` | whether it is resolved, by whom |
 */

import { isObject } from "../base/json.js";
import { readAuthor } from "../suggestions/entry.js";
import type { Author } from "../types/index.js";

/** The version of the stored form. */
const VERSION = 1;
/** The longest text of a comment, in UTF-16 code units. */
export const LONGEST = 20_000;
/** The longest text of a range that is stored. */
const LONGEST_QUOTE = 500;
/** The largest number of threads, and of replies in one, that are read. */
const MOST = 2_000;
const MOST_CHANGES = 50;
const LONGEST_ID = 200;

/** The reason for which a stored comment is ignored. */
export type IgnoredCommentReason = "version" | "damaged" | "too_large" | "too_many";

export interface IgnoredComment {
  id: string;
  reason: IgnoredCommentReason;
}

/** A comment as it is stored. */
export interface StoredComment {
  author: Author;
  time: number;
  text: string;
  changes: readonly string[];
}

export interface StoredThread extends StoredComment {
  id: string;
  quote: string;
  replies: readonly (StoredComment & { id: string })[];
  resolution: { isResolved: boolean; by: Author; changes: readonly string[] } | undefined;
}

/** The storage of entries: a `Y.Map`, or a `Map` of the page. */
export interface EntryMap {
  get(key: string): unknown;
  set(key: string, value: unknown): unknown;
  keys(): Iterable<string>;
  readonly size: number;
}

/** Returns a new id of a thread or comment. */
export function newCommentId(): string {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return `c${high.toString(36)}${low.toString(36)}`.slice(0, 11);
}

export function isCommentId(id: unknown): id is string {
  return typeof id === "string" && /^c[0-9a-z]{1,20}$/.test(id);
}

/** Returns an entry as it is stored. */
export function entryOf(value: {
  author: Author;
  text?: string;
  quote?: string;
  isResolved?: boolean;
  changes?: readonly string[] | undefined;
}): Record<string, unknown> {
  const { quote, changes, ...rest } = value;
  return {
    v: VERSION,
    ...rest,
    time: Date.now(),
    ...(quote !== undefined && { quote: quote.slice(0, LONGEST_QUOTE) }),
    ...(changes?.length && { changes: [...changes].slice(0, MOST_CHANGES) }),
  };
}

/** Returns the threads in the order in which they were made, and what cannot be read. */
export function readThreads(entries: EntryMap): { threads: StoredThread[]; ignored: IgnoredComment[] } {
  const ignored: IgnoredComment[] = [];
  const threads = new Map<string, StoredThread>();
  const others: [thread: string, part: string, key: string][] = [];
  for (const key of entries.keys()) {
    const [id = "", part, ...rest] = key.slice(0, LONGEST_ID).split("/");
    const isKey = isCommentId(id) && !rest.length && (part === undefined || part === "state" || isCommentId(part));
    if (!isKey) ignored.push({ id: key.slice(0, 100), reason: "damaged" });
    else if (part !== undefined) others.push([id, part, key]);
    else {
      const value = entries.get(key);
      const read = readComment(value);
      if (typeof read === "string") ignored.push({ id, reason: read });
      else threads.set(id, { ...read, id, quote: quoteOf(value), replies: [], resolution: undefined });
    }
  }
  const replies = new Map<string, (StoredComment & { id: string })[]>();
  for (const [id, part, key] of others) {
    const thread = threads.get(id);
    // Its thread may not have arrived yet.
    if (!thread) continue;
    const value = entries.get(key);
    if (part === "state") {
      thread.resolution = readResolution(value);
      continue;
    }
    const read = readComment(value);
    if (typeof read === "string") ignored.push({ id: key, reason: read });
    else replies.set(id, [...(replies.get(id) ?? []), { ...read, id: part }]);
  }
  const order = (a: { time: number; id: string }, b: { time: number; id: string }) =>
    a.time - b.time || (a.id < b.id ? -1 : 1);
  const shortened = <T extends { id: string; time: number }>(all: T[], prefix = ""): T[] => {
    all.sort(order);
    for (const { id } of all.slice(MOST)) ignored.push({ id: prefix + id, reason: "too_many" });
    return all.slice(0, MOST);
  };
  const read = shortened([...threads.values()]);
  for (const thread of read) thread.replies = shortened(replies.get(thread.id) ?? [], `${thread.id}/`);
  return { threads: read, ignored };
}

function readComment(value: unknown): StoredComment | IgnoredCommentReason {
  if (!isObject(value)) return "damaged";
  const { v, author, time, text, changes } = value as Record<string, unknown>;
  if (v !== VERSION) return typeof v === "number" ? "version" : "damaged";
  if (typeof text !== "string") return "damaged";
  if (text.length > LONGEST) return "too_large";
  return { author: authorOf(author), time: timeOf(time), text, changes: changesOf(changes) };
}

function readResolution(value: unknown): StoredThread["resolution"] {
  if (!isObject(value)) return undefined;
  const { v, isResolved, author, changes } = value as Record<string, unknown>;
  if (v !== VERSION || typeof isResolved !== "boolean") return undefined;
  return { isResolved, by: authorOf(author), changes: changesOf(changes) };
}

function authorOf(value: unknown): Author {
  return readAuthor(value) ?? { kind: "person", name: "" };
}

function timeOf(time: unknown): number {
  // A time that no date has could not be shown.
  return typeof time === "number" && Math.abs(time) <= 8.64e15 ? time : 0;
}

function quoteOf(value: unknown): string {
  const { quote } = value as { quote?: unknown };
  return typeof quote === "string" ? quote.slice(0, LONGEST_QUOTE) : "";
}

function changesOf(changes: unknown): string[] {
  if (!Array.isArray(changes)) return [];
  return changes.slice(0, MOST_CHANGES).filter((id) => typeof id === "string" && id.length <= LONGEST_ID) as string[];
}
