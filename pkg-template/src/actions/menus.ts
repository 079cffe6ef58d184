/** The TipTap extension with the menus for actions: at a selection, and after a slash. */

import { Extension, type Editor } from "@tiptap/core";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import type { SlashBlock } from "./blocks.js";
import { Bubble } from "./bubble.js";
import { agentActions, type AgentAction } from "./ready.js";
import { slashPlugin } from "./slash.js";

export interface AgentActionsOptions {
  /**
   * The actions, in the order of the menus, or a function that returns those for the present selection; it is called when
   * a menu opens. Default: `agentActions`.
   */
  actions: readonly AgentAction[] | ((editor: Editor) => readonly AgentAction[]);
  /** False for no menu at a selection; what a run does is shown nevertheless. Default: true. */
  bubble: boolean;
  /** False for no menu after a slash. Default: true. */
  slash: boolean;
  /** Blocks that the menu after a slash inserts, such as `slashBlocks`. Default: none. */
  blocks: readonly SlashBlock[];
  /** The key that moves the focus into the menu, in ProseMirror's notation; null for none. Default: `Mod-j`. */
  shortcut: string | null;
  /** The language of the menus and instructions. Default: the page's. */
  locale: string | undefined;
}

interface MenuStorage {
  bubble: Bubble | undefined;
}

declare module "@tiptap/core" {
  interface Storage {
    copydeskActions: MenuStorage;
  }
}

/** Adds the menus to an editor that has the extension `Copydesk`. */
export const AgentActions = Extension.create<AgentActionsOptions, MenuStorage>({
  name: "copydeskActions",
  // Before the extension that stops runs with Escape.
  priority: 110,

  addOptions() {
    return { actions: agentActions, bubble: true, slash: true, blocks: [], shortcut: "Mod-j", locale: undefined };
  },

  addStorage() {
    return { bubble: undefined };
  },

  addKeyboardShortcuts() {
    const { shortcut } = this.options;
    return shortcut ? { [shortcut]: () => this.storage.bubble?.open() ?? false } : {};
  },

  addProseMirrorPlugins() {
    const { editor, storage } = this;
    const { blocks, bubble, slash, locale } = this.options;
    const actions = () => {
      const { actions } = this.options;
      return typeof actions === "function" ? actions(editor) : actions;
    };
    const menu = new Plugin({
      key: new PluginKey("copydeskBubble"),
      view: (view) => {
        const shown = new Bubble(view, editor, { actions, locale, menu: bubble });
        storage.bubble = shown;
        return { update: (_, before) => shown.update(before), destroy: () => shown.destroy() };
      },
    });
    return slash ? [slashPlugin(editor, { actions, blocks, locale }), menu] : [menu];
  },
});
