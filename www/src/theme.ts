/** Light or dark: as the system has it, until the person says otherwise. */
import { h, set } from "./dom";
import { icon } from "./icons";
import { remember } from "./storage";
import { inWords, words } from "./words";

const system = matchMedia("(prefers-color-scheme: dark)");

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

export function themeButton(): HTMLButtonElement {
  const button = h("button", { type: "button", class: "tool theme" });
  const draw = () => {
    const name = isDark() ? words().themeLight : words().themeDark;
    button.replaceChildren(icon(isDark() ? "sun" : "moon"));
    set(button, { "aria-label": name, title: name });
  };
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    remember("theme", theme);
    draw();
  });
  system.addEventListener("change", draw);
  inWords(draw);
  return button;
}
