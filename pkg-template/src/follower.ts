/** Who is shown what an agent is about to write into a document. */

import type { Document } from "./document.js";
import type { AgentEvent } from "./types.js";

/** Where the content of an unfinished call would stand: `from`–`to` of the editor's document would become `content`. */
export interface Place {
  from: number;
  to: number;
  /** As much of it as has arrived. */
  content: string;
  format: "html" | "text";
}

/** Finds the place for the arguments so far; null where there is none yet. */
export type Placer = (toolName: string, partial: Record<string, unknown>) => Place | null;

/** Is told every event of the agents that work on the document. */
export type Follower = (event: AgentEvent, place: Placer) => void;

const followers = new WeakMap<Document, Follower>();

export function follow(document: Document, follower: Follower): () => void {
  followers.set(document, follower);
  return () => followers.delete(document);
}

export function followerOf(document: Document): Follower | undefined {
  return followers.get(document);
}
