/** The messages between the page and the worker of an agent. Each is a structured clone. */

import type { ErrorInfo, AgentEvent, Ledger, Logger, Message, RunResult, Usage } from "../types/index.js";

/** The first message, by which a worker starts an agent. It comes with a port for all others. */
export interface Start {
  copydesk: "agent";
  port: MessagePort;
  /** The name of a Web Lock that the worker holds as long as it lives. */
  lock: string;
  /** The document, as JSON. */
  document: string;
  settings: object;
  /** The messages of languages that the page has added, by tag. */
  languages: [tag: string, messages: object][];
  /** True if the app has a logger. */
  logger: boolean;
  /** True if the app has a workspace. */
  workspace: boolean;
  /** True if the app has a `fetch` of its own. */
  fetch: boolean;
  /** True if unfinished calls are shown in the editor. */
  preview: boolean;
}

export type ToWorker =
  /** Starts a run. `hooks` are the names of those that the app has; `update` is the document at this moment. */
  | { type: "run"; id: number; messages?: string; options: unknown; hooks: string[]; update?: string }
  /** Calls a method of the engine that returns nothing. */
  | { type: "do"; method: Method; args: unknown[] }
  /** The document has changed. */
  | { type: "update"; update: string }
  /** Answers a question about the document. */
  | { type: "answer"; id: number; update?: string; answer: string }
  /** Ends a call. */
  | { type: "returned"; id: number; result: Returned }
  /** Progress of a call. */
  | { type: "progress"; id: number; partial: string }
  /** The page has shown the last events. */
  | { type: "shown" }
  | { type: "dispose" };

export type Method =
  "abort" | "approve" | "clearQueues" | "configure" | "notice" | "queue" | "setMessages" | "setTools";

export type FromWorker =
  /** The wasm is loaded and the agent is ready. */
  | { type: "ready" }
  /** The agent could not be started. */
  | { type: "failed"; error: ErrorInfo }
  | { type: "events"; items: Item[]; targets: Target[] }
  | { type: "ended"; id: number; result: RunResult | ErrorInfo; state: Snapshot }
  | { type: "ask"; id: number; question: string }
  /** Calls a function of the app, which may read the agent's state. */
  | { type: "call"; id: number; call: Call; state?: Snapshot }
  /** The result of a call is not needed any more. */
  | { type: "cancel"; id: number }
  | { type: "log"; level: keyof Logger; message: string; fields: Record<string, unknown> };

/** A call of a function of the app. */
export type Call =
  | { kind: "hook"; name: string; given: unknown }
  | { kind: "tool"; name: string; given: unknown }
  | { kind: "workspace"; method: string; given: unknown[] }
  | { kind: "fetch"; url: string; init: object }
  /** Reads on in the body of the response to an earlier call. */
  | { kind: "read"; of: number };

/** The outcome of a call of a function of the app. */
export type Returned =
  /** As JSON text; absent for `undefined`. */
  | { value?: string; needsApproval?: boolean }
  /** It has no JSON. */
  | { invalid: true }
  | { response: ResponseHead }
  | { chunk: { done: boolean; value?: unknown } }
  /**
   * `message` is absent if something without a message was thrown. `details`, as JSON text, are those of a
   * CopydeskError. The name, the code and the cause say whether the network has failed.
   */
  | { thrown: ThrownError & { details?: string; cause?: ThrownError } };

/** An exception as it is copied to another thread. */
export interface ThrownError {
  message?: string;
  name?: string;
  code?: string;
}

/** The members of a response that the wasm reads. They are as the app's `fetch` gave them. */
export interface ResponseHead {
  status: unknown;
  headers: Record<string, unknown>;
  type: unknown;
  url: unknown;
  redirected: unknown;
  hasBody: boolean;
}

/** An event, with what else has changed by then. */
export interface Item {
  event: AgentEvent;
  /** The arguments of `tool_args` in place of `partial`: how those of the last event of the call have grown. */
  grown?: Growth;
  state?: Snapshot;
}

/** The change of a value: text was appended, members have changed, or it was replaced. */
export type Growth = { add: string } | { members: Record<string, Growth> } | { value: unknown };

/** The state of an agent beside its events. */
export interface Snapshot {
  isStreaming: boolean;
  streamingText: string | null;
  pendingToolCalls: string[];
  waitingForApproval: string[];
  errorMessage: string | null;
  usage: Usage;
  /** Absent if nothing can have changed. */
  ledger?: Ledger;
  /** The messages from an index on, if they have changed. */
  messages?: { from: number; rest: Message[] };
}

/** The target of an unfinished call, in the document with this revision. */
export interface Target {
  toolId: string;
  revision: number;
  target: { from: number; to: number; content: string; format: "html" | "text" } | null;
}
