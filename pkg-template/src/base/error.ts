/** The errors of the package. */

import type { ErrorInfo } from "../types/index.js";

/** A failure of copydesk. The document is as it was before the call. */
export class CopydeskError extends Error {
  /** Stable, for programs; docs/errors.md lists the codes. */
  readonly code: string;
  /** The values in the message. */
  readonly details: Record<string, unknown>;

  constructor(info: ErrorInfo, options?: ErrorOptions) {
    super(info.message, options);
    this.name = "CopydeskError";
    this.code = info.code;
    this.details = info.details;
  }
}

/** Throws `invalid_parameter` unless `holds`. */
export function check(holds: boolean, name: string, given: unknown, expected: string): void {
  if (holds) return;
  const shown = typeof given === "string" ? JSON.stringify(given.slice(0, 200)) : inWords(given);
  const message = `${name} is ${shown}; it must be ${expected}.`;
  throw new CopydeskError({ code: "invalid_parameter", message, details: { name, given: shown, expected } });
}

/** Reads data of the app. Whatever that throws (a getter, a proxy, JSON.stringify) becomes `invalid_parameter`. */
export function readInput<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof CopydeskError) throw thrown;
    // Only deep nesting exhausts the stack.
    const given = thrown instanceof RangeError ? "nested too deep" : `not readable (${inWords(thrown)})`;
    const expected = "plain data, as JSON.stringify takes it";
    const info = {
      code: "invalid_parameter",
      message: `${name} is ${given}; it must be ${expected}.`,
      details: { name, given, expected },
    };
    throw new CopydeskError(info, { cause: thrown });
  }
}

/** Returns the members of an object of the app, read once. */
export function members<T extends object>(given: T, name: string): T {
  check(typeof given === "object" && given !== null, name, given, "an object");
  return readInput(name, () => ({ ...given }));
}

/** Converts an error of the wasm to a CopydeskError; an error without a code is a fault of copydesk. */
export function toCopydeskError(thrown: unknown): unknown {
  if (thrown instanceof CopydeskError || !(thrown instanceof Error)) return thrown;
  const { code = "internal", details = {} } = thrown as Partial<ErrorInfo>;
  return new CopydeskError({ code, message: thrown.message, details }, { cause: thrown });
}

/** Reports an exception of a listener as browsers do; Node has no `reportError`. */
export function reportError(thrown: unknown): void {
  if (globalThis.reportError) globalThis.reportError(thrown);
  else console.error(thrown);
}

/** Returns a short description of a value. Objects without a prototype and symbols have no string form. */
function inWords(value: unknown): string {
  try {
    return String(value).slice(0, 200);
  } catch {
    return `a value of type ${typeof value}`;
  }
}
