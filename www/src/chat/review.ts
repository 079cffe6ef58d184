/** The changes of a tool call in review: finding and highlighting them, and undoing a run. */
import type { Editor } from "@tiptap/core";
import { CopydeskError, type Hunk } from "copydesk";
import { hunksOf } from "copydesk/tiptap";
import { h, languageOf } from "../dom";
import { documentOf, scrollTo, scrollToElement } from "../editor";
import { messages } from "../locale";

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

/** The largest number of changes that a row lists. */
const MOST_LISTED = 20;

/** A change in words; `accepted` is missing while it is pending. */
export interface Change {
  originalText: string;
  newText: string;
  at: number;
  accepted?: boolean;
}

/** Returns a list of changes in words: the old text struck through, the new text after it. */
export function listOfChanges(changes: readonly Change[]): HTMLElement {
  const m = messages();
  const items = changes.slice(0, MOST_LISTED).map(({ originalText, newText, accepted }) => {
    const [before, after] = [readable(originalText), readable(newText)];
    const verdict = accepted === undefined ? undefined : accepted ? m.verdicts.accepted : m.verdicts.rejected;
    return h(
      "li",
      { class: "change", "data-verdict": accepted === undefined ? "pending" : accepted ? "accepted" : "rejected" },
      before && h("del", { lang: languageOf(before) }, before),
      before && after && " ",
      after && h("ins", { lang: languageOf(after) }, after),
      !before && !after && m.formattingOnly,
      verdict && h("span", { class: "change-verdict" }, verdict),
    );
  });
  const more = changes.length - items.length;
  return h(
    "ul",
    { class: "row-changes", tabindex: "0" },
    ...items,
    more > 0 && h("li", { class: "change more" }, m.moreChanges(more)),
  );
}

function readable(text: string): string {
  return text
    .replace(/\ufffc/g, "▣")
    .replace(/[ \t]*\n\s*/g, "\n")
    .trim();
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
