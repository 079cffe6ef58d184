/** The user's decisions about changes, by conversation. A decision does not hold while its change is pending again: it
 * was taken back, or the editor's undo reverted it. After redo it holds again. */
import type { Editor } from "@tiptap/core";
import type { Hunk } from "copydesk";
import { hunksOf, hunksRevision } from "copydesk/tiptap";
import type { StoredDecision } from "../store/database";

export interface Decision extends StoredDecision {
  /** The id of the change; undefined for a decision of an earlier page, which cannot be taken back. */
  hunk?: string;
}

export class Decisions {
  /** The decisions by the id of their conversation. */
  private all = new Map<string, Decision[]>();
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
      const all = [...this.all.values()].flat();
      if (all.some(({ hunk }) => hunk !== undefined && before.has(hunk) !== this.pending.has(hunk))) this.onChange();
    });
  }

  /** The conversations with decisions. */
  get conversations(): string[] {
    return [...this.all.keys()];
  }

  /** Continues with the saved decisions of a conversation, unless those of this page are known. */
  restore(conversation: string, stored: readonly StoredDecision[]): void {
    if (!this.all.has(conversation)) this.all.set(conversation, [...stored]);
  }

  /** Adds a decision. */
  add(conversation: string, toolId: string, hunks: readonly Hunk[], accepted: boolean): void {
    const ids = new Set(hunks.map(({ id }) => id));
    const others = this.of(conversation).filter(
      (decision) => decision.toolId !== toolId || decision.hunk === undefined || !ids.has(decision.hunk),
    );
    const added = hunks.map(({ id, originalText, newText, proposedFrom }) => ({
      hunk: id,
      toolId,
      accepted,
      originalText,
      newText,
      at: proposedFrom,
    }));
    this.all.set(conversation, [...others, ...added]);
    this.pending = this.idsOfPending();
  }

  /** Forgets the decisions about some calls, because their run was undone. */
  forget(conversation: string, toolIds: ReadonlySet<string>): void {
    this.all.set(
      conversation,
      this.of(conversation).filter(({ toolId }) => !toolIds.has(toolId)),
    );
  }

  /** Returns the decisions that hold now. */
  standing(conversation: string): Decision[] {
    return this.of(conversation).filter(({ hunk }) => hunk === undefined || !this.pending.has(hunk));
  }

  /** Returns them as they are saved. Ids of changes mean nothing in another page. */
  stored(conversation: string): StoredDecision[] {
    return this.standing(conversation).map(({ hunk: _, ...decision }) => decision);
  }

  private of(conversation: string): Decision[] {
    return this.all.get(conversation) ?? [];
  }

  private idsOfPending(): ReadonlySet<string> {
    return new Set(hunksOf(this.editor).map(({ id }) => id));
  }
}
