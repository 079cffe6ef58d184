// The cases that were not right in the last full run of copydesk in an editor: one line each, verdict and id.
import { readFileSync, writeFileSync } from "node:fs";

const own = new URL("./failures.txt", import.meta.url);
/** Verdicts on cases that are not right, from the mildest. */
const ORDER = ["refused", "wrong", "harmed"];

/** The list of the edits that people wrote who had not read the code: their ids with the names of their suites. */
export const UNSEEN = new URL("./unseen/failures.txt", import.meta.url);

/** Returns the verdicts by case. */
export function readFailures(file = own) {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return new Map(lines.map((line) => [line.slice(line.indexOf(" ") + 1), line.slice(0, line.indexOf(" "))]));
}

/**
 * Returns whether a verdict is worse than the one of the last full run: `known`, or undefined if the case was right.
 */
export function worse({ right, verdict }, known) {
  return !right && ORDER.indexOf(verdict) > ORDER.indexOf(known);
}

/** Writes the list. `verdicts` are those of all cases. */
export function writeFailures(verdicts, file = own) {
  const lines = verdicts.filter(({ right }) => !right).map(({ verdict, id }) => `${verdict} ${id}\n`);
  writeFileSync(file, lines.join(""));
}
