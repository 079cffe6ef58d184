/** Beside the composer: whether edits wait for the person or are applied at once. */
import type { Editor } from "@tiptap/core";
import type { Mode } from "copydesk";
import { h, set } from "../dom";
import { modeOf, setMode } from "../editor";
import { inWords } from "../words";

export function modeSwitch(editor: Editor, changed: () => void): HTMLElement {
  const select = h("select", { class: "mode-switch" });
  inWords((w) => {
    set(select, { "aria-label": w.mode, title: w.mode });
    const modes = Object.entries(w.modes) as [Mode, string][];
    select.replaceChildren(...modes.map(([mode, name]) => h("option", { value: mode }, name)));
    select.value = modeOf();
  });
  select.addEventListener("change", () => {
    setMode(editor, select.value as Mode);
    changed();
  });
  return select;
}
