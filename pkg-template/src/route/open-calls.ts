/** Calls of an interrupted run whose results its clients do not have. */

import type { AgentEvent, Message, ToolCall } from "../types/index.js";
import { eventOf } from "./client-writer.js";
import type { LoggedEvent, RunState } from "./run-log.js";

type ResultEvent = Extract<AgentEvent, { type: "tool_result" }>;

/** The calls of the last answer of an interrupted run. */
export class OpenCalls {
  readonly #calls: ToolCall[];
  /** Those that have edited the document, by the log. */
  readonly #edited = new Set<string>();
  /** Those whose results clients do not have. */
  readonly #open: Set<string>;

  constructor(messages: readonly Message[], events: readonly LoggedEvent[]) {
    const answer = messages.findLast(({ role }) => role === "assistant");
    const content = answer?.role === "assistant" ? answer.content : [];
    this.#calls = content.filter((part): part is ToolCall => part.type === "toolCall");
    this.#open = new Set(this.#calls.map(({ id }) => id));
    for (const entry of this.#open.size ? events : []) {
      const event = eventOf(entry);
      if (event.type === "tool_result") this.#open.delete(event.toolId);
      if (event.type === "doc_update" && !event.pending) this.#edited.add(event.toolId);
    }
  }

  /** Returns the state with results of edits that were made, so that they are not made again. */
  settled(state: RunState): RunState {
    const has = new Set(resultsIn(state.messages).map(({ id }) => id));
    const lost = this.#calls.filter(({ id }) => this.#edited.has(id) && !has.has(id));
    const results = lost.map(({ id, name }): Message => {
      return { role: "toolResult", toolCallId: id, toolName: name, content: { success: true }, isError: false };
    });
    return { ...state, messages: [...state.messages, ...results] };
  }

  /** Returns the events of those that have a result when the agent continues, without running them. */
  answered(messages: readonly Message[], seq: () => number): ResultEvent[] {
    if (this.#open.size === 0) return [];
    const results = resultsIn(messages).filter(({ id }) => this.#open.delete(id));
    this.#open.clear();
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
