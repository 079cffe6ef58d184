/** The rules that all workspaces share: paths, versions, conflicts, order of writes, watching. */

import { check, members, reportError } from "../base/error.js";
import { localeOf } from "../base/locale.js";
import type { WebWorker } from "../base/platform.js";
import type {
  CheckKind,
  CheckOptions,
  CheckReport,
  FileSearch,
  FileSearchResult,
  FileVersion,
  Locale,
  ReadAllOptions,
  ReadFile,
  RemoveOptions,
  Workspace,
  WorkspaceChange,
  WorkspaceEntry,
  WorkspaceFile,
  WriteAuthor,
  WriteOptions,
  WrittenFile,
} from "../types/index.js";
import { contentOf, encodingMember, type Content } from "./content.js";
import { ENCODINGS } from "./encoding.js";
import { storageError, workspaceError } from "./error.js";
import { byPath, checkedPath } from "./paths.js";
import type { Current, NewVersion, Storage, Update } from "./storage.js";
import { WorkspaceIndex } from "./workspace-index.js";

const MARK = "\ufeff";

export interface WorkspaceOptions {
  /** The language of errors. Default: the page's. */
  locale?: Locale | undefined;
  /**
   * Creates the worker for searches and checks, whose script imports `copydesk/workspace/worker`. Default: the script in
   * the package, which bundlers find by themselves.
   */
  worker?: (() => WebWorker) | undefined;
}

/** Returns a workspace over the storage that `storageIn` creates for a language. */
export function createWorkspace(storageIn: (locale: Locale) => Storage, options: WorkspaceOptions): Workspace {
  const { worker, locale: tag } = members(options, "options");
  check(worker === undefined || typeof worker === "function", "worker", worker, "a function that returns a Worker");
  const locale = localeOf(tag);
  return new StoredWorkspace(storageIn(locale), locale, worker);
}

class StoredWorkspace implements Workspace {
  readonly #storage: Storage;
  readonly #locale: Locale;
  readonly #listeners = new Set<(change: WorkspaceChange) => void>();
  /** The last work on each path. */
  readonly #queues = new Map<string, Promise<unknown>>();
  /** The calls of the storage under way. */
  readonly #calls = new Set<Promise<unknown>>();
  #stopObserving: (() => void) | undefined;
  readonly #index: WorkspaceIndex;
  #isClosed = false;

  constructor(storage: Storage, locale: Locale, worker: (() => WebWorker) | undefined) {
    this.#storage = storage;
    this.#locale = locale;
    this.#index = new WorkspaceIndex(this, locale, worker);
  }

  get name(): string {
    return this.#storage.name;
  }

  async read(given: string): Promise<WorkspaceFile> {
    const path = this.#checked(given);
    const content = await this.#on(path, () => this.#storage.read(path));
    if (!content) throw this.#error("file_not_found", { path });
    const { text, version, size, encoding } = content;
    return { path, text, version, size, ...encodingMember(encoding) };
  }

