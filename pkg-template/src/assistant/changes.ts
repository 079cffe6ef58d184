/** The changes of a tool call in review: finding and highlighting them, and undoing a run. */

import type { Editor } from "@tiptap/core";
import { CopydeskError, type Hunk } from "copydesk";
import type { NodeJSON } from "../types/index.js";
import { hunksOf } from "../review/hunks.js";
import { scrollTo, scrollToElement } from "./ranges.js";

/** Returns the ids of a call's pending hunks. */
export function changesOf(editor: Editor, toolId: string): string[] {
  return hunksOf(editor)
    .filter(({ toolIds }) => toolIds.includes(toolId))
    .map(({ id }) => id);
}

/** Groups hunks by the calls that made them. */
export function byCall(hunks: readonly Hunk[]): Map<string, Hunk[]> {
  const found = new Map<string, Hunk[]>();
  for (const hunk of hunks) {
    for (const toolId of hunk.toolIds) {
      const own = found.get(toolId);
      if (own) own.push(hunk);
      else found.set(toolId, [hunk]);
    }
  }
  return found;
}

/** A change in words; `accepted` is missing while it is pending. */
export interface Change {
  originalText: string;
  newText: string;
  at: number;
  accepted?: boolean;
  /** The nodes before and after it. They are named if they have no text, and tell what was typed from the names of leaves. Absent
   * if they are not known. */
  nodes?: readonly [before: readonly NodeJSON[], after: readonly NodeJSON[]];
}

/** Returns the call whose hunk is drawn at an element of the page. */
export function callOfHunk(editor: Editor, target: EventTarget | null): string | undefined {
  const id =
    target instanceof Element ? target.closest<HTMLElement>("[data-copydesk-hunk]")?.dataset.copydeskHunk : undefined;
  return id === undefined
    ? undefined
    : hunksOf(editor)
        .find((hunk) => hunk.id === id)
        ?.toolIds.at(-1);
}

const highlighted = new WeakMap<Editor, string>();

/** Highlights the pending hunks of a call, and no others, also those that are drawn later. */
export function highlightChanges(editor: Editor, toolId: string | null): void {
  if (toolId === null) {
    if (!highlighted.delete(editor)) return;
  } else highlighted.set(editor, toolId);
  markHighlighted(editor);
}

/** Marks what was drawn since the highlight was set. */
export function keepHighlight(editor: Editor): void {
  if (highlighted.has(editor)) markHighlighted(editor);
}

function markHighlighted(editor: Editor): void {
  const toolId = highlighted.get(editor);
  const ids = new Set(toolId === undefined ? [] : changesOf(editor, toolId));
  for (const widget of editor.view.dom.querySelectorAll<HTMLElement>(".ProseMirror-widget[data-copydesk-hunk]")) {
    widget.classList.toggle("highlighted-change", ids.has(widget.dataset.copydeskHunk ?? ""));
  }
}

/** Scrolls the document to a hunk. */
export function showChange(editor: Editor, id: string, onlyIfHidden = false): void {
  const element = editor.view.dom.querySelector<HTMLElement>(`[data-copydesk-hunk="${CSS.escape(id)}"]`);
  if (element) return scrollToElement(editor, element, onlyIfHidden);
  // It is not drawn yet.
  const hunk = hunksOf(editor).find((each) => each.id === id);
  if (hunk) scrollTo(editor, hunk.from, onlyIfHidden);
}

/** Rejects the pending hunks that only these calls made, unless the editor is read-only. */
export function withdraw(editor: Editor, calls: ReadonlySet<string>): void {
  const hunks = hunksOf(editor).filter(({ toolIds }) => toolIds.length > 0 && toolIds.every((id) => calls.has(id)));
  if (hunks.length && editor.isEditable) editor.storage.copydesk.document.reject({ hunks: hunks.map(({ id }) => id) });
}

/** Undoes turns, the last first. Returns excerpts of text that stays because it was changed later, or null if there was nothing to undo. */
export function undoTurns(editor: Editor, turnIds: readonly string[]): string[] | null {
  let undone = false;
  const remaining: string[] = [];
  for (const turnId of turnIds.toReversed()) {
    try {
      const { left } = editor.storage.copydesk.document.undoTurn(turnId);
      remaining.push(...left.map(({ text }) => excerpt(text)));
      undone = true;
    } catch (error) {
      // A turn without changes cannot be undone.
      if (!(error instanceof CopydeskError)) throw error;
    }
  }
  return undone ? remaining : null;
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 40 ? `${line.slice(0, 39)}…` : line || "…";
}
