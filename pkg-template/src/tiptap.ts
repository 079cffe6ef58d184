/** The TipTap extension: it lets an agent read and edit what stands in the editor. */

import { Extension, type Editor } from "@tiptap/core";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Binding } from "./binding.js";
import type { Document } from "./document.js";
import { CopydeskError } from "./error.js";
import { localeOf } from "./locale.js";
import { preview, previewPlugin, type Preview } from "./preview.js";
import { decide, reviewCommands, showNow, type ReviewHost } from "./review/commands.js";
import type { Decision } from "./review/controls.js";
import { reviewPlugin } from "./review/plugin.js";
import type { DocUpdate, Guards, Locale, Mode } from "./types.js";

export { reviewBar } from "./review/bar.js";
export { hunksOf, type ChangesOf } from "./review/commands.js";
export { schemaData } from "./schema.js";

export interface CopydeskOptions {
  /** The language of results, errors and labels. Default: the page's. */
  locale: Locale | undefined;
  /** `review`: edits wait, shown in the document, until the person accepts or rejects them. Default: `auto`. */
  mode: Mode;
  /** Whether what an agent writes is shown while it is written. Default: true. */
  preview: boolean;
  /** Keys of the commands of the review, as ProseMirror names keys; null for none. */
  shortcuts: Partial<Record<ReviewShortcut, string | null>>;
  /** What edits may do. Sections are those of the document when it is first looked at; `document.setGuards` sets others later. */
  guards: Guards | undefined;
}

export type ReviewShortcut = "nextHunk" | "previousHunk" | "acceptHunk" | "rejectHunk";

const SHORTCUTS: Record<ReviewShortcut, string> = {
  nextHunk: "Mod-Alt-ArrowDown",
  previousHunk: "Mod-Alt-ArrowUp",
  acceptHunk: "Mod-Alt-Enter",
  rejectHunk: "Mod-Alt-Backspace",
};

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
  preview: Preview | undefined;
}

/** Put it among the editor's extensions; nothing else is needed. */
export const Copydesk = Extension.create<CopydeskOptions, OwnStorage>({
  name: "copydesk",

  addOptions() {
    return { locale: undefined, mode: "auto", preview: true, shortcuts: {}, guards: undefined };
  },

  addStorage() {
    // What needs the editor is defined before it is created.
    return { binding: undefined, destroyed: false, preview: undefined } as OwnStorage;
  },

  onBeforeCreate() {
    const { storage, editor, options } = this;
    storage.bind = () => {
      if (!storage.binding) {
        const binding = new Binding(editor, localeOf(options.locale));
        // Guards that cannot be set must not be passed over: without them there is no binding.
        if (options.guards) binding.document.setGuards(options.guards);
        storage.binding = binding;
        if (storage.destroyed) {
          binding.release();
          return binding;
        }
        if (options.mode !== "auto") binding.document.mode = options.mode;
        binding.onReview = () => queueMicrotask(() => showNow(editor, hostOf(storage, options)));
        if (options.preview) storage.preview = preview(editor, binding.document, options.locale);
      }
      return storage.binding;
    };
    Object.defineProperty(storage, "document", { get: () => storage.bind().document, configurable: true });
  },

  onDestroy() {
    this.storage.destroyed = true;
    this.storage.preview?.end();
    this.storage.binding?.release();
  },

  addCommands() {
    return {
      ...reviewCommands(hostOf(this.storage, this.options)),
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

  addKeyboardShortcuts() {
    const { commands } = this.editor;
    const keys = Object.entries({ ...SHORTCUTS, ...this.options.shortcuts }).filter(([, key]) => key) as [ReviewShortcut, string][];
    return Object.fromEntries(keys.map(([name, key]) => [key, () => commands[name]()]));
  },

  addProseMirrorPlugins() {
    const { storage, editor, options } = this;
    const review = hostOf(storage, options);
    return [
      new Plugin({
        key: new PluginKey("copydesk"),
        view: () => ({ update: () => storage.binding?.follow() }),
      }),
      reviewPlugin({
        locale: options.locale,
        act: (decision, hunk, byKey) => {
          decide(editor, review, decision, { hunk }, byKey);
          if (byKey) focusCurrent(editor, decision);
        },
        changed: () => {
          if (!storage.binding) return;
          queueMicrotask(() => showNow(editor, review));
        },
      }),
      previewPlugin(),
    ];
  },
});

function hostOf(storage: OwnStorage, { locale }: CopydeskOptions): ReviewHost {
  return { document: () => storage.bind().document, locale };
}

/** After a button at a hunk was pressed by key: on to the same button of the next one, or back to the text. */
function focusCurrent({ view }: Editor, decision: Decision): void {
  const button = (name: Decision) => view.dom.querySelector<HTMLElement>(`.copydesk-current .copydesk-${name}`);
  // Only a conflict has one for both.
  const next = button(decision) ?? button("accept");
  if (next) next.focus();
  else view.focus();
}
