/** The desk's side of the review: which changes are whose, lighting them, and taking a run back. */
import type { Editor } from "@tiptap/core";
import { hunksOf } from "copydesk/tiptap";
import { documentOf } from "../editor";

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

export function elementOfChange(editor: Editor, id: string): HTMLElement | null {
  return editor.view.dom.querySelector<HTMLElement>(`[data-copydesk-hunk="${CSS.escape(id)}"]`);
}

/** Takes back what turns did, the last first. Returns what stays because it was changed since, or null where nothing was left to undo. */
export function undoTurns(editor: Editor, turnIds: readonly string[]): string[] | null {
  const document = documentOf(editor);
  const pending = hunksOf(editor).length;
  let undone = false;
  const stays: string[] = [];
  for (const turnId of turnIds.toReversed()) {
    const { restored, left } = document.undoTurn(turnId);
    undone ||= restored > 0 || left.length > 0;
    stays.push(...left.map(({ text }) => excerpt(text)));
  }
  return undone || document.hunks().length !== pending ? stays : null;
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 40 ? `${line.slice(0, 39)}…` : line || "…";
}
