/** Nodes of a schema to Markdown's tree. `compare.ts` finds what the tree cannot hold. */

import type { Attrs, Mark, Node } from "@tiptap/pm/model";
import type {
  AlignType,
  Definition,
  LinkReference,
  ListItem,
  Nodes,
  PhrasingContent,
  RootContent,
  TableCell,
  TableRow,
} from "mdast";
import { isLineBreak, isList, isRaw } from "../document/node-kinds.js";
import type { ContentUnit, KnownUnits } from "./inline-units.js";
import { isOwnLink } from "./own-links.js";
import { closeTagOf, FLANKED, openTagOf, tagOfMark, textOfLeaf, writeDetails } from "./html-tags.js";
import type { KnownBlocks } from "./known-blocks.js";
import { withKnown } from "./known-notation.js";
import type { Enclosing } from "./origins.js";
import { SOURCE_LANGUAGE, SOURCE_NODE } from "./source-language.js";

/** The origin of a block: the source that it replaces, and the file. */
export interface Origin {
  /** Inline source that is text in the block. */
  raw: ReadonlySet<string>;
  /** The block's tree before. */
  tree: readonly RootContent[];
  definitions: ReadonlyMap<string, Definition>;
  /** True if every link whose URL follows from its text is written as text. */
  hasBareURLs?: boolean;
  /** The source of blocks, items and rows of the file. */
  blocks?: Pick<KnownBlocks, "sourceOf" | "markerOf" | "rowOf"> | undefined;
  /** Returns the content of a textblock with its source, if the file has that content. */
  leavesOf?: (textblock: Node) => Leaf[] | undefined;
  /** Returns the source of the ends of changed content that other blocks of the file had. */
  endsOf?: (units: readonly ContentUnit[], own: readonly ContentUnit[]) => KnownUnits | undefined;
}

/** Which HTML may be written: none, what Markdown lacks, or also tags for emphasis. */
export type HTMLUse = "none" | "needed" | "emphasis";

/** Returns the tree of a block; empty for an empty paragraph, which Markdown lacks. */
export function treeOf(block: Node, origin: Origin, html: HTMLUse): RootContent[] {
  return new NodeReader(origin, html).block(block);
}

/** Inline content that is written: a text or a leaf of the document. */
export interface Leaf {
  node: Node;
  marks: readonly Mark[];
  /** Its source; a text with one is all white space or has none at its ends. */
  source?: string;
  /** The inline nodes of the file around it. */
  enclosing?: readonly Enclosing[];
  /** True for a break that Markdown cannot express in its place: at the end of a block, and in a heading. */
  needsTag?: boolean;
}

/** Returns the tree of a textblock's content, or of a part of it that has other content behind it. */
export function phrasingOf(
  textblock: Node,
  leaves: readonly Leaf[],
  origin: Origin,
  html: HTMLUse,
  isAll: boolean,
): PhrasingContent[] {
  return new NodeReader(origin, html).phrasing(textblock, leaves, isAll);
}

class NodeReader {
  /** The source that is text, the longest first. */
  private readonly raw: readonly string[];
  /** The text of the source outside of links. */
  private plain = "";
  private readonly titles = new Map<string, string>();
  private readonly references = new Map<string, Pick<LinkReference, "identifier" | "label" | "referenceType">>();

  private readonly html: boolean;

  constructor(
    private readonly origin: Origin,
    private readonly use: HTMLUse,
  ) {
    this.html = use !== "none";
    this.raw = [...origin.raw].sort((one, other) => other.length - one.length);
    for (const node of origin.tree) this.remember(node);
  }

  /** Keeps what a schema may lack: titles, and that a link refers to a definition. */
  private remember(node: Nodes, isInLink = false): void {
    if ((node.type === "link" || node.type === "image") && node.title) this.titles.set(node.url, node.title);
    if (node.type === "linkReference" || node.type === "imageReference") {
      const definition = this.origin.definitions.get(node.identifier);
      if (definition) {
        if (definition.title) this.titles.set(definition.url, definition.title);
        const { identifier, label, referenceType } = node;
        this.references.set(`${node.type} ${definition.url}`, { identifier, label, referenceType });
      }
    }
    if (node.type === "text" && !isInLink) this.plain += `${node.value}\n`;
    const isLink = isInLink || node.type === "link" || node.type === "linkReference";
    if ("children" in node) for (const child of node.children) this.remember(child, isLink);
  }

