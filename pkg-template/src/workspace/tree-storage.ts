/** Storage in a tree of real files: a folder that the user has chosen, or a directory. */

import { reportError } from "../base/error.js";
import type { FileVersion, Locale, ReadFile, WorkspaceChange, WorkspaceEntry } from "../types/index.js";
import { decoded, encoded, encodedOver, encodingMember, sha256, sizeOf, versionOf, type Content } from "./content.js";
import { ENCODINGS } from "./encoding.js";
import { workspaceError } from "./error.js";
import { entryOf } from "./memory.js";
import { OutsideChanges } from "./outside-changes.js";
import { OWN_FOLDER, type FileTree } from "./file-tree.js";
import {
  BATCH,
  BATCH_FILES,
  type Current,
  type Exclusively,
  type NewVersion,
  type Skipped,
  type Storage,
  type Update,
} from "./storage.js";
import { isOfOneFile } from "./text-only.js";

/** The digits of the number in an entry's id. */
const DIGITS = 6;
/** The numbers that a history of some entries may have: its own count up by one, those of other programs may not. */
const numbersOf = (entries: number): number => 1_000_000 + 1000 * entries;

/**
 * Keeps files in a tree, and their history in its folder `.copydesk`: for each path a folder with two files per entry,
 * its text and its description. The description is written last, so an entry without a text does not exist.
 */
export class TreeStorage implements Storage {
  readonly hasEncodings = true;
  readonly #tree: FileTree;
  readonly #locale: Locale;
  #outside: OutsideChanges | undefined;

  constructor(tree: FileTree, locale: Locale) {
    this.#tree = tree;
    this.#locale = locale;
  }

  get name(): string {
    return this.#tree.name;
  }

