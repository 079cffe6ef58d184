/**
 * The plugin that shows pending hunks. They are decorations and not part of the document.
 *
 * Invariant: a key beside hunks does nothing for each pending hunk, only for those that are drawn. The state keeps the
 * positions of the others as they were read, with the list of the changes since then; who needs them calls `hunksNow`.
 * `nearby.ts` says which are drawn.
 */

import { Plugin, TextSelection, type EditorState, type Transaction } from "@tiptap/pm/state";
import { Mapping, StepMap, type Mappable } from "@tiptap/pm/transform";
import type { EditorView } from "@tiptap/pm/view";
import { takeProposed } from "../document/binding.js";
import type { Document } from "../document/document.js";
import type { Hunk, ReviewView } from "../types/index.js";
import { announcer } from "./announcer.js";
import { followButtonKeys } from "./button-keys.js";
import type { Act } from "./controls.js";
import { copyShown, type CopyListener } from "./copy.js";
import { decorate } from "./decorations.js";
import { guardHidden, hidesTyped } from "./hidden.js";
import { chosen, drawNearby, followView, ranges } from "./nearby.js";
import { notices, noticesOf } from "./notice.js";
import { settle } from "./page-selection.js";
import { setTypable, type ContentRange } from "./proposed-text.js";
import { choose, send } from "./shown.js";
import { followKeys, heldDown, type Shortcuts } from "./shortcuts.js";
import {
  carried,
  entered,
  hunksNow,
  isAt,
  isMarked,
  isPending,
  placed,
  reviewKey,
  reviewState,
  type Drawn,
  type ReviewChange,
  type ReviewState,
} from "./state.js";
import { acceptFormatted, followTyping, typeBesideHunks } from "./typing.js";
import { reviewWords } from "./words.js";

export interface ReviewOptions {
  /** The language tag; undefined for the page's. */
  locale: string | undefined;
  /** Called when a button of a hunk was pressed. */
  act: Act;
  /** Returns true if the user may decide a hunk. */
  mayDecide: (id: string) => boolean;
  /** Returns true if the editor can be edited. */
  isEditable: () => boolean;
  /** Keys that work outside the editor as well. */
  shortcuts: Shortcuts;
  /** The keys of them that decide. */
  deciding: readonly string[];
  /** Accepts a hunk, selects a range of its content in the document, and does something there; false if it cannot. */
  enter: (hunk: string, range: ContentRange, run: () => void) => boolean;
  /** Called when the document has changed and the hunks have to be read again. */
  changed: () => void;
  /** The view at first. */
  view: ReviewView;
}

