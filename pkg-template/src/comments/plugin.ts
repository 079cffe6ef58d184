/** The ranges of comments in an editor: they follow its document, and are highlighted in it. */

import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey, type EditorState, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { sharedOf } from "../document/shared-origin.js";
import { mapRanges, relocateRanges, type Ranges, type StoredRange } from "./ranges.js";

interface CommentsState {
  ranges: Ranges;
  /** The thread that is chosen. */
  current: string | undefined;
  decorations: DecorationSet;
}

/** A change of the plugin's state. */
export interface CommentsChange {
  /** New ranges of threads. */
  placed?: Ranges;
  current?: string | null;
}

export interface PluginHost {
  /** Returns the ranges before the editor was mounted. */
  ranges(): Ranges;
  /** Returns the ids of the threads that are highlighted. */
  open(): ReadonlySet<string>;
  /** Returns the stored range of a thread. */
  find(thread: string, doc: Node): StoredRange | undefined;
  /** Called when the user clicks on the text of a thread. */
  clicked(thread: string): void;
}

const key = new PluginKey<CommentsState>("copydeskComments");

/** Returns the ranges of an editor's comments; `undefined` in an editor that is not mounted, which has no plugins. */
export function rangesOf(state: EditorState): Ranges | undefined {
  return key.getState(state)?.ranges;
}

/** Follows ranges over a transaction. `isMapped` is false if some are not where their ends were mapped to. */
export function followRanges(
  ranges: Ranges,
  transaction: Transaction,
  find: PluginHost["find"],
): { ranges: Ranges; isMapped: boolean } {
  const { before, doc, mapping } = transaction;
  if (!transaction.docChanged) return { ranges, isMapped: true };
  if (!sharedOf(transaction)?.isChangeOrigin) return mapRanges(ranges, before, doc, mapping);
  return { ranges: relocateRanges(ranges, before, doc, (id) => find(id, doc)), isMapped: false };
}

/** Returns the change of the comments in a transaction. */
export function changeIn(transaction: Transaction): CommentsChange | undefined {
  return transaction.getMeta(key) as CommentsChange | undefined;
}

/** Returns the thread that is chosen. */
export function currentOf(state: EditorState): string | undefined {
  return key.getState(state)?.current;
}

/** Returns a transaction with a change of the comments. */
export function commentsChange(transaction: Transaction, change: CommentsChange): Transaction {
  return transaction.setMeta(key, change).setMeta("addToHistory", false);
}

export function commentsPlugin(host: PluginHost): Plugin<CommentsState> {
  const decorate = (doc: Node, ranges: Ranges, current: string | undefined): DecorationSet => {
    const open = host.open();
    const shown = [...ranges].filter(([id, { lost }]) => lost === undefined && open.has(id));
    const made = shown.map(([id, { from, to }]) => {
      const name = `copydesk-comment${id === current ? " copydesk-current-comment" : ""}`;
      return Decoration.inline(from, to, { class: name, "data-copydesk-comment": id });
    });
    return made.length ? DecorationSet.create(doc, made) : DecorationSet.empty;
  };
  return new Plugin<CommentsState>({
    key,
    state: {
      init: (_, state) => {
        const ranges = host.ranges();
        return { ranges, current: undefined, decorations: decorate(state.doc, ranges, undefined) };
      },
      apply(transaction, before) {
        const change = changeIn(transaction);
        if (!change && !transaction.docChanged) return before;
        const followed = followRanges(before.ranges, transaction, (thread, doc) => host.find(thread, doc));
        const isMapped = !change && followed.isMapped;
        const ranges = change?.placed ? new Map([...followed.ranges, ...change.placed]) : followed.ranges;
        const current = change?.current === undefined ? before.current : (change.current ?? undefined);
        const decorations = isMapped
          ? before.decorations.map(transaction.mapping, transaction.doc)
          : decorate(transaction.doc, ranges, current);
        return { ranges, current, decorations };
      },
    },
    props: {
      decorations: (state) => key.getState(state)?.decorations,
      handleClick(view, position) {
        const found = key.getState(view.state)?.decorations.find(position, position) ?? [];
        // Of threads about the same text, that with the smallest range.
        const [smallest] = found.toSorted((a, b) => a.to - a.from - (b.to - b.from));
        const ranges = rangesOf(view.state);
        if (!smallest || !ranges) return false;
        const id = [...ranges].find(([, { from, to }]) => from === smallest.from && to === smallest.to);
        if (id) host.clicked(id[0]);
        return false;
      },
    },
  });
}
