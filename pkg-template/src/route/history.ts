/** The conversation of a body as messages for the agent. */

import { isObject } from "../json.js";
import type { Message, ToolCall } from "../types.js";
import type { Wrong } from "./errors.js";

/** An earlier message, as a front end keeps it. */
export interface HistoryEntry {
  role: "user" | "assistant";
  content: string;
  /** The calls that led to an answer. */
  toolCalls?: { toolName: string; toolInput?: Record<string, unknown>; toolResult?: unknown }[];
}

/** Tools whose results quote nobody but the document. Results of all others may be written by strangers. */
const OF_THE_DOCUMENT = new Set([
  "get_document",
  "read_lines",
  "edit_current_editor_document",
  "replace_text",
  "update_section",
  "insert_image",
  "move_section",
]);

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
    callOf(call, `${name}.toolCalls[${index}]`, `call_${at}_${index}`, wrong),
  );
  const called: Message[] = calls.length
    ? [{ role, content: calls.map(({ call }) => call), stopReason: "tool_calls" }, ...calls.map(({ result }) => result)]
    : [];
  const said: Message[] = content.trim()
    ? [{ role, content: [{ type: "text", text: content }], stopReason: "stop" }]
    : [];
  return [...called, ...said];
}

function callOf(given: unknown, name: string, id: string, wrong: Wrong): { call: ToolCall; result: Message } {
  if (!isObject(given)) return wrong(name, given, "{toolName, toolInput, toolResult}");
  const {
    toolName,
    toolInput = {},
    toolResult = null,
  } = given as Partial<NonNullable<HistoryEntry["toolCalls"]>[number]>;
  if (typeof toolName !== "string" || !toolName)
    return wrong(`${name}.toolName`, toolName || undefined, "the name of a tool");
  if (!isObject(toolInput) || Array.isArray(toolInput)) return wrong(`${name}.toolInput`, toolInput, "an object");
  const isError =
    isObject(toolResult) && ("error" in toolResult || (toolResult as { success?: unknown }).success === false);
  const untrusted = !OF_THE_DOCUMENT.has(toolName);
  return {
    call: { type: "toolCall", id, name: toolName, arguments: toolInput },
    result: {
      role: "toolResult",
      toolCallId: id,
      toolName,
      content: toolResult,
      isError,
      ...(untrusted && { untrusted }),
    },
  };
}