  block(node: Node): RootContent[] {
    switch (node.type.name) {
      case "paragraph":
        return isBlank(node) ? [] : [{ type: "paragraph", children: this.inline(node) }];
      case "heading": {
        const depth = Math.min(6, Math.max(1, Number(node.attrs.level))) as 1 | 2 | 3 | 4 | 5 | 6;
        return [{ type: "heading", depth, children: this.inline(node) }];
      }
      case "horizontalRule":
        return [{ type: "thematicBreak" }];
      case "blockquote":
        return [{ type: "blockquote", children: this.blocks(node) as never }];
      case "codeBlock":
        return [this.code(node)];
      case "table":
        return [this.table(node)];
      case "image":
        return [{ type: "paragraph", children: [this.image(node)] }];
      case "blockMath":
        return [{ type: "math", value: String(node.attrs.latex ?? "") }];
      case "details":
        return this.details(node);
      default:
        return isList(node.type.name) ? [this.list(node)] : this.other(node);
    }
  }

  /** Returns the trees of the blocks in a container. What is as in the file is its source. */
  private blocks(parent: Node): RootContent[] {
    return childrenOf(parent).flatMap((block, at, all) => {
      const source = this.origin.blocks?.sourceOf(block);
      const before = all[at - 1]?.type.name ?? "";
      // Indented code is text behind a list, and right behind a bullet.
      const isText = source !== undefined && /^[ \t]/.test(source) && (before === "" || isList(before));
      if (isList(block.type.name)) {
        return [withKnown(this.list(block), { marker: this.origin.blocks?.markerOf(block) })];
      }
      if (source === undefined || isText) return this.block(block);
      const content = sourceNode(source);
      return [block.type.name === "paragraph" ? { type: "paragraph", children: [content] } : (content as RootContent)];
    });
  }

  /** Writes a node that Markdown lacks as an element around its content. */
  private other(node: Node): RootContent[] {
    if (node.isTextblock) return node.childCount === 0 ? [] : [{ type: "paragraph", children: this.inline(node) }];
    const content = this.blocks(node);
    if (!this.html) return content;
    if (node.isLeaf) return [{ type: "html", value: `${openTagOf(node)}${closeTagOf(node)}` }];
    return [{ type: "html", value: openTagOf(node) }, ...content, { type: "html", value: closeTagOf(node) }];
  }

  private details(node: Node): RootContent[] {
    const [summary, content] = childrenOf(node);
    const blocks = content ? this.blocks(content) : [];
    const text = summary?.textContent ?? "";
    if (!this.html) return [{ type: "paragraph", children: [{ type: "text", value: text }] }, ...blocks];
    const start = writeDetails(text, node.attrs.open === true);
    return [{ type: "html", value: start }, ...blocks, { type: "html", value: "</details>" }];
  }

  private code(node: Node): RootContent {
    const lang = node.attrs.language as string | null;
    const value = node.textContent;
    if (lang === SOURCE_LANGUAGE) return { type: "html", value };
    const [before] = this.origin.tree;
    const meta = before?.type === "code" && (before.lang ?? null) === lang ? before.meta : null;
    return { type: "code", lang, meta, value };
  }

