/** The app's own functions, as the wasm calls them: its hooks and its tools. */

import type { AgentHooks } from "./agent.js";
import type { AgentTool, Logger } from "./types.js";

type Hook = keyof AgentHooks;

/** A call of a tool, as the wasm makes it. */
interface GivenCall {
  id: string;
  args: Record<string, unknown>;
}

export class App {
  tools: Map<string, AgentTool> = new Map();
  readonly #hooks: AgentHooks;
  readonly #logger: Logger | undefined;

  constructor(hooks: AgentHooks, logger?: Logger) {
    this.#hooks = hooks;
    this.#logger = logger;
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

  /** Whether a call needs the person's yes. */
  needsApproval(name: string, args: Record<string, unknown>): boolean {
    const needs = this.tools.get(name)?.needsApproval;
    return typeof needs === "function" ? needs(args) : !!needs;
  }

  #hook(name: Hook, given: never, signal: AbortSignal): unknown {
    if (name === "getApiKey") return this.#hooks.getApiKey?.((given as { provider: string }).provider);
    return this.#hooks[name]?.(given, signal);
  }
}
