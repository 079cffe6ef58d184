/** Opens text files as the document, and shows what prevents it. */
import type { Editor } from "@tiptap/core";
import { DocumentOpener, type SavedDocuments } from "copydesk/autosave";
import { FileError, textFormatOf } from "copydesk/insert";
import { loadPart, reasonOf } from "../lazy";
import { locale, type Messages } from "../locale";
import type { Notices } from "../notices";
import { ownImages } from "./own-images";

interface OpenOptions {
  saved: SavedDocuments;
  isWorking: () => boolean;
  settle: () => Promise<void>;
  closeFile: () => Promise<void>;
}

/** Returns the function that opens a file, or asks first. */
export function documentOpener(editor: Editor, notices: Notices, options: OpenOptions): (files: File[]) => void {
  const remove = () => notices.remove("open-document");
  const opener = new DocumentOpener({
    ...options,
    editor,
    read: async (file) => {
      textFormatOf(file);
      const { readTextFile } = await loadPart(() => import("copydesk/markdown"));
      return readTextFile(file, editor.schema, { keepImage: ownImages.keep, locale: locale() });
    },
    ask: ({ type, name }, goOn) => {
      const run = () => (remove(), void goOn());
      const isWorking = type === "working";
      notices.show("open-document", (m) => (isWorking ? m.files.busy : m.open.replaces(name)), [
        { name: (m) => (isWorking ? m.files.stopAndOpen : m.open.open), run },
        { name: (m) => m.cancel, run: remove },
      ]);
    },
    onShow: () => {
      remove();
      editor.view.dom.closest("[data-scroller]")?.scrollTo({ top: 0 });
    },
    onProblem: (error, { name }) => {
      console.warn(error);
      const reason = reasonOf(error);
      const text = (m: Messages) => (error instanceof FileError ? reason(m) : m.open.failed(name, reason(m)));
      notices.tell("open-document", text);
    },
  });
  return (files) => {
    if (files.length > 1) notices.tell("open-document", (m) => m.open.oneFile);
    else if (files[0]) void opener.open(files[0]);
  };
}
