/** The record of accepted text of an agent. Any peer of a room may have written it. */

import { isObject } from "../base/json.js";
import { readAuthor } from "../suggestions/entry.js";
import type { Author } from "../types/index.js";

/** The version of the stored form. */
const VERSION = 1;
const LONGEST = 2_000;
const MOST_SOURCES = 100;

/** An acceptance of text that an agent wrote. */
export interface AuthorshipRecord {
  id: string;
  /** The agent: its name and, if they are known, its id and model. */
  agent: Author;
  /** The provider of the model. */
  provider?: string;
  /** The turn of the agent. */
  turn?: string;
  /** When the text came into the document, in milliseconds since 1970. */
  time: number;
  /** The user who accepted it; `undefined` if nobody was asked. */
  acceptedBy?: Author;
  /** The URLs that the agent had read. */
  sources: readonly string[];
}

/** A range of accepted text of an agent. */
export interface AuthoredRange extends Omit<AuthorshipRecord, "id"> {
  from: number;
  to: number;
}

/** Reads a stored record. */
export function readRecord(id: string, value: unknown): AuthorshipRecord | undefined {
  if (!isObject(value) || id.length > 100) return undefined;
  const { v, agent, provider, turn, time, acceptedBy, sources } = value as Record<string, unknown>;
  const author = readAuthor(agent);
  if (v !== VERSION || !author) return undefined;
  const by = readAuthor(acceptedBy);
  const text = (given: unknown) => (typeof given === "string" ? given.slice(0, LONGEST) : undefined);
  const [from, of] = [text(provider), text(turn)];
  return {
    id,
    agent: author,
    ...(from !== undefined && { provider: from }),
    ...(of !== undefined && { turn: of }),
    time: typeof time === "number" && Number.isFinite(time) ? time : 0,
    ...(by && { acceptedBy: by }),
    sources: (Array.isArray(sources) ? sources : []).slice(0, MOST_SOURCES).flatMap((one) => text(one) ?? []),
  };
}

/** Returns a record as it is stored. */
export function storedRecord({ id: _, ...record }: AuthorshipRecord): Record<string, unknown> {
  return { v: VERSION, ...record };
}
