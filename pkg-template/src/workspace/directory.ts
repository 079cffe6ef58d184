/** A directory of the machine as a tree of files, in Node and runtimes like it. */

import { nodeModule } from "../loading/node-module.js";
import type { Locale, WorkspaceEntry } from "../types/index.js";
import { checkSize } from "./content.js";
import { workspaceError } from "./error.js";
import { OWN_FOLDER, type FileTree } from "./file-tree.js";
import { withLockFile, type LockFiles } from "./lock-file.js";
import { foldersOf, hasOtherForms, inTheWay, isPath, oddNameError, pathOf } from "./paths.js";
import type { Skipped } from "./storage.js";

// The parts of Node's modules that are used.
interface Stat {
  size: number;
  mtimeMs: number;
  mode: number;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}
interface FileHandle {
  writeFile(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}
interface Files extends LockFiles {
  stat(path: string): Promise<Stat>;
  lstat(path: string): Promise<Stat>;
  readFile(path: string): Promise<Uint8Array>;
  readdir(path: string): Promise<string[]>;
  mkdir(path: string, options?: { recursive: boolean }): Promise<unknown>;
  open(path: string, flags: string, mode?: number): Promise<FileHandle>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
}
interface Watcher {
  on(event: "error", listener: () => void): void;
  close(): void;
}
interface Watching {
  watch(path: string, options: { persistent: boolean }, listener: (kind: string, name: string | null) => void): Watcher;
}
interface Paths {
  resolve(path: string): string;
}
interface System {
  hostname(): string;
}

/** Files looked at at a time while they are listed. */
const AT_ONCE = 64;
/** Tries of a read while other programs write the file. */
const READS = 20;
/** Tries of a write whose folder another removal takes away. */
const TRIES = 3;
/** Milliseconds after which an unfinished file is that of a program that has crashed. */
const ABANDONED = 60 * 60 * 1000;

export class DirectoryTree implements FileTree {
  isWatched = false;
  readonly name: string;
  readonly #locale: Locale;
  #opening: Promise<{ fs: Files; root: string }> | undefined;
  #cleaning: Promise<void> | undefined;

  constructor(path: string, locale: Locale) {
    this.name = path;
    this.#locale = locale;
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    const { fs } = await this.#opened();
    for (let tries = 1; ; tries++) {
      const found = await this.#find(path);
      if (!found?.stat.isFile()) return undefined;
      const { file, stat } = found;
      checkSize(path, stat.size, this.#locale);
      const bytes = await fs.readFile(file).catch(goneIsUndefined);
      const now = await fs.lstat(file).catch(goneIsUndefined);
      // A part of it may be of another version.
      if (bytes?.length === stat.size && now?.size === stat.size && now.mtimeMs === stat.mtimeMs) return bytes;
      if (tries === READS) throw workspaceError("file_changed", { path, expected: null, version: null }, this.#locale);
    }
  }

  async stat(path: string): Promise<{ size: number; modified: number } | undefined> {
    const { stat } = (await this.#find(path)) ?? {};
    return stat?.isFile() ? { size: stat.size, modified: stat.mtimeMs } : undefined;
  }

  async checkPlace(path: string): Promise<void> {
    for (const folder of foldersOf(path)) {
      const found = await this.#find(folder);
      if (!found) return;
      if (!found.stat.isDirectory()) throw inTheWay(path, folder, this.#locale);
    }
    const found = await this.#find(path);
    if (found && !found.stat.isFile()) throw inTheWay(path, path, this.#locale);
  }

  async write(path: string, bytes: Uint8Array<ArrayBuffer>, last?: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#write(path, bytes, last);
      } catch (thrown) {
        if (codeOf(thrown) !== "ENOENT" || tries === TRIES) throw thrown;
      }
    }
  }

  async lock<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { fs } = await this.#opened();
    const { hostname } = await nodeModule<System>("os");
    return withLockFile(fs, `${await this.#temporary()}/lock-${name}`, hostname(), work);
  }

  async remove(path: string): Promise<void> {
    const { fs } = await this.#opened();
    const found = await this.#find(path);
    if (!found) return;
    await fs.unlink(found.file);
    await this.#sync(found.file.slice(0, found.file.lastIndexOf("/")));
    // Other workspaces have no empty folders.
    for (const folder of foldersOf(path).reverse()) {
      const empty = await this.#find(folder);
      try {
        if (empty) await fs.rmdir(empty.file);
      } catch (thrown) {
        if (["ENOTEMPTY", "EEXIST", "ENOENT"].includes(codeOf(thrown))) return;
        throw thrown;
      }
    }
  }

  async list(skipped?: Skipped): Promise<WorkspaceEntry[]> {
    const files: WorkspaceEntry[] = [];
    for await (const { path, stat } of this.#all("", skipped)) {
      if (stat.isFile()) files.push({ path, size: stat.size, modified: stat.mtimeMs });
    }
    return files;
  }

  async names(folder: string): Promise<string[]> {
    const { fs } = await this.#opened();
    const found = await this.#find(folder);
    return found?.stat.isDirectory() ? ((await fs.readdir(found.file).catch(goneIsUndefined)) ?? []) : [];
  }

  observe(changed: (paths?: string[]) => void): () => void {
    const watchers = new Map<string, Watcher>();
    let isEnded = false;
    this.isWatched = true;
    // Everything is compared where watching fails: the machine has a limit for it.
    const begin = () =>
      this.#watch("", watchers, changed, () => isEnded).catch(() => {
        this.isWatched = false;
        changed();
      });
    void begin();
    return () => {
      isEnded = true;
      for (const watcher of watchers.values()) watcher.close();
    };
  }

