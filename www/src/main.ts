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
import { reviewBar } from "copydesk/tiptap";
import { Chat } from "./chat/chat";
import { moreMenu } from "./chat/menu";
import { exportHtml, exportMarkdown } from "./content/export";
import { insertImages } from "./content/insert";
import { startOwnImages, type ImageProblem } from "./content/own-images";
import { modKey } from "./dom";
import { createEditor } from "./editor";
import { layOut } from "./layout";
import { mountOutline } from "./outline";
import { Session, recordsRuns } from "./session";
import { openSettings, openShortcuts } from "./settings/dialog";
import { mountToolbar } from "./toolbar";
import { Workspace } from "./workspace";
import { localize, messages } from "./locale";

startOwnImages();
const layout = layOut(document.getElementById("app")!);

async function start(): Promise<void> {
  layout.showStatus(messages().loading);
  const opened = Workspace.open({ notices: layout.notices, onReleased: () => released() });
  let released = () => layout.setReadOnly(true);
  try {
    await init(undefined, recordsRuns() ? (await import("copydesk/full")).full : undefined);
  } catch (error) {
    layout.showStatus(`${messages().initFailed} ${error instanceof Error ? error.message : String(error)}`, {
      name: messages().tryAgain,
      run: () => void start(),
    });
    return;
  }
  layout.showStatus(null);

  const workspace = await opened;
  const onProblem = (problem: ImageProblem) =>
    layout.notices.show("image", (m) => m.imageProblems[problem], [
      { name: (m) => m.close, run: () => layout.notices.remove("image") },
    ]);
  const editor = createEditor(layout.mount, { content: workspace.document?.json, onProblem });
  workspace.restoreHunks(editor);
  const session = new Session(editor);
  const settings = () =>
    openSettings(session.settings, async (chosen) => {
      await chat.settle();
      chat.settingsChanged(session.configure(chosen));
    });
  const chat = new Chat(layout.chat, editor, session, workspace, { openSettings: settings });
  workspace.start(editor, () => chat.stored());
  released = () => {
    chat.stop();
    layout.setReadOnly(true);
  };
  if (!workspace.owned) released();
  let followed: unknown;
  editor.on("askAgent", ({ label, range, result }) => {
    if (!result || result === followed) return;
    layout.showAssistant();
    followed = result;
    const text = range ? editor.state.doc.textBetween(range.from, range.to, " ").trim() : "";
    chat.follow(text ? messages().about(label, text) : label, result);
  });
  reviewBar(editor, layout.dock);
  const bar = layout.dock.lastElementChild as HTMLElement;
  const showDock = () => (layout.dock.hidden = bar.hidden);
  showDock();
  new MutationObserver(showDock).observe(bar, { attributeFilter: ["hidden"] });
  // A transaction updates the language of the review bar and of the buttons at the changes.
  localize(() => editor.view.dispatch(editor.state.tr));
  mountToolbar(layout.toolbar, editor, { insertImages: (files) => void insertImages(editor, files, onProblem) });
  layout.addAction(
    moreMenu(
      [
        { name: (m) => m.exportMarkdown, run: () => void exportMarkdown(editor) },
        { name: (m) => m.exportHtml, run: () => void exportHtml(editor) },
      ],
      { icon: "save", name: (m) => m.export },
    ),
  );
  mountOutline(layout.outline, editor, layout.scroller, layout.closeOutline);
  localize(() => session.localeChanged());
  layout.onSettings(settings);
  layout.onHelp(() => openShortcuts(modKey));

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || document.querySelector("dialog[open], :popover-open")) return;
    const typing =
      event.target instanceof HTMLElement && event.target.matches("input, textarea, select, [contenteditable=true]");
    if (event.key === "Escape" && chat.working) {
      event.preventDefault();
      chat.stop();
    } else if (event.key === "/" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      if (editor.isFocused) {
        layout.showAssistant();
        chat.focus();
      } else editor.commands.focus();
    } else if (event.key === "?" && !typing) {
      event.preventDefault();
      openShortcuts(modKey);
    }
  });
  document.documentElement.dataset.ready = "true";
  // The menus at a selection need an agent.
  setTimeout(() => session.agent);
}

void start();
