/** What all dialogs of the page share, and the list of keyboard shortcuts. */
import { h, type Child } from "./dom";
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

interface FormDialog {
  /** The beginning of its ids. */
  id: string;
  title: string;
  /** The text of the button that submits it. */
  submit: string;
  onSubmit: (values: FormData) => void;
  onClose?: () => void;
}

/** Shows a dialog with fields, which is cancelled or submitted. */
export function showForm({ id, title, submit, onSubmit, onClose }: FormDialog, ...body: Child[]): void {
  const dialog = h("dialog", { class: `dialog ${id}`, "aria-labelledby": `${id}-heading` });
  const cancel = h("button", { type: "button", class: "button plain" }, messages().cancel);
  cancel.addEventListener("click", () => dialog.close());
  const form = h(
    "form",
    { method: "dialog" },
    h("header", { class: "dialog-head" }, h("h2", { id: `${id}-heading` }, title)),
    h("div", { class: "dialog-body" }, ...body),
    h("footer", { class: "dialog-foot" }, cancel, h("button", { type: "submit", class: "button" }, submit)),
  );
  form.addEventListener("submit", () => onSubmit(new FormData(form)));
  if (onClose) dialog.addEventListener("close", onClose);
  showDialog(dialog, form);
}

/** Shows a dialog with a title, and a button that closes it. */
export function showTitled(dialog: HTMLDialogElement, title: string, ...content: Child[]): void {
  const m = messages();
  const close = h("button", { type: "button", class: "tool", "aria-label": m.close, title: m.close }, icon("close"));
  close.addEventListener("click", () => dialog.close());
  const heading = h("h2", { id: dialog.getAttribute("aria-labelledby")! }, title);
  showDialog(dialog, h("div", {}, h("header", { class: "dialog-head" }, heading, close), ...content));
}

/** Opens the list of keyboard shortcuts. */
export function openShortcuts(modKey: string): void {
  const m = messages();
  const dialog = h("dialog", { class: "dialog shortcuts", "aria-labelledby": "shortcuts-title" });
  const rows = m.shortcutList.flatMap(([keys, action]) => [
    h("dt", {}, ...keys.split(" ").map((key) => h("kbd", {}, key === "Mod" ? modKey : key))),
    h("dd", {}, action),
  ]);
  showTitled(dialog, m.shortcuts, h("div", { class: "dialog-body" }, h("dl", {}, ...rows)));
}
