/** Caches of what was fetched: by commit, so that nothing is fetched twice. */

import { over, result } from "../base/idb-request.js";
import type { SkillCache } from "../types/index.js";
import type { TreeEntry } from "./remote.js";

/** Keeps everything as long as the page or process runs. */
export function memoryCache(): SkillCache {
  const values = new Map<string, unknown>();
  return {
    get: (key) => Promise.resolve(values.get(key)),
    set: (key, value) => Promise.resolve(void values.set(key, value)),
    remove(prefix) {
      for (const key of values.keys()) if (key.startsWith(prefix)) values.delete(key);
      return Promise.resolve();
    },
  };
}

/** Keeps everything in a database of the browser. */
export function indexedDBCache(name = "copydesk-skills"): SkillCache {
  let opening: Promise<IDBDatabase> | undefined;
  const opened = () => {
    opening ??= open(name).then(
      (database) => {
        const forget = () => (opening = undefined);
        database.onclose = forget;
        // Another tab deletes the database.
        database.onversionchange = () => {
          forget();
          database.close();
        };
        return database;
      },
      (failed: unknown) => {
        opening = undefined;
        throw failed;
      },
    );
    return opening;
  };
  const change = async (plan: (values: IDBObjectStore) => void) => {
    const transaction = (await opened()).transaction("values", "readwrite");
    plan(transaction.objectStore("values"));
    await over(transaction);
  };
  return {
    async get(key) {
      return result((await opened()).transaction("values").objectStore("values").get(key)) as Promise<unknown>;
    },
    set: (key, value) => change((values) => values.put(value, key)),
    remove: (prefix) => change((values) => values.delete(IDBKeyRange.bound(prefix, `${prefix}\uffff`))),
  };
}

function open(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore("values");
  return result(request);
}

function isText(given: unknown): given is string {
  return typeof given === "string";
}

/** The stored state of one repository or folder; what is damaged in it counts as missing. After a failure of the cache it is kept in memory. */
export class Store {
  /** The first failure of the cache. */
  failure: unknown;
  readonly #cache: SkillCache;
  readonly #origin: string;
  readonly #memory = memoryCache();

  constructor(cache: SkillCache, origin: string) {
    this.#cache = cache;
    this.#origin = origin;
  }

  async commit(ref: string): Promise<string | undefined> {
    const commit = await this.#get(`ref\n${this.#origin}\n${ref}`);
    return isText(commit) ? commit : undefined;
  }

  setCommit(ref: string, commit: string): Promise<void> {
    return this.#set(`ref\n${this.#origin}\n${ref}`, commit);
  }

  async tree(commit: string): Promise<TreeEntry[] | undefined> {
    const tree = await this.#get(`tree\n${this.#origin}\n${commit}`);
    const isTree = Array.isArray(tree) && tree.every((entry: Partial<TreeEntry> | null) => isText(entry?.path));
    return isTree ? (tree as TreeEntry[]) : undefined;
  }

  setTree(commit: string, tree: TreeEntry[]): Promise<void> {
    return this.#set(`tree\n${this.#origin}\n${commit}`, tree);
  }

  async file(commit: string, path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const bytes = await this.#get(`file\n${this.#origin}\n${commit}\n${path}`);
    return bytes instanceof Uint8Array ? (bytes as Uint8Array<ArrayBuffer>) : undefined;
  }

  setFile(commit: string, path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.#set(`file\n${this.#origin}\n${commit}\n${path}`, bytes);
  }

  /** Removes a commit, or without one everything. */
  async remove(commit?: string): Promise<void> {
    const rest = commit === undefined ? "" : `${commit}\n`;
    const prefixes = [`tree\n${this.#origin}\n${commit ?? ""}`, `file\n${this.#origin}\n${rest}`];
    if (commit === undefined) prefixes.push(`ref\n${this.#origin}\n`);
    for (const prefix of prefixes) {
      await this.#memory.remove(prefix);
      await this.#cache.remove(prefix);
    }
  }

  async #get(key: string): Promise<unknown> {
    try {
      const value = await this.#cache.get(key);
      if (value !== undefined) return value;
    } catch (failed) {
      this.failure ??= failed;
    }
    return this.#memory.get(key);
  }

  async #set(key: string, value: unknown): Promise<void> {
    try {
      await this.#cache.set(key, value);
    } catch (failed) {
      this.failure ??= failed;
      await this.#memory.set(key, value);
    }
  }
}
