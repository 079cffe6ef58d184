/** Libraries that are optional dependencies of the package. */

import { CopydeskError } from "../base/error.js";

/** An optional library, and what its absence means. */
export interface OptionalLibrary {
  /** The name of its package. */
  readonly name: string;
  /** The code of the error without it. */
  readonly code: string;
  /** The last words of that error: what a user can do instead. */
  readonly instead: string;
}

/**
 * Returns the error of a library that could not be loaded. Its import is in a `try` of its own, so that bundlers
 * build without it.
 */
export function notInstalled({ name, code, instead }: OptionalLibrary, cause: unknown): CopydeskError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `The package ${name} could not be loaded: ${reason}. Install it (npm install ${name}), or ${instead}.`;
  return new CopydeskError({ code, message, details: { reason } }, { cause });
}

/** Returns the result of `load`, the import of a library. Fails with its code if it cannot be loaded. */
export async function loadOptional<T>(library: OptionalLibrary, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw notInstalled(library, cause);
  }
}
