/** Files of the machine, in Node and runtimes like it. */

import { isPage } from "./runtime.js";

/** The part of Node's `process` that gives its modules, also in CommonJS and in sandboxes without `import()`. */
interface Process {
  getBuiltinModule?(name: string): Files;
}

/** The part of `node:fs/promises` that is used. */
interface Files {
  readFile(url: URL): Promise<Uint8Array<ArrayBuffer>>;
}

/** Reads a file by its `file:` URL. Fails in pages. */
export async function readFile(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const { process } = globalThis as { process?: Process };
  // The attempt would fail, and browsers write a line into the console.
  if (!process && isPage()) throw new Error(`a page cannot read ${url}`);
  // Hides the import from bundlers for browsers; they would resolve a string literal.
  const name = new URL("node:fs/promises").href;
  const own = process?.getBuiltinModule?.(name);
  const fs: Files = own ?? (await import(/* @vite-ignore */ /* webpackIgnore: true */ name));
  return fs.readFile(new URL(url));
}
