/** The time when an editor is in the page: TipTap 3 creates its view with its element. */

import type { Editor } from "@tiptap/core";

/** Returns true if the editor has a view. */
export function isMounted(editor: Editor): boolean {
  try {
    return editor.view.dom instanceof HTMLElement && !editor.isDestroyed;
  } catch {
    // TipTap 3 throws before the editor is mounted.
    return false;
  }
}

/** Calls `run` when the editor is in the page. Returns a function that ends the wait. */
export function whenMounted(editor: Editor, run: () => void): () => void {
  if (isMounted(editor)) {
    run();
    return () => {};
  }
  const mounted = () => {
    editor.off("mount", mounted);
    run();
  };
  editor.on("mount", mounted);
  return () => void editor.off("mount", mounted);
}
