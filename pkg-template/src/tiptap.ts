/** The TipTap extension, which lets an agent read and edit the editor's document. */

import { Extension, type Editor } from "@tiptap/core";
import { Schema } from "@tiptap/pm/model";
import { askCommands, NO_ASK, scopePlugin, type AskHost, type AskState } from "./actions/ask.js";
import { syncPlugin, type Binding } from "./document/binding.js";
import { isLoaded, whenLoaded } from "./document/calls.js";
import { carrierOf } from "./document/carrier.js";
import { checkMode, type Document } from "./document/document.js";
import { CopydeskError } from "./base/error.js";
import { localeOf } from "./base/locale.js";
import { Restoration, type PendingChanges } from "./document/pending.js";
import { preview, previewPlugin, type Preview } from "./view/preview.js";
import { checkView, decide, enterProposal, reviewCommands, showNow, type ReviewHost } from "./review/commands.js";
import type { Decision } from "./review/controls.js";
import { returnFocus } from "./review/focus.js";
import { reviewPlugin } from "./review/plugin.js";
import type { Shortcuts } from "./review/shortcuts.js";
import type { DocUpdate, Guards, Locale, Mode, ReviewView } from "./types/index.js";

export type { Ask, AskState } from "./actions/ask.js";
export { AgentActions, type AgentActionsOptions } from "./actions/menus.js";
export { slashBlocks, type SlashBlock } from "./actions/blocks.js";
export { agentActions, askOf, changeTone, translateTo, type AgentAction } from "./actions/ready.js";
export type { Texts } from "./actions/words.js";
export type { PendingChanges } from "./document/pending.js";
export { reviewBar } from "./review/bar.js";
export { hunksOf, hunksRevision, reviewViewOf } from "./review/hunks.js";
export { type ChangesOf, type ReviewDecision } from "./review/commands.js";
export { schemaData } from "./document/schema.js";

export interface CopydeskOptions {
  /** The language of results, errors and labels. Default: the page's. */
  locale: Locale | undefined;
  /** `review`: edits are shown in the document and wait until the user accepts or rejects them. Default: `auto`. */
  mode: Mode;
  /** The version of the document that is shown at first. Default: `marked`. */
  reviewView: ReviewView;
  /** True to show edits while the agent writes them. Default: true. */
  preview: boolean;
  /** Keys of the review commands, in ProseMirror's notation; null for none. */
  shortcuts: Partial<Record<ReviewShortcut, string | null>>;
  /** Limits of edits. Sections are resolved when the document is first used; `document.setGuards` changes them
   * later. */
  guards: Guards | undefined;
  /** Pending changes that were stored with the document. They are pending again when the wasm is loaded, whatever was
   * typed by then. */
  pending: PendingChanges | undefined;
}

export type ReviewShortcut = "nextHunk" | "previousHunk" | "acceptHunk" | "rejectHunk";

const SHORTCUTS: Record<ReviewShortcut, string> = {
  nextHunk: "Mod-Alt-ArrowDown",
  previousHunk: "Mod-Alt-ArrowUp",
  acceptHunk: "Mod-Alt-Enter",
  rejectHunk: "Mod-Alt-Backspace",
};

export interface CopydeskStorage {
  /** The editor's document, as the agent sees it. Await `init()` before the first access. */
  readonly document: Document;
  /** The pending changes, to be stored with the document. Can be read before the wasm is loaded. */
  readonly pending: PendingChanges;
  /** Resolves when the changes of the option `pending` are pending again. Rejects with a `CopydeskError` if they do not
   * belong to the document, which is as it was then. */
  readonly restored: Promise<void>;
  /**
   * Accepts a pending change, and selects a range of its content in the document. Returns false if it cannot be accepted.
   *
   * @internal
   */
  enterProposal(hunk: string, range: { from: number; to: number }): boolean;
  /** The state of the last request of `askAgent`. The event `askAgent` tells its changes. */
  readonly ask: AskState;
}

declare module "@tiptap/core" {
  interface Storage {
    copydesk: CopydeskStorage;
  }

