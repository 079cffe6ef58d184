/** Asks about pending changes before the document leaves the page. */
import type { Editor } from "@tiptap/core";
import type { Pending } from "copydesk/export";
import { hunksOf } from "copydesk/tiptap";
import { html } from "lit";
import { showForm } from "../dialog";
import { messages } from "../locale";
import { radios } from "./fields";

/** Returns the user's choice, or null if they cancel. Nobody is asked if nothing is pending. */
export function askPending(editor: Editor): Promise<Pending | null> {
  const count = hunksOf(editor).length;
  if (!count) return Promise.resolve("rejected");
  const m = messages().files.pending;
  const choices = (["accepted", "marked", "rejected"] as const).map((pending) => [pending, m[pending]] as const);
  return new Promise((resolve) =>
    showForm(
      {
        id: "pending-changes",
        title: m.title,
        submit: m.run,
        onSubmit: (values) => resolve(values.get("pending") as Pending),
        onClose: () => resolve(null),
      },
      html`<p class="field-hint">${m.waiting(count)}</p>
        <div class="fields">${radios("pending", m.question, choices, "accepted")}</div>`,
    ),
  );
}
