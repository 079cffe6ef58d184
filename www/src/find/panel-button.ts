/** The button above the search in files that searches the document that is shown. */
import { h } from "../dom";
import { icon } from "../icons";
import { localize } from "../locale";

export function findInDocument(open: () => void): HTMLElement {
  const name = h("span");
  const button = h("button", { type: "button", class: "own-document" }, icon("read"), name);
  localize((m) => (name.textContent = m.findInDocument));
  button.addEventListener("click", open);
  return button;
}