  close(): void {}

  /** Watches a folder and those in it. Node's own recursive watching opens every file on Linux. */
  async #watch(
    folder: string,
    watchers: Map<string, Watcher>,
    changed: (paths?: string[]) => void,
    isEnded: () => boolean,
  ): Promise<void> {
    const { watch } = await nodeModule<Watching>("fs");
    const folders = [folder];
    for await (const { path, stat } of this.#all(folder)) if (stat.isDirectory()) folders.push(path);
    for (const path of folders) {
      const found = path ? await this.#find(path) : { file: (await this.#opened()).root };
      if (isEnded()) return;
      if (!found || watchers.has(path)) continue;
      const inside = (name: string) => (path ? `${path}/${name}` : name);
      const watcher = watch(found.file, { persistent: false }, (_, name) => {
        if (name === null) return changed();
        const entry = inside(name.normalize("NFC"));
        if (!isPath(entry)) return;
        void this.#find(entry).then(
          (now) => {
            if (isEnded()) return;
            if (!now?.stat.isDirectory() && !watchers.has(entry)) return changed([entry]);
            // A folder has come or gone.
            watchers.get(entry)?.close();
            watchers.delete(entry);
            void this.#watch(entry, watchers, changed, isEnded).finally(() => changed());
          },
          () => changed(),
        );
      });
      watcher.on("error", () => watcher.close());
      watchers.set(path, watcher);
    }
  }

  async #write(path: string, bytes: Uint8Array<ArrayBuffer>, last?: () => Promise<void>): Promise<void> {
    const { fs } = await this.#opened();
    const temporary = await this.#temporary();
    await this.checkPlace(path);
    const old = await this.#find(path);
    const file = old?.file ?? (await this.#place(path));
    const random = globalThis.crypto.getRandomValues(new Uint32Array(2)).join("-");
    const fresh = `${temporary}/${random}`;
    const handle = await fs.open(fresh, "wx", old ? old.stat.mode & 0o777 : 0o666);
    try {
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await last?.();
      await fs.rename(fresh, file);
    } catch (thrown) {
      await fs.unlink(fresh).catch(goneIsUndefined);
      throw thrown;
    }
    await this.#sync(file.slice(0, file.lastIndexOf("/")));
  }

