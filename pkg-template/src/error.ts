/** Errors as the package throws them. */

import type { ErrorInfo } from "./types.js";

/** A failure of copydesk. The document is as it was before the call that threw it. */
export class CopydeskError extends Error {
  /** Stable, for programs; the codes are listed in the README. */
  readonly code: string;
  /** The numbers and names in the error. */
  readonly details: Record<string, unknown>;

  constructor(info: ErrorInfo, options?: ErrorOptions) {
    super(info.message, options);
    this.name = "CopydeskError";
    this.code = info.code;
    this.details = info.details;
  }
}

/** What the wasm threw, as a CopydeskError; anything without a code is a fault of copydesk itself. */
export function toCopydeskError(thrown: unknown): unknown {
  if (thrown instanceof CopydeskError || !(thrown instanceof Error)) return thrown;
  const { code = "internal", details = {} } = thrown as Partial<ErrorInfo>;
  return new CopydeskError({ code, message: thrown.message, details }, { cause: thrown });
}
