/** Calls into the wasm: they fail with a CopydeskError, also where it is not loaded or has stopped. */

import { unlessStopped, type Glue } from "./build.js";
import { CopydeskError, toCopydeskError } from "./error.js";

let page: Glue | undefined;

/** Sets the wasm that all calls use, once it has been started. */
export function wasmIsLoaded(glue: Glue): void {
  page = glue;
}

/** Calls into the wasm in use. Its errors become CopydeskErrors. */
export function guarded<T>(call: (wasm: Glue) => T): T {
  if (!page) {
    const message = "copydesk is not loaded yet. Await init() before anything else of it is used.";
    throw new CopydeskError({ code: "not_loaded", message, details: {} });
  }
  return guardedIn(page, call);
}

/** Calls into any started wasm. Its errors become CopydeskErrors. */
export function guardedIn<Wasm extends Glue, T>(wasm: Wasm, call: (wasm: Wasm) => T): T {
  try {
    return call(wasm);
  } catch (thrown) {
    throw toCopydeskError(thrown);
  }
}

/** Returns a promise of a wasm, which a panic rejects: after that the wasm settles none. */
export function settled<T>(promise: Promise<T>, wasm: Glue | undefined = page): Promise<T> {
  const failed = (thrown: unknown) => {
    throw toCopydeskError(thrown);
  };
  const given = promise.catch(failed);
  return wasm ? unlessStopped(wasm, given) : given;
}
