/**
 * Keys beside text that the view `final` hides: text that a pending change deletes, and the user's version of a conflict.
 * Nothing is typed into it, and nothing of it is deleted unseen. A deletion takes the next character that is shown.
 */

import type { ResolvedPos } from "@tiptap/pm/model";
import type { EditorState } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import type { Hunk } from "../types/index.js";
import { reviewState } from "./state.js";
import { isInWidget } from "./typing.js";

/** Returns the hunks that are drawn as if they were accepted, with current positions. */
function applied(state: EditorState): readonly Hunk[] {
  const shown = reviewState(state);
  return shown?.view === "final" ? shown.drawn.hunks : [];
}

/** Returns those whose old text is hidden. */
function hiding(state: EditorState): readonly Hunk[] {
  return applied(state).filter(({ from, to }) => from < to);
}

/** Returns true if the whole selection is in text that is hidden. */
export function isSelectionHidden(state: EditorState): boolean {
  const { from, to, empty } = state.selection;
  return hiding(state).some((hunk) => (empty ? hunk.from < from && to < hunk.to : hunk.from <= from && to <= hunk.to));
}

/** Returns true if text that is typed at the selection would be hidden. Text beside a conflict joins the user's version of it. */
function isTextHidden(state: EditorState): boolean {
  const { from, to } = state.selection;
  return isSelectionHidden(state) || applied(state).some((hunk) => hunk.conflict && hunk.from <= to && from <= hunk.to);
}

/**
 * Returns true if the view `final` hides a conflict at the selection that was not there before, or contained another text:
 * what the user has typed is in it.
 */
export function hidesTyped({ selection }: EditorState, before: readonly Hunk[], now: readonly Hunk[]): boolean {
  const { from, to } = selection;
  return now.some(
    ({ id, conflict, originalText, ...hunk }) =>
      conflict &&
      hunk.from <= to &&
      from <= hunk.to &&
      before.find((one) => one.id === id)?.originalText !== originalText,
  );
}

/** Keeps input away from hidden text. `tell` says why a key does nothing. */
export function guardHidden(tell: (view: EditorView) => void) {
  const refuse = (view: EditorView, event: Event): boolean => {
    event.preventDefault();
    tell(view);
    return true;
  };
  return {
    input(view: EditorView, event: Event): boolean {
      const isDeletion = event instanceof InputEvent && event.inputType.startsWith("delete");
      const isHidden = isDeletion ? isSelectionHidden : isTextHidden;
      return !isInWidget(event) && isHidden(view.state) && refuse(view, event);
    },
    keydown(view: EditorView, event: KeyboardEvent): boolean {
      if (isInWidget(event) || event.isComposing || !view.editable) return false;
      const { key, ctrlKey, metaKey, altKey } = event;
      const isDeletion = key === "Backspace" || key === "Delete";
      const hasModifier = ctrlKey || metaKey || altKey;
      const isTyping = !hasModifier && (key === "Enter" || [...key].length === 1);
      if (isTyping ? isTextHidden(view.state) : isDeletion && isSelectionHidden(view.state)) return refuse(view, event);
      if (!isDeletion || !view.state.selection.empty) return false;
      const range = beyondHidden(view.state, key === "Backspace" ? -1 : 1);
      if (range === undefined) return false;
      if (range === null || hasModifier) return refuse(view, event);
      event.preventDefault();
      view.dispatch(view.state.tr.delete(range.from, range.to).scrollIntoView());
      return true;
    },
  };
}

/**
 * Returns the character that a deletion at the cursor removes if hidden text is beside the cursor: the first one behind
 * that text. Null if there is none in the block, or proposed text is before it; undefined without hidden text.
 */
function beyondHidden(state: EditorState, side: 1 | -1): { from: number; to: number } | null | undefined {
  const hunks = hiding(state);
  const { doc, selection } = state;
  let at = selection.$head;
  let isBeyond = false;
  for (let hunk; (hunk = hunks.find((one) => (side < 0 ? one.to : one.from) === at.pos)); isBeyond = true) {
    if (hunk.content.length) return null;
    at = doc.resolve(side < 0 ? hunk.from : hunk.to);
  }
  const isAtEdge = side < 0 ? at.parentOffset === 0 : at.parentOffset === at.parent.content.size;
  if (isAtEdge) return isBeyond || isBesideHiddenBlock(at, hunks, side) ? null : undefined;
  return isBeyond ? characterAt(at, side) : undefined;
}

/** Returns true if a block that would be joined with that of a position is hidden. */
function isBesideHiddenBlock(at: ResolvedPos, hunks: readonly Hunk[], side: 1 | -1): boolean {
  for (let { depth } = at; depth > 0; depth--) {
    const edge = side < 0 ? at.before(depth) : at.after(depth);
    if (hunks.some(({ from, to }) => (side < 0 ? to : from) === edge)) return true;
    const parent = at.node(depth - 1);
    const index = at.index(depth - 1);
    if (side < 0 ? index > 0 : index < parent.childCount - 1) return false;
  }
  return false;
}

/** Returns the range of the grapheme or inline node on one side of a position. */
function characterAt(at: ResolvedPos, side: 1 | -1): { from: number; to: number } {
  const node = side < 0 ? at.nodeBefore : at.nodeAfter;
  let size = node?.nodeSize ?? 0;
  if (node?.isText) {
    const graphemes = [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(node.text ?? "")];
    size = graphemes.at(side < 0 ? -1 : 0)?.segment.length ?? 1;
  }
  return side < 0 ? { from: at.pos - size, to: at.pos } : { from: at.pos, to: at.pos + size };
}
