/** The page: a TipTap editor with the agent's extension, and what the rest of the demo asks of it. */
import { Editor } from "@tiptap/core";
import Image from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { TableKit } from "@tiptap/extension-table";
import StarterKit from "@tiptap/starter-kit";
import type { ApplyResult, Change, Document, Mode } from "copydesk";
import { Copydesk } from "copydesk/tiptap";
import { languageOf, scrollBehavior } from "./dom";
import { PlacesExtension, type Place } from "./places";
import { inWords } from "./words";
import { recall, remember } from "./storage";

export function createEditor(element: HTMLElement): Editor {
  const editor = new Editor({
    element,
    extensions: [
      StarterKit.configure({ link: { openOnClick: false, defaultProtocol: "https" } }),
      Image,
      TaskList,
      TaskItem.configure({ nested: true }),
      TableKit.configure({ table: { resizable: false } }),
      Copydesk.configure({ mode: modeOf() }),
      PlacesExtension,
    ],
    editorProps: { attributes: { role: "textbox", "aria-multiline": "true", spellcheck: "true" } },
  });
  const dom = editor.view.dom;
  inWords((words) => {
    dom.setAttribute("aria-label", words.page);
    dom.dataset.placeholder = words.pagePlaceholder;
    describe();
  });
  function describe() {
    dom.toggleAttribute("data-empty", isBlank(editor));
    dom.lang = editor.isEmpty ? document.documentElement.lang : languageOf(editor.getText());
  }
  editor.on("update", describe);
  return editor;
}

/** What becomes of edits: each waits in the page, is made at once, or is made when the person has said yes to its call. */
export type EditMode = Mode | "ask";

/** Edits wait for the person, unless they chose otherwise here. */
export function editModeOf(): EditMode {
  const kept = recall("mode");
  return kept === "auto" || kept === "ask" ? kept : "review";
}

export function modeOf(): Mode {
  return editModeOf() === "review" ? "review" : "auto";
}

export function setEditMode(editor: Editor, mode: EditMode): void {
  remember("mode", mode);
  editor.commands.setReviewMode(modeOf());
}

/** One empty paragraph and nothing else. */
export function isBlank(editor: Editor): boolean {
  const { doc } = editor.state;
  return doc.childCount === 1 && doc.firstChild!.type.name === "paragraph" && doc.firstChild!.content.size === 0;
}

export function documentOf(editor: Editor): Document {
  return editor.storage.copydesk.document;
}

/** The range that the pending changes of a call stand at. It takes in what is accepted into it. */
export function placeOfChanges(editor: Editor, toolId: string): Place | null {
  const hunks = documentOf(editor).hunks().filter(({ toolIds }) => toolIds.includes(toolId));
  if (!hunks.length) return null;
  return { from: Math.min(...hunks.map(({ from }) => from)), to: Math.max(...hunks.map(({ to }) => to)), grows: true };
}

/** The range that an edit stands at now: its section, the picture it brought, or the gap it left. */
export function placeOfUpdate(editor: Editor, { operation, sectionIndex, changes }: ApplyResult, imageUrl?: unknown): Place | null {
  if (sectionIndex === undefined) return placeAfter(editor, changes);
  const { doc } = editor.state;
  const sections = documentOf(editor).outline();
  const section = sections[sectionIndex];
  if (operation === "delete") {
    const at = section ? section.from : doc.content.size;
    return { from: at, to: at };
  }
  if (operation === "insert_image") {
    let found: Place | null = null;
    doc.descendants((node, position) => {
      if (node.type.name === "image" && node.attrs.src === imageUrl) found = { from: position, to: position + node.nodeSize };
      return true;
    });
    if (found) return found;
  }
  return section ? { from: section.from, to: section.to } : null;
}

/** The range that changes have come to, which are stated on the document before them. */
function placeAfter({ schema }: Editor, changes: readonly Change[]): Place | null {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return null;
  const size = (content: Change["content"]) => content.reduce((sum, node) => sum + schema.nodeFromJSON(node).nodeSize, 0);
  const grown = changes.reduce((sum, { from, to, content }) => sum + size(content) - (to - from), 0);
  return { from: first.from, to: last.to + grown };
}

/** Scrolls the page to a position; with `onlyIfHidden`, not when it is in view already. */
export function scrollTo(editor: Editor, position: number, onlyIfHidden = false): void {
  const { doc } = editor.state;
  const at = Math.min(Math.max(position, 0), doc.content.size);
  const dom = editor.view.nodeDOM(doc.resolve(at).nodeAfter ? at : doc.content.size - (doc.lastChild?.nodeSize ?? 0));
  if (dom instanceof HTMLElement) scrollToElement(editor, dom, onlyIfHidden);
}

export function scrollToElement(editor: Editor, dom: HTMLElement, onlyIfHidden = false): void {
  const scroller = editor.view.dom.closest<HTMLElement>("[data-scroller]");
  if (!scroller) return;
  const box = dom.getBoundingClientRect();
  const frame = scroller.getBoundingClientRect();
  const hiddenBelow = Number.parseFloat(getComputedStyle(scroller).scrollPaddingBottom) || 0;
  if (onlyIfHidden && box.top >= frame.top && box.top < frame.bottom - hiddenBelow - 80) return;
  scroller.scrollTo({ top: scroller.scrollTop + box.top - frame.top - 24, behavior: scrollBehavior() });
}
