/** Workspaces in memory. */

import { check } from "../base/error.js";
import type { FileVersion, Locale, WorkspaceEntry } from "../types/index.js";
import { checkSize, sizeOf, versionOf, encoded, encodingMember, type Content } from "./content.js";
import { workspaceError } from "./error.js";
import { checkedPath, foldersOf, inTheWay } from "./paths.js";
import {
  BATCH,
  BATCH_FILES,
  type Current,
  type NewVersion,
  type Skipped,
  type Storage,
  type Update,
} from "./storage.js";

interface File {
  text: string;
  size: number;
  modified: number;
  /** Computed when it is first needed. */
  version?: string;
}

/** Keeps files and versions in maps. */
export class MemoryStorage implements Storage {
  readonly name = "memory";
  readonly #files = new Map<string, File>();
  /** The number of files in each folder and in its folders. */
  readonly #folders = new Map<string, number>();
  readonly #history = new Map<string, { entry: FileVersion; text: string | undefined }[]>();
  readonly #locale: Locale;

  constructor(files: Record<string, string>, locale: Locale) {
    this.#locale = locale;
    for (const [given, text] of Object.entries(files)) {
      check(typeof text === "string", `files[${JSON.stringify(given)}]`, text, "a string");
      const path = checkedPath(given, locale);
      if (!text.isWellFormed() || text.includes("\0")) throw workspaceError("not_text", { path }, locale);
      const size = sizeOf(text);
      checkSize(path, size, locale);
      if (this.#files.has(path)) throw workspaceError("file_exists", { path }, locale);
      this.#checkPlace(path);
      this.#set(path, { text, size, modified: Date.now() });
    }
  }

  async read(path: string): Promise<Content | undefined> {
    const file = this.#files.get(path);
    if (!file) return undefined;
    file.version ??= await versionOf(encoded(file.text));
    return { text: file.text, version: file.version, size: file.size };
  }

  async list(): Promise<WorkspaceEntry[]> {
    return Array.from(this.#files, ([path, { size, modified }]) => ({ path, size, modified }));
  }

  async *readAll(_: Skipped, listed: (files: number) => void): AsyncIterable<{ path: string; text: string }[]> {
    listed(this.#files.size);
    let batch: { path: string; text: string }[] = [];
    let length = 0;
    for (const [path, { text }] of [...this.#files]) {
      batch.push({ path, text });
      length += text.length;
      if (length < BATCH && batch.length < BATCH_FILES) continue;
      yield batch;
      [batch, length] = [[], 0];
    }
    if (batch.length) yield batch;
  }

  async update(path: string, plan: (current: Current) => Update | undefined): Promise<void> {
    const content = await this.read(path);
    const newest = this.#history.get(path)?.at(-1)?.entry;
    const update = plan({ content, newest });
    if (!update) return;
    if (!content && update.content) this.#checkPlace(path);
    for (const version of update.versions) this.#record(path, version);
    if (update.content) this.#set(path, { ...update.content, modified: Date.now() });
    else this.#delete(path);
  }

  async versions(path: string): Promise<FileVersion[]> {
    return (this.#history.get(path) ?? []).map(({ entry }) => ({ ...entry })).reverse();
  }

  async readVersion(path: string, id: string): Promise<string | undefined> {
    return this.#history.get(path)?.find(({ entry }) => entry.id === id)?.text;
  }

  observe(): () => void {
    return () => {};
  }

  announce(): void {}

  close(): void {}

  #record(path: string, version: NewVersion): void {
    const entries = this.#history.get(path) ?? [];
    this.#history.set(path, entries);
    entries.push({ entry: entryOf(String(entries.length + 1), version), text: version.content?.text });
  }

  #checkPlace(path: string): void {
    const file = foldersOf(path).find((folder) => this.#files.has(folder));
    const taken = file ?? (this.#folders.has(path) ? path : undefined);
    if (taken !== undefined) throw inTheWay(path, taken, this.#locale);
  }

  #set(path: string, file: File): void {
    if (!this.#files.has(path)) for (const folder of foldersOf(path)) this.#count(folder, 1);
    this.#files.set(path, file);
  }

  #delete(path: string): void {
    if (this.#files.delete(path)) for (const folder of foldersOf(path)) this.#count(folder, -1);
  }

  #count(folder: string, change: number): void {
    const count = (this.#folders.get(folder) ?? 0) + change;
    if (count) this.#folders.set(folder, count);
    else this.#folders.delete(folder);
  }
}

/** Returns the entry of a history as it is listed. */
export function entryOf(id: string, { time, author, note, content }: NewVersion): FileVersion {
  return {
    id,
    time,
    author,
    ...(note === undefined ? {} : { note }),
    size: content?.size ?? 0,
    ...(content ? { version: content.version, ...encodingMember(content.encoding) } : { removed: true as const }),
  };
}
