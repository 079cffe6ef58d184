/** The synchronization of an editor with its document in the wasm. */

import type { Editor } from "@tiptap/core";
import { closeHistory } from "@tiptap/pm/history";
import { DOMParser, Fragment, Slice, type Node, type ParseOptions } from "@tiptap/pm/model";
import { NodeSelection, Plugin, PluginKey, Selection, type EditorState, type Transaction } from "@tiptap/pm/state";
import { ReplaceStep } from "@tiptap/pm/transform";
import { guarded } from "./calls.js";
import { carrierOf } from "./carrier.js";
import { changedRanges, type ChangedRange } from "./changed-ranges.js";
import { Document, handleOf, isRestoring, recordDecisions, type EditorBridge } from "./document.js";
import { LateChanges } from "./late-changes.js";
import { parseInert, serializeEachInert, serializeInert } from "../view/inert-html.js";
import { schemaData } from "./schema.js";
import { jsonOf, plain } from "../base/json.js";
import { DecisionStep } from "../review/decision-step.js";
import { historyMoveOf, sharedOf, type HistoryMove } from "./shared-origin.js";
import type { Change, DocUpdate, Hunk, Locale } from "../types/index.js";

/**
 * The wasm's interface to an editor. The editor is the source of truth, mounted or not: the wasm requests changes
 * before each read, and gets only the top-level blocks that changed. What is typed while nothing is pending is reported
 * when it is read, or when the page is idle.
 */
export class Binding implements EditorBridge {
  readonly document: Document;
  /** Called when hunks were added, removed or decided, or the mode changed; not when typing moved them. */
  onReview: (() => void) | undefined;
  readonly #editor: Editor;
  /** The document that the wasm knows. */
  #known: Node;
  /** Collects the steps of an edit that is not dispatched here. */
  #collector: Transaction | undefined;
  /** True while hunks are restored, in the document that they belong to. */
  #isRestoring = false;
  /** True while changes of the user are reported, which may change hunks as well. */
  #isSyncing = false;
  /** The transaction of a decision whose step of the history continues after it; null before it. */
  #open: Transaction | null | undefined;
  /** Number of transactions with changes of the wasm. */
  #dispatched = 0;
  /** The HTML of top-level blocks. Nodes are immutable. */
  readonly #html = new WeakMap<Node, string>();
  /** The last decision of the editor's history that was carried out. */
  #moved: Move | null = null;
  readonly #late = new LateChanges(() => this.syncQuietly());

