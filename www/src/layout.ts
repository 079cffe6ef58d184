/** The frame of the page: mark and actions above, outline, page and desk below. */
import { h, set } from "./dom";
import { icon, mark } from "./icons";
import { themeButton } from "./theme";
import { inWords, switchLocale } from "./words";

export interface Layout {
  outline: HTMLElement;
  toolbar: HTMLElement;
  scroller: HTMLElement;
  mount: HTMLElement;
  desk: HTMLElement;
  /** Floats over the page. */
  dock: HTMLElement;
  closeOutline: () => void;
  onSettings: (run: () => void) => void;
  onHelp: (run: () => void) => void;
  /** A line in place of the page, with a button that helps; null takes it away. */
  say: (text: string | null, button?: { name: string; run: () => void }) => void;
}

export function layOut(app: HTMLElement): Layout {
  const skip = h("a", { class: "skip", href: "#page" });
  const opener = h("button", { type: "button", class: "tool outline-opener", "aria-expanded": "false", "aria-controls": "outline" }, icon("outline"));
  const language = h("button", { type: "button", class: "tool language" });
  const settings = h("button", { type: "button", class: "tool" }, icon("settings"));
  const help = h("button", { type: "button", class: "tool help" }, icon("help"));
  const outline = h("nav", { id: "outline", class: "outline" });
  const veil = h("div", { class: "veil", hidden: true });
  const toolbar = h("div", { class: "toolbar" });
  const mount = h("div", { class: "paper" });
  const line = h("div", { class: "page-line", role: "status", hidden: true });
  const scroller = h("div", { class: "scroller", "data-scroller": true }, line, mount);
  const dock = h("div", { class: "dock" });
  const page = h("main", { id: "page", class: "page", tabindex: "-1" }, scroller, dock);
  const desk = h("aside", { class: "desk" });

  app.append(
    skip,
    h("header", { class: "brand" }, opener, mark(), h("h1", { class: "brand-name", translate: "no" }, "copydesk")),
    toolbar,
    h("div", { class: "actions" }, language, themeButton(), help, settings),
    outline,
    page,
    desk,
    veil,
  );

  inWords((w) => {
    skip.textContent = w.toPage;
    set(opener, { "aria-label": w.showOutline, title: w.showOutline });
    language.textContent = w.otherLanguage;
    set(language, { title: w.switchLanguage, lang: w.lang === "en" ? "zh-CN" : "en" });
    set(settings, { "aria-label": w.settings, title: w.settings });
    set(help, { "aria-label": w.shortcuts, title: `${w.shortcuts} (?)` });
    set(outline, { "aria-label": w.outline });
  });
  language.addEventListener("click", switchLocale);

  const openOutline = (open: boolean) => {
    app.classList.toggle("outline-open", open);
    opener.setAttribute("aria-expanded", String(open));
    veil.hidden = !open;
    if (open) outline.querySelector<HTMLElement>("button")?.focus();
  };
  opener.addEventListener("click", () => openOutline(!app.classList.contains("outline-open")));
  veil.addEventListener("click", () => openOutline(false));
  outline.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !app.classList.contains("outline-open")) return;
    event.stopPropagation();
    openOutline(false);
    opener.focus();
  });

  return {
    outline,
    toolbar,
    scroller,
    mount,
    desk,
    dock,
    closeOutline: () => openOutline(false),
    onSettings: (run) => settings.addEventListener("click", run),
    onHelp: (run) => help.addEventListener("click", run),
    say(text, button) {
      line.hidden = text === null;
      line.replaceChildren(text ?? "");
      if (!button) return;
      const element = h("button", { type: "button", class: "button small" }, button.name);
      element.addEventListener("click", button.run);
      line.append(element);
    },
  };
}
