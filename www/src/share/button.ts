/** The button that opens the document in a room, and its dialog. What a room needs is loaded when it is made. */
import type { Editor } from "@tiptap/core";
import { showDialog } from "../dialog";
import { h, set } from "../dom";
import type { Engine } from "../engine";
import { icon } from "../icons";
import { loadPart, reasonOf } from "../lazy";
import { localize, messages } from "../locale";
import type { Notices } from "../notices";
import { person, setName } from "./person";

export function shareButton(editor: Editor, notices: Notices, engine: Engine): HTMLElement {
  const button = h("button", { type: "button", class: "tool" }, icon("share"));
  localize((m) => set(button, { "aria-label": m.share.share, title: m.share.share }));
  const share = async (server: string | undefined) => {
    try {
      await engine.load();
      const { makeRoom } = await loadPart(() => import("./room"));
      const room = await makeRoom(editor, server);
      location.search = String(new URLSearchParams({ room, ...(server && { server }) }));
    } catch (error) {
      console.warn(error);
      notices.show("share", reasonOf(error), [{ name: (m) => m.close, run: () => notices.remove("share") }]);
    }
  };
  button.addEventListener("click", () => askForRoom((server) => void share(server)));
  return button;
}

function askForRoom(share: (server: string | undefined) => void): void {
  const m = messages();
  const dialog = h("dialog", { class: "dialog share", "aria-labelledby": "share-title" });
  const name = h("input", { type: "text", id: "share-name", autocomplete: "name", maxlength: 60 });
  const server = h("input", {
    type: "url",
    id: "share-server",
    placeholder: "wss://",
    pattern: "wss?://.+",
    autocomplete: "off",
  });
  name.value = person().name;
  const cancel = h("button", { type: "button", class: "button plain" }, m.cancel);
  cancel.addEventListener("click", () => dialog.close());
  const field = (label: string, input: HTMLElement, hint: string) =>
    h(
      "div",
      { class: "field" },
      h("label", { for: input.id }, label),
      h("div", { class: "field-box" }, input),
      hint && h("p", { class: "field-hint" }, hint),
    );
  const form = h(
    "form",
    { method: "dialog" },
    h("header", { class: "dialog-head" }, h("h2", { id: "share-title" }, m.share.title)),
    h(
      "div",
      { class: "dialog-body" },
      h("p", { class: "field-hint" }, m.share.hint),
      h("div", { class: "fields" }, field(m.share.name, name, ""), field(m.share.server, server, m.share.serverHint)),
    ),
    h("footer", { class: "dialog-foot" }, cancel, h("button", { type: "submit", class: "button" }, m.share.share)),
  );
  form.addEventListener("submit", () => {
    if (name.value.trim()) setName(name.value.trim());
    share(server.value.trim() || undefined);
  });
  showDialog(dialog, form);
  name.focus();
}
