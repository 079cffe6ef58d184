/** Runs that wait for nothing but the user's approval. */

import type { Agent } from "../agent/agent.js";
import type { ToolCall } from "../types/index.js";
import { openCallsIn } from "./conversation.js";

/**
 * The end of a stream whose run waits for approval. The request that answers it continues the run; it has to bring the
 * calls and `shown`.
 */
export interface WaitingEvent {
  readonly type: "waiting";
  readonly seq: number;
  /** The calls without a result. */
  readonly calls: readonly ToolCall[];
  /** The ids of those that wait for approval; the others wait for them. */
  readonly approvals: readonly string[];
  /** The parts of the document to which the calls refer, for a document that changes until then. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** The signature of the request, of a route with `approvalSecret`: the answer has to bring it, too. */
  readonly signature?: string;
}

/**
 * Calls `waits` when a run of the agent does nothing but wait for approval. Returns the function that ends this.
 *
 * A task later than the event: the calls of an answer start together, and another one may still begin.
 */
export function onWaiting(agent: Agent, waits: (waiting: Omit<WaitingEvent, "seq">) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const unsubscribe = agent.subscribe(({ type }) => {
    if (type !== "approval_request" && type !== "tool_result") return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const waiting = waitingOf(agent);
      if (waiting) waits(waiting);
    });
  });
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}

/** Returns what the agent waits for, if it waits for nothing but approval. */
export function waitingOf(agent: Agent): Omit<WaitingEvent, "seq"> | undefined {
  const { waitingForApproval: approvals, pendingToolCalls, messages } = agent.state;
  if (!approvals.length || [...pendingToolCalls].some((id) => !approvals.includes(id))) return undefined;
  return { type: "waiting", ...openCallsIn(messages), approvals };
}
