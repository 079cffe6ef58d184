/** Light or dark theme: the system's, until the user chooses one. */
import { html } from "lit";
import type { Template } from "./draw";
import { icon } from "./icons";
import { saveItem } from "./storage";

const system = matchMedia("(prefers-color-scheme: dark)");

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

/** Returns the button that switches the theme. `draw` is called when the theme has changed. */
export function themeButton(draw: () => void): Template {
  const toggle = () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    saveItem("theme", theme);
    draw();
  };
  system.addEventListener("change", draw);
  return (m) => {
    const name = isDark() ? m.themeLight : m.themeDark;
    return html`<button type="button" class="tool theme" aria-label=${name} title=${name} @click=${toggle}>
      ${icon(isDark() ? "sun" : "moon")}
    </button>`;
  };
}
