/** Results of calls, as the agent takes them. */

import type { CallToolResult } from "@modelcontextprotocol/client";

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
  // Servers also send it as text, but they do not have to.
  const isShown = parts.some((block) => block.type === "text" && isJSON(block.text, structuredContent));
  if (!isShown) parts.push({ type: "text", text: JSON.stringify(structuredContent) });
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

function isJSON(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    // Another text.
    return false;
  }
}
