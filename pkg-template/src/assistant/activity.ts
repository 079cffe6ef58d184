/** The current activity of the assistant, as its events tell it. */

import type { AgentEvent } from "copydesk";
import type { Activity } from "./state.js";

/** Returns the activity after an event: null if it ends, undefined if it does not change. */
export function activityOf(event: AgentEvent): Activity | null | undefined {
  switch (event.type) {
    case "agent_start":
      return { is: "start" };
    case "turn_start":
      return { is: "model" };
    case "thinking_start":
      return { is: "thinking" };
    case "content":
      return { is: "answering" };
    case "approval_request":
      return { is: "approval" };
    case "tool_args":
    case "tool_use":
      return { is: "call", toolId: event.toolId };
    case "retry":
      return { is: "retry", due: performance.now() + event.delayMs, reason: event.reason };
    case "complete":
    case "aborted":
    case "error":
      return null;
    default:
      return undefined;
  }
}
