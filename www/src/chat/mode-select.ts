/** The select for the edit mode, beside the composer. */
import type { Editor } from "@tiptap/core";
import { h, set } from "../dom";
import { editModeOf, setEditMode, type EditMode } from "../editor";
import { localize } from "../locale";

export function modeSelect(editor: Editor, onChange: () => void): HTMLElement {
  const select = h("select", { class: "mode-select" });
  localize((m) => {
    set(select, { "aria-label": m.mode, title: m.mode });
    const modes = Object.entries(m.modes) as [EditMode, string][];
    select.replaceChildren(...modes.map(([mode, name]) => h("option", { value: mode }, name)));
    select.value = editModeOf();
  });
  select.addEventListener("change", () => {
    setEditMode(editor, select.value as EditMode);
    onChange();
  });
  return select;
}
