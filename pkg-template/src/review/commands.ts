/** Commands that navigate and decide hunks. */

import type { CommandProps, Editor, RawCommands } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import { isLoaded } from "../document/calls.js";
import type { Document } from "../document/document.js";
import { check, CopydeskError, members } from "../base/error.js";
import type { Hunk, Mode, ReviewView, Version, Which } from "../types/index.js";
import { followFocus } from "./button-keys.js";
import { noticesOf } from "./notice.js";
import { hunksOf } from "./hunks.js";
import { refresh } from "./plugin.js";
import type { ContentRange } from "./proposed-text.js";
import type { Decision } from "./controls.js";
import { choose, scrollToHunk, setView } from "./shown.js";
import { currentNumber, isMarked, isPending, neighbour, reviewState } from "./state.js";

declare module "@tiptap/core" {
  interface EditorEvents {
    /** The user has decided hunks, by a button or a command. */
    reviewDecision: ReviewDecision;
  }

  interface Commands<ReturnType> {
    copydeskReview: {
      /** Accepts one change as one undo step; without an id the current one. False if there is none. */
      acceptHunk: (id?: string) => ReturnType;
      /** Rejects one change; without an id the current one. */
      rejectHunk: (id?: string) => ReturnType;
      /** Decides a conflict: the user's version stays (`mine`), the agent's replaces it (`theirs`), or follows it (`both`). */
      resolveHunk: (id: string, version: Version) => ReturnType;
      /** Accepts all changes, or those of one tool call or turn. Conflicts are left open; false if there is nothing
       * else. */
      acceptAll: (which?: ChangesOf) => ReturnType;
      /** Rejects all changes, or those of one tool call or turn. */
      rejectAll: (which?: ChangesOf) => ReturnType;
      /** Takes the last decision back, or those about one change, tool call or turn: the changes are pending again. False
       * if there is none, or if all of their text was changed since. */
      undoDecision: (which?: Which) => ReturnType;
      /** Makes the next change the current one and scrolls to it. */
      nextHunk: () => ReturnType;
      previousHunk: () => ReturnType;
      /** Reverts what a turn changed; false if nothing of it is left. See `document.undoTurn`. */
      undoTurn: (turnId: string) => ReturnType;
      /** Sets whether edits wait for the user's decision from now on, or are applied at once. */
      setReviewMode: (mode: Mode) => ReturnType;
      /** Shows the document without the pending changes (`original`), with them marked, or as if all were accepted
       * (`final`). The document does not change. */
      setReviewView: (view: ReviewView) => ReturnType;
    };
  }
}

export interface ReviewDecision {
  /** True if the proposal went into the document; false if the text stayed as it was. */
  accepted: boolean;
  /** The hunks as they were while they were pending. */
  hunks: readonly Hunk[];
}

export type ChangesOf = { toolId: string } | { turnId: string };

/** The parts of the extension that the commands use. */
export interface ReviewHost {
  /** @throws CopydeskError if the wasm is not loaded. */
  document: () => Document;
  locale: string | undefined;
  /** Sets the mode now, or when the wasm is loaded; false in that case. */
  setMode: (mode: Mode) => boolean;
  /** Decides hunks, and then changes the document, as one step of the history. */
  inOneStep: (decide: () => void, then: () => void) => void;
}

export function reviewCommands(host: ReviewHost): Partial<RawCommands> {
  /** Marks commands whose document dispatches by itself: TipTap's own transaction would be based on the state
   * before. */
  const direct = (run: (props: CommandProps, isMeant: boolean) => boolean) => (props: CommandProps) => {
    if (props.tr.steps.length > 0) return false;
    if (props.dispatch) props.tr.setMeta("preventDispatch", true);
    try {
      return run(props, props.dispatch !== undefined);
    } catch (thrown) {
      if (thrown instanceof CopydeskError) return false;
      throw thrown;
    }
  };
  /** Returns the hunks as the document has them. Those of this task are drawn after it; a command that is meant draws them. */
  const pendingOf = (editor: Editor, isMeant: boolean): readonly Hunk[] => {
    const shown = reviewState(editor.state);
    const document = host.document();
    if (!shown || shown.revision === (document.hunkPlaces(0, 0)[0] ?? 0)) return shown?.hunks ?? [];
    if (!isMeant) return document.hunks();
    showNow(editor, host);
    return reviewState(editor.state)?.hunks ?? [];
  };
  /** Marks commands that change the document or what is decided about it: they do nothing in a read-only editor. */
  const deciding = (run: (props: CommandProps, isMeant: boolean) => boolean) =>
    direct((props, isMeant) => props.editor.isEditable && run(props, isMeant));
  const one = (decision: Decision | Version, id: string | undefined) =>
    deciding(({ editor }, isMeant) => {
      const hunks = pendingOf(editor, isMeant);
      const shown = reviewState(editor.state);
      // Nothing is decided that is not seen.
      const hunk = id ?? (shown?.view === "marked" ? shown.current : null) ?? undefined;
      if (id === undefined && isMeant && shown && hunks.length && shown.view !== "marked")
        noticesOf(editor.view)?.show(shown.words.notMarked, { holds: () => !isMarked(editor.state) });
      if (hunk === undefined || !hunks.some((each) => each.id === hunk)) return false;
      if (isMeant) decide(editor, host, decision, { hunk }, true);
      return true;
    });
  const all = (decision: "accept" | "reject", given: ChangesOf | "all") =>
    deciding(({ editor }, isMeant) => {
      const which = given === "all" ? given : members(given, "which");
      const hunks = pendingOf(editor, isMeant);
      const isOfThese = ({ toolIds, turnIds }: (typeof hunks)[number]) =>
        which === "all" ||
        ("toolId" in which ? toolIds.includes(which.toolId) : "turnId" in which && turnIds.includes(which.turnId));
      if (!hunks.some((hunk) => isOfThese(hunk) && (decision === "reject" || !hunk.conflict))) return false;
      if (isMeant) decide(editor, host, decision, which, true);
      return true;
    });
  const go = (step: 1 | -1) =>
    direct(({ editor }, isMeant) => {
      const hunks = pendingOf(editor, isMeant);
      if (!isMeant) return hunks.length > 0;
      const hunk = neighbour(editor.state, step);
      if (!hunk) return false;
      setView(editor.view, "marked");
      choose(editor.view, hunk.id);
      scrollToHunk(editor.view, hunk.id);
      followFocus(editor.view, hunk.id);
      return true;
    });
  return {
    resolveHunk: (id, version) => one(version, id),
    acceptHunk: (id) => one("accept", id),
    rejectHunk: (id) => one("reject", id),
    acceptAll: (which) => all("accept", which ?? "all"),
    rejectAll: (which) => all("reject", which ?? "all"),
    undoDecision: (which) =>
      deciding(({ editor }, isMeant) => {
        if (!isMeant) return true;
        const { hunks } = host.document().undoDecision(which);
        if (!hunks.length) return false;
        const [first] = hunks;
        refresh(editor.view, host.document(), host.locale, first);
        if (first !== undefined) scrollToHunk(editor.view, first);
        return true;
      }),
    nextHunk: () => go(1),
    previousHunk: () => go(-1),
    undoTurn: (turnId) =>
      deciding(({ editor }, isMeant) => {
        if (!isMeant) return true;
        host.document().undoTurn(turnId);
        showNow(editor, host);
        return true;
      }),
    setReviewMode: (mode) =>
      direct(({ editor }, isMeant) => {
        if (!isMeant) return true;
        if (host.setMode(mode)) showNow(editor, host);
        return true;
      }),
    setReviewView: (view) =>
      direct(({ editor }, isMeant) => {
        checkView(view);
        if (!isMeant) return true;
        // Changes of this task are not new in the view. Without the wasm there are none.
        if (isLoaded()) pendingOf(editor, true);
        setView(editor.view, view);
        return true;
      }),
  };
}

