/** The settings in a dialog. Loaded when it is opened. */
import type { ModelSettings } from "copydesk/assistant";
import type { CopydeskEvents } from "copydesk/ui";
import "copydesk/ui/settings";
import { html } from "lit";
import { closeButton, closeDialog, showDialog } from "../dialog";
import { inAllLocales, LANGUAGES, locale, setLocale, type Locale } from "../locale";

/** The demo model answers until there is a key. */
const wordsNow = () => inAllLocales((m) => ({ settings: { keyHint: m.demoHint } }));

export function openSettings(settings: ModelSettings, save: (settings: ModelSettings) => void): void {
  const saved = (event: CopydeskEvents["settings-save"]) => {
    closeDialog(event);
    save(event.detail.settings);
  };
  const chosen = async ({ currentTarget }: Event) => {
    const language = currentTarget as HTMLSelectElement;
    await setLocale(language.value as Locale);
    // Its words may not have loaded.
    language.value = locale();
  };
  const options = Object.entries(LANGUAGES).map(
    ([tag, name]) => html`<option value=${tag} ?selected=${tag === locale()}>${name}</option>`,
  );
  // Typed text stays when the language changes.
  showDialog(
    { name: "settings", heading: "settings-title" },
    (m) =>
      html`<div>
        <header class="dialog-head">
          <h2 id="settings-title">${m.settingsTitle}</h2>
          <select class="settings-language" title=${m.language} aria-label=${m.language} @change=${chosen}>
            ${options}
          </select>
          ${closeButton(m.close)}
        </header>
        <copydesk-settings
          .settings=${settings}
          .words=${wordsNow()}
          @settings-cancel=${closeDialog}
          @settings-save=${saved}
        ></copydesk-settings>
      </div>`,
  );
}
