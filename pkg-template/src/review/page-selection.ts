/**
 * The selection of the page beside proposals. ProseMirror draws a position before the widgets there, so that a range that
 * begins at one contains the proposal, and the browser may take it for one of the proposal.
 */

import type { EditorView } from "@tiptap/pm/view";
import { isPending } from "./state.js";

const INLINE = "span.ProseMirror-widget[data-copydesk-hunk]";

/** Puts the start of a range behind the proposals there. */
export function settle(view: EditorView): void {
  const page = view.dom.ownerDocument;
  const selection = page.getSelection();
  if (view.composing || !selection?.rangeCount || selection.isCollapsed || !isPending(view.state)) return;
  const { startContainer: node, startOffset: offset } = selection.getRangeAt(0);
  const element = node instanceof Element ? node : node.parentElement;
  if (!view.dom.contains(node) || !view.dom.contains(page.activeElement) || element?.closest(".ProseMirror-widget"))
    return;
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  const { point, isBehind } = pointBehind(view, view.posAtDOM(node, offset));
  if (!isBehind || (point[0] === node && point[1] === offset)) return;
  if (anchorNode === node && anchorOffset === offset) selection.setBaseAndExtent(...point, focusNode!, focusOffset);
  else selection.setBaseAndExtent(anchorNode!, anchorOffset, ...point);
  // The browser gives the focus to a proposal at the start.
  if (!view.hasFocus()) view.dom.focus({ preventScroll: true });
}

/** Returns true if the caret of the page is between an inline proposal and the text behind it. */
export function isBehindProposal(view: EditorView): boolean {
  const { isCollapsed, anchorNode, anchorOffset } = view.dom.ownerDocument.getSelection() ?? {};
  const before = anchorNode instanceof Text && anchorOffset === 0 ? anchorNode.previousSibling : null;
  return isCollapsed === true && before instanceof Element && before.matches(INLINE);
}

/** Returns the point of the page behind the inline proposals at a position. */
function pointBehind(view: EditorView, position: number): { point: [Node, number]; isBehind: boolean } {
  const { node, offset } = view.domAtPos(position, 1);
  let end = offset;
  let next: ChildNode | null | undefined = node.childNodes[end];
  for (; next instanceof Element && next.matches(INLINE); next = node.childNodes[++end]);
  const isBehind = end > offset;
  while (next instanceof HTMLElement && next.isContentEditable) next = next.firstChild;
  return { point: next instanceof Text ? [next, 0] : [node, end], isBehind };
}
