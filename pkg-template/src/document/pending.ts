/** Pending changes of an earlier page, which wait for the wasm. */

import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Binding } from "./binding.js";
import { requireWasm } from "./calls.js";
import { check, members, toCopydeskError } from "../base/error.js";
import type { Hunk, Locale, NodeJSON } from "../types/index.js";

/** The changes that wait for the user's decision, to be stored with the document. */
export interface PendingChanges {
  /** As `document.hunks()` returned them. */
  hunks: readonly Hunk[];
  /** The document that they belong to. Absent if it is the editor's. */
  document?: NodeJSON;
}

/** The changes that an editor begins with. They belong to the document before the first change of the user. */
export class Restoration {
  readonly #done: Promise<void>;
  readonly #given: PendingChanges;
  #settle!: { resolve: () => void; reject: (error: unknown) => void };
  /** The editor's document before its first change. */
  #first: Node | undefined;

  /** True if somebody has asked for `done`, and handles its rejection. */
  #isAwaited = false;

  constructor(given: PendingChanges | undefined) {
    this.#done = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    this.#done.catch((error: unknown) => {
      if (!this.#isAwaited) console.warn("copydesk: the pending changes of the option `pending` were left out.", error);
    });
    try {
      this.#given = read(given);
    } catch (wrong) {
      // It may come from a storage: the document is shown without it.
      this.#given = { hunks: [] };
      this.#settle.reject(wrong);
    }
    if (!this.isNeeded) this.#settle.resolve();
  }

  /** Resolves when they are pending again; rejects if they do not belong to the document. */
  get done(): Promise<void> {
    this.#isAwaited = true;
    return this.#done;
  }

  get isNeeded(): boolean {
    return this.#given.hunks.length > 0;
  }

  /** Reports a change of the editor, with its document before it. */
  changed(before: Node): void {
    this.#first ??= before;
  }

  /** The changes as long as they are not restored. */
  get pending(): PendingChanges {
    const { hunks, document = this.#first?.toJSON() as NodeJSON | undefined } = this.#given;
    return hunks.length && document ? { hunks, document } : { hunks };
  }

  /**
   * Binds an editor: to the document that the changes belong to, so that what was typed since is a change of the user's
   * like any other.
   *
   * @throws CopydeskError `not_loaded`
   */
  bind(editor: Editor, locale: Locale): Binding {
    requireWasm();
    if (!this.isNeeded) return new Binding(editor, locale);
    const { state, schema } = editor;
    try {
      const { hunks, document } = this.#given;
      const base = document ? schema.nodeFromJSON(document) : (this.#first ?? state.doc);
      const binding = new Binding(editor, locale, { document: base, hunks });
      this.#settle.resolve();
      return binding;
    } catch (thrown) {
      this.#settle.reject(toCopydeskError(thrown));
      return new Binding(editor, locale);
    }
  }
}

/** Checks the form of the option `pending`. The hunks are checked when they are restored. */
function read(given: PendingChanges | null | undefined): PendingChanges {
  if (given == null) return { hunks: [] };
  const { hunks, document } = members(given, "pending");
  check(Array.isArray(hunks), "pending", given, "`editor.storage.copydesk.pending`, an object with `hunks`");
  return { hunks, ...(document != null && { document }) };
}
