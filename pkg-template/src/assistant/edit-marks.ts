/** The places of calls in the document: highlighting them, scrolling to them, and the call under the pointer. */

import type { Editor } from "@tiptap/core";
import type { DocUpdateEvent } from "copydesk";
import { callOfHunk, changesOf, highlightChanges, keepHighlight, showChange } from "./changes.js";
import {
  addEditRange,
  clearEditRanges,
  editAt,
  editRange,
  followEdits,
  highlight,
  removeHighlight,
} from "./edit-ranges.js";
import { isMounted, whenMounted } from "./mounted.js";
import { rangeOfChanges, rangeOfUpdate, scrollTo, scrollToElement } from "./ranges.js";

/** Milliseconds for which the range of a finished edit stays highlighted. */
const HIGHLIGHT_TIME = 1400;

export class EditMarks {
  /** Calls whose preview was scrolled into view. */
  #previewed = new Set<string>();
  /** The call that the user points at in the conversation. */
  #pointed: string | null = null;
  #release: (() => void)[] = [];

  /** `onPoint` receives the call whose edit is under the pointer in the document. */
  constructor(
    private editor: Editor,
    private onPoint: (toolId: string | null) => void,
  ) {
    const keep = () => keepHighlight(editor);
    editor.on("transaction", keep);
    this.#release.push(() => void editor.off("transaction", keep));
    const wait = whenMounted(editor, () => {
      followEdits(editor);
      this.#followPointer(editor.view.dom);
    });
    this.#release.push(wait);
  }

  dispose(): void {
    for (const release of this.#release) release();
  }

  clear(): void {
    if (isMounted(this.editor)) clearEditRanges(this.editor);
  }

  /** Notes where an edit was made, and shows it. Returns false if that is not known. */
  add(event: DocUpdateEvent): boolean {
    const { editor } = this;
    const { toolId } = event;
    const range = rangeOfChanges(editor, toolId) ?? rangeOfUpdate(editor, event);
    if (!range) return false;
    addEditRange(editor, toolId, range);
    // Pending changes are already marked.
    if (!changesOf(editor, toolId).length && editor.storage.copydesk.document.mode === "auto")
      highlight(editor, toolId);
    setTimeout(() => {
      if (this.#pointed !== toolId) removeHighlight(editor, toolId);
    }, HIGHLIGHT_TIME);
    if (!editor.isFocused && !this.#previewed.has(toolId)) scrollTo(editor, range.from, true);
    return true;
  }

  /** Highlights the pending changes of a call or, if there are none, the range of its edit; or nothing any more. */
  point(toolId: string, on: boolean): void {
    const { editor } = this;
    if (editor.isDestroyed) return;
    this.#pointed = on ? toolId : null;
    const pending = on && changesOf(editor, toolId).length > 0;
    highlightChanges(editor, pending ? toolId : null);
    if (on && !pending) highlight(editor, toolId);
    else removeHighlight(editor, toolId);
  }

  /** Scrolls the document to the changes of a call. */
  show(toolId: string): void {
    const { editor } = this;
    const [change] = changesOf(editor, toolId);
    if (change) {
      editor.commands.setReviewView("marked");
      return showChange(editor, change);
    }
    const range = editRange(editor, toolId);
    if (range) scrollTo(editor, range.from);
    highlight(editor, toolId);
  }

  /** Scrolls to the preview of a call, once, unless the user is in the editor. The preview is drawn in the next frame. */
  showPreview(toolId: string): void {
    const { editor } = this;
    if (this.#previewed.has(toolId) || editor.isFocused) return;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const preview = editor.isDestroyed ? null : editor.view.dom.querySelector<HTMLElement>(".copydesk-preview");
        if (!preview || this.#previewed.has(toolId)) return;
        this.#previewed.add(toolId);
        scrollToElement(editor, preview, true);
      }),
    );
  }

  #followPointer(page: HTMLElement): void {
    const { editor } = this;
    const move = (event: PointerEvent) => {
      const at = editor.view.posAtCoords({ left: event.clientX, top: event.clientY });
      const call = callOfHunk(editor, event.target);
      this.onPoint(call ?? (at ? editAt(editor, at.inside >= 0 ? at.inside : at.pos) : null));
    };
    const leave = () => this.onPoint(null);
    page.addEventListener("pointermove", move);
    page.addEventListener("pointerleave", leave);
    this.#release.push(
      () => page.removeEventListener("pointermove", move),
      () => page.removeEventListener("pointerleave", leave),
    );
  }
}
