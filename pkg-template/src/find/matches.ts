/** Searches the document and the changes that are proposed in it. */

import type { Editor } from "@tiptap/core";
import { Fragment, Slice, type Node } from "@tiptap/pm/model";
import type { EditorState } from "@tiptap/pm/state";
import { ReplaceStep } from "@tiptap/pm/transform";
import type { Hunk } from "copydesk";
import { hunksOf, reviewViewOf } from "../tiptap.js";
import { SearchQuery } from "prosemirror-search";

export interface FindQuery {
  text: string;
  caseSensitive: boolean;
  wholeWord: boolean;
}

/** A match in the text of the document. */
export interface TextMatch {
  kind: "text";
  from: number;
  to: number;
  /** The pending change that replaces or deletes some of it. Where the view hides such text, there is no match. */
  hunk: string | null;
}

/** A match in the text of a pending change. */
export interface ProposedMatch {
  kind: "proposed";
  hunk: string;
  /** Its number among the matches of the change, from 0. */
  nth: number;
  /** The position of the change in the document. */
  from: number;
  to: number;
}

export type Match = TextMatch | ProposedMatch;

/** Returns all matches that the view shows, in the order of the page. */
export function findMatches(editor: Editor, { text, caseSensitive, wholeWord }: FindQuery): Match[] {
  const query = new SearchQuery({ search: text, caseSensitive, wholeWord, literal: true });
  if (!query.valid) return [];
  const { doc } = editor.state;
  const hunks = [...hunksOf(editor)].sort((a, b) => a.from - b.from);
  const view = reviewViewOf(editor);
  const found: Match[] = [];
  let next = 0;
  for (const { from, to } of all(query, doc)) {
    while (next < hunks.length && hunks[next]!.to <= from) next++;
    const hunk = hunks[next];
    const isIn = hunk && hunk.from < to && hunk.to > from;
    if (!isIn || view !== "final") found.push({ kind: "text", from, to, hunk: isIn ? hunk.id : null });
  }
  if (!hunks.length || view === "original") return found;
  const proposed = inProposals(query, doc, hunks);
  // A proposal is shown after the text that it replaces.
  const at = (match: Match) => (match.kind === "text" ? match.from : match.to);
  return [...found, ...proposed].sort((a, b) => at(a) - at(b) || Number(a.kind !== "text") - Number(b.kind !== "text"));
}

function* all(query: SearchQuery, doc: Node): Generator<{ from: number; to: number }> {
  // A query reads the document of a state only.
  const state = { doc } as EditorState;
  for (let at = 0; ;) {
    const found = query.findNext(state, at);
    if (!found) return;
    yield found;
    at = found.to;
  }
}

/** Returns the matches that a document with all changes applied has in their content. */
function inProposals(query: SearchQuery, doc: Node, hunks: readonly Hunk[]): ProposedMatch[] {
  let applied = doc;
  for (const { from, to, content } of hunks.toReversed()) {
    const step = new ReplaceStep(from, to, new Slice(Fragment.fromJSON(doc.type.schema, content), 0, 0));
    applied = step.apply(applied).doc ?? applied;
  }
  const found: ProposedMatch[] = [];
  const matches = [...all(query, applied)];
  let [next, growth] = [0, 0];
  for (const { id, from, to, content } of hunks) {
    const start = from + growth;
    const end = start + Fragment.fromJSON(doc.type.schema, content).size;
    growth += end - start - (to - from);
    while (next < matches.length && matches[next]!.to <= start) next++;
    for (let nth = 0; next < matches.length && matches[next]!.from < end; next++, nth++)
      found.push({ kind: "proposed", hunk: id, nth, from, to });
  }
  return found;
}
