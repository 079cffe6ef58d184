/** The stream of UI messages of the AI SDK, as `useChat` reads it. */

import type { AgentEvent } from "../../types.js";
import type { EventWriter } from "./format.js";
import { isEnd } from "../run-end.js";

/** A chunk, as the AI SDK names it. */
export type UIMessageChunk = { type: string; [field: string]: unknown };

/** Creates the writer of one run. */
export function uiMessageWriter(): EventWriter {
  const parts = new UIMessageParts();
  return {
    headers: { "x-vercel-ai-ui-message-stream": "v1" },
    write: (event) => {
      const chunks = parts.chunksOf(event).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
      return chunks.join("") + (isEnd(event) ? "data: [DONE]\n\n" : "");
    },
  };
}

/** Converts the events of one run. */
export class UIMessageParts {
  #text: string | undefined;
  #thinking: string | undefined;
  #count = 0;
  /** Calls whose input was announced, and those whose input is complete. */
  readonly #started = new Set<string>();
  readonly #complete = new Set<string>();

  chunksOf(event: AgentEvent): UIMessageChunk[] {
    switch (event.type) {
      case "agent_start":
        return [{ type: "start" }];
      case "turn_start":
        return [{ type: "start-step" }];
      case "turn_end":
        return [...this.#closed(), { type: "finish-step" }];
      case "thinking_start": {
        const closed = this.#closed();
        this.#thinking = `part-${this.#count++}`;
        return [...closed, { type: "reasoning-start", id: this.#thinking }];
      }
      case "thinking":
        return this.#thinking ? [{ type: "reasoning-delta", id: this.#thinking, delta: event.content }] : [];
      case "thinking_end":
        return this.#closed();
      case "content":
        return this.#textOf(event.content);
      case "tool_args":
        return this.#start(event.toolId, event.toolName);
      case "tool_use":
        return this.#input(event.toolId, event.toolName, event.toolInput);
      case "approval_request":
        return [
          ...this.#input(event.toolId, event.toolName, event.toolInput),
          { type: "tool-approval-request", approvalId: event.toolId, toolCallId: event.toolId },
        ];
      case "tool_update":
        return [{ type: "tool-output-available", toolCallId: event.toolId, output: event.partial, preliminary: true }];
      case "tool_result":
        return [...this.#input(event.toolId, event.toolName, {}), outputOf(event)];
      case "doc_update":
        return [{ type: "data-doc-update", id: event.toolId, data: event }];
      case "retry":
        // Its parts are void.
        this.#text = this.#thinking = undefined;
        this.#started.clear();
        this.#complete.clear();
        return [{ type: "reset-step" }];
      case "notice":
        return [{ type: "data-notice", data: { code: event.code, message: event.message }, transient: true }];
      case "message":
      case "compaction":
        return [];
      case "complete":
        return [...this.#closed(), { type: "finish", finishReason: "stop" }];
      case "aborted":
        return [...this.#closed(), { type: "abort" }];
      case "error":
        return [...this.#closed(), { type: "error", errorText: event.error }];
    }
  }

  #textOf(delta: string): UIMessageChunk[] {
    if (this.#text) return [{ type: "text-delta", id: this.#text, delta }];
    const closed = this.#closed();
    this.#text = `part-${this.#count++}`;
    return [...closed, { type: "text-start", id: this.#text }, { type: "text-delta", id: this.#text, delta }];
  }

  #start(toolCallId: string, toolName: string): UIMessageChunk[] {
    if (this.#started.has(toolCallId)) return [];
    this.#started.add(toolCallId);
    return [...this.#closed(), { type: "tool-input-start", toolCallId, toolName }];
  }

  /** A call that was refused has had no `tool_use`. */
  #input(toolCallId: string, toolName: string, input: unknown): UIMessageChunk[] {
    if (this.#complete.has(toolCallId)) return [];
    this.#complete.add(toolCallId);
    return [...this.#start(toolCallId, toolName), { type: "tool-input-available", toolCallId, toolName, input }];
  }

  #closed(): UIMessageChunk[] {
    const chunks: UIMessageChunk[] = [];
    if (this.#thinking) chunks.push({ type: "reasoning-end", id: this.#thinking });
    if (this.#text) chunks.push({ type: "text-end", id: this.#text });
    this.#text = this.#thinking = undefined;
    return chunks;
  }
}

function outputOf({ toolId, content, isError }: Extract<AgentEvent, { type: "tool_result" }>): UIMessageChunk {
  if (!isError) return { type: "tool-output-available", toolCallId: toolId, output: content };
  const { error } = (content ?? {}) as { error?: { code?: string; message?: string } };
  if (error?.code === "rejected") return { type: "tool-output-denied", toolCallId: toolId };
  return { type: "tool-output-error", toolCallId: toolId, errorText: error?.message ?? JSON.stringify(content) };
}
