/** Comments in the shared document: entries in one map, and the ranges of threads as relative positions in another. */

import type { Node } from "@tiptap/pm/model";
import type { Doc, Transaction, XmlFragment } from "yjs";
import type { CommentCarrier } from "../comments/carrier.js";
import type { StoredRange, ThreadRange } from "../comments/ranges.js";
import { check, members } from "../base/error.js";
import { Anchors, placeOf } from "./anchors.js";
import { readPlace } from "./entry.js";
import { mapOf, rootNameOf } from "./stored.js";

export interface SharedCommentsOptions {
  /** The Yjs document of TipTap's Collaboration. */
  document?: Doc;
  /** The name of the fragment with the document. Default: `default`. */
  field?: string;
  /** The fragment itself, in place of `document` and `field`. */
  fragment?: XmlFragment;
}

/** Returns the comments of a shared document, for the option `shared` of `Comments`. */
export function sharedComments(options: SharedCommentsOptions): CommentCarrier {
  const { document, field = "default", fragment } = members(options, "options");
  check(!!fragment || typeof document?.getXmlFragment === "function", "document", document, "a Y.Doc");
  return new SharedComments(fragment ?? document!.getXmlFragment(field));
}

class SharedComments implements CommentCarrier {
  readonly isShared = true;
  readonly #fragment: XmlFragment;
  readonly #entries;
  readonly #places;
  #anchors: { doc: Node; anchors: Anchors } | undefined;

  constructor(fragment: XmlFragment) {
    this.#fragment = fragment;
    this.#entries = mapOf(fragment, "comments");
    this.#places = mapOf(fragment, "comment-places");
    // Two documents may be equal in ProseMirror, and made of other items in Yjs.
    fragment.observeDeep(() => (this.#anchors = undefined));
  }

  get entries() {
    return this.#entries;
  }

  find(thread: string, doc: Node): StoredRange | undefined {
    return this.#find(thread, doc, true);
  }

  isCurrent(doc: Node): boolean {
    return this.#anchorsOf(doc).size === doc.content.size;
  }

  place(ranges: Iterable<[thread: string, range: ThreadRange]>, doc: Node): void {
    if (!this.isCurrent(doc)) return;
    const anchors = this.#anchorsOf(doc);
    const moved = [...ranges].filter(([id, { from, to, lost }]) => {
      if (lost !== undefined) return false;
      // Other pages do not find text that the undo of this page has restored.
      const found = this.#find(id, doc, false);
      return !found?.isExact || found.from !== from || found.to !== to;
    });
    if (!moved.length) return;
    this.transact(() => {
      for (const [id, { from, to }] of moved) {
        const place = placeOf(anchors, from, to);
        if (place) this.#places.set(id, place);
      }
    });
  }

  transact(run: () => void): void {
    (this.#fragment.doc as Doc).transact(run, this);
  }

  observe(changed: (isLocal: boolean) => void): () => void {
    const heard = (_event: unknown, { local }: Transaction) => changed(local);
    for (const map of [this.#entries, this.#places]) map.observe(heard);
    return () => {
      for (const map of [this.#entries, this.#places]) map.unobserve(heard);
    };
  }

  #anchorsOf(doc: Node): Anchors {
    if (this.#anchors?.doc !== doc) this.#anchors = { doc, anchors: new Anchors(this.#fragment, doc) };
    return this.#anchors.anchors;
  }

  #find(thread: string, doc: Node, follows: boolean): StoredRange | undefined {
    if (!this.isCurrent(doc)) return undefined;
    const place = readPlace(this.#places.get(thread), rootNameOf(this.#fragment));
    if (!place) return undefined;
    const anchors = this.#anchorsOf(doc);
    const from = anchors.position(place.from, follows);
    const to = anchors.position(place.to, follows);
    if (from === undefined || to === undefined || from >= to || to > doc.content.size) return undefined;
    // The borders of blocks alone are not text.
    if (!doc.textBetween(from, to, "", "\ufffc")) return undefined;
    return { from, to, isExact: [place.from, place.to].every((anchor) => anchors.isPresent(anchor, follows)) };
  }
}
