/** Markdown's tree to nodes of a schema. What the schema lacks becomes its own source as text. */

import type { Attrs, Mark, Node, NodeType, Schema } from "@tiptap/pm/model";
import type { Definition, List, ListItem, Nodes, PhrasingContent, Root, RootContent, Table } from "mdast";
import { readDetails, readOpenTag, type OpenTag } from "./html-tags.js";
import { SOURCE_LANGUAGE } from "./source-language.js";
import { definitionsOf, isFrontMatter, isTaskList, lf, rangeOf, withoutSoftBreaks } from "./tree.js";

/** One top-level block and its source's tree, which is several nodes for an element around content. */
export interface Unit {
  node: Node;
  tree: RootContent[];
  /** Inline source that is text in the nodes. */
  raw: Set<string>;
}

/** Thrown for what the schema cannot hold; the enclosing unit becomes source. */
class Unsupported extends Error {}

/** Returns the top-level units of a tree in their order; definitions and front matter are no units. */
export function unitsOf(source: string, tree: Root, schema: Schema): Unit[] {
  return new TreeReader(source, definitionsOf(tree), schema).units(tree.children);
}

class TreeReader {
  /** Inline source of the current unit. */
  private raw = new Set<string>();

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
      this.raw = new Set();
      const node = this.unit(tree);
      units.push({ node, tree, raw: this.raw });
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
      this.raw = new Set();
      return this.sourceBlock(this.slice(tree[0] as Nodes, tree.at(-1)));
    }
  }

  /** The number of siblings that belong together: an element's start and end are nodes of their own. */
  private lengthAt(children: readonly RootContent[], at: number): number {
    const first = children[at];
    if (first?.type !== "html") return 1;
    const tag = readDetails(first.value) ? "details" : this.openBlock(first.value)?.tag;
    if (tag === undefined) return 1;
    let depth = 0;
    for (let end = at; end < children.length; end += 1) {
      const node = children[end];
      if (node?.type !== "html") continue;
      const opened = new RegExp(`^<${tag}[\\s>]`).test(node.value.trim());
      const closed = new RegExp(`</${tag}>$`).test(node.value.trim());
      depth += (opened ? 1 : 0) - (closed ? 1 : 0);
      if (depth === 0) return node.value.trim() === `</${tag}>` ? end - at + 1 : 1;
    }
    return 1;
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
      if (count > 1 && first.type === "html") nodes.push(this.element(first.value, inner));
      else nodes.push(this.block(first, isTop));
      at += count;
    }
    return nodes;
  }

  private element(html: string, inner: readonly RootContent[]): Node {
    const details = readDetails(html);
    const content = this.filled(this.blocks(inner, true));
    if (details) {
      const { details: type, detailsSummary, detailsContent } = this.schema.nodes;
      if (!type || !detailsSummary || !detailsContent) throw new Unsupported();
      const summary = detailsSummary.createChecked(null, details.summary ? this.schema.text(details.summary) : null);
      const attrs = "open" in (type.spec.attrs ?? {}) ? { open: details.isOpen } : null;
      if (details.isOpen && !attrs) throw new Unsupported();
      return type.createChecked(attrs, [summary, detailsContent.createChecked(null, content)]);
    }
    const opened = this.openBlock(html)?.node;
    if (!opened) throw new Unsupported();
    return opened.type.createChecked(opened.attrs, content);
  }

  private block(node: RootContent, isTop: boolean): Node {
    switch (node.type) {
      case "paragraph": {
        const [only, ...others] = node.children;
        const isImage = only?.type === "image" || only?.type === "imageReference";
        if (isTop && isImage && others.length === 0 && this.schema.nodes.image?.isBlock) return this.image(only);
        return this.make("paragraph", null, this.inline(node.children, []));
      }
      case "heading":
        return this.make("heading", { level: node.depth }, this.inline(node.children, []));
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
        return this.html(node.value);
      default:
        throw new Unsupported();
    }
  }

  private html(html: string): Node {
    const [, opening, tag] = /^(<div [^>]*>)<\/(div)>$/.exec(html.trim()) ?? [];
    const leaf = opening === undefined ? undefined : readOpenTag(opening, this.schema);
    if (leaf?.node?.type.isLeaf && leaf.tag === tag) return leaf.node.type.createChecked(leaf.node.attrs);
    return this.sourceBlock(html);
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
      const [paragraph, ...rest] = content as [Node, ...Node[]];
      const text = paragraph.childCount > 0 ? `${box} ` : box;
      content.splice(0, content.length, type.create(null, [this.schema.text(text), ...paragraph.children]), ...rest);
    }
    return this.make(name, attrs, content);
  }

  private table(node: Table): Node {
    const width = node.children[0]?.children.length ?? 0;
    const rows = node.children.map((row, index) => {
      const cells = Array.from({ length: width }, (_, column) => {
        const name = index === 0 ? "tableHeader" : "tableCell";
        const align = node.align?.[column];
        const canAlign = "align" in (this.schema.nodes[name]?.spec.attrs ?? {});
        const content = this.make("paragraph", null, this.inline(row.children[column]?.children ?? [], []));
        return this.make(name, canAlign && align ? { align } : null, [content]);
      });
      return this.make("tableRow", null, cells);
    });
    return this.make("table", null, rows);
  }

  private inline(children: readonly PhrasingContent[], marks: readonly Mark[]): Node[] {
    const nodes: Node[] = [];
    for (let at = 0; at < children.length; at += 1) {
      const child = children[at] as PhrasingContent;
      const element = child.type === "html" ? this.inlineElement(children, at, marks) : undefined;
      if (element) {
        nodes.push(...element.nodes);
        at = element.end;
        continue;
      }
      try {
        nodes.push(...this.phrasing(child, marks));
      } catch (thrown) {
        if (!(thrown instanceof Unsupported || thrown instanceof RangeError)) throw thrown;
        nodes.push(this.sourceText(child, marks));
      }
    }
    return nodes;
  }

  private phrasing(node: PhrasingContent, marks: readonly Mark[]): Node[] {
    switch (node.type) {
      case "text": {
        const text = withoutSoftBreaks(node.value);
        return text ? [this.schema.text(text, marks)] : [];
      }
      case "strong":
        return this.inline(node.children, this.withMark("bold", null, marks));
      case "emphasis":
        return this.inline(node.children, this.withMark("italic", null, marks));
      case "delete":
        return this.inline(node.children, this.withMark("strike", null, marks));
      case "inlineCode":
        return [this.schema.text(node.value.replace(/\r?\n/g, " "), this.withMark("code", null, marks))];
      case "link":
      case "linkReference": {
        if (node.children.length === 0) throw new Unsupported();
        const { url, title } = node.type === "link" ? node : this.definition(node.identifier);
        const attrs = { href: url, ...this.titleOf(this.schema.marks.link?.spec.attrs, title) };
        return this.inline(node.children, this.withMark("link", attrs, marks));
      }
      case "image":
      case "imageReference":
        if (!this.schema.nodes.image?.isInline) throw new Unsupported();
        return [this.image(node).mark(marks)];
      case "break":
        return [this.make("hardBreak").mark(marks)];
      case "inlineMath":
        return [this.make("inlineMath", { latex: node.value.replace(/\r?\n/g, " ") }).mark(marks)];
      case "html":
        if (/^<br *\/?>$/.test(node.value)) return [this.make("hardBreak").mark(marks)];
        throw new Unsupported();
      default:
        throw new Unsupported();
    }
  }

  /** Reads an inline element from its start tag to its end tag, if it stands for something in the schema. */
  private inlineElement(children: readonly PhrasingContent[], at: number, marks: readonly Mark[]) {
    const child = children[at];
    const opened = child?.type === "html" ? readOpenTag(child.value, this.schema) : undefined;
    if (!opened) return undefined;
    let depth = 0;
    const end = children.findIndex((node, index) => {
      if (index < at || node.type !== "html") return false;
      if (new RegExp(`^<${opened.tag}[ >]`).test(node.value)) depth += 1;
      if (node.value === `</${opened.tag}>`) depth -= 1;
      return depth === 0;
    });
    if (end <= at) return undefined;
    const inner = children.slice(at + 1, end);
    if (opened.node) {
      if (inner.some((node) => node.type !== "text") || !opened.node.type.isLeaf) return undefined;
      return { nodes: [opened.node.type.createChecked(opened.node.attrs, null, marks)], end };
    }
    try {
      return { nodes: this.inline(inner, this.withMark(opened.mark ?? "", null, marks)), end };
    } catch (thrown) {
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

  private sourceBlock(source: string): Node {
    const text = this.schema.text(lf(source));
    if (this.schema.nodes.codeBlock) return this.make("codeBlock", { language: SOURCE_LANGUAGE }, [text]);
    this.raw.add(lf(source));
    return this.make("paragraph", null, [text]);
  }

  private sourceText(node: Nodes, marks: readonly Mark[]): Node {
    // Lines in a quote or an item start with its marker.
    const text = this.slice(node).replace(/\r?\n[ \t>]*/g, " ");
    this.raw.add(text);
    return this.schema.text(text, marks);
  }
}
