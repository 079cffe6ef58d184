/** The changes of a tool call in review: finding and highlighting them, and undoing a run. */
import type { Editor } from "@tiptap/core";
import { CopydeskError } from "copydesk";
import { hunksOf } from "copydesk/tiptap";
import { documentOf, scrollToElement } from "../editor";

/** Returns the ids of a call's pending hunks. */
export function changesOf(editor: Editor, toolId: string): string[] {
  return hunksOf(editor).filter(({ toolIds }) => toolIds.includes(toolId)).map(({ id }) => id);
}

/** Returns the call whose hunk is drawn at an element of the page. */
export function callOfHunk(editor: Editor, target: EventTarget | null): string | undefined {
  const id = target instanceof Element ? target.closest<HTMLElement>("[data-copydesk-hunk]")?.dataset.copydeskHunk : undefined;
  return id === undefined ? undefined : hunksOf(editor).find((hunk) => hunk.id === id)?.toolIds.at(-1);
}

/** Highlights the pending hunks of a call, and no others. */
export function highlightChanges(editor: Editor, toolId: string | null): void {
  const ids = new Set(toolId === null ? [] : changesOf(editor, toolId));
  for (const widget of editor.view.dom.querySelectorAll<HTMLElement>(".ProseMirror-widget[data-copydesk-hunk]")) {
    widget.classList.toggle("highlighted-change", ids.has(widget.dataset.copydeskHunk ?? ""));
  }
}

/** Scrolls the document to a hunk. */
export function showChange(editor: Editor, id: string, onlyIfHidden = false): void {
  const element = editor.view.dom.querySelector<HTMLElement>(`[data-copydesk-hunk="${CSS.escape(id)}"]`);
  if (element) scrollToElement(editor, element, onlyIfHidden);
}

/** Undoes turns, the last first. Returns excerpts of text that stays because it was changed later, or null if there was nothing to undo. */
export function undoTurns(editor: Editor, turnIds: readonly string[]): string[] | null {
  let undone = false;
  const remaining: string[] = [];
  for (const turnId of turnIds.toReversed()) {
    try {
      const { left } = documentOf(editor).undoTurn(turnId);
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
