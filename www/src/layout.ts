/** The layout of the page: logo and actions above; outline, document and chat below. */
import { h, set } from "./dom";
import { icon, logo } from "./icons";
import { Notices } from "./notices";
import { Side } from "./side";
import { themeButton } from "./theme";
import { localize, messages, switchLocale } from "./locale";
import { loadItem, saveItem } from "./storage";

export interface Layout {
  side: Side;
  toolbar: HTMLElement;
  scroller: HTMLElement;
  mount: HTMLElement;
  /** Above the document: the file that is open. */
  fileBar: HTMLElement;
  chat: HTMLElement;
  /** Floats over the document. */
  dock: HTMLElement;
  notices: Notices;
  /** Above the document: find and replace. */
  findPlace: HTMLElement;
  closeOutline: () => void;
  showAssistant: () => void;
  /** Shows the column with the outline and the other panels. */
  showSide: () => void;
  /** Lets the user read the document, but not change it. */
  setReadOnly: (readOnly: boolean) => void;
  /** Adds a button before that of the settings. */
  addAction: (element: HTMLElement) => void;
  onSettings: (run: () => void) => void;
  onHelp: (run: () => void) => void;
}

/** The outline is a button that opens it over the document. */
const narrow = matchMedia("(max-width: 1099px)");

export function layOut(app: HTMLElement): Layout {
  const skip = h("a", { class: "skip", href: "#page" });
  const opener = h(
    "button",
    { type: "button", class: "tool outline-opener", "aria-expanded": "false", "aria-controls": "outline" },
    icon("outline"),
  );
  const language = h("button", { type: "button", class: "tool language" });
  const settings = h("button", { type: "button", class: "tool" }, icon("settings"));
  const help = h("button", { type: "button", class: "tool help" }, icon("help"));
  const assistant = h(
    "button",
    { type: "button", class: "tool assistant-opener", "aria-controls": "assistant" },
    icon("chat"),
  );
  const outline = h("section", { id: "outline", class: "outline", tabindex: "-1" });
  const side = new Side(outline);
  const backdrop = h("div", { class: "backdrop", hidden: true });
  const toolbar = h("div", { class: "toolbar" });
  const mount = h("div", { class: "page-content" });
  const intro = h("p", { class: "page-intro" });
  const scroller = h("div", { class: "scroller", "data-scroller": true }, intro, mount);
  const dock = h("div", { class: "dock" });
  const notices = new Notices();
  const fileBar = h("div", { class: "file-bar", hidden: true });
  /** A disabled fieldset disables the buttons in it, and its text can be read and selected. */
  const fileParts = h("fieldset", { class: "parts", role: "presentation" }, fileBar);
  const findPlace = h("div", {});
  const page = h(
    "main",
    { id: "page", class: "page", tabindex: "-1" },
    fileParts,
    notices.element,
    findPlace,
    scroller,
    dock,
  );
  const chat = h("aside", { id: "assistant", class: "chat" });

  app.append(
    skip,
    h(
      "header",
      { class: "top" },
      h("div", { class: "brand" }, opener, logo(), h("h1", { class: "brand-name", translate: "no" }, "copydesk")),
      toolbar,
      h("div", { class: "actions" }, language, themeButton(), help, assistant, settings),
    ),
    outline,
    page,
    chat,
    backdrop,
  );

  localize((m) => {
    skip.textContent = m.skipToPage;
    intro.textContent = m.intro;
    drawOpeners();
    language.replaceChildren(
      h("span", { class: "on-wide" }, m.otherLanguage),
      h("span", { class: "on-narrow" }, m.otherLanguageShort),
    );
    set(language, { title: m.switchLanguage, "aria-label": m.switchLanguage, lang: m.lang === "en" ? "zh-CN" : "en" });
    set(settings, { "aria-label": m.settings, title: m.settings });
    set(help, { "aria-label": m.shortcuts, title: `${m.shortcuts} (?)` });
    set(outline, { "aria-label": m.panels });
  });
  language.addEventListener("click", switchLocale);

  /** Opens the outline over the document. */
  function openOutline(open: boolean) {
    app.classList.toggle("outline-open", open);
    backdrop.hidden = !open;
    drawOpeners();
    if (open) (outline.querySelector<HTMLElement>("[aria-selected=true]") ?? outline).focus();
  }
  /** Shows or hides a column, also after a reload. */
  function showColumn(name: "outline" | "assistant", shown: boolean) {
    app.classList.toggle(`no-${name}`, !shown);
    saveItem(`hidden.${name}`, shown ? "" : "1");
    drawOpeners();
  }
  function drawOpeners() {
    const m = messages();
    const isOpen = narrow.matches ? app.classList.contains("outline-open") : !app.classList.contains("no-outline");
    const isShown = !app.classList.contains("no-assistant");
    for (const [button, shown, show, hide] of [
      [opener, isOpen, m.showOutline, m.hideOutline],
      [assistant, isShown, m.showAssistant, m.hideAssistant],
    ] as const) {
      set(button, { "aria-expanded": String(shown), "aria-label": shown ? hide : show, title: shown ? hide : show });
    }
  }
  for (const name of ["outline", "assistant"] as const)
    app.classList.toggle(`no-${name}`, loadItem(`hidden.${name}`) === "1");
  drawOpeners();
  narrow.addEventListener("change", () => openOutline(false));
  opener.addEventListener("click", () => {
    if (narrow.matches) openOutline(!app.classList.contains("outline-open"));
    else showColumn("outline", app.classList.contains("no-outline"));
  });
  assistant.addEventListener("click", () => showColumn("assistant", app.classList.contains("no-assistant")));
  backdrop.addEventListener("click", () => openOutline(false));
  app.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !app.classList.contains("outline-open")) return;
    // A menu or a form in the column closes first.
    if (document.querySelector(":popover-open")) return;
    event.stopPropagation();
    openOutline(false);
    opener.focus();
  });

  return {
    side,
    toolbar,
    scroller,
    mount,
    fileBar,
    chat,
    dock,
    notices,
    findPlace,
    setReadOnly: (readOnly) => {
      // What only changes the document is out of reach; everything that is read stays in it.
      for (const part of [toolbar, dock]) part.inert = readOnly;
      fileParts.disabled = readOnly;
      chat.querySelector("copydesk-assistant")?.toggleAttribute("disabled", readOnly);
      app.classList.toggle("read-only", readOnly);
      set(scroller, { tabindex: readOnly ? 0 : undefined });
      for (const panel of outline.querySelectorAll<HTMLElement>(".side-panel.edits")) panel.inert = readOnly;
    },
    closeOutline: () => {
      // A column that is hidden loses the focus.
      const hadFocus = narrow.matches && outline.contains(document.activeElement);
      openOutline(false);
      if (hadFocus) page.focus({ preventScroll: true });
    },
    showAssistant: () => showColumn("assistant", true),
    showSide: () => (narrow.matches ? openOutline(true) : showColumn("outline", true)),
    addAction: (element) => help.before(element),
    onSettings: (run) => settings.addEventListener("click", run),
    onHelp: (run) => help.addEventListener("click", run),
  };
}
