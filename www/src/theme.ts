/** Light or dark theme: the system's, until the user chooses one. */
import { h, set } from "./dom";
import { icon } from "./icons";
import { saveItem } from "./storage";
import { localize, messages } from "./locale";

const system = matchMedia("(prefers-color-scheme: dark)");

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

export function themeButton(): HTMLButtonElement {
  const button = h("button", { type: "button", class: "tool theme" });
  const draw = () => {
    const name = isDark() ? messages().themeLight : messages().themeDark;
    button.replaceChildren(icon(isDark() ? "sun" : "moon"));
    set(button, { "aria-label": name, title: name });
  };
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    saveItem("theme", theme);
    draw();
  });
  system.addEventListener("change", draw);
  localize(draw);
  return button;
}
