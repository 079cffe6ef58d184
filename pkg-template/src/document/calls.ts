/** Calls into the wasm. All failures are CopydeskErrors, also if the wasm is not loaded or has panicked. */

import { rejectOnPanic, type Glue } from "../loading/build.js";
import { CopydeskError, toCopydeskError } from "../base/error.js";

let page: Glue | undefined;
const waiting = new Set<() => void>();

/** Sets the wasm that all calls use, after its start. */
export function wasmIsLoaded(glue: Glue): void {
  page = glue;
  const told = [...waiting];
  waiting.clear();
  for (const run of told) run();
}

export function isLoaded(): boolean {
  return page !== undefined;
}

/** Calls `run`, which must not throw, when the wasm is loaded: at once if it is. Returns the function that cancels
 * this. */
export function whenLoaded(run: () => void): () => void {
  if (page) run();
  else waiting.add(run);
  return () => void waiting.delete(run);
}

const NOT_LOADED =
  "copydesk is not loaded yet. Await init() before you use it; in a component, create agents and documents in " +
  "`init().then(…)`, not while rendering.";

export function notLoaded(message: string): CopydeskError {
  return new CopydeskError({ code: "not_loaded", message, details: {} });
}

/** Throws `not_loaded` unless the wasm is loaded. */
export function requireWasm(): void {
  guarded(() => {});
}

/** Calls the current wasm. Converts its errors to CopydeskErrors. */
export function guarded<T>(call: (wasm: Glue) => T): T {
  if (!page) throw notLoaded(NOT_LOADED);
  return guardedIn(page, call);
}

/** Calls any started wasm. Converts its errors to CopydeskErrors. */
export function guardedIn<Wasm extends Glue, T>(wasm: Wasm, call: (wasm: Wasm) => T): T {
  try {
    return call(wasm);
  } catch (thrown) {
    throw toCopydeskError(thrown);
  }
}

/** Returns a promise of the wasm that rejects on a panic, after which the wasm settles none. */
export function settled<T>(promise: Promise<T>, wasm: Glue | undefined = page): Promise<T> {
  const failed = (thrown: unknown) => {
    throw toCopydeskError(thrown);
  };
  const given = promise.catch(failed);
  return wasm ? rejectOnPanic(wasm, given) : given;
}
