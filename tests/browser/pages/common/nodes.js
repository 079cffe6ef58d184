// Nodes unknown to copydesk, for the editors of all pages.
import { Node } from "@tiptap/core";

/** A block of blocks. */
export const Callout = Node.create({
  name: "callout",
  group: "block",
  content: "block+",
  addAttributes: () => ({ tone: { default: "info", parseHTML: (dom) => dom.getAttribute("data-tone") } }),
  parseHTML: () => [{ tag: "aside" }],
  renderHTML: ({ node }) => ["aside", { "data-tone": node.attrs.tone }, 0],
});

/** Inline, and without content: one position wide. */
export const Mention = Node.create({
  name: "mention",
  group: "inline",
  inline: true,
  atom: true,
  addAttributes: () => ({
    id: { rendered: false, parseHTML: (dom) => dom.getAttribute("data-mention") },
    label: { default: null, rendered: false, parseHTML: (dom) => dom.textContent.slice(1) },
  }),
  parseHTML: () => [{ tag: "span[data-mention]" }],
  renderHTML: ({ node }) => ["span", { "data-mention": node.attrs.id }, `@${node.attrs.label}`],
});

/** Inline, with text of its own. */
export const Footnote = Node.create({
  name: "footnote",
  group: "inline",
  inline: true,
  content: "text*",
  parseHTML: () => [{ tag: "sup" }],
  renderHTML: () => ["sup", 0],
});

/** A block without content. */
export const MathBlock = Node.create({
  name: "mathBlock",
  group: "block",
  atom: true,
  addAttributes: () => ({ latex: { default: "", parseHTML: (dom) => dom.getAttribute("data-latex") } }),
  parseHTML: () => [{ tag: "div[data-latex]" }],
  renderHTML: ({ node }) => ["div", { "data-latex": node.attrs.latex }],
});
