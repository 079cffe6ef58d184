/** The app's hooks, tools and files, as the wasm calls them. */

import type { AgentHooks } from "./options.js";
import { CoalescingReader } from "./coalescing-reader.js";
import type { Plugins } from "./plugins.js";
import type { ReadGate } from "./read-gate.js";
import type { AgentState, AgentTool, Logger, WorkspaceHost } from "../types/index.js";

type Hook = keyof AgentHooks;

/** A call of a tool. */
interface GivenCall {
  id: string;
  args: Record<string, unknown>;
}

export interface AppCallbacksOptions {
  logger?: Logger | undefined;
  /** Returns the agent's state. It must not reference the agent strongly, because the wasm references these callbacks. */
  stateOf: () => AgentState | undefined;
  gate?: ReadGate | undefined;
  workspace?: WorkspaceHost | undefined;
  plugins?: Plugins | undefined;
}

export class AppCallbacks {
  tools: Map<string, AgentTool> = new Map();
  #hooks: AgentHooks;
  #logger: Logger | undefined;
  readonly #stateOf: () => AgentState | undefined;
  readonly #gate: ReadGate | undefined;
  #workspace: WorkspaceHost | undefined;
  #plugins: Plugins | undefined;

  constructor(hooks: AgentHooks, { logger, stateOf, gate, workspace, plugins }: AppCallbacksOptions) {
    this.#hooks = hooks;
    this.#logger = logger;
    this.#stateOf = stateOf;
    this.#gate = gate;
    this.#workspace = workspace;
    this.#plugins = plugins?.isEmpty ? undefined : plugins;
  }

  /** Sets the hooks of the next run. */
  take(hooks: AgentHooks): void {
    this.#hooks = hooks;
  }

  /** Releases everything that the app provided. */
  release(): void {
    this.take({});
    this.tools = new Map();
    this.#logger = undefined;
    this.#workspace = undefined;
    this.#plugins = undefined;
  }

  /** Returns whether the app provided a hook, a logger or a workspace. */
  has(name: string): boolean {
    if (name === "logger") return !!this.#logger;
    if (name === "workspace") return !!this.#workspace || !!this.#plugins;
    if (name === "prepareRequest") return !!this.#plugins;
    return typeof this.#hooks[name as Hook] === "function";
  }

  /** Calls a method of the workspace. */
  async workspace(method: keyof WorkspaceHost, given: unknown[]): Promise<unknown> {
    const [path, text, options] = given as Parameters<WorkspaceHost["write"]>;
    const called = method === "write" ? [path, text, { ...options, author: "agent" }] : given;
    if (this.#plugins) return this.#plugins.workspace(method, called);
    const workspace = this.#workspace;
    if (!workspace) throw new Error("the agent was disposed");
    return (workspace[method] as (...given: unknown[]) => Promise<unknown>)(...called);
  }

  /** Writes a log entry. */
  log(level: keyof Logger, message: string, fields: Record<string, unknown>): void {
    this.#logger?.[level]?.(message, fields);
  }

  /** Calls a hook, or a tool if `update` is given. */
  async call(name: string, given: never, signal: AbortSignal, update?: (partial: unknown) => void): Promise<unknown> {
    if (!update) return this.#hook(name as Hook, given, signal);
    const tool = this.tools.get(name);
    if (!tool) throw new Error(`the tool ${name} was removed`);
    const { id, args } = given as GivenCall;
    // The wasm's callback must not be called after the end of the call.
    let isLive = true;
    const report = (partial: unknown) => {
      if (isLive && !signal.aborted) update(partial);
    };
    try {
      return await tool.execute(id, args, signal, report);
    } finally {
      isLive = false;
    }
  }

  /** Returns the reader of a response body. */
  reader(body: ConstructorParameters<typeof CoalescingReader>[0]): CoalescingReader {
    return new CoalescingReader(body, this.#gate);
  }

  /** Returns whether a call needs approval. */
  needsApproval(name: string, args: Record<string, unknown>): boolean {
    const needs = this.tools.get(name)?.needsApproval;
    return typeof needs === "function" ? needs(args) : !!needs;
  }

  #hook(name: Hook, given: never, signal: AbortSignal): unknown {
    if ((name as string) === "prepareRequest") return this.#plugins?.ready(signal);
    if (name === "getApiKey") return this.#hooks.getApiKey?.((given as { provider: string }).provider);
    if (name === "beforeToolCall" || name === "afterToolCall")
      return this.#hooks[name]?.(this.#inContext(given), signal);
    return this.#hooks[name]?.(given, signal);
  }

  /** Returns the argument of a hook for calls, with getters for the conversation. */
  #inContext(given: object): never {
    const stateOf = this.#stateOf;
    return Object.defineProperties(given, {
      context: { get: stateOf, enumerable: true },
      assistantMessage: {
        get: () => stateOf()?.messages.findLast(({ role }) => role === "assistant"),
        enumerable: true,
      },
    }) as never;
  }
}
