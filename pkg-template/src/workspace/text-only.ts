/** Leaves out files that are not text. */

/** Codes of errors, and of Node's, that concern one file and leave the others as they are. */
const OF_ONE_FILE = ["not_text", "file_too_large", "file_not_found", "file_changed", "EACCES", "EPERM"];

/** Returns true for the error of a file that is not text, may not be read, or is changed or removed meanwhile. */
export function isOfOneFile(thrown: unknown): boolean {
  return OF_ONE_FILE.includes(String((thrown as { code?: unknown } | null)?.code));
}

/** Returns nothing for an error of one file; throws others. */
export function textOnly(thrown: unknown): undefined {
  if (isOfOneFile(thrown)) return undefined;
  throw thrown;
}
