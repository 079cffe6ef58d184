/** The footnotes of Pandoc and Obsidian that are in the text, as `^[note]`. */

import type { NodeJSON } from "../types/index.js";
import { InlineRow } from "./inline-row.js";

/** A footnote in the text that refers to it. */
export class InlineNote implements NodeJSON {
  readonly type = "inlineNote";
  readonly marks?: NonNullable<NodeJSON["marks"]>;

  constructor(
    readonly content: NodeJSON[],
    { marks }: Pick<NodeJSON, "marks">,
  ) {
    if (marks) this.marks = marks;
  }
}

interface Note {
  readonly start: number;
  /** After its last bracket. */
  readonly end: number;
}

/** Returns inline content whose footnotes are nodes; those in a footnote are in its content. */
export function withInlineNotes(content: readonly NodeJSON[]): readonly NodeJSON[] {
  if (!content.some(({ text }) => text?.includes("^["))) return content;
  const row = new InlineRow(content);
  const notes = notesIn(row.text).values();
  let next = notes.next().value;
  // One pass over the notes, which are in the order of their starts.
  const within = (from: number, to: number): NodeJSON[] => {
    const parts: NodeJSON[][] = [];
    let at = from;
    while (next && next.start < to) {
      const { start, end } = next;
      next = notes.next().value;
      parts.push(row.slice(at, start), [new InlineNote(within(start + 2, end - 1), row.marksAt(start))]);
      at = end;
    }
    return [...parts, row.slice(at, to)].flat();
  };
  return within(0, row.text.length);
}

/** Deeper brackets are text. */
const DEEPEST = 200;

/** Returns the footnotes of a text, in the order of their starts. Every bracket is looked at once. */
function notesIn(text: string): Note[] {
  const open: number[] = [];
  const found: Note[] = [];
  for (const { index, 0: bracket } of text.matchAll(/[[\]]/g)) {
    if (bracket === "[") {
      open.push(index);
      continue;
    }
    const start = open.pop();
    // Behind a bracket it is a part of an expression: `[^[:space:]]`.
    const isNote = start !== undefined && text[start - 1] === "^" && text[start - 2] !== "[";
    if (!isNote || open.length > DEEPEST || !text.slice(start + 1, index).trim()) continue;
    found.push({ start: start - 1, end: index + 1 });
  }
  return found.sort((a, b) => a.start - b.start);
}
