/** Makes a room of a document. */
import type { Editor } from "@tiptap/core";
import type { NodeJSON } from "copydesk";
import { embedImages } from "copydesk/export";
import { copyToRoom, openRoom } from "copydesk/room";
import { ownImages } from "../content/own-images";
import { person } from "./person";

/** Copies the document of an editor, with its pending changes, into a new room. Returns the name of the room. */
export async function makeRoom(editor: Editor, server: string | undefined): Promise<string> {
  const name = crypto.randomUUID();
  // Images of this browser would be missing in others.
  const { chapters } = await embedImages({ chapters: [{ json: editor.getJSON() }] }, (image) => ownImages.read(image));
  const room = await openRoom({ name, ...(server && { server }) });
  await copyToRoom(editor, room, { user: person(), json: chapters[0]!.json as NodeJSON });
  await room.close();
  return name;
}
