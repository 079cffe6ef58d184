/** The desk's side of the review: which changes are whose, lighting them, and taking a run back. */
import type { Editor } from "@tiptap/core";
import { CopydeskError } from "copydesk";
import { hunksOf } from "copydesk/tiptap";
import { documentOf, scrollToElement } from "../editor";

/** The names of a call's pending changes. */
export function changesOf(editor: Editor, toolId: string): string[] {
  return hunksOf(editor).filter(({ toolIds }) => toolIds.includes(toolId)).map(({ id }) => id);
}

/** The call whose change is drawn at an element of the page. */
export function callOfHunk(editor: Editor, target: EventTarget | null): string | undefined {
  const id = target instanceof Element ? target.closest<HTMLElement>("[data-copydesk-hunk]")?.dataset.copydeskHunk : undefined;
  return id === undefined ? undefined : hunksOf(editor).find((hunk) => hunk.id === id)?.toolIds.at(-1);
}

/** Lights a call's pending changes on the page, and puts out all others. */
export function lightChanges(editor: Editor, toolId: string | null): void {
  const ids = new Set(toolId === null ? [] : changesOf(editor, toolId));
  for (const widget of editor.view.dom.querySelectorAll<HTMLElement>(".ProseMirror-widget[data-copydesk-hunk]")) {
    widget.classList.toggle("lit-change", ids.has(widget.dataset.copydeskHunk ?? ""));
  }
}

/** Scrolls the page to a change. */
export function showChange(editor: Editor, id: string, onlyIfHidden = false): void {
  const element = editor.view.dom.querySelector<HTMLElement>(`[data-copydesk-hunk="${CSS.escape(id)}"]`);
  if (element) scrollToElement(editor, element, onlyIfHidden);
}

/** Takes back what turns did, the last first. Returns what stays because it was changed since, or null where nothing was left to undo. */
export function undoTurns(editor: Editor, turnIds: readonly string[]): string[] | null {
  let undone = false;
  const stays: string[] = [];
  for (const turnId of turnIds.toReversed()) {
    try {
      const { left } = documentOf(editor).undoTurn(turnId);
      stays.push(...left.map(({ text }) => excerpt(text)));
      undone = true;
    } catch (error) {
      // A turn that changed nothing cannot be taken back.
      if (!(error instanceof CopydeskError)) throw error;
    }
  }
  return undone ? stays : null;
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 40 ? `${line.slice(0, 39)}…` : line || "…";
}
