/** The plugin that shows pending hunks. They are decorations and not part of the document. */

import { Plugin, type EditorState } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import type { Document } from "../document.js";
import type { Hunk } from "../types.js";
import { announcer } from "./announcer.js";
import type { Act } from "./controls.js";
import { decorate } from "./decorations.js";
import { followKeys, type Shortcuts } from "./shortcuts.js";
import { carried, entered, isAt, placed, reviewKey, reviewState, type ReviewChange, type ReviewState } from "./state.js";
import { reviewWords } from "./words.js";

export interface ReviewOptions {
  /** The language tag; undefined for the page's. */
  locale: string | undefined;
  /** Called when a button of a hunk was pressed. */
  act: Act;
  /** Keys that work outside the editor as well. */
  shortcuts: Shortcuts;
  /** Called when the document has changed and the hunks have to be read again. */
  changed: () => void;
}

export function reviewPlugin({ locale, act, shortcuts, changed }: ReviewOptions): Plugin<ReviewState> {
  let drawings = 0;
  const draw = ({ doc }: EditorState, hunks: readonly Hunk[], revision: number, current: string | null, byCursor: boolean): ReviewState => {
    const words = reviewWords(locale);
    const kept = hunks.some(({ id }) => id === current) ? current : null;
    return { hunks, revision, current: kept, byCursor, words, drawn: drawings++, decorations: decorate(doc, hunks, kept, { words, act }) };
  };
  return new Plugin<ReviewState>({
    key: reviewKey,
    state: {
      init: (_, state) => draw(state, [], 0, null, false),
      apply(tr, before, _old, state) {
        const change = tr.getMeta(reviewKey) as ReviewChange | undefined;
        if (change) {
          const { hunks = before.hunks, revision = before.revision, current = before.current } = change;
          // The cursor of the review before does not matter to the next one.
          const isOver = before.hunks.length > 0 && !hunks.length;
          return draw(state, hunks, revision, current, before.byCursor && !change.current && !isOver);
        }
        const byCursor = before.byCursor || tr.selectionSet;
        if (!before.hunks.length) return byCursor === before.byCursor ? before : { ...before, byCursor };
        if (tr.docChanged) return { ...before, byCursor, hunks: carried(before.hunks, tr), decorations: before.decorations.map(tr.mapping, tr.doc) };
        const hunk = tr.selectionSet ? entered(tr, before) : undefined;
        if (hunk !== undefined) return draw(state, before.hunks, before.revision, hunk, false);
        return byCursor === before.byCursor ? before : { ...before, byCursor };
      },
    },
    props: {
      decorations: (state) => reviewState(state)?.decorations,
      handleDOMEvents: {
        click(view, { target }) {
          const id = hunkAt(target);
          if (id !== undefined && !closest(target, ".copydesk-controls")) choose(view, id);
          return false;
        },
        focusin(view, { target }) {
          const id = hunkAt(target);
          if (id !== undefined && closest(target, ".copydesk-controls")) choose(view, id);
          return false;
        },
        mouseover(view, { target }) {
          mark(view, "copydesk-hover", hunkAt(target) ?? null);
          return false;
        },
        mouseleave(view) {
          mark(view, "copydesk-hover", null);
          return false;
        },
        compositionend() {
          // Redrawing a hunk during an IME composition would end it. It has ended when the editor has read it.
          setTimeout(changed, 60);
          return false;
        },
      },
    },
    view(view) {
      const say = announcer(view);
      const endKeys = followKeys(view, shortcuts);
      return {
        update(_, before) {
          const [was, now] = [reviewState(before), reviewState(view.state)];
          const isOtherLanguage = now !== undefined && now.hunks.length > 0 && now.words !== reviewWords(locale);
          if ((before.doc !== view.state.doc && !view.composing) || isOtherLanguage) changed();
          if (!was || !now || was === now) return;
          // Mapped widgets show it already, except those that the editor has redrawn beside the cursor.
          if (was.drawn === now.drawn) markAgain(view, now);
          else showCurrent(view, now);
          say.follow(was, now);
        },
        destroy() {
          say.remove();
          endKeys();
        },
      };
    },
  });
}

/**
 * Shows the current hunks if they have changed. While the user types beside them, only their positions are read.
 */
export function refresh(view: EditorView, document: Document, locale: string | undefined, current?: string | null): void {
  const shown = reviewState(view.state);
  if (!shown) return;
  const places = document.hunkPlaces();
  const revision = places[0] ?? 0;
  const kept = current === undefined || current === shown.current;
  const isSame = kept && shown.words === reviewWords(locale);
  let { hunks } = shown;
  if (shown.revision !== revision) hunks = document.hunks();
  else if (isSame && isAt(hunks, places)) return;
  else hunks = placed(hunks, places);
  if (isSame && !hunks.length && !shown.hunks.length) return;
  send(view, current === undefined ? { hunks, revision } : { hunks, revision, current });
}

/** Makes a hunk the current one. */
export function choose(view: EditorView, id: string | null): void {
  const shown = reviewState(view.state);
  if (shown?.current !== id || shown.byCursor) send(view, { current: id });
}

export function scrollToHunk(view: EditorView, id: string): void {
  const element = view.dom.querySelector(`[data-copydesk-hunk="${CSS.escape(id)}"]`);
  if (!element) return;
  const quiet = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const block = element.getBoundingClientRect().height > innerHeight / 2 ? "start" : "center";
  element.scrollIntoView({ block, behavior: quiet ? "auto" : "smooth" });
}

function send(view: EditorView, change: ReviewChange): void {
  view.dispatch(view.state.tr.setMeta(reviewKey, change).setMeta("addToHistory", false));
}

function closest(target: EventTarget | null, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null;
}

function hunkAt(target: EventTarget | null): string | undefined {
  return closest(target, "[data-copydesk-hunk]")?.dataset.copydeskHunk;
}

/** Sets a class on the widgets of one hunk only. The editor would redraw its own elements. */
function mark(view: EditorView, name: string, id: string | null): void {
  for (const widget of view.dom.querySelectorAll<HTMLElement>(".ProseMirror-widget[data-copydesk-hunk]")) {
    widget.classList.toggle(name, widget.dataset.copydeskHunk === id);
  }
}

/** Widgets are reused when another hunk becomes the current one; this updates them. */
function showCurrent(view: EditorView, { hunks, current }: ReviewState): void {
  mark(view, "copydesk-current", current);
  const reachable = current ?? hunks[0]?.id;
  for (const group of view.dom.querySelectorAll<HTMLElement>(".copydesk-controls")) {
    const id = hunkAt(group);
    for (const button of group.querySelectorAll("button")) button.tabIndex = id === reachable ? 0 : -1;
  }
}

/** Updates the widgets of the current hunk. */
function markAgain(view: EditorView, { current }: ReviewState): void {
  if (current === null) return;
  for (const widget of view.dom.querySelectorAll<HTMLElement>(`.ProseMirror-widget[data-copydesk-hunk="${CSS.escape(current)}"]`)) {
    widget.classList.add("copydesk-current");
    for (const button of widget.querySelectorAll<HTMLElement>(".copydesk-controls button")) button.tabIndex = 0;
  }
}
