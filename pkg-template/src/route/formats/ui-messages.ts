/** The messages of the AI SDK's `useChat`, as it sends them. */

import { isObject } from "../../json.js";
import type { HistoryEntry } from "../history.js";

/** A message of `useChat`: its text and its tool calls are parts. */
interface UIMessage {
  role: string;
  parts?: unknown[];
}

interface ToolPart {
  type: string;
  toolName?: string;
  state?: string;
  input?: unknown;
  output?: unknown;
  errorText?: string;
}

/** Returns the last message of the user, and what was said before it. Parts of other kinds are left out. */
export function fromUIMessages(messages: readonly unknown[]): { message: string; history: HistoryEntry[] } {
  const all = messages.filter((message): message is UIMessage => isObject(message) && "role" in message);
  const last = all.findLastIndex(({ role }) => role === "user");
  return {
    message: last < 0 ? "" : textOf(all[last]!),
    history: all.slice(0, Math.max(last, 0)).flatMap(entryOf),
  };
}

function entryOf(message: UIMessage): HistoryEntry[] {
  const { role } = message;
  if (role !== "user" && role !== "assistant") return [];
  const content = textOf(message);
  if (role === "user") return [{ role, content }];
  const toolCalls = partsOf(message).flatMap((part) => {
    const {
      type,
      toolName = /^tool-(.+)$/.exec(type)?.[1],
      state,
      input,
      output,
      errorText,
    } = part as unknown as ToolPart;
    // Calls without a result were not run.
    if (!toolName || (state !== "output-available" && state !== "output-error")) return [];
    const toolResult = state === "output-error" ? { error: { message: errorText ?? "" } } : output;
    return [{ toolName, toolInput: isObject(input) ? (input as Record<string, unknown>) : {}, toolResult }];
  });
  return content || toolCalls.length ? [{ role, content, toolCalls }] : [];
}

function textOf(message: UIMessage): string {
  const texts = partsOf(message).map(({ type, text }) => (type === "text" && typeof text === "string" ? text : ""));
  return texts.join("");
}

function partsOf({ parts }: UIMessage): ({ type: string } & Record<string, unknown>)[] {
  if (!Array.isArray(parts)) return [];
  return parts.filter((part) => isObject(part) && typeof (part as { type?: unknown }).type === "string") as never;
}
