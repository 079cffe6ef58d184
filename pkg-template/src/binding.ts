/** An editor and its document in the wasm, kept the same. */

import type { Editor } from "@tiptap/core";
import { closeHistory } from "@tiptap/pm/history";
import { DOMParser, Fragment, Slice, type Node, type ParseOptions } from "@tiptap/pm/model";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { ReplaceStep } from "@tiptap/pm/transform";
import { guarded } from "./calls.js";
import { Document, handleOf, type EditorBridge } from "./document.js";
import { parseInert, serializeInert } from "./inert-html.js";
import { schemaData } from "./schema.js";
import { jsonOf, plain } from "./json.js";
import type { Change, DocUpdate, Locale } from "./types.js";

/**
 * The wasm's view of an editor. The editor is the truth, mounted or not: the wasm asks for its news before each read,
 * and is told only the top-level blocks that changed.
 */
export class Binding implements EditorBridge {
  readonly document: Document;
  /** Called when hunks came, went or were decided, or the mode changed; not when the person's typing moved them. */
  onReview: (() => void) | undefined;
  readonly #editor: Editor;
  /** What the wasm was last told. */
  #known: Node;
  /** Takes the steps of an edit that is not to be dispatched here. */
  #collector: Transaction | undefined;

  constructor(editor: Editor, locale: Locale) {
    this.#editor = editor;
    this.#known = editor.state.doc;
    this.document = Document.bound(this.#known.toJSON(), schemaData(editor.state.schema), this, locale);
  }

  /** Tells the wasm what has changed since the last time. Unchanged nodes are shared, so two walks find the rest. */
  sync(): void {
    const [old, now] = [this.#known, this.#editor.state.doc];
    if (old === now) return;
    // The rows themselves: most of them is walked over with every key that is pressed.
    const [before, after] = [old.content.content, now.content.content];
    const shorter = Math.min(before.length, after.length);
    let start = 0;
    while (start < shorter && before[start] === after[start]) start++;
    let [oldEnd, newEnd] = [before.length, after.length];
    while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
      oldEnd--;
      newEnd--;
    }
    const stretches = apart(before, after, start, oldEnd, newEnd);
    const changed: unknown[] = [];
    for (const [, , from, to] of stretches) for (let index = from; index < to; index++) changed.push(after[index]?.toJSON());
    const told = Uint32Array.from(stretches.flatMap(([from, to, newFrom, newTo]) => [from, to - from, newTo - newFrom]));
    guarded(() => handleOf(this.document).sync(told, jsonOf(changed, "blocks")));
    this.#known = now;
  }

  /** `sync` while it is cheap, as the editor changes: it must not disturb the editor, so what fails waits for the next read. */
  follow(): void {
    try {
      this.sync();
    } catch {
      // The next read meets it again and says so.
    }
  }

  /** To be called when the editor has been destroyed: the wasm must not hold it any longer. */
  release(): void {
    handleOf(this.document).release();
  }

  parse(html: string, at: number): string {
    const { doc, schema } = this.#editor.state;
    const topMatch = doc.type.contentMatch.matchFragment(doc.content, 0, Math.min(at, doc.childCount));
    // An open top is not filled up with what the schema wants there: only what came of the HTML.
    const options: ParseOptions & { topOpen: true } = { topNode: doc, topOpen: true, ...(topMatch && { topMatch }) };
    const { content } = DOMParser.fromSchema(schema).parse(parseInert(html), options);
    return jsonOf(content.toJSON() ?? [], "content");
  }

  html(start: number, end: number): string {
    const { doc, schema } = this.#editor.state;
    const blocks = Array.from({ length: end - start }, (_, index) => doc.child(start + index));
    return serializeInert(schema, Fragment.from(blocks));
  }

  htmlOf(blocks: string): string {
    const { schema } = this.#editor.state;
    return serializeInert(schema, Fragment.fromJSON(schema, JSON.parse(blocks)));
  }

  /** The two ends of the selection, in the document that the wasm was last told. */
  selection(): Uint32Array {
    const { from, to } = this.#editor.state.selection;
    return Uint32Array.of(from, to);
  }

  reviewed(): void {
    this.onReview?.();
  }

  dispatch(changes: string): void {
    const { state, view } = this.#editor;
    if (state.doc !== this.#known) throw new Error("it was changed at the same time");
    const transaction = state.tr;
    // From the last to the first: each is stated on positions of the document before the edit.
    for (const { from, to, content } of (JSON.parse(changes) as Change[]).reverse()) {
      transaction.step(new ReplaceStep(from, to, new Slice(Fragment.fromJSON(state.schema, content), 0, 0)));
    }
    if (this.#collector) {
      for (const step of transaction.steps) this.#collector.step(step);
      closeHistory(this.#collector).setMeta("copydesk", true);
      return;
    }
    endSharedUndo(state);
    try {
      view.dispatch(closeHistory(transaction).setMeta("copydesk", true));
    } catch (thrown) {
      if (this.#editor.state.doc === state.doc) throw thrown;
      // The edit is made: what one of the app's listeners threw afterwards is the app's own affair.
      reportError(thrown);
    }
    if (this.#editor.state.doc === state.doc) throw new Error("a plugin filtered the transaction");
    this.#endUndo();
    this.sync();
  }

  /**
   * Adds an edit to a transaction on the present document that somebody else dispatches, in this very task.
   *
   * @throws CopydeskError where it does not fit the document.
   */
  collect(update: DocUpdate, transaction: Transaction): void {
    this.try(update, transaction);
    endSharedUndo(this.#editor.state);
    queueMicrotask(() => this.#editor.isDestroyed || this.#endUndo());
  }

  /** The same without effect on anything but the transaction. */
  try(update: DocUpdate, transaction?: Transaction): void {
    if (handleOf(this.document).proposes) {
      // A proposal leaves the editor's document, and so the transaction, as it is.
      if (transaction) this.document.apply(update);
      else guarded(() => handleOf(this.document).check(jsonOf(plain(update, "update"), "update")));
      return;
    }
    this.#collect(update, transaction ?? this.#editor.state.tr);
  }

  #collect(update: DocUpdate, transaction: Transaction): void {
    this.#collector = transaction;
    try {
      this.document.apply(update);
    } finally {
      this.#collector = undefined;
    }
  }

  /** After an edit: what is typed next is an undo step of its own. */
  #endUndo(): void {
    const { state, view } = this.#editor;
    view.dispatch(closeHistory(state.tr));
    endSharedUndo(state);
  }
}

/** Old blocks `from`–`to` that gave way to new blocks `newFrom`–`newTo`. */
type Stretch = [from: number, to: number, newFrom: number, newTo: number];

/** What differs between two rows, where several places far from each other may have changed at once. */
function apart(before: readonly Node[], after: readonly Node[], start: number, oldEnd: number, newEnd: number): Stretch[] {
  if (oldEnd - start < 4 || newEnd - start < 4) return [[start, oldEnd, start, newEnd]];
  const places = new Map<Node | undefined, number>();
  for (let index = oldEnd - 1; index >= start; index--) places.set(before[index], index);
  const stretches: Stretch[] = [];
  let [oldAt, newAt] = [start, start];
  const close = (old: number, now: number) => {
    if (old > oldAt || now > newAt) stretches.push([oldAt, old, newAt, now]);
  };
  for (let now = start; now < newEnd; now++) {
    const old = places.get(after[now]);
    if (old === undefined || old < oldAt) continue;
    close(old, now);
    [oldAt, newAt] = [old + 1, now + 1];
  }
  close(oldEnd, newEnd);
  return stretches;
}

/** What `closeHistory` is for TipTap's collaboration, whose undo is that of Yjs. */
function endSharedUndo(state: EditorState): void {
  type SharedUndo = { undoManager?: { stopCapturing(): void } };
  // Where the plugin with PluginKey("y-undo") keeps its state; its package is not imported for it.
  (state as unknown as Record<string, SharedUndo | undefined>)["y-undo$"]?.undoManager?.stopCapturing();
}
