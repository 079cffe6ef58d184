/** The extension that takes what users paste and drop. */

import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import { reportError } from "../base/error.js";
import { insertImages, sortFiles, type KeepImage } from "./images.js";
import { insertMarkdown, looksLikeMarkdown } from "./markdown.js";
import { withWordLists } from "./word-lists.js";

export interface PasteAndDropOptions {
  /** Keeps the images, which are inserted then. Without it they are left to other extensions. */
  keepImage: KeepImage | null;
  /** Receives files that are not images. Without it they are left to other extensions and to the page. */
  onFiles: ((files: File[]) => void) | null;
  /** Called with an image that could not be kept, and the reason. */
  onProblem: (error: unknown, file: File) => void;
  /** True if text that looks like Markdown becomes blocks. Pasting with Shift inserts the text. Default: true. */
  markdown: boolean;
}

/** Inserts images and Markdown, and the lists of Word as lists. */
export const PasteAndDrop = Extension.create<PasteAndDropOptions>({
  name: "pasteAndDrop",
  addOptions: () => ({ keepImage: null, onFiles: null, onProblem: reportError, markdown: true }),
  addProseMirrorPlugins() {
    const { editor, options } = this;
    /** Takes files. Returns true if there is nothing left of them. */
    const take = (files: readonly File[], position?: number): boolean => {
      const { images, others } = sortFiles(files);
      const { keepImage, onProblem, onFiles } = options;
      // ProseMirror handles some pastes 50 ms later.
      if (editor.isDestroyed) return false;
      const [takesImages, takesOthers] = [!!keepImage && !!editor.schema.nodes.image, !!onFiles];
      if (!(takesImages || !images.length) || !(takesOthers || !others.length)) return false;
      if (keepImage && images.length) void insertImages(editor, images, { keepImage, onProblem, position });
      if (others.length) onFiles?.(others);
      return true;
    };
    return [
      new Plugin({
        props: {
          transformPastedHTML: withWordLists,
          handlePaste(view, event) {
            const data = event.clipboardData;
            const html = data?.getData("text/html") ?? "";
            const files = [...(data?.files ?? [])];
            // Programs that copy formatted text add a picture of it.
            if (files.length && !html.replace(/<meta[^>]*>|<img[^>]*>|<!--.*?-->|<\/?(?:html|body)>|\s/gi, ""))
              return take(files);
            const text = data?.getData("text/plain") ?? "";
            // ProseMirror does not pass on that Shift was pressed.
            const asText = (view as unknown as { input?: { shiftKey?: boolean } }).input?.shiftKey === true;
            const isCode = view.state.selection.$from.parent.type.spec.code === true;
            if (!options.markdown || html || asText || isCode || !looksLikeMarkdown(text)) return false;
            void insertMarkdown(editor, text);
            return true;
          },
          handleDrop(view, event) {
            const files = [...(event.dataTransfer?.files ?? [])];
            if (!files.length) return false;
            const position = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
            const isTaken = take(files, position);
            // The page has nothing to do with them any more.
            if (isTaken) event.preventDefault();
            return isTaken;
          },
        },
      }),
    ];
  },
});
