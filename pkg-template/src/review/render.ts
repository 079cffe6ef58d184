/** Containers for the elements of proposals. */

import type { Node as DocumentNode } from "@tiptap/pm/model";

/** Elements that only certain parents may contain; all others can be in a `div`. */
const BOUND = /^(?:li|tr|td|th|tbody|thead|tfoot|caption|colgroup|dt|dd|summary|figcaption)$/;

/** Returns whether elements cannot be put into a `div` of their own. */
export function isBound(elements: readonly HTMLElement[]): boolean {
  return elements.some((element) => BOUND.test(element.localName));
}

/** Returns true if a node is drawn as such an element. */
export function isBoundTag(node: DocumentNode | null): boolean {
  return BOUND.test(tagOf(node));
}

/** Returns the name of the element that a node is drawn as; empty if it is not known. */
export function tagOf(node: DocumentNode | null): string {
  const drawn = node?.type.spec.toDOM?.(node);
  const tag = Array.isArray(drawn) ? drawn[0] : drawn;
  return typeof tag === "string" ? tag : "";
}

export function wrapped(tag: string, children: readonly (Node | string)[], className = ""): HTMLElement {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/** Returns the element in which inline content can be appended: the last cell of a row, the text of a task. */
export function innermost(element: HTMLElement): HTMLElement {
  const last = [...element.querySelectorAll<HTMLElement>("td, th, p, h1, h2, h3, h4, h5, h6, pre")].at(-1);
  return last ?? element;
}
