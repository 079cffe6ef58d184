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

/** The schemas of the suites, by their names. */
export const schemas = {
  edits: getSchema([...common, Direction, Callout, CtaButton]),
  guides: getSchema([...common, TextStyle, Color, Ids]),
  offices: getSchema([...common, TextStyle, Color, Ids]),
  papers: getSchema([...common, TextStyle, Color, Ids]),
  workshop: getSchema([...common, TextStyle, Color, Ids]),
  gazette: getSchema([...common, Direction, Callout, CtaButton]),
  docket: getSchema([...common, TextStyle, Color, Ids]),
  almanac: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  bazaar: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  harbour: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  canal: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  quarry: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  lantern: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  orchard: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  summit: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  ferry: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  meadow: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  prairie: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  glacier: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  estuary: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  savanna: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  tundra: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  lagoon: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  fjord: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  mesa: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  reef: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  canyon: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  delta: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  oasis: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
  atoll: getSchema([...common, TextStyle, Color, Ids, Direction, Callout, CtaButton]),
};
