/** The demo page: lays it out, starts copydesk, and connects page, outline and desk. */
import "copydesk/review.css";
import "./styles/tokens.css";
import "./styles/layout.css";
import "./styles/page.css";
import "./styles/review.css";
import "./styles/desk.css";
import "./styles/dialog.css";
import { init } from "copydesk";
import { full } from "copydesk/full";
import { reviewBar } from "copydesk/tiptap";
import { Desk } from "./desk/desk";
import { modKey } from "./dom";
import { createEditor } from "./editor";
import { layOut } from "./layout";
import { mountOutline } from "./outline";
import { Session } from "./session";
import { openSettings, openShortcuts } from "./settings/dialog";
import { mountToolbar } from "./toolbar";
import { inWords, words } from "./words";

const layout = layOut(document.getElementById("app")!);

async function start(): Promise<void> {
  layout.say(words().loading);
  try {
    await init(undefined, full);
  } catch (error) {
    layout.say(`${words().initFailed} ${error instanceof Error ? error.message : String(error)}`, {
      name: words().tryAgain,
      run: () => void start(),
    });
    return;
  }
  layout.say(null);

  const editor = createEditor(layout.mount);
  const session = new Session(editor);
  const settings = () =>
    openSettings(session.settings, async (chosen) => {
      await desk.settle();
      desk.settingsChanged(session.configure(chosen));
    });
  const desk = new Desk(layout.desk, editor, session, { openSettings: settings });
  reviewBar(editor, layout.dock);
  // The bar and the buttons at the changes speak the page's language: a transaction has them look again.
  inWords(() => editor.view.dispatch(editor.state.tr));
  mountToolbar(layout.toolbar, editor);
  mountOutline(layout.outline, editor, layout.scroller, layout.closeOutline);
  inWords(() => session.relocate());
  layout.onSettings(settings);
  layout.onHelp(() => openShortcuts(modKey));

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || document.querySelector("dialog[open], :popover-open")) return;
    const typing = event.target instanceof HTMLElement && event.target.matches("input, textarea, select, [contenteditable=true]");
    if (event.key === "Escape" && desk.working) {
      event.preventDefault();
      desk.stop();
    } else if (event.key === "/" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      if (editor.isFocused) desk.focus();
      else editor.commands.focus();
    } else if (event.key === "?" && !typing) {
      event.preventDefault();
      openShortcuts(modKey);
    }
  });
  document.documentElement.dataset.ready = "true";
}

void start();
