/** A copy of a document in a room. */

import { Editor, Extension } from "@tiptap/core";
import { prosemirrorJSONToYXmlFragment, ySyncPlugin } from "@tiptap/y-tiptap";
import { unbound } from "../suggestions/bound-extensions.js";
import { Suggestions } from "../suggestions/extension.js";
import { Copydesk } from "../tiptap.js";
import type { Author, NodeJSON } from "../types/index.js";
import type { Room } from "./room.js";

export interface CopyToRoomOptions {
  /** The author of pending changes that have none. */
  user: Omit<Author, "kind">;
  /** The document. Default: that of the editor. */
  json?: NodeJSON;
}

/**
 * Copies the document of an editor into a room that has none yet, with the pending changes as suggestions. Resolves with
 * false if these do not fit the document: then the room has none of them.
 */
export async function copyToRoom(
  editor: Editor,
  { document: shared }: Pick<Room, "document">,
  { user, json = editor.getJSON() as NodeJSON }: CopyToRoomOptions,
): Promise<boolean> {
  const fragment = shared.getXmlFragment("default");
  const { hunks } = editor.storage.copydesk.pending;
  prosemirrorJSONToYXmlFragment(editor.schema, json, fragment);
  if (!hunks.length) return true;
  const collaboration = Extension.create({
    name: "collaboration",
    addProseMirrorPlugins: () => [ySyncPlugin(fragment)],
  });
  const copy = new Editor({
    element: document.createElement("div"),
    extensions: [
      ...unbound(editor.options.extensions),
      collaboration,
      Copydesk.configure({ mode: "review", pending: { hunks } }),
      Suggestions.configure({ document: shared, user }),
    ],
  });
  const isWhole = await copy.storage.copydesk.restored.then(
    () => true,
    () => false,
  );
  copy.storage.suggestions.settle();
  copy.destroy();
  return isWhole;
}
