/** The layout of the page: logo and actions above; outline, document and chat below. */
import { h, set } from "./dom";
import { icon, logo } from "./icons";
import { themeButton } from "./theme";
import { localize, switchLocale } from "./locale";

export interface Layout {
  outline: HTMLElement;
  toolbar: HTMLElement;
  scroller: HTMLElement;
  mount: HTMLElement;
  chat: HTMLElement;
  /** Floats over the document. */
  dock: HTMLElement;
  closeOutline: () => void;
  onSettings: (run: () => void) => void;
  onHelp: (run: () => void) => void;
  /** Shows a status line above the document, with an optional button; null hides it. */
  showStatus: (text: string | null, button?: { name: string; run: () => void }) => void;
}

export function layOut(app: HTMLElement): Layout {
  const skip = h("a", { class: "skip", href: "#page" });
  const opener = h("button", { type: "button", class: "tool outline-opener", "aria-expanded": "false", "aria-controls": "outline" }, icon("outline"));
  const language = h("button", { type: "button", class: "tool language" });
  const settings = h("button", { type: "button", class: "tool" }, icon("settings"));
  const help = h("button", { type: "button", class: "tool help" }, icon("help"));
  const outline = h("nav", { id: "outline", class: "outline" });
  const backdrop = h("div", { class: "backdrop", hidden: true });
  const toolbar = h("div", { class: "toolbar" });
  const mount = h("div", { class: "page-content" });
  const status = h("div", { class: "page-status", role: "status", hidden: true });
  const scroller = h("div", { class: "scroller", "data-scroller": true }, status, mount);
  const dock = h("div", { class: "dock" });
  const page = h("main", { id: "page", class: "page", tabindex: "-1" }, scroller, dock);
  const chat = h("aside", { class: "chat" });

  app.append(
    skip,
    h("header", { class: "brand" }, opener, logo(), h("h1", { class: "brand-name", translate: "no" }, "copydesk")),
    toolbar,
    h("div", { class: "actions" }, language, themeButton(), help, settings),
    outline,
    page,
    chat,
    backdrop,
  );

  localize((m) => {
    skip.textContent = m.skipToPage;
    set(opener, { "aria-label": m.showOutline, title: m.showOutline });
    language.textContent = m.otherLanguage;
    set(language, { title: m.switchLanguage, lang: m.lang === "en" ? "zh-CN" : "en" });
    set(settings, { "aria-label": m.settings, title: m.settings });
    set(help, { "aria-label": m.shortcuts, title: `${m.shortcuts} (?)` });
    set(outline, { "aria-label": m.outline });
  });
  language.addEventListener("click", switchLocale);

  const openOutline = (open: boolean) => {
    app.classList.toggle("outline-open", open);
    opener.setAttribute("aria-expanded", String(open));
    backdrop.hidden = !open;
    if (open) outline.querySelector<HTMLElement>("button")?.focus();
  };
  opener.addEventListener("click", () => openOutline(!app.classList.contains("outline-open")));
  backdrop.addEventListener("click", () => openOutline(false));
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
    chat,
    dock,
    closeOutline: () => openOutline(false),
    onSettings: (run) => settings.addEventListener("click", run),
    onHelp: (run) => help.addEventListener("click", run),
    showStatus(text, button) {
      status.hidden = text === null;
      status.replaceChildren(text ?? "");
      if (!button) return;
      const element = h("button", { type: "button", class: "button small" }, button.name);
      element.addEventListener("click", button.run);
      status.append(element);
    },
  };
}
