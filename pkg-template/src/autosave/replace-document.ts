/** Shows another document in an editor. */

import type { Editor } from "@tiptap/core";
import type { Hunk, NodeJSON } from "copydesk";

/** Shows another document, with changes that wait for review. Undo does not lead back to the one before. */
export function replaceDocument(editor: Editor, json: NodeJSON, hunks: Hunk[]): void {
  const { document } = editor.storage.copydesk;
  document.reject("all");
  editor.commands.setContent(json);
  const { view } = editor;
  const { plugins } = view.state;
  // A plugin that is added again starts with an empty state.
  const others = plugins.filter(({ spec }) => (spec.key as { key?: string } | undefined)?.key !== "history$");
  view.updateState(view.state.reconfigure({ plugins: others }));
  view.updateState(view.state.reconfigure({ plugins }));
  if (hunks.length) document.restoreHunks(hunks);
  editor.commands.setTextSelection(0);
}
