/** The user's decisions about changes, by conversation. A decision does not hold while its change is pending again: it
 * was taken back, or the editor's undo reverted it. After redo it holds again, but not after the change has become another
 * one. */
import type { Editor, EditorEvents } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Mapping } from "@tiptap/pm/transform";
import { CopydeskError, type Hunk } from "copydesk";
import { historyMoveOf } from "../document/shared-origin.js";
import { hunksOf, hunksRevision } from "../review/hunks.js";
import type { StoredDecision } from "./stored.js";
import { followed, makePending, placeOf, rangeIn, waysBack, type Range, type Returning } from "./way-back.js";

interface Decision extends StoredDecision {
  /** The id of the change; undefined for a decision of an earlier page. */
  hunk?: string;
  /** True if the change was pending again, and then became another one. */
  isVoid?: boolean;
  /** The range of the outcome; undefined if the document does not have it. */
  range?: Range;
}

export interface ShownDecision extends StoredDecision {
  /** True if the decision can be taken back now: one of an earlier page only while nothing is pending. */
  isReversible: boolean;
}

export class Decisions {
  /** The decisions by the id of their conversation. */
  private all = new Map<string, Decision[]>();
  private pending: ReadonlySet<string>;
  /** The document before its last change, and what plugins have changed after it. */
  private last: { before: Node; appended: Mapping };
  /** Follows the document no longer. */
  readonly dispose: () => void;
  /** The changes of the document that the ranges do not follow yet. */
  private moved = new Mapping();

  /** `onChange` is called when decisions no longer hold, or hold again. */
  constructor(
    private editor: Editor,
    private onChange: () => void,
  ) {
    this.pending = this.idsOfPending();
    this.last = { before: editor.state.doc, appended: new Mapping() };
    let revision = hunksRevision(editor);
    let isOfHistory = false;
    const follow = ({ transaction, appendedTransactions }: EditorEvents["transaction"]) => {
      const changes = [transaction, ...appendedTransactions].filter(({ docChanged }) => docChanged);
      for (const { mapping } of changes) this.moved.appendMapping(mapping);
      const [first, ...appended] = changes;
      if (first) {
        this.last = { before: first.before, appended: new Mapping(appended.flatMap(({ mapping }) => mapping.maps)) };
        isOfHistory = historyMoveOf(first) !== undefined;
      }
      if (revision === hunksRevision(editor)) return;
      revision = hunksRevision(editor);
      const before = this.pending;
      this.pending = this.idsOfPending();
      const all = [...this.all.values()].flat();
      const others = all.filter(({ hunk }) => hunk !== undefined && before.has(hunk) !== this.pending.has(hunk));
      for (const decision of others) decision.isVoid = !this.pending.has(decision.hunk!) && !isOfHistory;
      isOfHistory = false;
      if (others.length || (before.size === 0) !== (this.pending.size === 0)) this.onChange();
    };
    editor.on("transaction", follow);
    let isOver = false;
    this.dispose = () => {
      isOver = true;
      editor.off("transaction", follow);
    };
    // If the changes that were stored with the document cannot be restored, none of them is pending, and decisions of an earlier
    // page may be taken back.
    void editor.storage.copydesk.restored.catch(() => isOver || this.onChange());
  }

  /** The conversations with decisions. */
  get conversations(): string[] {
    return [...this.all.keys()];
  }

  /** Continues with the saved decisions of a conversation, unless those of this page are known. */
  restore(conversation: string, stored: readonly StoredDecision[]): void {
    if (this.all.has(conversation)) return;
    this.follow();
    const { doc } = this.editor.state;
    this.all.set(
      conversation,
      stored.map((decision) => {
        const { back, accepted } = decision;
        const range = back && rangeIn(doc, { back, accepted });
        return range ? { ...decision, range } : decision;
      }),
    );
  }

