/** Markdown's tree to nodes of a schema. What the schema lacks becomes its own source as text. */

import type { Attrs, Mark, Node, NodeType, Schema } from "@tiptap/pm/model";
import type {
  Definition,
  Heading,
  Html,
  Link,
  LinkReference,
  List,
  ListItem,
  Nodes,
  Paragraph,
  PhrasingContent,
  Root,
  RootContent,
  Table,
  TableCell,
  Text,
} from "mdast";
import { endsOf, readDetails, readOpenTag, type OpenTag } from "./html-tags.js";
import type { Enclosing, Origins, Piece, Range } from "./origins.js";
import { SOURCE_LANGUAGE } from "./source-language.js";
import {
  definitionsOf,
  isBreakTag,
  isFrontMatter,
  isTaskList,
  lf,
  rangeOf,
  trimmedText,
  withoutSoftBreaks,
} from "./tree.js";

/** One top-level block and its source's tree, which is several nodes for an element around content. */
export interface Unit {
  node: Node;
  tree: RootContent[];
  /** Inline source that is text in the nodes. */
  raw: Set<string>;
  origins: Origins;
}

/** Thrown for what the schema cannot hold; the enclosing unit becomes source. */
class Unsupported extends Error {}

/** Returns the top-level units of a tree in their order; definitions and front matter are not units. */
export function unitsOf(source: string, tree: Root, schema: Schema): Unit[] {
  return new TreeReader(source, definitionsOf(tree), schema).units(tree.children);
}

class TreeReader {
  /** Inline source of the current unit. */
  private raw = new Set<string>();
  private origins: Origins = new Map();
  /** The parts of the current textblock, and the inline nodes around what is read. */
  private pieces: Piece[] = [];
  private enclosing: readonly Enclosing[] = [];
  private readonly ends = new WeakMap<readonly Nodes[], ReadonlyMap<number, number>>();

  constructor(
    private readonly source: string,
    private readonly definitions: ReadonlyMap<string, Definition>,
    private readonly schema: Schema,
  ) {}

  units(children: readonly RootContent[]): Unit[] {
    const units: Unit[] = [];
    for (let at = 0; at < children.length;) {
      const count = this.lengthAt(children, at);
      const tree = children.slice(at, at + count);
      at += count;
      const [first] = tree;
      if (!first || first.type === "definition" || isFrontMatter(first)) continue;
      this.reset();
      const node = this.unit(tree);
      units.push({ node, tree, raw: this.raw, origins: this.origins });
    }
    return units;
  }

  private unit(tree: readonly RootContent[]): Node {
    try {
      const [node] = this.blocks(tree, true);
      if (!node || !this.schema.topNodeType.contentMatch.matchType(node.type)) throw new Unsupported();
      node.check();
      return node;
    } catch (thrown) {
      // ProseMirror throws a RangeError for content that a node cannot have.
      if (!(thrown instanceof Unsupported || thrown instanceof RangeError)) throw thrown;
      this.reset();
      const [first, last] = [tree[0] as Nodes, tree.at(-1) as Nodes];
      return this.sourceBlock(this.slice(first, last), { from: rangeOf(first).from, to: rangeOf(last).to });
    }
  }

  private reset(): void {
    this.raw = new Set();
    this.origins = new Map();
    this.enclosing = [];
  }

  /** The number of siblings that belong together: an element's start and end are nodes of their own. */
  private lengthAt(children: readonly RootContent[], at: number): number {
    const first = children[at];
    if (first?.type !== "html") return 1;
    const end = this.endsIn(children).get(at);
    if (end === undefined) return 1;
    const tag = readDetails(first.value) ? "details" : this.openBlock(first.value)?.tag;
    const last = children[end];
    return last?.type === "html" && last.value.trim() === `</${tag}>` ? end - at + 1 : 1;
  }

  private endsIn(children: readonly Nodes[]): ReadonlyMap<number, number> {
    const known = this.ends.get(children) ?? endsOf(children);
    this.ends.set(children, known);
    return known;
  }

  private openBlock(html: string): OpenTag | undefined {
    const found = readOpenTag(html.trim(), this.schema);
    return found?.node && !found.node.type.isLeaf ? found : undefined;
  }

