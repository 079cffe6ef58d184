// The schemas of the unseen cases: what an ordinary editor has, with alignment, and text direction and two nodes of an
// app's own, or ids and colours.
import { Extension, Node, getSchema } from "@tiptap/core";
import { Details, DetailsContent, DetailsSummary } from "@tiptap/extension-details";
import Highlight from "@tiptap/extension-highlight";
import Image from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { BlockMath, InlineMath } from "@tiptap/extension-mathematics";
import Mention from "@tiptap/extension-mention";
import Subscript from "@tiptap/extension-subscript";
import Superscript from "@tiptap/extension-superscript";
import { TableKit } from "@tiptap/extension-table";
import TextAlign from "@tiptap/extension-text-align";
import { Color, TextStyle } from "@tiptap/extension-text-style";
import StarterKit from "@tiptap/starter-kit";

const Direction = Extension.create({
  name: "direction",
  addGlobalAttributes: () => [
    {
      types: ["heading", "paragraph", "bulletList", "orderedList", "listItem", "blockquote"],
      attributes: { dir: { default: null, parseHTML: (dom) => dom.getAttribute("dir") } },
    },
  ],
});

const Callout = Node.create({
  name: "callout",
  group: "block",
  content: "block+",
  addAttributes: () => ({ kind: { default: "info", parseHTML: (dom) => dom.getAttribute("data-kind") } }),
  parseHTML: () => [{ tag: "div[data-callout]" }],
  renderHTML: ({ node }) => ["div", { "data-callout": "", "data-kind": node.attrs.kind }, 0],
});

const CtaButton = Node.create({
  name: "ctaButton",
  group: "block",
  atom: true,
  addAttributes: () => ({ label: { default: "" }, href: { default: "" }, variant: { default: "primary" } }),
  parseHTML: () => [{ tag: "div[data-cta]" }],
  renderHTML: ({ HTMLAttributes }) => ["div", { "data-cta": "", ...HTMLAttributes }],
});

const Footnote = Node.create({
  name: "footnote",
  group: "inline",
  inline: true,
  content: "text*",
  addAttributes: () => ({ num: { default: 1 } }),
  parseHTML: () => [{ tag: "fn" }],
  renderHTML: ({ HTMLAttributes }) => ["fn", HTMLAttributes, 0],
});

const common = [
  StarterKit.configure({ trailingNode: false, link: { autolink: false, openOnClick: false } }),
  Image,
  TableKit,
  TaskList,
  TaskItem.configure({ nested: true }),
  Details,
  DetailsSummary,
  DetailsContent,
  Mention,
  InlineMath,
  BlockMath,
  Highlight.configure({ multicolor: true }),
  Subscript,
  Superscript,
  TextAlign.configure({ types: ["heading", "paragraph"] }),
];

const Ids = Extension.create({
  name: "ids",
  addGlobalAttributes: () => [
    {
      types: ["heading", "paragraph", "listItem", "taskItem", "codeBlock", "blockquote", "table"],
      attributes: { id: { default: null } },
    },
  ],
});

const app = getSchema([...common, Direction, Callout, CtaButton]);
const styled = getSchema([...common, TextStyle, Color, Ids]);
const all = [...common, TextStyle, Color, Ids, Direction, Callout, CtaButton];
const full = getSchema(all);
const noted = getSchema([...all, Footnote]);
/** The schema of Markdown files. */
const files = getSchema([
  ...[StarterKit, Image, TableKit, TaskList, TaskItem.configure({ nested: true })],
  ...[InlineMath, BlockMath, Details, DetailsSummary, DetailsContent],
]);

/** The schemas of the suites, by their names. */
export const schemas = {
  edits: app,
  gazette: app,
  guides: styled,
  offices: styled,
  papers: styled,
  workshop: styled,
  docket: styled,
  almanac: full,
  bazaar: full,
  harbour: full,
  canal: full,
  quarry: full,
  lantern: full,
  orchard: full,
  summit: full,
  ferry: full,
  meadow: full,
  prairie: full,
  glacier: full,
  estuary: full,
  savanna: full,
  tundra: full,
  lagoon: full,
  fjord: full,
  mesa: full,
  reef: full,
  canyon: full,
  delta: full,
  oasis: full,
  ridge: full,
  cove: full,
  heron: full,
  quartz: full,
  sable: full,
  pebble: full,
  heath: files,
  marsh: full,
  fen: full,
  willow: full,
  thorn: noted,
  tarn: full,
  moor: full,
  atoll: full,
};