  async write(given: string, text: string, options: WriteOptions = {}): Promise<WrittenFile> {
    const path = this.#checked(given);
    check(typeof text === "string", "text", text, "a string");
    const { expected, note, encoding: asked } = options;
    check(expected == null || typeof expected === "string", "expected", expected, "a version, null or left out");
    check(note === undefined || typeof note === "string", "note", note, "a string");
    check(asked === undefined || ENCODINGS.includes(asked), "encoding", asked, ENCODINGS.join(", "));
    const encoding = this.#storage.hasEncodings && asked;
    const author = authorOf(options.author);
    return this.#exclusively(path, async () => {
      const marked = author === "agent" ? await this.#withMark(path, text) : text;
      const content = { ...(await this.#on(path, () => contentOf(path, marked, this.#locale))), encoding };
      let created = false;
      const made = await this.#update(path, (current) => {
        this.#expect(path, current, expected);
        created = !current.content;
        if (isSame(content, current.content)) return undefined;
        return { content, versions: [...unrecorded(current), { time: Date.now(), author, note, content }] };
      });
      const { version } = content;
      if (made) this.#tell({ path, kind: "written", author, version });
      return { path, version, created };
    });
  }

  async list(): Promise<WorkspaceEntry[]> {
    this.#checkOpen();
    return (await this.#on(this.name, () => this.#storage.list())).sort(byPath);
  }

  async search(query: FileSearch): Promise<FileSearchResult> {
    this.#checkOpen();
    await this.#storage.catchUp?.();
    return this.#index.search(query);
  }

  async check(kind: CheckKind, locale?: string, options: CheckOptions = {}): Promise<CheckReport> {
    this.#checkOpen();
    await this.#storage.catchUp?.();
    return this.#index.check(kind, locale, options);
  }

  async remove(given: string, options: RemoveOptions = {}): Promise<void> {
    const path = this.#checked(given);
    const author = authorOf(options.author);
    await this.#exclusively(path, async () => {
      await this.#update(path, (current) => {
        if (!current.content) throw this.#error("file_not_found", { path });
        this.#expect(path, current, options.expected);
        return { content: null, versions: [...unrecorded(current), { time: Date.now(), author, content: null }] };
      });
      this.#tell({ path, kind: "removed", author });
    });
  }

  async rename(givenFrom: string, givenTo: string): Promise<void> {
    const [from, to] = [this.#checked(givenFrom), this.#checked(givenTo)];
    const author: WriteAuthor = "user";
    if (from === to) return void (await this.read(from));
    // In one order, so that two renames never wait for each other.
    const [first, second] = from < to ? [from, to] : [to, from];
    const both = <T>(work: () => Promise<T>) => this.#exclusively(first, () => this.#exclusively(second, work));
    await both(async () => {
      const content = await this.#on(from, () => this.#storage.read(from));
      if (!content) throw this.#error("file_not_found", { path: from });
      // After a crash between the two steps there are two files, and nothing is lost.
      await this.#update(to, (current) => {
        this.#expect(to, current, null);
        const note = from;
        return { content, versions: [...unrecorded(current), { time: Date.now(), author, note, content }] };
      });
      await this.#update(from, (current) => {
        this.#expect(from, current, content.version);
        const note = to;
        return { content: null, versions: [...unrecorded(current), { time: Date.now(), author, note, content: null }] };
      });
      this.#tell({ path: to, kind: "renamed", author, version: content.version, from });
    });
  }

  async versions(given: string): Promise<FileVersion[]> {
    const path = this.#checked(given);
    return this.#on(path, () => this.#storage.versions(path));
  }

  async readVersion(given: string, id: string): Promise<string> {
    const path = this.#checked(given);
    check(typeof id === "string", "id", id, "the id of a version");
    const text = await this.#on(path, () => this.#storage.readVersion(path, id));
    if (text === undefined) throw this.#error("version_not_found", { path, id });
    return text;
  }

  async restore(path: string, id: string): Promise<WrittenFile> {
    const text = await this.readVersion(path, id);
    const version = (await this.versions(path)).find((one) => one.id === id);
    return this.write(path, text, { note: id, encoding: version?.encoding });
  }

  watch(listener: (change: WorkspaceChange) => void): () => void {
    check(typeof listener === "function", "listener", listener, "a function");
    this.#checkOpen();
    // Each call is another subscription, also with the same function.
    const subscription = (change: WorkspaceChange) => listener(change);
    this.#listeners.add(subscription);
    this.#stopObserving ??= this.#storage.observe(
      (change) => this.#report(change),
      (path, work) => this.#exclusively(path, work),
    );
    return () => {
      this.#listeners.delete(subscription);
      if (!this.#listeners.size) this.#stop();
    };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#index.close();
    this.#listeners.clear();
    this.#stop();
    await Promise.allSettled([...this.#queues.values(), ...this.#calls]);
    this.#storage.close();
  }

  async *readAll({ skipped, listed }: ReadAllOptions = {}): AsyncIterable<ReadFile[]> {
    this.#checkOpen();
    try {
      const leftOut = (path: string, thrown: unknown) => {
        const { code, message } = storageError(thrown, path, this.#locale);
        skipped?.({ path, code, message });
      };
      yield* this.#storage.readAll(leftOut, (files) => listed?.(files));
    } catch (thrown) {
      throw storageError(thrown, this.name, this.#locale);
    }
  }

  /** Returns a text with the byte order mark of the file that it replaces: models see none. */
  async #withMark(path: string, text: string): Promise<string> {
    const old = await this.#on(path, () => this.#storage.read(path));
    return old?.text.startsWith(MARK) && !text.startsWith(MARK) ? MARK + text : text;
  }

  async #update(path: string, plan: (current: Current) => Update | undefined): Promise<Update | undefined> {
    let made: Update | undefined;
    await this.#on(path, () => this.#storage.update(path, (current) => (made = plan(current))));
    return made;
  }

  /** Fails unless a file has the expected version; null means that it must not exist. */
  #expect(path: string, { content }: Current, expected: string | null | undefined): void {
    if (expected === undefined) return;
    if (expected === null) {
      if (content) throw this.#error("file_exists", { path, version: content.version });
    } else if (content?.version !== expected) {
      throw this.#error("file_changed", { path, expected, version: content?.version ?? null });
    }
  }

  /** Runs work on a path after all earlier work on it. */
  #exclusively<T>(path: string, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(path);
    const result = before ? before.then(work, work) : work();
    const done: Promise<unknown> = result
      .catch(() => {})
      .then(() => {
        if (this.#queues.get(path) === done) this.#queues.delete(path);
      });
    this.#queues.set(path, done);
    return result;
  }

  /** Calls the storage, and converts its failure. */
  async #on<T>(path: string, work: () => Promise<T>): Promise<T> {
    const calling = work();
    this.#calls.add(calling);
    try {
      return await calling;
    } catch (thrown) {
      throw storageError(thrown, path, this.#locale);
    } finally {
      this.#calls.delete(calling);
    }
  }

  #checked(path: unknown): string {
    this.#checkOpen();
    return checkedPath(path, this.#locale);
  }

  #checkOpen(): void {
    if (this.#isClosed) throw this.#error("disposed", { path: this.name });
  }

  #error(code: Parameters<typeof workspaceError>[0], details: Record<string, unknown>) {
    return workspaceError(code, details, this.#locale);
  }

  #stop(): void {
    this.#stopObserving?.();
    this.#stopObserving = undefined;
  }

  #tell(change: WorkspaceChange): void {
    this.#report(change);
    this.#storage.announce(change);
  }

  #report(change: WorkspaceChange): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch (thrown) {
        reportError(thrown);
      }
    }
  }
}

/** Returns true if a content is stored already. */
function isSame({ version, encoding }: Content, stored: Content | undefined): boolean {
  return stored?.version === version && (encoding ?? stored.encoding) === stored.encoding;
}

/** The entry for a content that came into the file from outside, so that its replacement keeps it. */
function unrecorded({ content, newest }: Current): NewVersion[] {
  if ((content?.version ?? undefined) === newest?.version) return [];
  return [{ time: Date.now(), author: "outside", content: content ?? null }];
}

function authorOf(author: unknown): WriteAuthor {
  check(author === undefined || author === "agent" || author === "user", "author", author, '"agent" or "user"');
  return (author ?? "user") as WriteAuthor;
}
