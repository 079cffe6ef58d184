/** The library that writes DOCX, an optional dependency of the package. */

import { CopydeskError } from "../error.js";

export type Library = typeof import("docx");

/** Loads the library. Fails with `docx_not_installed`. */
export async function loadLibrary(): Promise<Library> {
  try {
    return await import("docx");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The package docx could not be loaded: ${reason}. Install it (npm install docx), or export another format.`;
    throw new CopydeskError({ code: "docx_not_installed", message, details: { reason } }, { cause });
  }
}
