/**
 * Typing as suggestions.
 *
 * A user who suggests types in an editor of their own, which has the document with all suggestions and is not bound to
 * the shared one. Its differences from the document in the wasm become suggestions after a short pause; changes of the
 * others arrive as steps outside of the history.
 */

import { Editor, Extension } from "@tiptap/core";
import { history, redo, undo } from "@tiptap/pm/history";
import { Fragment, Node, Slice } from "@tiptap/pm/model";
import type { Transaction } from "@tiptap/pm/state";
import { ReplaceStep, Transform } from "@tiptap/pm/transform";
import { guarded } from "../document/calls.js";
import { carrierOf } from "../document/carrier.js";
import { handleOf, type Document } from "../document/document.js";
import { CopydeskError } from "../base/error.js";
import { jsonOf } from "../base/json.js";
import type { Author, NodeJSON } from "../types/index.js";
import { unbound } from "./bound-extensions.js";
import { digestOf, isSame } from "./entry.js";
import { SharedReview } from "./shared-review.js";
import { showSuggested, suggestedMarks } from "./suggested-marks.js";
import { becomeExactly, changesBetween, mergeChanges, stepsTo } from "./three-way.js";

/** Milliseconds after which a change becomes a suggestion. */
const PAUSE = 500;
/** A suggestion of this person, as it was last. */
interface Own {
  from: number;
  to: number;
  content: readonly NodeJSON[];
  digest: string;
  /** Its contents before that, by their digests. Others may have decided or changed one of them at the same time. */
  earlier: ReadonlyMap<string, readonly NodeJSON[]>;
}

export interface SuggestingOptions {
  /** The editor that is bound to the document. */
  host: Editor;
  user: () => Author;
  /** Called if changes could not become suggestions. They stay in the editor. */
  refused: (error: CopydeskError) => void;
}

export class Suggesting {
  readonly editor: Editor;
  readonly #options: SuggestingOptions;
  readonly #document: Document;
  /** The document with all suggestions, as it was after the last exchange. */
  #known: Node;
  /** The state of the wasm then: the revision of its hunks, and the document without suggestions. */
  #seen: { revision: number; doc: Node } | undefined;
  /** True while this class changes the editor or the suggestions. */
  #isExchanging = false;
  #own = new Map<string, Own>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReleased = false;
  readonly #changed = () => this.#pullSoon();
  readonly #composed = () => this.#later();
  readonly #leaving = () => this.#settle();
  #isPulling = false;