  private blocks(children: readonly RootContent[], isTop = false): Node[] {
    const nodes: Node[] = [];
    for (let at = 0; at < children.length;) {
      const count = this.lengthAt(children, at);
      const first = children[at] as RootContent;
      const inner = children.slice(at + 1, at + count - 1);
      const last = children[at + count - 1] as RootContent;
      if (count > 1 && first.type === "html") {
        const element = this.element(first, inner);
        this.origins.set(element, { from: rangeOf(first).from, to: rangeOf(last).to });
        nodes.push(element);
      } else nodes.push(this.block(first, isTop));
      at += count;
    }
    return nodes;
  }

  private element(start: Html, inner: readonly RootContent[]): Node {
    const details = readDetails(start.value);
    const content = this.filled(this.blocks(inner, true));
    if (details) {
      const { details: type, detailsSummary, detailsContent } = this.schema.nodes;
      if (!type || !detailsSummary || !detailsContent) throw new Unsupported();
      const summary = detailsSummary.createChecked(null, details.summary ? this.schema.text(details.summary) : null);
      this.rememberSummary(summary, start);
      const attrs = "open" in (type.spec.attrs ?? {}) ? { open: details.isOpen } : null;
      if (details.isOpen && !attrs) throw new Unsupported();
      const body = detailsContent.createChecked(null, content);
      const [first, last] = [inner[0], inner.at(-1)];
      if (first && last) this.origins.set(body, { from: rangeOf(first).from, to: rangeOf(last).to });
      return type.createChecked(attrs, [summary, body]);
    }
    const opened = this.openBlock(start.value)?.node;
    if (!opened) throw new Unsupported();
    return opened.type.createChecked(opened.attrs, content);
  }

  private rememberSummary(summary: Node, start: Html): void {
    const [, before, text] = /^([^]*<summary>\s*)([^<]*[^<\s])/.exec(this.slice(start)) ?? [];
    if (before === undefined || text === undefined || !summary.firstChild) return;
    const from = rangeOf(start).from + before.length;
    const range = { from, to: from + text.length };
    this.pieces = [];
    this.enclosing = [];
    this.piece(range, "text", summary.firstChild);
    this.origins.set(summary, { ...range, pieces: this.pieces });
  }

  private block(tree: RootContent, isTop: boolean): Node {
    const node = this.blockOf(tree, isTop);
    if (!this.origins.has(node)) this.origins.set(node, { ...rangeOf(tree), tree });
    return node;
  }

  private blockOf(node: RootContent, isTop: boolean): Node {
    switch (node.type) {
      case "paragraph": {
        const [only, ...others] = node.children;
        const isImage = only?.type === "image" || only?.type === "imageReference";
        if (isTop && isImage && others.length === 0 && this.schema.nodes.image?.isBlock) return this.image(only);
        return this.textblock("paragraph", null, node);
      }
      case "heading":
        return this.textblock("heading", { level: node.depth }, node);
      case "thematicBreak":
        return this.make("horizontalRule");
      case "blockquote":
        return this.make("blockquote", null, this.filled(this.blocks(node.children, true)));
      case "code": {
        if (node.lang === SOURCE_LANGUAGE) throw new Unsupported();
        const text = lf(node.value);
        return this.make("codeBlock", { language: node.lang ?? null }, text ? [this.schema.text(text)] : []);
      }
      case "list":
        return this.list(node);
      case "table":
        return this.table(node);
      case "math":
        // Text behind the opening `$$` is part of the formula for others, and of no use to the node.
        if (node.meta) throw new Unsupported();
        return this.make("blockMath", { latex: lf(node.value) });
      case "html":
        return this.html(node.value, rangeOf(node));
      default:
        throw new Unsupported();
    }
  }

  /** Makes a textblock of a node's content and remembers where its parts are. */
  private textblock(name: string, attrs: Attrs | null, tree: Paragraph | Heading | TableCell): Node {
    this.pieces = [];
    const node = this.make(name, attrs, this.inline(tree.children, []));
    this.origins.set(node, { ...rangeOf(tree), tree, pieces: this.pieces });
    return node;
  }

