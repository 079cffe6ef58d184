/** Buttons that open a picker for files. */
import { h, set } from "../dom";
import { icon, type IconName } from "../icons";
import { localize, type Messages } from "../locale";
import { TEXT_FILES } from "copydesk/insert";

export const openButton = (open: (files: File[]) => void) =>
  pickerButton({ accept: TEXT_FILES, look: "open", name: (m) => m.openDocument, onFiles: open });

export const imageButton = (insert: (files: File[]) => void) =>
  pickerButton({ accept: "image/*", multiple: true, look: "image", name: (m) => m.image, onFiles: insert });

interface PickerOptions {
  accept: string;
  multiple?: boolean;
  look: IconName;
  name: (m: Messages) => string;
  onFiles: (files: File[]) => void;
}

function pickerButton({ accept, multiple, look, name, onFiles }: PickerOptions): HTMLElement {
  const picker = h("input", { type: "file", accept, multiple, hidden: true, tabindex: "-1" });
  const button = h("button", { type: "button", class: "tool" }, icon(look));
  localize((m) => set(button, { "aria-label": name(m), title: name(m) }));
  // Keeps the selection in the document.
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => picker.click());
  picker.addEventListener("change", () => {
    onFiles([...(picker.files ?? [])]);
    picker.value = "";
  });
  document.body.append(picker);
  return button;
}