  constructor(options: SuggestingOptions) {
    const { host } = options;
    this.#options = options;
    this.#document = host.storage.copydesk.document;
    const element = document.createElement("div");
    element.className = "copydesk-suggesting";
    const { dom } = host.view;
    dom.after(element);
    dom.style.display = "none";
    // Not the listeners of the app: what this editor holds is not the document.
    const { editorProps, parseOptions, enableInputRules, enablePasteRules, injectCSS, injectNonce } = host.options;
    const kept = { editorProps, parseOptions, enableInputRules, enablePasteRules, injectCSS };
    this.editor = new Editor({
      ...kept,
      ...(injectNonce !== undefined && { injectNonce }),
      element,
      content: this.#document.toJSON(),
      extensions: [...unbound(host.options.extensions), ownHistory, marks],
      autofocus: false,
    });
    this.#known = this.editor.state.doc;
    this.editor.on("transaction", ({ transaction }) => this.#edited(transaction));
    this.editor.view.dom.addEventListener("compositionend", this.#composed);
    host.on("transaction", this.#changed);
    window.addEventListener("pagehide", this.#leaving);
    this.#exchange(() => this.#remember());
  }

  /** Makes suggestions of what was typed, and shows what others have done. */
  settle(): void {
    // A change of the text would end what an input method composes.
    if (this.editor.view.composing) this.#later();
    else this.#settle();
  }

  #settle(): void {
    if (this.#isReleased || this.#isExchanging || this.#options.host.isDestroyed) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#exchange(() => {
      this.#review?.settle();
      this.#pull(this.#common());
      this.#propose();
      this.#remember();
    });
  }

  /** Makes suggestions of what was typed, and shows the bound editor again. */
  release(): void {
    if (this.#isReleased) return;
    const { host } = this.#options;
    this.#settle();
    this.#isReleased = true;
    clearTimeout(this.#timer);
    host.off("transaction", this.#changed);
    window.removeEventListener("pagehide", this.#leaving);
    const element = this.editor.options.element as HTMLElement;
    this.editor.destroy();
    element.remove();
    if (!host.isDestroyed) host.view.dom.style.display = "";
  }

  #edited(transaction: Transaction): void {
    if (transaction.docChanged && !this.#isExchanging) this.#later();
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.settle();
    }, PAUSE);
  }

  #pullSoon(): void {
    if (this.#isPulling) return;
    this.#isPulling = true;
    queueMicrotask(() => {
      this.#isPulling = false;
      if (!this.#isReleased && !this.#options.host.isDestroyed && this.#isBehind) this.settle();
    });
  }

  /** True if the document or its suggestions have changed since the last exchange. */
  get #isBehind(): boolean {
    const { doc } = this.#options.host.state;
    return this.#seen?.doc !== doc || this.#seen.revision !== this.#revision;
  }

  get #revision(): number {
    return guarded(() => handleOf(this.#document).hunkPlaces(0, 0))[0] ?? 0;
  }

  get #review(): SharedReview | undefined {
    const carrier = carrierOf(this.#document);
    return carrier instanceof SharedReview ? carrier : undefined;
  }

  #exchange(run: () => void): void {
    this.#isExchanging = true;
    try {
      run();
    } catch (thrown) {
      if (!(thrown instanceof CopydeskError)) throw thrown;
      this.#options.refused(thrown);
    } finally {
      this.#isExchanging = false;
    }
  }

  /** Brings what others have done into the editor. */
  #pull(common = this.#known): void {
    const proposed = Node.fromJSON(this.editor.schema, this.#document.toJSON());
    const { state } = this.editor;
    const isTyped = !state.doc.eq(this.#known);
    if (proposed.eq(this.#known) && common === this.#known) return;
    const transaction = state.tr.setMeta("addToHistory", false);
    if (!isTyped && common === this.#known) becomeExactly(transaction, proposed);
    else {
      const mine = changesBetween(common, state.doc);
      const theirs = changesBetween(common, proposed);
      try {
        mergeChanges(transaction, common, mine, theirs);
      } catch {
        // The two changes do not fit together: the typed text is suggested on the document of the others.
        this.#known = proposed;
        return;
      }
    }
    if (transaction.docChanged) this.editor.view.dispatch(transaction);
    const { doc } = this.editor.state;
    // The same nodes, so that only those that are typed in differ from it.
    this.#known = doc.eq(proposed) ? doc : proposed;
  }

  /** Returns the document from which both this editor and the others have come. Where others have decided or changed a
   * suggestion before they knew what was typed in it here last, it has what they knew. */
  #common(): Node {
    const pending = new Map(this.#document.hunks().map(({ id, content }) => [id, digestOf(content)]));
    const known = [...this.#own].flatMap(([id, { from, to, digest, earlier }]) => {
      const basis = pending.get(id) === digest ? undefined : this.#review?.basis(id);
      const content = basis === digest || basis === undefined ? undefined : earlier.get(basis);
      return content ? [{ id, from, to, content }] : [];
    });
    if (!known.length) return this.#known;
    for (const { id, content } of known) this.#review?.keepDecided(id, content);
    const transform = new Transform(this.#known);
    // One that became a suggestion of whole blocks does not fit there.
    for (const { from, to, content } of known.sort((a, b) => b.from - a.from))
      transform.maybeStep(new ReplaceStep(from, to, new Slice(Fragment.fromJSON(this.editor.schema, content), 0, 0)));
    return transform.doc;
  }

  /** Makes suggestions of what the editor has more than the document with suggestions. */
  #propose(): void {
    const { doc } = this.editor.state;
    if (doc.eq(this.#known)) return;
    const document = this.#document;
    const { mode } = document;
    // Block by block: a comparison of several at once may find the text of one in another.
    const propose = () => {
      for (const step of stepsTo(this.#known, doc)) {
        const text = jsonOf(step.toJSON(), "document");
        guarded(() => handleOf(document).proposeDocument(text));
      }
    };
    try {
      if (mode !== "review") document.mode = "review";
      if (this.#review) this.#review.suggest(propose);
      else propose();
    } finally {
      if (mode !== "review") document.mode = mode;
    }
    this.#known = doc;
    this.#pull();
  }

  #remember(): void {
    const hunks = this.#document.hunks();
    const own = hunks.filter(({ author }) => isSame(author, this.#options.user()));
    this.#own = new Map(
      own.map(({ id, proposedFrom: from, proposedTo: to, content }) => {
        const [digest, before] = [digestOf(content), this.#own.get(id)];
        const earlier = new Map(before?.earlier);
        if (before && before.digest !== digest) earlier.set(before.digest, before.content);
        return [id, { from, to, content, digest, earlier }];
      }),
    );
    this.#seen = { revision: this.#revision, doc: this.#options.host.state.doc };
    this.editor.view.dispatch(showSuggested(this.editor.state.tr, hunks));
  }
}

const ownHistory = Extension.create({
  name: "undoRedo",
  addCommands() {
    const command =
      (run: typeof undo) =>
      () =>
      ({ state, dispatch }: { state: Editor["state"]; dispatch?: ((args?: any) => any) | undefined }) =>
        run(state, dispatch);
    return { undo: command(undo), redo: command(redo) } as never;
  },
  addKeyboardShortcuts() {
    const commands = this.editor.commands as unknown as { undo(): boolean; redo(): boolean };
    return { "Mod-z": () => commands.undo(), "Shift-Mod-z": () => commands.redo(), "Mod-y": () => commands.redo() };
  },
  addProseMirrorPlugins: () => [history()],
});

const marks = Extension.create({ name: "copydeskSuggesting", addProseMirrorPlugins: () => [suggestedMarks()] });
