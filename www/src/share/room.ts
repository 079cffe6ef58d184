/** Makes a room of a document. */
import type { Editor } from "@tiptap/core";
import Collaboration from "@tiptap/extension-collaboration";
import { prosemirrorJSONToYXmlFragment } from "@tiptap/y-tiptap";
import { embedImages } from "copydesk/export";
import { openRoom, roomExtensions } from "copydesk/room";
import { ownImages } from "../content/own-images";
import { createEditor } from "../editor";
import { person } from "./person";

/** Copies the document of an editor, with its pending changes, into a new room. Returns the name of the room. */
export async function makeRoom(editor: Editor, server: string | undefined): Promise<string> {
  const name = crypto.randomUUID();
  const { hunks } = editor.storage.copydesk.pending;
  // Images of this browser would be missing in others.
  const { chapters } = await embedImages({ chapters: [{ json: editor.getJSON() }] }, (image) => ownImages.read(image));
  const room = await openRoom({ name, ...(server && { server }) });
  const fragment = room.document.getXmlFragment("default");
  prosemirrorJSONToYXmlFragment(editor.schema, chapters[0]!.json, fragment);
  if (hunks.length) {
    const copy = createEditor(document.createElement("div"), {
      room: [Collaboration.configure({ document: room.document }), ...roomExtensions(room, { user: person() })],
      pending: { hunks },
      actions: () => [],
      insert: {},
    });
    await copy.storage.copydesk.restored.catch((error: unknown) => console.warn(error));
    copy.storage.suggestions.settle();
    copy.destroy();
  }
  await room.close();
  return name;
}
