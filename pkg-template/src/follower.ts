/** The connection from the agents on a document to the preview in its editor. */

import type { Document } from "./document.js";
import type { AgentEvent } from "./types.js";

/** The target of an unfinished call: `from`–`to` of the editor's document would become `content`. */
export interface Place {
  from: number;
  to: number;
  /** The content that has arrived. */
  content: string;
  format: "html" | "text";
}

/** Returns the place of a call, as far as its arguments have arrived; null where it has none yet. */
export type Placer = (toolId: string) => Place | null;

/** Is called with every event of the agents that work on the document. */
export type Follower = (event: AgentEvent, place: Placer) => void;

const followers = new WeakMap<Document, Follower>();

export function follow(document: Document, follower: Follower): () => void {
  followers.set(document, follower);
  return () => followers.delete(document);
}

export function followerOf(document: Document): Follower | undefined {
  return followers.get(document);
}
