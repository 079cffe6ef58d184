/**
 * Proposals as DOM. They are rendered with the editor's own schema, so nothing gets into the page that could not stand in
 * the document, and they are dead: not to be edited, copied, followed or ticked.
 */

import { DOMSerializer, Fragment, type Schema } from "@tiptap/pm/model";
import type { NodeJSON } from "../types.js";

/** Elements that only certain parents may hold; all others can stand in a `div`. */
const BOUND = /^(?:li|tr|td|th|tbody|thead|tfoot|caption|colgroup|dt|dd|summary|figcaption)$/;

/** The content as elements; text is in a `span`. */
export function render(schema: Schema, content: Fragment): HTMLElement[] {
  const rendered = DOMSerializer.fromSchema(schema).serializeFragment(content);
  const elements = [...rendered.childNodes].map((node) => (node instanceof HTMLElement ? node : wrapped("span", [node])));
  elements.forEach(deaden);
  return elements;
}

export function fragment(schema: Schema, content: readonly NodeJSON[]): Fragment {
  return Fragment.fromJSON(schema, content);
}

/** Whether elements are such that they cannot be put into a `div` of their own. */
export function isBound(elements: readonly HTMLElement[]): boolean {
  return elements.some((element) => BOUND.test(element.localName));
}

export function wrapped(tag: string, children: readonly (Node | string)[], className = ""): HTMLElement {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/** The element in which a line of text could be put at the end: the last cell of a row, the text of a task. */
export function innermost(element: HTMLElement): HTMLElement {
  const last = [...element.querySelectorAll<HTMLElement>("td, th, p, h1, h2, h3, h4, h5, h6, pre")].at(-1);
  return last ?? element;
}

/** Takes what a proposal must not have: controls, links that lead away, a part in selections and copies. */
export function deaden(element: HTMLElement): void {
  element.style.setProperty("user-select", "none");
  element.style.setProperty("-webkit-user-select", "none");
  for (const one of [element, ...element.querySelectorAll<HTMLElement>("*")]) {
    if (/^(?:input|button|select|textarea)$/.test(one.localName)) (one as HTMLInputElement).disabled = true;
    if (/^(?:a|area|iframe|video|audio|summary)$/.test(one.localName)) one.tabIndex = -1;
    if (/^(?:a|img)$/.test(one.localName)) one.draggable = false;
    one.removeAttribute("contenteditable");
    one.removeAttribute("id");
  }
}
