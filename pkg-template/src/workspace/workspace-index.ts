/** The index of a workspace: its files in a worker, for searches and checks. */

import { guarded } from "../document/calls.js";
import { check, CopydeskError, members, reportError, toCopydeskError } from "../base/error.js";
import { addedMessages } from "../languages/languages.js";
import { loadedModule } from "../loading/load.js";
import type { WebWorker } from "../base/platform.js";
import type {
  CheckKind,
  CheckOptions,
  CheckReport,
  FileSearch,
  FileSearchResult,
  Locale,
  ReadProgress,
  SkippedFile,
  SkippedFiles,
  Workspace,
} from "../types/index.js";
import { storageError, workspaceError } from "./error.js";
import { IndexedFiles, type ChangedFile } from "./index-engine.js";
import { LONGEST_SEARCH, NoMatcher, ThreadLost, TooSlow, WorkerEngine } from "./index-worker-engine.js";
import { byPath } from "./paths.js";
import type { Query } from "./query.js";
import { isOfOneFile } from "./text-only.js";

/** The holder of the files. */
interface Engine {
  change(files: ChangedFile[]): Promise<void>;
  search(query: Query): Promise<FileSearchResult>;
  check(kind: CheckKind, locale: string): Promise<CheckReport>;
  end(): void;
}

/** The most matches of a search that states no limit. */
const MOST_MATCHES = 50;
/** The most files that a result names as skipped. */
const MOST_SKIPPED = 100;
/** The most files of one message to the worker after the first load. */
const CHANGED_AT_ONCE = 100;

/**
 * Searches and checks the files of a workspace in a worker. The worker starts with the first call, and follows the
 * workspace from then on: a call sees all changes that were reported before it. Await `init()` before.
 */
