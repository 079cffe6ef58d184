// An editor with nodes unknown to copydesk.
import { Editor } from "@tiptap/core";
import { TableKit } from "@tiptap/extension-table";
import StarterKit from "@tiptap/starter-kit";
import { Document } from "copydesk";
import { Copydesk, schemaData } from "copydesk/tiptap";
import { Callout, Footnote, MathBlock, Mention } from "../common/nodes.js";
import { differenceOf } from "./documents.js";

export const customNodes = [Callout, Mention, Footnote, MathBlock];

/** An editor with the custom nodes and this content. */
export function customEditor(content) {
  const element = document.querySelector("#page");
  return new Editor({ element, content, extensions: [StarterKit, TableKit, ...customNodes, Copydesk] });
}

/** Returns the differences of the bound document, and of one read from JSON with the schema, from the editor's. */
export function differencesOf(editor) {
  const alone = Document.fromJSON(editor.getJSON(), schemaData(editor.schema));
  const bound = editor.storage.copydesk.document;
  return [differenceOf(bound, editor.state.doc), differenceOf(alone, editor.state.doc, { html: false })].filter(Boolean);
}
