/** The button that opens the document in a room, and its dialog. What a room needs is loaded when it is made. */
import type { Editor } from "@tiptap/core";
import { hunksRevision } from "copydesk/tiptap";
import { field } from "../content/export-menu";
import { showForm } from "../dialog";
import { h, set } from "../dom";
import type { Engine } from "../engine";
import { icon } from "../icons";
import { loadPart, reasonOf } from "../lazy";
import { localize, messages } from "../locale";
import type { Notices } from "../notices";

export function shareButton(editor: Editor, notices: Notices, engine: Engine): HTMLElement {
  const button = h("button", { type: "button", class: "tool" }, icon("share"));
  localize((m) => set(button, { "aria-label": m.share.share, title: m.share.share }));
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
  button.addEventListener("click", () => askForServer((server) => void share(server)));
  return button;
}

function askForServer(share: (server: string | undefined) => void): void {
  const m = messages();
  const [type, pattern, placeholder] = ["url", "wss?://.+", "wss://"];
  const server = h("input", { type, id: "share-server", placeholder, pattern, autocomplete: "off" });
  const hints = [m.share.hint, m.share.serverHint].map((hint) => h("p", { class: "field-hint" }, hint));
  const onSubmit = () => share(server.value.trim() || undefined);
  const address = field(m.share.server, server);
  showForm({ id: "share", title: m.share.title, submit: m.share.share, onSubmit }, hints[0], address, hints[1]);
}