  interface Commands<ReturnType> {
    copydesk: {
      /**
       * Applies an edit as one undo step; false if it does not fit the document. In a chain it must come before
       * anything that changes the document; after that it does nothing and returns false.
       * `editor.storage.copydesk.document.apply(update)` returns details.
       */
      applyDocUpdate: (update: DocUpdate) => ReturnType;
    };
  }
}

interface OwnStorage extends CopydeskStorage {
  /** Returns the storage itself; an app may read it through a proxy of its framework. */
  self(): OwnStorage;
  /** Created on first access, so that an editor can be created before the wasm is loaded. */
  binding: Binding | undefined;
  bind(): Binding;
  /** Called when the document is bound. */
  bound: ((binding: Binding) => void) | undefined;
  /** Called before the document is released. */
  ending: (() => void) | undefined;
  restoration: Restoration;
  /** The mode that was set before the document was bound. */
  mode: Mode | undefined;
  /** Ends the wait for the wasm. */
  stopWaiting: (() => void) | undefined;
  destroyed: boolean;
  preview: Preview | undefined;
  /** The requests of `askAgent`. */
  asking: AskHost;
}

/**
 * Accessors of the storage for apps. The functions are those of all editors: engines keep accessors in the shape of an
 * object, which outlives it, and functions of an editor would keep that editor.
 */
const ACCESSORS: PropertyDescriptorMap & ThisType<OwnStorage> = {
  ask: {
    configurable: true,
    get() {
      return this.self().asking.state;
    },
  },
  restored: {
    configurable: true,
    get() {
      return this.self().restoration.done;
    },
  },
  pending: {
    configurable: true,
    get() {
      const { binding, restoration } = this.self();
      return binding ? { hunks: binding.document.hunks() } : restoration.pending;
    },
  },
  document: {
    configurable: true,
    get() {
      return this.self().bind().document;
    },
  },
};

