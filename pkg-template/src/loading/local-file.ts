/** Files of the machine, in Node and runtimes like it. */

import { nodeModule } from "./node-module.js";
import { isPage } from "./runtime.js";

/** The part of `node:fs/promises` that is used. */
interface Files {
  readFile(url: URL): Promise<Uint8Array<ArrayBuffer>>;
}

/** Reads a file by its `file:` URL. Fails in pages. */
export async function readFile(url: string): Promise<Uint8Array<ArrayBuffer>> {
  // The attempt would fail, and browsers write a line into the console.
  if (!("process" in globalThis) && isPage()) throw new Error(`a page cannot read ${url}`);
  const fs = await nodeModule<Files>("fs/promises");
  return fs.readFile(new URL(url));
}
