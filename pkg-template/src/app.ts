/** The app's own functions, as the wasm calls them: its hooks and its tools. */

import type { AgentHooks } from "./options.js";
import { Reading } from "./reading.js";
import type { AgentState, AgentTool, Logger } from "./types.js";

type Hook = keyof AgentHooks;

/** A call of a tool, as the wasm makes it. */
interface GivenCall {
  id: string;
  args: Record<string, unknown>;
}

export class App {
  tools: Map<string, AgentTool> = new Map();
  #hooks: AgentHooks;
  #logger: Logger | undefined;
  readonly #stateOf: () => AgentState | undefined;

  /** `stateOf` gives the agent's state; it must not hold the agent, which the wasm would then hold too. */
  constructor(hooks: AgentHooks, logger: Logger | undefined, stateOf: () => AgentState | undefined) {
    this.#hooks = hooks;
    this.#logger = logger;
    this.#stateOf = stateOf;
  }

  /** What the next run has of the app. */
  take(hooks: AgentHooks, tools: Map<string, AgentTool>): void {
    this.#hooks = hooks;
    this.tools = tools;
  }

  /** Lets go of all that the app has given. */
  release(): void {
    this.take({}, new Map());
    this.#logger = undefined;
  }

  /** Whether the app has given a hook, or a logger. */
  has(name: string): boolean {
    return name === "logger" ? !!this.#logger : typeof this.#hooks[name as Hook] === "function";
  }

  /** Writes an entry of the log. */
  log(level: keyof Logger, message: string, fields: Record<string, unknown>): void {
    this.#logger?.[level]?.(message, fields);
  }

  /** Calls a hook, or a tool with `update`. */
  async call(name: string, given: never, signal: AbortSignal, update?: (partial: unknown) => void): Promise<unknown> {
    if (!update) return this.#hook(name as Hook, given, signal);
    const tool = this.tools.get(name);
    if (!tool) throw new Error(`the tool ${name} was taken away`);
    const { id, args } = given as GivenCall;
    // What the wasm has lent must not be called any more once the call is over.
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

  /** Reads the body of an answer. */
  reader(body: ConstructorParameters<typeof Reading>[0]): Reading {
    return new Reading(body);
  }

  /** Whether a call needs the person's yes. */
  needsApproval(name: string, args: Record<string, unknown>): boolean {
    const needs = this.tools.get(name)?.needsApproval;
    return typeof needs === "function" ? needs(args) : !!needs;
  }

  #hook(name: Hook, given: never, signal: AbortSignal): unknown {
    if (name === "getApiKey") return this.#hooks.getApiKey?.((given as { provider: string }).provider);
    if (name === "beforeToolCall" || name === "afterToolCall") return this.#hooks[name]?.(this.#inContext(given), signal);
    return this.#hooks[name]?.(given, signal);
  }

  /** What a hook is told of a call, with the conversation around it for those that look at it. */
  #inContext(given: object): never {
    const stateOf = this.#stateOf;
    return Object.defineProperties(given, {
      context: { get: stateOf, enumerable: true },
      assistantMessage: { get: () => stateOf()?.messages.findLast(({ role }) => role === "assistant"), enumerable: true },
    }) as never;
  }
}
