/** A folder that the user has chosen (File System Access), or one of the page's own (OPFS), as a tree of files. */

import type { DirectoryHandle } from "../base/platform.js";
import type { Locale, WorkspaceEntry } from "../types/index.js";
import { checkSize } from "./content.js";
import { OWN_FOLDER, type FileTree } from "./file-tree.js";
import { foldersOf, hasOtherForms, inTheWay, isPath, oddNameError, pathOf } from "./paths.js";
import type { Skipped } from "./storage.js";

// What TypeScript's library of the DOM lacks.
interface MovableFile extends FileSystemFileHandle {
  move?(folder: FileSystemDirectoryHandle, name: string): Promise<void>;
}
interface ObserverRecord {
  type: string;
  changedHandle: FileSystemHandle | null;
  relativePathComponents: string[];
}
interface Observer {
  observe(handle: FileSystemHandle, options: { recursive: boolean }): Promise<void>;
  disconnect(): void;
}
type ObserverClass = new (changed: (records: ObserverRecord[]) => void) => Observer;

/** Files read at a time while they are listed. */
const AT_ONCE = 64;
/** Tries of a write whose folder another removal takes away. */
const TRIES = 3;
/** Tries of a read while other pages or programs replace the file. */
const READS = 20;

export class FolderTree implements FileTree {
  isWatched = false;
  readonly #root: FileSystemDirectoryHandle;
  readonly #locale: Locale;

  constructor(root: DirectoryHandle, locale: Locale) {
    this.#root = root;
    this.#locale = locale;
  }

  get name(): string {
    return this.#root.name;
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    for (let tries = 1; ; tries++) {
      const file = await this.#file(path);
      if (!file) return undefined;
      checkSize(path, file.size, this.#locale);
      try {
        return new Uint8Array(await file.arrayBuffer());
      } catch (thrown) {
        // The file was replaced since it was opened.
        if (!["NotReadableError", "NotFoundError"].includes(nameOf(thrown)) || tries === READS) throw thrown;
      }
    }
  }

  async stat(path: string): Promise<{ size: number; modified: number } | undefined> {
    const file = await this.#file(path);
    return file && { size: file.size, modified: file.lastModified };
  }

  async checkPlace(path: string): Promise<void> {
    let folder = this.#root;
    const parts = path.split("/");
    for (const [at, part] of parts.slice(0, -1).entries()) {
      const next = await folderIn(folder, part).catch(this.#inTheWay(path, foldersOf(path)[at] as string));
      if (!next) return;
      folder = next;
    }
    await fileIn(folder, parts.at(-1) as string).catch(this.#inTheWay(path, path));
  }

  async write(path: string, bytes: Uint8Array<ArrayBuffer>, last?: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#write(path, bytes, last);
      } catch (thrown) {
        if (nameOf(thrown) !== "NotFoundError" || tries === TRIES) throw thrown;
      }
    }
  }

  async lock<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { navigator } = globalThis as { navigator?: Navigator };
    // Pages have locks over HTTPS and on this machine. The name of a folder is all that two pages know of it.
    if (!navigator?.locks) return work();
    return navigator.locks.request(`copydesk-workspace ${this.name} ${name}`, work);
  }

