/** The review's part of the editor's state: the hunks, the current one, and their decorations. */

import type { ResolvedPos } from "@tiptap/pm/model";
import { PluginKey, type EditorState, type Transaction } from "@tiptap/pm/state";
import type { Mappable } from "@tiptap/pm/transform";
import type { DecorationSet } from "@tiptap/pm/view";
import type { Hunk, ReviewView } from "../types/index.js";
import type { ReviewWords } from "./words.js";

export interface ReviewState {
  /** In the order of the document. Their positions are those at the time when they were read: see `hunksNow`. */
  hunks: readonly Hunk[];
  /** The changes of the document since then. */
  moved: Moved | null;
  /** The revision of these hunks, see `Document.hunkPlaces`. */
  revision: number;
  current: string | null;
  /** True if the user has put the cursor elsewhere since a hunk became the current one: the next hunk is the next one
   * from the cursor. */
  byCursor: boolean;
  /** The part of the document around the view; null while it is not known. */
  span: Span | null;
  /** The hunks that are drawn, with their current positions, and where they are in `hunks`. */
  drawn: Drawn;
  decorations: DecorationSet;
  /** Changes when the hunks are redrawn, rather than mapped. */
  drawing: number;
  /** True if the decorations are not where the hunks are, until these are read again. */
  isMisplaced: boolean;
  words: ReviewWords;
  /** The version of the document that is shown. */
  view: ReviewView;
}

/** A range of positions. */
export interface Span {
  from: number;
  to: number;
}

export interface Drawn {
  indexes: readonly number[];
  hunks: readonly Hunk[];
}

/** A list of changes of the document, the newest first. */
export interface Moved {
  mapping: Mappable;
  before: Moved | null;
}

/** A change of the state; absent members stay. */
export interface ReviewChange {
  hunks?: readonly Hunk[];
  /** Given together with the hunks. */
  revision?: number;
  current?: string | null;
  span?: Span;
  view?: ReviewView;
}

export const reviewKey = new PluginKey<ReviewState>("copydeskReview");

export function reviewState(state: EditorState): ReviewState | undefined {
  return reviewKey.getState(state);
}

/** Returns true if the changes are marked in the document. */
export function isMarked(state: EditorState): boolean {
  return reviewState(state)?.view === "marked";
}

/** Returns true if a hunk is pending; without an id, if any is. */
export function isPending(state: EditorState, id?: string): boolean {
  return !!reviewState(state)?.hunks.some((hunk) => id === undefined || hunk.id === id);
}

/** Returns the number of the current hunk, counted from 1; 0 if there is none. */
export function currentNumber({ hunks, current }: ReviewState): number {
  return hunks.findIndex(({ id }) => id === current) + 1;
}

/**
 * Returns the hunk after or before the current one or, if the user has put the cursor somewhere since, the first below
 * or above the cursor; wraps around.
 */
export function neighbour(state: EditorState, step: 1 | -1): Hunk | undefined {
  const shown = reviewState(state);
  if (!shown?.hunks.length) return undefined;
  const hunks = hunksNow(shown);
  if (shown.byCursor) {
    const head = beforeText(state.selection.$head);
    return step > 0
      ? (hunks.find(({ to }) => to >= head) ?? hunks[0])
      : (hunks.findLast(({ from }) => from < head) ?? hunks.at(-1));
  }
  const at = currentNumber(shown) - 1;
  if (at < 0) return step > 0 ? hunks[0] : hunks.at(-1);
  return hunks[(at + step + hunks.length) % hunks.length];
}

/** Returns the position of a cursor; at the start of a block, the position before the block, where content can be
 * inserted as well. */
function beforeText(cursor: ResolvedPos): number {
  let { depth, pos } = cursor;
  while (depth > 0 && pos === cursor.start(depth)) pos = cursor.before(depth--);
  return pos;
}

/** Returns the hunk at the cursor, unless it is the current one. */
export function entered(tr: Transaction, shown: ReviewState): string | undefined {
  const { current } = shown;
  const { head, empty } = tr.selection;
  const found = empty ? hunksNow(shown).find(({ from, to }) => from <= head && head <= to) : undefined;
  return found && found.id !== current ? found.id : undefined;
}

/** Returns whether hunks have these positions, of the same revision. Line numbers do not count: they change with every
 * Enter. */
export function isAt(hunks: readonly Hunk[], places: Uint32Array): boolean {
  return hunks.every(({ from, to }, index) => from === places[8 * index + 1] && to === places[8 * index + 2]);
}

/** Returns hunks with other positions. */
export function placed(hunks: readonly Hunk[], places: Uint32Array): Hunk[] {
  return hunks.map((hunk, index) => {
    const [from, to, proposedFrom, proposedTo, originalStartLine, originalEndLine, startLine, endLine] =
      places.subarray(8 * index + 1, 8 * index + 9) as unknown as [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
      ];
    return { ...hunk, from, to, proposedFrom, proposedTo, originalStartLine, originalEndLine, startLine, endLine };
  });
}

/** Returns hunks with positions mapped through a change, until the wasm reports the new ones. */
export function carried(hunks: readonly Hunk[], mapping: Mappable): Hunk[] {
  return hunks.map((hunk) => {
    const from = mapping.map(hunk.from, 1);
    return { ...hunk, from, to: Math.max(from, mapping.map(hunk.to, hunk.from === hunk.to ? 1 : -1)) };
  });
}

const known = new WeakMap<Moved, readonly Hunk[]>();

/** Returns all hunks with their current positions. They are computed when they are needed, not with every key. */
export function hunksNow({ hunks, moved }: Pick<ReviewState, "hunks" | "moved">): readonly Hunk[] {
  const changes: Mappable[] = [];
  let now = hunks;
  for (let at = moved; at; at = at.before) {
    const found = known.get(at);
    if (found) {
      now = found;
      break;
    }
    changes.push(at.mapping);
  }
  for (const mapping of changes.reverse()) now = carried(now, mapping);
  if (moved) {
    known.set(moved, now);
    // Nobody looks behind it any more.
    moved.before = null;
  }
  return now;
}

/** Returns a key of everything that a hunk's appearance depends on, except its position. */
export function signature({ id, kind, conflict, originalText, content, author }: Hunk): string {
  return JSON.stringify([id, kind, conflict, originalText, content, author]);
}
