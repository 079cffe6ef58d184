/** Opens text files as the document. The one that was shown is kept: it comes back by a button, and by undo. */
import type { Editor } from "@tiptap/core";
import { closeHistory } from "@tiptap/pm/history";
import type { Node } from "@tiptap/pm/model";
import type { NodeJSON } from "copydesk";
import { isBlank } from "copydesk/assistant";
import type { KeptDocument, SavedDocuments } from "copydesk/autosave";
import { FileError, textFormatOf } from "copydesk/insert";
import { documentOf } from "../editor";
import { loadPart, reasonOf } from "../lazy";
import { locale, type Messages } from "../locale";
import type { Notices } from "../notices";
import { ownImages } from "./own-images";

export interface OpenOptions {
  notices: Notices;
  saved: SavedDocuments;
  /** The assistant works on the document. */
  isWorking: () => boolean;
  /** Stops the assistant. */
  settle: () => Promise<void>;
  /** Shows the user's own document in place of a file of the workspace. */
  closeFile: () => Promise<void>;
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
  private last: Opened | null = null;
  /** The document before, while undo has brought it back. */
  private returned: KeptDocument | null = null;

  constructor(
    private editor: Editor,
    private options: OpenOptions,
  ) {
    editor.on("transaction", ({ transaction }) => transaction.docChanged && this.followHistory());
  }

  /** Opens a file, or asks first. Resolves when it is shown, or when the page says why it is not. */
  async open(files: readonly File[]): Promise<void> {
    if (!this.editor.isEditable) return;
    const [file] = files;
    if (!file) return;
    if (files.length > 1) return this.say((m) => m.open.oneFile);
    const { name } = file;
    try {
      textFormatOf(file);
      const { readTextFile } = await loadPart(() => import("copydesk/markdown"));
      const options = { keepImage: ownImages.keep, locale: locale() };
      await this.ask(name, await readTextFile(file, this.editor.schema, options));
    } catch (error) {
      console.warn(error);
      const reason = reasonOf(error);
      this.say((m) => (error instanceof FileError ? reason(m) : m.open.failed(name, reason(m))));
    }
  }

  /** Shows a document once nothing can be lost by it. */
  private async ask(name: string, json: NodeJSON): Promise<void> {
    const { isWorking, settle, closeFile, saved } = this.options;
    if (isWorking())
      return this.question(
        (m) => m.files.busy,
        (m) => m.files.stopAndOpen,
        async () => {
          await settle();
          await this.ask(name, json);
        },
      );
    await closeFile();
    // The page says why the file could not be closed.
    if (saved.file) return;
    const isChanged = !this.last || !isSame(this.editor.state.doc, this.last.after);
    if (saved.getSnapshot().previous && isChanged && !isBlank(this.editor))
      return this.question(
        (m) => m.open.replaces(name),
        (m) => m.open.open,
        () => this.show(name, json),
      );
    await this.show(name, json);
  }

  private async show(name: string, json: NodeJSON): Promise<void> {
    const { editor } = this;
    const { notices, saved } = this.options;
    notices.remove("open-document");
    const { hunks } = editor.storage.copydesk.pending;
    const before = editor.state.doc;
    this.last = this.returned = null;
    if (!isBlank(editor) || hunks.length) saved.keepDocument(name);
    if (hunks.length) {
      await saved.load();
      documentOf(editor).reject("all");
    }
    const { state, view } = editor;
    const content = editor.schema.nodeFromJSON(json).content;
    // One step of the history, so that undo leads back as well.
    view.dispatch(closeHistory(state.tr).replaceWith(0, state.doc.content.size, content));
    view.dispatch(closeHistory(editor.state.tr));
    // Undo brings back the text, and not what was pending in it.
    this.last = { name, before: hunks.length ? editor.state.doc : before, after: editor.state.doc };
    editor.commands.setTextSelection(0);
    view.dom.closest<HTMLElement>("[data-scroller]")?.scrollTo({ top: 0 });
    saved.changed();
  }

  /** Undo and redo of the opening: the document that is shown is not kept beside itself. */
  private followHistory(): void {
    const { saved } = this.options;
    const { doc } = this.editor.state;
    if (!this.last) return;
    const { name, before, after } = this.last;
    if (this.returned) {
      if (!isSame(doc, after)) return;
      saved.keep(this.returned, name);
      this.returned = null;
    } else if (before !== after && isSame(doc, before)) this.returned = saved.release();
  }

  private say(text: (m: Messages) => string): void {
    this.options.notices.show("open-document", text, [this.close]);
  }

  private question(text: (m: Messages) => string, name: (m: Messages) => string, goOn: () => Promise<void>): void {
    const run = () => {
      this.options.notices.remove("open-document");
      void goOn();
    };
    this.options.notices.show("open-document", text, [
      { name, run },
      { ...this.close, name: (m) => m.cancel },
    ]);
  }

  private readonly close = {
    name: (m: Messages) => m.close,
    run: () => this.options.notices.remove("open-document"),
  };
}
