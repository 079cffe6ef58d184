/** Conversion of the Markdown that models write to HTML, by the syntax in which files are read. Loaded on demand. */

import { EffortError } from "../markdown-document/effort.js";
import { isTooDeep, MOST_LEVELS } from "../markdown-document/limits.js";
import { parse } from "../markdown-document/syntax.js";
import { htmlOf } from "../markdown-document/to-html.js";

/** The limit of the HTML of links and images, in characters. */
const LONGEST_HTML = 10_000_000;

/** Thrown beyond a limit; the wasm turns it into an error with a message. */
class LimitError extends Error {
  constructor(given: { work: number } | { characters: number }) {
    super("too large");
    Object.assign(this, given);
  }
}

/**
 * Converts Markdown to HTML.
 *
 * @throws an error with `work` or `characters` beyond a limit, and errors of the parser.
 */
export function markdownToHTML(markdown: string): string {
  if (isTooDeep(markdown)) throw new Error(`it nests more than ${MOST_LEVELS} levels of quotes, lists or emphasis`);
  let written = 0;
  const count = (length: number): void => {
    written += length;
    if (written > LONGEST_HTML) throw new LimitError({ characters: LONGEST_HTML });
  };
  try {
    return htmlOf(markdown, parse(markdown, { hasMath: false, hasFrontMatter: false }), count);
  } catch (thrown) {
    throw thrown instanceof EffortError ? new LimitError({ work: markdown.length }) : thrown;
  }
}
