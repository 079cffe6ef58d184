/** Messages of a conversation. */

import type { Api, Usage } from "./model.js";

export interface ToolCall {
  type: "toolCall";
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}

export interface TextContent {
  type: "text";
  text: string;
}

export interface ImageContent {
  type: "image";
  /** Bytes in base64. */
  data: string;
  /** MIME type, such as `image/png`. */
  mimeType: string;
}

/** A provider's signature; it is sent back unchanged, to the same model only. */
interface Signed {
  signature?: string;
}

export interface UserMessage {
  role: "user";
  content: string | (TextContent | ImageContent)[];
}

export interface ThinkingContent {
  type: "thinking";
  thinking: string;
  /** True if the provider hides the text and gives only the signature. */
  redacted?: boolean;
}

/** An answer of the model. Only complete answers are kept. */
export interface AssistantMessage {
  role: "assistant";
  content: ((TextContent | ThinkingContent | ToolCall) & Signed)[];
  /** As the provider reported it: `stop`, `tool_calls`, `length` … */
  stopReason: string;
  usage?: Usage;
  /** The model that answered: signatures are sent back to the same model only. */
  api?: Api;
  modelId?: string;
}

/** One message of the conversation. */
export type Message =
  | UserMessage
  | AssistantMessage
  | {
      role: "toolResult";
      toolCallId: string;
      toolName: string;
      content: unknown;
      isError: boolean;
      /** True if others may have written it: the model reads it fenced, as data. */
      untrusted?: boolean;
      images?: ImageContent[];
    }
  /** Replaces older messages. `skills` are the names of those that the model had activated. */
  | { role: "summary"; content: string; skills?: string[] }
  /** A message of copydesk to the model: the user's decisions, the scope of a run, changed settings, attachments. */
  | { role: "note"; content: string }
  /** The document as the model was shown it before an answer; see `documentInPrompt`. */
  | { role: "document"; content: string; version: string }
  /** The decision about a call that needs approval. `shown` is what the call refers to, for after a reload. */
  | {
      role: "approval";
      toolCallId: string;
      toolName: string;
      decision: "pending" | "approved" | "rejected";
      reason?: string;
      shown?: Record<string, unknown>;
    }
  /** A message of the app: kept, and not sent unless `convertToLlm` converts it. */
  | { role: `custom${string}`; [field: string]: unknown };