  private html(html: string, range: Range): Node {
    const [, opening, tag] = /^(<div [^>]*>)<\/(div)>$/.exec(html.trim()) ?? [];
    const leaf = opening === undefined ? undefined : readOpenTag(opening, this.schema);
    if (leaf?.node?.type.isLeaf && leaf.tag === tag) return leaf.node.type.createChecked(leaf.node.attrs);
    return this.sourceBlock(html, range);
  }

  private list(node: List): Node {
    if (isTaskList(node) && this.schema.nodes.taskList) {
      const items = node.children.map((item) => this.item("taskItem", { checked: item.checked === true }, item));
      return this.make("taskList", null, items);
    }
    const items = node.children.map((item) => this.item("listItem", null, item));
    if (node.ordered) return this.make("orderedList", { start: node.start ?? 1 }, items);
    return this.make("bulletList", null, items);
  }

  private item(name: string, attrs: Attrs | null, item: ListItem): Node {
    const content = this.blocks(item.children);
    const [first] = content;
    const type = this.schema.nodes.paragraph;
    if (!type) throw new Unsupported();
    // Items start with a paragraph.
    if (first?.type !== type) content.unshift(type.createChecked());
    if (attrs === null && typeof item.checked === "boolean") {
      const box = item.checked ? "[x]" : "[ ]";
      this.raw.add(box);
      const paragraph = content[0] as Node;
      const text = paragraph.childCount > 0 ? `${box} ` : box;
      const withBox = type.create(null, [this.schema.text(text), ...paragraph.children]);
      this.rememberBox(item, text, paragraph, withBox);
      content[0] = withBox;
    }
    const node = this.make(name, attrs, content);
    this.origins.set(node, { ...rangeOf(item), tree: item });
    return node;
  }

  private rememberBox(item: ListItem, text: string, paragraph: Node, withBox: Node): void {
    const origin = this.origins.get(paragraph);
    if (!origin?.pieces) return;
    // The parser leaves the space behind the box in a paragraph that does not begin with text.
    const [first] = origin.pieces;
    const to = first ? Math.min(first.from, ...first.enclosing.map(({ from }) => from)) : origin.from;
    const start = rangeOf(item).from;
    const found = /\[([ xX\t\r\n])\][\s>]*$/.exec(this.source.slice(start, to));
    if (!found) return;
    const from = start + found.index;
    const box: Piece = {
      from,
      to,
      size: text.length,
      kind: "source",
      text: `[${(found[1] as string).toLowerCase()}]${text.slice(3)}`,
      marks: [],
      enclosing: [],
    };
    this.origins.set(withBox, { ...origin, from, pieces: [box, ...origin.pieces] });
  }

  private table(node: Table): Node {
    const width = node.children[0]?.children.length ?? 0;
    const rows = node.children.map((row, index) => {
      const cells = Array.from({ length: width }, (_, column) => {
        const name = index === 0 ? "tableHeader" : "tableCell";
        const align = node.align?.[column];
        const canAlign = "align" in (this.schema.nodes[name]?.spec.attrs ?? {});
        const tree = row.children[column];
        const content = tree ? this.textblock("paragraph", null, tree) : this.make("paragraph");
        const cell = this.make(name, canAlign && align ? { align } : null, [content]);
        if (tree) this.origins.set(cell, { ...rangeOf(tree), tree });
        return cell;
      });
      const made = this.make("tableRow", null, cells);
      this.origins.set(made, { ...rangeOf(row), tree: row });
      return made;
    });
    return this.make("table", null, rows);
  }

  private inline(children: readonly PhrasingContent[], marks: readonly Mark[]): Node[] {
    const nodes: Node[] = [];
    for (let at = 0; at < children.length; at += 1) {
      const child = children[at] as PhrasingContent;
      const element = child.type === "html" ? this.inlineElement(children, at, marks) : undefined;
      if (element) {
        for (const node of element.nodes) nodes.push(node);
        at = element.end;
        continue;
      }
      const before = this.pieces.length;
      try {
        const inner = child.type === "text" ? this.text(child, children[at + 1], marks) : this.phrasing(child, marks);
        for (const node of inner) nodes.push(node);
      } catch (thrown) {
        if (!(thrown instanceof Unsupported || thrown instanceof RangeError)) throw thrown;
        this.pieces.length = before;
        nodes.push(this.sourceText(child, marks));
      }
    }
    return nodes;
  }

