/** The page with the document of a room in place of the user's own. */
import type { Editor } from "@tiptap/core";
import Collaboration from "@tiptap/extension-collaboration";
import { indexedDBStorage } from "copydesk/assistant";
import { followAuthor } from "copydesk/authorship";
import { withComments } from "copydesk/comments";
import { openRoom, roomExtensions, setRoomUser, type Room, type RoomProblem } from "copydesk/room";
import { dataURL } from "copydesk/insert";
import { showAgent } from "copydesk/suggestions";
import "copydesk/ui/authorship";
import "copydesk/ui/comments";
import "copydesk/ui/room";
import type { CopydeskEvents } from "copydesk/ui";
import { html, render } from "lit";
import { exportMenu } from "../content/export-menu";
import type { Template } from "../draw";
import { createEditor } from "../editor";
import type { Engine } from "../engine";
import type { Layout } from "../layout";
import { reasonOf } from "../lazy";
import { connectPage } from "../page";
import { registerOutline } from "../panels";
import { Session } from "../session";
import { loadForVisit, saveForVisit } from "../storage";
import { person, setName } from "./person";

export async function openRoomPage(name: string, layout: Layout, engine: Engine): Promise<void> {
  const { notices, side } = layout;
  const server = new URLSearchParams(location.search).get("server") ?? undefined;
  const onProblem = (problem: RoomProblem) => notices.show("room", (m) => m.share.problems[problem]);
  const room = await openRoom({ name, ...(server && { server }), onProblem });
  const user = person();
  const images = { keepImage: dataURL, onProblem: (error: unknown) => notices.show("image", reasonOf(error)) };
  const mode = loadForVisit("typing") === "suggest" ? "suggest" : "edit";
  const editor = createEditor(layout.mount, {
    room: [Collaboration.configure({ document: room.document }), ...roomExtensions(room, { user, mode })],
    actions: () => session.actions,
    insert: images,
  });
  const session = new Session(editor, engine);
  session.furtherOptions = () => withComments({ document: editor });
  showRoom(layout, room, editor);
  registerOutline(layout, editor);
  for (const [id, icon, element] of [
    ["comments", "comments", html`<copydesk-comments .editor=${editor}></copydesk-comments>`],
    ["authorship", "pen", html`<copydesk-authorship .editor=${editor}></copydesk-authorship>`],
  ] as const)
    side.register({
      id,
      icon,
      name: (m) => m.share[id],
      wide: true,
      mount: (panel) => void render(element, panel),
    });
  editor.on("commentSelect", ({ thread }) => thread && void side.show("comments"));
  layout.addAction(
    exportMenu(editor, {
      notices,
      file: () => undefined,
      chapters: () => Promise.resolve({ chapters: [], skipped: [] }),
      image: () => Promise.resolve(undefined),
      hasBook: () => false,
    }),
  );
  const saved = {
    conversationStorage: indexedDBStorage(`copydesk-conversations ${name}`),
    document: { conversation: loadForVisit("conversation") ?? "" },
    changed: () => saveForVisit("conversation", chat.stored().id),
    flush: settled,
    keepDocument: () => {},
  };
  const { chat, start } = connectPage({ layout, engine, editor, session, images, saved, closeFile: settled });
  const agent = { subscribe: chat.assistant.onEvent.bind(chat.assistant) };
  showAgent({ agent, awareness: room.awareness, editor, document: room.document });
  followAuthor(editor, agent, { model: session.demo ? "demo" : session.settings.modelId });
  editor.storage.comments.subscribe(() => chat.drawWelcome());
  start(settled);
}

const settled = () => Promise.resolve();

/** Shows who is there above the document, with the link of the room. */
function showRoom({ showBar }: Layout, room: Room, editor: Editor): void {
  let isCopied = false;
  const rename = ({ detail }: CopydeskEvents["name-change"]) => {
    setName(detail.name);
    setRoomUser(room, editor, person());
  };
  const copy = async () => {
    await navigator.clipboard.writeText(location.href);
    isCopied = true;
    showBar(bar);
  };
  const bar: Template = (m) =>
    html`<copydesk-room .room=${room} .editor=${editor} @name-change=${rename}
      ><button type="button" class="button plain small" @click=${copy}>
        ${isCopied ? m.share.copied : m.share.copy}</button
      ><a class="button plain small" href=${location.pathname}>${m.share.leave}</a></copydesk-room
    >`;
  editor.on("suggestingChange", ({ mode }) => saveForVisit("typing", mode));
  showBar(bar);
}
