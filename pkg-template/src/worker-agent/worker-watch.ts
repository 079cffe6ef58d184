/** Finds out that a worker did not load, or is gone. */

import type { ErrorInfo } from "../types/index.js";
import { workerWords } from "./words.js";

type Code = "worker_load" | "worker_stopped";

let last = 0;

/**
 * A worker that is terminated, or whose process ends, tells nobody. So it holds a Web Lock: the page gets the lock when
 * the worker is gone. Without Web Locks (a page that is not served by HTTPS) only a failure to load is found.
 */
export class WorkerWatch {
  /** The name of the lock that the worker holds. */
  readonly lock = `copydesk-agent-${globalThis.crypto.getRandomValues(new Uint32Array(2)).join("-")}-${++last}`;
  readonly #worker: Worker;
  readonly #loadTimeout: number;
  readonly #lost: (code: Code, reason: string) => void;
  readonly #ended = new AbortController();
  #isReady = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(worker: Worker, loadTimeout: number, lost: (code: Code, reason: string) => void) {
    this.#worker = worker;
    this.#loadTimeout = loadTimeout;
    this.#lost = lost;
    worker.addEventListener("error", this.#failed);
  }

  /** True if the end of the worker is noticed. */
  get canSeeTheEnd(): boolean {
    return !!globalThis.navigator.locks;
  }

  /** The worker is ready, and holds the lock. */
  ready(): void {
    this.#isReady = true;
    clearTimeout(this.#timer);
    this.#worker.removeEventListener("error", this.#failed);
    const { signal } = this.#ended;
    const gone = () => signal.aborted || this.#lost("worker_stopped", "it has ended");
    // Rejects when the watch has ended.
    globalThis.navigator.locks?.request(this.lock, { signal }, gone).catch(() => {});
  }

  /** Something waits for the worker: from now on it must load in time. */
  wait(): void {
    if (this.#isReady || this.#timer !== undefined) return;
    const late = () => this.#lost("worker_load", `it did not start an agent within ${this.#loadTimeout} ms`);
    this.#timer = setTimeout(late, this.#loadTimeout);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#worker.removeEventListener("error", this.#failed);
    this.#ended.abort();
  }

  readonly #failed = (event: ErrorEvent): void => {
    this.#lost("worker_load", event.message || "its script could not be loaded");
  };
}

/** Returns the error of a worker that did not load, or is gone. */
export function workerError(code: Code, reason: string, locale: string | undefined): ErrorInfo {
  const { notLoaded, stopped } = workerWords(locale);
  return { code, message: (code === "worker_load" ? notLoaded : stopped)(reason), details: { reason } };
}
