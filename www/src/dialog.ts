/** The common parts of all dialogs of the page, and the list of keyboard shortcuts. */
import { html, render, type TemplateResult } from "lit";
import type { Template } from "./draw";
import { icon } from "./icons";
import { localize, messages } from "./locale";

interface DialogOptions {
  /** The class of the dialog. */
  name: string;
  /** The id of its heading. */
  heading: string;
  onClose?: (() => void) | undefined;
}

/** Shows a dialog until it is closed with its buttons, Escape or a click outside. */
export function showDialog({ name, heading, onClose }: DialogOptions, content: Template): void {
  const dialog = document.createElement("dialog");
  dialog.className = `dialog ${name}`;
  dialog.setAttribute("aria-labelledby", heading);
  const release = localize((m) => render(content(m), dialog));
  document.body.append(dialog);
  dialog.addEventListener("close", () => {
    release();
    dialog.remove();
    onClose?.();
  });
  let pressedOutside = false;
  dialog.addEventListener("pointerdown", (event) => (pressedOutside = event.target === dialog));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && pressedOutside) dialog.close();
  });
  dialog.showModal();
}

/** Closes the dialog in which an event happens. */
export const closeDialog = ({ currentTarget }: Event): void => (currentTarget as Element).closest("dialog")?.close();

interface FormDialog {
  /** The class of the dialog, and the beginning of its ids. */
  id: string;
  title: string;
  /** The text of the button that submits it. */
  submit: string;
  onSubmit: (values: FormData) => void;
  onClose?: () => void;
}

/** Shows a dialog with fields, which is cancelled or submitted. */
export function showForm({ id, title, submit, onSubmit, onClose }: FormDialog, body: TemplateResult): void {
  const heading = `${id}-heading`;
  const submitted = ({ currentTarget }: Event) => onSubmit(new FormData(currentTarget as HTMLFormElement));
  showDialog(
    { name: id, heading, onClose },
    (m) =>
      html`<form method="dialog" @submit=${submitted}>
        <header class="dialog-head"><h2 id=${heading}>${title}</h2></header>
        <div class="dialog-body">${body}</div>
        <footer class="dialog-foot">
          <button type="button" class="button plain" @click=${closeDialog}>${m.cancel}</button>
          <button type="submit" class="button">${submit}</button>
        </footer>
      </form>`,
  );
}

/** Shows a dialog with a title, and a button that closes it. */
export function showTitled(options: DialogOptions, title: string, content: TemplateResult): void {
  showDialog(
    options,
    (m) =>
      html`<div>
        <header class="dialog-head">
          <h2 id=${options.heading}>${title}</h2>
          ${closeButton(m.close)}
        </header>
        ${content}
      </div>`,
  );
}

/** Returns the button that closes a dialog. */
export function closeButton(name: string): TemplateResult {
  return html`<button type="button" class="tool" aria-label=${name} title=${name} @click=${closeDialog}>
    ${icon("close")}
  </button>`;
}

/** Opens the list of keyboard shortcuts. */
export function openShortcuts(modKey: string): void {
  const m = messages();
  const key = (name: string) => html`<kbd>${name === "Mod" ? modKey : name}</kbd>`;
  const rows = m.shortcutList.map(
    ([keys, action]) =>
      html`<dt>${keys.split(" ").map(key)}</dt>
        <dd>${action}</dd>`,
  );
  showTitled(
    { name: "shortcuts", heading: "shortcuts-title" },
    m.shortcuts,
    html`<div class="dialog-body"><dl>${rows}</dl></div>`,
  );
}
