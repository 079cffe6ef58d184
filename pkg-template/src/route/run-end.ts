/** The end of a run. */

import type { AgentEvent } from "../types.js";

export type EndEvent = Extract<AgentEvent, { type: "complete" | "aborted" | "error" }>;

/** Returns whether an event is the last one of its run. */
export function isEnd(event: AgentEvent): event is EndEvent {
  return event.type === "complete" || event.type === "aborted" || event.type === "error";
}
