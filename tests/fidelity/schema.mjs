// The schema of the benchmark's documents: what an ordinary TipTap editor has, a mention, an inline formula and a highlight.
// Works in a page and in Node.
import { Mark, Node, getSchema } from "@tiptap/core";
import { Details, DetailsContent, DetailsSummary } from "@tiptap/extension-details";
import Image from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { TableKit } from "@tiptap/extension-table";
import StarterKit from "@tiptap/starter-kit";

/** A person's name: inline, without content, one position wide. */
const Mention = Node.create({
  name: "mention",
  group: "inline",
  inline: true,
  atom: true,
  addAttributes: () => ({
    id: { default: null, rendered: false, parseHTML: (dom) => dom.getAttribute("data-mention") },
    label: { default: null, rendered: false, parseHTML: (dom) => dom.textContent.replace(/^@/, "") },
    // An attribute that HTML does not carry.
    team: { default: null, rendered: false, parseHTML: () => null },
  }),
  parseHTML: () => [{ tag: "span[data-mention]" }],
  renderHTML: ({ node }) => ["span", { "data-mention": node.attrs.id }, `@${node.attrs.label}`],
  renderText: ({ node }) => `@${node.attrs.label}`,
});

/** A formula in a line of text: inline, without content. */
const InlineMath = Node.create({
  name: "inlineMath",
  group: "inline",
  inline: true,
  atom: true,
  addAttributes: () => ({
    latex: { default: "", rendered: false, parseHTML: (dom) => dom.getAttribute("data-latex") },
  }),
  parseHTML: () => [{ tag: "span[data-latex]" }],
  renderHTML: ({ node }) => ["span", { "data-latex": node.attrs.latex }],
});

const Highlight = Mark.create({
  name: "highlight",
  addAttributes: () => ({ color: { default: null, parseHTML: (dom) => dom.getAttribute("data-color") } }),
  parseHTML: () => [{ tag: "mark" }],
  renderHTML: ({ mark }) => ["mark", mark.attrs.color ? { "data-color": mark.attrs.color } : {}, 0],
});

/** The extensions of the editor, without copydesk's. */
export const extensions = [
  // A paragraph that an editor adds at the end by itself, and links that it finds, would be changes that no edit made.
  StarterKit.configure({
    trailingNode: false,
    link: { autolink: false, openOnClick: false, HTMLAttributes: { target: null, rel: null } },
  }),
  Image,
  TableKit,
  TaskList,
  TaskItem.configure({ nested: true }),
  Details,
  DetailsSummary,
  DetailsContent,
  Mention,
  InlineMath,
  Highlight,
];

export const schema = getSchema(extensions);
