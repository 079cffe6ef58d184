/** Images that the user inserts as files. */

import type { Editor } from "@tiptap/core";
import type { Transaction } from "@tiptap/pm/state";
import { reportError } from "../base/error.js";

/** Keeps an image file. Resolves to the URL that the document gets, or fails with a reason for the user. */
export type KeepImage = (file: File) => Promise<string>;

export interface InsertImagesOptions {
  keepImage: KeepImage;
  /** Called with an image that could not be kept, and the reason. Default: reported as browsers report exceptions. */
  onProblem?: (error: unknown, file: File) => void;
  /** The position at which they are inserted. Default: the selection. */
  position?: number;
}

/** Files, sorted into images and others. */
export interface SortedFiles {
  images: File[];
  others: File[];
}

/** Separates images, which can be inserted, from other files. */
export function sortFiles(files: Iterable<File>): SortedFiles {
  const sorted: SortedFiles = { images: [], others: [] };
  for (const file of files) (file.type.startsWith("image/") ? sorted.images : sorted.others).push(file);
  return sorted;
}

/** Inserts image files as one undo step, in their order, beside the text at the position. Without a node `image` in the
 * schema it does nothing. */
export async function insertImages(
  editor: Editor,
  files: readonly File[],
  { keepImage, onProblem = reportError, position }: InsertImagesOptions,
): Promise<void> {
  const type = editor.schema.nodes.image;
  if (!type || !editor.isEditable) return;
  let at = position;
  // The user may type until the images are kept.
  const follow = ({ transaction }: { transaction: Transaction }) => {
    if (at !== undefined) at = transaction.mapping.map(at);
  };
  editor.on("transaction", follow);
  const kept = await Promise.allSettled(files.map(async (file) => keepImage(file)));
  editor.off("transaction", follow);
  if (editor.isDestroyed) return;
  const images = kept.flatMap((result, index) => {
    const file = files[index]!;
    if (result.status === "rejected") onProblem(result.reason, file);
    else return { type: "image", attrs: { src: result.value, alt: file.name.replace(/\.\w+$/, "") } };
    return [];
  });
  if (!images.length || !editor.isEditable) return;
  const place = Math.min(at ?? editor.state.selection.to, editor.state.doc.content.size);
  editor
    .chain()
    .focus()
    .insertContentAt(type.isInline ? place : besideText(editor, place), images)
    .run();
}

/** Returns the place for a block at a position: before or after the text there, which is not split, or in place of an
 * empty paragraph. */
function besideText({ state }: Editor, position: number): number | { from: number; to: number } {
  const at = state.doc.resolve(position);
  if (!at.parent.isTextblock) return position;
  if (at.parent.content.size === 0) return { from: at.before(), to: at.after() };
  return at.parentOffset === 0 ? at.before() : at.after();
}