  /** Adds the decision that was just made, by the conversations of its calls; calls without one are not noted. */
  add(hunks: readonly Hunk[], accepted: boolean, conversationOf: (toolId: string) => string | undefined): void {
    this.follow();
    const { doc } = this.editor.state;
    const { before, appended } = accepted ? this.last : { before: doc, appended: new Mapping() };
    const backs = waysBack({ before, doc, mapping: appended }, hunks, accepted);
    const ids = new Set(hunks.map(({ id }) => id));
    for (const toolId of new Set(hunks.flatMap(({ toolIds }) => toolIds))) {
      const conversation = conversationOf(toolId);
      if (conversation === undefined) continue;
      const others = this.of(conversation).filter(
        (decision) => decision.toolId !== toolId || decision.hunk === undefined || !ids.has(decision.hunk),
      );
      const own = hunks.filter(({ toolIds }) => toolIds.includes(toolId));
      const added = own.map(({ id, originalText, newText, proposedFrom }): Decision => {
        const { range, ...back } = backs.get(id) ?? {};
        const decision = { hunk: id, toolId, accepted, originalText, newText, at: proposedFrom };
        return range ? { ...decision, range, back: back as StoredDecision["back"] } : decision;
      });
      this.all.set(conversation, [...others, ...added]);
    }
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
  standing(conversation: string): ShownDecision[] {
    const isFree = this.isFree;
    return this.holding(conversation).map((decision) => ({
      ...decision,
      isReversible: decision.hunk !== undefined || (isFree && isReturning(decision)),
    }));
  }

  /** Makes the changes of a call pending again, and those that were decided with them in an earlier page. Returns `changed` if
   * none is because their text was changed since, and `refused` if the decision cannot be taken back now. */
  takeBack(conversation: string, toolId: string): "pending" | "changed" | "refused" {
    if (!this.editor.isEditable) return "refused";
    try {
      // Changes that were stored with the document are pending from the first access on.
      void this.editor.storage.copydesk.document;
    } catch (error) {
      if (error instanceof CopydeskError) return "refused";
      throw error;
    }
    if (!this.standing(conversation).some((one) => one.toolId === toolId && one.isReversible)) return "refused";
    this.follow();
    const earlier = this.of(conversation).filter(isReturning);
    const decisions = new Set(earlier.filter((one) => one.toolId === toolId).map(({ back }) => back.decision));
    const together = this.isFree ? earlier.filter(({ back }) => decisions.has(back.decision)) : [];
    const returned = new Set<Decision>(makePending(this.editor, together));
    this.follow();
    if (returned.size) {
      const left = this.of(conversation).filter((one) => !returned.has(one));
      this.all.set(conversation, left);
      this.onChange();
    }
    return this.editor.commands.undoDecision({ toolId }) || returned.size ? "pending" : "changed";
  }

  /** Returns them as they are saved. Ids of changes are not valid in another page. */
  stored(conversation: string): StoredDecision[] {
    this.follow();
    const { doc } = this.editor.state;
    return this.holding(conversation).map(({ hunk: _, isVoid: _isVoid, range, back, ...decision }) =>
      // What this document does not have may be found in another one.
      back ? { ...decision, back: range ? { ...back, place: placeOf(doc, range) } : back } : decision,
    );
  }

  /** Lets the ranges follow the changes of the document since the last call. */
  private follow(): void {
    if (!this.moved.maps.length) return;
    const mapping = this.moved;
    this.moved = new Mapping();
    for (const decisions of this.all.values())
      for (const decision of decisions) if (decision.range) decision.range = followed(decision.range, mapping);
  }

  private holding(conversation: string): Decision[] {
    return this.of(conversation).filter(
      ({ hunk, isVoid }) => hunk === undefined || (!this.pending.has(hunk) && !isVoid),
    );
  }

  private of(conversation: string): Decision[] {
    return this.all.get(conversation) ?? [];
  }

  /** True if nothing is pending, nor will be when the wasm is loaded. */
  private get isFree(): boolean {
    const { editor } = this;
    return this.pending.size === 0 && (editor.isDestroyed || !editor.storage.copydesk.pending.hunks.length);
  }

  private idsOfPending(): ReadonlySet<string> {
    return new Set(hunksOf(this.editor).map(({ id }) => id));
  }
}

function isReturning(decision: Decision): decision is Decision & Returning {
  return decision.hunk === undefined && decision.back !== undefined && decision.range !== undefined;
}
