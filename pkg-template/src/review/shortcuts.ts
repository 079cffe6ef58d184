/** The shortcuts of the review while the focus is outside the editor. */

import { keydownHandler } from "@tiptap/pm/keymap";
import type { EditorView } from "@tiptap/pm/view";
import { fieldOf, textOf } from "./focus.js";
import { reviewState } from "./state.js";

/** Keys in ProseMirror's notation, with what they do; it returns false if there is nothing to do. */
export type Shortcuts = Record<string, () => boolean>;

/** Returns a function that prevents the default of a key that decides while it is held down, and returns true: each decision
 * has a press of its own. */
export function heldDown(keys: readonly string[]): (view: EditorView, event: KeyboardEvent) => boolean {
  const isOneOf = keydownHandler(Object.fromEntries(keys.map((key) => [key, () => true])));
  return (view, event) => {
    if (!event.repeat || !isOneOf(view, event)) return false;
    event.preventDefault();
    return true;
  };
}

/** Runs shortcuts wherever the focus is in the page, while changes are pending. Inside the editor its own keymap does.
 * Returns the function that ends this. */
export function followKeys(
  view: EditorView,
  shortcuts: Shortcuts,
  isHeld: (view: EditorView, event: KeyboardEvent) => boolean,
): () => void {
  const { ownerDocument } = view.dom;
  const run = keydownHandler(shortcuts);
  const onKey = (event: KeyboardEvent) => {
    const target = event.composedPath()[0];
    if (event.defaultPrevented || event.isComposing || !(target instanceof Element) || view.dom.contains(target))
      return;
    if (!reviewState(view.state)?.hunks.length || isOutOfReach(view, target) || belongsToField(target, event)) return;
    if (!isHeld(view, event) && run(view, event)) event.preventDefault();
  };
  ownerDocument.addEventListener("keydown", onKey);
  return () => ownerDocument.removeEventListener("keydown", onKey);
}

/** Returns true while a modal dialog is open above the editor, or the editor is inert or read-only: its own keymap does
 * nothing then either. */
function isOutOfReach({ dom, editable }: EditorView, target: Element): boolean {
  return !editable || target.closest("dialog:modal")?.contains(dom) === false || dom.closest("[inert]") !== null;
}

/** Returns true if a key means something in the text field that has the focus: everything without Ctrl or Cmd, and all
 * but the arrows with Alt while it contains text. */
function belongsToField(target: Element, { key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const field = fieldOf(target);
  if (!field) return false;
  if (!ctrlKey && !metaKey) return true;
  return !!textOf(field) && !(altKey && key.startsWith("Arrow"));
}
