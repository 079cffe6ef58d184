/** The app's functions as the wasm of a worker calls them: they are in the page. */

import type { Logger } from "../types/index.js";
import type { Call, FromWorker, Returned, Snapshot } from "./messages.js";

/** A call that the page has not ended. */
interface Pending {
  settle: (result: Returned) => void;
  update: ((partial: unknown) => void) | undefined;
}

export class RemoteApp {
  /** The names of the hooks of the run. */
  hooks = new Set<string>();
  readonly #hasLogger: boolean;
  readonly #hasWorkspace: boolean;
  readonly #post: (message: FromWorker) => void;
  readonly #snapshot: () => Snapshot;
  readonly #pending = new Map<number, Pending>();
  /** The calls that need approval, as the page has said together with `beforeToolCall`. */
  readonly #needApproval = new Set<string>();
  #last = 0;

  constructor(
    hasLogger: boolean,
    hasWorkspace: boolean,
    post: (message: FromWorker) => void,
    snapshot: () => Snapshot,
  ) {
    this.#hasLogger = hasLogger;
    this.#hasWorkspace = hasWorkspace;
    this.#post = post;
    this.#snapshot = snapshot;
  }

  /** Returns whether the app has a hook, a logger or a workspace. */
  has(name: string): boolean {
    if (name === "logger") return this.#hasLogger;
    return name === "workspace" ? this.#hasWorkspace : this.hooks.has(name);
  }

  /** Calls a method of the workspace. */
  async workspace(method: string, given: unknown[]): Promise<unknown> {
    return valueOf(await this.#ask({ kind: "workspace", method, given }));
  }

  log(level: keyof Logger, message: string, fields: Record<string, unknown>): void {
    this.#post({ type: "log", level, message, fields });
  }

  /** Calls a hook, or a tool if `update` is given. */
  async call(name: string, given: unknown, signal: AbortSignal, update?: (partial: unknown) => void): Promise<unknown> {
    const kind = update ? "tool" : "hook";
    const result = await this.#ask({ kind, name, given }, signal, update);
    if ("needsApproval" in result) {
      const { toolCall, args } = given as { toolCall: { name: string }; args: unknown };
      const key = keyOf(toolCall.name, args);
      if (result.needsApproval) this.#needApproval.add(key);
      else this.#needApproval.delete(key);
    }
    return valueOf(result);
  }

  /** Returns whether a call needs approval. The wasm asks after `beforeToolCall`. */
  needsApproval(name: string, args: unknown): boolean {
    return this.#needApproval.has(keyOf(name, args));
  }

  /** Sends a request with the app's `fetch`. */
  readonly fetch = async (url: string, { signal, ...init }: RequestInit): Promise<unknown> => {
    const id = this.#last + 1;
    const result = await this.#ask({ kind: "fetch", url, init }, signal ?? undefined);
    if (!("response" in result)) throw new Error("fetch gave no Response");
    const { hasBody, headers, ...head } = result.response;
    const cancel = () => this.#post({ type: "cancel", id });
    signal?.addEventListener("abort", cancel, { once: true });
    const read = async () => {
      const next = await this.#ask({ kind: "read", of: id }, signal ?? undefined);
      return "chunk" in next ? next.chunk : { done: true };
    };
    const body = hasBody ? { getReader: () => ({ read, cancel: async () => cancel(), releaseLock: () => {} }) } : null;
    return { ...head, headers: { get: (name: string) => headers[name] ?? null }, body };
  };

  returned(id: number, result: Returned): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.settle(result);
  }

  progress(id: number, partial: string): void {
    this.#pending.get(id)?.update?.(JSON.parse(partial));
  }

  async #ask(call: Call, signal?: AbortSignal, update?: (partial: unknown) => void): Promise<Returned> {
    const id = ++this.#last;
    const result = await new Promise<Returned>((settle, reject) => {
      this.#pending.set(id, { settle, update });
      const abort = () => {
        // The wasm's callback must not be called any more.
        if (!this.#pending.delete(id)) return;
        this.#post({ type: "cancel", id });
        reject(new Error("the call was stopped"));
      };
      signal?.addEventListener("abort", abort, { once: true });
      const isOfRun = call.kind === "hook" || call.kind === "tool";
      this.#post({ type: "call", id, call, ...(isOfRun && { state: this.#snapshot() }) });
    });
    if (!("thrown" in result)) return result;
    const { message, name, code, details, cause } = result.thrown;
    if (message === undefined) throw undefined;
    throw Object.assign(new Error(message), {
      ...(name !== undefined && { name }),
      ...(code !== undefined && { code, details: JSON.parse(details ?? "{}") }),
      ...(cause && { cause }),
    });
  }
}

function valueOf(result: Returned): unknown {
  // A BigInt has no JSON: the wasm refuses it as it would refuse the value of the app.
  if ("invalid" in result) return 0n;
  return "value" in result && result.value !== undefined ? JSON.parse(result.value) : undefined;
}

function keyOf(name: string, args: unknown): string {
  return `${name} ${JSON.stringify(args)}`;
}
