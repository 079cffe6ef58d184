/** The store of authorship: the page, or a shared document (`sharedAuthorship` of `copydesk/suggestions`). */

import type { Node } from "@tiptap/pm/model";
import { isObject } from "../base/json.js";
import type { RecordRange, RecordRanges } from "./ranges.js";
import { readRecord, storedRecord, type AuthorshipRecord } from "./record.js";

export interface AuthorshipCarrier {
  readonly isShared: boolean;
  records(): ReadonlyMap<string, AuthorshipRecord>;
  add(records: readonly AuthorshipRecord[]): void;
  /** Returns the stored ranges; `undefined` if they belong to another document. */
  find(doc: Node): RecordRange[] | undefined;
  /** Stores ranges of this page. */
  place(ranges: RecordRanges, doc: Node): void;
  /** Calls `changed` after each change by another participant. Returns the function that ends this. */
  observe(changed: () => void): () => void;
}

/** Authorship of a page as JSON: `editor.storage.authorship.stored`. */
export interface StoredAuthorship {
  records: Record<string, unknown>;
  ranges: readonly { from: number; to: number; id: string }[];
}

/** Returns a carrier of the page, with what was stored with the document. */
export function pageAuthorship(stored: StoredAuthorship | null): AuthorshipCarrier {
  const given = isObject(stored) ? (stored as Partial<StoredAuthorship>) : {};
  const records = new Map<string, AuthorshipRecord>();
  for (const [id, value] of Object.entries(isObject(given.records) ? given.records : {})) {
    const read = readRecord(id, value);
    if (read) records.set(id, read);
  }
  const isPosition = (at: unknown): at is number => Number.isSafeInteger(at) && (at as number) >= 0;
  const all = Array.isArray(given.ranges) ? (given.ranges as unknown[]) : [];
  const ranges = all.filter((range): range is RecordRange => {
    const { from, to, id } = (isObject(range) ? range : {}) as Partial<RecordRange>;
    return isPosition(from) && isPosition(to) && from < to && typeof id === "string" && records.has(id);
  });
  return {
    isShared: false,
    records: () => records,
    add: (added) => added.forEach((record) => records.set(record.id, record)),
    find: (doc) => ranges.filter(({ to }) => to <= doc.content.size),
    place: () => {},
    observe: () => () => {},
  };
}

/** Returns the records and ranges of an editor as JSON. */
export function asStored(records: ReadonlyMap<string, AuthorshipRecord>, ranges: RecordRanges): StoredAuthorship {
  const used = new Set(ranges.map(({ id }) => id));
  const kept = [...records].filter(([id]) => used.has(id)).map(([id, record]) => [id, storedRecord(record)]);
  return {
    records: Object.fromEntries(kept) as Record<string, unknown>,
    ranges: ranges.map((range) => ({ ...range })),
  };
}
