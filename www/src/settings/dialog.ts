/** The settings in a dialog. Loaded when it is opened. */
import type { ModelSettings } from "copydesk/assistant";
import "copydesk/ui/settings";
import { showDialog } from "../dialog";
import { h } from "../dom";
import { icon } from "../icons";
import { inAllLocales, messages } from "../locale";

/** The demo model answers until there is a key. */
const words = inAllLocales((m) => ({ settings: { keyHint: m.demoHint } }));

export function openSettings(settings: ModelSettings, save: (settings: ModelSettings) => void): void {
  const m = messages();
  const dialog = h("dialog", { class: "dialog settings", "aria-labelledby": "settings-title" });
  const close = h("button", { type: "button", class: "tool", "aria-label": m.close, title: m.close }, icon("close"));
  const form = Object.assign(document.createElement("copydesk-settings"), { settings, words });
  close.addEventListener("click", () => dialog.close());
  form.addEventListener("settings-cancel", () => dialog.close());
  form.addEventListener("settings-save", ({ detail }) => {
    dialog.close();
    save(detail.settings);
  });
  const head = h("header", { class: "dialog-head" }, h("h2", { id: "settings-title" }, m.settingsTitle), close);
  showDialog(dialog, h("div", {}, head, form));
}
