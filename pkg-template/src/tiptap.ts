/** The TipTap extension: it lets an agent read and edit what stands in the editor. */

import { Extension } from "@tiptap/core";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Binding } from "./binding.js";
import type { Document } from "./document.js";
import { CopydeskError } from "./error.js";
import { pageLocale } from "./locale.js";
import type { DocUpdate, Locale } from "./types.js";

export { schemaData } from "./schema.js";

export interface CopydeskOptions {
  /** The language of results and errors. Default: the page's. */
  locale: Locale | undefined;
}

export interface CopydeskStorage {
  /** The editor's document, as the agent sees it. Await `init()` before it is first looked at. */
  readonly document: Document;
}

declare module "@tiptap/core" {
  interface Storage {
    copydesk: CopydeskStorage;
  }

  interface Commands<ReturnType> {
    copydesk: {
      /**
       * Applies an edit as one transaction and one step of undo; false where it does not fit the document.
       * It stands by itself, not in a chain. `editor.storage.copydesk.document.apply(update)` says more.
       */
      applyDocUpdate: (update: DocUpdate) => ReturnType;
    };
  }
}

/** Put it among the editor's extensions; nothing else is needed. */
export const Copydesk = Extension.create<CopydeskOptions, CopydeskStorage & { binding: Binding | undefined }>({
  name: "copydesk",

  addOptions() {
    return { locale: undefined };
  },

  addStorage() {
    // The binding is made when it is first asked for, so that an editor can be made before the wasm is there.
    return { binding: undefined, document: undefined as unknown as Document };
  },

  onBeforeCreate() {
    const { storage, editor, options } = this;
    const document = () => {
      storage.binding ??= new Binding(editor, options.locale ?? pageLocale());
      storage.binding.sync();
      return storage.binding.document;
    };
    Object.defineProperty(storage, "document", { get: document, configurable: true });
  },

  addCommands() {
    return {
      applyDocUpdate:
        (update) =>
        ({ tr, dispatch }) => {
          // The edit is a transaction of its own: the command's own one would be out of date after it.
          tr.setMeta("preventDispatch", true);
          if (!dispatch) return true;
          try {
            this.storage.document.apply(update);
            return true;
          } catch (thrown) {
            if (thrown instanceof CopydeskError) return false;
            throw thrown;
          }
        },
    };
  },

  addProseMirrorPlugins() {
    const { storage } = this;
    return [
      new Plugin({
        key: new PluginKey("copydesk"),
        view: () => ({ update: () => storage.binding?.sync() }),
      }),
    ];
  },
});
