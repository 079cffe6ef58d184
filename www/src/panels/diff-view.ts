/** Two texts as lines that were removed, added or stayed, with the changed words in them. */
import { diffLines, diffWordsWithSpace } from "diff";
import { h } from "./h";
import type { Words } from "./words";

/** Unchanged lines that are shown beside a change. */
const CONTEXT = 1;

/** Returns the differences of two texts. Unchanged lines far from a change are counted. */
export function diffView(before: string, after: string, words: Words): HTMLElement {
  const parts = diffLines(before, after);
  const view = h("div", { class: "copydesk-diff", tabindex: "0", role: "group" });
  // Chinese is written without spaces between words.
  const intlSegmenter = new Intl.Segmenter(undefined, { granularity: "word" });
  for (let at = 0; at < parts.length; at++) {
    const { value, added, removed } = parts[at]!;
    const next = parts[at + 1];
    if (removed && next?.added) {
      const pieces = diffWordsWithSpace(value, next.value, { intlSegmenter });
      for (const [side, other] of [
        ["del", "added"],
        ["ins", "removed"],
      ] as const) {
        const kept = pieces.filter((piece) => !piece[other]);
        const content = kept.map(({ value, added, removed }) => (added || removed ? h("mark", {}, value) : value));
        view.append(h(side, {}, ...content));
      }
      at++;
    } else if (added || removed) view.append(h(added ? "ins" : "del", {}, value));
    else view.append(...unchanged(value, at > 0, at < parts.length - 1, words));
  }
  return view;
}

function unchanged(text: string, isAfter: boolean, isBefore: boolean, words: Words): HTMLElement[] {
  const lines = text.split("\n").filter((line) => line.trim());
  const [start, end] = [isAfter ? CONTEXT : 0, isBefore ? CONTEXT : 0];
  if (lines.length <= start + end + 1) return lines.map((line) => h("p", {}, line));
  return [
    ...lines.slice(0, start).map((line) => h("p", {}, line)),
    h("p", { class: "copydesk-gap" }, words.unchangedLines(lines.length - start - end)),
    ...lines.slice(lines.length - end).map((line) => h("p", {}, line)),
  ];
}
