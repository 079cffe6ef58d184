/** What the user has decided about changes, as the document has it: an undo takes an acceptance back, a redo makes it again. */
import { undoDepth } from "@tiptap/pm/history";
import type { Editor } from "@tiptap/core";
import type { Hunk } from "copydesk";
import type { StoredDecision } from "../store/database";

/** A decision, and the number of undo steps at its time. */
interface Decision extends StoredDecision {
  depth: number;
}

export class Decisions {
  private all: Decision[] = [];
  private depth: number;

  /** `onChange` is called when decisions were taken back or made again. */
  constructor(
    private editor: Editor,
    private onChange: () => void,
  ) {
    this.depth = undoDepth(editor.state);
    editor.on("transaction", ({ transaction }) => {
      if (transaction.docChanged) this.follow(transaction.getMeta("history$") !== undefined);
    });
  }

  /** Shows these from now on. They cannot be taken back: the undo steps of an earlier page are gone. */
  restore(stored: readonly StoredDecision[]): void {
    this.all = stored.map((decision) => ({ ...decision, depth: 0 }));
  }

  /** Adds a decision. */
  add(toolId: string, hunks: readonly Hunk[], accepted: boolean): void {
    // A rejection changes nothing in the document.
    const depth = accepted ? undoDepth(this.editor.state) : 0;
    this.all.push(...hunks.map(({ originalText, newText, proposedFrom }) => ({ toolId, accepted, originalText, newText, at: proposedFrom, depth })));
  }

  /** Forgets the decisions about some calls, because their run was undone. */
  forget(toolIds: ReadonlySet<string>): void {
    this.all = this.all.filter(({ toolId }) => !toolIds.has(toolId));
  }

  /** Returns the decisions that hold now. */
  get standing(): StoredDecision[] {
    return this.all.filter(({ depth }) => depth <= this.depth).map(({ depth: _, ...decision }) => decision);
  }

  private follow(isHistory: boolean): void {
    const before = this.depth;
    this.depth = undoDepth(this.editor.state);
    if (!isHistory) {
      const known = this.all.length;
      // What was undone cannot be made again after another change.
      this.all = this.all.filter(({ depth }) => depth <= before);
      // The oldest steps were dropped.
      if (this.depth < before) for (const decision of this.all) decision.depth = Math.max(0, decision.depth - (before - this.depth));
      if (this.all.length === known) return;
    } else if (!this.all.some(({ depth }) => depth > Math.min(before, this.depth) && depth <= Math.max(before, this.depth))) return;
    this.onChange();
  }
}
