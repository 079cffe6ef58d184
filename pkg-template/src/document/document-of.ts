/** The document that an app means. */

import { Document } from "./document.js";
import { check } from "../base/error.js";
import type { EditorWithCopydesk } from "../agent/options.js";

/** Returns the document of an agent that works on files only: it is empty, and no tool sees it. */
export function noDocument(): Document {
  return Document.fromJSON({ type: "doc", content: [{ type: "paragraph" }] });
}

/** Returns the document of an editor, or the given one. */
export function documentOf(given: Document | EditorWithCopydesk | undefined): Document {
  if (given instanceof Document) return given;
  const document = (given as Partial<EditorWithCopydesk> | null | undefined)?.storage?.copydesk?.document;
  const expected = "a Document, or an editor that is not destroyed and has the extension Copydesk of copydesk/tiptap";
  check(document !== undefined, "document", given, expected);
  return document as Document;
}