  private list(node: Node): RootContent {
    const items = childrenOf(node).map((item): ListItem => {
      // The schema's items start with a paragraph; Markdown's need none.
      const content = this.blocks(item);
      const checked = node.type.name === "taskList" ? item.attrs.checked === true : null;
      if (checked !== null && item.firstChild?.childCount === 0) content.unshift({ type: "paragraph", children: [] });
      const isLoose = content.length > 1 && content.slice(1).some((child) => child.type !== "list");
      const tree: ListItem = { type: "listItem", checked, spread: isLoose, children: content as never };
      return withKnown(tree, { source: this.origin.blocks?.sourceOf(item) });
    });
    const [before] = this.origin.tree;
    const isOld = before?.type === "list";
    const spread = isOld ? isSpread(before) : items.some((item) => item.spread);
    for (const item of items) item.spread ||= spread;
    if (node.type.name !== "orderedList") return { type: "list", ordered: false, spread, children: items };
    return { type: "list", ordered: true, start: Number(node.attrs.start ?? 1), spread, children: items };
  }

  private table(node: Node): RootContent {
    const align: AlignType[] = [];
    // Columns that a cell of a row above covers, and for how many more rows.
    const covered: number[] = [];
    const rows = childrenOf(node).map((row, index): TableRow => {
      const cells: TableCell[] = [];
      const fill = (): void => {
        while ((covered[cells.length] ?? 0) > 0) {
          covered[cells.length] = (covered[cells.length] ?? 0) - 1;
          cells.push({ type: "tableCell", children: [] });
        }
      };
      for (const cell of childrenOf(row)) {
        fill();
        if (index === 0) align[cells.length] = (cell.attrs.align as AlignType | undefined) ?? null;
        const columns = Number(cell.attrs.colspan ?? 1);
        for (let at = 0; at < columns; at += 1) {
          covered[cells.length] = Number(cell.attrs.rowspan ?? 1) - 1;
          cells.push({ type: "tableCell", children: at === 0 ? this.cell(cell) : [] });
        }
      }
      fill();
      return withKnown({ type: "tableRow", children: cells }, { row: this.origin.blocks?.rowOf(row) });
    });
    const [before] = this.origin.tree;
    const canAlign = "align" in (node.firstChild?.firstChild?.type.spec.attrs ?? {});
    const old = before?.type === "table" && !canAlign ? (before.align ?? []) : [];
    const width = Math.max(0, ...rows.map((row) => row.children.length));
    for (const row of rows) while (row.children.length < width) row.children.push({ type: "tableCell", children: [] });
    const columns = Array.from({ length: width }, (_, column) => align[column] ?? old[column] ?? null);
    return { type: "table", align: columns, children: rows };
  }

  /** Returns a cell's content as one line, with breaks between its blocks. */
  private cell(cell: Node): PhrasingContent[] {
    const lines: PhrasingContent[][] = [];
    const visit = (node: Node): void => {
      if (node.isTextblock) lines.push(isRaw(node.type.name) ? codeLines(node) : this.inline(node));
      else if (node.type.name === "image") lines.push([this.image(node)]);
      else if (!node.isLeaf) node.forEach(visit);
    };
    cell.forEach(visit);
    return lines
      .filter((line) => line.length > 0)
      .flatMap((line, index) => (index === 0 ? line : [{ type: "break" as const }, ...line]));
  }

  private inline(parent: Node): PhrasingContent[] {
    const known = this.origin.leavesOf?.(parent);
    return this.phrasing(parent, known ?? childrenOf(parent).map((node) => ({ node, marks: node.marks })));
  }

  phrasing(parent: Node, content: readonly Leaf[], isAll = true): PhrasingContent[] {
    const isBreak = ({ node }: Leaf): boolean => isLineBreak(node.type.name);
    const end = isAll ? content.findLastIndex((leaf) => !isBreak(leaf)) + 1 : content.length;
    const isHeading = parent.type.name === "heading";
    const leaves = content.map((leaf, at): Leaf => ({ ...leaf, needsTag: isBreak(leaf) && (isHeading || at >= end) }));
    return this.group(this.html ? leaves : leaves.filter((leaf) => !leaf.needsTag));
  }

