/** The marks of suggestions in the editor of somebody who suggests: it holds the document with all of them. */

import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import type { Hunk } from "../types/index.js";

const key = new PluginKey<DecorationSet>("copydeskSuggesting");

/** Shows hunks of the document after a transaction. */
export function showSuggested(transaction: Transaction, hunks: readonly Hunk[]): Transaction {
  return transaction.setMeta(key, hunks).setMeta("addToHistory", false);
}

export function suggestedMarks(): Plugin<DecorationSet> {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(transaction, before) {
        const hunks = transaction.getMeta(key) as readonly Hunk[] | undefined;
        if (hunks) return DecorationSet.create(transaction.doc, hunks.flatMap(marksOf(transaction.doc)));
        return before.map(transaction.mapping, transaction.doc);
      },
    },
    props: { decorations: (state) => key.getState(state) },
  });
}

function marksOf(doc: Node): (hunk: Hunk) => Decoration[] {
  return ({ id, proposedFrom: from, proposedTo: to, originalText, author }) => {
    const attributes = { "data-copydesk-hunk": id, ...(author?.name && { title: author.name }) };
    const marks: Decoration[] = [];
    if (from < to) marks.push(Decoration.inline(from, to, { class: "copydesk-insertion", ...attributes }));
    if (originalText && to <= doc.content.size) {
      const widget = () => {
        const element = document.createElement("del");
        element.className = "copydesk-deletion";
        element.contentEditable = "false";
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
        element.textContent = originalText;
        return element;
      };
      marks.push(Decoration.widget(from, widget, { side: -1, key: `${id} ${originalText}`, ignoreSelection: true }));
    }
    return marks;
  };
}
