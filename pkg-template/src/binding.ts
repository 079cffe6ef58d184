/** An editor and its document in the wasm, kept the same. */

import { createDocument, getHTMLFromFragment, type Editor } from "@tiptap/core";
import { closeHistory } from "@tiptap/pm/history";
import { Fragment, Slice, type Node } from "@tiptap/pm/model";
import { ReplaceStep } from "@tiptap/pm/transform";
import { guarded } from "./calls.js";
import { Document, handleOf, wellFormedJSON, type EditorBridge } from "./document.js";
import { schemaData } from "./schema.js";
import type { Change, Locale } from "./types.js";

/**
 * The wasm's view of an editor. The editor is the truth: every transaction is told to the wasm, edits of the agent
 * too, and only by the top-level blocks that changed.
 */
export class Binding implements EditorBridge {
  readonly document: Document;
  readonly #editor: Editor;
  /** What the wasm was last told. */
  #known: Node;

  constructor(editor: Editor, locale: Locale) {
    this.#editor = editor;
    this.#known = editor.state.doc;
    this.document = Document.bound(this.#known.toJSON(), schemaData(editor.schema), this, locale);
  }

  /** Tells the wasm what has changed since the last time. Unchanged nodes are shared, so two walks find the rest. */
  sync(): void {
    const [old, now] = [this.#known, this.#editor.state.doc];
    if (old === now) return;
    const shorter = Math.min(old.childCount, now.childCount);
    let start = 0;
    while (start < shorter && old.child(start) === now.child(start)) start++;
    let end = 0;
    while (end < shorter - start && old.child(old.childCount - 1 - end) === now.child(now.childCount - 1 - end)) end++;
    const changed: unknown[] = [];
    for (let index = start; index < now.childCount - end; index++) changed.push(now.child(index).toJSON());
    guarded(() => handleOf(this.document).sync(start, old.childCount - start - end, wellFormedJSON(changed)));
    this.#known = now;
  }

  parse(html: string): string {
    return wellFormedJSON(createDocument(html, this.#editor.schema).content.toJSON() ?? []);
  }

  html(start: number, end: number): string {
    const { doc, schema } = this.#editor.state;
    const blocks = Array.from({ length: end - start }, (_, index) => doc.child(start + index));
    return getHTMLFromFragment(Fragment.from(blocks), schema);
  }

  dispatch(changes: string): void {
    const { state, view, schema } = this.#editor;
    const transaction = closeHistory(state.tr);
    // From the last to the first: each is stated on positions of the document before the edit.
    for (const { from, to, content } of (JSON.parse(changes) as Change[]).reverse()) {
      transaction.step(new ReplaceStep(from, to, new Slice(Fragment.fromJSON(schema, content), 0, 0)));
    }
    view.dispatch(transaction.setMeta("copydesk", true));
    if (this.#editor.state.doc === state.doc) throw new Error("a plugin filtered the transaction");
    // What is typed next is an undo step of its own.
    view.dispatch(closeHistory(this.#editor.state.tr));
    this.sync();
  }
}
