/** The demo page: creates the layout, starts copydesk, and connects document, outline and chat. */
import "copydesk/actions.css";
import "copydesk/review.css";
import "./styles/tokens.css";
import "./styles/layout.css";
import "./styles/page.css";
import "./styles/review.css";
import "./styles/actions.css";
import "./styles/chat.css";
import "./styles/dialog.css";
import { init } from "copydesk";
import { full } from "copydesk/full";
import { reviewBar } from "copydesk/tiptap";
import { Chat } from "./chat/chat";
import { modKey } from "./dom";
import { createEditor } from "./editor";
import { layOut } from "./layout";
import { mountOutline } from "./outline";
import { Session } from "./session";
import { openSettings, openShortcuts } from "./settings/dialog";
import { mountToolbar } from "./toolbar";
import { localize, messages } from "./locale";

const layout = layOut(document.getElementById("app")!);

async function start(): Promise<void> {
  layout.showStatus(messages().loading);
  try {
    await init(undefined, full);
  } catch (error) {
    layout.showStatus(`${messages().initFailed} ${error instanceof Error ? error.message : String(error)}`, {
      name: messages().tryAgain,
      run: () => void start(),
    });
    return;
  }
  layout.showStatus(null);

  const editor = createEditor(layout.mount);
  const session = new Session(editor);
  const settings = () =>
    openSettings(session.settings, async (chosen) => {
      await chat.settle();
      chat.settingsChanged(session.configure(chosen));
    });
  const chat = new Chat(layout.chat, editor, session, { openSettings: settings });
  let followed: unknown;
  editor.on("askAgent", ({ label, range, result }) => {
    if (!result || result === followed) return;
    followed = result;
    const text = range ? editor.state.doc.textBetween(range.from, range.to, " ").trim() : "";
    chat.follow(text ? messages().about(label, text) : label, result);
  });
  reviewBar(editor, layout.dock);
  // A transaction updates the language of the review bar and of the buttons at the changes.
  localize(() => editor.view.dispatch(editor.state.tr));
  mountToolbar(layout.toolbar, editor);
  mountOutline(layout.outline, editor, layout.scroller, layout.closeOutline);
  localize(() => session.localeChanged());
  layout.onSettings(settings);
  layout.onHelp(() => openShortcuts(modKey));

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || document.querySelector("dialog[open], :popover-open")) return;
    const typing = event.target instanceof HTMLElement && event.target.matches("input, textarea, select, [contenteditable=true]");
    if (event.key === "Escape" && chat.working) {
      event.preventDefault();
      chat.stop();
    } else if (event.key === "/" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      if (editor.isFocused) chat.focus();
      else editor.commands.focus();
    } else if (event.key === "?" && !typing) {
      event.preventDefault();
      openShortcuts(modKey);
    }
  });
  document.documentElement.dataset.ready = "true";
}

void start();
