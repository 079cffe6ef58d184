/** The TipTap editor of the document, and queries on it. */
import { Editor, getSchema, type Extensions } from "@tiptap/core";
import Image from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { TableKit } from "@tiptap/extension-table";
import StarterKit from "@tiptap/starter-kit";
import type { Change, DocUpdateEvent, Document, Hunk, Mode, NodeJSON, ReviewView } from "copydesk";
import {
  AgentActions,
  Copydesk,
  reviewViewOf,
  slashBlocks,
  type AgentAction,
  type PendingChanges,
} from "copydesk/tiptap";
import { InsertExtension, type InsertOptions } from "./content/insert";
import { languageOf, scrollBehavior } from "./dom";
import { EditRangesExtension, type EditRange } from "./edit-ranges";
import { FindExtension } from "./find/highlight";
import { localize } from "./locale";
import { loadForVisit, loadItem, saveForVisit, saveItem } from "./storage";

/** The extensions that make the schema. */
export const schemaExtensions: Extensions = [
  StarterKit.configure({ link: { openOnClick: false, defaultProtocol: "https" } }),
  Image,
  TaskList,
  TaskItem.configure({ nested: true }),
  TableKit.configure({ table: { resizable: false } }),
];

/** Returns true if the editor can hold a document. */
export function isReadable(json: NodeJSON): boolean {
  try {
    getSchema(schemaExtensions).nodeFromJSON(json).check();
    return true;
  } catch {
    return false;
  }
}

export interface EditorOptions extends InsertOptions {
  content?: NodeJSON;
  /** The changes that are pending in it. */
  pending?: PendingChanges;
  /** Returns the actions of the menus. */
  actions: () => readonly AgentAction[];
}

/** Characters that tell the language of a document. */
const ENOUGH_TEXT = 4000;

export function createEditor(element: HTMLElement, { content, pending, actions, ...insert }: EditorOptions): Editor {
  const editor = new Editor({
    element,
    content,
    extensions: [
      ...schemaExtensions,
      Copydesk.configure({ mode: modeOf(), reviewView: viewOf(), pending }),
      AgentActions.configure({ actions, blocks: slashBlocks }),
      EditRangesExtension,
      FindExtension,
      InsertExtension.configure(insert),
    ],
    editorProps: {
      attributes: { role: "textbox", "aria-multiline": "true", spellcheck: "true" },
      handleDOMEvents: {
        // Chromium's undo goes on in the document when a field has nothing left to undo.
        beforeinput: (view, event) => {
          if (!event.inputType.startsWith("history") || view.hasFocus()) return false;
          event.preventDefault();
          return true;
        },
      },
    },
  });
  const dom = editor.view.dom;
  localize((m) => {
    dom.setAttribute("aria-label", m.page);
    dom.dataset.placeholder = m.pagePlaceholder;
    updateAttributes();
  });
  function updateAttributes() {
    const { doc } = editor.state;
    const lang = editor.isEmpty
      ? document.documentElement.lang
      : languageOf(doc.textBetween(0, Math.min(doc.content.size, ENOUGH_TEXT), " "));
    // Even the same value makes the browser style the document again.
    if (dom.lang !== lang) dom.lang = lang;
    updateEmpty();
  }
  /** An attribute instead of `:has()`, which the browser would match with every key. */
  function updateEmpty() {
    const empty = isBlank(editor) && !dom.querySelector("[data-copydesk-hunk], .copydesk-preview");
    if (dom.hasAttribute("data-empty") === empty) return;
    dom.toggleAttribute("data-empty", empty);
    dom.closest("[data-scroller]")?.toggleAttribute("data-empty", empty);
  }
  editor.on("update", updateAttributes);
  editor.on("transaction", updateEmpty);
  let view = reviewViewOf(editor);
  editor.on("transaction", () => {
    if (view !== reviewViewOf(editor)) saveForVisit("view", (view = reviewViewOf(editor)));
  });
  return editor;
}

/**
 * Handling of edits: they wait for review, are applied at once, or are applied once the user has approved their call.
 */
export type EditMode = Mode | "ask";

/** Returns the mode that the user has chosen; review by default. */
export function editModeOf(): EditMode {
  const saved = loadItem("mode");
  return saved === "auto" || saved === "ask" ? saved : "review";
}

