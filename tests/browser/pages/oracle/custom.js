// An editor with nodes that copydesk has never heard of.
import { Editor, Node } from "@tiptap/core";
import { TableKit } from "@tiptap/extension-table";
import StarterKit from "@tiptap/starter-kit";
import { Document } from "copydesk";
import { Copydesk, schemaData } from "copydesk/tiptap";
import { differenceOf } from "./documents.js";

const Callout = Node.create({
  name: "callout",
  group: "block",
  content: "block+",
  addAttributes: () => ({ tone: { default: "info" } }),
  parseHTML: () => [{ tag: "aside" }],
  renderHTML: ({ node }) => ["aside", { "data-tone": node.attrs.tone }, 0],
});

/** Inline, and without content: one position wide. */
const Mention = Node.create({
  name: "mention",
  group: "inline",
  inline: true,
  atom: true,
  addAttributes: () => ({ id: {}, label: { default: null } }),
  parseHTML: () => [{ tag: "span[data-mention]" }],
  renderHTML: ({ node }) => ["span", { "data-mention": node.attrs.id }, `@${node.attrs.label}`],
});

/** Inline, and with text of its own. */
const Footnote = Node.create({
  name: "footnote",
  group: "inline",
  inline: true,
  content: "text*",
  parseHTML: () => [{ tag: "sup" }],
  renderHTML: () => ["sup", 0],
});

/** A block without content. */
const MathBlock = Node.create({
  name: "mathBlock",
  group: "block",
  atom: true,
  addAttributes: () => ({ latex: { default: "" } }),
  parseHTML: () => [{ tag: "div[data-latex]" }],
  renderHTML: ({ node }) => ["div", { "data-latex": node.attrs.latex }],
});

export const customNodes = [Callout, Mention, Footnote, MathBlock];

/** An editor with the custom nodes and this content. */
export function customEditor(content) {
  const element = document.querySelector("#page");
  return new Editor({ element, content, extensions: [StarterKit, TableKit, ...customNodes, Copydesk] });
}

/** What the bound document, and one read afresh with the schema as data, differ in from the editor's. */
export function differencesOf(editor) {
  const alone = Document.fromJSON(editor.getJSON(), schemaData(editor.schema));
  const bound = editor.storage.copydesk.document;
  return [differenceOf(bound, editor.state.doc), differenceOf(alone, editor.state.doc, { html: false })].filter(Boolean);
}