export class WorkspaceIndex {
  readonly #workspace: Workspace;
  readonly #locale: Locale;
  readonly #create: (() => WebWorker) | undefined;
  #engine: Engine | undefined;
  /** The reason why there is no worker. */
  #withoutWorker: string | undefined;
  #changed = new Set<string>();
  /** The files that are not in the engine, because they could not be read. */
  readonly #skipped = new Map<string, SkippedFile>();
  #stopWatching: (() => void) | undefined;
  /** The last call: one at a time. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(workspace: Workspace, locale: Locale, create: (() => WebWorker) | undefined) {
    this.#workspace = workspace;
    this.#locale = locale;
    this.#create = create;
  }

  /**
   * Searches the files, and names those that could not be searched. A regular expression is stopped after two seconds
   * without progress, and after a time that grows with the files: `search_timeout`. Without a worker it could not be
   * stopped, and fails with `search_unavailable`.
   */
  async search(query: FileSearch): Promise<FileSearchResult> {
    const {
      pattern,
      regex = false,
      caseSensitive = false,
      paths,
      limit = MOST_MATCHES,
      progress,
    } = members(query, "query");
    check(typeof pattern === "string" && pattern !== "", "pattern", pattern, "a text that is not empty");
    check(Number.isInteger(limit) && limit > 0, "limit", limit, "a number from 1");
    check(paths === undefined || Array.isArray(paths), "paths", paths, "an array of paths");
    checkProgress(progress);
    const asked = { pattern, regex, caseSensitive, limit, ...(paths ? { paths } : {}) };
    return this.#next(progress, async (engine) => {
      try {
        if (regex && this.#withoutWorker !== undefined) {
          throw workspaceError("search_unavailable", { pattern, reason: this.#withoutWorker }, this.#locale);
        }
        return { ...(await engine.search(asked)), ...this.#skippedMember(paths) };
      } catch (thrown) {
        if (thrown instanceof NoMatcher) {
          throw workspaceError("search_unavailable", { pattern, reason: thrown.message }, this.#locale);
        }
        if (thrown instanceof TooSlow) {
          throw workspaceError("search_timeout", { pattern, ms: LONGEST_SEARCH }, this.#locale);
        }
        if (regex && (thrown as Error).name === "SyntaxError") {
          const reason = (thrown as Error).message.replace(/\.$/, "");
          throw workspaceError("invalid_pattern", { pattern, reason }, this.#locale);
        }
        throw thrown;
      }
    });
  }

  /** Checks a story: its days and dates, or its setups and references. Names the files that could not be read. */
  async check(kind: CheckKind, locale: string = this.#locale, options: CheckOptions = {}): Promise<CheckReport> {
    check(kind === "timeline" || kind === "references", "kind", kind, '"timeline" or "references"');
    const { progress } = members(options, "options");
    checkProgress(progress);
    return this.#next(progress, async (engine) => ({
      ...(await engine.check(kind, locale)),
      ...this.#skippedMember(),
    }));
  }

  /** Ends the worker. Later calls fail with `disposed`. */
  close(): void {
    this.#isClosed = true;
    this.#forget();
  }

  /** Runs a call after those before it, with all files. Tells `progress` of files that it waits for. */
  #next<T>(progress: ReadProgress | undefined, call: (engine: Engine) => Promise<T>): Promise<T> {
    const run = async () => {
      for (let isAgain = false; ; isAgain = true) {
        if (this.#isClosed) throw workspaceError("disposed", { path: this.#workspace.name }, this.#locale);
        try {
          return await call(await this.#ready(progress));
        } catch (thrown) {
          // A worker may be ended by the browser: another one starts, once.
          if (!(thrown instanceof ThreadLost)) throw this.#converted(thrown);
          this.#forget();
          if (isAgain) throw storageError(thrown, this.#workspace.name, this.#locale);
        }
      }
    };
    const result = this.#last.then(run);
    this.#last = result.catch(() => {});
    return result;
  }

  async #ready(progress: ReadProgress | undefined): Promise<Engine> {
    const engine = (this.#engine ??= await this.#load(progress));
    while (this.#changed.size) {
      const paths = [...this.#changed].slice(0, CHANGED_AT_ONCE);
      for (const path of paths) this.#changed.delete(path);
      try {
        await engine.change(await Promise.all(paths.map((path) => this.#read(path))));
      } catch (thrown) {
        for (const path of paths) this.#changed.add(path);
        throw thrown;
      }
    }
    return engine;
  }

  async #load(progress: ReadProgress | undefined): Promise<Engine> {
    const engine = await this.#start();
    try {
      // From before the reading, so that no change is missed.
      this.#stopWatching = this.#workspace.watch(({ path, from }) => {
        this.#changed.add(path);
        if (from !== undefined) this.#changed.add(from);
      });
      let sent: Promise<void> = Promise.resolve();
      const skipped = (file: SkippedFile) => this.#skipped.set(file.path, file);
      let [read, all] = [0, 0];
      const listed = (files: number) => (all = files);
      for await (const files of this.#workspace.readAll({ skipped, listed })) {
        // The worker takes in one batch while the next one is read.
        await sent;
        sent = engine.change(files.map(({ path, text }) => ({ path, text })));
        sent.catch(() => {});
        read += files.length;
        // The files that were skipped are not among those of a batch.
        if (read < all) tell(progress, read, all);
      }
      await sent;
      tell(progress, all, all);
      return engine;
    } catch (thrown) {
      engine.end();
      this.#forget();
      throw thrown;
    }
  }

  async #start(): Promise<Engine> {
    const loaded = { ...(await loadedModule()), languages: addedMessages() };
    try {
      const engine = await WorkerEngine.start(this.#create, loaded);
      this.#withoutWorker = undefined;
      return engine;
    } catch (thrown) {
      this.#withoutWorker = (thrown as Error).message;
      return new ThreadEngine();
    }
  }

  async #read(path: string): Promise<ChangedFile> {
    this.#skipped.delete(path);
    try {
      return { path, text: (await this.#workspace.read(path)).text };
    } catch (thrown) {
      if (!isOfOneFile(thrown)) throw thrown;
      const { code, message } = thrown as CopydeskError;
      if (code !== "file_not_found") this.#skipped.set(path, { path, code, message });
      return { path };
    }
  }

  /** Returns the member of results that names the files that could not be read, of these or of all. */
  #skippedMember(paths?: readonly string[]): { skipped?: SkippedFiles } {
    if (!this.#skipped.size) return {};
    const asked = paths && new Set(paths);
    const files = [...this.#skipped.values()].filter(({ path }) => asked?.has(path) ?? true).sort(byPath);
    return files.length ? { skipped: { count: files.length, files: files.slice(0, MOST_SKIPPED) } } : {};
  }

  #forget(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    this.#engine?.end();
    this.#engine = undefined;
    this.#changed.clear();
    this.#skipped.clear();
  }

  #converted(thrown: unknown): unknown {
    const { code } = thrown as { code?: unknown };
    return thrown instanceof CopydeskError || typeof code === "string" ? toCopydeskError(thrown) : thrown;
  }
}

function checkProgress(progress: unknown): void {
  check(progress === undefined || typeof progress === "function", "progress", progress, "a function");
}

/** Calls a function of the app, whose failure is not a failure of the search. */
function tell(progress: ReadProgress | undefined, read: number, files: number): void {
  try {
    progress?.(read, files);
  } catch (thrown) {
    reportError(thrown);
  }
}

/** Holds the files in this thread, where there are no workers. Literals and checks only. */
class ThreadEngine implements Engine {
  readonly #files: IndexedFiles;

  constructor() {
    this.#files = guarded(({ FileIndex }) => new IndexedFiles(new FileIndex()));
  }

  async change(files: ChangedFile[]): Promise<void> {
    this.#files.change(files);
  }

  async search(query: Query): Promise<FileSearchResult> {
    return guarded(() => this.#files.search(query));
  }

  async check(kind: CheckKind, locale: string): Promise<CheckReport> {
    return guarded(() => this.#files.check(kind, locale));
  }

  end(): void {
    this.#files.free();
  }
}
