/** The conversation of a body as messages for the agent. */

import { isObject } from "../base/json.js";
import type { Message, ToolCall } from "../types/index.js";
import { answerOf, callOf, resultOf } from "./conversation.js";
import type { Wrong } from "./errors.js";

/** An earlier message, as a front end keeps it. */
export interface HistoryEntry {
  role: "user" | "assistant";
  content: string;
  /** The calls that led to an answer. */
  toolCalls?: { toolName: string; toolInput?: Record<string, unknown>; toolResult?: unknown }[];
}

/**
 * Converts a history. Each call gets an id and a result; the text of an answer follows its calls, as the model wrote it
 * after it had read the results.
 */
export function historyOf(given: unknown, wrong: Wrong): Message[] {
  if (given == null) return [];
  if (!Array.isArray(given)) return wrong("history", given, "an array of {role, content}");
  return given.flatMap((entry, at) => messagesOf(entry, at, wrong));
}

function messagesOf(entry: unknown, at: number, wrong: Wrong): Message[] {
  const name = `history[${at}]`;
  if (!isObject(entry)) return wrong(name, entry, "{role, content}");
  const { role, content, toolCalls } = entry as Partial<HistoryEntry>;
  if (role !== "user" && role !== "assistant") return wrong(`${name}.role`, role, '"user" or "assistant"');
  if (typeof content !== "string") return wrong(`${name}.content`, content, "a string");
  if (role === "user") return content.trim() ? [{ role, content }] : [];
  if (toolCalls != null && !Array.isArray(toolCalls)) return wrong(`${name}.toolCalls`, toolCalls, "an array");
  const calls = (toolCalls ?? []).map((call, index) =>
    readCall(call, `${name}.toolCalls[${index}]`, `call_${at}_${index}`, wrong),
  );
  const results = calls.map(({ call, result }) => resultOf(call, result));
  const called = calls.map(({ call }) => call);
  return [...answerOf("", called), ...results, ...answerOf(content)];
}

function readCall(given: unknown, name: string, id: string, wrong: Wrong): { call: ToolCall; result: unknown } {
  if (!isObject(given)) return wrong(name, given, "{toolName, toolInput, toolResult}");
  const {
    toolName,
    toolInput = {},
    toolResult = null,
  } = given as Partial<NonNullable<HistoryEntry["toolCalls"]>[number]>;
  if (typeof toolName !== "string" || !toolName)
    return wrong(`${name}.toolName`, toolName || undefined, "the name of a tool");
  if (!isObject(toolInput) || Array.isArray(toolInput)) return wrong(`${name}.toolInput`, toolInput, "an object");
  return { call: callOf(id, toolName, toolInput), result: toolResult };
}
