/** One run of a route: an agent whose events go into a stream. */

import { Agent } from "../agent.js";
import type { Document } from "../document.js";
import { asRouteError } from "./errors.js";
import { isObject } from "../json.js";
import { setReadGate } from "../read-gate.js";
import type { AgentOptions } from "../options.js";
import type { AgentEvent, RunResult, ToolResultChange, ToolResultContext } from "../types.js";
import { EventStream } from "./event-stream.js";
import type { EventWriter } from "./formats/format.js";

export interface RunInput {
  readonly options: Omit<AgentOptions, "document">;
  readonly document: Document;
  /** Returns the document as HTML for `get_document`. */
  readonly html: () => string;
  readonly message: string;
  readonly history: Agent["messages"];
  readonly writer: EventWriter;
  readonly keepAlive: number;
  /** The request, whose signal stops the run. It is kept, because the signal of a collected request never aborts. */
  readonly request: Request;
}

export class Run {
  readonly #agent: Agent;
  readonly #stream: EventStream;
  readonly #input: RunInput;
  #isStopped = false;

  /** @throws CopydeskError for settings or a history that an agent refuses. */
  constructor(input: RunInput) {
    const { options, document, html, history, keepAlive } = input;
    const { signal } = input.request;
    this.#input = input;
    this.#stream = new EventStream({ keepAlive, onCancel: () => this.#stop() });
    setReadGate(document, () => this.#stream.ready());
    try {
      this.#agent = new Agent({ ...options, document, afterToolCall: withSource(options.afterToolCall, html) });
    } catch (thrown) {
      this.#stream.close();
      throw thrown;
    } finally {
      setReadGate(document, undefined);
    }
    try {
      if (history.length) this.#agent.messages = history;
    } catch (thrown) {
      this.#stream.close();
      this.#agent.dispose();
      throw thrown;
    }
    if (signal.aborted) this.#stop();
    else signal.addEventListener("abort", this.#stop, { once: true });
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#stream.body;
  }

  /** Runs to the end, which `atEnd` sees before the stream is closed. Never rejects. */
  async finish(atEnd: (result: RunResult) => Promise<void>): Promise<void> {
    const { message, writer, request } = this.#input;
    let seq = -1;
    let end: AgentEvent | undefined;
    this.#agent.subscribe((event) => {
      seq = event.seq;
      // The end of the stream is written when the app has seen the end of the run.
      if (event.type === "complete" || event.type === "aborted" || event.type === "error") end = event;
      else this.#stream.write(writer.write(event));
    });
    try {
      const result = this.#isStopped ? stopped : await this.#agent.prompt(message);
      await atEnd(result);
      end ??= { type: "aborted", seq: seq + 1 };
    } catch (thrown) {
      const { message: error, code, details } = asRouteError(thrown);
      end = { type: "error", seq: end?.seq ?? seq + 1, error, code, details };
    }
    this.#stream.write(writer.write(end));
    this.#stream.close();
    request.signal.removeEventListener("abort", this.#stop);
    this.#agent.dispose();
  }

  readonly #stop = (): void => {
    this.#isStopped = true;
    this.#agent?.abort();
  };
}

const usage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  totalTokens: 0,
};
const stopped: RunResult = { status: "aborted", text: "", usage };

type AfterToolCall = NonNullable<AgentOptions["afterToolCall"]>;

/** Shows the model the source of the document as `rawHtml`. The app's hook sees the result with it. */
function withSource(hook: AfterToolCall | undefined, html: () => string): AfterToolCall {
  return async (context, signal) => {
    const { toolCall, isError, result } = context;
    let change: ToolResultChange | undefined;
    if (toolCall.name === "get_document" && !isError && isObject(result) && "rawHtml" in result) {
      change = { content: { ...result, rawHtml: html() } };
      context = Object.defineProperty(context, "result", {
        value: change.content,
        enumerable: true,
      }) as ToolResultContext;
    }
    const changed = await hook?.(context, signal);
    return changed ? { ...change, ...changed } : change;
  };
}
