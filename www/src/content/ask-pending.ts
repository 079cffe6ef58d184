/** Asks what becomes of pending changes before the document leaves the page. */
import type { Editor } from "@tiptap/core";
import type { Pending } from "copydesk/export";
import { hunksOf } from "copydesk/tiptap";
import { showDialog } from "../dialog";
import { h } from "../dom";
import { messages } from "../locale";

/** Returns the user's choice, or null if they cancel. Nobody is asked if nothing is pending. */
export function askPending(editor: Editor): Promise<Pending | null> {
  const count = hunksOf(editor).length;
  if (!count) return Promise.resolve("rejected");
  const m = messages().files.pending;
  const dialog = h("dialog", { class: "dialog pending-changes", "aria-labelledby": "pending-title" });
  const choices = (["accepted", "marked", "rejected"] as const).map((pending, at) =>
    h(
      "label",
      {},
      h("input", { type: "radio", name: "pending", value: pending, checked: at === 0 }),
      h("span", {}, m[pending]),
    ),
  );
  const cancel = h("button", { type: "button", class: "button plain" }, messages().cancel);
  cancel.addEventListener("click", () => dialog.close());
  const form = h(
    "form",
    { method: "dialog" },
    h("header", { class: "dialog-head" }, h("h2", { id: "pending-title" }, m.title)),
    h(
      "div",
      { class: "dialog-body" },
      h("p", { class: "field-hint" }, m.waiting(count)),
      h("div", { class: "fields" }, h("fieldset", { class: "radios" }, h("legend", {}, m.question), ...choices)),
    ),
    h("footer", { class: "dialog-foot" }, cancel, h("button", { type: "submit", class: "button" }, m.run)),
  );
  return new Promise((resolve) => {
    form.addEventListener("submit", () => resolve(new FormData(form).get("pending") as Pending));
    dialog.addEventListener("close", () => resolve(null));
    showDialog(dialog, form);
  });
}
