/** Parts of the page that are loaded when they are needed first. */
import { errorText } from "./project/error-text";
import type { Messages } from "./locale";

/** A part of the page could not be loaded. */
class PartNotLoaded extends Error {
  override name = "PartNotLoaded";
}

/** Loads a part by `import`. Fails with an error for which `reasonOf` has a sentence; the next call tries again. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new PartNotLoaded("a part of the page could not be loaded", { cause });
  }
}

/** Returns the sentence of an error, in each language that the page is shown in. */
export function reasonOf(error: unknown): (m: Messages) => string {
  return error instanceof PartNotLoaded ? (m) => m.plugins.notLoaded : errorText(error);
}
