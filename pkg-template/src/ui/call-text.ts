/** Reads the arguments and results of calls. */

import type { ToolCallState } from "../assistant/run.js";

/** The data from which a call is described. */
export type Call = Pick<ToolCallState, "toolName" | "input" | "state" | "content" | "titles" | "server">;

export function number(value: unknown): number | undefined {
  const n = typeof value === "string" && value.trim() ? Number(value) : value;
  return typeof n === "number" && Number.isInteger(n) ? n : undefined;
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() ? value.trim() : undefined;
}

/** The longest excerpt in a line. */
const EXCERPT_LENGTH = 60;

/** Returns a text as it is read, in one short line. */
export function excerpt(value: unknown): string | undefined {
  const line = text(value) && readable(String(value)).replace(/\s+/g, " ");
  return line && line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH - 1)}…` : line;
}

/** Returns the text of content that a model wrote as HTML or text. */
export function readable(content: string): string {
  if (!/<\/?[a-z][^>]*>/i.test(content)) return content.trim();
  const { body } = new DOMParser().parseFromString(
    content.replace(/<(?=\/?(?:p|h\d|li|tr|div|blockquote)\b|br\b)/gi, "\n<"),
    "text/html",
  );
  return (body.textContent ?? "").replace(/[ \t]*\n\s*/g, "\n").trim();
}

/** Returns a field of an object; undefined for anything else. */
export function field(value: unknown, name: string): unknown {
  return value && typeof value === "object" ? (value as Record<string, unknown>)[name] : undefined;
}

export function count(value: unknown, name: string): number | undefined {
  const list = field(value, name);
  return Array.isArray(list) ? list.length : undefined;
}
