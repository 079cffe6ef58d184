/** The row of the change under the pointer. */
import type { Editor } from "@tiptap/core";
import { editAt } from "../edit-ranges";
import { callOfHunk } from "./review";

/** Highlights the row in `log` of the edit under the pointer in the document. */
export function followPointer(editor: Editor, log: HTMLElement): void {
  const page = editor.view.dom;
  let highlighted: Element | null = null;
  const setHighlighted = (row: Element | null) => {
    if (row === highlighted) return;
    highlighted?.classList.remove("highlighted");
    row?.classList.add("highlighted");
    highlighted = row;
  };
  page.addEventListener("pointermove", (event) => {
    const hasRows = log.querySelector("[data-range]") !== null;
    const at = hasRows ? editor.view.posAtCoords({ left: event.clientX, top: event.clientY }) : null;
    const id = at ? editAt(editor, at.inside >= 0 ? at.inside : at.pos) : null;
    const call = callOfHunk(editor, event.target);
    const selector = call ? `[data-call="${CSS.escape(call)}"]` : id ? `[data-range="${CSS.escape(id)}"]` : null;
    setHighlighted(selector ? log.querySelector(selector) : null);
  });
  page.addEventListener("pointerleave", () => setHighlighted(null));
}
