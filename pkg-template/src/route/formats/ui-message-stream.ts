/** The stream of UI messages of the AI SDK, as `useChat` reads it. */

import type { AgentEvent, ToolCall } from "../../types/index.js";
import { isLast, isOfCall } from "../run-end.js";
import type { WaitingEvent } from "../waiting.js";
import { copydesk } from "./copydesk.js";
import type { StreamFormat } from "./format.js";
import { fromUIMessages } from "./ui-messages.js";

/** A chunk, as the AI SDK names it. */
export type UIMessageChunk = { type: string; [field: string]: unknown };

export const uiMessageStream: StreamFormat = {
  canApprove: true,
  needsToken: true,
  headers: { "x-vercel-ai-ui-message-stream": "v1" },
  members: (body) => body,
  threadOf: ({ id }) => (typeof id === "string" ? id : undefined),
  stored: ({ llmConfig: _llmConfig, ...rest }) => rest,
  read: (body, wrong) => (Array.isArray(body.messages) ? fromUIMessages(body.messages) : copydesk.read(body, wrong)),
  writer({ known, id, isReplay }) {
    const parts = new UIMessageParts(known, { id: known.length ? undefined : id, isReplay });
    return {
      write(event) {
        const chunks = parts.chunksOf(event).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
        return chunks.join("") + (isLast(event) ? "data: [DONE]\n\n" : "");
      },
    };
  },
};

/** Converts the events of one run. */
export class UIMessageParts {
  #text: string | undefined;
  #thinking: string | undefined;
  #count = 0;
  readonly #start: UIMessageChunk[];
  /** True within a turn, and if one of its calls has begun: then an interruption makes nothing void. */
  #isTurn = false;
  #isCalling = false;
  /** True if the step has parts by now. Version 6 of the AI SDK knows no `reset-step`, and fails for one. */
  #isShown = false;
  /** Calls whose input was announced, and those whose input is complete. */
  readonly #started = new Set<string>();
  readonly #complete = new Set<string>();
  /** True until the first turn of a run that continues with known calls: they belong to the client's last step. */
  #isInStep: boolean;

  /**
   * `known` are the calls that the client has: the run continues with them. `id` is that of the message. A replay
   * begins a message again, unless it continues one.
   */
  constructor(known: readonly string[] = [], { id, isReplay }: { id?: string | undefined; isReplay?: boolean } = {}) {
    this.#start = isReplay && known.length ? [] : [{ type: "start", ...(id !== undefined && { messageId: id }) }];
    this.#isInStep = known.length > 0;
    for (const id of known) {
      this.#started.add(id);
      this.#complete.add(id);
    }
  }

  chunksOf(event: AgentEvent | WaitingEvent): UIMessageChunk[] {
    const chunks = this.#chunksOf(event);
    this.#isShown ||= chunks.some(isPart);
    return chunks;
  }

