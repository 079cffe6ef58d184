/** Copies and cuts a selection as it is shown: with the proposed content and without the deleted one, unless the view is
 * the original. */

import { getTextBetween, getTextSerializersFromSchema } from "@tiptap/core";
import { Fragment, Slice, type Node } from "@tiptap/pm/model";
import { AllSelection, TextSelection } from "@tiptap/pm/state";
import { Transform } from "@tiptap/pm/transform";
import type { EditorView } from "@tiptap/pm/view";
import type { Hunk } from "../types/index.js";
import { isSelectionHidden } from "./hidden.js";
import { hunksNow, reviewState } from "./state.js";

/** A range of a document in which the hunks of a selection are accepted. */
interface ShownRange {
  doc: Node;
  from: number;
  to: number;
}

export interface CopyListener {
  /** Called after a cut with the number of hunks, if any, whose proposed content was in the selection. */
  onCut: (hunks: number) => void;
  /** Called if nothing was copied, because the view hides the selection. */
  onHidden: () => void;
}

/** Handles a copy or cut whose selection contains hunks. Returns false for any other, which the editor handles. */
export function copyShown(view: EditorView, event: ClipboardEvent, { onCut, onHidden }: CopyListener): boolean {
  if (!view.state.selection.empty && isSelectionHidden(view.state)) {
    event.preventDefault();
    onHidden();
    return true;
  }
  const data = event.clipboardData;
  const hunks = selectedHunks(view);
  const shown = data && hunks.length ? shownRange(view, hunks) : null;
  if (!data || !shown || shown.from >= shown.to) return false;
  const slice = shown.doc.slice(shown.from, shown.to);
  data.clearData();
  data.setData("text/html", view.serializeForClipboard(slice).dom.innerHTML);
  data.setData("text/plain", textOf(view, slice, shown));
  event.preventDefault();
  if (event.type === "cut" && view.editable) {
    const proposed = hunks.filter(({ content, to }) => content.length > 0 && to <= view.state.selection.to).length;
    view.dispatch(view.state.tr.deleteSelection().scrollIntoView().setMeta("uiEvent", "cut"));
    if (proposed) onCut(proposed);
  }
  return true;
}

/** Returns the hunks that are shown in the selection. Where changes are marked, the user's version of a conflict is copied
 * as it is. */
function selectedHunks(view: EditorView): Hunk[] {
  const { selection } = view.state;
  const shown = reviewState(view.state);
  if (!shown?.hunks.length || selection.empty || shown.view === "original") return [];
  if (!(selection instanceof TextSelection || selection instanceof AllSelection)) return [];
  const { from, to } = selection;
  return hunksNow(shown).filter((hunk) => {
    if ((hunk.conflict && shown.view === "marked") || hunk.to < from || hunk.from > to) return false;
    return (hunk.from < to && hunk.to > from) || selection instanceof AllSelection || isInPageSelection(view, hunk);
  });
}

/** Returns true if the selection of the page contains the content of a hunk at one of its ends. */
function isInPageSelection(view: EditorView, { id }: Hunk): boolean {
  const selection = view.dom.ownerDocument.getSelection();
  if (!selection?.rangeCount) return false;
  const range = selection.getRangeAt(0);
  const widgets = view.dom.querySelectorAll(`.ProseMirror-widget[data-copydesk-hunk="${CSS.escape(id)}"]`);
  return [...widgets].some((widget) => range.intersectsNode(widget));
}

/** Accepts hunks in a copy of the document. Returns null if the document does not fit its schema then. */
function shownRange(view: EditorView, hunks: readonly Hunk[]): ShownRange | null {
  const { doc, schema, selection } = view.state;
  const isAll = selection instanceof AllSelection;
  let { from, to } = selection;
  const transform = new Transform(doc);
  try {
    for (const hunk of hunks.toReversed()) {
      const content = Fragment.fromJSON(schema, hunk.content);
      transform.replace(hunk.from, hunk.to, new Slice(content, 0, 0));
      const grown = content.size - (hunk.to - hunk.from);
      // The proposed content is drawn behind the deleted one.
      if (hunk.to <= selection.to) to += grown;
      else to = hunk.from;
      if (hunk.to < selection.from) from += grown;
      else if (hunk.from < selection.from) from = hunk.from;
    }
  } catch {
    return null;
  }
  return { doc: transform.doc, from: isAll ? 0 : from, to: isAll ? transform.doc.content.size : to };
}

/** Returns the text of a slice as the editor's plugins write it. TipTap's own reads the document of the editor. */
function textOf(view: EditorView, slice: Slice, { doc, from, to }: ShownRange): string {
  for (const { props, spec } of view.state.plugins) {
    const isOwn = String((spec.key as { key?: string } | undefined)?.key).startsWith("clipboardTextSerializer$");
    const text = isOwn ? undefined : props.clipboardTextSerializer?.call(undefined as never, slice, view);
    if (text) return text;
  }
  return getTextBetween(doc, { from, to }, { textSerializers: getTextSerializersFromSchema(doc.type.schema) });
}