  async remove(path: string): Promise<void> {
    const folders: FileSystemDirectoryHandle[] = [this.#root];
    const parts = path.split("/");
    for (const part of parts.slice(0, -1)) {
      const next = await folderIn(folders.at(-1) as FileSystemDirectoryHandle, part);
      if (!next) return;
      folders.push(next);
    }
    const last = folders.at(-1) as FileSystemDirectoryHandle;
    const file = await fileIn(last, parts.at(-1) as string);
    if (file) await last.removeEntry(file.name);
    // Other workspaces have no empty folders.
    for (let at = folders.length - 1; at > 0; at--) {
      const [parent, folder] = [folders[at - 1], folders[at]] as [FileSystemDirectoryHandle, FileSystemDirectoryHandle];
      try {
        await parent.removeEntry(folder.name);
      } catch (thrown) {
        // It is not empty, or gone.
        if (["InvalidModificationError", "NotFoundError"].includes(nameOf(thrown))) return;
        throw thrown;
      }
    }
  }

  async list(skipped?: Skipped): Promise<WorkspaceEntry[]> {
    const files: [path: string, handle: FileSystemFileHandle][] = [];
    const folders: [prefix: string, handle: FileSystemDirectoryHandle][] = [["", this.#root]];
    for (let next = folders.pop(); next; next = folders.pop()) {
      const [prefix, folder] = next;
      for await (const [name, handle] of folder.entries()) {
        const path = pathOf(prefix, name);
        // Chromium's file for a write under way.
        if (name.endsWith(".crswap")) continue;
        if (path === undefined) {
          const error = oddNameError(prefix + name, this.#locale);
          if (error) skipped?.(prefix + name, error);
          continue;
        }
        if (handle.kind === "directory") folders.push([`${path}/`, handle as FileSystemDirectoryHandle]);
        else files.push([path, handle as FileSystemFileHandle]);
      }
    }
    const entries: WorkspaceEntry[] = [];
    for (let at = 0; at < files.length; at += AT_ONCE) {
      const some = files.slice(at, at + AT_ONCE).map(async ([path, handle]) => {
        const file = await handle.getFile().catch(goneIsUndefined);
        if (file) entries.push({ path, size: file.size, modified: file.lastModified });
      });
      await Promise.all(some);
    }
    return entries;
  }

  async names(folder: string): Promise<string[]> {
    const found = await this.#folder(folder.split("/"));
    const names = [];
    if (found) for await (const name of found.keys()) names.push(name);
    return names;
  }

  observe(changed: (paths?: string[]) => void): () => void {
    const { FileSystemObserver } = globalThis as { FileSystemObserver?: ObserverClass };
    const stopLooking = onFocus(() => changed());
    if (!FileSystemObserver) return stopLooking;
    let isEnded = false;
    const observer = new FileSystemObserver((records) => {
      const files = records.filter(({ changedHandle }) => changedHandle?.kind === "file");
      // Folders, renames and lost events may concern any file.
      if (records.some((record) => !files.includes(record) || record.type === "moved")) return changed();
      changed(files.map((record) => record.relativePathComponents.join("/").normalize("NFC")).filter(isPath));
    });
    // Without it files are compared when the page gets the focus, as in other browsers.
    observer.observe(this.#root, { recursive: true }).then(
      () => (this.isWatched = !isEnded),
      () => observer.disconnect(),
    );
    return () => {
      isEnded = true;
      this.isWatched = false;
      stopLooking();
      observer.disconnect();
    };
  }

  close(): void {}

  async #write(path: string, bytes: Uint8Array<ArrayBuffer>, last?: () => Promise<void>): Promise<void> {
    const parts = path.split("/");
    await this.checkPlace(path);
    const folder = await this.#made(parts.slice(0, -1));
    const name = parts.at(-1) as string;
    const old = await fileIn(folder, name);
    // The browser replaces an existing file in one step when the stream is closed.
    if (old) return replace(old, bytes, last);
    if (!("move" in globalThis.FileSystemFileHandle.prototype)) {
      return create(folder, name, bytes);
    }
    // Creating it in place would leave an empty file after a crash.
    const own = await this.#root.getDirectoryHandle(OWN_FOLDER, { create: true });
    const random = globalThis.crypto.getRandomValues(new Uint32Array(2)).join("-");
    const fresh: MovableFile = await own.getFileHandle(`new-${random}`, { create: true });
    try {
      await replace(fresh, bytes);
      await last?.();
      await fresh.move?.(folder, name);
    } catch (thrown) {
      await own.removeEntry(`new-${random}`).catch(goneIsUndefined);
      // Chromium moves files of the user's disk only in some versions.
      if (!["NotSupportedError", "AbortError", "InvalidModificationError"].includes(nameOf(thrown))) throw thrown;
      await create(folder, name, bytes);
    }
  }

  /** Returns the folder of these parts, which is made if it is missing. */
  async #made(parts: string[]): Promise<FileSystemDirectoryHandle> {
    let folder = this.#root;
    for (const part of parts) {
      folder = (await folderIn(folder, part)) ?? (await folder.getDirectoryHandle(part, { create: true }));
    }
    return folder;
  }

  /** Converts the failure for a file in the place of a folder, or a folder in the place of a file. */
  #inTheWay(path: string, taken: string): (thrown: unknown) => never {
    return (thrown) => {
      throw nameOf(thrown) === "TypeMismatchError" ? inTheWay(path, taken, this.#locale) : thrown;
    };
  }

  async #folder(parts: string[]): Promise<FileSystemDirectoryHandle | undefined> {
    let folder: FileSystemDirectoryHandle | undefined = this.#root;
    for (const part of parts) {
      folder = await folderIn(folder, part).catch(goneIsUndefined);
      if (!folder) return undefined;
    }
    return folder;
  }

  async #file(path: string): Promise<File | undefined> {
    const parts = path.split("/");
    const folder = await this.#folder(parts.slice(0, -1));
    if (!folder) return undefined;
    try {
      const handle = await fileIn(folder, parts.at(-1) as string);
      return await handle?.getFile();
    } catch (thrown) {
      return goneIsUndefined(thrown);
    }
  }
}

