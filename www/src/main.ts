/** The demo page: creates the layout, loads copydesk, and connects document, outline and chat. */
import "./preload";
import "copydesk/actions.css";
import "copydesk/review.css";
import "./styles/tokens.css";
import "./styles/layout.css";
import "./styles/page.css";
import "./styles/review.css";
import "./styles/actions.css";
import "./styles/chat.css";
import "./styles/dialog.css";
import "./styles/files.css";
import "./styles/find.css";
import { forgottenKeys, presetOf, type KeyOwner } from "copydesk/assistant";
import { SavedDocuments } from "copydesk/autosave";
import { insertImages, sortFiles, takeDroppedFiles } from "copydesk/insert";
import "copydesk/ui/review-bar";
import { Chat } from "./chat/chat";
import { moreMenu } from "./chat/menu";
import { exportItems } from "./content/export-menu";
import { openButton } from "./content/open-button";
import { DocumentOpener } from "./content/open-document";
import { ownImages } from "./content/own-images";
import { openShortcuts } from "./dialog";
import { modKey } from "./dom";
import { createEditor, schema } from "./editor";
import { Engine } from "./engine";
import { findByKeys } from "./find/keys";
import { layOut } from "./layout";
import { reasonOf } from "./lazy";
import { listenToKeys } from "./page-keys";
import { registerPanels } from "./panels";
import type { ProjectView } from "./project/project";
import { showSavedState } from "./saved-notices";
import { Session } from "./session";
import { items, loadItem, saveItem } from "./storage";
import { mountToolbar } from "./toolbar";
import { localize, type Messages } from "./locale";

/** Set in `localStorage` once the user has a place for files. */
const HAS_FILES = "project";

ownImages.start();
const layout = layOut(document.getElementById("app")!);
const engine = new Engine();

