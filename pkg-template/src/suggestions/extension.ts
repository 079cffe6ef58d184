/** The TipTap extension that makes the hunks of an editor suggestions in the shared document. */

import { Extension, type Editor } from "@tiptap/core";
import type { EditorState } from "@tiptap/pm/state";
import type { Doc, UndoManager, XmlFragment } from "yjs";
import type { Binding } from "../document/binding.js";
import { guarded, whenLoaded } from "../document/calls.js";
import { setCarrier } from "../document/carrier.js";
import { handleOf } from "../document/document.js";
import { check, type CopydeskError } from "../base/error.js";
import { jsonOf } from "../base/json.js";
import { localeOf } from "../base/locale.js";
import { noticesOf } from "../review/notice.js";
import type { Author } from "../types/index.js";
import type { DecisionHistory } from "./decisions.js";
import { readAuthor } from "./entry.js";
import { SharedReview, type Suggestion } from "./shared-review.js";
import type { IgnoredSuggestion } from "./stored.js";
import { Suggesting } from "./suggesting.js";
import { suggestionWords } from "./words.js";

export interface SuggestionsOptions {
  /** The Yjs document of TipTap's Collaboration. Without it, suggestions are those of this page, and are stored with the
   * document as `editor.storage.copydesk.pending`. */
  document: Doc | null;
  /** The name of the fragment with the document, as Collaboration has it. Default: `default`. */
  field: string;
  /** The fragment itself, in place of `document` and `field`. */
  fragment: XmlFragment | null;
  /** The person at this editor. */
  user: Omit<Author, "kind">;
  /** The author of the suggestions of agents in this page. Default: "Assistant of" the user. */
  agent: Omit<Author, "kind"> | null;
  /** Returns true if the user may decide a suggestion. It protects nothing against other pages: the server grants rights.
   * Default: true. */
  mayDecide: (suggestion: Suggestion, user: Author) => boolean;
  /** `suggest`: what the user types becomes suggestions. Default: `edit`. */
  mode: TypingMode;
}

/** The effect of typing: it changes the document, or is suggested. */
export type TypingMode = "edit" | "suggest";

export interface SuggestionsStorage {
  /** The suggestions that nobody has decided, in the order in which they were made; empty until the wasm is loaded. */
  readonly list: readonly Suggestion[];
  /** The stored suggestions that cannot be read, with the reasons. */
  readonly ignored: readonly IgnoredSuggestion[];
  /** Changes the authors of later suggestions: the person at this editor, and the agents of this page. */
  setAuthors: (authors: { user?: Omit<Author, "kind">; agent?: Omit<Author, "kind"> }) => void;
  /** The author of the suggestions of agents in this page. */
  readonly agentAuthor: Author;
  /** Updates the pending changes and stores their places at once, which otherwise happens in a microtask. What was typed in
   * mode `suggest` becomes suggestions at once. */
  settle: () => void;
  /** Sets whether what the user types is suggested from now on. */
  setMode: (mode: TypingMode) => void;
  readonly mode: TypingMode;
  /** The editor in which the user suggests, with the document as if all suggestions were accepted; `undefined` in mode
   * `edit`. */
  readonly suggesting: Editor | undefined;
}

declare module "@tiptap/core" {
  interface Storage {
    suggestions: SuggestionsStorage;
  }

  interface EditorEvents {
    /** Suggestions of other participants are ignored, because they are damaged, too large or of a later version. */
    suggestionsIgnored: { suggestions: readonly IgnoredSuggestion[] };
    /** The mode has changed. `suggesting` is the editor in which the user types, in mode `suggest`. */
    suggestingChange: { mode: TypingMode; suggesting: Editor | undefined };
    /** Typed text could not become suggestions. It is still in the editor, and is tried again. */
    suggestingRefused: { error: CopydeskError };
  }
}

interface OwnStorage extends SuggestionsStorage {
  review: SharedReview | undefined;
  user: Author;
  agent: Author | undefined;
  stop: (() => void) | undefined;
  suggested: Suggesting | undefined;
}

/** The part of the storage of `Copydesk` that `Suggestions` uses. */
interface Bindable {
  bind(): Binding;
  bound: ((binding: Binding) => void) | undefined;
  ending: (() => void) | undefined;
}

