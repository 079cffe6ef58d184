/** The events of AG-UI, which its `HttpAgent` reads. */

import type { AgentEvent, ToolCall, Usage } from "../../types/index.js";
import { isOfCall } from "../run-end.js";
import { runIdOf } from "../run-key.js";
import type { WaitingEvent } from "../waiting.js";
import { fromAgUi, inputOf, type AgUiMessage, type AgUiState, type RunAgentInput } from "./ag-ui-messages.js";
import type { StreamFormat, WrittenRun } from "./format.js";

/** The version of the protocol. */
const PROTOCOL = "1.0";

export const agUi: StreamFormat = {
  canApprove: true,
  needsToken: true,
  headers: {},
  members(body) {
    const { state, forwardedProps: props, runId } = inputOf(body);
    const { documentContent = props.documentContent } = state;
    // Their types are checked by the reader of the body.
    return {
      documentContent,
      llmConfig: props.llmConfig,
      documentId: props.documentId,
      runId: runIdOf(runId),
    } as ReturnType<StreamFormat["members"]>;
  },
  threadOf: (body) => inputOf(body).threadId || undefined,
  stored(body) {
    const { llmConfig: _llmConfig, ...forwardedProps } = inputOf(body).forwardedProps;
    return { ...body, forwardedProps };
  },
  read: fromAgUi,
  writer(run) {
    const events = new AgUiEvents(run);
    return {
      write: (event) =>
        events
          .eventsOf(event)
          .map((written) => `data: ${JSON.stringify(written)}\n\n`)
          .join(""),
    };
  },
};

export type AgUiEvent = { type: string; [field: string]: unknown };

/** An answer of the model as the client has it. */
interface Answer extends AgUiMessage {
  content?: string;
  toolCalls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
}

/** Converts the events of one run. */
class AgUiEvents {
  readonly #run: WrittenRun;
  readonly #input: RunAgentInput;
  readonly #ids: { threadId: string; runId: string };
  /** The conversation as the client has it, to take back what a failed request has shown. */
  readonly #messages: AgUiMessage[];
  /** The number of messages before the turn. */
  #before: number;
  #answer: Answer | undefined;
  #step: string | undefined;
  #text = false;
  #thinking: string | undefined;
  /** Calls whose arguments are announced but not complete, and those that are complete. */
  readonly #open = new Set<string>();
  readonly #complete: Set<string>;
  #count = 0;
  /** True if a call of the turn has begun: then an interruption makes nothing void. */
  #isCalling = false;
  #isChanged = false;

  constructor(run: WrittenRun) {
    this.#run = run;
    this.#input = inputOf(run.body);
    const { threadId, runId, messages, state } = this.#input;
    this.#ids = { threadId, runId };
    this.#messages = [...messages];
    this.#before = messages.length;
    this.#complete = new Set(run.known);
    // The state of calls that have waited is over.
    this.#isChanged = state.shown !== undefined;
  }

