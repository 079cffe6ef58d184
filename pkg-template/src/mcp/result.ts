/** Results of calls, as the agent takes them. */

import type { CallToolResult } from "@modelcontextprotocol/client";

import { isObject } from "../base/json.js";

interface TextPart {
  type: "text";
  text: string;
}

interface ImagePart {
  type: "image";
  data: string;
  mimeType: string;
}

/** A result of a tool of the agent. `details` are for the app only. */
export interface ToolResult {
  content: (TextPart | ImagePart)[];
  details?: { structuredContent: unknown };
  isError: boolean;
}

type Block = CallToolResult["content"][number];

/** Returns a result for the agent. What is neither text nor an image is named in a line. */
export function toolResult(given: CallToolResult): ToolResult {
  const { content, structuredContent, isError = false } = given;
  const parts = content.map(part);
  if (structuredContent === undefined) return { content: parts, isError };
  if (!isShown(parts, structuredContent)) parts.push({ type: "text", text: JSON.stringify(structuredContent) });
  return { content: parts, details: { structuredContent }, isError };
}

function part(block: Block): TextPart | ImagePart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return { type: "image", data: block.data, mimeType: block.mimeType };
    case "audio":
      return { type: "text", text: `[audio: ${block.mimeType}]` };
    case "resource_link":
      return { type: "text", text: [`[${block.name}](${block.uri})`, block.description].filter(Boolean).join(": ") };
    case "resource":
      return resource(block.resource);
    default:
      // A kind of content that is newer than this code.
      return { type: "text", text: `[${String((block as { type: unknown }).type)}]` };
  }
}

function resource(given: Extract<Block, { type: "resource" }>["resource"]): TextPart | ImagePart {
  if ("text" in given) return { type: "text", text: `${given.uri}\n${given.text}` };
  const { blob: data, mimeType = "application/octet-stream", uri } = given;
  return mimeType.startsWith("image/")
    ? { type: "image", data, mimeType }
    : { type: "text", text: `[${uri}: ${mimeType}]` };
}

/**
 * Returns true if a text, or all texts as a list, state the structured content. Servers often send it as text as well,
 * and put a value that is not an object into the only member of one.
 */
function isShown(parts: ToolResult["content"], structured: unknown): boolean {
  const members = isObject(structured) && !Array.isArray(structured) ? Object.values(structured) : [];
  const wanted = new Set([structured, ...(members.length === 1 ? members : [])].map(canonical));
  const texts = parts.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const values = texts.map((text) => [text, parsed(text)]);
  return [...values.flat(), texts, values.map(([, value]) => value)].some((value) => wanted.has(canonical(value)));
}

/** Returns the value of a JSON text, or the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns a value as JSON with the members of objects in one order. */
function canonical(value: unknown): string {
  const inOrder = (_: string, member: unknown) =>
    isObject(member) && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member;
  return JSON.stringify(value, inOrder) ?? "";
}
