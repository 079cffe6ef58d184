/** The layout of the page: logo and actions above; outline, document and chat below. */
import { html, nothing } from "lit";
import { drawIn, type Template } from "./draw";
import { icon, logo } from "./icons";
import { Notices } from "./notices";
import { Side } from "./side";
import { themeButton } from "./theme";
import { switchLocale, type Messages } from "./locale";
import { loadItem, saveItem } from "./storage";

export interface Layout {
  side: Side;
  toolbar: HTMLElement;
  scroller: HTMLElement;
  mount: HTMLElement;
  chat: HTMLElement;
  /** Floats over the document. */
  dock: HTMLElement;
  notices: Notices;
  /** Above the document: find and replace. */
  findPlace: HTMLElement;
  /** Draws the bar above the document, which says what the editor shows; without one if it is `null`. */
  showBar: (bar: Template | null) => void;
  closeOutline: () => void;
  showAssistant: () => void;
  /** Shows the column with the outline and the other panels. */
  showSide: () => void;
  /** Lets the user read the document, but not change it. */
  setReadOnly: (readOnly: boolean) => void;
  /** Adds a button before that of the help. */
  addAction: (action: Template) => void;
  onSettings: (run: () => void) => void;
  onHelp: (run: () => void) => void;
}

/** The outline is a button that opens it over the document. */
const narrow = matchMedia("(max-width: 1099px)");

export function layOut(app: HTMLElement): Layout {
  const columns = { outline: loadItem("hidden.outline") !== "1", assistant: loadItem("hidden.assistant") !== "1" };
  const actions: Template[] = [];
  /** True while the outline is over the document. */
  let isOver = false;
  let isReadOnly = false;
  let bar: Template | null = null;
  let openSettings: (() => void) | undefined;
  let openHelp: (() => void) | undefined;
  const theme = themeButton(() => draw());

  const toggleOutline = () => {
    if (narrow.matches) openOutline(!isOver);
    else showColumn("outline", !columns.outline);
  };
  const brand = (m: Messages) => {
    const isOpen = narrow.matches ? isOver : columns.outline;
    const name = isOpen ? m.hideOutline : m.showOutline;
    return html`<div class="brand">
      <button
        type="button"
        class="tool outline-opener"
        aria-controls="outline"
        aria-expanded=${isOpen}
        aria-label=${name}
        title=${name}
        @click=${toggleOutline}
      >
        ${icon("outline")}
      </button>
      ${logo()}
      <h1 class="brand-name" translate="no">copydesk</h1>
    </div>`;
  };
  const buttons = (m: Messages) => {
    const name = columns.assistant ? m.hideAssistant : m.showAssistant;
    return html`<div class="actions">
      <button
        type="button"
        class="tool language"
        lang=${m.lang === "en" ? "zh-CN" : "en"}
        aria-label=${m.switchLanguage}
        title=${m.switchLanguage}
        @click=${switchLocale}
      >
        <span class="on-wide">${m.otherLanguage}</span><span class="on-narrow">${m.otherLanguageShort}</span>
      </button>
      ${theme(m)} ${actions.map((action) => action(m))}
      <button
        type="button"
        class="tool help"
        aria-label=${m.shortcuts}
        title="${m.shortcuts} (?)"
        @click=${() => openHelp?.()}
      >
        ${icon("help")}
      </button>
      <button
        type="button"
        class="tool assistant-opener"
        aria-controls="assistant"
        aria-expanded=${columns.assistant}
        aria-label=${name}
        title=${name}
        @click=${() => showColumn("assistant", !columns.assistant)}
      >
        ${icon("chat")}
      </button>
      <button type="button" class="tool" aria-label=${m.settings} title=${m.settings} @click=${() => openSettings?.()}>
        ${icon("settings")}
      </button>
    </div>`;
  };
  const draw = drawIn(
    app,
    (m) =>
      html`<a class="skip" href="#page">${m.skipToPage}</a>
        <header class="top">
          ${brand(m)}
          <div class="toolbar" role="toolbar" aria-label=${m.toolbar} ?inert=${isReadOnly}></div>
          ${buttons(m)}
        </header>
        <section id="outline" class="outline" tabindex="-1" aria-label=${m.panels}></section>
        <main id="page" class="page" tabindex="-1">
          <fieldset class="parts" role="presentation" ?disabled=${isReadOnly}>
            <div class="file-bar" ?hidden=${!bar}>${bar?.(m) ?? nothing}</div>
          </fieldset>
          <div class="page-notices" role="status"></div>
          <div class="find-place"></div>
          <div class="scroller" data-scroller tabindex=${isReadOnly ? 0 : nothing}>
            <p class="page-intro">${m.intro}</p>
            <div class="page-content"></div>
          </div>
          <div class="dock" ?inert=${isReadOnly}></div>
        </main>
        <aside id="assistant" class="chat" aria-label=${m.assistant}></aside>
        <div class="backdrop" ?hidden=${!isOver} @click=${() => openOutline(false)}></div>`,
  );
  const [outline, page, chat] = ["outline", "page", "assistant"].map((id) => document.getElementById(id)!);
  const part = (name: string) => app.querySelector<HTMLElement>(`.${name}`)!;
  const side = new Side(outline!);

  /** Opens the outline over the document. */
  function openOutline(open: boolean) {
    isOver = open;
    app.classList.toggle("outline-open", open);
    draw();
    if (open) (outline!.querySelector<HTMLElement>("[aria-selected=true]") ?? outline!).focus();
  }
  /** Shows or hides a column, also after a reload. */
  function showColumn(name: "outline" | "assistant", shown: boolean) {
    columns[name] = shown;
    saveItem(`hidden.${name}`, shown ? "" : "1");
    drawColumns();
    draw();
  }
  function drawColumns() {
    for (const [name, shown] of Object.entries(columns)) app.classList.toggle(`no-${name}`, !shown);
  }
  drawColumns();
  narrow.addEventListener("change", () => openOutline(false));
  app.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOver) return;
    // A menu or a form in the column closes first.
    if (document.querySelector(":popover-open")) return;
    event.stopPropagation();
    openOutline(false);
    part("outline-opener").focus();
  });

  return {
    side,
    toolbar: part("toolbar"),
    scroller: part("scroller"),
    mount: part("page-content"),
    chat: chat!,
    dock: part("dock"),
    notices: new Notices(part("page-notices")),
    findPlace: part("find-place"),
    showBar: (shown) => {
      bar = shown;
      draw();
    },
    setReadOnly: (readOnly) => {
      // What only changes the document is out of reach; everything that is read stays in it.
      isReadOnly = readOnly;
      app.classList.toggle("read-only", readOnly);
      side.setReadOnly(readOnly);
      chat!.querySelector("copydesk-assistant")?.toggleAttribute("disabled", readOnly);
      draw();
    },
    closeOutline: () => {
      // A column that is hidden loses the focus.
      const hadFocus = narrow.matches && outline!.contains(document.activeElement);
      openOutline(false);
      if (hadFocus) page!.focus({ preventScroll: true });
    },
    showAssistant: () => showColumn("assistant", true),
    showSide: () => (narrow.matches ? openOutline(true) : showColumn("outline", true)),
    addAction: (action) => {
      actions.push(action);
      draw();
    },
    onSettings: (run) => (openSettings = run),
    onHelp: (run) => (openHelp = run),
  };
}
