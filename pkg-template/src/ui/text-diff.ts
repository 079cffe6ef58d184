/** The differences of two texts by lines, and by words in lines that were replaced. */

import type { Change } from "diff";

/** Unchanged lines that are shown beside a change. */
const CONTEXT = 1;

/** Lines of one kind; for a gap, their number. */
export interface ComparedLine {
  kind: "added" | "removed" | "same" | "gap";
  parts: readonly { text: string; isChanged: boolean }[];
  count?: number;
}

/** Returns the differences of two texts. Unchanged lines far from a change are counted. */
export async function comparedLines(before: string, after: string): Promise<ComparedLine[]> {
  const { diffLines, diffWordsWithSpace } = await import("diff");
  // Chinese is written without spaces between words.
  const intlSegmenter = new Intl.Segmenter(undefined, { granularity: "word" });
  const changes = diffLines(before, after);
  const lines: ComparedLine[] = [];
  for (let at = 0; at < changes.length; at++) {
    const { value, added, removed } = changes[at]!;
    const next = changes[at + 1];
    if (removed && next?.added) {
      const words = diffWordsWithSpace(value, next.value, { intlSegmenter });
      lines.push(sideOf(words, "removed"), sideOf(words, "added"));
      at++;
    } else if (added || removed) lines.push(line(added ? "added" : "removed", value));
    else lines.push(...unchanged(value, at > 0, at < changes.length - 1));
  }
  return lines;
}

/** Returns the words of one side, with those that are only there. */
function sideOf(words: readonly Change[], kind: "removed" | "added"): ComparedLine {
  const other = kind === "removed" ? "added" : "removed";
  const kept = words.filter((word) => !word[other]);
  return { kind, parts: kept.map((word) => ({ text: word.value, isChanged: word[kind] })) };
}

function line(kind: ComparedLine["kind"], text: string): ComparedLine {
  return { kind, parts: [{ text, isChanged: false }] };
}

function unchanged(text: string, isAfter: boolean, isBefore: boolean): ComparedLine[] {
  const lines = text.split("\n").filter((each) => each.trim());
  const [start, end] = [isAfter ? CONTEXT : 0, isBefore ? CONTEXT : 0];
  const same = (all: readonly string[]) => all.map((each) => line("same", each));
  if (lines.length <= start + end + 1) return same(lines);
  return [
    ...same(lines.slice(0, start)),
    { kind: "gap", parts: [], count: lines.length - start - end },
    ...same(lines.slice(lines.length - end)),
  ];
}
