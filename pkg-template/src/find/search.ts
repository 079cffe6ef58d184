/** Find and replace in the document that is shown. Replacing leaves pending changes alone: they are decided first. */

import type { Editor } from "@tiptap/core";
import { closeHistory } from "@tiptap/pm/history";
import { TextSelection, type Transaction } from "@tiptap/pm/state";
import { showChange } from "../assistant/changes.js";
import { watchOf } from "../assistant/document-watch.js";
import { scrollerOf } from "../assistant/ranges.js";
import { reviewViewOf } from "../tiptap.js";
import { markMatches } from "./highlight.js";
import { findMatches, type FindQuery, type Match, type TextMatch } from "./matches.js";
import { markProposed } from "./proposed-marks.js";

/** The state of a search, for display. */
export interface Found {
  /** The number of the current match, from 1; 0 if there is none. */
  current: number;
  total: number;
  /** Matches in proposed text. */
  proposed: number;
}

/** The result of a replacement. */
export interface Replaced {
  count: number;
  /** Matches that are in pending changes, which stay. */
  left: number;
}

/** A search in the document of an editor with the extension `FindMarks`. */
export class Find {
  private query: FindQuery | null = null;
  private matches: Match[] = [];
  private current: Match | null = null;
  private listeners = new Set<(found: Found) => void>();
  private unfollow: (() => void) | undefined;
  /** The state of the search. */
  found: Found = { current: 0, total: 0, proposed: 0 };

  constructor(
    readonly editor: Editor,
    onFound?: (found: Found) => void,
  ) {
    if (onFound) this.listeners.add(onFound);
  }

  /** Calls a function with each new state. Returns a function that ends it. */
  subscribe(listener: (found: Found) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Searches again when the document, its pending changes or the view of them change. */
  private follow(): () => void {
    const { editor } = this;
    const again = () => this.query && this.search(this.query);
    let view = reviewViewOf(editor);
    const changed = ({ transaction }: { transaction: Transaction }) => {
      if (view !== reviewViewOf(editor)) {
        view = reviewViewOf(editor);
        again();
      }
      if (!transaction.docChanged || !this.current) return;
      const { from, to } = this.current;
      const { mapping } = transaction;
      this.current = { ...this.current, from: mapping.map(from, 1), to: mapping.map(to, -1) };
    };
    editor.on("transaction", changed);
    const end = watchOf(editor).follow(again);
    return () => {
      editor.off("transaction", changed);
      end();
    };
  }

  /** Searches for a text. The first match from the cursor becomes the current one. */
  search(query: FindQuery): void {
    const { editor } = this;
    const from = this.current?.from ?? editor.state.selection.from;
    const wasAt = this.current;
    this.query = query;
    this.unfollow ??= this.follow();
    this.matches = findMatches(editor, query);
    const same = wasAt && this.matches.find((match) => isSame(match, wasAt));
    this.current = same ?? this.matches.find((match) => match.from >= from) ?? this.matches[0] ?? null;
    this.draw();
  }

  /** Ends the search. The current match stays selected. */
  end(): void {
    this.query = this.current = null;
    this.matches = [];
    this.unfollow?.();
    this.unfollow = undefined;
    this.draw();
  }

  /** Moves to the next match, or the one before. */
  go(step: 1 | -1): void {
    const count = this.matches.length;
    if (!count) return;
    const at = this.current ? this.matches.indexOf(this.current) : step > 0 ? -1 : 0;
    this.current = this.matches[(at + step + count) % count]!;
    this.draw();
    this.show();
  }

  /** Scrolls to the current match, and selects it. */
  show(): void {
    const { editor, current } = this;
    if (!current) return;
    if (current.kind === "proposed") {
      showChange(editor, current.hunk, true);
      return markProposed(editor, this.query, current);
    }
    const { state, view } = editor;
    const selection = TextSelection.create(state.doc, current.from, current.to);
    view.dispatch(state.tr.setSelection(selection).setMeta("addToHistory", false));
    reveal(editor, current);
  }

  /** Replaces the current match and moves to the next one. Returns false if it is in a pending change. */
  replace(text: string): boolean {
    const { current, editor, query } = this;
    if (!current || !query) return true;
    if (current.kind === "proposed" || current.hunk !== null) return false;
    editor.view.dispatch(replacing(editor, [current], text));
    // The next match is searched behind the new text.
    this.current = { ...current, from: current.from + text.length, to: current.from + text.length };
    this.search(query);
    this.show();
    return true;
  }

  /** Replaces all matches in one undo step, except those in pending changes. */
  replaceAll(text: string): Replaced {
    const { editor, query } = this;
    if (!query) return { count: 0, left: 0 };
    const matches = findMatches(editor, query);
    const free = matches.filter((match): match is TextMatch => match.kind === "text" && match.hunk === null);
    if (free.length) editor.view.dispatch(replacing(editor, free, text));
    this.search(query);
    return { count: free.length, left: matches.length - free.length };
  }

  private draw(): void {
    const { editor, matches, current } = this;
    if (editor.isDestroyed) return;
    const texts = matches.filter((match) => match.kind === "text");
    markMatches(editor, texts, current?.kind === "text" ? current : null);
    markProposed(editor, this.query, current?.kind === "proposed" ? current : null);
    this.found = {
      current: current ? matches.indexOf(current) + 1 : 0,
      total: matches.length,
      proposed: matches.length - texts.length,
    };
    for (const listener of this.listeners) listener(this.found);
  }
}

function isSame(a: Match, b: Match): boolean {
  if (a.kind === "proposed") return b.kind === "proposed" && a.hunk === b.hunk && a.nth === b.nth;
  return b.kind === "text" && a.from === b.from && a.to === b.to;
}

/** Returns a transaction of its own undo step that replaces ranges. The text gets the marks of what it replaces. */
function replacing({ state }: Editor, ranges: readonly TextMatch[], text: string) {
  const tr = closeHistory(state.tr);
  for (const { from, to } of ranges.toReversed()) {
    if (text) tr.insertText(text, from, to);
    else tr.delete(from, to);
  }
  return tr;
}

/** Scrolls so that a range is in the middle, if it is not in view. */
function reveal({ view }: Editor, { from, to }: TextMatch): void {
  const scroller = scrollerOf(view.dom);
  const isPage = scroller === document.scrollingElement;
  const frame = isPage ? { top: 0, bottom: innerHeight, height: innerHeight } : scroller.getBoundingClientRect();
  const hiddenBelow = Number.parseFloat(getComputedStyle(scroller).scrollPaddingBottom) || 0;
  const [top, bottom] = [view.coordsAtPos(from).top, view.coordsAtPos(to).bottom];
  if (top >= frame.top + 8 && bottom <= frame.bottom - hiddenBelow) return;
  scroller.scrollTo({ top: scroller.scrollTop + top - frame.top - (frame.height - hiddenBelow) / 3 });
}
