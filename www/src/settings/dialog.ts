/** The settings in a dialog. Loaded when it is opened. */
import type { ModelSettings } from "copydesk/assistant";
import "copydesk/ui/settings";
import { showDialog } from "../dialog";
import { h } from "../dom";
import { icon } from "../icons";
import { inAllLocales, LANGUAGES, locale, localize, setLocale, type Locale } from "../locale";

/** The demo model answers until there is a key. */
const wordsNow = () => inAllLocales((m) => ({ settings: { keyHint: m.demoHint } }));

export function openSettings(settings: ModelSettings, save: (settings: ModelSettings) => void): void {
  const dialog = h("dialog", { class: "dialog settings", "aria-labelledby": "settings-title" });
  const close = h("button", { type: "button", class: "tool" }, icon("close"));
  const form = Object.assign(document.createElement("copydesk-settings"), { settings });
  close.addEventListener("click", () => dialog.close());
  form.addEventListener("settings-cancel", () => dialog.close());
  form.addEventListener("settings-save", ({ detail }) => {
    dialog.close();
    save(detail.settings);
  });
  const options = Object.entries(LANGUAGES).map(([tag, name]) => new Option(name, tag, false, tag === locale()));
  const language = h("select", { class: "settings-language" }, ...options);
  language.addEventListener("change", async () => {
    await setLocale(language.value as Locale);
    // Its words may not have loaded.
    language.value = locale();
  });
  const title = h("h2", { id: "settings-title" });
  // What was typed stays when the language changes.
  const release = localize((m) => {
    title.textContent = m.settingsTitle;
    close.title = close.ariaLabel = m.close;
    language.title = language.ariaLabel = m.language;
    form.words = wordsNow();
  });
  dialog.addEventListener("close", release);
  const head = h("header", { class: "dialog-head" }, title, language, close);
  showDialog(dialog, h("div", {}, head, form));
}