/** Add it to the editor's extensions; nothing else is needed. */
export const Copydesk = Extension.create<CopydeskOptions, OwnStorage>({
  name: "copydesk",

  addOptions() {
    return {
      locale: undefined,
      mode: "auto",
      reviewView: "marked",
      preview: true,
      shortcuts: {},
      guards: undefined,
      pending: undefined,
    };
  },

  addStorage() {
    // Functions that need the editor are added before the editor is created.
    return { binding: undefined, destroyed: false, preview: undefined } as OwnStorage;
  },

  onBeforeCreate() {
    const { storage, editor, options } = this;
    checkProseMirror(editor);
    checkView(options.reviewView);
    storage.bind = () => {
      if (!storage.binding) {
        const binding = storage.restoration.bind(editor, localeOf(options.locale));
        // Invalid guards must not be ignored: the binding fails.
        if (options.guards) binding.document.setGuards(options.guards);
        storage.binding = binding;
        if (storage.destroyed) {
          binding.release();
          return binding;
        }
        const { mode = options.mode } = storage;
        if (mode !== "auto") binding.document.mode = mode;
        binding.onReview = () => queueMicrotask(() => showNow(editor, hostOf(storage, options)));
        if (storage.restoration.isNeeded) binding.onReview();
        if (options.preview) storage.preview = preview(editor, binding.document, options.locale);
        storage.bound?.(binding);
      }
      return storage.binding;
    };
    storage.enterProposal = (hunk, range) => enterProposal(editor, hostOf(storage, options), hunk, range, () => {});
    storage.asking = {
      document: () => storage.bind().document,
      locale: options.locale,
      state: NO_ASK,
      agent: undefined,
    };
    storage.self = () => storage;
    storage.restoration = new Restoration(options.pending);
    Object.defineProperties(storage, ACCESSORS);
    // The editor has no state yet. It may never be mounted.
    if (storage.restoration.isNeeded) queueMicrotask(() => bindWhenLoaded(storage));
  },

  onTransaction({ transaction }) {
    if (transaction.docChanged && !this.storage.binding) this.storage.restoration.changed(transaction.before);
  },

  onDestroy() {
    this.storage.ending?.();
    this.storage.destroyed = true;
    this.storage.stopWaiting?.();
    this.storage.asking.agent?.abort();
    this.storage.preview?.end();
    this.storage.binding?.release();
  },

  addCommands() {
    return {
      ...reviewCommands(hostOf(this.storage, this.options)),
      ...askCommands(() => this.storage.asking),
      applyDocUpdate:
        (update) =>
        ({ tr, editor, dispatch }) => {
          // Targets are found in the editor's document, so an edit cannot follow steps that are not dispatched.
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
    return { Escape: () => this.editor.commands.stopAgent(), ...shortcutsOf(this.editor, this.options) };
  },

  addProseMirrorPlugins() {
    const { storage, editor, options } = this;
    const review = hostOf(storage, options);
    return [
      syncPlugin(() => storage.binding),
      reviewPlugin({
        locale: options.locale,
        view: options.reviewView,
        act: (decision, hunk, event) => {
          if (!editor.isEditable) return;
          const byKey = event.detail === 0;
          decide(editor, review, decision, { hunk }, byKey);
          if (byKey) focusCurrent(editor, decision);
          else returnFocus(editor.view, event);
        },
        mayDecide: (id) => {
          const carrier = storage.binding && carrierOf(storage.binding.document);
          return !carrier || carrier.mayDecide(id);
        },
        isEditable: () => editor.isEditable,
        shortcuts: shortcutsOf(editor, options),
        deciding: (["acceptHunk", "rejectHunk"] as const).flatMap((name) => keysOf(options)[name] ?? []),
        enter: (hunk, range, run) => enterProposal(editor, review, hunk, range, run),
        changed: () => {
          queueMicrotask(() => {
            // Changes that are reported later are beside all hunks: nothing is to be shown again.
            if (storage.binding && !storage.binding.isLate) showNow(editor, review);
          });
        },
      }),
      previewPlugin(),
      scopePlugin(),
    ];
  },
});

/** Classes of two copies of ProseMirror do not recognize each other; without this, a view fails with an obscure error. */
function checkProseMirror({ schema }: Editor): void {
  if (schema instanceof Schema) return;
  const message =
    "This page has two copies of ProseMirror: the editor's, and the one that copydesk imports. Install copydesk from a registry or " +
    "from the file that `npm pack` makes, not as a linked folder, and let your bundler use one copy of @tiptap/pm " +
    '(Vite: resolve.dedupe: ["@tiptap/core", "@tiptap/pm"]).';
  throw new CopydeskError({ code: "second_prosemirror", message, details: {} });
}

/** Binds before the first access to the document. */
function bindWhenLoaded(storage: OwnStorage): void {
  if (storage.destroyed) return;
  storage.stopWaiting = whenLoaded(() => {
    try {
      storage.bind();
    } catch {
      // Invalid guards: every access to the document fails with them.
    }
  });
}

function keysOf({ shortcuts }: CopydeskOptions): Record<ReviewShortcut, string | null | undefined> {
  return { ...SHORTCUTS, ...shortcuts };
}

function shortcutsOf({ commands }: Editor, options: CopydeskOptions): Shortcuts {
  const keys = Object.entries(keysOf(options)).filter(([, key]) => key) as [ReviewShortcut, string][];
  return Object.fromEntries(keys.map(([name, key]) => [key, () => commands[name]()]));
}

function hostOf(storage: OwnStorage, { locale }: CopydeskOptions): ReviewHost {
  return {
    document: () => storage.bind().document,
    locale,
    setMode: (mode) => {
      checkMode(mode);
      if (isLoaded()) storage.bind().document.mode = mode;
      else storage.mode = mode;
      return isLoaded();
    },
    inOneStep: (decide, then) => storage.bind().inOneStep(decide, then),
  };
}

/** After a button of a hunk was pressed with the keyboard, focuses the same button of the next hunk, or the text. */
function focusCurrent({ view }: Editor, decision: Decision): void {
  const button = (name: Decision) => view.dom.querySelector<HTMLElement>(`.copydesk-current .copydesk-${name}`);
  // Only a conflict has the button for both.
  const next = button(decision) ?? button("accept");
  if (next) next.focus();
  else view.focus();
}
