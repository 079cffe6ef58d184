/** A remote source with what is stored of it. Sources of one list that name the same one share it. */

import type { SkillCache } from "../types/index.js";
import { Store } from "./cache.js";
import type { Downloader } from "./downloader.js";
import type { Remote, TreeEntry } from "./remote.js";

interface Opened {
  commit: string;
  tree: TreeEntry[];
}

export class Repository {
  readonly store: Store;
  readonly #remote: Remote;
  #opening: Promise<Opened> | undefined;
  #refreshing: Promise<Opened> | undefined;
  readonly #files = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  #uses = 0;

  constructor(remote: Remote, cache: SkillCache) {
    this.#remote = remote;
    this.store = new Store(cache, remote.origin);
  }

  /** Identifies the repository among those of one list. */
  static keyOf({ origin, ref }: Remote): string {
    return `${origin}\n${ref}`;
  }

  /** Calls `work`, and keeps until then what the remote needs to read several files. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    this.#uses++;
    try {
      return await work();
    } finally {
      if (--this.#uses === 0) this.#remote.release?.();
    }
  }

  /** Returns the stored commit, and without one the current commit. */
  open(downloader: Downloader): Promise<Opened> {
    this.#opening ??= this.#open(downloader).catch((failed: unknown) => {
      this.#opening = undefined;
      throw failed;
    });
    return this.#opening;
  }

  /** Asks for the current commit. If that fails, the stored one stays. */
  refresh(downloader: Downloader): Promise<Opened> {
    this.#refreshing ??= this.#fetch(downloader)
      .then((opened) => {
        this.#opening = Promise.resolve(opened);
        return opened;
      })
      .finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  /** Returns the content of a file, from the cache if it is there. */
  file(commit: string, path: string, downloader: Downloader): Promise<Uint8Array<ArrayBuffer>> {
    const key = `${commit}\n${path}`;
    let reading = this.#files.get(key);
    if (!reading) {
      reading = this.#file(commit, path, downloader).finally(() => this.#files.delete(key));
      this.#files.set(key, reading);
    }
    return reading;
  }

  /** Removes a commit that a refresh replaced, unless it is still opened. */
  async replaced(commit: string): Promise<void> {
    if ((await this.#opening)?.commit !== commit) await this.store.remove(commit);
  }

  /** Removes what is stored; what was read stays in use. */
  async remove(): Promise<void> {
    this.#opening = undefined;
    await this.store.remove();
  }

  async #open(downloader: Downloader): Promise<Opened> {
    const commit = await this.store.commit(this.#remote.ref);
    const tree = commit && (await this.store.tree(commit));
    return commit && tree ? { commit, tree } : this.#fetch(downloader);
  }

  async #fetch(downloader: Downloader): Promise<Opened> {
    const { store } = this;
    const remote = this.#remote;
    const commit = await remote.commit(downloader);
    let tree = await store.tree(commit);
    if (!tree) {
      tree = await remote.tree(commit, downloader);
      await store.setTree(commit, tree);
    }
    await store.setCommit(remote.ref, commit);
    return { commit, tree };
  }

  async #file(commit: string, path: string, downloader: Downloader): Promise<Uint8Array<ArrayBuffer>> {
    const stored = await this.store.file(commit, path);
    if (stored) return stored;
    const bytes = await this.#remote.file(commit, path, downloader);
    await this.store.setFile(commit, path, bytes);
    return bytes;
  }
}
