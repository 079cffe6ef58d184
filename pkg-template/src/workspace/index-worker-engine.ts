/** An index whose files are in a worker, which is stopped when a search is too slow. */

import { CopydeskError } from "../error.js";
import type { CheckKind, CheckReport, FileSearchResult } from "../types.js";
import type { ChangedFile } from "./index-engine.js";
import type { FromIndex, IndexRequest, StartIndex } from "./index-messages.js";
import type { WebWorker } from "../platform.js";
import { startThread, type IndexThread } from "./index-thread.js";
import type { Query } from "./query.js";

/** The milliseconds that a search with a regular expression may take. */
export const LONGEST_SEARCH = 2000;
/** The parts of this time that are waited for one after another: a pause of the page's thread counts as one at most. */
const PARTS = 8;
/** The milliseconds that a worker may take to load. */
const LONGEST_START = 30_000;

/** A search that was stopped. */
export class TooSlow extends Error {}

/** A worker that did not load, or is gone. */
export class ThreadLost extends Error {}

interface Pending {
  resolve(result: unknown): void;
  reject(thrown: unknown): void;
  /** Stops the worker if the request takes longer. */
  limit: number | undefined;
}

export class WorkerEngine {
  #thread: IndexThread | undefined;
  #pending = new Map<number, Pending>();
  #last = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lost: ThreadLost | undefined;
  #started: { resolve(): void; reject(thrown: unknown): void } | undefined;

  /** Starts a worker. Fails with {@link ThreadLost} if it does not load. */
  static async start(
    create: (() => WebWorker) | undefined,
    start: Omit<StartIndex, "copydesk">,
  ): Promise<WorkerEngine> {
    const engine = new WorkerEngine();
    const ready = new Promise<void>((resolve, reject) => (engine.#started = { resolve, reject }));
    const late = setTimeout(() => engine.#lose(`it did not load within ${LONGEST_START} ms`), LONGEST_START);
    try {
      engine.#thread = await startThread(create, {
        message: (message) => engine.#receive(message),
        failed: (reason) => engine.#lose(reason),
      });
      engine.#thread.setBusy(true);
      engine.#thread.post({ copydesk: "index", ...start });
      await ready;
      engine.#thread.setBusy(false);
      return engine;
    } catch (thrown) {
      engine.end();
      throw thrown instanceof ThreadLost ? thrown : new ThreadLost(String(thrown), { cause: thrown });
    } finally {
      clearTimeout(late);
    }
  }

  change(files: ChangedFile[]): Promise<void> {
    return this.#ask({ type: "change", files }) as Promise<void>;
  }

  /** Fails with {@link TooSlow}, after which the worker is gone. */
  search(query: Query): Promise<FileSearchResult> {
    const limit = query.regex ? LONGEST_SEARCH : undefined;
    return this.#ask({ type: "search", query }, limit) as Promise<FileSearchResult>;
  }

  check(kind: CheckKind, locale: string | undefined): Promise<CheckReport> {
    return this.#ask({ type: "check", kind, locale }) as Promise<CheckReport>;
  }

  end(): void {
    this.#lose("it was ended");
  }

  #ask(request: IndexRequest, limit?: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#lost || !this.#thread) return reject(this.#lost ?? new ThreadLost("it was not started"));
      const id = ++this.#last;
      this.#pending.set(id, { resolve, reject, limit });
      this.#thread.setBusy(true);
      this.#thread.post({ copydesk: "request", id, ...request });
    });
  }

  #receive(message: FromIndex): void {
    switch (message.type) {
      case "ready":
        return this.#started?.resolve();
      case "failed":
        return this.#lose(message.reason);
      case "begun": {
        const pending = this.#pending.get(message.id);
        if (pending?.limit) this.#wait(message.id, pending.limit / PARTS, PARTS);
        return;
      }
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    clearTimeout(this.#timer);
    if (!this.#pending.size) this.#thread?.setBusy(false);
    if (message.type === "done") return pending?.resolve(message.result);
    const { code, name, message: text, details = {} } = message;
    pending?.reject(
      code ? new CopydeskError({ code, message: text, details }) : Object.assign(new Error(text), { name }),
    );
  }

  /** Stops a request when `parts` times `ms` have passed. */
  #wait(id: number, ms: number, parts: number): void {
    this.#timer = setTimeout(() => (parts > 1 ? this.#wait(id, ms, parts - 1) : this.#stop(id)), ms);
  }

  #stop(id: number): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    this.#lose("a search was too slow");
    pending?.reject(new TooSlow());
  }

  #lose(reason: string): void {
    if (this.#lost) return;
    this.#lost = new ThreadLost(reason);
    clearTimeout(this.#timer);
    this.#thread?.terminate();
    this.#started?.reject(this.#lost);
    for (const { reject } of this.#pending.values()) reject(this.#lost);
    this.#pending.clear();
  }
}
