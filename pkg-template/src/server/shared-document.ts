/** A fragment of a Yjs document as a ProseMirror document. */

import type { Node, Schema } from "@tiptap/pm/model";
import { updateYFragment, yXmlFragmentToProsemirrorJSON } from "@tiptap/y-tiptap";
import type { Doc, XmlFragment } from "yjs";
import { CopydeskError } from "../base/error.js";
import type { NodeJSON } from "../types/index.js";

/** The origin of the transactions, for observers of the Yjs document. */
const ORIGIN = "copydesk";

type Mapping = Parameters<typeof updateYFragment>[3];

export class SharedDocument {
  readonly schema: Schema;
  readonly #shared: Doc;
  readonly fragment: XmlFragment;
  #document: Node;
  #isChanged = false;
  readonly #changed = () => void (this.#isChanged = true);

  /** @throws CopydeskError `editor_refused` for content that the schema does not have. */
  constructor(shared: Doc, fragment: XmlFragment, schema: Schema) {
    this.schema = schema;
    this.#shared = shared;
    this.fragment = fragment;
    this.#document = this.#read();
    fragment.observeDeep(this.#changed);
  }

  /**
   * Returns the document. Blocks that are as they were are the same objects. Other than the binding of an editor it
   * removes nothing that does not fit: a participant on a server may not delete what others have written.
   */
  read(): Node {
    if (!this.#isChanged) return this.#document;
    this.#document = reusing(this.#document, this.#read());
    this.#isChanged = false;
    return this.#document;
  }

  /** Changes the nodes of the room that differ from those of `document`. */
  write(document: Node): void {
    const meta = this.#mapped(this.read());
    this.#shared.transact(() => updateYFragment(this.#shared, this.fragment, document, meta), ORIGIN);
    this.#document = reusing(document, this.#read());
    this.#isChanged = false;
  }

  release(): void {
    this.fragment.unobserveDeep(this.#changed);
  }

  #read(): Node {
    const { topNodeType } = this.schema;
    const { content } = yXmlFragmentToProsemirrorJSON(this.fragment) as { content: (NodeJSON | NodeJSON[])[] };
    try {
      const blocks = content.flat().map((block) => this.schema.nodeFromJSON(block));
      const document = blocks.length ? topNodeType.create(null, blocks) : topNodeType.createAndFill();
      return document ?? topNodeType.create();
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      const message = `The room has content that the schema lacks (${reason}). Use the extensions of its editors.`;
      throw new CopydeskError({ code: "editor_refused", message, details: { reason } }, { cause: thrown });
    }
  }

  /** Returns the block of each element, so that unchanged ones are not compared. */
  #mapped(document: Node): Mapping {
    const elements = this.fragment.toArray();
    const mapping: Mapping["mapping"] = new Map();
    if (elements.length === document.childCount)
      elements.forEach((element, index) => mapping.set(element, document.child(index)));
    return { mapping, isOMark: new Map() };
  }
}

/** Returns `now` with the blocks of `before` where they are equal, or `before` itself. */
function reusing(before: Node, now: Node): Node {
  const [old, blocks] = [before.content.content, now.content.content];
  const shorter = Math.min(old.length, blocks.length);
  let start = 0;
  while (start < shorter && old[start]!.eq(blocks[start]!)) start++;
  if (start === old.length && start === blocks.length) return before;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end]!.eq(blocks[blocks.length - 1 - end]!)) end++;
  const changed = blocks.slice(start, blocks.length - end);
  return now.type.create(now.attrs, [...old.slice(0, start), ...changed, ...old.slice(old.length - end)]);
}
