/** The end of a run. */

import type { AgentEvent } from "../types/index.js";
import type { WaitingEvent } from "./waiting.js";

export type EndEvent = Extract<AgentEvent, { type: "complete" | "aborted" | "error" }>;

/** Returns whether an event is the last one of its run. */
export function isEnd(event: AgentEvent | WaitingEvent): event is EndEvent {
  return event.type === "complete" || event.type === "aborted" || event.type === "error";
}

/** Returns whether an event is the last one of its stream. */
export function isLast(event: AgentEvent | WaitingEvent): boolean {
  return event.type === "waiting" || isEnd(event);
}

/** Returns whether an event belongs to a call that has begun: the answer of the model is whole then. */
export function isOfCall({ type }: AgentEvent | WaitingEvent): boolean {
  return type === "approval_request" || type === "tool_use" || type === "doc_update" || type === "tool_result";
}
