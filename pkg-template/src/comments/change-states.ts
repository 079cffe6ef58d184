/** The states of comments that are decided with pending changes of the document. */

import type { Editor } from "@tiptap/core";
import type { Binding } from "../document/binding.js";
import { outcomeOf } from "../document/outcomes.js";
import type { CopydeskStorage } from "../tiptap.js";
import type { Comment } from "./store.js";

export class ChangeStates {
  readonly #editor: Editor;
  #revision = -1;
  readonly #pending = new Set<string>();
  readonly #known = new Map<string, Comment["state"]>();

  constructor(editor: Editor) {
    this.#editor = editor;
  }

  /** Returns the state of comments that are decided with the hunks of these tool calls. */
  of(changes: readonly string[]): Comment["state"] {
    const copydesk = this.#editor.storage.copydesk as (CopydeskStorage & { binding?: Binding }) | undefined;
    // Reading the document would bind it, which fails before the wasm is loaded.
    const document = copydesk?.binding?.document;
    const revision = document?.hunkPlaces(0, 0)[0] ?? -2;
    if (revision !== this.#revision) {
      this.#revision = revision;
      this.#known.clear();
      this.#pending.clear();
      for (const { toolIds } of copydesk?.pending.hunks ?? []) for (const id of toolIds) this.#pending.add(id);
    }
    if (changes.some((id) => this.#pending.has(id))) return "pending";
    const key = changes.join();
    const outcome = this.#known.get(key) ?? (document && outcomeOf(document, changes));
    if (!outcome) return "shown";
    const state = outcome === "rejected" || outcome === "withdrawn" ? "withdrawn" : "shown";
    this.#known.set(key, state);
    return state;
  }
}
