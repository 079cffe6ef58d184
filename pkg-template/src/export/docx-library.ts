/** The library that writes DOCX, an optional dependency of the package. */

import { notInstalled } from "../loading/optional-library.js";

export type Library = typeof import("docx");

const docx = { name: "docx", code: "docx_not_installed", instead: "export another format" };

/** Loads the library. Fails with `docx_not_installed`. */
export async function loadLibrary(): Promise<Library> {
  try {
    return await import("docx");
  } catch (cause) {
    throw notInstalled(docx, cause);
  }
}