  /** Returns what a link refers to, and what its text also says: its label or its URL. */
  private formOf(link: Link | LinkReference): Pick<Enclosing, "label" | "url" | "reference"> {
    const { from, to } = rangeOf(link);
    if (link.type === "link") return this.source[from] === "<" ? { url: link.url } : {};
    const { identifier, label, referenceType } = link;
    const reference = { identifier, label, referenceType };
    if (referenceType === "full") return { reference };
    return { reference, label: this.source.slice(from + 1, to - (link.referenceType === "collapsed" ? 3 : 1)) };
  }

  /** Reads what is inside of an inline node. */
  private within(
    range: Omit<Enclosing, "marks">,
    outside: readonly Mark[],
    children: readonly PhrasingContent[],
    marks: readonly Mark[],
  ) {
    const enclosing = this.enclosing;
    const mark = marks.find((one) => !one.isInSet(outside));
    this.enclosing = [...enclosing, { ...range, marks: outside, mark }];
    try {
      return this.inline(children, marks);
    } finally {
      this.enclosing = enclosing;
    }
  }

  /** Remembers the source of an inline node. */
  private piece(range: Range, kind: Piece["kind"], node: Node): Node {
    const { marks, nodeSize: size, text = "" } = node;
    this.pieces.push({ ...range, kind, size, text, marks, enclosing: this.enclosing });
    return node;
  }

  /** Reads text without the white space beside the tag of a break, where it does not show. */
  private text(node: Text, next: PhrasingContent | undefined, marks: readonly Mark[]): Node[] {
    const isBehind = this.pieces.at(-1)?.isBreak === true;
    const isBefore = isBreakTag(next) && this.schema.nodes.hardBreak !== undefined;
    const { value, ...range } = trimmedText(node, this.source, isBehind, isBefore);
    const text = withoutSoftBreaks(value);
    return text ? [this.piece(range, "text", this.schema.text(text, marks))] : [];
  }

  private lineBreak(node: Nodes, marks: readonly Mark[]): Node {
    const made = this.piece(rangeOf(node), "leaf", this.make("hardBreak").mark(marks));
    (this.pieces.at(-1) as Piece).isBreak = true;
    return made;
  }

  private phrasing(node: PhrasingContent, marks: readonly Mark[]): Node[] {
    switch (node.type) {
      case "strong":
      case "emphasis":
      case "delete": {
        const { from, to } = rangeOf(node);
        const { mark, tag, width } = EMPHASIS[node.type];
        const range = { from, to, tag, sign: this.source.slice(from, from + width) };
        return this.within(range, marks, node.children, this.withMark(mark, null, marks));
      }
      case "inlineCode": {
        const code = this.schema.text(node.value.replace(/\r\n?|\n/g, " "), this.withMark("code", null, marks));
        return [this.piece(rangeOf(node), "code", code)];
      }
      case "link":
      case "linkReference": {
        if (node.children.length === 0) throw new Unsupported();
        const { url, title } = node.type === "link" ? node : this.definition(node.identifier);
        const attrs = { href: url, ...this.titleOf(this.schema.marks.link?.spec.attrs, title) };
        return this.within(
          { ...rangeOf(node), ...this.formOf(node) },
          marks,
          node.children,
          this.withMark("link", attrs, marks),
        );
      }
      case "image":
      case "imageReference":
        if (!this.schema.nodes.image?.isInline) throw new Unsupported();
        return [this.piece(rangeOf(node), "leaf", this.image(node).mark(marks))];
      case "break":
        return [this.lineBreak(node, marks)];
      case "inlineMath": {
        const formula = this.make("inlineMath", { latex: node.value.replace(/\r\n?|\n/g, " ") });
        return [this.piece(rangeOf(node), "leaf", formula.mark(marks))];
      }
      case "html":
        if (!isBreakTag(node)) throw new Unsupported();
        return [this.lineBreak(node, marks)];
      default:
        throw new Unsupported();
    }
  }

