/** Calls into the wasm: only when it is there, with errors of our class, and never waiting for what has stopped. */

import { unlessStopped, type Glue } from "./build.js";
import { CopydeskError, toCopydeskError } from "./error.js";

let page: Glue | undefined;

/** To be called once, when the wasm that the page works with has been started. */
export function wasmIsLoaded(glue: Glue): void {
  page = glue;
}

/** Makes a call into the wasm of the page and gives its errors their class. */
export function guarded<T>(call: (wasm: Glue) => T): T {
  if (!page) {
    const message = "copydesk is not loaded yet. Await init() before anything else of it is used.";
    throw new CopydeskError({ code: "not_loaded", message, details: {} });
  }
  return guardedIn(page, call);
}

/** The same with a wasm that need not be the page's. */
export function guardedIn<Wasm extends Glue, T>(wasm: Wasm, call: (wasm: Wasm) => T): T {
  try {
    return call(wasm);
  } catch (thrown) {
    throw toCopydeskError(thrown);
  }
}

/** A promise from a wasm. After a panic the wasm settles none, so the panic rejects them all. */
export function settled<T>(promise: Promise<T>, wasm: Glue | undefined = page): Promise<T> {
  const failed = (thrown: unknown) => {
    throw toCopydeskError(thrown);
  };
  const given = promise.catch(failed);
  return wasm ? unlessStopped(wasm, given) : given;
}
