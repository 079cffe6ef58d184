/** The limits of Markdown: the time to parse deep nesting grows with the square of its depth. */

import { CopydeskError } from "../base/error.js";
import { EffortError } from "./effort.js";

/** Characters. */
const LONGEST = 2_000_000;
/** Quotes, lists and emphasis in each other. */
export const MOST_LEVELS = 200;

/** Quotes and items that start in one line. */
const CONTAINERS = new RegExp(`^(?:[ \\t]*(?:>|[-+*](?=[ \\t]|$)|\\d{1,9}[.)](?=[ \\t]|$))){${MOST_LEVELS}}`, "m");
/** An item within so many others that its indentation is as long as this. */
const INDENTED = new RegExp(`^[ \\t]{${2 * MOST_LEVELS},}(?:[-+*>]|\\d{1,9}[.)])`, "m");
/** Signs of emphasis that are not a thematic break. */
const EMPHASIS = new RegExp(`(?:[^\\s*_][*_]{${2 * MOST_LEVELS}}|[*_]{${2 * MOST_LEVELS}}[^\\s*_])`);

/** Throws `too_large` or `too_deep` for a source beyond a limit. */
export function checkLimits(source: string): void {
  if (source.length > LONGEST) {
    const message = `The Markdown has ${source.length} characters; at most ${LONGEST} are opened as a document. Split it, or open it as text.`;
    throw new CopydeskError({ code: "too_large", message, details: { limit: LONGEST } });
  }
  if (isTooDeep(source)) throw tooDeep();
}

/** Returns true if a source nests quotes, lists or emphasis too deeply to be parsed. */
export function isTooDeep(source: string): boolean {
  return [CONTAINERS, INDENTED, EMPHASIS].some((pattern) => pattern.test(source));
}

/** Calls a function that parses. Throws `too_deep` when that exhausts the stack, `too_large` when it takes too long. */
export function withinEffort<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof RangeError && /call stack/i.test(thrown.message)) throw tooDeep(thrown);
    if (thrown instanceof EffortError) {
      const message = "The Markdown would take too long to read as a document. Split it, or open it as text.";
      throw new CopydeskError({ code: "too_large", message, details: {} }, { cause: thrown });
    }
    throw thrown;
  }
}

function tooDeep(cause?: unknown): CopydeskError {
  const message = `The Markdown nests more than ${MOST_LEVELS} levels. Flatten it, or open it as text.`;
  return new CopydeskError({ code: "too_deep", message, details: { limit: MOST_LEVELS } }, { cause });
}
