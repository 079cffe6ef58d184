/** Search with a regular expression. Counts and cuts lines as the search for literals does (crates/workspace). */

import type { FileMatch, FileSearchResult } from "../types/index.js";
import type { Query } from "./query.js";

/** The longest line that a result shows, in characters. */
const LONGEST_SHOWN = 300;
/** The characters that a result shows before a match in a longer line. */
const SHOWN_BEFORE = 100;
/** The lines shown before and after a match. */
const AROUND = 2;

/**
 * Compiles a pattern: `^` and `$` match at the ends of lines.
 *
 * @throws SyntaxError
 */
export function compile(pattern: string, caseSensitive: boolean): RegExp {
  const flags = caseSensitive ? "gm" : "gmi";
  try {
    // Whole characters, and `\p{…}`.
    return new RegExp(pattern, `${flags}u`);
  } catch (thrown) {
    // Without the flag more patterns are valid, such as `\-`; but a wrong `\p{…}` would be a text there.
    if (/\\[pPu]\{/.test(pattern)) throw thrown;
    return new RegExp(pattern, flags);
  }
}

/**
 * Searches the texts of files. The result has the lines in which a match begins, each once. Calls `searched` after each
 * text.
 */
export function searchWith(
  regex: RegExp,
  { paths, limit }: Pick<Query, "limit"> & { paths: readonly string[] },
  texts: ReadonlyMap<string, string>,
  searched: (text: string) => void,
): FileSearchResult {
  const matches: FileMatch[] = [];
  for (const path of paths) {
    const text = texts.get(path);
    if (text === undefined) continue;
    searchText(regex, path, text.replace(/^\ufeff/, ""), limit + 1, matches);
    if (matches.length > limit) return { matches: matches.slice(0, limit), isCut: true };
    searched(text);
  }
  return { matches, isCut: false };
}

/** Adds matches in one text until there are `most`. */
function searchText(regex: RegExp, path: string, text: string, most: number, matches: FileMatch[]): void {
  let line = 1;
  let counted = 0;
  regex.lastIndex = 0;
  for (let match = regex.exec(text); match && matches.length < most; match = regex.exec(text)) {
    // An end of the last line begins no line.
    if (match.index === text.length && (text === "" || text.endsWith("\n"))) return;
    for (let end = text.indexOf("\n", counted); end >= 0 && end < match.index; end = text.indexOf("\n", counted)) {
      counted = end + 1;
      line++;
    }
    const start = counted;
    const end = endOf(text, start);
    const at = [...text.slice(start, match.index)].length;
    matches.push({
      path,
      line,
      text: shownAround(text.slice(start, end), at),
      before: linesBefore(text, start),
      after: linesAfter(text, start),
    });
    const next = text.indexOf("\n", match.index);
    if (next < 0) return;
    regex.lastIndex = next + 1;
  }
}

/** Returns the end of the line that begins at `start`, without its line end. */
function endOf(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  if (end < 0) return text.endsWith("\r") ? text.length - 1 : text.length;
  return text[end - 1] === "\r" && end > start ? end - 1 : end;
}

function linesBefore(text: string, start: number): string[] {
  const lines: string[] = [];
  for (let from = start; from > 0 && lines.length < AROUND;) {
    from = from < 2 ? 0 : text.lastIndexOf("\n", from - 2) + 1;
    lines.unshift(shownAround(text.slice(from, endOf(text, from)), 0));
  }
  return lines;
}

function linesAfter(text: string, start: number): string[] {
  const lines: string[] = [];
  for (let next = text.indexOf("\n", start); lines.length < AROUND; next = text.indexOf("\n", next + 1)) {
    if (next < 0 || next + 1 === text.length) break;
    lines.push(shownAround(text.slice(next + 1, endOf(text, next + 1)), 0));
  }
  return lines;
}

/** Returns a line as a result shows it: a long one is cut to the part around character `at`. */
function shownAround(line: string, at: number): string {
  if (line.length <= LONGEST_SHOWN) return line;
  const isNearStart = at < LONGEST_SHOWN - SHOWN_BEFORE;
  const first = isNearStart ? 0 : at - SHOWN_BEFORE;
  const shown: string[] = [];
  let number = 0;
  for (const character of line) {
    if (number >= first + LONGEST_SHOWN) {
      shown.push("…");
      break;
    }
    if (number++ >= first) shown.push(character);
  }
  return (isNearStart ? "" : "…") + shown.join("");
}
