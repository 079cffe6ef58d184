/**
 * The selection of the page beside proposals. ProseMirror draws a position before the widgets there, so that a range that
 * begins at one contains the proposal, and the browser may take it for one of the proposal.
 */

import type { EditorView } from "@tiptap/pm/view";
import { isPending, reviewState } from "./state.js";

const INLINE = "span.ProseMirror-widget[data-copydesk-hunk]";
const HIDDEN = ".copydesk-hidden";
/** Elements that ProseMirror adds at the end of a block. */
const AT_END = ".ProseMirror-separator, .ProseMirror-trailingBreak";

/**
 * Puts the start of a range behind the proposals there. In the view `final`, puts a caret that hidden text hides behind that
 * text, and one behind a proposal that ends a line into that proposal.
 */
export function settle(view: EditorView): void {
  const page = view.dom.ownerDocument;
  const selection = page.getSelection();
  if (view.composing || !selection?.rangeCount || !isPending(view.state)) return;
  const { startContainer: node, startOffset: offset } = selection.getRangeAt(0);
  const element = node instanceof Element ? node : node.parentElement;
  if (!view.dom.contains(node) || !view.dom.contains(page.activeElement) || element?.closest(".ProseMirror-widget"))
    return;
  if (selection.isCollapsed) {
    if (reviewState(view.state)?.view !== "final") return;
    if (element?.closest(HIDDEN)) selection.collapse(...pointBehind(view, view.posAtDOM(node, offset)).point);
    lastProposal(selection.anchorNode!, selection.anchorOffset)?.focus();
    return;
  }
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

/** Returns the inline proposal with text that ends a block, if a point of the page is behind it. */
function lastProposal({ childNodes }: Node, offset: number): HTMLElement | null {
  const index = [...childNodes].findLastIndex((one) => !(one instanceof Element && one.matches(AT_END)));
  const last = childNodes[index];
  const isBehind = last instanceof HTMLElement && last.matches(INLINE) && index < offset;
  return isBehind && last.querySelector(".copydesk-typable[contenteditable=true]") ? last : null;
}

/** Returns the point of the page behind the inline proposals at a position, or behind hidden text that ends there. */
function pointBehind(view: EditorView, position: number): { point: [Node, number]; isBehind: boolean } {
  const { node, offset } = view.domAtPos(position, 1);
  let end = offset;
  let next: ChildNode | null | undefined = node.childNodes[end];
  for (; next instanceof Element && next.matches(INLINE); next = node.childNodes[++end]);
  const isBehind = end > offset;
  while (next instanceof HTMLElement && next.isContentEditable && !next.matches(HIDDEN)) next = next.firstChild;
  return { point: next instanceof Text ? [next, 0] : [node, end], isBehind };
}
