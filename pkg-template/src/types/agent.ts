/** Agents: events, results, ledger, log. */

import type { ApplyResult, DocUpdate } from "./edits.js";
import type { ImageContent, Message } from "./messages.js";
import type { Usage } from "./model.js";

export type Locale = "en" | "zh-CN" | (string & {});

/** The number of queued messages that the model reads at once. */
export type QueueMode = "one-at-a-time" | "all";

/** Receives log entries. Entries above `debug` contain no text of the document; no entry contains a key. */
export interface Logger {
  debug?: LogMethod;
  info?: LogMethod;
  warning?: LogMethod;
  error?: LogMethod;
}

export type LogMethod = (message: string, fields: Record<string, unknown>) => void;

/** Tokens and costs by turn, tool and edit. Costs are in the currency of the prices, null without prices. */
export interface Ledger {
  /** The last 1,000. The shares of a turn add up to its usage and cost. */
  turns: {
    turnId: string;
    usage: Usage;
    /** True if the provider reported nothing: then only the calls are counted, by estimates. */
    estimated: boolean;
    cost: number | null;
    shares: { toolId?: string; toolName?: string; inputTokens: number; outputTokens: number; cost?: number }[];
  }[];
  tools: {
    name: string;
    calls: number;
    errors: number;
    /** Sum of the durations of its calls. */
    ms: number;
    /** Output tokens of its arguments. */
    outputTokens: number;
    /** Tokens of its results, each counted once. */
    resultTokens: number;
    /** Input tokens of its results, in all turns that included them. */
    inputTokens: number;
    cost: number;
  }[];
  /** The last 1,000. */
  edits: { toolId: string; turnId: string; version: string; outputTokens: number; cost: number | null }[];
  totals: {
    turns: number;
    unpricedTurns: number;
    calls: number;
    errors: number;
    edits: number;
    usage: Usage;
    cost: number;
  };
}

/** An error, in events and in tool results. */
export interface ErrorInfo {
  /** Stable; docs/errors.md lists the codes. */
  code: string;
  /** A sentence for the user or the model, in the locale. */
  message: string;
  details: Record<string, unknown>;
}

/** An event of an agent. `seq` grows by one from event to event. */
export type AgentEvent = { seq: number } & (
  | { type: "agent_start" }
  | { type: "turn_start"; turnId: string }
  | { type: "thinking_start" }
  | { type: "thinking"; content: string }
  | { type: "thinking_end" }
  | { type: "content"; content: string }
  /**
   * More arguments of a call have arrived. `delta` is more of their JSON text: the deltas of a call, joined, are the
   * beginning of it, without the brackets and quotes that close it; after `restart` those before are void. With the
   * option `toolArgs: "partial"` there is `partial` instead: the arguments so far, as far as they can be read.
   */
  | {
      type: "tool_args";
      toolId: string;
      toolName: string;
      delta?: string;
      restart?: true;
      partial?: Record<string, unknown>;
    }
  /** A call begins to run. */
  | { type: "tool_use"; toolId: string; toolName: string; toolInput: Record<string, unknown> }
  /** A call waits for approval: `agent.approve(toolId, …)`. */
  | { type: "approval_request"; toolId: string; toolName: string; toolInput: Record<string, unknown> }
  /** Progress of a call, as the tool reported it. */
  | { type: "tool_update"; toolId: string; toolName: string; partial: unknown }
  /** `content` is the result of the tool, or `{ error: ErrorInfo }` if `isError`. */
  | {
      type: "tool_result";
      toolId: string;
      toolName: string;
      content: unknown;
      images?: ImageContent[];
      details?: unknown;
      isError: boolean;
    }
  | ({ type: "doc_update"; toolId: string } & DocUpdate & Omit<ApplyResult, "operation">)
  /** A queued message is now part of the conversation. */
  | { type: "message"; message: Message }
  /**
   * A request failed and is sent again, or the text so far turns out to be thinking (`text_was_thinking`) and follows
   * as such. The output of the turn so far is invalid. With `interrupted`, another instance continues a run of a route:
   * the turn is still valid if one of its calls has begun.
   */
  | { type: "retry"; attempt: number; delayMs: number; reason: string; message: string; interrupted?: true }
  /** The oldest messages were replaced by a summary. Estimated tokens. */
  | { type: "compaction"; before: number; after: number }
  | { type: "notice"; code: string; message: string }
  | { type: "turn_end"; usage: Usage }
  | { type: "complete"; usage: Usage }
  | { type: "aborted" }
  | { type: "error"; error: string; code: string; details: Record<string, unknown> }
);

/** The result of a run; `error` is set if it failed. */
export interface RunResult {
  status: "complete" | "aborted" | "error";
  /** The text of the last answer. */
  text: string;
  usage: Usage;
  error?: ErrorInfo;
}

/**
 * The event of an edit: its result, and the update as it was applied, which `document.apply(event)` repeats on another
 * copy. Indexes and lines are those right before the edit; `version` is that of the result.
 */
export type DocUpdateEvent = Extract<AgentEvent, { type: "doc_update" }>;