/** Opens the document. It can be edited, and requests be written, while the wasm is loading. */
async function start(): Promise<void> {
  let released = () => layout.setReadOnly(true);
  const saved = await SavedDocuments.open({
    schema: schema(),
    onReleased: () => released(),
    onShow: () => editor.view.dom.closest<HTMLElement>("[data-scroller]")?.scrollTo({ top: 0 }),
    load: () => engine.load(),
  });
  showSavedState(saved, layout.notices);
  // Everything could be read, and this tab alone can add images. Those of files may be in any of their versions.
  if (saved.isOwned && saved.isWhole && loadItem(HAS_FILES) === null)
    void ownImages.removeUnused((pattern) => saved.matches(pattern)).catch(() => {});
  const images = {
    keepImage: ownImages.keep,
    onProblem: (error: unknown) =>
      layout.notices.show("image", reasonOf(error), [
        { name: (m) => m.close, run: () => layout.notices.remove("image") },
      ]),
  };
  const editor = createEditor(layout.mount, {
    content: saved.document?.json,
    pending: saved.pending,
    actions: () => session.actions,
    insert: { ...images, onFiles: (files) => void opener.open(files) },
  });
  const session = new Session(editor, engine);
  /** The form of the settings is loaded when it is opened. */
  const settings = async () => {
    try {
      const { openSettings } = await import("./settings/dialog");
      layout.notices.remove("settings");
      if (document.querySelector("dialog.settings")) return;
      openSettings(session.settings, async (chosen) => {
        await chat.settle();
        chat.settingsChanged(session.configure(chosen));
        tellForgottenKeys();
      });
    } catch (error) {
      console.warn(error);
      layout.notices.show("settings", (m) => m.plugins.notLoaded, [{ name: (m) => m.tryAgain, run: settings }]);
    }
  };
  /** Says which keys were entered in an earlier page and are gone. */
  const tellForgottenKeys = () => {
    const owners = forgottenKeys(items, session.settings);
    if (!owners.length) return layout.notices.remove("keys");
    layout.notices.show("keys", (m) => m.keysForgotten(owners.map((owner) => ownerName(owner, m))), [
      { name: (m) => m.openSettings, run: () => void settings() },
      { name: (m) => m.close, run: () => layout.notices.remove("keys") },
    ]);
  };
  tellForgottenKeys();
  let loading: Promise<ProjectView> | undefined;
  let opened: ProjectView | undefined;
  /** Loads what files need, with the first panel that is opened, and in later visits from the start. */
  const project = () => {
    loading ??= import("./project/project").then(
      ({ ProjectView }) => {
        saveItem(HAS_FILES, "1");
        return ProjectView.open({ editor, saved, session, chat, layout }).then((project) => (opened = project));
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  const chat = new Chat(layout.chat, editor, session, engine, saved, {
    openSettings: settings,
    closeFile: async () => opened?.close(),
  });
  const opener = new DocumentOpener(editor, {
    notices: layout.notices,
    saved,
    isWorking: () => chat.working,
    settle: () => chat.settle(),
    closeFile: async () => opened?.close(),
  });
  takeDroppedFiles((files) => {
    const sorted = sortFiles(files);
    if (sorted.images.length) void insertImages(editor, sorted.images, images);
    if (sorted.others.length) void opener.open(sorted.others);
  });
  saved.start(editor, () => chat.stored());
  released = () => {
    chat.stop();
    editor.setEditable(false, false);
    editor.view.dom.setAttribute("aria-readonly", "true");
    layout.setReadOnly(true);
  };
  if (!saved.isOwned) released();
  let followed: unknown;
  editor.on("askAgent", ({ result }) => {
    if (!result || result === followed) return;
    layout.showAssistant();
    followed = result;
  });
  const bar = document.createElement("copydesk-review-bar");
  bar.editor = editor;
  const showDock = () => (layout.dock.hidden = !bar.hasAttribute("data-pending"));
  showDock();
  new MutationObserver(showDock).observe(bar, { attributeFilter: ["data-pending"] });
  layout.dock.append(bar);
  // A transaction updates the language of the review bar and of the buttons at the changes.
  localize(() => editor.view.dispatch(editor.state.tr));
  const find = findByKeys(editor, layout.findPlace, layout.notices);
  mountToolbar(layout.toolbar, editor, {
    insertImages: (files) => void insertImages(editor, files, images),
    find: () => void find.open(false),
  });
  layout.addAction(openButton((files) => void opener.open(files)));
  layout.addAction(
    moreMenu(
      exportItems(editor, {
        notices: layout.notices,
        file: () => opened?.file,
        chapters: async () => (await project()).chapters(),
        image: async (path) => (await project()).image(path),
        hasBook: () => !!session.fileCount,
      }),
      { icon: "save", name: (m) => m.export },
    ),
  );
  registerPanels({
    layout,
    editor,
    session,
    project,
    hasFiles: () => loadItem(HAS_FILES) !== null,
    find: () => void find.open(false),
  });
  localize(() => session.localeChanged());
  session.additions.subscribe(() => {
    if (session.additions.getSnapshot().isLost)
      layout.notices.show("unsaved-additions", (m) => m.plugins.notSaved, [
        { name: (m) => m.close, run: () => layout.notices.remove("unsaved-additions") },
      ]);
    else layout.notices.remove("unsaved-additions");
  });
  layout.onSettings(settings);
  layout.onHelp(() => openShortcuts(modKey));

  listenToKeys({
    editor,
    isWorking: () => chat.working,
    stop: () => chat.stop(),
    showAssistant: () => {
      layout.showAssistant();
      chat.focus();
    },
  });
  engine.follow(() => {
    const { state } = engine;
    if (state === "failed")
      layout.notices.show("engine", (m) => m.engineFailed, [{ name: (m) => m.tryAgain, run: load }]);
    else layout.notices.remove("engine");
    if (state === "ready") void complete();
  });
  async function complete() {
    await Promise.allSettled([editor.storage.copydesk.restored]);
    // The agent gets the files when it is created.
    if (loadItem(HAS_FILES)) await project().catch((error: unknown) => console.warn(error));
    await session.prepare();
    // The menus at a selection look for an agent with every transaction.
    editor.view.dispatch(editor.state.tr);
    document.documentElement.dataset.ready = "true";
  }
}

function ownerName(owner: KeyOwner, m: Messages): string {
  if (owner === "tavily") return "Tavily";
  if (owner === "unsplash") return "Unsplash";
  return presetOf(owner).name ?? m.custom;
}

/** Loads the wasm; the reason of a failure is for developers. */
function load(): void {
  engine.load().catch((error: unknown) => console.warn(error));
}

load();
void start();
