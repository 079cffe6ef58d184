/** The events of its editor that an assistant receives. */

import type { Editor } from "@tiptap/core";
import type { RunResult } from "copydesk";
import type { AskState } from "../actions/ask.js";
import { hunksRevision } from "../review/hunks.js";
import type { ReviewDecision } from "../review/commands.js";

export interface EditorListeners {
  /** The pending changes are others. */
  onPending: () => void;
  onDecision: (decision: ReviewDecision) => void;
  /** A run was started in the document, by `askAgent`. */
  onAsk: (ask: AskState, result: Promise<RunResult>) => void;
  onDestroy: () => void;
}

/** Calls the listeners. Returns a function that ends it. */
export function followEditor(editor: Editor, listeners: EditorListeners): () => void {
  let counted = hunksRevision(editor);
  const counts = () => {
    if (counted === hunksRevision(editor)) return;
    counted = hunksRevision(editor);
    listeners.onPending();
  };
  const { onDecision, onDestroy } = listeners;
  const asked = (ask: AskState) => ask.result && listeners.onAsk(ask, ask.result);
  editor.on("transaction", counts);
  editor.on("reviewDecision", onDecision);
  editor.on("askAgent", asked);
  editor.on("destroy", onDestroy);
  return () => {
    editor.off("transaction", counts);
    editor.off("reviewDecision", onDecision);
    editor.off("askAgent", asked);
    editor.off("destroy", onDestroy);
  };
}
