/** The schema of source that a document keeps as text: all that exported files can show of Markdown. */

import { Schema, type MarkSpec, type NodeSpec } from "@tiptap/pm/model";

const optional = (...names: string[]): NodeSpec["attrs"] => {
  return Object.fromEntries(names.map((name) => [name, { default: null }]));
};

const nodes: Record<string, NodeSpec> = {
  doc: { content: "block+" },
  paragraph: { group: "block", content: "inline*" },
  heading: { group: "block", content: "inline*", attrs: { level: { default: 1 } } },
  bulletList: { group: "block", content: "listItem+" },
  orderedList: { group: "block", content: "listItem+", attrs: { start: { default: 1 } } },
  listItem: { content: "paragraph block*" },
  taskList: { group: "block", content: "taskItem+" },
  taskItem: { content: "paragraph block*", attrs: { checked: { default: false } } },
  blockquote: { group: "block", content: "block+" },
  codeBlock: { group: "block", content: "text*", marks: "", code: true, attrs: optional("language") },
  horizontalRule: { group: "block" },
  table: { group: "block", content: "tableRow+" },
  tableRow: { content: "(tableCell | tableHeader)*" },
  tableCell: { content: "block+", attrs: optional("align") },
  tableHeader: { content: "block+", attrs: optional("align") },
  details: { group: "block", content: "detailsSummary detailsContent", attrs: { open: { default: false } } },
  detailsSummary: { content: "text*" },
  detailsContent: { content: "block+" },
  blockMath: { group: "block", atom: true, attrs: { latex: { default: "" } } },
  text: { group: "inline" },
  hardBreak: { group: "inline", inline: true },
  image: { group: "inline", inline: true, attrs: optional("src", "alt", "title") },
  inlineMath: { group: "inline", inline: true, atom: true, attrs: { latex: { default: "" } } },
};

const names = ["bold", "italic", "strike", "underline", "subscript", "superscript", "highlight", "code"];
const marks: Record<string, MarkSpec> = {
  link: { attrs: optional("href", "title") },
  ...Object.fromEntries(names.map((name) => [name, {}])),
};

export const SOURCE_SCHEMA = new Schema({ nodes, marks });
