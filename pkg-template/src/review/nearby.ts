/**
 * The choice of the hunks that are drawn. Up to `DRAWN_AT_ONCE` pending hunks are all drawn. Of more, those are drawn that
 * are in view or less than two screens away, and the current one; so a key costs the same with many as with few.
 *
 * A hunk that is not drawn is not in the page: the browser's search does not find its text. Before printing, all hunks
 * are drawn.
 */

import type { EditorView } from "@tiptap/pm/view";
import type { Hunk } from "../types/index.js";
import { hunksNow, reviewState, type Drawn, type Span } from "./state.js";

export const DRAWN_AT_ONCE = 100;
/** Distances from the view, in screens: what is nearer than the first has to be drawn, up to the second it is drawn as
 * well, so that not every scrolling redraws. */
const NEEDED = 0.5;
const PREPARED = 1.5;
const EVERYTHING: Span = { from: 0, to: Infinity };

/** Returns the hunks to draw; `span` is the part of the document around the view. */
export function chosen(hunks: readonly Hunk[], current: string | null, span: Span | null): Drawn {
  const isDrawn = ({ from, to, id }: Hunk) => id === current || (span !== null && to >= span.from && from <= span.to);
  const all = [...hunks.keys()];
  const indexes = hunks.length <= DRAWN_AT_ONCE ? all : all.filter((index) => isDrawn(hunks[index]!));
  return { indexes, hunks: indexes.map((index) => hunks[index]!) };
}

/** Returns a list of numbers in growing order as ranges. */
export function ranges(indexes: readonly number[]): [start: number, end: number][] {
  const found: [number, number][] = [];
  for (const index of indexes) {
    const last = found.at(-1);
    if (last?.[1] === index) last[1]++;
    else found.push([index, index + 1]);
  }
  return found;
}

const looks = new WeakMap<EditorView, () => void>();

/** Draws the hunks near the view now, rather than in the next frame. */
export function drawNearby(view: EditorView): void {
  looks.get(view)?.();
}

/**
 * Calls `onSpan` with the part of the document around the view whenever hunks in it are not drawn. Returns functions that
 * look again, and that end this.
 */
export function followView(view: EditorView, onSpan: (span: Span) => void): { look(): void; end(): void } {
  const page = view.dom.ownerDocument;
  const window = page.defaultView;
  let frame = 0;
  const look = () => {
    if (frame) window?.cancelAnimationFrame(frame);
    frame = 0;
    const shown = view.isDestroyed ? undefined : reviewState(view.state);
    // Drawing during an IME composition could end it.
    if (!shown || shown.hunks.length <= DRAWN_AT_ONCE || view.composing) return;
    const hunks = hunksNow(shown);
    const [start, end] = near(view, hunks, NEEDED);
    const drawn = new Set(shown.drawn.indexes);
    let isDrawn = shown.span !== null;
    for (let index = start; index < end && isDrawn; index++) isDrawn = drawn.has(index);
    if (isDrawn) return;
    const [first, last] = near(view, hunks, PREPARED);
    onSpan(first < last ? { from: hunks[first]!.from, to: hunks[last - 1]!.to } : { from: -1, to: -1 });
  };
  looks.set(view, look);
  const schedule = () => {
    if (!frame && (reviewState(view.state)?.hunks.length ?? 0) > DRAWN_AT_ONCE)
      frame = window?.requestAnimationFrame?.(look) ?? 0;
  };
  const onScroll = ({ target }: Event) => {
    if ((target as Node).contains(view.dom)) schedule();
  };
  const beforePrint = () => {
    if ((reviewState(view.state)?.hunks.length ?? 0) > DRAWN_AT_ONCE) onSpan(EVERYTHING);
  };
  const afterPrint = () => {
    if (reviewState(view.state)?.span === EVERYTHING) onSpan({ from: -1, to: -1 });
    schedule();
  };
  const observer = typeof ResizeObserver === "function" ? new ResizeObserver(schedule) : undefined;
  observer?.observe(view.dom);
  page.addEventListener("scroll", onScroll, { capture: true, passive: true });
  window?.addEventListener("resize", schedule);
  window?.addEventListener("beforeprint", beforePrint);
  window?.addEventListener("afterprint", afterPrint);
  return {
    look: schedule,
    end() {
      if (frame) window?.cancelAnimationFrame(frame);
      observer?.disconnect();
      page.removeEventListener("scroll", onScroll, { capture: true });
      window?.removeEventListener("resize", schedule);
      window?.removeEventListener("beforeprint", beforePrint);
      window?.removeEventListener("afterprint", afterPrint);
    },
  };
}

/** Returns the range of the hunks that are less than some screens away from the view; all where nothing is laid out. */
function near(view: EditorView, hunks: readonly Hunk[], screens: number): [start: number, end: number] {
  if (view.dom.getClientRects().length === 0) return [0, hunks.length];
  const { innerHeight } = view.dom.ownerDocument.defaultView!;
  const [top, bottom] = [-screens * innerHeight, (1 + screens) * innerHeight];
  const widgets = new Map<string | undefined, HTMLElement>();
  for (const widget of view.dom.querySelectorAll<HTMLElement>(".ProseMirror-widget[data-copydesk-hunk]"))
    widgets.set(widget.dataset.copydeskHunk, widget);
  // A proposal may reach far below its position.
  const bottomOf = ({ id, to }: Hunk) =>
    Math.max(view.coordsAtPos(to).bottom, widgets.get(id)?.getBoundingClientRect().bottom ?? -Infinity);
  const start = firstOf(hunks, (hunk) => bottomOf(hunk) >= top);
  return [start, firstOf(hunks, ({ from }) => view.coordsAtPos(from).top > bottom, start)];
}

/** Returns the index of the first hunk from `start` that meets a condition, which all after it meet too. */
function firstOf(hunks: readonly Hunk[], meets: (hunk: Hunk) => boolean, start = 0): number {
  let end = hunks.length;
  while (start < end) {
    const middle = (start + end) >> 1;
    if (meets(hunks[middle]!)) end = middle;
    else start = middle + 1;
  }
  return start;
}
