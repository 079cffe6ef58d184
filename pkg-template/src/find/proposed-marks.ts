/** Marks the matches in proposed text, which is not part of the document. */

import type { Editor } from "@tiptap/core";
import type { FindQuery, ProposedMatch } from "./matches.js";

const ALL = "find-proposed";
const CURRENT = "find-proposed-current";

/** Marks all matches in the changes that are drawn. Browsers without CSS highlights show the change only. */
export function markProposed(editor: Editor, query: FindQuery | null, current: ProposedMatch | null): void {
  if (typeof Highlight !== "function") return;
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
  if (!query?.text) return;
  const marks = new Highlight();
  for (const element of editor.view.dom.querySelectorAll<HTMLElement>("[data-copydesk-hunk] .copydesk-insertion")) {
    const id = element.closest<HTMLElement>("[data-copydesk-hunk]")?.dataset.copydeskHunk;
    rangesIn(element, query).forEach((range, nth) => {
      if (current && current.hunk === id && current.nth === nth) CSS.highlights.set(CURRENT, new Highlight(range));
      else marks.add(range);
    });
  }
  CSS.highlights.set(ALL, marks);
}

/** Returns the ranges of a text in an element. */
function rangesIn(element: HTMLElement, { text, caseSensitive }: FindQuery): Range[] {
  const nodes: { node: Text; start: number }[] = [];
  let all = "";
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    nodes.push({ node, start: all.length });
    all += node.data;
  }
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"), caseSensitive ? "gu" : "giu");
  return [...all.matchAll(pattern)].map(({ index, 0: match }) => {
    const range = document.createRange();
    const at = (offset: number, isEnd: boolean) =>
      nodes.findLast(({ start }) => (isEnd ? start < offset : start <= offset)) ?? nodes[0]!;
    const [first, last] = [at(index, false), at(index + match.length, true)];
    range.setStart(first.node, index - first.start);
    range.setEnd(last.node, index + match.length - last.start);
    return range;
  });
}