/** Creates a file in its place; nothing is left of it after a failure. */
async function create(folder: FileSystemDirectoryHandle, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const file = await folder.getFileHandle(name, { create: true });
  try {
    await replace(file, bytes);
  } catch (thrown) {
    // One with content is that of another program. What fails here fails for the same reason.
    const left = await file.getFile().catch(() => undefined);
    if (left?.size === 0) await folder.removeEntry(name).catch(() => {});
    throw thrown;
  }
}

async function replace(
  file: FileSystemFileHandle,
  bytes: Uint8Array<ArrayBuffer>,
  last?: () => Promise<void>,
): Promise<void> {
  const stream = await file.createWritable();
  try {
    await stream.write(bytes);
    await last?.();
  } catch (thrown) {
    await stream.abort().catch(() => {});
    throw thrown;
  }
  await stream.close();
}

/** Gets a file or folder by its name; undefined if there is none. Another program may have stored it in another form. */
async function found<Handle>(
  folder: FileSystemDirectoryHandle,
  name: string,
  get: (stored: string) => Promise<Handle>,
): Promise<Handle | undefined> {
  try {
    return await get(name);
  } catch (thrown) {
    if (nameOf(thrown) !== "NotFoundError") throw thrown;
  }
  if (!hasOtherForms(name)) return undefined;
  for await (const stored of folder.keys()) if (stored.normalize("NFC") === name) return get(stored);
  return undefined;
}

function folderIn(folder: FileSystemDirectoryHandle, name: string): Promise<FileSystemDirectoryHandle | undefined> {
  return found(folder, name, (stored) => folder.getDirectoryHandle(stored));
}

function fileIn(folder: FileSystemDirectoryHandle, name: string): Promise<FileSystemFileHandle | undefined> {
  return found(folder, name, (stored) => folder.getFileHandle(stored));
}

/** Returns nothing if a file is gone, or if it or a folder of it is of the other kind; throws others. */
function goneIsUndefined(thrown: unknown): undefined {
  const name = nameOf(thrown);
  // Browsers also refuse names that would be valid here, such as those of shortcuts; no file has them.
  if (name === "NotFoundError" || name === "TypeMismatchError" || name === "TypeError") return undefined;
  throw thrown;
}

function nameOf(thrown: unknown): string {
  return (thrown as { name?: string } | null)?.name ?? "";
}

/** Calls `run` when the user comes back to the page. */
function onFocus(run: () => void): () => void {
  const { window } = globalThis as { window?: Window };
  window?.addEventListener("focus", run);
  return () => window?.removeEventListener("focus", run);
}