/** Returns the view that the user has chosen on this visit. */
function viewOf(): ReviewView {
  const saved = loadForVisit("view");
  return saved === "original" || saved === "final" ? saved : "marked";
}

export function modeOf(): Mode {
  return editModeOf() === "review" ? "review" : "auto";
}

export function setEditMode(editor: Editor, mode: EditMode): void {
  saveItem("mode", mode);
  editor.commands.setReviewMode(modeOf());
}

/** Returns true if the document is a single empty paragraph. */
export function isBlank(editor: Editor): boolean {
  const { doc } = editor.state;
  return doc.childCount === 1 && doc.firstChild!.type.name === "paragraph" && doc.firstChild!.content.size === 0;
}

export function documentOf(editor: Editor): Document {
  return editor.storage.copydesk.document;
}

/** Shows another document, with changes that wait for review. Undo does not lead back to the one before. */
export function replaceDocument(editor: Editor, json: NodeJSON, hunks: Hunk[]): void {
  documentOf(editor).reject("all");
  editor.commands.setContent(json);
  const { view } = editor;
  const { plugins } = view.state;
  // A plugin that is added again starts with an empty state.
  const others = plugins.filter(({ spec }) => (spec.key as { key?: string } | undefined)?.key !== "history$");
  view.updateState(view.state.reconfigure({ plugins: others }));
  view.updateState(view.state.reconfigure({ plugins }));
  if (hunks.length) documentOf(editor).restoreHunks(hunks);
  editor.commands.setTextSelection(0);
  view.dom.closest<HTMLElement>("[data-scroller]")?.scrollTo({ top: 0 });
}

/** Returns the range of a call's pending changes. It grows with the changes that are accepted. */
export function rangeOfChanges(editor: Editor, toolId: string): EditRange | null {
  const hunks = documentOf(editor)
    .hunks()
    .filter(({ toolIds }) => toolIds.includes(toolId));
  if (!hunks.length) return null;
  return { from: Math.min(...hunks.map(({ from }) => from)), to: Math.max(...hunks.map(({ to }) => to)), grows: true };
}

/** Returns the range of an edit right after it: its section, the inserted image, or the position of a deletion. */
export function rangeOfUpdate(editor: Editor, event: DocUpdateEvent): EditRange | null {
  const index = sectionAfter(event);
  if (index === undefined) return rangeAfter(editor, event.changes);
  const { doc } = editor.state;
  const section = documentOf(editor).outline()[index];
  if (event.operation === "delete") {
    const at = section ? section.from : doc.content.size;
    return { from: at, to: at };
  }
  if (event.operation === "insert_image") {
    let found: EditRange | null = null;
    doc.descendants((node, position) => {
      if (node.type.name === "image" && node.attrs.src === event.imageUrl)
        found = { from: position, to: position + node.nodeSize };
      return true;
    });
    if (found) return found;
  }
  return section ? { from: section.from, to: section.to } : null;
}

/** Returns the index that the section of an edit has after it; the event names the one that it had before. */
function sectionAfter(event: DocUpdateEvent): number | undefined {
  if (event.operation === "move_section") return event.toIndex;
  return event.operation === "insert" ? Math.max(event.sectionIndex, 1) : event.sectionIndex;
}

/** Returns the range of changes after they were applied; their positions refer to the document before. */
function rangeAfter({ schema }: Editor, changes: readonly Change[]): EditRange | null {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return null;
  const size = (content: Change["content"]) =>
    content.reduce((sum, node) => sum + schema.nodeFromJSON(node).nodeSize, 0);
  const growth = changes.reduce((sum, { from, to, content }) => sum + size(content) - (to - from), 0);
  return { from: first.from, to: last.to + growth };
}

/** Scrolls the document to a position; with `onlyIfHidden`, only if it is not in view. */
export function scrollTo(editor: Editor, position: number, onlyIfHidden = false): void {
  const { doc } = editor.state;
  const at = Math.min(Math.max(position, 0), doc.content.size);
  const place = doc.resolve(at);
  const start = place.parent.inlineContent
    ? place.before()
    : place.nodeAfter
      ? at
      : doc.content.size - (doc.lastChild?.nodeSize ?? 0);
  const dom = editor.view.nodeDOM(start);
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
