/** The keys of the buttons of hunks: Tab reaches those of the current hunk, the arrows lead to the others. */

import type { EditorView } from "@tiptap/pm/view";
import { choose, scrollToHunk } from "./shown.js";
import { hunksNow, neighbour, reviewState } from "./state.js";

const BUTTON = ".copydesk-controls button";

/** Handles the keys of the buttons. Returns the function that ends this. */
export function followButtonKeys(view: EditorView): () => void {
  const onKey = (event: KeyboardEvent) => {
    const { target, key } = event;
    const button = target instanceof Element ? target.closest<HTMLElement>(BUTTON) : null;
    if (!button || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const goal = hunkFrom(view, key);
    if (goal !== undefined) focusSame(view, goal, button);
    else if (key === "ArrowLeft" || key === "ArrowRight") beside(view, button, key)?.focus();
    else return;
    event.preventDefault();
    // Nor does the editor move its cursor.
    event.stopPropagation();
  };
  view.dom.addEventListener("keydown", onKey);
  return () => view.dom.removeEventListener("keydown", onKey);
}

/** Gives the focus to the buttons of the current hunk, if those of another one have it. */
export function followFocus(view: EditorView, id: string): void {
  const { activeElement } = view.root;
  const button = activeElement?.closest<HTMLElement>(BUTTON);
  if (button && view.dom.contains(button)) focusSame(view, id, button);
}

/** Returns the hunk to which a key leads from the current one. */
function hunkFrom(view: EditorView, key: string): string | undefined {
  const shown = reviewState(view.state);
  if (!shown) return undefined;
  if (key === "ArrowDown" || key === "ArrowUp") return neighbour(view.state, key === "ArrowDown" ? 1 : -1)?.id;
  if (key === "Home") return hunksNow(shown)[0]?.id;
  return key === "End" ? hunksNow(shown).at(-1)?.id : undefined;
}

/** Makes a hunk the current one, and focuses its button that does what `before` does, or its first one. */
function focusSame(view: EditorView, id: string, before: HTMLElement): void {
  choose(view, id);
  scrollToHunk(view, id);
  const group = `[data-copydesk-hunk="${CSS.escape(id)}"] .copydesk-controls`;
  const find = (button: string) => view.dom.querySelector<HTMLElement>(`${group} ${button}`);
  (find(`.${before.className}`) ?? find("button"))?.focus({ preventScroll: true });
}

/** Returns the button on the left or the right of a button of the same hunk. */
function beside(view: EditorView, button: HTMLElement, key: "ArrowLeft" | "ArrowRight"): HTMLElement | undefined {
  const all = [...(button.closest(".copydesk-controls")?.querySelectorAll<HTMLElement>("button") ?? [])];
  const isRightToLeft = getComputedStyle(view.dom).direction === "rtl";
  return all[all.indexOf(button) + ((key === "ArrowRight") === isRightToLeft ? -1 : 1)];
}
