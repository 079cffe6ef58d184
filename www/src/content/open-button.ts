/** The button that opens a picker for documents. */
import { h, set } from "../dom";
import { icon } from "../icons";
import { localize } from "../locale";
import { TEXT_FILES } from "copydesk/insert";

export function openButton(open: (files: File[]) => void): HTMLElement {
  const picker = h("input", { type: "file", accept: TEXT_FILES, hidden: true, tabindex: "-1" });
  const button = h("button", { type: "button", class: "tool" }, icon("open"));
  localize((m) => set(button, { "aria-label": m.openDocument, title: m.openDocument }));
  button.addEventListener("click", () => picker.click());
  picker.addEventListener("change", () => {
    open([...(picker.files ?? [])]);
    picker.value = "";
  });
  return h("span", {}, button, picker);
}
