/** The parts of the page around a document, wherever it is kept: settings, chat, review bar, toolbar, find and keys. */
import type { Editor } from "@tiptap/core";
import { forgottenKeys, presetOf, type KeyOwner } from "copydesk/assistant";
import { insertImages, type InsertImagesOptions } from "copydesk/insert";
import "copydesk/ui/review-bar";
import { Chat, type KeptConversations } from "./chat/chat";
import { openShortcuts } from "./dialog";
import { modKey } from "./dom";
import type { Engine } from "./engine";
import { findByKeys } from "./find/keys";
import type { Layout } from "./layout";
import { localize, type Messages } from "./locale";
import { listenToKeys } from "./page-keys";
import type { Session } from "./session";
import { items } from "./storage";
import { mountToolbar } from "./toolbar";

interface PageOptions {
  layout: Layout;
  engine: Engine;
  editor: Editor;
  session: Session;
  images: InsertImagesOptions;
  saved: KeptConversations;
  /** Shows the user's own document in place of a file. */
  closeFile: () => Promise<void>;
}

export interface ConnectedPage {
  chat: Chat;
  /** Opens the search in the document. */
  find: () => void;
  /** Prepares the assistant as soon as copydesk is loaded, after `prepare`. */
  start: (prepare: () => Promise<void>) => void;
}

export function connectPage({ layout, engine, editor, session, images, saved, closeFile }: PageOptions): ConnectedPage {
  const { notices } = layout;
  /** The form of the settings is loaded when it is opened. */
  const settings = async () => {
    try {
      const { openSettings } = await import("./settings/dialog");
      notices.remove("settings");
      if (document.querySelector("dialog.settings")) return;
      openSettings(session.settings, async (chosen) => {
        await chat.settle();
        chat.settingsChanged(session.configure(chosen));
        tellForgottenKeys();
      });
    } catch (error) {
      console.warn(error);
      notices.failed("settings", (m) => m.plugins.notLoaded, settings);
    }
  };
  /** States which keys were entered in an earlier page and are gone. */
  const tellForgottenKeys = () => {
    const owners = forgottenKeys(items, session.settings);
    if (!owners.length) return notices.remove("keys");
    notices.show("keys", (m) => m.keysForgotten(owners.map((owner) => ownerName(owner, m))), [
      { name: (m) => m.openSettings, run: () => void settings() },
      { name: (m) => m.close, run: () => notices.remove("keys") },
    ]);
  };
  tellForgottenKeys();
  const chat = new Chat(layout.chat, editor, session, engine, saved, { openSettings: settings, closeFile });
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
  const finder = findByKeys(editor, layout.findPlace, notices);
  const find = () => void finder.open(false);
  mountToolbar(layout.toolbar, editor, { insertImages: (files) => void insertImages(editor, files, images), find });
  localize(() => session.localeChanged());
  session.additions.subscribe(() => {
    if (session.additions.getSnapshot().isLost) notices.tell("unsaved-additions", (m) => m.plugins.notSaved);
    else notices.remove("unsaved-additions");
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
  const start = (prepare: () => Promise<void>) =>
    engine.follow(async () => {
      const { state } = engine;
      if (state === "failed")
        notices.show("engine", (m) => m.engineFailed, [{ name: (m) => m.tryAgain, run: () => engine.tryLoad() }]);
      else notices.remove("engine");
      if (state !== "ready") return;
      await prepare();
      await session.prepare();
      // The menus at a selection look for an agent with every transaction.
      editor.view.dispatch(editor.state.tr);
      document.documentElement.dataset.ready = "true";
    });
  return { chat, find, start };
}

function ownerName(owner: KeyOwner, m: Messages): string {
  if (owner === "tavily") return "Tavily";
  if (owner === "unsplash") return "Unsplash";
  return presetOf(owner).name ?? m.custom;
}
