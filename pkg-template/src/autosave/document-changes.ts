/** The changes of a document since it was written as a whole, so that saving a key does not write all of it. */

import type { Node } from "@tiptap/pm/model";
import type { Hunk, NodeJSON } from "copydesk";
import { changedRanges } from "../document/changed-ranges.js";
import type { KeptDocument, StoredDocument } from "./stored-document.js";

/** A document as it is saved: the editor's own, which shares unchanged nodes with those of before. */
export interface CurrentDocument extends Omit<StoredDocument, "json"> {
  doc: Node;
}

/** Top-level blocks `from`–`to` that were replaced. */
interface Replaced {
  from: number;
  to: number;
  content: NodeJSON[];
}

/** The changes of a document since a record of it was written, all of them; the rest of the document as it is now. */
export interface StoredChanges extends Omit<StoredDocument, "json" | "previous"> {
  /** The id of the record. */
  of: string;
  /** In their order. Positions are those in the record. */
  replaced: Replaced[];
  hunks: Hunk[];
}

/** A record that was written. */
export class Written {
  /** True once nothing can undo it. */
  isCommitted = false;
  readonly id = `${Date.now()} ${Math.random()}`;
  readonly #doc: Node;
  readonly #previous: KeptDocument | undefined;
  /** The size of all changes that were written since. */
  #size = 0;

  constructor(
    readonly key: string,
    { doc, previous }: CurrentDocument,
  ) {
    this.#doc = doc;
    this.#previous = previous;
  }

  /** Returns the changes that lead from the record to a document. `null` if the document is better written as a whole:
   * its changes have taken as much writing as it takes itself, or are not in its blocks. */
  changesTo({ doc, previous, ...rest }: CurrentDocument): StoredChanges | null {
    if (!this.isCommitted || previous !== this.#previous || rest.hunksOf || !doc.sameMarkup(this.#doc)) return null;
    const blocks = doc.children;
    const replaced = changedRanges(this.#doc.children, blocks).map(([from, to, newFrom, newTo]) => {
      const changed = blocks.slice(newFrom, newTo);
      for (const { nodeSize } of changed) this.#size += nodeSize;
      return { from, to, changed };
    });
    if (this.#size > doc.content.size) return null;
    return {
      ...rest,
      of: this.id,
      replaced: replaced.map(({ from, to, changed }) => ({
        from,
        to,
        content: changed.map((block) => block.toJSON() as NodeJSON),
      })),
    };
  }
}

/** Returns a document with its changes. */
export function withChanges(document: StoredDocument, changes: StoredChanges): StoredDocument {
  const { of: _, replaced, ...rest } = changes;
  const content = [...(document.json.content ?? [])];
  for (const { from, to, content: blocks } of replaced.toReversed()) content.splice(from, to - from, ...blocks);
  const { json, previous } = document;
  return { ...rest, json: { ...json, content }, ...(previous ? { previous } : {}) };
}
