/** Shows another text of the open file in the editor, by small changes. */

import type { Editor } from "@tiptap/core";
import { Fragment, type Node } from "@tiptap/pm/model";
import { closeHistory } from "@tiptap/pm/history";
import type { Transaction } from "@tiptap/pm/state";
import type { NodeJSON } from "copydesk";

export type Diff = typeof import("diff");

/** Loads what `changeInto` compares documents with. */
export const loadDiff = (): Promise<Diff> => import("diff");

/** A range of the document, and the blocks that replace it. */
interface Replacement {
  from: number;
  before: Fragment;
  after: Fragment;
}

/** Changes the document into another one, as one undo step that leaves everything that is the same untouched. */
export function changeInto(editor: Editor, json: NodeJSON, diff: Diff): void {
  const { doc, tr } = editor.state;
  const next = editor.schema.nodeFromJSON(json);
  for (const replacement of replacementsOf(doc, next, diff).reverse()) replace(tr, replacement);
  if (!tr.docChanged) return;
  editor.view.dispatch(closeHistory(tr));
  editor.view.dispatch(closeHistory(editor.state.tr));
}

/** Returns the replaced ranges of top-level blocks, in their order. */
function replacementsOf(doc: Node, next: Node, { diffArrays }: Diff): Replacement[] {
  const keys = (node: Node) => node.children.map((block) => JSON.stringify(block.toJSON()));
  const found: Replacement[] = [];
  let [at, oldBlock, newBlock] = [0, 0, 0];
  const take = (blocks: readonly Node[], start: number, count: number) => blocks.slice(start, start + count);
  const parts = diffArrays(keys(doc), keys(next));
  for (let part = 0; part < parts.length; part++) {
    const { added, removed, count } = parts[part]!;
    const other = parts[part + 1];
    if (!added && !removed) {
      at += sizeOf(take(doc.children, oldBlock, count));
      [oldBlock, newBlock] = [oldBlock + count, newBlock + count];
      continue;
    }
    const isPair = other !== undefined && (added ? other.removed : other.added);
    const gone = removed ? count : isPair ? other.count : 0;
    const come = added ? count : isPair ? other.count : 0;
    if (isPair) part++;
    const before = take(doc.children, oldBlock, gone);
    found.push({ from: at, before: Fragment.from(before), after: Fragment.from(take(next.children, newBlock, come)) });
    at += sizeOf(before);
    [oldBlock, newBlock] = [oldBlock + gone, newBlock + come];
  }
  return found;
}

function sizeOf(blocks: readonly Node[]): number {
  return blocks.reduce((sum, { nodeSize }) => sum + nodeSize, 0);
}

/** Replaces only what differs, down to characters. */
function replace(tr: Transaction, { from, before, after }: Replacement): void {
  const start = before.findDiffStart(after);
  const end = before.findDiffEnd(after as unknown as Parameters<Fragment["findDiffEnd"]>[0]);
  if (start === null || !end) return;
  // Repeated characters can make both ends meet.
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  try {
    const slice = tr.doc.type.create(null, after).slice(start, end.b + overlap);
    tr.replace(from + start, from + end.a + overlap, slice);
  } catch {
    // The ends lie in blocks of different kinds.
    tr.replaceWith(from, from + before.size, after);
  }
}
