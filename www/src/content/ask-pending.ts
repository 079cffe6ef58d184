/** Asks what becomes of pending changes before the document leaves the page. */
import type { Editor } from "@tiptap/core";
import type { Pending } from "copydesk/export";
import { hunksOf } from "copydesk/tiptap";
import { showForm } from "../dialog";
import { h } from "../dom";
import { messages } from "../locale";

/** Returns the user's choice, or null if they cancel. Nobody is asked if nothing is pending. */
export function askPending(editor: Editor): Promise<Pending | null> {
  const count = hunksOf(editor).length;
  if (!count) return Promise.resolve("rejected");
  const m = messages().files.pending;
  const choices = (["accepted", "marked", "rejected"] as const).map((pending, at) =>
    h(
      "label",
      {},
      h("input", { type: "radio", name: "pending", value: pending, checked: at === 0 }),
      h("span", {}, m[pending]),
    ),
  );
  const fields = h("fieldset", { class: "radios" }, h("legend", {}, m.question), ...choices);
  return new Promise((resolve) =>
    showForm(
      {
        id: "pending-changes",
        title: m.title,
        submit: m.run,
        onSubmit: (values) => resolve(values.get("pending") as Pending),
        onClose: () => resolve(null),
      },
      h("p", { class: "field-hint" }, m.waiting(count)),
      h("div", { class: "fields" }, fields),
    ),
  );
}
