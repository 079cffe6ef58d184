/** An index whose files are in workers: one for literals and checks, and one for regular expressions. */

import type { CheckKind, CheckReport, FileSearchResult } from "../types/index.js";
import { errorOf } from "../base/worker-error.js";
import type { ChangedFile } from "./index-engine.js";
import type { FromIndex, IndexRequest, StartIndex, ToIndex } from "./index-messages.js";
import type { MessagePortLike, WebWorker } from "../base/platform.js";
import { startThread, type IndexThread } from "./index-thread.js";
import type { Query } from "./query.js";

/** The milliseconds that a search with a regular expression may take without progress. */
export const LONGEST_SEARCH = 2000;
/** The milliseconds that such a search may take besides for a million characters. */
const MORE_PER_MILLION = 200;
/** The parts of this time that are waited for one after another: a pause of the page's thread counts as one at most. */
const PARTS = 8;
/** The milliseconds that a worker may take to load. */
const LONGEST_START = 30_000;

/** A search that was stopped. */
export class TooSlow extends Error {}

/** A worker that did not load, or is gone. */
export class ThreadLost extends Error {}

/** The worker of regular expressions did not load, while that of the index is there. */
export class NoMatcher extends Error {}

type Create = (() => WebWorker) | undefined;

/** Searches literals in one worker, which holds the index, and regular expressions in another one, which can be ended. */
export class WorkerEngine {
  readonly #create: Create;
  readonly #index: IndexWorker;
  #matcher: IndexWorker | undefined;

  private constructor(create: Create, index: IndexWorker) {
    this.#create = create;
    this.#index = index;
  }

  /** Starts the worker of the index. Fails with {@link ThreadLost} if it does not load. */
  static async start(create: Create, start: Omit<StartIndex, "copydesk">): Promise<WorkerEngine> {
    return new WorkerEngine(create, await IndexWorker.start(create, { copydesk: "index", ...start }));
  }

  async change(files: ChangedFile[]): Promise<void> {
    const matcher = this.#matcher?.change(files).catch(() => this.#endMatcher());
    await Promise.all([this.#index.change(files), matcher]);
  }

  /** Fails with {@link TooSlow} or {@link NoMatcher} for a regular expression, after which the index is as before. */
  async search(query: Query): Promise<FileSearchResult> {
    if (!query.regex) return this.#index.search(query);
    try {
      this.#matcher ??= await this.#startMatcher();
      return await this.#matcher.search(query);
    } catch (thrown) {
      if (thrown instanceof TooSlow || thrown instanceof ThreadLost) this.#endMatcher();
      throw thrown;
    }
  }

  check(kind: CheckKind, locale: string | undefined): Promise<CheckReport> {
    return this.#index.check(kind, locale);
  }

  end(): void {
    this.#endMatcher();
    this.#index.end();
  }

  /** Starts the worker of regular expressions, with the texts of the index. */
  async #startMatcher(): Promise<IndexWorker> {
    const { port1, port2 } = new MessageChannel() as unknown as { port1: MessagePortLike; port2: MessagePortLike };
    this.#index.post({ copydesk: "texts", port: port1 }, [port1]);
    try {
      return await IndexWorker.start(this.#create, { copydesk: "matcher", port: port2 }, [port2]);
    } catch (thrown) {
      if (this.#index.isLost) throw thrown;
      throw new NoMatcher((thrown as Error).message, { cause: thrown });
    }
  }

  #endMatcher(): void {
    this.#matcher?.end();
    this.#matcher = undefined;
  }
}

interface Pending {
  resolve(result: unknown): void;
  reject(thrown: unknown): void;
  /** The milliseconds after which the worker is stopped, whatever its progress. */
  longest: number;
}

/** One worker, with the requests that it has not answered. */
class IndexWorker {
  #thread: IndexThread | undefined;
  #pending = new Map<number, Pending>();
  #last = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lost: ThreadLost | undefined;
  #started: { resolve(): void; reject(thrown: unknown): void } | undefined;

  /** Starts a worker. Fails with {@link ThreadLost} if it does not load. */
  static async start(create: Create, message: ToIndex, transfer: MessagePortLike[] = []): Promise<IndexWorker> {
    const worker = new IndexWorker();
    const ready = new Promise<void>((resolve, reject) => (worker.#started = { resolve, reject }));
    // If no worker is made, nobody waits for it.
    ready.catch(() => {});
    const late = setTimeout(() => worker.#lose(`it did not load within ${LONGEST_START} ms`), LONGEST_START);
    try {
      worker.#thread = await startThread(create, {
        message: (message) => worker.#receive(message),
        failed: (reason) => worker.#lose(reason),
      });
      worker.#thread.setBusy(true);
      worker.#thread.post(message, transfer);
      await ready;
      worker.#thread.setBusy(false);
      return worker;
    } catch (thrown) {
      worker.end();
      throw thrown instanceof ThreadLost ? thrown : new ThreadLost(String(thrown), { cause: thrown });
    } finally {
      clearTimeout(late);
    }
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  post(message: ToIndex, transfer: MessagePortLike[]): void {
    this.#thread?.post(message, transfer);
  }

  change(files: ChangedFile[]): Promise<void> {
    return this.#ask({ type: "change", files }) as Promise<void>;
  }

  /** Fails with {@link TooSlow}, after which the worker is gone. */
  search(query: Query): Promise<FileSearchResult> {
    return this.#ask({ type: "search", query }) as Promise<FileSearchResult>;
  }

  check(kind: CheckKind, locale: string | undefined): Promise<CheckReport> {
    return this.#ask({ type: "check", kind, locale }) as Promise<CheckReport>;
  }

  end(): void {
    this.#lose("it was ended");
  }

  #ask(request: IndexRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#lost || !this.#thread) return reject(this.#lost ?? new ThreadLost("it was not started"));
      const id = ++this.#last;
      this.#pending.set(id, { resolve, reject, longest: LONGEST_SEARCH });
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
        if (pending) pending.longest = LONGEST_SEARCH + (MORE_PER_MILLION * message.length) / 1e6;
        return this.#watch(message.id, 0);
      }
      case "going":
        return this.#watch(message.id, message.ms);
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    clearTimeout(this.#timer);
    if (!this.#pending.size) this.#thread?.setBusy(false);
    if (message.type === "done") return pending?.resolve(message.result);
    pending?.reject(errorOf(message));
  }

  /** Stops a search that has taken too long in the worker, or that makes no further progress. */
  #watch(id: number, ms: number): void {
    clearTimeout(this.#timer);
    const pending = this.#pending.get(id);
    if (!pending) return;
    if (ms > pending.longest) return this.#stop(id);
    this.#wait(id, LONGEST_SEARCH / PARTS, PARTS);
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