  #chunksOf(event: AgentEvent | WaitingEvent): UIMessageChunk[] {
    this.#isCalling ||= isOfCall(event);
    switch (event.type) {
      case "agent_start":
        return this.#start;
      case "turn_start": {
        this.#isTurn = true;
        this.#isCalling = false;
        this.#isShown = false;
        const isInStep = this.#isInStep;
        this.#isInStep = false;
        return isInStep ? [] : [{ type: "start-step" }];
      }
      case "turn_end":
        this.#isTurn = false;
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
        return this.#announced(event.toolId, event.toolName);
      case "tool_use":
        return this.#input(event.toolId, event.toolName, event.toolInput);
      case "approval_request":
        // The requests follow at the end, with all that the answer to them has to bring.
        return this.#input(event.toolId, event.toolName, event.toolInput);
      case "tool_update":
        return [{ type: "tool-output-available", toolCallId: event.toolId, output: event.partial, preliminary: true }];
      case "tool_result":
        return [...this.#input(event.toolId, event.toolName, {}), outputOf(event)];
      case "doc_update":
        return [{ type: "data-doc-update", id: event.toolId, data: event }];
      case "retry":
        return event.interrupted ? this.#interrupted() : this.#void();
      case "notice":
        return [{ type: "data-notice", data: { code: event.code, message: event.message }, transient: true }];
      case "message":
      case "compaction":
        return [];
      case "waiting":
        return [
          ...this.#closed(),
          ...event.calls.flatMap((call) => this.#approval(call, event)),
          { type: "finish", finishReason: "tool-calls" },
        ];
      case "complete":
        return [...this.#closed(), { type: "finish", finishReason: "stop" }];
      case "aborted":
        return [...this.#closed(), { type: "abort" }];
      case "error":
        return [...this.#closed(), { type: "error", errorText: event.error }];
    }
  }

  /** The parts of the step are void. */
  #void(): UIMessageChunk[] {
    this.#text = this.#thinking = undefined;
    this.#started.clear();
    this.#complete.clear();
    const isShown = this.#isShown;
    this.#isShown = false;
    return isShown ? [{ type: "reset-step" }] : [];
  }

  #interrupted(): UIMessageChunk[] {
    if (!this.#isTurn) return [];
    this.#isTurn = false;
    if (this.#isCalling) return [...this.#closed(), { type: "finish-step" }];
    this.#isInStep = true;
    return this.#void();
  }

  #textOf(delta: string): UIMessageChunk[] {
    if (this.#text) return [{ type: "text-delta", id: this.#text, delta }];
    const closed = this.#closed();
    this.#text = `part-${this.#count++}`;
    return [...closed, { type: "text-start", id: this.#text }, { type: "text-delta", id: this.#text, delta }];
  }

  #announced(toolCallId: string, toolName: string): UIMessageChunk[] {
    if (this.#started.has(toolCallId)) return [];
    this.#started.add(toolCallId);
    return [...this.#closed(), { type: "tool-input-start", toolCallId, toolName }];
  }

  /** A call that was refused has had no `tool_use`. */
  #input(toolCallId: string, toolName: string, input: unknown): UIMessageChunk[] {
    if (this.#complete.has(toolCallId)) return [];
    this.#complete.add(toolCallId);
    return [...this.#announced(toolCallId, toolName), { type: "tool-input-available", toolCallId, toolName, input }];
  }

  /** Returns the request for approval. A call that waits for others is approved: `useChat` continues when all are. */
  #approval({ id, name, arguments: input }: ToolCall, waiting: WaitingEvent): UIMessageChunk[] {
    const { approvals, shown, signature } = waiting;
    const request = { type: "tool-approval-request", approvalId: id, toolCallId: id };
    const chunks: UIMessageChunk[] = approvals.includes(id)
      ? [{ ...request, approvalDescriptor: { shown }, ...(signature !== undefined && { signature }) }]
      : [
          { ...request, isAutomatic: true },
          { type: "tool-approval-response", approvalId: id, approved: true },
        ];
    return [...this.#input(id, name, input), ...chunks];
  }

  #closed(): UIMessageChunk[] {
    const chunks: UIMessageChunk[] = [];
    if (this.#thinking) chunks.push({ type: "reasoning-end", id: this.#thinking });
    if (this.#text) chunks.push({ type: "text-end", id: this.#text });
    this.#text = this.#thinking = undefined;
    return chunks;
  }
}

/** Returns whether a chunk makes or changes a part of the message. */
function isPart({ type, transient }: UIMessageChunk): boolean {
  return /^(?:text|reasoning|tool|data)-/.test(type) && transient !== true;
}

function outputOf({ toolId, content, isError }: Extract<AgentEvent, { type: "tool_result" }>): UIMessageChunk {
  if (!isError) return { type: "tool-output-available", toolCallId: toolId, output: content };
  const { error } = (content ?? {}) as { error?: { code?: string; message?: string } };
  if (error?.code === "rejected") return { type: "tool-output-denied", toolCallId: toolId };
  return { type: "tool-output-error", toolCallId: toolId, errorText: error?.message ?? JSON.stringify(content) };
}