/** Decides hunks. If the current one is among them, the next one becomes the current one. */
export function decide(
  editor: Editor,
  host: ReviewHost,
  decision: Decision | Version,
  which: Which,
  scrolls: boolean,
): void {
  const shown = reviewState(editor.state);
  const at = shown ? currentNumber(shown) - 1 : -1;
  const document = host.document();
  const before = hunksOf(editor);
  if (decision === "accept" || decision === "reject") document[decision](which);
  else if (typeof which === "object" && "hunk" in which) document.resolveHunk(which.hunk, decision);
  const hunks = document.hunks();
  const isStill = hunks.some(({ id }) => id === shown?.current);
  const current = at < 0 || isStill ? shown?.current : (hunks[Math.min(at, hunks.length - 1)]?.id ?? null);
  refresh(editor.view, document, host.locale, current, hunks);
  if (scrolls && !isStill && current) scrollToHunk(editor.view, current);
  const left = new Set(hunks.map(({ id }) => id));
  const decided = before.filter(({ id }) => !left.has(id));
  if (!decided.length) return;
  editor.emit("reviewDecision", { accepted: decision !== "reject" && decision !== "mine", hunks: decided });
  if (decision === "reject" && decided.length > FEW) offerUndo(editor, decided);
}

/** The largest number of hunks whose rejection is seen at a glance. */
const FEW = 3;

function offerUndo(editor: Editor, hunks: readonly Hunk[]): void {
  const words = reviewState(editor.state)?.words;
  const ids = hunks.map(({ id }) => id);
  const run = () => {
    editor.commands.undoDecision({ hunks: ids });
    editor.view.focus();
  };
  if (words) noticesOf(editor.view)?.show(words.rejected(hunks.length), { action: { label: words.undo, run } });
}

/** Accepts a hunk, selects a range of its content in the document, which gets the focus, and does `run` there, all as one
 * step of the history. Returns false if there is no such hunk, or it is a conflict. */
export function enterProposal(
  editor: Editor,
  host: ReviewHost,
  id: string,
  range: ContentRange,
  run: () => void,
): boolean {
  const hunks = hunksOf(editor);
  const index = hunks.findIndex((one) => one.id === id);
  const hunk = hunks[index];
  if (!hunk || hunk.conflict || !editor.isEditable) return false;
  // Those before it that are accepted with it move it.
  const start = hunks
    .slice(0, index)
    .filter((one) => hunk.linked.includes(one.id))
    .reduce((at, one) => at + one.proposedTo - one.proposedFrom - (one.to - one.from), hunk.from);
  const { view } = editor;
  const accept = () => {
    decide(editor, host, "accept", { hunk: id }, false);
    const { doc, tr } = editor.state;
    const [from, to] = [range.from, range.to].map((at) => doc.resolve(Math.min(start + at, doc.content.size)));
    view.dispatch(tr.setSelection(TextSelection.between(from!, to!)));
    view.focus();
  };
  host.inOneStep(accept, run);
  const words = reviewState(editor.state)?.words;
  if (words) noticesOf(view)?.show(words.enteredByTyping, { holds: () => !isPending(view.state, id) });
  return true;
}

export function checkView(view: ReviewView): void {
  check(["original", "marked", "final"].includes(view), "view", view, '"original", "marked" or "final"');
}

export function showNow(editor: Editor, host: ReviewHost): void {
  if (!editor.isDestroyed) refresh(editor.view, host.document(), host.locale);
}
