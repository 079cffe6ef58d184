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

/** A rectangle of the window. */
type Box = Pick<DOMRect, "left" | "top" | "right" | "bottom">;

/**
 * Puts an element below a place, inside of the window: what is above has just been read. Where there is no room it is
 * above, and if neither side has room it covers the place. It covers nothing of `avoided` if a side has room without:
 * then it is moved along the lines, or beyond what it would cover.
 */
export function float(element: HTMLElement, { left, top, bottom }: Place, avoided: readonly Box[] = []): void {
  Object.assign(element.style, { position: "fixed", left: "0", top: "0" });
  const { width, height } = element.getBoundingClientRect();
  const most = document.documentElement.clientWidth;
  const inside = (at: number, size: number, most: number) => Math.max(GAP, Math.min(at, most - size - GAP));
  const fits = (at: number, size: number, most: number) => at >= GAP && at + size <= most - GAP;
  const covered = (x: number, y: number) =>
    avoided.filter((box) => box.left < x + width && box.right > x && box.top < y + height && box.bottom > y);
  const [over, under] = [top - GAP - height, bottom + GAP];
  const first = inside(left, width, most);
  const [below, above] = [covered(first, under), covered(first, over)];
  /** The positions at the height `y` that are beside what is covered there. */
  const beside = (y: number, boxes: readonly Box[]) =>
    boxes.flatMap((box): [number, number][] => [
      [box.left - GAP - width, y],
      [box.right + GAP, y],
    ]);
  const candidates: [number, number][] = [
    [first, under],
    [first, over],
    ...beside(under, below),
    ...beside(over, above),
    ...below.map(({ bottom }): [number, number] => [first, bottom + GAP]),
    ...above.map(({ top }): [number, number] => [first, top - GAP - height]),
  ];
  const free = candidates.find(
    ([x, y]) => fits(x, width, most) && fits(y, height, innerHeight) && !covered(x, y).length,
  );
  const [x, y] = free ?? [first, fits(under, height, innerHeight) || over < GAP ? under : over];
  // An ancestor with a transform is what `fixed` refers to.
  const at = element.getBoundingClientRect();
  element.style.left = `${inside(x, width, most) - at.left}px`;
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
