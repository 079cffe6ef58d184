/** What all dialogs of the page share, and the list of keyboard shortcuts. */
import { h } from "./dom";
import { icon } from "./icons";
import { messages } from "./locale";

/** Shows a dialog until it is closed with its buttons, Escape or a click outside. */
export function showDialog(dialog: HTMLDialogElement, content: HTMLElement): void {
  dialog.append(content);
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  let pressedOutside = false;
  dialog.addEventListener("pointerdown", (event) => (pressedOutside = event.target === dialog));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && pressedOutside) dialog.close();
  });
  dialog.showModal();
}

/** Opens the list of keyboard shortcuts. */
export function openShortcuts(modKey: string): void {
  const m = messages();
  const dialog = h("dialog", { class: "dialog shortcuts", "aria-labelledby": "shortcuts-title" });
  const close = h("button", { type: "button", class: "tool", "aria-label": m.close, title: m.close }, icon("close"));
  close.addEventListener("click", () => dialog.close());
  const rows = m.shortcutList.flatMap(([keys, action]) => [
    h("dt", {}, ...keys.split(" ").map((key) => h("kbd", {}, key === "Mod" ? modKey : key))),
    h("dd", {}, action),
  ]);
  showDialog(
    dialog,
    h(
      "div",
      {},
      h("header", { class: "dialog-head" }, h("h2", { id: "shortcuts-title" }, m.shortcuts), close),
      h("div", { class: "dialog-body" }, h("dl", {}, ...rows)),
    ),
  );
}
