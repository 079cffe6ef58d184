/** Errors as the package throws them. */

import type { ErrorInfo } from "./types.js";

/** A failure of copydesk. The document is as it was before the call that threw it. */
export class CopydeskError extends Error {
  /** Stable, for programs; docs/errors.md lists the codes. */
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

/** Holds callers without types to what the types say. */
export function check(holds: boolean, name: string, given: unknown, expected: string): void {
  if (holds) return;
  const shown = typeof given === "string" ? JSON.stringify(given.slice(0, 200)) : inWords(given);
  const message = `${name} is ${shown}; it must be ${expected}.`;
  throw new CopydeskError({ code: "invalid_parameter", message, details: { name, given: shown, expected } });
}

/** Reads what the app has given; what that throws (a getter, a proxy, what JSON cannot have) is a value that cannot be taken. */
export function reading<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof CopydeskError) throw thrown;
    // Only what nests too deep exhausts the stack.
    const given = thrown instanceof RangeError ? "nested too deep" : `not readable (${inWords(thrown)})`;
    const expected = "plain data, as JSON.stringify takes it";
    const info = { code: "invalid_parameter", message: `${name} is ${given}; it must be ${expected}.`, details: { name, given, expected } };
    throw new CopydeskError(info, { cause: thrown });
  }
}

/** The members of an object that the app has given, read once. */
export function members<T extends object>(given: T, name: string): T {
  check(typeof given === "object" && given !== null, name, given, "an object");
  return reading(name, () => ({ ...given }));
}

/** What the wasm threw, as a CopydeskError; anything without a code is a fault of copydesk itself. */
export function toCopydeskError(thrown: unknown): unknown {
  if (thrown instanceof CopydeskError || !(thrown instanceof Error)) return thrown;
  const { code = "internal", details = {} } = thrown as Partial<ErrorInfo>;
  return new CopydeskError({ code, message: thrown.message, details }, { cause: thrown });
}

/** As browsers report what an event listener throws; Node has no `reportError`. */
export function reportError(thrown: unknown): void {
  if (globalThis.reportError) globalThis.reportError(thrown);
  else console.error(thrown);
}

/** A value in a few words; one without a prototype, or a symbol, throws where it is to be a string. */
function inWords(value: unknown): string {
  try {
    return String(value).slice(0, 200);
  } catch {
    return `a value of type ${typeof value}`;
  }
}
