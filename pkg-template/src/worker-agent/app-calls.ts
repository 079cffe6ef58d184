/** Calls of the app's functions by the worker. */

import type { AppCallbacks } from "../agent/app-callbacks.js";
import type { AgentHooks } from "../agent/options.js";
import type { FetchLike } from "../types/index.js";
import type { Call, ResponseHead, Returned, ThrownError, ToWorker } from "./messages.js";

const HOOKS: Record<keyof AgentHooks | "prepareRequest", true> = {
  prepareRequest: true,
  transformContext: true,
  convertToLlm: true,
  getApiKey: true,
  beforeToolCall: true,
  afterToolCall: true,
};
/** The headers that the wasm reads. */
const HEADERS = ["content-type", "retry-after", "retry-after-ms", "location"];

type Post = (message: ToWorker, transfer?: Transferable[]) => void;

export class AppCalls {
  readonly #app: AppCallbacks;
  readonly #fetch: FetchLike | undefined;
  readonly #post: Post;
  readonly #running = new Map<number, AbortController>();
  /** The bodies of responses, by the call of `fetch`. */
  readonly #bodies = new Map<number, { reader: ReturnType<AppCallbacks["reader"]>; controller: AbortController }>();

  constructor(app: AppCallbacks, fetch: FetchLike | undefined, post: Post) {
    this.#app = app;
    this.#fetch = fetch;
    this.#post = post;
  }

  /** Returns the hooks that the next run may call. */
  begin(): string[] {
    // The worker is told with `beforeToolCall` whether a call needs approval: also by tools that are added in mid-run.
    return Object.keys(HOOKS).filter((name) => name === "beforeToolCall" || this.#app.has(name));
  }

  run(id: number, call: Call): void {
    const controller = new AbortController();
    this.#running.set(id, controller);
    void this.#result(id, call, controller)
      .catch(thrown)
      .then((result) => {
        this.#running.delete(id);
        if (controller.signal.aborted) return;
        const bytes = "chunk" in result ? (result.chunk.value as Partial<Uint8Array> | undefined) : undefined;
        this.#return(id, result, bytes?.buffer instanceof ArrayBuffer ? [bytes.buffer] : []);
      });
  }

  /** Aborts a call, or a body that is not read any more. */
  cancel(id: number): void {
    this.#running.get(id)?.abort();
    this.#running.delete(id);
    const body = this.#bodies.get(id);
    this.#bodies.delete(id);
    body?.controller.abort();
    body?.reader.cancel();
  }

  /** Aborts everything. */
  end(): void {
    for (const id of new Set([...this.#running.keys(), ...this.#bodies.keys()])) this.cancel(id);
  }

  #return(id: number, result: Returned, transfer: Transferable[]): void {
    try {
      this.#post({ type: "returned", id, result }, transfer);
    } catch (error) {
      // A stream of the app may give anything.
      this.#post({ type: "returned", id, result: thrown(error) });
    }
  }

  async #result(id: number, call: Call, controller: AbortController): Promise<Returned> {
    const { signal } = controller;
    switch (call.kind) {
      case "tool": {
        const progress = (partial: unknown) => {
          const text = textOf(partial);
          if (text !== undefined) this.#post({ type: "progress", id, partial: text });
        };
        return written(await this.#app.call(call.name, call.given as never, signal, progress));
      }
      case "hook":
        return this.#hook(call.name, call.given, signal);
      case "workspace":
        return written(await this.#app.workspace(call.method as never, call.given));
      case "fetch":
        return { response: await this.#respond(id, call, controller) };
      case "read": {
        const { done, value } = (await this.#bodies.get(call.of)?.reader.read()) ?? { done: true };
        return { chunk: { done: !!done, value } };
      }
    }
  }

  async #hook(name: string, given: unknown, signal: AbortSignal): Promise<Returned> {
    if (name !== "beforeToolCall") return written(await this.#app.call(name, given as never, signal));
    const { toolCall, args } = structuredClone(given) as { toolCall: { name: string }; args: Record<string, unknown> };
    const result = written(await this.#app.call(name, given as never, signal));
    return { ...result, needsApproval: this.#needsApproval(toolCall.name, args) };
  }

  #needsApproval(name: string, args: Record<string, unknown>): boolean {
    try {
      return this.#app.needsApproval(name, args);
    } catch {
      // If the app's function throws, the call waits for the user.
      return true;
    }
  }

  async #respond(
    id: number,
    { url, init }: { url: string; init: object },
    controller: AbortController,
  ): Promise<ResponseHead> {
    const response = await this.#fetch!(url, { ...init, signal: controller.signal });
    const { status, headers, body, type, url: from, redirected } = response;
    if (body) this.#bodies.set(id, { reader: this.#app.reader(body), controller });
    return {
      status,
      headers: Object.fromEntries(HEADERS.map((name) => [name, headers.get(name)])),
      type,
      url: from,
      redirected,
      hasBody: !!body,
    };
  }
}

/** Returns a value as JSON text; undefined if it has none. */
function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function written(value: unknown): Returned {
  if (value === undefined) return {};
  const text = textOf(value);
  return text === undefined ? { invalid: true } : { value: text };
}

function thrown(error: unknown): Returned {
  const { details, cause } = (error ?? {}) as { details?: unknown; cause?: unknown };
  const copy: ThrownError = copied(error);
  return {
    thrown: {
      ...copy,
      ...(copy.code !== undefined && { details: textOf(details) }),
      ...(typeof cause === "object" && cause !== null && { cause: copied(cause) }),
    },
  };
}

function copied(error: unknown): ThrownError {
  const { message = error, name, code } = (error ?? {}) as { message?: unknown; name?: unknown; code?: unknown };
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return { message: text(message), name: text(name), code: text(code) };
}
