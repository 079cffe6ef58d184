/** Bodies as front ends send them. */

import type { LlmConfig } from "../types/index.js";
import type { HistoryEntry } from "./history.js";

/** The body of `POST`, as a front end sends it. */
export interface ChatBody {
  /** The user's message. */
  message: string;
  /** The document as HTML. Default: an empty document. */
  documentContent?: string;
  /** The conversation before the message. */
  history?: HistoryEntry[];
  /** The model. `streamOptions.baseUrl` defaults to the provider's own. Not needed if the route has one. */
  llmConfig?: ChatModel;
  /** Identifies the document, for `whenBusy`. */
  documentId?: string;
  /**
   * A new id for the run, such as `crypto.randomUUID()`, by which a client continues it after a disconnection, together
   * with its token.
   */
  runId?: string;
  /** The form of arguments that are still arriving, in `tool_args` events. Default: that of the route, `"delta"`. */
  toolArgs?: "delta" | "partial";
}

/** `llmConfig` of a body: the base URL may be left out. */
export type ChatModel = Omit<LlmConfig, "streamOptions"> & {
  streamOptions?: Omit<LlmConfig["streamOptions"], "baseUrl"> & { baseUrl?: string };
};

/** A body with further members of the app. */
export type Body = ChatBody & Record<string, unknown>;
