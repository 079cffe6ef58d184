/** Opens text files as the document. The one that was shown is kept: it comes back by a button of the app, and by undo. */

import type { Editor } from "@tiptap/core";
import { closeHistory } from "@tiptap/pm/history";
import type { Node } from "@tiptap/pm/model";
import type { NodeJSON } from "copydesk";
import { isBlank } from "../assistant/ranges.js";
import type { KeptDocument } from "./stored-document.js";
import type { SavedDocuments } from "./saved-documents.js";

/** A question that the user answers before a file is opened. */
export type OpeningQuestion =
  /** The assistant works on the document. */
  | { type: "working"; name: string }
  /** The document that is shown was opened from a file and changed. It is not kept. */
  | { type: "replaces"; name: string };

export interface DocumentOpenerOptions {
  editor: Editor;
  saved: SavedDocuments;
  /** Reads a file as a document, such as `readTextFile` of `copydesk/markdown`. */
  read: (file: File) => Promise<NodeJSON>;
  /** Returns true while the assistant works on the document. */
  isWorking: () => boolean;
  /** Stops the assistant. */
  settle: () => Promise<void>;
  /** Shows the user's own document in place of a file of the workspace. */
  closeFile: () => Promise<void>;
  /** Asks the user; `goOn` continues. */
  ask: (question: OpeningQuestion, goOn: () => Promise<void>) => void;
  /** Called when the document of a file is shown. */
  onShow?: () => void;
  /** Called with a file that could not be opened, and the reason. */
  onProblem: (error: unknown, file: File) => void;
}

/** A document that was opened, and the one that it replaced. */
interface Opened {
  name: string;
  before: Node;
  after: Node;
}

/** Returns true if documents are equal. Those of the history share their blocks, so that this is fast. */
function isSame(a: Node, b: Node): boolean {
  return a.content.size === b.content.size && a.eq(b);
}

export class DocumentOpener {
  #last: Opened | null = null;
  /** The document before, while undo has brought it back. */
  #returned: KeptDocument | null = null;

  constructor(private options: DocumentOpenerOptions) {
    options.editor.on("transaction", ({ transaction }) => transaction.docChanged && this.#followHistory());
  }

  /** Opens a file, or asks first. Resolves when it is shown, or when the app knows why it is not. */
  async open(file: File): Promise<void> {
    if (!this.options.editor.isEditable) return;
    try {
      await this.#ask(file.name, await this.options.read(file));
    } catch (error) {
      this.options.onProblem(error, file);
    }
  }

  /** Shows a document once nothing can be lost by it. */
  async #ask(name: string, json: NodeJSON): Promise<void> {
    const { editor, saved, isWorking, settle, closeFile, ask } = this.options;
    if (isWorking())
      return ask({ type: "working", name }, async () => {
        await settle();
        await this.#ask(name, json);
      });
    await closeFile();
    // The page shows why the file could not be closed.
    if (saved.file) return;
    const isChanged = !this.#last || !isSame(editor.state.doc, this.#last.after);
    if (saved.getSnapshot().previous && isChanged && !isBlank(editor))
      return ask({ type: "replaces", name }, () => this.#show(name, json));
    await this.#show(name, json);
  }

  async #show(name: string, json: NodeJSON): Promise<void> {
    const { editor, saved, onShow } = this.options;
    const { hunks } = editor.storage.copydesk.pending;
    const before = editor.state.doc;
    this.#last = this.#returned = null;
    if (!isBlank(editor) || hunks.length) saved.keepDocument(name);
    if (hunks.length) {
      await saved.load();
      editor.storage.copydesk.document.reject("all");
    }
    const { state, view } = editor;
    const content = editor.schema.nodeFromJSON(json).content;
    // One step of the history, so that undo leads back as well.
    view.dispatch(closeHistory(state.tr).replaceWith(0, state.doc.content.size, content));
    view.dispatch(closeHistory(editor.state.tr));
    // Undo brings back the text, and not what was pending in it.
    this.#last = { name, before: hunks.length ? editor.state.doc : before, after: editor.state.doc };
    editor.commands.setTextSelection(0);
    onShow?.();
    saved.changed();
  }

  /** Undo and redo of the opening: the document that is shown is not kept beside itself. */
  #followHistory(): void {
    const { editor, saved } = this.options;
    const { doc } = editor.state;
    if (!this.#last) return;
    const { name, before, after } = this.#last;
    if (this.#returned) {
      if (!isSame(doc, after)) return;
      saved.keep(this.#returned, name);
      this.#returned = null;
    } else if (before !== after && isSame(doc, before)) this.#returned = saved.release();
  }
}
