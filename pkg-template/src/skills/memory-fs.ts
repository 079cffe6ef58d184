/**
 * A file system in memory, as far as isomorphic-git needs one for a fetch. The libraries that offer one need IndexedDB
 * (lightning-fs) or Node's modules (memfs), and this runs in pages and in Node.
 */

type Data = Uint8Array | string;

class MissingFile extends Error {
  readonly code: string;

  constructor(code: string, path: string) {
    super(`${code}: ${path}`);
    this.code = code;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns an empty file system. */
export function memoryFs() {
  const files = new Map<string, Uint8Array>();
  const folders = new Set(["/"]);
  const clean = (path: string) =>
    `/${path
      .split("/")
      .filter((part) => part && part !== ".")
      .join("/")}`;
  const parent = (path: string) => path.slice(0, path.lastIndexOf("/")) || "/";
  const missing = (path: string) => new MissingFile("ENOENT", path);
  const known = (given: string) => {
    const path = clean(given);
    const file = files.get(path);
    if (!file && !folders.has(path)) throw missing(path);
    return { path, file };
  };
  const stat = async (given: string) => {
    const { file } = known(given);
    return {
      type: file ? "file" : "dir",
      mode: file ? 0o100644 : 0o40000,
      size: file?.length ?? 0,
      ino: 0,
      dev: 0,
      uid: 1,
      gid: 1,
      mtimeMs: 0,
      ctimeMs: 0,
      isFile: () => file !== undefined,
      isDirectory: () => file === undefined,
      isSymbolicLink: () => false,
    };
  };
  const promises = {
    async readFile(given: string, options?: string | { encoding?: string }): Promise<Data> {
      const { path, file } = known(given);
      if (!file) throw new MissingFile("EISDIR", path);
      const encoding = typeof options === "string" ? options : options?.encoding;
      return encoding ? decoder.decode(file) : file;
    },
    async writeFile(given: string, data: Data): Promise<void> {
      const path = clean(given);
      if (!folders.has(parent(path))) throw missing(path);
      files.set(path, typeof data === "string" ? encoder.encode(data) : data);
    },
    async unlink(given: string): Promise<void> {
      files.delete(known(given).path);
    },
    async readdir(given: string): Promise<string[]> {
      const { path, file } = known(given);
      if (file) throw new MissingFile("ENOTDIR", path);
      const inside = [...files.keys(), ...folders].filter((other) => other !== "/" && parent(other) === path);
      return inside.map((other) => other.slice(other.lastIndexOf("/") + 1));
    },
    async mkdir(given: string): Promise<void> {
      const path = clean(given);
      if (files.has(path) || folders.has(path)) throw new MissingFile("EEXIST", path);
      if (!folders.has(parent(path))) throw missing(path);
      folders.add(path);
    },
    async rmdir(given: string): Promise<void> {
      folders.delete(known(given).path);
    },
    stat,
    lstat: stat,
    async readlink(path: string): Promise<string> {
      throw missing(path);
    },
    async symlink(_target: string, path: string): Promise<void> {
      throw new MissingFile("EPERM", path);
    },
  };
  return { promises };
}
