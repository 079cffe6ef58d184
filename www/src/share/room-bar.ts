/** The bar above a shared document: who is there, how the person writes, and the link of the room. */
import type { Editor } from "@tiptap/core";
import { setRoomUser, type Room } from "copydesk/room";
import type { TypingMode } from "copydesk/suggestions";
import { h, set } from "../dom";
import { localize, messages } from "../locale";
import { saveForVisit } from "../storage";
import { person, setName } from "./person";

const MODES: readonly TypingMode[] = ["edit", "suggest"];

/** Draws the bar into an element, now and after each change. */
export function showRoomBar(bar: HTMLElement, room: Room, editor: Editor): void {
  const name = h("input", { type: "text", class: "room-name", autocomplete: "name", maxlength: 60 });
  const others = h("ul", { class: "room-people" });
  const mode = h("select", { class: "room-mode" });
  const state = h("span", { class: "room-state", role: "status" });
  const copy = h("button", { type: "button", class: "button plain small" });
  const leave = h("a", { class: "button plain small", href: location.pathname });
  name.value = person().name;
  const draw = () => {
    const { share } = messages();
    const { isConnected, participants } = room;
    set(bar, { role: "group", "aria-label": share.room });
    set(name, { "aria-label": share.name, title: share.name });
    set(others, { "aria-label": share.people });
    const items = participants
      .filter(({ isSelf }) => !isSelf)
      .map(({ name, color, activity }) => {
        const item = h("li", {}, activity ? share.activity(name, activity) : name);
        if (color) item.style.setProperty("--author", color);
        return item;
      });
    others.replaceChildren(...(items.length ? items : [h("li", { class: "room-alone" }, share.alone)]));
    state.textContent = isConnected === undefined ? share.local : isConnected ? share.connected : share.offline;
    set(mode, { "aria-label": share.mode, title: share.mode });
    mode.replaceChildren(...MODES.map((each) => h("option", { value: each }, share.modes[each])));
    mode.value = editor.storage.suggestions.mode;
    copy.textContent = share.copy;
    leave.textContent = share.leave;
  };
  name.addEventListener("change", () => {
    name.value = name.value.trim() || person().name;
    setName(name.value);
    setRoomUser(room, editor, person());
  });
  mode.addEventListener("change", () => {
    editor.storage.suggestions.setMode(mode.value as TypingMode);
    saveForVisit("typing", mode.value);
  });
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    copy.textContent = messages().share.copied;
  });
  bar.replaceChildren(name, others, mode, state, copy, leave);
  bar.hidden = false;
  room.subscribe(draw);
  editor.on("suggestingChange", draw);
  localize(draw);
}
