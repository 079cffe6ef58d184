/** Formats: how a body states the conversation, and how the events of a run are written. */

import type { AgentEvent } from "../../types/index.js";
import type { Body } from "../chat-body.js";
import type { Conversation } from "../conversation.js";
import type { Wrong } from "../errors.js";
import type { WaitingEvent } from "../waiting.js";

export interface StreamFormat {
  /** True if a client can answer calls that wait for approval. */
  readonly canApprove: boolean;
  /** True if its clients do not know of tokens: runs are logged if the app adds one to the request. */
  readonly needsToken: boolean;
  /** Headers besides those of every event stream. */
  readonly headers: Record<string, string>;
  /** Returns the members of the route's own, which the format may keep elsewhere. They are checked afterwards. */
  members(body: Body): Pick<Body, "documentContent" | "llmConfig" | "documentId" | "runId" | "toolArgs">;
  /** Returns the id of the conversation, if the format has one. */
  threadOf(body: Body): string | undefined;
  /** Returns what the log keeps of a body: without keys. */
  stored(body: Body): Partial<Body>;
  /** Reads the conversation. `wrong` throws the error about a member. */
  read(body: Body, wrong: Wrong): Conversation;
  /** Creates the writer of one run. */
  writer(run: WrittenRun): EventWriter;
}

/** The data of a run that its writer may use. */
export interface WrittenRun {
  readonly body: Body;
  /** The id of the run in the log. */
  readonly id: string | undefined;
  /** True for a client that has nothing of the run, such as a page that was loaded again. */
  readonly isReplay: boolean;
  /** The calls with which the run continues: the client has them. */
  readonly known: readonly string[];
  /** Returns the document, or nothing if its nodes are not known. */
  html(): string | undefined;
}

/** Writes the events of one run. */
export interface EventWriter {
  /** Returns an event as server-sent events; empty if the format has nothing for it. */
  write(event: AgentEvent | WaitingEvent): string;
}
