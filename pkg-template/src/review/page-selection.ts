/**
 * The selection of the page beside proposals. ProseMirror draws a position before the widgets there, so that a range that
 * begins at one contains the proposal, and the browser may take it for one of the proposal.
 */

import type { EditorView } from "@tiptap/pm/view";
import { isPending, reviewState } from "./state.js";

const INLINE = "span.ProseMirror-widget[data-copydesk-hunk]";
const HIDDEN = ".copydesk-hidden";

/**
 * Puts the start of a range behind the proposals there. In the view `final`, puts a caret that hidden text hides behind that
 * text, and one behind a proposal that ends a line into that proposal.
 */
export function settle(view: EditorView): void {
  const page = view.dom.ownerDocument;
  const selection = page.getSelection();
  if (view.composing || !selection?.rangeCount || !isPending(view.state)) return;
  const range = selection.getRangeAt(0);
  const { startContainer: node, startOffset: offset } = range;
  const element = node instanceof Element ? node : node.parentElement;
  if (!view.dom.contains(element) || !view.dom.contains(page.activeElement)) return;
  if (element?.closest(".ProseMirror-widget")) return;
  const position = view.posAtDOM(node, offset);
  const { point, proposal } = behind(view, position);
  if (selection.isCollapsed) {
    const isHidden = element?.closest(HIDDEN);
    const isBehind = isHidden || (proposal && range.comparePoint(proposal, 0) < 0);
    if (!isBehind || reviewState(view.state)?.view !== "final") return;
    const { parentOffset, parent } = view.state.doc.resolve(position);
    const isTypable = proposal?.querySelector(".copydesk-typable[contenteditable=true]");
    if (isTypable && parentOffset === parent.content.size) proposal?.focus();
    else if (isHidden) selection.collapse(...point);
    return;
  }
  if (!proposal || (point[0] === node && point[1] === offset)) return;
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  if (anchorNode === node && anchorOffset === offset) selection.setBaseAndExtent(...point, focusNode!, focusOffset);
  else selection.setBaseAndExtent(anchorNode!, anchorOffset, ...point);
  // The browser gives the focus to a proposal at the start.
  if (!view.hasFocus()) view.dom.focus({ preventScroll: true });
}

/** Returns the last inline proposal at a position, and the point of the page behind it or, without one, behind hidden text. */
function behind(view: EditorView, position: number): { point: [Node, number]; proposal: HTMLElement | undefined } {
  const { node, offset } = view.domAtPos(position, 1);
  let [end, next] = [offset, node.childNodes[offset] as Node | null | undefined];
  let proposal: HTMLElement | undefined;
  for (; next instanceof HTMLElement && next.matches(INLINE); next = node.childNodes[++end]) proposal = next;
  while (next instanceof HTMLElement && next.isContentEditable && !next.matches(HIDDEN)) next = next.firstChild;
  return { point: next instanceof Text ? [next, 0] : [node, end], proposal };
}
