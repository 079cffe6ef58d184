/** Shows both texts of a conflict: the user's, and the one that others wrote. */
import "copydesk/ui/diff";
import { showTitled } from "../dialog";
import { h } from "../dom";
import { messages } from "../locale";

/** Resolves with the text that the user takes, or null if the dialog was closed. */
export function askConflict(path: string, mine: string, theirs: string): Promise<"mine" | "theirs" | null> {
  const m = messages();
  const label = m.files.conflictTitle(path);
  const view = Object.assign(document.createElement("copydesk-diff"), { oldText: theirs, newText: mine, label });
  const dialog = h("dialog", { class: "dialog conflict", "aria-labelledby": "conflict-title" });
  const [takeMine, takeTheirs] = [
    h("button", { type: "button", class: "button" }, m.files.takeMine),
    h("button", { type: "button", class: "button plain" }, m.files.takeTheirs),
  ];
  return new Promise((resolve) => {
    let answer: "mine" | "theirs" | null = null;
    const choose = (side: "mine" | "theirs") => () => {
      answer = side;
      dialog.close();
    };
    takeMine.addEventListener("click", choose("mine"));
    takeTheirs.addEventListener("click", choose("theirs"));
    dialog.addEventListener("close", () => resolve(answer));
    const hint = h("p", { class: "field-hint" }, m.files.conflictHint);
    const key = h("p", { class: "conflict-key" }, h("del", {}, m.files.theirs), h("ins", {}, m.files.mine));
    const foot = h("footer", { class: "dialog-foot" }, takeTheirs, takeMine);
    showTitled(dialog, label, h("div", { class: "dialog-body" }, hint, key, view), foot);
  });
}
