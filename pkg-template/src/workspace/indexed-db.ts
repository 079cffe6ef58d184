/** Workspaces in IndexedDB. */

import { reportError } from "../base/error.js";
import { over, result } from "../base/idb-request.js";
import type { FileVersion, Locale, WorkspaceChange, WorkspaceEntry } from "../types/index.js";
import type { Content } from "./content.js";
import { reasonIn, workspaceError } from "./error.js";
import { entryOf } from "./memory.js";
import { foldersOf, inTheWay } from "./paths.js";
import { BATCH, BATCH_FILES, type Current, type Skipped, type Storage, type Update } from "./storage.js";

/** A file without its text: lists need no texts. */
interface StoredFile {
  path: string;
  size: number;
  modified: number;
  version: string;
}

/** An entry of a history without its text. `number` counts the entries of its path. */
interface StoredVersion {
  path: string;
  number: number;
  entry: FileVersion;
}

const STORES = ["files", "texts", "versions", "versionTexts"] as const;

/** Keeps files and versions in a database. Each change is one transaction. */
export class IndexedDBStorage implements Storage {
  readonly name: string;
  readonly #locale: Locale;
  readonly #channel: BroadcastChannel | undefined;
  #opening: Promise<IDBDatabase> | undefined;
  #isClosed = false;

  constructor(name: string, locale: Locale) {
    this.name = name;
    this.#locale = locale;
    if (globalThis.BroadcastChannel) this.#channel = new BroadcastChannel(databaseOf(name));
  }

  async read(path: string): Promise<Content | undefined> {
    const { files, texts } = await this.#stores("readonly");
    const [file, text] = await Promise.all([result(files.get(path)), result(texts.get(path))]);
    if (file === undefined) return undefined;
    if (!isFile(file) || typeof text !== "string") throw this.#damaged(path);
    return { text, version: file.version, size: file.size };
  }

