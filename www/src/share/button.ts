/** The button that opens the document in a room, and its dialog. What a room needs is loaded when it is made. */
import type { Editor } from "@tiptap/core";
import { hunksRevision } from "copydesk/tiptap";
import { html } from "lit";
import { field, textOf } from "../content/fields";
import { showForm } from "../dialog";
import type { Template } from "../draw";
import type { Engine } from "../engine";
import { icon } from "../icons";
import { loadPart, reasonOf } from "../lazy";
import { messages } from "../locale";
import type { Notices } from "../notices";

export function shareButton(editor: Editor, notices: Notices, engine: Engine): Template {
  /** The room that waits to be opened, and what it was made of. */
  let made: { of: readonly unknown[]; room: { name: string; isWhole: boolean } } | undefined;
  const share = async (server: string | undefined) => {
    try {
      await engine.load();
      const { makeRoom } = await loadPart(() => import("./room"));
      const of = [editor.state.doc, hunksRevision(editor), server];
      if (!made?.of.every((one, index) => one === of[index])) made = { of, room: await makeRoom(editor, server) };
      const { name: room, isWhole } = made.room;
      const open = () => (location.search = String(new URLSearchParams({ room, ...(server && { server }) })));
      if (isWhole) open();
      else notices.show("share", (m) => m.share.withoutChanges, [{ name: (m) => m.share.open, run: open }]);
    } catch (error) {
      console.warn(error);
      notices.tell("share", reasonOf(error));
    }
  };
  const ask = () => askForServer((server) => void share(server));
  return (m) =>
    html`<button type="button" class="tool" aria-label=${m.share.share} title=${m.share.share} @click=${ask}>
      ${icon("share")}
    </button>`;
}

function askForServer(share: (server: string | undefined) => void): void {
  const m = messages();
  const onSubmit = (values: FormData) => share(textOf(values, "server") || undefined);
  const server = html`<input
    type="url"
    id="share-server"
    name="server"
    placeholder="wss://"
    pattern="wss?://.+"
    autocomplete="off"
  />`;
  showForm(
    { id: "share", title: m.share.title, submit: m.share.share, onSubmit },
    html`<p class="field-hint">${m.share.hint}</p>
      ${field(m.share.server, "share-server", server)}
      <p class="field-hint">${m.share.serverHint}</p>`,
  );
}