  /** Reads an inline element from its start tag to its end tag, if the schema has a node or mark for it. */
  private inlineElement(children: readonly PhrasingContent[], at: number, marks: readonly Mark[]) {
    const child = children[at];
    const opened = child?.type === "html" ? readOpenTag(child.value, this.schema) : undefined;
    const end = opened && this.endsIn(children).get(at);
    if (opened === undefined || end === undefined) return undefined;
    const inner = children.slice(at + 1, end);
    const range = { from: rangeOf(child as Nodes).from, to: rangeOf(children[end] as Nodes).to };
    if (opened.node) {
      if (inner.some((node) => node.type !== "text") || !opened.node.type.isLeaf) return undefined;
      const leaf = opened.node.type.createChecked(opened.node.attrs, null, marks);
      return { nodes: [this.piece(range, "leaf", leaf)], end };
    }
    const before = this.pieces.length;
    try {
      return { nodes: this.within(range, marks, inner, this.withMark(opened.mark ?? "", null, marks)), end };
    } catch (thrown) {
      this.pieces.length = before;
      if (thrown instanceof Unsupported) return undefined;
      throw thrown;
    }
  }

  private image(node: Nodes): Node {
    if (node.type !== "image" && node.type !== "imageReference") throw new Unsupported();
    const { url, title } = node.type === "image" ? node : this.definition(node.identifier);
    const titled = this.titleOf(this.schema.nodes.image?.spec.attrs, title);
    return this.make("image", { src: url, alt: node.alt || null, ...titled });
  }

  private titleOf(attrs: object | undefined, title: string | null | undefined): { title?: string } {
    return title && attrs && "title" in attrs ? { title } : {};
  }

  private definition(identifier: string): Definition {
    const found = this.definitions.get(identifier);
    if (!found) throw new Unsupported();
    return found;
  }

  private withMark(name: string, attrs: Attrs | null, marks: readonly Mark[]): readonly Mark[] {
    const type = this.schema.marks[name];
    if (!type) throw new Unsupported();
    const mark = type.create(attrs);
    if (mark.isInSet(marks)) return marks;
    const set = mark.addToSet(marks);
    if (set.length !== marks.length + 1) throw new Unsupported();
    return set;
  }

  private make(name: string, attrs: Attrs | null = null, content: readonly Node[] = []): Node {
    const type: NodeType | undefined = this.schema.nodes[name];
    if (!type) throw new Unsupported();
    return type.createChecked(attrs, content);
  }

  /** Containers hold at least one block. */
  private filled(nodes: Node[]): Node[] {
    return nodes.length > 0 ? nodes : [this.make("paragraph")];
  }

  private slice(from: Nodes, to: Nodes = from): string {
    return this.source.slice(rangeOf(from).from, rangeOf(to).to);
  }

  private sourceBlock(source: string, range: Range): Node {
    const text = this.schema.text(lf(source));
    if (this.schema.nodes.codeBlock) {
      const node = this.make("codeBlock", { language: SOURCE_LANGUAGE }, [text]);
      this.origins.set(node, range);
      return node;
    }
    this.raw.add(lf(source));
    const node = this.make("paragraph", null, [text]);
    this.pieces = [];
    this.enclosing = [];
    this.piece(range, "block", text);
    this.origins.set(node, { ...range, pieces: this.pieces });
    return node;
  }

  private sourceText(node: Nodes, marks: readonly Mark[]): Node {
    // Lines in a quote or an item start with its marker.
    const text = this.slice(node).replace(/(?:\r\n?|\n)[ \t>]*/g, " ");
    this.raw.add(text);
    return this.piece(rangeOf(node), "source", this.schema.text(text, marks));
  }
}

const EMPHASIS = {
  strong: { mark: "bold", tag: "strong", width: 2 },
  emphasis: { mark: "italic", tag: "em", width: 1 },
  delete: { mark: "strike", tag: "del", width: 2 },
} as const;