  async read(path: string): Promise<Content | undefined> {
    return (await this.#load(path)).content;
  }

  list(): Promise<WorkspaceEntry[]> {
    return this.#tree.list();
  }

  async *readAll(skipped: Skipped, listed: (files: number) => void): AsyncIterable<ReadFile[]> {
    const entries = await this.#tree.list(skipped);
    listed(entries.length);
    let at = 0;
    while (at < entries.length) {
      const batch = [];
      // In the size of the files, which is at least that of their texts.
      for (let size = 0; at < entries.length && size < BATCH && batch.length < BATCH_FILES; at++) {
        const entry = entries[at] as WorkspaceEntry;
        batch.push(entry.path);
        size += entry.size;
      }
      const texts = await Promise.all(
        batch.map(async (path): Promise<ReadFile | undefined> => {
          try {
            const bytes = await this.#tree.read(path);
            if (!bytes) return undefined;
            const { text, encoding } = decoded(path, bytes, this.#locale);
            return { path, text, ...encodingMember(encoding) };
          } catch (thrown) {
            if (!isOfOneFile(thrown)) throw thrown;
            skipped(path, thrown);
            return undefined;
          }
        }),
      );
      yield texts.filter((file) => file !== undefined);
    }
  }

  async update(path: string, plan: (current: Current) => Update | undefined): Promise<void> {
    const history = await historyOf(path);
    await this.#tree.lock(history.slice(history.lastIndexOf("/") + 1), () => this.#update(path, history, plan));
  }

  async versions(path: string): Promise<FileVersion[]> {
    const folder = await historyOf(path);
    const ids = await this.#ids(folder);
    const entries = await Promise.all(ids.reverse().map((id) => this.#entry(folder, id)));
    return entries.filter((entry) => entry !== undefined);
  }

  async readVersion(path: string, id: string): Promise<string | undefined> {
    const folder = await historyOf(path);
    if (!(await this.#ids(folder)).includes(id)) return undefined;
    const bytes = await this.#tree.read(`${folder}/${id}.txt`);
    return bytes && decoded(path, bytes, this.#locale).text;
  }

  observe(report: (change: WorkspaceChange) => void, exclusively: Exclusively): () => void {
    const outside = new OutsideChanges(this.#tree, (path) => this.read(path), report, exclusively);
    this.#outside = outside;
    const stop = this.#tree.observe((paths) => void outside.look(paths));
    return () => {
      stop();
      outside.end();
      this.#outside = undefined;
    };
  }

  async catchUp(): Promise<void> {
    if (!this.#tree.isWatched) await this.#outside?.look();
  }

  announce(): void {}

  close(): void {
    this.#tree.close();
  }

  async #update(path: string, folder: string, plan: (current: Current) => Update | undefined): Promise<void> {
    const before = await this.#tree.stat(path);
    const [{ content, bytes }, ids] = await Promise.all([this.#load(path), this.#ids(folder)]);
    const planned = plan({ content, newest: await this.#newest(folder, ids) });
    if (!planned) return;
    const update = inEncoding(planned, content?.encoding);
    if (!content && update.content) await this.#tree.checkPlace(path);
    const { text = "", encoding = "utf-8" } = update.content ?? {};
    const written = update.content && encodedOver(path, text, encoding, bytes, this.#locale);
    const checkUnchanged = async () => {
      if (areSame(before, await this.#tree.stat(path))) return;
      throw workspaceError("file_changed", { path, expected: content?.version ?? null, version: null }, this.#locale);
    };
    const last = parseInt(ids.at(-1) ?? "0");
    let number = last > numbersOf(ids.length) ? 0 : last;
    let id = "";
    for (const version of update.versions) id = await this.#record(folder, path, ++number, version);
    try {
      if (written) await this.#tree.write(path, written, checkUnchanged);
      else await checkUnchanged().then(() => this.#tree.remove(path));
    } catch (thrown) {
      // The last entry is the change that was not made, if nothing of it was.
      const isMade = await this.read(path)
        .then((now) => now?.version === update.content?.version)
        .catch(() => true);
      if (!isMade) await this.#forgetEntry(folder, id);
      throw thrown;
    }
    this.#outside?.made(path, update.content?.version);
  }

  async #load(path: string): Promise<{ content?: Content; bytes?: Uint8Array }> {
    const bytes = await this.#tree.read(path);
    if (!bytes) return {};
    const { text, encoding } = decoded(path, bytes, this.#locale);
    const isUtf8 = encoding === "utf-8";
    const version = await versionOf(isUtf8 ? (bytes as Uint8Array<ArrayBuffer>) : encoded(text));
    const size = isUtf8 ? bytes.length : sizeOf(text);
    return { content: { text, version, size, ...encodingMember(encoding) }, bytes };
  }

  /** Adds an entry to a history. Returns its id. */
  async #record(folder: string, path: string, number: number, version: NewVersion): Promise<string> {
    // The random part keeps entries apart that two programs add at the same time.
    const random = globalThis.crypto.getRandomValues(new Uint32Array(1))[0] as number;
    const id = `${String(number).padStart(DIGITS, "0")}-${random.toString(36)}`;
    if (version.content) await this.#tree.write(`${folder}/${id}.txt`, encoded(version.content.text));
    const entry = { path, ...entryOf(id, version) };
    await this.#tree.write(`${folder}/${id}.json`, encoded(JSON.stringify(entry)));
    return id;
  }

  async #forgetEntry(folder: string, id: string): Promise<void> {
    for (const file of [`${id}.json`, `${id}.txt`]) {
      // What fails here fails for the reason for which the write did.
      await this.#tree.remove(`${folder}/${file}`).catch(() => {});
    }
  }

  /**
   * Returns the ids of a history, the oldest first. One with a number that the history cannot have reached was put there
   * by another program: it comes before all others, so that it hides none.
   */
  async #ids(folder: string): Promise<string[]> {
    const names = await this.#tree.names(folder);
    const ids = names.filter((name) => /^\d+-\w+\.json$/.test(name)).map((name) => name.slice(0, -".json".length));
    const most = numbersOf(ids.length);
    const numbers = new Map(ids.map((id) => [id, parseInt(id) > most ? 0 : parseInt(id)]));
    return ids.sort((one, other) => numbers.get(one)! - numbers.get(other)! || (one < other ? -1 : 1));
  }

  /** Returns the newest entry that can be read: a damaged one must not keep the file from being written. */
  async #newest(folder: string, ids: readonly string[]): Promise<FileVersion | undefined> {
    for (const id of ids.toReversed()) {
      const entry = await this.#entry(folder, id);
      if (entry) return entry;
    }
    return undefined;
  }

  /** Returns an entry; undefined if it was not finished. A damaged one is reported, and left out. */
  async #entry(folder: string, id: string): Promise<FileVersion | undefined> {
    const file = `${folder}/${id}.json`;
    const bytes = await this.#tree.read(file);
    // Browsers that cannot move a file create it empty.
    if (!bytes?.length) return undefined;
    try {
      const parsed = JSON.parse(decoded(file, bytes, this.#locale).text) as FileVersion & { path: string };
      const { path: _, encoding, ...entry } = parsed;
      if (typeof entry.time !== "number" || typeof entry.size !== "number") throw new Error("it has no time or size");
      return { ...entry, id, ...encodingMember(ENCODINGS.find((one) => one === encoding)) };
    } catch (cause) {
      const reason = "a file of the history is damaged";
      reportError(workspaceError("storage_failed", { path: file, reason }, this.#locale, { cause }));
      return undefined;
    }
  }
}

/** Returns an update whose texts have an encoding: without one, that of the file. */
function inEncoding({ content, versions }: Update, encoding: Content["encoding"]): Update {
  const of = (one: Content | null) => one && { ...one, encoding: one.encoding ?? encoding };
  return { content: of(content), versions: versions.map((one) => ({ ...one, content: of(one.content) })) };
}

type Stat = { size: number; modified: number } | undefined;

function areSame(one: Stat, other: Stat): boolean {
  return one?.size === other?.size && one?.modified === other?.modified;
}

/** The folder for the history of a path. */
async function historyOf(path: string): Promise<string> {
  return `${OWN_FOLDER}/history/${(await sha256(encoded(path))).slice(0, 32)}`;
}
