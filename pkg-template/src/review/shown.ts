/** Makes changes current, shows them, and scrolls to them. */

import type { Editor } from "@tiptap/core";
import type { EditorView } from "@tiptap/pm/view";
import type { Hunk, ReviewView } from "../types/index.js";
import { drawNearby, DRAWN_AT_ONCE } from "./nearby.js";
import { hunksNow, reviewKey, reviewState, type ReviewChange } from "./state.js";

/** Shows another version of the document. */
export function setView(view: EditorView, to: ReviewView): void {
  if (reviewState(view.state)?.view !== to) send(view, { view: to });
}

/** Makes a hunk the current one. */
export function choose(view: EditorView, id: string | null): void {
  const shown = reviewState(view.state);
  if (shown?.current !== id || shown.byCursor) send(view, { current: id });
}

/** Scrolls to a hunk, which may not be drawn. */
export function scrollToHunk(view: EditorView, id: string): void {
  const shown = reviewState(view.state);
  const find = () =>
    view.dom.querySelector(`[data-copydesk-hunk="${CSS.escape(id)}"]`) ??
    blockOf(view, shown && hunksNow(shown).find((hunk) => hunk.id === id));
  const scroll = (behavior: ScrollBehavior) => {
    const element = find();
    element?.scrollIntoView({
      block: element.getBoundingClientRect().height > innerHeight / 2 ? "start" : "center",
      behavior,
    });
  };
  const isFar = Math.abs(find()?.getBoundingClientRect().top ?? 0) > 2 * innerHeight;
  if (isFar && shown && shown.hunks.length > DRAWN_AT_ONCE) {
    // Drawing the hunks around it moves it.
    scroll("instant");
    drawNearby(view);
    scroll("instant");
  } else scroll(matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth");
}

/** Returns the element at the start of a hunk. */
function blockOf(view: EditorView, hunk: Hunk | undefined): Element | null {
  if (!hunk) return null;
  const { node, offset } = view.domAtPos(hunk.from);
  const found = node.childNodes[offset] ?? node;
  return found instanceof Element ? found : found.parentElement;
}

/** Changes the state of the review. */
export function send(view: EditorView, change: ReviewChange): void {
  view.dispatch(view.state.tr.setMeta(reviewKey, change).setMeta("addToHistory", false));
}

/** Makes a hunk the current one, scrolls to it, and gives the focus to its first button, or to the text if it has none. */
export function focusHunk({ view }: Editor, id: string): void {
  setView(view, "marked");
  choose(view, id);
  scrollToHunk(view, id);
  const button = `[data-copydesk-hunk="${CSS.escape(id)}"] .copydesk-controls button`;
  (view.dom.querySelector<HTMLElement>(button) ?? view.dom).focus({ preventScroll: true });
}