  eventsOf(event: AgentEvent | WaitingEvent): AgUiEvent[] {
    this.#isCalling ||= isOfCall(event);
    switch (event.type) {
      case "agent_start":
        return [{ type: "RUN_STARTED", ...this.#ids, protocolVersion: PROTOCOL }];
      case "turn_start":
        this.#answer = undefined;
        this.#isCalling = false;
        this.#before = this.#messages.length;
        this.#step = `turn ${++this.#count}`;
        return [{ type: "STEP_STARTED", stepName: this.#step }];
      case "turn_end":
        return this.#closed();
      case "thinking_start": {
        this.#thinking = this.#newId();
        const messageId = this.#thinking;
        return [
          ...this.#textEnd(),
          { type: "REASONING_START", messageId },
          { type: "REASONING_MESSAGE_START", messageId, role: "reasoning" },
        ];
      }
      case "thinking":
        if (!this.#thinking || !event.content) return [];
        return [{ type: "REASONING_MESSAGE_CONTENT", messageId: this.#thinking, delta: event.content }];
      case "thinking_end":
        return this.#thinkingEnd();
      case "content":
        return this.#content(event.content);
      case "tool_args":
        return this.#callStart(event.toolId, event.toolName);
      case "approval_request":
      case "tool_use":
        return this.#call(event.toolId, event.toolName, event.toolInput);
      case "tool_result": {
        // A call that was refused has had no `tool_use`.
        const called = this.#call(event.toolId, event.toolName, {});
        const result = { messageId: this.#newId(), toolCallId: event.toolId, content: textOf(event.content) };
        const { messageId: id, ...message } = result;
        this.#messages.push({ id, role: "tool", ...message });
        return [...called, { type: "TOOL_CALL_RESULT", role: "tool", ...result }];
      }
      case "tool_update":
        return [custom("tool_update", { toolId: event.toolId, toolName: event.toolName, partial: event.partial })];
      case "doc_update":
        this.#isChanged ||= !event.pending;
        return [custom("doc_update", event)];
      case "notice":
        return [custom("notice", { code: event.code, message: event.message })];
      case "message":
      case "compaction":
        return [];
      case "retry":
        return event.interrupted ? this.#interrupted() : this.#takenBack();
      case "waiting": {
        const calls = event.calls.flatMap(({ id, name, arguments: input }) => this.#call(id, name, input));
        const interrupts = event.calls.filter(({ id }) => event.approvals.includes(id)).map(interruptOf);
        const { shown, signature } = event;
        const state = this.#state({ shown, ...(signature !== undefined && { approvalSignature: signature }) });
        return [...calls, ...this.#closed(), state, this.#finished({ type: "interrupt", interrupts })];
      }
      case "complete":
        return [...this.#end(event), { ...this.#finished({ type: "success" }), usage: [usageOf(event.usage)] }];
      case "aborted":
        return [...this.#end(event), this.#finished({ type: "cancelled" })];
      case "error":
        return [...this.#end(event), { type: "RUN_ERROR", message: event.error, code: event.code }];
    }
  }

  #newId(): string {
    return `${this.#ids.runId}-${this.#messages.length}-${this.#count++}`;
  }

  /** Returns the answer of the turn. Its text and its calls are one message. */
  #answerOf(): Answer {
    if (!this.#answer) {
      this.#answer = { id: this.#newId(), role: "assistant" };
      this.#messages.push(this.#answer);
    }
    return this.#answer;
  }

  #content(delta: string): AgUiEvent[] {
    if (!delta) return [];
    const answer = this.#answerOf();
    const messageId = answer.id;
    answer.content = (answer.content ?? "") + delta;
    const content = { type: "TEXT_MESSAGE_CONTENT", messageId, delta };
    if (this.#text) return [content];
    this.#text = true;
    return [...this.#thinkingEnd(), { type: "TEXT_MESSAGE_START", messageId, role: "assistant" }, content];
  }

  #callStart(toolCallId: string, toolCallName: string): AgUiEvent[] {
    if (this.#open.has(toolCallId) || this.#complete.has(toolCallId)) return [];
    this.#open.add(toolCallId);
    const answer = this.#answerOf();
    (answer.toolCalls ??= []).push({
      id: toolCallId,
      type: "function",
      function: { name: toolCallName, arguments: "" },
    });
    const start = { type: "TOOL_CALL_START", toolCallId, toolCallName, parentMessageId: answer.id };
    return [...this.#textEnd(), ...this.#thinkingEnd(), start];
  }

  #call(toolCallId: string, toolName: string, input: unknown): AgUiEvent[] {
    if (this.#complete.has(toolCallId)) return [];
    const started = this.#callStart(toolCallId, toolName);
    const delta = JSON.stringify(input);
    const call = this.#answer?.toolCalls?.find(({ id }) => id === toolCallId);
    if (call) call.function.arguments = delta;
    return [...started, { type: "TOOL_CALL_ARGS", toolCallId, delta }, ...this.#callEnd(toolCallId)];
  }

  #callEnd(toolCallId: string): AgUiEvent[] {
    this.#open.delete(toolCallId);
    this.#complete.add(toolCallId);
    return [{ type: "TOOL_CALL_END", toolCallId }];
  }

  #textEnd(): AgUiEvent[] {
    if (!this.#text) return [];
    this.#text = false;
    return [{ type: "TEXT_MESSAGE_END", messageId: this.#answer!.id }];
  }

  #thinkingEnd(): AgUiEvent[] {
    const messageId = this.#thinking;
    if (!messageId) return [];
    this.#thinking = undefined;
    return [
      { type: "REASONING_MESSAGE_END", messageId },
      { type: "REASONING_END", messageId },
    ];
  }

  /** Ends what is under way in the answer. */
  #answerEnd(): AgUiEvent[] {
    return [...this.#textEnd(), ...this.#thinkingEnd(), ...[...this.#open].flatMap((id) => this.#callEnd(id))];
  }

  #closed(): AgUiEvent[] {
    const stepName = this.#step;
    this.#step = undefined;
    return [...this.#answerEnd(), ...(stepName ? [{ type: "STEP_FINISHED", stepName }] : [])];
  }

  /** Takes back what the turn has shown: the request is sent again. */
  #takenBack(): AgUiEvent[] {
    const ended = this.#answerEnd();
    for (const { id } of this.#answer?.toolCalls ?? []) this.#complete.delete(id);
    this.#answer = undefined;
    this.#messages.length = Math.min(this.#before, this.#messages.length);
    return [...ended, { type: "MESSAGES_SNAPSHOT", messages: [...this.#messages] }];
  }

  #interrupted(): AgUiEvent[] {
    if (!this.#step) return [];
    return this.#isCalling ? this.#closed() : [...this.#takenBack(), ...this.#closed()];
  }

  /** Returns what precedes the last event. Calls that were cut off are taken back: they have not run. */
  #end({ type }: AgentEvent): AgUiEvent[] {
    const isCut = type !== "complete" && this.#open.size > 0;
    const ended = isCut ? this.#takenBack() : [];
    return [...ended, ...this.#closed(), ...(this.#isChanged ? [this.#state({})] : [])];
  }

  #state(more: AgUiState): AgUiEvent {
    const { shown: _before, approvalSignature: _signature, documentContent: _sent, ...rest } = this.#input.state;
    const documentContent = this.#run.html();
    const snapshot = { ...rest, ...(documentContent !== undefined && { documentContent }), ...more };
    return { type: "STATE_SNAPSHOT", snapshot };
  }

  #finished(outcome: object): AgUiEvent {
    return { type: "RUN_FINISHED", ...this.#ids, outcome };
  }
}

const custom = (name: string, value: unknown): AgUiEvent => ({ type: "CUSTOM", name, value });

function interruptOf({ id, name }: ToolCall): object {
  return {
    id,
    reason: "tool_call",
    toolCallId: id,
    message: name,
    responseSchema: {
      type: "object",
      properties: { approved: { type: "boolean" }, reason: { type: "string" } },
      required: ["approved"],
    },
  };
}

function usageOf(usage: Usage): object {
  const { inputTokens, outputTokens, totalTokens, reasoningTokens, cachedTokens, cacheWriteTokens } = usage;
  return {
    inputTokens,
    outputTokens,
    totalTokens,
    reasoningTokens,
    cachedInputTokens: cachedTokens,
    cacheWriteInputTokens: cacheWriteTokens,
  };
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : (JSON.stringify(content) ?? "");
}
