/** The agent of a component: it lives as long as its document is shown, and its state can be rendered. */

import { Agent, CopydeskError, loadRest } from "copydesk";
import type {
  AgentEvent,
  AgentOptions,
  Document,
  EditorWithCopydesk,
  ErrorInfo,
  RunOptions,
  RunResult,
} from "copydesk";

/** The options of an agent. Settings and hooks that change hold from the next `prompt` on. */
export type DocAgentOptions = Omit<AgentOptions, "document"> & {
  /** Called with every event of the agent. */
  onEvent?: (event: AgentEvent) => void;
};

/** A document, or an editor with the extension `Copydesk`; nothing while it does not exist yet. */
export type DocAgentTarget = Document | EditorWithCopydesk | null | undefined;

export type ApprovalRequest = Omit<Extract<AgentEvent, { type: "approval_request" }>, "type" | "seq">;

/** The state that a component renders. A new object after every change. */
export interface DocAgentState {
  /** The agent itself; undefined until the wasm is loaded and the document exists. */
  readonly agent: Agent | undefined;
  /** `waiting`: for the user's approval of calls. */
  readonly status: "loading" | "ready" | "running" | "waiting";
  /** The text of the last answer, as far as it has arrived. */
  readonly text: string;
  /** The calls that wait for approval. */
  readonly approvals: readonly ApprovalRequest[];
  /** The reason why the last run has failed, or why the wasm could not be loaded. */
  readonly error: ErrorInfo | undefined;
}

export interface DocAgentActions {
  /**
   * Runs a prompt with the current options, and resolves at its end.
   *
   * @throws CopydeskError `not_loaded` while the status is `loading`, and those of `agent.prompt`: `busy` while a run is
   * under way. The state stays that of this run.
   */
  readonly prompt: (input: string, options?: RunOptions) => Promise<RunResult>;
  /** Stops the run under way. */
  readonly abort: () => void;
  /** Decides about a call of `approvals`. */
  readonly approve: (toolId: string, approved: boolean, reason?: string) => void;
}

export const LOADING: DocAgentState = {
  agent: undefined,
  status: "loading",
  text: "",
  approvals: [],
  error: undefined,
};

/** Keeps the state of one component. */
export class DocAgentStore implements DocAgentActions {
  /** The current options. */
  options: DocAgentOptions;
  #state = LOADING;
  #next: DocAgentState | undefined;
  /** The options that the agent has. */
  #configured: DocAgentOptions;
  readonly #listeners = new Set<() => void>();

  constructor(options: DocAgentOptions) {
    this.options = this.#configured = options;
  }

  readonly state = (): DocAgentState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Creates the agent when the wasm is loaded. Returns the function that disposes it. */
  open(document: DocAgentTarget): () => void {
    let agent: Agent | undefined;
    let isOpen = true;
    const create = () => {
      // An editor may be destroyed before its component is.
      if (!isOpen || !document || (document as { isDestroyed?: boolean }).isDestroyed) return;
      this.#configured = this.options;
      const { onEvent: _onEvent, ...options } = this.options;
      agent = new Agent({ ...options, document });
      agent.subscribe(this.#take);
      this.#set({ ...LOADING, agent, status: "ready" });
    };
    loadRest()
      .then(create)
      .catch((thrown: unknown) => isOpen && this.#set({ error: infoOf(thrown) }));
    return () => {
      isOpen = false;
      agent?.dispose();
      this.#set(LOADING);
    };
  }

  readonly prompt = async (input: string, options?: RunOptions): Promise<RunResult> => {
    const agent = this.#agent();
    if (this.options !== this.#configured) {
      // Settings that are no longer there get their defaults again.
      const removed = Object.fromEntries(Object.keys(this.#configured).map((name) => [name, undefined]));
      const all = { ...removed, ...this.options };
      const { onEvent: _onEvent, fetch: _fetch, logger: _logger, record: _record, ...settings } = all;
      agent.configure(settings);
      this.#configured = this.options;
    }
    return agent.prompt(input, undefined, options);
  };

  readonly abort = (): void => this.#current.agent?.abort();

  readonly approve = (toolId: string, approved: boolean, reason?: string): void => {
    this.#agent().approve(toolId, approved, reason);
    const approvals = this.#current.approvals.filter((request) => request.toolId !== toolId);
    this.#set({ approvals, status: approvals.length ? "waiting" : "running" });
  };

  get #current(): DocAgentState {
    return this.#next ?? this.#state;
  }

  #agent(): Agent {
    const { agent } = this.#current;
    if (agent) return agent;
    const message = "The agent is not loaded yet. Wait until the status is no longer `loading`.";
    throw new CopydeskError({ code: "not_loaded", message, details: {} });
  }

  readonly #take = (event: AgentEvent): void => {
    switch (event.type) {
      case "agent_start":
        this.#set({ status: "running", text: "", error: undefined });
        break;
      case "turn_start":
      case "retry":
        this.#set({ text: "" });
        break;
      case "content":
        this.#set({ text: this.#current.text + event.content });
        break;
      case "approval_request": {
        const { toolId, toolName, toolInput } = event;
        this.#set({ status: "waiting", approvals: [...this.#current.approvals, { toolId, toolName, toolInput }] });
        break;
      }
      case "complete":
      case "aborted":
        this.#set({ status: "ready", approvals: [] });
        break;
      case "error":
        this.#set({
          status: "ready",
          approvals: [],
          error: { code: event.code, message: event.error, details: event.details },
        });
    }
    this.options.onEvent?.(event);
  };

  /** The listeners are told once for all changes of a task: hundreds of events may arrive in one. */
  #set(change: Partial<DocAgentState>): void {
    const isScheduled = this.#next !== undefined;
    this.#next = { ...this.#current, ...change };
    if (isScheduled) return;
    queueMicrotask(() => {
      this.#state = this.#next!;
      this.#next = undefined;
      for (const listener of [...this.#listeners]) listener();
    });
  }
}

function infoOf(thrown: unknown): ErrorInfo {
  if (thrown instanceof CopydeskError) return { code: thrown.code, message: thrown.message, details: thrown.details };
  return { code: "internal", message: thrown instanceof Error ? thrown.message : String(thrown), details: {} };
}
