/** Beside the composer: whether edits wait for the person, are applied at once, or are asked for one by one. */
import type { Editor } from "@tiptap/core";
import { h, set } from "../dom";
import { editModeOf, setEditMode, type EditMode } from "../editor";
import { inWords } from "../words";

export function modeSwitch(editor: Editor, changed: () => void): HTMLElement {
  const select = h("select", { class: "mode-switch" });
  inWords((w) => {
    set(select, { "aria-label": w.mode, title: w.mode });
    const modes = Object.entries(w.modes) as [EditMode, string][];
    select.replaceChildren(...modes.map(([mode, name]) => h("option", { value: mode }, name)));
    select.value = editModeOf();
  });
  select.addEventListener("change", () => {
    setEditMode(editor, select.value as EditMode);
    changed();
  });
  return select;
}
