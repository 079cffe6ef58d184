/** The user's decisions about changes. A decision does not hold while its change is pending again: it was taken back,
 * or the editor's undo reverted it. After redo it holds again. */
import type { Editor } from "@tiptap/core";
import type { Hunk } from "copydesk";
import { hunksOf, hunksRevision } from "copydesk/tiptap";
import type { StoredDecision } from "../store/database";

export interface Decision extends StoredDecision {
  /** The id of the change; undefined for a decision of an earlier page, which cannot be taken back. */
  hunk?: string;
}

export class Decisions {
  private all: Decision[] = [];
  private pending: ReadonlySet<string>;

  /** `onChange` is called when decisions no longer hold, or hold again. */
  constructor(
    private editor: Editor,
    private onChange: () => void,
  ) {
    this.pending = this.idsOfPending();
    let revision = hunksRevision(editor);
    editor.on("transaction", () => {
      if (revision === hunksRevision(editor)) return;
      revision = hunksRevision(editor);
      const before = this.pending;
      this.pending = this.idsOfPending();
      if (this.all.some(({ hunk }) => hunk !== undefined && before.has(hunk) !== this.pending.has(hunk)))
        this.onChange();
    });
  }

  /** Shows these from now on. */
  restore(stored: readonly StoredDecision[]): void {
    this.all = [...stored];
  }

  /** Adds a decision. */
  add(toolId: string, hunks: readonly Hunk[], accepted: boolean): void {
    const ids = new Set(hunks.map(({ id }) => id));
    const others = this.all.filter(
      (decision) => decision.toolId !== toolId || decision.hunk === undefined || !ids.has(decision.hunk),
    );
    this.all = [
      ...others,
      ...hunks.map(({ id, originalText, newText, proposedFrom }) => ({
        hunk: id,
        toolId,
        accepted,
        originalText,
        newText,
        at: proposedFrom,
      })),
    ];
    this.pending = this.idsOfPending();
  }

  /** Forgets the decisions about some calls, because their run was undone. */
  forget(toolIds: ReadonlySet<string>): void {
    this.all = this.all.filter(({ toolId }) => !toolIds.has(toolId));
  }

  /** Returns the decisions that hold now. */
  get standing(): Decision[] {
    return this.all.filter(({ hunk }) => hunk === undefined || !this.pending.has(hunk));
  }

  /** Returns them as they are saved. Ids of changes mean nothing in another page. */
  get stored(): StoredDecision[] {
    return this.standing.map(({ hunk: _, ...decision }) => decision);
  }

  private idsOfPending(): ReadonlySet<string> {
    return new Set(hunksOf(this.editor).map(({ id }) => id));
  }
}
