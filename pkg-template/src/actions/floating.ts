/** Elements that float beside a place in the text. */

import type { EditorView } from "@tiptap/pm/view";

const GAP = 8;

/** The edges of a place in the window. */
export interface Place {
  left: number;
  top: number;
  bottom: number;
}

/** Returns the place of a range, for what is below its last line. Null if the editor has not drawn it. */
export function placeOf(view: EditorView, from: number, to: number): Place | null {
  try {
    const [start, end] = [view.coordsAtPos(from, 1), view.coordsAtPos(to, from === to ? 1 : -1)];
    const left = end.top > start.top ? view.dom.getBoundingClientRect().left : start.left;
    return { left, top: start.top, bottom: end.bottom };
  } catch {
    return null;
  }
}

/** Returns the place of a range of the page. */
export function placeOfRange(range: AbstractRange): Place {
  const live = document.createRange();
  live.setStart(range.startContainer, range.startOffset);
  live.setEnd(range.endContainer, range.endOffset);
  return live.getBoundingClientRect();
}

/**
 * Puts an element below a place, inside of the window: what is above has just been read. Where there is no room it is
 * above, and if neither side has room it covers the place.
 */
export function float(element: HTMLElement, { left, top, bottom }: Place): void {
  Object.assign(element.style, { position: "fixed", left: "0", top: "0" });
  const { width, height } = element.getBoundingClientRect();
  const [over, under] = [top - GAP - height, bottom + GAP];
  const y = under + height <= innerHeight - GAP || over < GAP ? under : over;
  const inside = (at: number, size: number, most: number) => Math.max(GAP, Math.min(at, most - size - GAP));
  // An ancestor with a transform is what `fixed` refers to.
  const at = element.getBoundingClientRect();
  element.style.left = `${inside(left, width, document.documentElement.clientWidth) - at.left}px`;
  element.style.top = `${inside(y, height, innerHeight) - at.top}px`;
}

/** Calls `draw` when the page was scrolled or resized, until the returned function is called. */
export function onMove(draw: () => void): () => void {
  let frame = 0;
  const soon = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      draw();
    });
  };
  addEventListener("scroll", soon, { capture: true, passive: true });
  addEventListener("resize", soon);
  return () => {
    cancelAnimationFrame(frame);
    removeEventListener("scroll", soon, { capture: true });
    removeEventListener("resize", soon);
  };
}

/** Creates an element with classes of this package, which are its parts as well, attributes and children. */
export function made<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  element.setAttribute("part", className.replace(/copydesk-/g, ""));
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
