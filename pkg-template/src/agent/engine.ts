/** The interface to the wasm that runs an agent: that of this thread, or of a worker. */

import type { AppCallbacks } from "./app-callbacks.js";
import { guarded } from "../document/calls.js";
import { handleOf, type Document } from "../document/document.js";
import type { AgentEvent, FetchLike } from "../types/index.js";
import type { AgentHandle } from "../wasm/page/copydesk.js";

/** The members of the wasm's agent that `Agent` uses. */
export type Engine = Pick<
  AgentHandle,
  | "abort"
  | "approve"
  | "clearQueues"
  | "configure"
  | "continueRun"
  | "free"
  | "isRunning"
  | "ledger"
  | "messages"
  | "notice"
  | "preview"
  | "prompt"
  | "queue"
  | "recording"
  | "setMessages"
  | "setTools"
  | "state"
  | "usage"
>;

/** The parts of an agent that its engine gets. */
export interface EngineParts {
  document: Document;
  /** The settings, as `forWasm` returns them. */
  settings: object;
  fetch: FetchLike | undefined;
  /** The app's hooks, tools and logger. */
  app: AppCallbacks;
  /** Receives every event. Does not throw. */
  report: (event: AgentEvent) => void;
  record: boolean;
}

export type StartEngine = (parts: EngineParts) => Engine;

/** Runs the agent in this thread. */
export const inThisThread: StartEngine = ({ document, settings, fetch, app, report, record }) =>
  guarded((wasm) => new wasm.AgentHandle(handleOf(document), settings, fetch, app, report, record));
