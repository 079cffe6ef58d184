/** Calls of an interrupted run without a result. */

import type { AgentEvent, Message } from "../types.js";

type ResultEvent = Extract<AgentEvent, { type: "tool_result" }>;

/**
 * The calls of the last answer that have no result. An agent that goes on gives those that may have run a result without
 * an event.
 */
export class OpenCalls {
  readonly #ids: Set<string>;

  constructor(messages: readonly Message[]) {
    const at = messages.findLastIndex(({ role }) => role === "assistant");
    const answer = messages[at];
    const calls = answer?.role === "assistant" ? answer.content : [];
    this.#ids = new Set(calls.flatMap((part) => (part.type === "toolCall" ? [part.id] : [])));
    for (const { id } of resultsIn(messages.slice(at))) this.#ids.delete(id);
  }

  /** Returns the events of those that have a result by now. `seq` numbers them. */
  answered(messages: readonly Message[], seq: () => number): ResultEvent[] {
    if (this.#ids.size === 0) return [];
    const results = resultsIn(messages).filter(({ id }) => this.#ids.delete(id));
    this.#ids.clear();
    return results.map(({ event }) => ({ ...event, seq: seq() }));
  }
}

function resultsIn(messages: readonly Message[]): { id: string; event: Omit<ResultEvent, "seq"> }[] {
  return messages.flatMap((message) => {
    if (message.role !== "toolResult") return [];
    const { toolCallId: id, toolName, content, isError } = message;
    return [{ id, event: { type: "tool_result" as const, toolId: id, toolName, content, isError } }];
  });
}
