/** `copydesk/ghost-text`: completes the line at the cursor, as grey text that is not in the document. */

import { Extension } from "@tiptap/core";
import { closeHistory } from "@tiptap/pm/history";
import { complete, type CompletionOptions } from "./ghost-text/completion.js";
import { firstWord } from "./ghost-text/text.js";
import { ghostPlugin } from "./ghost-text/plugin.js";
import { ACCEPTED, ghostKey, type GhostTextState } from "./ghost-text/state.js";
import { GhostTextAsker, IDLE, OFF } from "./ghost-text/asker.js";
import type { FetchLike, LlmConfig, Locale } from "./types/index.js";

export interface GhostTextOptions {
  /** The model that completes, or a function that returns it before each request; null for none. A small, fast one. */
  llmConfig: LlmConfig | null | (() => LlmConfig | null);
  /** True to complete from the beginning. Default: false. The command `setGhostText` changes it. */
  enabled: boolean;
  /** The pause after a key before the model is asked, in milliseconds. Default: 600. */
  delay: number;
  /** True to complete in code as well. Default: false. */
  inCode: boolean;
  /** The most characters before and after the cursor that the model reads. Default: 3000 and 600. */
  before: number;
  after: number;
  /** The language of the instruction, and of what screen readers say. Default: the page's. */
  locale: Locale | undefined;
  /** The instruction to the model. Default: copydesk's own. */
  systemPrompt: string | undefined;
  /** Replaces `globalThis.fetch`. */
  fetch: FetchLike | undefined;
}

export type { GhostTextState };

export interface GhostTextStorage {
  readonly state: GhostTextState;
}

interface OwnStorage extends GhostTextStorage {
  state: GhostTextState;
  asker: GhostTextAsker | undefined;
  isOn: boolean;
}

declare module "@tiptap/core" {
  interface Storage {
    copydeskGhostText: GhostTextStorage;
  }

  interface EditorEvents {
    /** The state of the extension of `copydesk/ghost-text` has changed. */
    ghostText: GhostTextState;
  }

  interface Commands<ReturnType> {
    copydeskGhostText: {
      /** Turns the completion on or off. */
      setGhostText: (on: boolean) => ReturnType;
      /** Inserts the text that is shown, or its first word; false if there is none. */
      acceptGhostText: (part?: "all" | "word") => ReturnType;
      /** Removes the text that is shown, or the request under way; false if there is none. */
      dismissGhostText: () => ReturnType;
    };
  }
}

export const GhostText = Extension.create<GhostTextOptions, GhostTextStorage>({
  name: "copydeskGhostText",
  // Before lists and tables, which have Tab as well.
  priority: 1100,

  addOptions: () => ({
    llmConfig: null,
    enabled: false,
    delay: 600,
    inCode: false,
    before: 3000,
    after: 600,
    locale: undefined,
    systemPrompt: undefined,
    fetch: undefined,
  }),

  addStorage(): GhostTextStorage {
    const { enabled } = this.options;
    const storage: OwnStorage = { state: enabled ? IDLE : OFF, asker: undefined, isOn: enabled };
    return storage;
  },

  addCommands() {
    const own = this.storage as OwnStorage;
    return {
      setGhostText:
        (on) =>
        ({ tr, dispatch }) => {
          if (!dispatch) return true;
          own.isOn = on;
          own.asker?.turn(on);
          tr.setMeta(ghostKey, null);
          return true;
        },
      acceptGhostText:
        (part = "all") =>
        ({ state, tr, dispatch }) => {
          const ghost = ghostKey.getState(state);
          if (!ghost) return false;
          // An undo step of its own, which the plugin ends.
          if (dispatch)
            closeHistory(tr)
              .insertText(part === "all" ? ghost.text : firstWord(ghost.text), ghost.at)
              .setMeta(ACCEPTED, true)
              .scrollIntoView();
          return true;
        },
      dismissGhostText:
        () =>
        ({ state, tr, dispatch }) => {
          const isShown = ghostKey.getState(state) != null;
          const isWaiting = own.asker?.isWaiting === true;
          if (dispatch) {
            own.asker?.cancel();
            if (isShown) tr.setMeta(ghostKey, null);
          }
          return isShown || isWaiting;
        },
    };
  },

  addProseMirrorPlugins() {
    const { editor, options } = this;
    const own = this.storage as OwnStorage;
    const asker = new GhostTextAsker(editor, {
      delay: () => options.delay,
      inCode: () => options.inCode,
      isOn: () => own.isOn,
      complete: (context, signal) => complete(optionsOf(options), context, signal),
      reads: () => [options.before, options.after],
      changed: (state) => {
        own.state = state;
        editor.emit("ghostText", state);
      },
    });
    own.asker = asker;
    return [ghostPlugin(editor, asker, () => options.locale)];
  },
});

function optionsOf({ llmConfig, locale, systemPrompt, fetch }: GhostTextOptions): CompletionOptions {
  return { llmConfig: typeof llmConfig === "function" ? llmConfig() : llmConfig, locale, systemPrompt, fetch };
}

export default GhostText;
