/** Calls into the wasm. All failures are CopydeskErrors, also if the wasm is not loaded or has panicked. */

import { rejectOnPanic, type Glue } from "../loading/build.js";
import { CopydeskError, toCopydeskError } from "../base/error.js";

let page: Glue | undefined;
let isComplete = false;
const waiting = new Set<() => void>();
const waitingForAll = new Set<() => void>();

/** Sets the wasm that all calls use, after its start. `hasAll` states that it has no later part. */
export function wasmIsLoaded(glue: Glue, hasAll: boolean): void {
  page = glue;
  tell(waiting);
  if (hasAll) restIsLoaded();
}

/** Called when the later part of the wasm has started. */
export function restIsLoaded(): void {
  isComplete = true;
  tell(waitingForAll);
}

function tell(set: Set<() => void>): void {
  const told = [...set];
  set.clear();
  for (const run of told) run();
}

/** Returns whether documents can be read and reviewed. */
export function isLoaded(): boolean {
  return page !== undefined;
}

/** Returns whether the wasm is loaded with all parts: it edits, and runs agents. */
export function isAllLoaded(): boolean {
  return isComplete;
}

/** Calls `run`, which must not throw, when the wasm is loaded: at once if it is. Returns the function that cancels
 * this. */
export function whenLoaded(run: () => void): () => void {
  return when(isLoaded(), waiting, run);
}

/** The same as {@link whenLoaded}, for all parts. */
export function whenAllLoaded(run: () => void): () => void {
  return when(isComplete, waitingForAll, run);
}

function when(isNow: boolean, set: Set<() => void>, run: () => void): () => void {
  if (isNow) run();
  else set.add(run);
  return () => void set.delete(run);
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
