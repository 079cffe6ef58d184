/** Errors that a worker sends to the page: structured clones of them lack their own members. */

import { CopydeskError } from "./error.js";

/** An error as data. `code` and `details` are those of a `CopydeskError`, or of an error of the wasm. */
export interface ErrorData {
  name: string;
  message: string;
  code?: string;
  details?: Record<string, unknown>;
}

/** Returns an exception as data. */
export function dataOf(thrown: unknown): ErrorData {
  if (!(thrown instanceof Error)) return { name: "Error", message: String(thrown) };
  const { name, message, code, details } = thrown as Error & Partial<ErrorData>;
  // The code of a DOMException is a number.
  return { name, message, ...(typeof code === "string" && { code, details: { ...details } }) };
}

/** Returns the error that data is of: a `CopydeskError` if it has a code. */
export function errorOf({ name, message, code, details = {} }: ErrorData): Error {
  return code ? new CopydeskError({ code, message, details }) : Object.assign(new Error(message), { name });
}
