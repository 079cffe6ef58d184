/** Validation of stored suggestions, places and decisions: any peer of the room may have written them. */

import { isObject } from "../base/json.js";
import { isDeeper } from "../route/json-depth.js";
import type { Author, NodeJSON } from "../types/index.js";
import type { Anchor, Place, Span } from "./anchors.js";

/** The version of the stored form. */
export const VERSION = 1;
/** The longest JSON of a suggestion, in UTF-16 code units. */
const LONGEST = 2_000_000;
/** The deepest nesting of content. */
const DEEPEST = 200;
/** The largest number of undecided suggestions that are read. */
export const MOST = 10_000;
const LONGEST_NAME = 200;
const LONGEST_TEXT = 2_000;
const MOST_IDS = 200;

export interface Entry {
  id: string;
  content: NodeJSON[];
  /** The content of the range when the suggestion was made. */
  original: NodeJSON[];
  /** Ids of the suggestions that are decided with it. */
  linked: string[];
  toolIds: string[];
  instruction?: string;
  author?: Author;
  /** The time at which it was made, in milliseconds. */
  time: number;
  /** The digest of the content that this content has replaced. */
  before?: string;
  /** The digests of the suggestions that became a part of it, by their ids. */
  merged?: Record<string, string>;
}

/** A suggestion, the same for all participants of the room. */
export interface Suggestion {
  id: string;
  /** `pending`: a hunk of the editor. `waiting`: another suggestion for the same text is decided first. `void`: the
   * document already has the suggested content. `orphaned`: the text that it was made for was deleted. */
  state: "pending" | "waiting" | "void" | "orphaned";
  author: Author;
  /** The time at which it was made, in milliseconds since 1970 by the clock of its author. */
  time: number;
  instruction?: string;
  /** The suggested content, and the content that it replaces. */
  content: readonly NodeJSON[];
  original: readonly NodeJSON[];
  linked: readonly string[];
}

/** A decision of one participant. */
export interface Verdict {
  outcome: "accepted" | "rejected" | "both";
  /** The digest of the content that was decided. */
  of?: string;
  by?: Author;
  time: number;
}

/** The reason for which a stored suggestion is ignored. */
export type IgnoredReason = "version" | "damaged" | "too_large" | "too_many";

export function isId(id: unknown): id is string {
  return typeof id === "string" && /^h[1-9]\d{0,18}$/.test(id);
}

/** Reads a stored suggestion. */
export function readEntry(id: string, value: unknown): Entry | IgnoredReason {
  if (!isId(id) || !isObject(value)) return "damaged";
  const given = value as Record<string, unknown>;
  if (given.v !== VERSION) return typeof given.v === "number" ? "version" : "damaged";
  const text = textOf(given);
  if (text === undefined) return "damaged";
  if (text.length > LONGEST) return "too_large";
  if (isDeeper(text, DEEPEST) || !Array.isArray(given.content) || !Array.isArray(given.original)) return "damaged";
  const { content, original, time } = given;
  const entry: Entry = {
    id,
    content: content as NodeJSON[],
    original: original as NodeJSON[],
    linked: ids(given.linked).filter(isId),
    toolIds: ids(given.toolIds),
    time: typeof time === "number" && Number.isFinite(time) ? time : 0,
  };
  if (typeof given.instruction === "string") entry.instruction = given.instruction.slice(0, LONGEST_TEXT);
  const author = readAuthor(given.author);
  if (author) entry.author = author;
  if (typeof given.before === "string") entry.before = given.before;
  if (isObject(given.merged)) entry.merged = given.merged as Record<string, string>;
  return entry;
}

/** Reads a stored place. `root` is the name of the fragment. */
export function readPlace(value: unknown, root: string | undefined): Place | undefined {
  if (!isObject(value)) return undefined;
  const { from, to } = value as Record<string, unknown>;
  return isAnchor(from, root) && isAnchor(to, root) ? { from, to } : undefined;
}

/** Only `root` is accepted as a name: Yjs would create a type of any other name in the document. */
function isAnchor(value: unknown, root: string | undefined): value is Anchor {
  if (!isObject(value)) return false;
  const { type, tname, item, assoc } = value as Record<string, unknown>;
  const isYjsId = (id: unknown) => isObject(id) && isCount((id as Anchor).client) && isCount((id as Anchor).clock);
  return (
    (type == null || isYjsId(type)) &&
    (tname == null || (root !== undefined && tname === root)) &&
    (item == null || isYjsId(item)) &&
    (assoc == null || assoc === 0 || assoc === -1) &&
    (type != null || tname != null || item != null)
  );
}

/** Reads a decision. */
export function readVerdict(value: unknown): Verdict | undefined {
  if (!isObject(value)) return undefined;
  const { v, outcome, by, time, of } = value as Record<string, unknown>;
  if (v !== VERSION || (outcome !== "accepted" && outcome !== "rejected" && outcome !== "both")) return undefined;
  const author = readAuthor(by);
  const known = { ...(author && { by: author }), ...(typeof of === "string" && { of }) };
  return { outcome, time: typeof time === "number" ? time : 0, ...known };
}

/** Reads the items that an acceptance has inserted. */
export function readSpans(value: unknown): Span[] | undefined {
  const isSpan = (span: unknown): span is Span =>
    Array.isArray(span) && span.length === 2 && isCount(span[0]) && isCount(span[1]) && span[1] > 0;
  return Array.isArray(value) && value.length <= 100_000 && value.every(isSpan) ? value : undefined;
}

/** Reads an author. Names are not HTML: they must be shown as text. */
export function readAuthor(value: unknown): Author | undefined {
  if (!isObject(value)) return undefined;
  const given = value as Record<string, unknown>;
  const author: Author = { kind: given.kind === "agent" ? "agent" : "person", name: "" };
  for (const key of ["id", "name", "model"] as const) {
    const text = given[key];
    if (typeof text === "string") author[key] = text.slice(0, LONGEST_NAME);
  }
  if (isColor(given.color)) author.color = given.color;
  return author;
}

/** Returns a number of 53 bits that differs for different content, as text. It does not protect against forgery. */
export function digestOf(content: readonly unknown[]): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  const text = JSON.stringify(content);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  return ((high >>> 0) * 0x200000 + ((low ^ (low >>> 15)) & 0x1fffff)).toString(36);
}

/** Returns true if an author is a user. */
export function isSame(author: Author | undefined, user: Author): boolean {
  if (author?.kind !== user.kind) return false;
  return user.id === undefined ? author.id === undefined && author.name === user.name : author.id === user.id;
}

/** Returns true for a CSS color that is safe within a style: a name, hexadecimal, `rgb()` or `hsl()`. */
function isColor(color: unknown): color is string {
  return typeof color === "string" && /^(#[0-9a-f]{3,8}|[a-z]{3,20}|(rgb|hsl)a?\([\d\s.,%/deg]{3,40}\))$/i.test(color);
}

function ids(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MOST_IDS).filter((id) => typeof id === "string" && id.length <= LONGEST_NAME) as string[];
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
