/** Leaves out what is not a text. */

/** Returns nothing for the error of a file that is not text, or was removed meanwhile; throws others. */
export function textOnly(thrown: unknown): undefined {
  const { code } = thrown as { code?: string };
  if (code === "not_text" || code === "file_too_large" || code === "file_not_found") return undefined;
  throw thrown;
}
