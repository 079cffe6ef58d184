/** A copy of a document in a room. */

import { Editor, Extension } from "@tiptap/core";
import { prosemirrorJSONToYXmlFragment, ySyncPlugin } from "@tiptap/y-tiptap";
import { embedding, type ImageReader } from "../export/embedded-nodes.js";
import { unbound } from "../suggestions/bound-extensions.js";
import { Suggestions } from "../suggestions/extension.js";
import { Copydesk } from "../tiptap.js";
import type { Author, NodeJSON } from "../types/index.js";
import type { Room } from "./room.js";

export interface CopyToRoomOptions {
  /** The author of pending changes that have none. */
  user: Omit<Author, "kind">;
  /** Returns the images that others cannot load, by the URLs in the document and in pending changes: they are data URLs in the
   * room. */
  readImage?: ImageReader;
}

/**
 * Copies the document of an editor into a room that has none yet, with the pending changes as suggestions. Resolves with
 * false if these do not fit the document: then the room has none of them.
 */
export async function copyToRoom(
  editor: Editor,
  { document: shared }: Pick<Room, "document">,
  { user, readImage }: CopyToRoomOptions,
): Promise<boolean> {
  const fragment = shared.getXmlFragment("default");
  const given = editor.storage.copydesk.pending.hunks;
  const embedded = readImage ? embedding(readImage) : (node: NodeJSON) => Promise.resolve(node);
  const [json, hunks] = await Promise.all([
    embedded(editor.getJSON() as NodeJSON),
    Promise.all(
      given.map(async (hunk) => ({ ...hunk, content: await Promise.all(hunk.content.map((node) => embedded(node))) })),
    ),
  ]);
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
      // The document comes from the fragment later.
      Copydesk.configure({ mode: "review", pending: { hunks, document: json } }),
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
