/** The TipTap extension: it lets an agent read and edit what stands in the editor. */

import { Extension } from "@tiptap/core";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Binding } from "./binding.js";
import type { Document } from "./document.js";
import { CopydeskError } from "./error.js";
import { localeOf } from "./locale.js";
import type { DocUpdate, Guards, Locale } from "./types.js";

export { schemaData } from "./schema.js";

export interface CopydeskOptions {
  /** The language of results and errors. Default: the page's. */
  locale: Locale | undefined;
  /** What edits may do. Sections are those of the document when it is first looked at; `document.setGuards` sets others later. */
  guards: Guards | undefined;
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
       * Applies an edit as one step of undo; false where it does not fit the document. In a chain it must come before
       * anything that changes the document: after that it does nothing and is false.
       * `editor.storage.copydesk.document.apply(update)` says more.
       */
      applyDocUpdate: (update: DocUpdate) => ReturnType;
    };
  }
}

interface OwnStorage extends CopydeskStorage {
  /** Made when it is first asked for, so that an editor can be made before the wasm is there. */
  binding: Binding | undefined;
  bind(): Binding;
  destroyed: boolean;
}

/** Put it among the editor's extensions; nothing else is needed. */
export const Copydesk = Extension.create<CopydeskOptions, OwnStorage>({
  name: "copydesk",

  addOptions() {
    return { locale: undefined, guards: undefined };
  },

  addStorage() {
    // What needs the editor is defined before it is created.
    return { binding: undefined, destroyed: false } as OwnStorage;
  },

  onBeforeCreate() {
    const { storage, editor, options } = this;
    storage.bind = () => {
      if (!storage.binding) {
        const binding = new Binding(editor, localeOf(options.locale));
        // Guards that cannot be set must not be passed over: without them there is no binding.
        if (options.guards) binding.document.setGuards(options.guards);
        storage.binding = binding;
        if (storage.destroyed) binding.release();
      }
      return storage.binding;
    };
    Object.defineProperty(storage, "document", { get: () => storage.bind().document, configurable: true });
  },

  onDestroy() {
    this.storage.destroyed = true;
    this.storage.binding?.release();
  },

  addCommands() {
    return {
      applyDocUpdate:
        (update) =>
        ({ tr, editor, dispatch }) => {
          // An edit is found on the editor's document, so it cannot come after steps that have not been dispatched.
          if (tr.steps.length > 0 || tr.doc !== editor.state.doc) return false;
          try {
            const binding = this.storage.bind();
            if (dispatch) binding.collect(update, tr);
            else binding.try(update);
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
        view: () => ({ update: () => storage.binding?.follow() }),
      }),
    ];
  },
});
