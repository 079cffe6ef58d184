/** The limits of a file that is opened as a document: the time to parse deep nesting grows with the square of its depth. */

import { CopydeskError } from "../error.js";

/** Characters. */
const LONGEST = 2_000_000;
/** Quotes, lists and emphasis in each other. */
const DEEPEST = 200;

/** Quotes and items that start in one line. */
const CONTAINERS = new RegExp(`^(?:[ \\t]*(?:>|[-+*](?=[ \\t]|$)|\\d{1,9}[.)](?=[ \\t]|$))){${DEEPEST}}`, "m");
/** An item within so many others that its indentation is that long. */
const INDENTED = new RegExp(`^[ \\t]{${2 * DEEPEST},}(?:[-+*>]|\\d{1,9}[.)])`, "m");
/** Signs of emphasis that are no rule. */
const EMPHASIS = new RegExp(`(?:[^\\s*_][*_]{${2 * DEEPEST}}|[*_]{${2 * DEEPEST}}[^\\s*_])`);

/** Throws `too_large` or `too_deep` for a source beyond a limit. */
export function checkLimits(source: string): void {
  if (source.length > LONGEST) {
    const message = `The Markdown has ${source.length} characters; at most ${LONGEST} are opened as a document. Split it, or open it as text.`;
    throw new CopydeskError({ code: "too_large", message, details: { limit: LONGEST } });
  }
  if ([CONTAINERS, INDENTED, EMPHASIS].some((pattern) => pattern.test(source))) throw tooDeep();
}

/** Calls a function that follows the nesting of a source. Throws `too_deep` when that exhausts the stack. */
export function withinDepth<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof RangeError && /call stack/i.test(thrown.message)) throw tooDeep(thrown);
    throw thrown;
  }
}

function tooDeep(cause?: unknown): CopydeskError {
  const message = `The Markdown nests more than ${DEEPEST} levels. Flatten it, or open it as text.`;
  return new CopydeskError({ code: "too_deep", message, details: { limit: DEEPEST } }, { cause });
}