  async list(): Promise<WorkspaceEntry[]> {
    const { files } = await this.#stores("readonly");
    const all = (await result(files.getAll())) as { path: unknown }[];
    return all.filter((file) => this.#isWhole(isFile(file), String(file.path))).map(entryIn);
  }

  async *readAll(_: Skipped, listed: (files: number) => void): AsyncIterable<{ path: string; text: string }[]> {
    listed(await result((await this.#stores("readonly")).texts.count()));
    let after: IDBKeyRange | null = null;
    // A small first batch shows how long the texts are.
    for (let count = 16; ;) {
      const { texts } = await this.#stores("readonly");
      const [paths, found] = await Promise.all([
        result(texts.getAllKeys(after, count)) as Promise<unknown[]>,
        result(texts.getAll(after, count)) as Promise<unknown[]>,
      ]);
      const all = paths.map((path, at) => ({ path, text: found[at] }));
      const batch = all.filter((file): file is { path: string; text: string } =>
        this.#isWhole(typeof file.path === "string" && typeof file.text === "string", String(file.path)),
      );
      if (batch.length) yield batch;
      if (paths.length < count) return;
      const length = batch.reduce((sum, { text }) => sum + text.length, 0) / paths.length;
      count = Math.max(1, Math.min(BATCH_FILES, Math.floor(BATCH / Math.max(1, length))));
      after = IDBKeyRange.lowerBound(paths.at(-1) as IDBValidKey, true);
    }
  }

  async update(path: string, plan: (current: Current) => Update | undefined): Promise<void> {
    const { files, texts, versions, versionTexts, over, transaction } = await this.#stores("readwrite");
    let failure: { thrown: unknown } | undefined;
    // Runs within the transaction: only its requests are awaited.
    const work = async () => {
      const all = IDBKeyRange.bound([path, 0], [path, Infinity]);
      const [file, text, cursor] = await Promise.all([
        result(files.get(path)) as Promise<unknown>,
        result(texts.get(path)) as Promise<unknown>,
        result(versions.openCursor(all, "prev")),
      ]);
      const last = cursor?.value as StoredVersion | undefined;
      // A damaged one can be replaced.
      const isWhole = isFile(file) && typeof text === "string";
      const content = isWhole ? { text, version: file.version, size: file.size } : undefined;
      const update = plan({ content, newest: isVersion(last?.entry) ? last.entry : undefined });
      if (!update) return;
      if (!file && update.content) await this.#checkPlace(files, path);
      let number = last?.number ?? 0;
      for (const version of update.versions) {
        number++;
        versions.put({ path, number, entry: entryOf(String(number), version) } satisfies StoredVersion);
        if (version.content) versionTexts.put(version.content.text, [path, String(number)]);
      }
      if (update.content) {
        const { version, size } = update.content;
        files.put({ path, size, version, modified: Date.now() } satisfies StoredFile);
        texts.put(update.content.text, path);
      } else {
        files.delete(path);
        texts.delete(path);
      }
    };
    work().catch((thrown: unknown) => {
      failure = { thrown };
      try {
        transaction.abort();
      } catch {
        // It is over: the failure is its own.
      }
    });
    try {
      await over;
    } catch (thrown) {
      // Null if the transaction was aborted for the failure.
      throw thrown ?? failure?.thrown;
    }
  }

  async versions(path: string): Promise<FileVersion[]> {
    const { versions } = await this.#stores("readonly");
    const found = await result(versions.getAll(IDBKeyRange.bound([path, 0], [path, Infinity])));
    const entries = (found as { entry: unknown }[]).map(({ entry }) => entry);
    return entries.filter((entry): entry is FileVersion => this.#isWhole(isVersion(entry), path)).reverse();
  }

  async readVersion(path: string, id: string): Promise<string | undefined> {
    const { versionTexts } = await this.#stores("readonly");
    const text: unknown = await result(versionTexts.get([path, id]));
    if (text !== undefined && typeof text !== "string") throw this.#damaged(path);
    return text;
  }

  observe(report: (change: WorkspaceChange) => void): () => void {
    const listener = ({ data }: MessageEvent) => report(data as WorkspaceChange);
    this.#channel?.addEventListener("message", listener);
    return () => this.#channel?.removeEventListener("message", listener);
  }

  announce(change: WorkspaceChange): void {
    if (!this.#isClosed) this.#channel?.postMessage(change);
  }

  close(): void {
    this.#isClosed = true;
    this.#channel?.close();
    void this.#opening?.then(
      (database) => database.close(),
      () => {},
    );
  }

  #damaged(path: string) {
    const reason = reasonIn(this.#locale, (reasons) => reasons.damaged);
    return workspaceError("storage_failed", { path, reason }, this.#locale);
  }

  /** Reports an entry that is damaged, and is left out. */
  #isWhole(isWhole: boolean, path: string): boolean {
    if (!isWhole) reportError(this.#damaged(path));
    return isWhole;
  }

  async #checkPlace(files: IDBObjectStore, path: string): Promise<void> {
    const inside = IDBKeyRange.bound(`${path}/`, `${path}0`, false, true);
    const folders = foldersOf(path);
    const [below, ...above] = await Promise.all([
      result(files.getKey(inside)),
      ...folders.map((folder) => result(files.getKey(folder))),
    ]);
    const taken =
      (above.find((key) => key !== undefined) as string | undefined) ?? (below === undefined ? below : path);
    if (taken !== undefined) throw inTheWay(path, taken, this.#locale);
  }

  async #stores(mode: IDBTransactionMode) {
    const database = await this.#opened();
    // "strict": a write that has resolved survives a crash of the machine.
    const transaction = database.transaction([...STORES], mode, { durability: "strict" });
    return {
      files: transaction.objectStore("files"),
      texts: transaction.objectStore("texts"),
      versions: transaction.objectStore("versions"),
      versionTexts: transaction.objectStore("versionTexts"),
      over: mode === "readwrite" ? over(transaction) : undefined,
      transaction,
    };
  }

  #opened(): Promise<IDBDatabase> {
    this.#opening ??= open(databaseOf(this.name)).then(
      (database) => {
        const forget = () => (this.#opening = undefined);
        database.onclose = forget;
        // Another tab deletes the database, or has a newer version of it.
        database.onversionchange = () => {
          forget();
          database.close();
        };
        return database;
      },
      (failed: unknown) => {
        this.#opening = undefined;
        throw failed;
      },
    );
    return this.#opening;
  }
}

function entryIn(file: { path: unknown }): WorkspaceEntry {
  const { path, size, modified } = file as StoredFile;
  return { path, size, modified };
}

function isFile(given: unknown): given is StoredFile {
  const { path, size, version, modified } = (given ?? {}) as Partial<Record<keyof StoredFile, unknown>>;
  const areTexts = typeof path === "string" && typeof version === "string";
  return areTexts && typeof size === "number" && typeof modified === "number";
}

function isVersion(given: unknown): given is FileVersion {
  const { id, time, author, size } = (given ?? {}) as Partial<Record<keyof FileVersion, unknown>>;
  return [id, author].every((one) => typeof one === "string") && [time, size].every((one) => typeof one === "number");
}

function databaseOf(name: string): string {
  return `copydesk-workspace-${name}`;
}

function open(name: string): Promise<IDBDatabase> {
  if (!globalThis.indexedDB) throw new Error("there is no IndexedDB here");
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    const database = request.result;
    database.createObjectStore("files", { keyPath: "path" });
    database.createObjectStore("texts");
    database.createObjectStore("versions", { keyPath: ["path", "number"] });
    database.createObjectStore("versionTexts");
  };
  return result(request);
}