  /** Nests marks: the one that covers most of what follows is outermost. */
  private group(leaves: readonly Leaf[]): PhrasingContent[] {
    const result: PhrasingContent[] = [];
    const add = (nodes: readonly PhrasingContent[]): void => nodes.forEach((node) => result.push(node));
    for (let at = 0; at < leaves.length;) {
      const { marks } = leaves[at] as Leaf;
      const lengths = marks
        .filter((mark) => mark.type.name !== "code")
        .map((mark) => {
          let end = at + 1;
          while (end < leaves.length && mark.isInSet((leaves[end] as Leaf).marks)) end += 1;
          return { mark, end };
        });
      const [outermost] = lengths.sort((one, other) => other.end - one.end);
      if (!outermost) {
        add(this.leaf(leaves[at] as Leaf));
        at += 1;
        continue;
      }
      const { mark, end } = outermost;
      const inner = leaves.slice(at, end).map((leaf) => ({ ...leaf, marks: mark.removeFromSet(leaf.marks) }));
      const { before, within, after } = FLANKED.has(mark.type.name)
        ? trimmed(inner)
        : { before: [], within: inner, after: [] };
      add(this.group(before));
      if (mark.type.name === "link" && this.isBare(mark, within)) add(this.group(within));
      else if (within.length > 0) add(this.marked(mark, this.group(within), enclosingOf(mark, within)));
      add(this.group(after));
      at = end;
    }
    return result;
  }

  /** Returns true for a link that an editor has made of a URL in the text of the source. */
  private isBare(link: Mark, leaves: readonly Leaf[]): boolean {
    const text = leaves.map(({ node }) => node.textContent).join("");
    return isOwnLink(link.attrs.href, text) && (this.origin.hasBareURLs || this.plain.includes(text));
  }

  private marked(mark: Mark, children: PhrasingContent[], known: Enclosing | undefined): PhrasingContent[] {
    const { name } = mark.type;
    switch (this.use === "emphasis" && FLANKED.has(name) ? "" : name) {
      case "bold":
        return [withKnown({ type: "strong", children }, { sign: known?.sign?.charAt(0) })];
      case "italic":
        return [withKnown({ type: "emphasis", children }, { sign: known?.sign?.charAt(0) })];
      case "strike":
        return [{ type: "delete", children }];
      case "link": {
        const url = String(mark.attrs.href ?? "");
        const title = this.titleOf(mark.attrs, url);
        const reference = this.reference("linkReference", url, title, known);
        if (reference) return [{ type: "linkReference", ...reference, children: children as never }];
        return [{ type: "link", url, title, children: children as never }];
      }
      default: {
        const tag = this.html ? tagOfMark(name) : undefined;
        if (tag === undefined) return children;
        return [{ type: "html", value: `<${tag}>` }, ...children, { type: "html", value: `</${tag}>` }];
      }
    }
  }

  private leaf({ node, marks, needsTag, source }: Leaf): PhrasingContent[] {
    if (source !== undefined) return [sourceNode(source)];
    if (node.isText) {
      const text = node.text ?? "";
      if (marks.some((mark) => mark.type.name === "code")) return [{ type: "inlineCode", value: text }];
      const parts = splitAt(text, this.raw);
      return parts.flatMap((value, index): PhrasingContent[] => {
        if (!value) return [];
        return [index % 2 === 1 ? { type: "html", value } : { type: "text", value }];
      });
    }
    if (isLineBreak(node.type.name)) return [needsTag ? { type: "html", value: "<br>" } : { type: "break" }];
    if (node.type.name === "image") return [this.image(node)];
    if (node.type.name === "inlineMath") return [{ type: "inlineMath", value: String(node.attrs.latex ?? "") }];
    const text = textOfLeaf(node);
    const value: PhrasingContent[] = text ? [{ type: "text", value: text }] : [];
    if (!this.html) return value;
    return [{ type: "html", value: openTagOf(node) }, ...value, { type: "html", value: closeTagOf(node) }];
  }

  private image(node: Node): PhrasingContent {
    const url = String(node.attrs.src ?? "");
    const alt = String(node.attrs.alt ?? "");
    const title = this.titleOf(node.attrs, url);
    const reference = this.reference("imageReference", url, title);
    if (reference) return { type: "imageReference", ...reference, alt };
    return { type: "image", url, title, alt };
  }

