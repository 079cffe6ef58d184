/** Formats: how a body states the conversation, and how the events of a run are written. */

import type { AgentEvent } from "../../types.js";
import type { Body } from "../chat-body.js";
import type { Conversation } from "../conversation.js";
import type { Wrong } from "../errors.js";
import type { WaitingEvent } from "../waiting.js";

export interface StreamFormat {
  /** True if a client can answer calls that wait for approval. */
  readonly canApprove: boolean;
  /** Returns the members of the route's own, which the format may keep elsewhere. They are checked afterwards. */
  members(body: Body): Pick<Body, "documentContent" | "llmConfig" | "documentId" | "runId" | "toolArgs">;
  /** Reads the conversation. `wrong` throws the error about a member. */
  read(body: Body, wrong: Wrong): Conversation;
  /** Creates the writer of one run. */
  writer(run: WrittenRun): EventWriter;
}

/** What a writer may know of its run. */
export interface WrittenRun {
  readonly body: Body;
  /** The calls that the run goes on with: the client has them. */
  readonly known: readonly string[];
  /** Returns the document. */
  html(): string;
}

/** Writes the events of one run. */
export interface EventWriter {
  /** Headers besides those of every event stream. */
  readonly headers: Record<string, string>;
  /** Returns an event as server-sent events; empty if the format has nothing for it. */
  write(event: AgentEvent | WaitingEvent): string;
}
