/** The connection from the agents of a document to the preview in its editor. */

import type { Document } from "../document/document.js";
import type { AgentEvent } from "../types/index.js";

/** The target of an unfinished call: the range `from`–`to` of the editor's document that would be replaced by
 * `content`. */
export interface PreviewTarget {
  from: number;
  to: number;
  /** The content so far. */
  content: string;
  format: "html" | "text";
}

/** Returns the target of a call from the arguments so far; null if it is not known yet. */
export type TargetResolver = (toolId: string) => PreviewTarget | null;

/** Receives every event of the agents of a document. */
export type PreviewListener = (event: AgentEvent, target: TargetResolver) => void;

const listeners = new WeakMap<Document, PreviewListener>();

export function subscribePreview(document: Document, listener: PreviewListener): () => void {
  listeners.set(document, listener);
  return () => listeners.delete(document);
}

export function previewListenerOf(document: Document): PreviewListener | undefined {
  return listeners.get(document);
}
