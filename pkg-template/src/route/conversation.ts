/** A conversation as a body of any format states it, and the messages that it consists of. */

import { kindOf } from "../agent/tool-kinds.js";
import { isObject } from "../base/json.js";
import type { AssistantMessage, Message, TextContent, ToolCall } from "../types/index.js";

/** The user's answer to a call that waits for approval. */
export interface Decision {
  readonly toolId: string;
  readonly approved: boolean;
  readonly reason?: string;
}

/** A conversation, and the next request. */
export interface Conversation {
  /** The user's message. A run without one continues with the calls of the last answer. */
  readonly message: unknown;
  readonly history: Message[];
  readonly decisions: readonly Decision[];
  /** The signature of the request for approval that is answered. */
  readonly signature?: string | undefined;
}

/** The calls of the last answer that have no result, and what they refer to. */
export interface OpenAnswer {
  readonly calls: readonly ToolCall[];
  readonly shown: Readonly<Record<string, unknown>>;
}

/** Returns the calls at the end of a conversation. Requests for approval state what they refer to. */
export function openCallsIn(messages: readonly Message[]): OpenAnswer {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const answer = messages[at];
  const after = messages.slice(at + 1);
  const isOver = (id: string) => after.some((message) => message.role === "toolResult" && message.toolCallId === id);
  const content = answer?.role === "assistant" ? answer.content : [];
  const calls = content.filter((part): part is ToolCall => part.type === "toolCall" && !isOver(part.id));
  const shown = after.flatMap((message) => (message.role === "approval" ? Object.entries(message.shown ?? {}) : []));
  return { calls, shown: Object.fromEntries(shown) };
}

/** Returns an answer of the model, or nothing if it is empty. */
export function answerOf(text: string, calls: readonly ToolCall[] = []): AssistantMessage[] {
  const said: TextContent[] = text.trim() ? [{ type: "text", text }] : [];
  if (!said.length && !calls.length) return [];
  return [{ role: "assistant", content: [...said, ...calls], stopReason: calls.length ? "tool_calls" : "stop" }];
}

/** Returns the result of a call. Content with a member `error` is a failure. */
export function resultOf({ id, name }: ToolCall, content: unknown): Message {
  const isError = isObject(content) && ("error" in content || (content as { success?: unknown }).success === false);
  // Results of tools for the document quote nobody else. Those of all others may be written by strangers.
  const untrusted = kindOf(name)?.subject !== "document";
  return { role: "toolResult", toolCallId: id, toolName: name, content, isError, ...(untrusted && { untrusted }) };
}

/** Returns a request for approval that waits. `shown` is what the calls of the answer refer to. */
export function requestOf({ id, name }: ToolCall, shown: unknown): Message {
  const request: Message = { role: "approval", toolCallId: id, toolName: name, decision: "pending" };
  return isObject(shown) ? { ...request, shown: shown as Record<string, unknown> } : request;
}

export function callOf(id: string, name: string, input: unknown): ToolCall {
  const isArguments = isObject(input) && !Array.isArray(input);
  return { type: "toolCall", id, name, arguments: isArguments ? (input as Record<string, unknown>) : {} };
}

/** Leaves out calls whose id another call of the same answer has: a result or a decision would be for both. */
export function withUniqueCalls(history: readonly Message[]): Message[] {
  const seen = new Set<string>();
  const isNew = (kind: string, id: string) => !seen.has(`${kind} ${id}`) && !!seen.add(`${kind} ${id}`);
  return history.filter((message) => {
    if (message.role === "toolResult" || message.role === "approval") return isNew(message.role, message.toolCallId);
    if (message.role !== "assistant") return true;
    seen.clear();
    message.content = message.content.filter((part) => part.type !== "toolCall" || isNew("call", part.id));
    return true;
  });
}
