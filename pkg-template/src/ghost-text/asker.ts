/** Decides when the model is asked for a completion, and whether it is shown. */

import type { Editor } from "@tiptap/core";
import { TextSelection, type EditorState } from "@tiptap/pm/state";
import { CopydeskError, toCopydeskError } from "../base/error.js";
import { hunksOf } from "../review/hunks.js";
import type { CompletionContext } from "./completion.js";
import { ghostKey, type Ghost, type GhostTextState } from "./state.js";

export interface AskerHost {
  delay: () => number;
  inCode: () => boolean;
  isOn: () => boolean;
  /** Returns a continuation of the text; empty for none. */
  complete: (context: CompletionContext, signal: AbortSignal) => Promise<string>;
  /** The most characters before and after the cursor that are read. */
  reads: () => [before: number, after: number];
  changed: (state: GhostTextState) => void;
}

/** Failures that the next request has as well, until the settings are others. */
const LASTING = new Set([
  "unauthorized",
  "not_found",
  "model_not_found",
  "blocked_by_cors",
  "config",
  "missing_key",
  "bad_request",
  "quota_exceeded",
  "not_a_stream",
  "wasm_load",
]);

export const IDLE: GhostTextState = { status: "idle", text: "", error: null };
export const OFF: GhostTextState = { status: "off", text: "", error: null };

export class GhostTextAsker {
  #state: GhostTextState;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request: AbortController | undefined;
  #hasFailed = false;

  constructor(
    private editor: Editor,
    private host: AskerHost,
  ) {
    this.#state = host.isOn() ? IDLE : OFF;
  }

  get state(): GhostTextState {
    return this.#state;
  }

  /** True during the pause before a request, and during the request. */
  get isWaiting(): boolean {
    return this.#timer !== undefined || this.#request !== undefined;
  }

  turn(on: boolean): void {
    this.#hasFailed = false;
    this.cancel();
    this.#set(on ? IDLE : OFF);
  }

  /** Drops the request under way. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#request?.abort();
    this.#request = undefined;
    if (this.#state.status === "waiting") this.#set(IDLE);
  }

  /** Removes what is shown, and drops the request under way. */
  dismiss(): void {
    const { state, view } = this.editor;
    this.cancel();
    if (ghostKey.getState(state)) view.dispatch(withGhost(state, null));
  }

  /** The user has typed: asks after a pause. */
  typed(): void {
    this.cancel();
    if (!this.#canAsk()) return;
    this.#set({ ...IDLE, status: "waiting" });
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#ask();
    }, this.host.delay());
  }

  /** Called when another text is shown, or none. */
  showed(ghost: Ghost | null): void {
    if (ghost) this.#set({ status: "shown", text: ghost.text, error: null });
    else if (this.#state.status === "shown") this.#set(this.host.isOn() ? IDLE : OFF);
  }

  /** Returns false while nothing may be shown: a change waits for review, or an input method composes. */
  mayShow(): boolean {
    const { editor } = this;
    return editor.isEditable && !editor.view.composing && !hunksOf(editor).length;
  }

  destroy(): void {
    this.cancel();
  }

  #canAsk(): boolean {
    const { editor, host } = this;
    if (!host.isOn() || this.#hasFailed || !this.mayShow() || !editor.view.hasFocus()) return false;
    return isAtEndOfLine(editor.state, host.inCode());
  }

  async #ask(): Promise<void> {
    if (!this.#canAsk()) return this.#set(this.host.isOn() ? IDLE : OFF);
    const { editor } = this;
    const { doc, selection } = editor.state;
    const request = new AbortController();
    this.#request = request;
    try {
      const text = await this.host.complete(contextOf(editor.state, ...this.host.reads()), request.signal);
      if (this.#request !== request) return;
      this.#request = undefined;
      const { state } = editor;
      const isSame = state.doc === doc && state.selection.eq(selection);
      if (text && isSame && this.#canAsk()) editor.view.dispatch(withGhost(state, { at: selection.from, text }));
      else this.#set(IDLE);
    } catch (thrown) {
      if (this.#request !== request) return;
      this.#request = undefined;
      const error = asError(thrown);
      this.#hasFailed = LASTING.has(error.code);
      this.#set({ status: "failed", text: "", error });
    }
  }

  #set(state: GhostTextState): void {
    const before = this.#state;
    if (before.status === state.status && before.text === state.text && before.error === state.error) return;
    this.#state = state;
    this.host.changed(state);
  }
}

function asError(thrown: unknown): CopydeskError {
  const error = toCopydeskError(thrown);
  if (error instanceof CopydeskError) return error;
  return new CopydeskError({ code: "internal", message: String(thrown), details: {} }, { cause: thrown });
}

/** Returns a transaction that shows a text, or none. It is not in the history. */
export function withGhost(state: EditorState, ghost: Ghost | null) {
  return state.tr.setMeta(ghostKey, ghost).setMeta("addToHistory", false);
}

/** Returns true for a cursor behind some text, at the end of its line. */
function isAtEndOfLine({ selection }: EditorState, inCode: boolean): boolean {
  if (!(selection instanceof TextSelection) || !selection.empty) return false;
  const { $from } = selection;
  const { parent, parentOffset, nodeBefore } = $from;
  const isCode = parent.type.spec.code || (nodeBefore ?? parent).marks.some(({ type }) => type.spec.code);
  if (isCode && !inCode) return false;
  const before = parent.textBetween(0, parentOffset, "\n", "\n");
  const after = parent.textBetween(parentOffset, parent.content.size, "\n", "\n");
  const line = before.slice(before.lastIndexOf("\n") + 1);
  // A slash opens menus.
  return line.trim() !== "" && !/^\/\S*$/.test(line) && /^[^\S\n]*(?:\n|$)/.test(after);
}

function contextOf({ doc, selection }: EditorState, before: number, after: number): CompletionContext {
  const { from } = selection;
  return {
    before: doc.textBetween(Math.max(0, from - before), from, "\n\n", "\n").toWellFormed(),
    after: doc.textBetween(from, Math.min(doc.content.size, from + after), "\n\n", "\n").toWellFormed(),
  };
}
