/** The TipTap editor of the document, and queries on it. */
import { Editor, getSchema, type Extensions } from "@tiptap/core";
import Image from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { TableKit } from "@tiptap/extension-table";
import StarterKit from "@tiptap/starter-kit";
import type { Document, Mode, NodeJSON, ReviewView } from "copydesk";
import { isBlank, type EditMode } from "copydesk/assistant";
import { FindMarks } from "copydesk/find";
import { PasteAndDrop, type PasteAndDropOptions } from "copydesk/insert";
import {
  AgentActions,
  Copydesk,
  reviewViewOf,
  slashBlocks,
  type AgentAction,
  type PendingChanges,
} from "copydesk/tiptap";
import { languageOf } from "./dom";
import { localize, messages } from "./locale";
import { loadForVisit, loadItem, saveForVisit } from "./storage";

/** Returns the extensions that make the schema. In a room the history is that of Yjs. */
const extensionsWith = (options: { undoRedo?: false }): Extensions => [
  StarterKit.configure({ link: { openOnClick: false, defaultProtocol: "https" }, ...options }),
  Image,
  TaskList,
  TaskItem.configure({ nested: true }),
  TableKit.configure({ table: { resizable: false } }),
];
export const schemaExtensions = extensionsWith({});

/** Returns the schema without an editor. */
export const schema = () => getSchema(schemaExtensions);

export interface EditorOptions {
  content?: NodeJSON;
  /** The changes that are pending in it. */
  pending?: PendingChanges;
  /** The extensions of the room whose document it shows. */
  room?: Extensions;
  /** Returns the actions of the menus. */
  actions: () => readonly AgentAction[];
  insert: Partial<PasteAndDropOptions>;
}

/** Characters that tell the language of a document. */
const ENOUGH_TEXT = 4000;

export function createEditor(element: HTMLElement, options: EditorOptions): Editor {
  const { content, pending, room, actions, insert } = options;
  const editor = new Editor({
    element,
    content,
    extensions: [
      ...(room ? extensionsWith({ undoRedo: false }) : schemaExtensions),
      ...(room ?? []),
      Copydesk.configure({ mode: modeOf(), reviewView: viewOf(), pending }),
      AgentActions.configure({ actions, blocks: slashBlocks }),
      FindMarks,
      PasteAndDrop.configure(insert),
    ],
    editorProps: {
      attributes: () => ({
        role: "textbox",
        "aria-multiline": "true",
        spellcheck: "true",
        "aria-label": messages().page,
        "data-placeholder": messages().pagePlaceholder,
      }),
      handleDOMEvents: {
        // Chromium's undo continues in the document when a field has nothing left to undo.
        beforeinput: (view, event) => {
          if (!event.inputType.startsWith("history") || view.hasFocus()) return false;
          event.preventDefault();
          return true;
        },
      },
    },
  });
  const dom = editor.view.dom;
  localize(() => {
    editor.view.dispatch(editor.state.tr);
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

export function documentOf(editor: Editor): Document {
  return editor.storage.copydesk.document;
}