/** Add it to the editor's extensions beside `Copydesk` and `Collaboration`. */
export const Suggestions = Extension.create<SuggestionsOptions, OwnStorage>({
  name: "suggestions",
  // After Copydesk, which binds the document.
  priority: 50,

  addOptions() {
    return {
      document: null,
      field: "default",
      fragment: null,
      user: { name: "" },
      agent: null,
      mayDecide: () => true,
      mode: "edit",
    };
  },

  addStorage() {
    return { review: undefined, stop: undefined, suggested: undefined } as OwnStorage;
  },

  onBeforeCreate() {
    const { editor, options, storage } = this;
    const { document: shared, field } = options;
    check(typeof field === "string", "field", field, "a string");
    const isDoc = shared === null || typeof shared?.getXmlFragment === "function";
    check(isDoc, "document", shared, "the Y.Doc of Collaboration");
    const author = (given: unknown, kind: Author["kind"], name: string): Author => {
      const read = readAuthor({ ...(given as object), kind });
      check(typeof (given as Author | null)?.name === "string", name, given, "an object with a name");
      return read!;
    };
    storage.user = author(options.user, "person", "user");
    storage.agent = options.agent ? author(options.agent, "agent", "agent") : undefined;
    storage.setAuthors = ({ user, agent }) => {
      if (user) storage.user = author(user, "person", "user");
      if (agent) storage.agent = author(agent, "agent", "agent");
      tellAuthors();
    };
    storage.settle = () => {
      storage.review?.settle();
      storage.suggested?.settle();
    };
    let mode = checked(options.mode);
    storage.setMode = (given) => {
      mode = checked(given);
      const isMeant = mode === "suggest" && binding !== undefined && !editor.isDestroyed;
      if (isMeant === (storage.suggested !== undefined)) return;
      if (isMeant) {
        const refused = (error: CopydeskError) => void editor.emit("suggestingRefused", { error });
        storage.suggested = new Suggesting({ host: editor, user: () => storage.user, refused });
      } else {
        storage.suggested?.release();
        storage.suggested = undefined;
      }
      editor.emit("suggestingChange", { mode, suggesting: storage.suggesting });
    };
    Object.defineProperties(storage, {
      list: { configurable: true, get: () => storage.review?.list() ?? [] },
      ignored: { configurable: true, get: () => storage.review?.ignored ?? [] },
      mode: { configurable: true, get: () => mode },
      suggesting: { configurable: true, get: () => storage.suggested?.editor },
      agentAuthor: {
        configurable: true,
        get: () =>
          storage.agent ?? { ...storage.user, kind: "agent", name: suggestionWords().agentOf(storage.user.name) },
      },
    });
    let binding: Binding | undefined;
    const tellAuthors = () => {
      if (!binding) return;
      const { user, agentAuthor: agent } = storage;
      const handle = handleOf(binding.document);
      guarded(() => handle.setAuthors(jsonOf({ agent, ...(user.name && { person: user }) }, "authors")));
    };
    const copydesk = editor.storage.copydesk as unknown as Bindable | undefined;
    check(copydesk !== undefined, "extensions", "without Copydesk", "those of the editor, with Copydesk");
    // Before the first edit, because agents edit the document with all suggestions.
    copydesk!.bound = (made) => {
      binding = made;
      tellAuthors();
      const fragment = options.fragment ?? shared?.getXmlFragment(field);
      if (fragment) storage.review = share(editor, binding, fragment, storage, options);
    };
    // Text that was typed last becomes suggestions.
    copydesk!.ending = () => storage.suggested?.release();
    const begin = () => {
      try {
        if (editor.isDestroyed) return;
        copydesk!.bind();
        storage.setMode(mode);
      } catch {
        // Invalid guards: every access to the document fails with them.
      }
    };
    queueMicrotask(() => (storage.stop = whenLoaded(begin)));
  },

  onDestroy() {
    this.storage.stop?.();
    this.storage.review?.release();
  },
});

function checked(mode: unknown): TypingMode {
  check(mode === "edit" || mode === "suggest", "mode", mode, '"edit" or "suggest"');
  return mode as TypingMode;
}

function share(
  editor: Editor,
  binding: Binding,
  fragment: XmlFragment,
  storage: OwnStorage,
  { mayDecide }: SuggestionsOptions,
): SharedReview {
  const { document } = binding;
  const locale = () =>
    localeOf(
      (editor.extensionManager.extensions.find(({ name }) => name === "copydesk")?.options as { locale?: string })
        .locale,
    );
  const review = new SharedReview({
    document,
    fragment,
    content: () => editor.state.doc,
    history: () => historyOf(editor.state, review),
    user: () => storage.user,
    mayDecide: (suggestion) => mayDecide(suggestion, storage.user),
    refusal: (count) => suggestionWords(locale()).notPermitted(count),
    changed: () => binding.onReview?.(),
    ignored: (suggestions) => {
      if (editor.isDestroyed) return;
      noticesOf(editor.view)?.show(suggestionWords(locale()).ignored(suggestions.length));
      editor.emit("suggestionsIgnored", { suggestions });
    },
  });
  setCarrier(document, review);
  return review;
}

/** Returns the history of TipTap's collaboration, with decisions in it. */
function historyOf(state: EditorState, review: SharedReview): DecisionHistory | undefined {
  // The states of the plugins with PluginKey("y-undo") and PluginKey("y-sync").
  const plugins = state as unknown as Record<string, { undoManager?: UndoManager } | undefined>;
  const manager = plugins["y-undo$"]?.undoManager;
  if (!manager) return undefined;
  const origin = [...(manager.trackedOrigins as Set<unknown>)].find(
    (one) => (one as { key?: unknown } | null)?.key === "y-sync$",
  );
  if (!origin) return undefined;
  manager.addToScope(review.decisions);
  return { manager, origin };
}
