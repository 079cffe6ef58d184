/** The synchronization of a room with its document in the wasm. */

import { Fragment, Slice, type Node } from "@tiptap/pm/model";
import { ReplaceStep, Transform } from "@tiptap/pm/transform";
import { guarded } from "../document/calls.js";
import { carrierOf } from "../document/carrier.js";
import { changedRanges } from "../document/changed-ranges.js";
import { Document, handleOf, type EditorBridge } from "../document/document.js";
import { jsonOf } from "../base/json.js";
import type { Change, Locale, NodeJSON } from "../types/index.js";
import { SchemaHTML } from "./schema-html.js";
import type { RoomComments } from "./comments.js";
import type { SharedDocument } from "./shared-document.js";

/** The wasm's interface to a room, as `Binding` is that to an editor. */
export class RoomBridge implements EditorBridge {
  readonly document: Document;
  /** The comments, whose ranges follow the edits. */
  comments: RoomComments | undefined;
  readonly #shared: SharedDocument;
  readonly #html: SchemaHTML;
  /** The document that the wasm knows. */
  #known: Node;
  #isWriting = false;

  constructor(shared: SharedDocument, locale: Locale) {
    this.#shared = shared;
    this.#html = new SchemaHTML(shared.schema);
    this.#known = shared.read();
    this.document = Document.bound(this.#known.toJSON(), this.#html.data, this, locale);
  }

  /** Reports changes since the last call to the wasm. */
  sync(): void {
    const now = this.#shared.read();
    if (now === this.#known) return;
    const [before, after] = [this.#known.content.content, now.content.content];
    const ranges = changedRanges(before, after);
    const changed = ranges.flatMap(([, , from, to]) => after.slice(from, to).map((block) => block.toJSON() as unknown));
    const told = Uint32Array.from(ranges.flatMap(([from, to, newFrom, newTo]) => [from, to - from, newTo - newFrom]));
    guarded(() => handleOf(this.document).sync(told, jsonOf(changed, "blocks")));
    this.#known = now;
    carrierOf(this.document)?.followed(ranges, this.#isWriting);
  }

  reviewed(): void {
    carrierOf(this.document)?.reviewed();
  }

  isReadOnly(): boolean {
    return false;
  }

  parse(html: string, at: number): string {
    return this.#html.parse(html, at);
  }

  html(start: number, end: number): string {
    const blocks = this.#shared.read().content.content.slice(start, end);
    return this.#html.htmlOf(blocks.map((block) => block.toJSON() as NodeJSON));
  }

  htmlOf(blocks: string): string {
    return this.#html.htmlOf(JSON.parse(blocks) as NodeJSON[]);
  }

  dispatch(changes: string): void {
    const { schema } = this.#shared;
    if (this.#shared.read() !== this.#known) throw new Error("the document changed at the same time");
    const transform = new Transform(this.#known);
    // From last to first, because positions refer to the document before the edit.
    for (const { from, to, content } of (JSON.parse(changes) as Change[]).reverse())
      transform.step(new ReplaceStep(from, to, new Slice(Fragment.fromJSON(schema, content), 0, 0)));
    const change = () => this.#shared.write(transform.doc);
    const { comments } = this;
    const write = comments ? () => comments.edited(transform.before, transform.doc, transform.mapping, change) : change;
    const carrier = carrierOf(this.document);
    this.#isWriting = true;
    try {
      if (carrier) carrier.dispatching(write);
      else write();
      this.sync();
    } finally {
      this.#isWriting = false;
    }
  }

  /** Releases the document when the room was left. */
  release(): void {
    handleOf(this.document).release();
    this.#html.release();
  }
}
