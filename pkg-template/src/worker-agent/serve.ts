/** The worker's side of agents whose document is in the page. */

import { CoalescingReader } from "../agent/coalescing-reader.js";
import { settled } from "../document/calls.js";
import { CopydeskError, toCopydeskError } from "../base/error.js";
import { full } from "../loading/full-build.js";
import { init, type InitSource } from "../loading/load.js";
import type { ErrorInfo, RunResult } from "../types/index.js";
import { RemoteApp } from "./remote-app.js";
import { Outbox } from "./outbox.js";
import type { FromWorker, Start, ToWorker } from "./messages.js";

/** The part of a worker's global scope that is used. */
export interface WorkerScope {
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
}

export interface ServeOptions {
  /** The wasm of the full build, if it is not the file of the package: as for `init`. */
  wasm?: InitSource;
}

/**
 * Runs the agents that pages create with `createWorkerAgent` and this worker. Call it while the worker starts, with
 * `self`; messages of your own are left to your listeners.
 */
export function serveAgents(scope: WorkerScope, options: ServeOptions = {}): void {
  scope.addEventListener("message", ({ data }) => {
    const start = data as Partial<Start> | null | undefined;
    if (start?.copydesk === "agent" && start.port) void serve(start as Start, options);
  });
}

async function serve(start: Start, options: ServeOptions): Promise<void> {
  const { port } = start;
  const post = (message: FromWorker) => port.postMessage(message);
  try {
    await init(options.wasm, full);
    for (const [tag, messages] of start.languages) full.glue.loadCatalogs(tag, JSON.stringify(messages));
    const release = await hold(start.lock);
    const agent = new ServedAgent(start, post, () => {
      release();
      port.close();
    });
    port.onmessage = ({ data }) => agent.receive(data as ToWorker);
    post({ type: "ready" });
  } catch (thrown) {
    post({ type: "failed", error: infoOf(thrown) });
  }
}

/** Holds the lock by which the page knows that this worker lives. Returns the function that releases it. */
async function hold(lock: string): Promise<() => void> {
  const { locks } = globalThis.navigator;
  if (!locks) return () => {};
  return new Promise((held, failed) => {
    locks.request(lock, () => new Promise<void>((release) => held(release))).catch(failed);
  });
}

class ServedAgent {
  readonly #mirror;
  readonly #agent;
  readonly #app: RemoteApp;
  readonly #outbox: Outbox;
  readonly #post: (message: FromWorker) => void;
  readonly #release: () => void;
  /** The questions about the document that have no answer yet. */
  readonly #asked = new Map<number, (answer: string) => void>();
  #lastAsked = 0;
  #running: Promise<unknown> = Promise.resolve();

  constructor(start: Start, post: (message: FromWorker) => void, release: () => void) {
    const { DocumentMirror, AgentHandle } = full.glue;
    // Whatever is sent comes after the events before it.
    this.#post = (message) => {
      this.#outbox.flush();
      post(message);
    };
    this.#release = release;
    this.#app = new RemoteApp(
      start.logger,
      start.workspace,
      (message) => this.#post(message),
      () => this.#outbox.snapshot(false),
    );
    this.#mirror = new DocumentMirror(start.document, { ask: (question: string) => this.#ask(question) });
    this.#outbox = new Outbox(post, start.preview, () => this.#mirror.revision);
    const fetch = start.fetch ? this.#app.fetch : undefined;
    const reader = (body: ConstructorParameters<typeof CoalescingReader>[0]) => new CoalescingReader(body);
    const app = Object.assign(this.#app, { reader });
    this.#agent = AgentHandle.ofMirror(this.#mirror, start.settings, fetch, app, this.#outbox.report);
    this.#outbox.agent = this.#agent;
  }

  receive(message: ToWorker): void {
    switch (message.type) {
      case "run":
        return void this.#run(message);
      case "do":
        return this.#do(message);
      case "update":
        this.#mirror.receive(message.update);
        return this.#outbox.retarget();
      case "answer":
        if (message.update) this.#mirror.receive(message.update);
        this.#asked.get(message.id)?.(message.answer);
        this.#asked.delete(message.id);
        return;
      case "returned":
        return this.#app.returned(message.id, message.result);
      case "progress":
        return this.#app.progress(message.id, message.partial);
      case "shown":
        return this.#outbox.shown();
      case "dispose":
        return this.#dispose();
    }
  }

  async #run({ id, messages, options, hooks, update }: Extract<ToWorker, { type: "run" }>): Promise<void> {
    if (update) this.#mirror.receive(update);
    if (!this.#agent.isRunning) this.#app.hooks = new Set(hooks);
    const begin = () =>
      messages === undefined ? this.#agent.continueRun(options) : this.#agent.prompt(JSON.parse(messages), options);
    const run = settled<RunResult>(begin(), full.glue);
    this.#running = Promise.allSettled([this.#running, run]);
    const result = await run.catch(infoOf);
    this.#post({ type: "ended", id, result, state: this.#outbox.snapshot(true) });
    if (!this.#agent.isRunning) this.#asked.clear();
  }

  #do({ method, args }: Extract<ToWorker, { type: "do" }>): void {
    try {
      (this.#agent[method] as (...args: unknown[]) => void)(...args);
    } catch (thrown) {
      // The page has checked the arguments. A call that was decided, or a run that began, meanwhile changes nothing.
      console.warn(`copydesk: ${method} had no effect: ${infoOf(thrown).message}`);
    }
  }

  #ask(question: string): Promise<string> {
    return new Promise((answered) => {
      const id = ++this.#lastAsked;
      this.#asked.set(id, answered);
      this.#post({ type: "ask", id, question });
    });
  }

  #dispose(): void {
    this.#agent.abort();
    void this.#running.then(() => {
      this.#agent.free();
      this.#mirror.free();
      this.#release();
    });
  }
}

function infoOf(thrown: unknown): ErrorInfo {
  const error = toCopydeskError(thrown);
  if (error instanceof CopydeskError) return { code: error.code, message: error.message, details: error.details };
  return { code: "internal", message: String(error), details: {} };
}
