/** Shows both texts of a conflict: the user's, and the one that others wrote. */
import "copydesk/ui/diff";
import { showDialog } from "../dialog";
import { h } from "../dom";
import { icon } from "../icons";
import { messages } from "../locale";

/** Resolves with the text that the user takes, or null if the dialog was closed. */
export function askConflict(path: string, mine: string, theirs: string): Promise<"mine" | "theirs" | null> {
  const m = messages();
  const label = m.files.conflictTitle(path);
  const view = Object.assign(document.createElement("copydesk-diff"), { oldText: theirs, newText: mine, label });
  const dialog = h("dialog", { class: "dialog conflict", "aria-labelledby": "conflict-title" });
  const close = h("button", { type: "button", class: "tool", "aria-label": m.close, title: m.close }, icon("close"));
  const [takeMine, takeTheirs] = [
    h("button", { type: "button", class: "button" }, m.files.takeMine),
    h("button", { type: "button", class: "button plain" }, m.files.takeTheirs),
  ];
  return new Promise((resolve) => {
    let answer: "mine" | "theirs" | null = null;
    const choose = (side: typeof answer) => () => {
      answer = side;
      dialog.close();
    };
    close.addEventListener("click", choose(null));
    takeMine.addEventListener("click", choose("mine"));
    takeTheirs.addEventListener("click", choose("theirs"));
    dialog.addEventListener("close", () => resolve(answer));
    showDialog(
      dialog,
      h(
        "div",
        {},
        h("header", { class: "dialog-head" }, h("h2", { id: "conflict-title" }, label), close),
        h(
          "div",
          { class: "dialog-body" },
          h("p", { class: "field-hint" }, m.files.conflictHint),
          h("p", { class: "conflict-key" }, h("del", {}, m.files.theirs), h("ins", {}, m.files.mine)),
          view,
        ),
        h("footer", { class: "dialog-foot" }, takeTheirs, takeMine),
      ),
    );
  });
}
