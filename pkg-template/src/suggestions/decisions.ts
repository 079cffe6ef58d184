/**
 * Decisions about suggestions, as entries of the Yjs document and steps of its undo history.
 *
 * - A decision does not change the suggestion. Each participant's decision is an entry of its own, and an acceptance wins
 *   over a rejection made at the same time.
 * - Two acceptances made at the same time insert the content twice. The one of the lower client id wins; every page
 *   deletes the Yjs items that the other one has inserted, which has the same result however often it is done.
 */

import type { Node } from "@tiptap/pm/model";
import {
  createDeleteSet,
  getState,
  Item,
  iterateDeletedStructs,
  type Doc,
  type UndoManager,
  type XmlFragment,
} from "yjs";
import { guarded } from "../document/calls.js";
import { handleOf, type Document } from "../document/document.js";
import type { Author, Hunk, NodeJSON } from "../types/index.js";
import { Anchors } from "./anchors.js";
import type { StoredSuggestions } from "./stored.js";

/** The undo history in which the decisions of this page are steps. */
export interface DecisionHistory {
  manager: UndoManager;
  /** An origin of Yjs transactions that it tracks. */
  origin: unknown;
}

export interface DecisionsOptions {
  document: Document;
  fragment: XmlFragment;
  /** Returns the current ProseMirror document. */
  content: () => Node;
  /** Returns the history of the editor, if it is that of Yjs. */
  history?: () => DecisionHistory | undefined;
  /** Returns the author of decisions, and of suggestions without another author. */
  user: () => Author;
}

type LocalDecision = { id: string; outcome: "accepted" | "rejected" | "both" | "undone" };

export class Decisions {
  readonly #options: DecisionsOptions;
  readonly #shared: Doc;
  readonly #stored: StoredSuggestions;
  /** The step of the history of each acceptance; `undefined` if it is a step of several. */
  readonly #steps = new Map<string, unknown>();
  #isStoring = false;

  constructor(options: DecisionsOptions, stored: StoredSuggestions) {
    this.#options = options;
    this.#shared = options.fragment.doc as Doc;
    this.#stored = stored;
  }

  /** True while a change of the document is made that decides suggestions. */
  get isStoring(): boolean {
    return this.#isStoring;
  }

  /** Stores the decisions that do not change the document. */
  store(): void {
    const decisions = this.#take();
    if (decisions.length) this.#tracked(() => this.#store(decisions));
  }

  /** Makes a change of the document, and stores the decisions that caused it in the same transaction. */
  storeWith(dispatch: () => void): void {
    const decisions = this.#take();
    if (!decisions.length) return dispatch();
    const hunks = this.#options.document.hunks();
    const { clientID, store } = this.#shared;
    let isStored = false;
    let clock = 0;
    const storeOnce = () => {
      if (isStored) return;
      isStored = true;
      this.#store(decisions);
      clock = getState(store, clientID);
    };
    this.#isStoring = true;
    this.#shared.on("beforeTransaction", storeOnce);
    try {
      dispatch();
    } finally {
      this.#shared.off("beforeTransaction", storeOnce);
      this.#isStoring = false;
    }
    // An editor that is not mounted does not store its changes.
    if (!isStored) this.#tracked(() => this.#store(decisions));
    else this.#storeSpans(hunks, decisions, clock);
    const step = this.#options.history?.()?.manager.undoStack.at(-1);
    if (step) for (const { id } of decisions) this.#steps.set(id, decisions.length > 1 ? undefined : step);
  }

  /** Deletes the content of all but one of several acceptances of the same suggestion. */
  repair(): void {
    const known = this.#stored.replaced().filter(({ id, spans }) => {
      const entry = this.#stored.entry(id);
      const length = spans.reduce((sum, [, length]) => sum + length, 0);
      // A peer cannot have more text deleted than the suggestion inserts.
      return entry && length <= sizeOf(entry.content) + 1;
    });
    if (!known.length) return;
    this.#shared.transact((transaction) => {
      for (const { id, client, spans } of known) {
        const inserted = createDeleteSet();
        inserted.clients.set(
          client,
          spans.map(([clock, len]) => ({ clock, len })),
        );
        iterateDeletedStructs(transaction, inserted, (item) => {
          if (item instanceof Item && !item.deleted) item.delete(transaction);
        });
        this.#stored.removeDecision(id, client);
        if (client === this.#shared.clientID) this.#dropStep(id);
      }
    }, this);
  }

  #take(): LocalDecision[] {
    return guarded(() => handleOf(this.#options.document).takeDecisions()) as LocalDecision[];
  }

  #store(decisions: readonly LocalDecision[]): void {
    const by = this.#options.user();
    for (const { id, outcome } of decisions) this.#stored.decide(id, outcome, by);
  }

  /** Makes changes as one step of the undo history. */
  #tracked(run: () => void): void {
    const history = this.#options.history?.();
    history?.manager.stopCapturing();
    this.#shared.transact(run, history?.origin ?? this);
    history?.manager.stopCapturing();
  }

  /** Stores the items that acceptances have inserted, from `clock` on. */
  #storeSpans(hunks: readonly Hunk[], decisions: readonly LocalDecision[], clock: number): void {
    const outcomes = new Map(decisions.map(({ id, outcome }) => [id, outcome]));
    const { fragment, content } = this.#options;
    const anchors = new Anchors(fragment, content());
    const client = this.#shared.clientID;
    let grown = 0;
    this.#shared.transact(() => {
      for (const hunk of hunks) {
        const outcome = outcomes.get(hunk.id);
        if (outcome !== "accepted" && outcome !== "both") continue;
        const from = grown + (outcome === "both" ? hunk.to : hunk.from);
        const size = hunk.proposedTo - hunk.proposedFrom;
        grown += outcome === "both" ? size : size - (hunk.to - hunk.from);
        this.#stored.setSpans(hunk.id, anchors.items(from, from + size, client, clock));
      }
    }, this);
  }

  /** Removes the undo step of an acceptance that another one has replaced. */
  #dropStep(id: string): void {
    const step = this.#steps.get(id);
    const stack = this.#options.history?.()?.manager.undoStack as unknown[] | undefined;
    const at = step ? (stack?.indexOf(step) ?? -1) : -1;
    if (at >= 0) stack?.splice(at, 1);
    this.#steps.delete(id);
  }
}

function sizeOf(nodes: readonly NodeJSON[]): number {
  return nodes.reduce((sum, { text, content }) => sum + (text?.length ?? 2 + sizeOf(content ?? [])), 0);
}
