/** Shows both texts of a conflict: the user's, and the one that others wrote. */
import "copydesk/ui/diff";
import { html } from "lit";
import { closeDialog, showTitled } from "../dialog";
import { messages } from "../locale";

/** Resolves with the text that the user takes, or null if the dialog was closed. */
export function askConflict(path: string, mine: string, theirs: string): Promise<"mine" | "theirs" | null> {
  const m = messages().files;
  const label = m.conflictTitle(path);
  return new Promise((resolve) => {
    const choose = (side: "mine" | "theirs") => (event: Event) => {
      resolve(side);
      closeDialog(event);
    };
    showTitled(
      { name: "conflict", heading: "conflict-title", onClose: () => resolve(null) },
      label,
      html`<div class="dialog-body">
          <p class="field-hint">${m.conflictHint}</p>
          <p class="conflict-key"><del>${m.theirs}</del><ins>${m.mine}</ins></p>
          <copydesk-diff .oldText=${theirs} .newText=${mine} .label=${label}></copydesk-diff>
        </div>
        <footer class="dialog-foot">
          <button type="button" class="button plain" @click=${choose("theirs")}>${m.takeTheirs}</button>
          <button type="button" class="button" @click=${choose("mine")}>${m.takeMine}</button>
        </footer>`,
    );
  });
}
