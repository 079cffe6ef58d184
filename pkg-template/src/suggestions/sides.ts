/** Documents without and with their suggestions, and suggestions from two documents. */

import { getSchema, type Editor, type Extensions } from "@tiptap/core";
import type { Schema } from "@tiptap/pm/model";
import { guarded } from "../document/calls.js";
import { Document, handleOf } from "../document/document.js";
import { check } from "../base/error.js";
import { jsonOf } from "../base/json.js";
import type { PendingChanges } from "../document/pending.js";
import { schemaData } from "../document/schema.js";
import type { Author, NodeJSON } from "../types/index.js";

/** A document as JSON and as HTML. */
export interface DocumentSide {
  json: NodeJSON;
  html: string;
}

/** Returns the document as if all suggestions were rejected: the content of the editor. */
export function toBase(editor: Editor): DocumentSide {
  const json = editor.getJSON() as NodeJSON;
  return { json, html: editor.getHTML() };
}

/** Returns the document as if all suggestions were accepted, in conflicts the suggested version. */
export function toProposed(editor: Editor): DocumentSide {
  const { document } = editor.storage.copydesk;
  return { json: document.toJSON(), html: document.toHTML() };
}

export interface CompareOptions {
  /** The extensions of the editor, or its schema. */
  schema: Schema | Extensions;
  /** The author of the changes. */
  author?: Omit<Author, "kind"> & { kind?: Author["kind"] };
}

/**
 * Returns the differences of two documents as pending changes: the option `pending` of an editor with the content
 * `before`. Await `init()` first.
 *
 * @throws CopydeskError `invalid_document` if one of them does not fit the schema.
 */
export function compare(before: NodeJSON, after: NodeJSON, { schema, author }: CompareOptions): PendingChanges {
  const isSchema = Array.isArray(schema) || typeof (schema as Schema | undefined)?.topNodeType === "object";
  check(isSchema, "schema", schema, "the extensions of the editor, or its schema");
  const data = schemaData(Array.isArray(schema) ? getSchema(schema) : (schema as Schema));
  const document = Document.fromJSON(before, data);
  document.mode = "review";
  const handle = handleOf(document);
  if (author) {
    const person = { kind: "person", ...author };
    guarded(() => handle.setAuthors(jsonOf({ person }, "author")));
  }
  const text = jsonOf(after, "after");
  guarded(() => handle.proposeDocument(text));
  return { hunks: document.hunks(), document: before };
}