export function reviewPlugin({
  locale,
  act,
  mayDecide,
  isEditable,
  shortcuts,
  deciding,
  enter,
  changed,
  view: first,
}: ReviewOptions): Plugin<ReviewState> {
  let drawings = 0;
  /** True while a button of the mouse is down in the text. */
  let isPressed = false;
  const isSelecting = () => isPressed || document.getSelection()?.isCollapsed === false;
  const hidden = guardHidden((view) => toldBy(view, locale).onHidden());
  const isHeld = heldDown(deciding);
  const accept = (view: EditorView, event: Event) => acceptFormatted(view, event, { enter, mayDecide });
  /** Draws hunks with current positions. */
  const draw = (
    { doc }: EditorState,
    hunks: readonly Hunk[],
    to: Pick<ReviewState, "revision" | "current" | "byCursor" | "span" | "view">,
  ): ReviewState => {
    const words = reviewWords(locale);
    const current = hunks.some(({ id }) => id === to.current) ? to.current : null;
    const drawn = chosen(hunks, current, to.span);
    return {
      ...to,
      hunks,
      moved: null,
      current,
      drawn,
      words,
      drawing: drawings++,
      isMisplaced: false,
      decorations: decorate(doc, drawn.hunks, current, {
        words,
        act,
        mayDecide,
        isEditable,
        isSelecting,
        view: to.view,
      }),
    };
  };
  return new Plugin<ReviewState>({
    key: reviewKey,
    state: {
      init: (_, state) => draw(state, [], { revision: 0, current: null, byCursor: false, span: null, view: first }),
      apply(tr, before, _old, state) {
        const change = tr.getMeta(reviewKey) as ReviewChange | undefined;
        const mapping = tr.docChanged ? mappingOf(tr) : tr.mapping;
        const moved = tr.docChanged ? { mapping, before: before.moved } : before.moved;
        const span =
          before.span && tr.docChanged
            ? { from: mapping.map(before.span.from, -1), to: mapping.map(before.span.to, 1) }
            : before.span;
        if (change) {
          const {
            hunks = hunksNow({ ...before, moved }),
            revision = before.revision,
            current = before.current,
            view = before.view,
          } = change;
          // The cursor of the review before does not matter to the next one.
          const isOver = before.hunks.length > 0 && !hunks.length;
          const byCursor = before.byCursor && !change.current && !isOver;
          return draw(state, hunks, { revision, current, byCursor, span: change.span ?? span, view });
        }
        const byCursor = before.byCursor || tr.selectionSet;
        if (!before.hunks.length) return byCursor === before.byCursor ? before : { ...before, byCursor };
        if (tr.docChanged) {
          let isMisplaced = before.isMisplaced || isInsertedAtEnd(before.drawn.hunks, mapping);
          const decorations = before.decorations.map(mapping, tr.doc, { onRemove: () => (isMisplaced = true) });
          const drawn = { ...before.drawn, hunks: carried(before.drawn.hunks, mapping) };
          return { ...before, byCursor, moved, span, drawn, decorations, isMisplaced };
        }
        const hunk = tr.selectionSet && before.view === "marked" ? entered(tr, before) : undefined;
        if (hunk !== undefined) return draw(state, hunksNow(before), { ...before, current: hunk, byCursor: false });
        return byCursor === before.byCursor ? before : { ...before, byCursor };
      },
    },
    props: {
      decorations: (state) => reviewState(state)?.decorations,
      handleDOMEvents: {
        copy: (view, event) => copyShown(view, event, toldBy(view, locale)),
        cut(view, event) {
          accept(view, event);
          return copyShown(view, event, toldBy(view, locale));
        },
        beforeinput(view, event) {
          if (isPending(view.state)) readSelection(view);
          return accept(view, event) || hidden.input(view, event) || typeBesideHunks(view, event);
        },
        keypress: accept,
        compositionstart: accept,
        drop: accept,
        paste(view, event) {
          accept(view, event);
          return hidden.input(view, event);
        },
        keydown(view, event) {
          if (isPending(view.state) && isHeld(view, event)) return true;
          accept(view, event);
          return hidden.keydown(view, event);
        },
        mousedown() {
          isPressed = true;
          return false;
        },
        click(view, { target }) {
          const id = hunkAt(target);
          if (isPending(view.state) && view.hasFocus()) {
            readSelection(view);
            // Draws the caret where its text will be.
            view.focus();
          }
          if (!isMarked(view.state) || id === undefined || closest(target, ".copydesk-controls")) return false;
          readSelection(view);
          choose(view, id);
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
        compositionend(view) {
          // Redrawing a hunk during an IME composition would end it. It has ended when the editor has read it.
          setTimeout(() => {
            changed();
            drawNearby(view);
          }, 60);
          return false;
        },
      },
    },
    view(view) {
      const say = announcer(view);
      const endButtonKeys = followButtonKeys(view);
      const endKeys = followKeys(view, shortcuts, isHeld);
      const sight = followView(view, (span) => send(view, { span }));
      const notice = notices(view, locale);
      const refuse = (id: string) => {
        const hunk = reviewState(view.state)?.hunks.find((one) => one.id === id);
        const { notInConflict, notInDeletion, notInProposal } = reviewWords(locale);
        const text = hunk?.conflict ? notInConflict : hunk?.content.length ? notInProposal : notInDeletion;
        if (hunk && view.editable) notice.show(text, { holds: () => isPending(view.state, id) });
      };
      const endTyping = followTyping(view, { enter, refuse });
      const page = view.dom.ownerDocument;
      const listening = new AbortController();
      for (const name of ["mouseup", "dragend", "drop"])
        page.addEventListener(name, () => (isPressed = false), { capture: true, signal: listening.signal });
      const settleSelection = () => isPressed || settle(view);
      page.addEventListener("selectionchange", settleSelection, { capture: true, signal: listening.signal });
      let wasEditable = true;
      return {
        update(_, before) {
          const [was, now] = [reviewState(before), reviewState(view.state)];
          const isOtherLanguage = now !== undefined && now.hunks.length > 0 && now.words !== reviewWords(locale);
          if ((before.doc !== view.state.doc && !view.composing) || isOtherLanguage) changed();
          if (wasEditable !== view.editable || was?.drawing !== now?.drawing) setTypable(view);
          // The buttons of the hunks and the toolbar are drawn again, by a transaction: TipTap tells of no change of this.
          if (wasEditable !== view.editable && now?.hunks.length)
            queueMicrotask(() => view.isDestroyed || send(view, {}));
          wasEditable = view.editable;
          const isOtherReview = was?.hunks !== now?.hunks || was?.view !== now?.view;
          if (before.doc !== view.state.doc || isOtherReview) notice.changed();
          settleSelection();
          if (!was || !now || was === now) return;
          // Mapped widgets show it already, except those that the editor has redrawn beside the cursor.
          if (was.drawing === now.drawing) markAgain(view, now);
          else showCurrent(view, now);
          if (was.hunks !== now.hunks) sight.look();
          say.follow(was, now);
        },
        destroy() {
          say.remove();
          notice.remove();
          endTyping();
          listening.abort();
          endButtonKeys();
          endKeys();
          sight.end();
        },
      };
    },
  });
}

/** Returns the mapping of a transaction. TipTap's collaboration replaces the whole document for each change of another
 * participant: then the mapping covers only the range that differs. */
function mappingOf(tr: Transaction): Mapping {
  if ((tr.getMeta("y-sync$") as { isChangeOrigin?: boolean } | undefined)?.isChangeOrigin !== true) return tr.mapping;
  const [before, after] = [tr.before.content, tr.doc.content];
  const start = before.findDiffStart(after);
  const ends = start === null ? null : before.findDiffEnd(after);
  if (start === null || !ends) return new Mapping();
  // With repeated characters the two ends may overlap.
  const overlap = Math.max(0, start - Math.min(ends.a, ends.b));
  return new Mapping([new StepMap([start, ends.a + overlap - start, ends.b + overlap - start])]);
}

/**
 * Shows the current hunks if they have changed: `hunks`, if the caller has read them. While the user types beside them,
 * only the positions of those that are drawn are read.
 */
export function refresh(
  view: EditorView,
  document: Document,
  locale: string | undefined,
  current?: string | null,
  read?: readonly Hunk[],
): void {
  const shown = reviewState(view.state);
  if (!shown) return;
  const revision = document.hunkPlaces(0, 0)[0] ?? 0;
  const isProposal = takeProposed(document);
  const kept = current === undefined || current === shown.current;
  const isSame = kept && shown.words === reviewWords(locale);
  let { hunks } = shown;
  if (shown.revision !== revision) hunks = read ?? document.hunks();
  else if (isSame && !shown.isMisplaced && isPlaced(document, shown.drawn)) return;
  else hunks = placed(hunks, document.hunkPlaces());
  if (isSame && !hunks.length && !shown.hunks.length) return;
  const isMarkedAgain =
    shown.view !== "marked" &&
    ((isProposal && hasNew(shown.hunks, hunks)) ||
      (shown.view === "final" && hidesTyped(view.state, shown.hunks, hunks)));
  send(view, {
    hunks,
    revision,
    ...(current === undefined ? {} : { current }),
    ...(isMarkedAgain ? { view: "marked" } : {}),
  });
  if (isMarkedAgain)
    noticesOf(view)?.show(reviewWords(locale).markedAgain, {
      holds: () => isMarked(view.state) && isPending(view.state),
    });
}

/** Returns true if hunks are pending that were not before. */
function hasNew(before: readonly Hunk[], now: readonly Hunk[]): boolean {
  const known = new Set(before.map(({ id }) => id));
  return now.some(({ id }) => !known.has(id));
}

/** Returns true if a change inserts text between the old text of a hunk and its widget, which is behind that text. */
function isInsertedAtEnd(hunks: readonly Hunk[], mapping: Mappable): boolean {
  return hunks.some(({ from, to }) => from < to && mapping.map(to, -1) < mapping.map(to, 1));
}

/** Returns whether the drawn hunks are where the document has them. */
function isPlaced(document: Document, { indexes, hunks }: Drawn): boolean {
  let at = 0;
  return ranges(indexes).every(([start, end]) =>
    isAt(hunks.slice(at, (at += end - start)), document.hunkPlaces(start, end)),
  );
}

/**
 * Takes over the selection of the page. The editor reads it after the click, when drawing the hunk again would already
 * have put the old selection back.
 */
function readSelection(view: EditorView): void {
  const selection = view.dom.ownerDocument.getSelection();
  const isInText = (node: globalThis.Node | null | undefined): node is globalThis.Node =>
    node != null && view.dom.contains(node) && !closest(node.parentElement, ".ProseMirror-widget");
  if (!view.hasFocus() || !isInText(selection?.anchorNode) || !isInText(selection.focusNode)) return;
  const [anchor, head] = [
    view.posAtDOM(selection.anchorNode, selection.anchorOffset),
    view.posAtDOM(selection.focusNode, selection.focusOffset),
  ];
  const { doc, tr, selection: before } = view.state;
  // Of a selected node or cells the page shows no text selection.
  if (!(before instanceof TextSelection) || (anchor === before.anchor && head === before.head)) return;
  view.dispatch(tr.setSelection(TextSelection.between(doc.resolve(anchor), doc.resolve(head))));
}

/** Returns the notices of a copy or cut. */
function toldBy(view: EditorView, locale: string | undefined): CopyListener {
  const { cut, hidden } = reviewWords(locale);
  return {
    onCut: (count) => noticesOf(view)?.show(cut(count)),
    onHidden: () => noticesOf(view)?.show(hidden, { holds: () => !isMarked(view.state) && isPending(view.state) }),
  };
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
function showCurrent(view: EditorView, { drawn, current }: ReviewState): void {
  mark(view, "copydesk-current", current);
  const reachable = current ?? drawn.hunks[0]?.id;
  for (const group of view.dom.querySelectorAll<HTMLElement>(".copydesk-controls")) {
    const id = hunkAt(group);
    for (const button of group.querySelectorAll("button")) {
      button.tabIndex = id === reachable ? 0 : -1;
      // Widgets are reused when the editor becomes read-only.
      button.disabled = !view.editable;
    }
  }
}

/** Updates the widgets of the current hunk. */
function markAgain(view: EditorView, { current }: ReviewState): void {
  if (current === null) return;
  for (const widget of view.dom.querySelectorAll<HTMLElement>(
    `.ProseMirror-widget[data-copydesk-hunk="${CSS.escape(current)}"]`,
  )) {
    widget.classList.add("copydesk-current");
    for (const button of widget.querySelectorAll<HTMLElement>(".copydesk-controls button")) button.tabIndex = 0;
  }
}
