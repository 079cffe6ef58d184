/** Calls into the wasm: only when it is there, with errors of our class, and never waiting for what has stopped. */

import { CopydeskError, toCopydeskError } from "./error.js";
import { loadMarkdown, markdownToHTML } from "./markdown.js";
import { onPanic, useMarkdown } from "./wasm/copydesk.js";

let loaded = false;
let stop: (error: CopydeskError) => void;
const stopped = new Promise<never>((_, reject) => (stop = reject));
// Most of the time nobody waits for it.
stopped.catch(() => {});

/** To be called once, when the wasm has been loaded. */
export function wasmIsLoaded(): void {
  loaded = true;
  useMarkdown(markdownToHTML, loadMarkdown);
  onPanic((what: string) => {
    console.error(`copydesk: ${what}`);
    const message = `copydesk failed: ${what}. What was written is kept; reload the page to go on, and please report this.`;
    stop(new CopydeskError({ code: "internal", message, details: {} }));
  });
}

/** Makes a call into the wasm and gives its errors their class. */
export function guarded<T>(call: () => T): T {
  if (!loaded) {
    const message = "copydesk is not loaded yet. Await init() before anything else of it is used.";
    throw new CopydeskError({ code: "not_loaded", message, details: {} });
  }
  try {
    return call();
  } catch (thrown) {
    throw toCopydeskError(thrown);
  }
}

/** A promise from the wasm. After a panic the wasm settles none, so the panic rejects them all. */
export function settled<T>(promise: Promise<T>): Promise<T> {
  const failed = (thrown: unknown) => {
    throw toCopydeskError(thrown);
  };
  return Promise.race([promise.catch(failed), stopped]);
}
