/** The pending changes of an editor. */

import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import type { Hunk, ReviewView } from "../types/index.js";
import { placed, reviewState } from "./state.js";

const NONE: readonly Hunk[] = [];
const found = new WeakMap<Editor, { doc: Node; revision: number; hunks: readonly Hunk[] }>();

/** Returns the pending changes of an editor in the order of the document, with current positions. It is the same array
 * while nothing has changed. */
export function hunksOf(editor: Editor): readonly Hunk[] {
  const shown = editor.isDestroyed ? undefined : reviewState(editor.state);
  if (!shown?.hunks.length) return NONE;
  const { document } = editor.storage.copydesk;
  const revision = document.hunkPlaces(0, 0)[0] ?? 0;
  const { doc } = editor.state;
  const last = found.get(editor);
  if (last && last.doc === doc && last.revision === revision) return last.hunks;
  const read = last?.revision === revision ? last.hunks : shown.revision === revision ? shown.hunks : undefined;
  const hunks = read ? placed(read, document.hunkPlaces()) : document.hunks();
  found.set(editor, { doc, revision, hunks });
  return hunks;
}

/** Returns a number that changes when pending changes are added, decided or changed, but not when typing moves them. */
export function hunksRevision(editor: Editor): number {
  return (editor.isDestroyed ? undefined : reviewState(editor.state)?.revision) ?? 0;
}

/** Returns the version of the document that an editor shows. */
export function reviewViewOf(editor: Editor): ReviewView {
  return (editor.isDestroyed ? undefined : reviewState(editor.state)?.view) ?? "marked";
}