  /** Makes the folders of a path. Returns where its file is to be. */
  async #place(path: string): Promise<string> {
    const { fs, root } = await this.#opened();
    let file = root;
    for (const folder of foldersOf(path)) {
      const found = await this.#find(folder);
      file = found?.file ?? `${file}/${folder.slice(folder.lastIndexOf("/") + 1)}`;
      if (!found) await fs.mkdir(file, { recursive: true });
    }
    return `${file}/${path.slice(path.lastIndexOf("/") + 1)}`;
  }

  /** Makes a rename or removal last. Windows cannot, and needs no such call. */
  async #sync(folder: string): Promise<void> {
    const { fs } = await this.#opened();
    const { platform } = (globalThis as { process?: { platform?: string } }).process ?? {};
    if (platform === "win32") return;
    const handle = await fs.open(folder, "r").catch(goneIsUndefined);
    if (!handle) return;
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Returns the folder for unfinished files. Fails with the code `ELOOP` if a link is in its place. */
  async #temporary(): Promise<string> {
    const { fs, root } = await this.#opened();
    const path = `${OWN_FOLDER}/tmp`;
    await this.#checkRoot();
    // Files below a link are not those of this workspace, and must not be removed.
    if (!(await this.#find(path))) await fs.mkdir(`${root}/${path}`, { recursive: true });
    this.#cleaning ??= this.#clean(`${root}/${path}`).catch((failed: unknown) => {
      this.#cleaning = undefined;
      throw failed;
    });
    await this.#cleaning;
    return `${root}/${path}`;
  }

  /** Removes the unfinished files of programs that have crashed. */
  async #clean(temporary: string): Promise<void> {
    const { fs } = await this.#opened();
    for (const name of await fs.readdir(temporary)) {
      const stat = await fs.lstat(`${temporary}/${name}`).catch(goneIsUndefined);
      if (stat && Date.now() - stat.mtimeMs > ABANDONED) {
        await fs.unlink(`${temporary}/${name}`).catch(goneIsUndefined);
      }
    }
  }

  /** All files and folders with valid paths below a folder. Reports others, links, and folders that may not be read. */
  async *#all(below = "", skipped?: Skipped): AsyncIterable<{ path: string; file: string; stat: Stat }> {
    const { fs, root } = await this.#opened();
    const start = below ? (await this.#find(below))?.file : root;
    const folders = start === undefined ? [] : [{ path: below, file: start }];
    for (let folder = folders.pop(); folder; folder = folders.pop()) {
      const { path: prefix, file: directory } = folder;
      const names = (await fs.readdir(directory).catch(prefix ? leftOut(prefix, skipped) : goneIsUndefined)) ?? [];
      if (!names.length && !prefix) await this.#checkRoot();
      for (let at = 0; at < names.length; at += AT_ONCE) {
        const some = names.slice(at, at + AT_ONCE).map(async (name) => {
          const path = pathOf(prefix && `${prefix}/`, name);
          if (path === undefined) return void this.#skipName(prefix && `${prefix}/`, name, skipped);
          const file = `${directory}/${name}`;
          const stat = await fs.lstat(file).catch(leftOut(path, skipped));
          // Node replaces what is not UTF-8 in a name, and finds no such file.
          if (!stat && name.includes("\ufffd")) this.#skipName(prefix && `${prefix}/`, name, skipped);
          if (stat?.isSymbolicLink()) skipped?.(path, isLink());
          return stat && { path, file, stat };
        });
        for (const entry of await Promise.all(some)) {
          if (!entry) continue;
          // Links are left out: they may lead out of the directory.
          if (entry.stat.isDirectory()) folders.push(entry);
          yield entry;
        }
      }
    }
  }

  #skipName(prefix: string, name: string, skipped: Skipped | undefined): void {
    const error = oddNameError(prefix + name, this.#locale);
    if (error) skipped?.(prefix + name, error);
  }

  /**
   * Finds a file or folder, also if its name is stored in another form than NFC.
   *
   * @throws an error with the code `ELOOP` for a link: it may lead out of the directory.
   */
  async #find(path: string): Promise<{ file: string; stat: Stat } | undefined> {
    const { fs, root } = await this.#opened();
    let found: { file: string; stat: Stat } | undefined;
    for (const part of path.split("/")) {
      if (found && !found.stat.isDirectory()) return undefined;
      const folder: string = found?.file ?? root;
      let file = `${folder}/${part}`;
      let stat = await fs.lstat(file).catch(goneIsUndefined);
      if (!stat && hasOtherForms(part)) {
        const names = (await fs.readdir(folder).catch(goneIsUndefined)) ?? [];
        const stored = names.find((name) => name.normalize("NFC") === part);
        if (stored !== undefined) {
          file = `${folder}/${stored}`;
          stat = await fs.lstat(file).catch(goneIsUndefined);
        }
      }
      if (!stat) {
        if (!found) await this.#checkRoot();
        return undefined;
      }
      if (stat.isSymbolicLink()) throw isLink();
      found = { file, stat };
    }
    return found;
  }

  #opened(): Promise<{ fs: Files; root: string }> {
    this.#opening ??= this.#open().catch((failed: unknown) => {
      this.#opening = undefined;
      throw failed;
    });
    return this.#opening;
  }

  async #open(): Promise<{ fs: Files; root: string }> {
    const [fs, { resolve }] = await Promise.all([nodeModule<Files>("fs/promises"), nodeModule<Paths>("path")]);
    return { fs, root: resolve(this.name) };
  }

  /** Fails with `directory_not_found` unless there is the directory itself: a missing one is not an empty one. */
  async #checkRoot(): Promise<void> {
    const { fs, root } = await this.#opened();
    const stat = await fs.stat(root).catch(goneIsUndefined);
    if (!stat?.isDirectory()) throw workspaceError("directory_not_found", { path: this.name }, this.#locale);
  }
}

function isLink(): Error {
  return Object.assign(new Error("it is a link"), { code: "ELOOP" });
}

/** Returns a function that reports the failure for a file or folder without permission, and passes over what is gone. */
function leftOut(path: string, skipped: Skipped | undefined): (thrown: unknown) => undefined {
  return (thrown) => {
    if (!["EACCES", "EPERM"].includes(codeOf(thrown))) return goneIsUndefined(thrown);
    skipped?.(path, thrown);
    return undefined;
  };
}

/** Returns nothing if a file or one of its folders is gone, or is of the other kind; throws others. */
function goneIsUndefined(thrown: unknown): undefined {
  if (["ENOENT", "ENOTDIR", "EISDIR"].includes(codeOf(thrown))) return undefined;
  throw thrown;
}

function codeOf(thrown: unknown): string {
  return String((thrown as { code?: unknown } | null)?.code ?? "");
}
