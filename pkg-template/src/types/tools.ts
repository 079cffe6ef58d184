/** Tools of the app, search services, hooks of calls, and the state of an agent that these see. */

import type { AssistantMessage, Message, ToolCall } from "./messages.js";
import type { Model, ThinkingLevel } from "./model.js";

/** Services that the search tools ask. A service that is left out is the free default. */
export interface Services {
  /** Default: Wikipedia in the language of the locale, which needs no key. */
  web?:
    | { provider: "wikipedia"; baseUrl?: string }
    | { provider: "tavily"; apiKey: string; baseUrl?: string }
    | { provider: "searxng"; baseUrl: string };
  /** Default: Openverse, which needs no key. */
  images?: { provider: "openverse"; baseUrl?: string } | { provider: "unsplash"; apiKey: string; baseUrl?: string };
}

/** A tool of the app. */
export interface AgentTool {
  name: string;
  description: string;
  /**
   * JSON Schema of the arguments. `required`, and `type` and `enum` of each property, are validated; what is deeper is
   * up to the tool.
   */
  parameters: object;
  /**
   * Runs a call and returns its result for the model: any JSON value, or `{content: [{type: "text", text}, {type:
   * "image", data, mimeType}], details, isError}`, whose `details` are for the app only. Throws on failure. `signal`
   * aborts when the run is stopped or the call takes too long; `onUpdate` reports progress, as `tool_update` events.
   */
  execute: (
    toolCallId: string,
    params: Record<string, unknown>,
    signal: AbortSignal,
    onUpdate: (partial: unknown) => void,
  ) => unknown;
  /** "sequential": one after another, together with the tools that touch the document. Default: "parallel". */
  executionMode?: "parallel" | "sequential";
  /** Duration that a call may take, in milliseconds. Default: the agent's `toolTimeout`. */
  timeout?: number;
  /** True, or a function that returns true, if a call needs approval. */
  needsApproval?: boolean | ((args: Record<string, unknown>) => boolean);
  /**
   * True if the model may trust the result. Default: the result is fenced as data, since strangers may have written it.
   */
  trusted?: boolean;
  /**
   * Fields of the result whose URLs the model may use as images, and as links if `links.hosts` is set: paths such as
   * `"url"`, `"photos[].url"`, `"[].src"`; `"."` is the result itself. A result that is JSON text is parsed. Default:
   * none, also for a trusted tool. URLs that the model wrote before, or that the tool assembled from its arguments, do
   * not count.
   */
  urlFields?: string[];
}

export interface ToolCallContext {
  toolCall: ToolCall;
  args: Record<string, unknown>;
  /** The answer that contains the call. */
  readonly assistantMessage: AssistantMessage;
  /** State of the agent at this moment, computed on access. */
  readonly context: AgentState;
}

export interface ToolResultContext extends ToolCallContext {
  result: unknown;
  isError: boolean;
}

/** With `block`, the call does not run, and the model reads the reason. */
export interface ToolCallVerdict {
  block?: boolean;
  reason?: string;
}

export interface ToolResultChange {
  content?: unknown;
  /** For the app: in the `tool_result` event, not shown to the model. */
  details?: unknown;
  isError?: boolean;
}

/**
 * A snapshot of an agent, with the names of pi-agent-core. It is read-only; to change the agent, use `agent.messages =
 * …` and `agent.configure(…)`.
 */
export interface AgentState {
  readonly systemPrompt?: string;
  readonly model: Model;
  readonly thinkingLevel?: ThinkingLevel;
  /** Tools of the app. */
  readonly tools: readonly AgentTool[];
  readonly messages: readonly Message[];
  readonly isStreaming: boolean;
  /** The answer in progress: the text that has arrived so far. */
  readonly streamingMessage?: AssistantMessage;
  /** Ids of running calls. */
  readonly pendingToolCalls: ReadonlySet<string>;
  /** Ids of calls that wait for approval. */
  readonly waitingForApproval: readonly string[];
  /** Message of the error that ended the last run. */
  readonly errorMessage?: string;
}