  /** Returns a title, which a schema may lack. */
  private titleOf(attrs: Attrs, url: string): string | null {
    return "title" in attrs ? (attrs.title as string | null) : (this.titles.get(url) ?? null);
  }

  private reference(type: string, url: string, title: string | null, known?: Enclosing) {
    const found = known?.reference ?? this.references.get(`${type} ${url}`);
    const definition = found && this.origin.definitions.get(found.identifier);
    return definition && (definition.title ?? null) === title ? found : undefined;
  }
}

/** Returns true for a paragraph that Markdown lacks: an empty one, or a single break, whose tag would be a block of HTML. */
function isBlank({ childCount, firstChild }: Node): boolean {
  return childCount === 0 || (childCount === 1 && isLineBreak(firstChild!.type.name));
}

/** Returns a node that is written as it is. */
export function sourceNode(value: string): PhrasingContent {
  return { type: SOURCE_NODE, value } as unknown as PhrasingContent;
}

/** Returns the inline node of the file that a mark is from. */
function enclosingOf(mark: Mark, leaves: readonly Leaf[]): Enclosing | undefined {
  for (const { enclosing = [] } of leaves) {
    const found = enclosing.find((one) => one.mark?.eq(mark));
    if (found) return found;
  }
  return undefined;
}

/** Splits whitespace off both ends; a mark on it is not visible. */
function trimmed(leaves: readonly Leaf[]): { before: Leaf[]; within: Leaf[]; after: Leaf[] } {
  const within = [...leaves];
  const [before, after]: [Leaf[], Leaf[]] = [[], []];
  for (let first = within[0]; first; first = within[0]) {
    const space = /^\s*/.exec(plainText(first))?.[0].length ?? 0;
    const isWhole = space === first.node.nodeSize || isLineBreak(first.node.type.name);
    if (!isWhole && space === 0) break;
    before.push(isWhole ? first : { ...first, node: first.node.cut(0, space) });
    within.shift();
    if (isWhole) continue;
    within.unshift({ ...first, node: first.node.cut(space) });
    break;
  }
  for (let last = within.at(-1); last; last = within.at(-1)) {
    const text = plainText(last);
    const start = text.trimEnd().length;
    const isWhole = (start === 0 && text !== "") || isLineBreak(last.node.type.name);
    if (!isWhole && start === text.length) break;
    after.unshift(isWhole ? last : { ...last, node: last.node.cut(start) });
    within.pop();
    if (isWhole) continue;
    within.push({ ...last, node: last.node.cut(0, start) });
    break;
  }
  return { before, within, after };
}

/** The text of a leaf whose spaces are not part of code. */
function plainText({ node, marks }: Leaf): string {
  return marks.some((mark) => mark.type.name === "code") ? "" : (node.text ?? "");
}

function isSpread(list: { spread?: boolean | null; children: ListItem[] }): boolean {
  return list.spread === true || list.children.some((item) => item.spread === true);
}

function codeLines(node: Node): PhrasingContent[] {
  const lines = node.textContent.split("\n");
  return lines.flatMap((value, index): PhrasingContent[] => {
    const code: PhrasingContent[] = value ? [{ type: "inlineCode", value }] : [];
    return index === 0 ? code : [{ type: "break" }, ...code];
  });
}

function childrenOf(parent: Node): Node[] {
  return [...parent.children];
}

/** Splits text at strings, which are sorted with the longest first. Every second part is one of them. */
function splitAt(text: string, strings: readonly string[]): string[] {
  const found = strings.filter((string) => text.includes(string));
  const parts: string[] = [];
  for (let start = 0; ;) {
    const [next] = found
      .map((string) => ({ string, at: text.indexOf(string, start) }))
      .filter(({ at }) => at >= 0)
      .sort((one, other) => one.at - other.at);
    if (!next) return [...parts, text.slice(start)];
    parts.push(text.slice(start, next.at), next.string);
    start = next.at + next.string.length;
  }
}
