// A folder of the computer for tests of the demo: a directory of the origin's private file system behind the browser's
// dialog. Permission is that of `sessionStorage`, because no one can withdraw it there.

/** Runs in the page before its scripts. */
export function fake() {
  const directory = FileSystemDirectoryHandle.prototype;
  const file = FileSystemFileHandle.prototype;
  const real = { getDirectoryHandle: directory.getDirectoryHandle, getFileHandle: directory.getFileHandle, createWritable: file.createWritable, getFile: file.getFile };
  const permission = () => sessionStorage.getItem("permission") ?? "granted";
  const guarded = (target, name) => {
    const method = target[name];
    target[name] = function (...given) {
      if (permission() !== "granted") throw new DOMException("The request is not allowed.", "NotAllowedError");
      return method.apply(this, given);
    };
  };
  for (const name of ["getDirectoryHandle", "getFileHandle", "entries", "keys", "removeEntry"]) guarded(directory, name);
  for (const name of ["createWritable", "getFile"]) guarded(file, name);
  FileSystemHandle.prototype.queryPermission = async () => permission();
  FileSystemHandle.prototype.requestPermission = async () => {
    window.asked = (window.asked ?? 0) + 1;
    if (permission() === "prompt") sessionStorage.setItem("permission", "granted");
    return permission();
  };
  const folder = async (name) => real.getDirectoryHandle.call(await navigator.storage.getDirectory(), name, { create: true });
  window.showDirectoryPicker = () => folder(sessionStorage.getItem("picks") ?? "novel");
  /** Another program: it needs no permission of the page. */
  window.disk = {
    async at(path, create) {
      const parts = path.split("/");
      let found = await folder(sessionStorage.getItem("picks") ?? "novel");
      for (const part of parts.slice(0, -1)) found = await real.getDirectoryHandle.call(found, part, { create });
      return real.getFileHandle.call(found, parts.at(-1), { create });
    },
    async read(path) {
      return (await real.getFile.call(await this.at(path, false))).text();
    },
    async bytes(path) {
      return [...new Uint8Array(await (await real.getFile.call(await this.at(path, false))).arrayBuffer())];
    },
    async write(path, given) {
      const text = Array.isArray(given) ? new Uint8Array(given) : given;
      const stream = await real.createWritable.call(await this.at(path, true));
      await stream.write(text);
      await stream.close();
      // Where the browser does not observe folders, it looks when the user comes back.
      dispatchEvent(new Event("focus"));
    },
  };
}

export const read = (page, path) => page.evaluate((path) => window.disk.read(path), path);
export const write = (page, path, text) => page.evaluate(([path, text]) => window.disk.write(path, text), [path, text]);
/** Returns the bytes of a file on the disk. */
export const readBytes = async (page, path) => Buffer.from(await page.evaluate((path) => window.disk.bytes(path), path));
export const writeBytes = (page, path, bytes) => write(page, path, [...bytes]);