  /** With `earlier` it begins with that document and makes its hunks pending; the editor's content is what the user has
   * made of it since. Fails if they do not fit. */
  constructor(editor: Editor, locale: Locale, earlier?: { document: Node; hunks: readonly Hunk[] }) {
    this.#editor = editor;
    this.#known = earlier?.document ?? editor.state.doc;
    this.document = Document.bound(this.#known.toJSON(), schemaData(editor.state.schema), this, locale);
    recordDecisions(this.document, (act, hunksOf, isUndo) => this.#record(act, hunksOf, isUndo));
    this.#moved = syncKey.getState(editor.state)?.moves ?? null;
    if (!earlier) return;
    this.#isRestoring = true;
    try {
      this.document.restoreHunks(earlier.hunks);
    } catch (thrown) {
      this.release();
      throw thrown;
    } finally {
      this.#isRestoring = false;
    }
  }

  /** Reports changes since the last call to the wasm. Unchanged nodes are shared objects, so comparing from both
   * ends finds the range. */
  sync(): void {
    if (this.#isRestoring) return;
    this.#reportLate();
    const [old, now] = [this.#known, this.#editor.state.doc];
    if (old !== now) {
      // Uses the arrays directly, because most of their items are compared on every key press.
      const ranges = changedRanges(old.content.content, now.content.content);
      this.#report(ranges, now, syncKey.getState(this.#editor.state));
    }
    this.#followMoves();
  }

  /** True while changes are reported later. They are not changes of hunks. */
  get isLate(): boolean {
    return !this.#late.isEmpty;
  }

  /** Takes over a change of the editor's state: a change inside of one block later, if hunks cannot change with it. Errors
   * are left to the next read, because a transaction must not fail. */
  follow(): void {
    if (this.#isLater()) return;
    this.syncQuietly();
  }

  #isLater(): boolean {
    const { state } = this.#editor;
    const [before, { history, moves } = NO_SYNC] = [this.#late.last ?? this.#known, syncKey.getState(state)];
    if (before === state.doc) return this.isLate && moves === this.#moved;
    if (history || moves !== this.#moved || this.#isRestoring || this.#isSyncing) return false;
    if (carrierOf(this.document)) return false;
    const due = dueOf(this.document);
    return due !== Due.now && this.#late.add(before, state.doc, due === Due.joined);
  }

  #reportLate(): void {
    try {
      for (const { index, doc } of this.#late.take()) this.#report([[index, index + 1, index, index + 1]], doc);
    } catch {
      // The difference to the present document is reported next.
    }
  }

  #report(ranges: readonly ChangedRange[], now: Node, { history, isRemote }: SyncState = NO_SYNC): void {
    const changed: unknown[] = [];
    for (const [, , from, to] of ranges)
      for (let index = from; index < to; index++) changed.push(now.child(index).toJSON());
    const told = Uint32Array.from(ranges.flatMap(([from, to, newFrom, newTo]) => [from, to - from, newTo - newFrom]));
    this.#isSyncing = true;
    try {
      guarded(() => handleOf(this.document).sync(told, jsonOf(changed, "blocks"), history));
    } finally {
      this.#isSyncing = false;
    }
    this.#known = now;
    carrierOf(this.document)?.followed(ranges, !isRemote);
  }

  /** Makes the decisions again that the editor's history has undone or redone. */
  #followMoves(): void {
    const last = this.#moved;
    const moves: DecisionStep[] = [];
    this.#moved = syncKey.getState(this.#editor.state)?.moves ?? null;
    for (let move = this.#moved; move && move !== last; move = move.before) moves.unshift(move.step);
    for (const { hunks, isUndo } of moves) {
      const which = jsonOf({ hunks }, "which");
      guarded(() => (isUndo ? handleOf(this.document).undoDecision(which) : handleOf(this.document).reject(which)));
    }
  }

  /** Makes a decision, and a step of the editor's history of it if it does not change the document. */
  #record<T>(act: () => T, hunksOf: (result: T) => readonly string[], isUndo: boolean): T {
    const before = this.#dispatched;
    const result = act();
    const hunks = hunksOf(result);
    if (this.#dispatched !== before || !hunks.length || this.#editor.isDestroyed) return result;
    // The decision is a step of the shared history.
    if (carrierOf(this.document)) return result;
    const { state, view } = this.#editor;
    endSharedUndo(state);
    view.dispatch(closeHistory(state.tr.step(new DecisionStep(hunks, isUndo))).setMeta("copydesk", true));
    this.#endUndo();
    return result;
  }

  /** Makes a decision and then the change of `then`, as one step of the history. */
  inOneStep(decide: () => void, then: () => void): void {
    this.#open = null;
    let decided: Transaction | null;
    try {
      decide();
    } finally {
      decided = this.#open;
      this.#open = undefined;
    }
    const change = this.#editor.captureTransaction(then);
    if (change && decided && change.docChanged) change.setMeta("appendedTransaction", decided);
    if (change) this.#editor.view.dispatch(change);
  }

  /** Calls `sync`, and leaves errors to the next read. */
  syncQuietly(): void {
    try {
      this.sync();
    } catch {
      // The next read throws the same error.
    }
  }

  /** Releases the editor. Called when it has been destroyed. */
  release(): void {
    recordDecisions(this.document, null);
    this.#reportLate();
    this.#late.end();
    handleOf(this.document).release();
  }

  isReadOnly(): boolean {
    return !this.#editor.isEditable;
  }

  parse(html: string, at: number): string {
    const { doc, schema } = this.#editor.state;
    const topMatch = doc.type.contentMatch.matchFragment(doc.content, 0, Math.min(at, doc.childCount));
    // With an open top the parser adds no nodes that the schema requires: the result contains only nodes of the HTML.
    const options: ParseOptions & { topOpen: true } = { topNode: doc, topOpen: true, ...(topMatch && { topMatch }) };
    const { content } = DOMParser.fromSchema(schema).parse(parseInert(html), options);
    return jsonOf(content.toJSON() ?? [], "content");
  }

  html(start: number, end: number): string {
    const { doc, schema } = this.#editor.state;
    const blocks = Array.from({ length: end - start }, (_, index) => doc.child(start + index));
    // Adjacent blocks with a mark in common share one element around them.
    if (blocks.some(({ marks }) => marks.length)) return serializeInert(schema, Fragment.from(blocks));
    const isNew = blocks.filter((block) => !this.#html.has(block));
    serializeEachInert(schema, isNew).forEach((html, index) => this.#html.set(isNew[index] as Node, html));
    return blocks.map((block) => this.#html.get(block)).join("");
  }

  htmlOf(blocks: string): string {
    const { schema } = this.#editor.state;
    return serializeInert(schema, Fragment.fromJSON(schema, JSON.parse(blocks)));
  }

  /** The two ends of the selection, in the document that the wasm was last told. */
  selection(): Uint32Array {
    this.syncQuietly();
    const { from, to } = this.#editor.state.selection;
    return Uint32Array.of(from, to);
  }

  reviewed(): void {
    if (isRestoring(this.document)) restored.add(this.document);
    else if (!this.#isSyncing) proposed.add(this.document);
    carrierOf(this.document)?.reviewed();
    this.onReview?.();
  }

  dispatch(changes: string): void {
    const { state, view } = this.#editor;
    this.#dispatched++;
    if (state.doc !== this.#known) throw new Error("the document changed at the same time");
    const transaction = state.tr;
    // From last to first, because positions refer to the document before the edit.
    for (const { from, to, content } of (JSON.parse(changes) as Change[]).reverse()) {
      transaction.step(new ReplaceStep(from, to, new Slice(Fragment.fromJSON(state.schema, content), 0, 0)));
    }
    if (this.#collector) {
      for (const step of transaction.steps) this.#collector.step(step);
      keepCursor(state.selection, this.#collector);
      closeHistory(this.#collector).setMeta("copydesk", true);
      return;
    }
    keepCursor(state.selection, transaction);
    endSharedUndo(state);
    try {
      const dispatch = () => view.dispatch(closeHistory(transaction).setMeta("copydesk", true));
      const carrier = carrierOf(this.document);
      if (carrier) carrier.dispatching(dispatch);
      else dispatch();
    } catch (thrown) {
      if (this.#editor.state.doc === state.doc) throw thrown;
      // The edit is applied; an exception of one of the app's listeners does not change that.
      reportError(thrown);
    }
    if (this.#editor.state.doc === state.doc) throw new Error("a plugin filtered the transaction");
    if (this.#open === undefined) this.#endUndo();
    else this.#open = transaction;
    this.sync();
  }

  /**
   * Adds an edit to a transaction on the current document that the caller dispatches in the same task.
   *
   * @throws CopydeskError if it does not fit the document.
   */
  collect(update: DocUpdate, transaction: Transaction): void {
    this.try(update, transaction);
    endSharedUndo(this.#editor.state);
    queueMicrotask(() => this.#editor.isDestroyed || this.#endUndo());
  }

  /** Does the same without any other effect. */
  try(update: DocUpdate, transaction?: Transaction): void {
    if (handleOf(this.document).proposes) {
      // A proposal changes neither the editor's document nor the transaction.
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

  /** Ends the undo step of an edit, so that typing starts a new one. */
  #endUndo(): void {
    const { state, view } = this.#editor;
    view.dispatch(closeHistory(state.tr));
    endSharedUndo(state);
  }
}

/** Documents whose hunks the agent or a command has changed. */
const proposed = new WeakSet<Document>();
/** Documents whose hunks were restored and not yet shown: whatever else changes until then, they are not new ones. */
const restored = new WeakSet<Document>();

/** Returns true if the agent or a command has changed hunks since the last call, rather than the user's typing, the
 * history, or the return of hunks. */
export function takeProposed(document: Document): boolean {
  const isProposed = proposed.delete(document);
  return !restored.delete(document) && isProposed;
}

/** The decisions that the editor's history has undone or redone, the newest first. */
interface Move {
  step: DecisionStep;
  before: Move | null;
}

interface SyncState {
  /** The direction of the last change if the editor's history made it: an acceptance that is undone there is pending
   * again. */
  history: HistoryMove | undefined;
  moves: Move | null;
  /** True if other participants of a shared document have made the last change. */
  isRemote: boolean;
}

const syncKey = new PluginKey<SyncState>("copydesk");
const NO_SYNC: SyncState = { history: undefined, moves: null, isRemote: false };
/** The values of `due` of the wasm. */
const Due = { now: 0, later: 1, joined: 2 };

function dueOf(document: Document): number {
  try {
    return guarded(() => handleOf(document).due);
  } catch {
    return Due.now;
  }
}

/** The plugin that reports changes to `binding`. */
export function syncPlugin(binding: () => Binding | undefined): Plugin<SyncState> {
  return new Plugin<SyncState>({
    key: syncKey,
    state: {
      init: () => NO_SYNC,
      apply(transaction, before) {
        if (!transaction.docChanged) return before;
        const history = historyMoveOf(transaction);
        const isRemote = !history && sharedOf(transaction)?.isChangeOrigin === true;
        if (!history) return { history, moves: before.moves, isRemote };
        const steps = transaction.steps.filter((step) => step instanceof DecisionStep);
        return {
          history,
          isRemote,
          moves: steps.reduce<Move | null>((moves, step) => ({ step, before: moves }), before.moves),
        };
      },
    },
    view: () => ({ update: () => binding()?.follow() }),
  });
}

/** Moves the selection into text if mapping it has selected a node, such as an image: the user's next key would replace
 * that node. */
function keepCursor(before: Selection, transaction: Transaction): void {
  const { selection } = transaction;
  if (before instanceof NodeSelection || !(selection instanceof NodeSelection)) return;
  const { $from } = selection;
  const cursor = Selection.findFrom($from, 1, true) ?? Selection.findFrom($from, -1, true);
  if (cursor) transaction.setSelection(cursor);
}

/** Does for the undo manager of TipTap's collaboration what `closeHistory` does. */
function endSharedUndo(state: EditorState): void {
  type SharedUndo = { undoManager?: { stopCapturing(): void } };
  // The state of the plugin with PluginKey("y-undo"); its package is not a dependency.
  (state as unknown as Record<string, SharedUndo | undefined>)["y-undo$"]?.undoManager?.stopCapturing();
}
