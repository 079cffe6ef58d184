/** Images that the user picks, pastes or drops, and Markdown that the user pastes. */
import { Extension, type Editor } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import { keepImage, type ImageProblem } from "./own-images";
import { withWordLists } from "./word-lists";

export interface InsertOptions {
  onProblem: (problem: ImageProblem) => void;
  /** Receives files that are not images. */
  onFiles: (files: File[]) => void;
}

/** Returns images, which are inserted, and other files, which are opened. */
export function sortFiles(files: readonly File[]): { images: File[]; others: File[] } {
  const isImage = ({ type }: File) => type.startsWith("image/");
  return { images: files.filter(isImage), others: files.filter((file) => !isImage(file)) };
}

/** Inserts image files at a position, or at the selection. */
export async function insertImages(
  editor: Editor,
  files: readonly File[],
  onProblem: InsertOptions["onProblem"],
  at?: number,
): Promise<void> {
  for (const file of files) {
    const kept = await keepImage(file);
    if (editor.isDestroyed) return;
    if ("problem" in kept) {
      onProblem(kept.problem);
      continue;
    }
    const image = { type: "image", attrs: { src: kept.url, alt: file.name.replace(/\.\w+$/, "") } };
    const position = Math.min(at ?? editor.state.selection.to, editor.state.doc.content.size);
    editor.chain().focus().insertContentAt(besideText(editor, position), image).run();
  }
}

/** Returns the place for a block at a position: before or after the text there, which is not split, or in place of an
 * empty paragraph. */
function besideText({ state }: Editor, position: number): number | { from: number; to: number } {
  const at = state.doc.resolve(position);
  if (!at.parent.isTextblock) return position;
  if (at.parent.content.size === 0) return { from: at.before(), to: at.after() };
  return at.parentOffset === 0 ? at.before() : at.after();
}

/** Matches lines that make a block in Markdown: a heading, an item, a quote, a fence, a row of a table. */
const BLOCK = /^ {0,3}(?:#{1,6} \S|[-*+] \S|\d{1,3}[.)] \S|> |```|~~~|\|.+\|\s*$|(?:-{3,}|\*{3,})\s*$)/m;
const INLINE = /\*\*\S[^*]*\*\*|\[[^\]]+\]\(https?:[^)]+\)/;

export function looksLikeMarkdown(text: string): boolean {
  return BLOCK.test(text) || (text.includes("\n\n") && INLINE.test(text));
}

/** Inserts Markdown as blocks; as text if it cannot be read, or the part that reads it cannot be loaded. */
async function insertMarkdown(editor: Editor, text: string): Promise<void> {
  const content = await import("./read-markdown")
    .then(async ({ readInWorker }) => (await readInWorker(text, editor.schema)).content ?? [])
    .catch((error: unknown) => void console.warn(error));
  if (editor.isDestroyed) return;
  if (!content || !editor.chain().focus().insertContent(content).run()) editor.view.pasteText(text);
}

export const InsertExtension = Extension.create<InsertOptions>({
  name: "insertFiles",
  addOptions: () => ({ onProblem: () => {}, onFiles: () => {} }),
  addProseMirrorPlugins() {
    const { editor, options } = this;
    const filesOf = (data: DataTransfer | null) => [...(data?.files ?? [])];
    const take = (files: File[], at?: number) => {
      const { images, others } = sortFiles(files);
      if (images.length) void insertImages(editor, images, options.onProblem, at);
      if (others.length) options.onFiles(others);
    };
    return [
      new Plugin({
        props: {
          transformPastedHTML: withWordLists,
          handlePaste(view, event) {
            const data = event.clipboardData;
            const html = data?.getData("text/html") ?? "";
            const files = filesOf(data);
            // Programs that copy formatted text add a picture of it.
            if (files.length && !html.replace(/<meta[^>]*>|<img[^>]*>|<!--.*?-->|<\/?(?:html|body)>|\s/gi, "")) {
              take(files);
              return true;
            }
            const text = data?.getData("text/plain") ?? "";
            const asText = (view as unknown as { input?: { shiftKey?: boolean } }).input?.shiftKey === true;
            if (html || asText || editor.isActive("codeBlock") || !looksLikeMarkdown(text)) return false;
            void insertMarkdown(editor, text);
            return true;
          },
          handleDrop(view, event) {
            const files = filesOf(event.dataTransfer);
            if (!files.length) return false;
            const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
            take(files, at);
            // The page has nothing to do with them any more.
            event.preventDefault();
            return true;
          },
        },
      }),
    ];
  },
});
