import { Editor } from "@tiptap/core";
import Collaboration from "@tiptap/extension-collaboration";
import StarterKit from "@tiptap/starter-kit";
import { openRoom, roomExtensions, setRoomUser } from "copydesk/room";
import { Copydesk } from "copydesk/tiptap";

const room = await openRoom({ name: "b7c1-tea", keep: false });
const editor = new Editor({
  element: document.createElement("div"),
  extensions: [
    StarterKit.configure({ undoRedo: false }),
    Collaboration.configure({ document: room.document }),
    Copydesk.configure({ mode: "review" }),
    ...roomExtensions(room, { user: { name: "Ada", color: "#3f6fd8" } }),
  ],
});
const people = document.createElement("copydesk-room");
Object.assign(people, { room, editor });
people.addEventListener("name-change", ({ detail: { name } }) => setRoomUser(room, editor, { name }));
export default people;
