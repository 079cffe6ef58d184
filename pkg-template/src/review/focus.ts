/** The focus of the page, and the text fields that have it. */

import type { EditorView } from "@tiptap/pm/view";

const FIELD =
  "textarea, select, input:not([type=button], [type=checkbox], [type=radio], [type=submit], [type=reset], [type=range])";

/** Returns the text field that an element is or is part of. */
export function fieldOf(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>(`${FIELD}, [contenteditable]:not([contenteditable=false])`);
}

/** Returns the text of a field. */
export function textOf(field: HTMLElement): string {
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field.value;
  return field instanceof HTMLSelectElement ? "" : field.textContent;
}

/** Returns the element with the focus, also in shadow trees. */
function focusedIn({ activeElement }: Document): Element | null {
  let focused = activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}

/**
 * Gives the focus to the editor after a decision by a pointer, so that Ctrl+Z takes the decision back. Does nothing if a field
 * with text has the focus, or after a tap, which would open the keyboard of the device.
 */
export function returnFocus(view: EditorView, event: MouseEvent): void {
  const focused = focusedIn(view.dom.ownerDocument);
  const field = focused && fieldOf(focused);
  const isTap = (event as PointerEvent).pointerType === "touch";
  if (!view.editable || isTap || view.dom.contains(focused) || (field && textOf(field))) return;
  view.focus();
}
