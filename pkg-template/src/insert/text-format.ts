/** The formats of text files that become documents. */

import { FileError } from "./file-error.js";

export type TextFormat = "markdown" | "html" | "text";

/** The names of files in each format. */
const NAMES: readonly (readonly [TextFormat, RegExp])[] = [
  ["markdown", /\.(?:md|markdown|mdown|mkd)$/i],
  ["html", /\.(?:html?|xhtml)$/i],
  ["text", /\.(?:txt|text)$/i],
];
const TYPES: Readonly<Record<string, TextFormat>> = {
  "text/markdown": "markdown",
  "text/html": "html",
  "application/xhtml+xml": "html",
  "text/plain": "text",
};
/** The files that can be opened, for the attribute `accept` of a file picker. */
export const TEXT_FILES = ".md,.markdown,.html,.htm,.txt,text/markdown,text/html,text/plain";
/** The largest file, in bytes. */
const LARGEST = 10_000_000;

/**
 * Returns the format of a file by its name or, without an extension, by its type.
 *
 * @throws a {@link FileError} with the code `unsupported_file`, or `file_too_large` above 10 MB.
 */
export function textFormatOf({ name, type, size }: File): TextFormat {
  const named = NAMES.find(([, names]) => names.test(name))?.[0];
  const format = named ?? (/\.\w+$/.test(name) ? undefined : TYPES[type]);
  if (!format) throw new FileError("unsupported_file", { name });
  if (size > LARGEST) throw new FileError("file_too_large", { name, size, limit: LARGEST });
  return format;
}
