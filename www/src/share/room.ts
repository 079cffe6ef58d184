/** Makes a room of a document. */
import type { Editor } from "@tiptap/core";
import { copyToRoom, openRoom } from "copydesk/room";
import { ownImages } from "../content/own-images";
import { person } from "./person";

/** Copies the document of an editor, with its pending changes, into a new room. Returns the name of the room, and false if it has
 * none of the pending changes. */
export async function makeRoom(
  editor: Editor,
  server: string | undefined,
): Promise<{ name: string; isWhole: boolean }> {
  const name = crypto.randomUUID();
  const room = await openRoom({ name, ...(server && { server }) });
  try {
    // Images of this browser would be missing in others.
    const isWhole = await copyToRoom(editor, room, { user: person(), readImage: (image) => ownImages.read(image) });
    return { name, isWhole };
  } finally {
    await room.close();
  }
}
