/** The difference between a document and what its Markdown says when it is read again. */

import type { Attrs, Mark, Node } from "@tiptap/pm/model";
import { isLineBreak } from "../document/node-kinds.js";
import type { Locale } from "../types/index.js";
import { isLineEnd } from "./inline-patch.js";
import { unitsOf as sourceUnitsOf } from "./origins.js";
import { isOwnLink, linkTextAt } from "./own-links.js";
import type { Parts } from "./source-parts.js";
import { markdownWords } from "./words.js";

/** Something in a document that its Markdown does not hold. */
export interface Lost {
  /** An attribute such as `textAlign`, a mark such as `underline`, a paragraph without text, or other content. */
  kind: "attribute" | "mark" | "empty_paragraph" | "content";
  /** The type of the node that loses it. */
  node: string;
  /** The name of the attribute or mark. */
  name?: string;
  /** Index of the first top-level block with this loss. */
  block: number;
  /** The number of nodes that lose it. */
  count: number;
  /** The start of the first one's text. */
  text: string;
  message: string;
}

const LONGEST = 60;

/** Compares a document with the one that was read; the losses of one kind are one entry. */
export function lossesOf(doc: Node, read: Parts, ignored: ReadonlySet<string>, locale: Locale): Lost[] {
  const comparison = new Comparison(ignored, read);
  comparison.documents(doc, read.doc);
  return [...comparison.found.values()].map((lost) => ({ ...lost, message: messageOf(lost, locale) }));
}

type Found = Omit<Lost, "message">;

/** Returns the entry for cells beyond the header, which no document can have, of a table that is written again. */
export function lossOfCells(cells: readonly string[], block: number, locale: Locale): Lost {
  const text = (cells[0] ?? "").slice(0, LONGEST);
  const found: Found = { kind: "content", node: "tableCell", block, count: cells.length, text };
  return { ...found, message: messageOf(found, locale) };
}

class Comparison {
  readonly found = new Map<string, Found>();
  private block = 0;

  constructor(
    private readonly ignored: ReadonlySet<string>,
    private readonly read: Parts,
  ) {}

  /** Compares the blocks of two documents, which are aligned by their text. */
  documents(one: Node, other: Node): void {
    let read = [...other.children];
    one.forEach((child, _, at) => {
      this.block = at;
      const found = read.findIndex((node) => node.type === child.type && node.textContent === child.textContent);
      const next = read[0]?.type === child.type ? 0 : found;
      const index = found >= 0 ? found : next;
      if (isEmptyParagraph(child) && found !== 0) {
        // Editors add one behind a last block in which no cursor can be.
        if (at < one.childCount - 1) this.add("empty_paragraph", child);
      } else if (index >= 0) {
        this.node(child, read[index] as Node);
        read = read.slice(index + 1);
      } else this.add("content", child);
    });
    const extra = read.find((node) => !isEmptyParagraph(node));
    if (extra) this.add("content", extra);
  }

  private children(one: Node, other: Node): void {
    let children = [...one.children];
    if (children.length !== other.childCount) {
      const filled = children.filter((child) => !isEmptyParagraph(child));
      if (filled.length !== other.childCount) {
        // Merged cells are the reason, rather than what the row has become.
        const merged = children.filter((child, at) => {
          const read = at < other.childCount ? other.child(at) : undefined;
          return read?.type === child.type && this.attributes(child.type.name, child.attrs, read.attrs, child, true);
        });
        if (merged.length === 0) this.add("content", one);
        return;
      }
      for (const child of children) if (isEmptyParagraph(child)) this.add("empty_paragraph", child);
      children = filled;
    }
    children.forEach((child, at) => this.node(child, other.child(at)));
  }

  private node(one: Node, other: Node): void {
    if (one.eq(other)) return;
    if (one.type !== other.type) return this.add("content", one);
    this.attributes(one.type.name, one.attrs, other.attrs, one, !one.isLeaf);
    if (one.content.eq(other.content)) return;
    if (one.isTextblock) this.textblock(one, other);
    else this.children(one, other);
  }

  /** Returns true if an attribute differs. */
  private attributes(type: string, one: Attrs, other: Attrs, at: Node, isBlock: boolean): boolean {
    const names = Object.keys(one).filter((name) => {
      if (isBlock && this.ignored.has(name)) return false;
      return JSON.stringify(one[name] ?? null) !== JSON.stringify(other[name] ?? null);
    });
    for (const name of names) this.add("attribute", at, name, type);
    return names.length > 0;
  }

  /** Compares units of text and leaves; a mark on whitespace counts only where it shows. */
  private textblock(one: Node, other: Node): void {
    const theirs = unitsOf(other);
    let mine = unitsOf(one);
    if (!areEqual(mine, theirs)) mine = withoutOuterSpace(mine, this.lineEndsOf(other));
    if (!areEqual(mine, theirs)) return this.add("content", one);
    mine.forEach((unit, at) => {
      const read = theirs[at] as Unit;
      if (unit.node && read.node)
        this.attributes(unit.node.type.name, unit.node.attrs, read.node.attrs, unit.node, false);
      if (unit.isHidden) return;
      // An editor makes links of URLs; in the file they are text.
      const isOwn = unit.ownLink && !read.marks.some(({ type }) => type === unit.ownLink?.type);
      this.marks(
        unit.marks.filter((mark) => !isOwn || mark !== unit.ownLink),
        read.marks,
        one,
      );
    });
  }

  /** Returns the indexes of the units of a textblock that are ends of lines in the file. */
  private lineEndsOf(textblock: Node): Set<number> {
    const { blocks, source } = this.read;
    const pieces = blocks.find(({ origins }) => origins.has(textblock))?.origins.get(textblock)?.pieces;
    const units = (pieces && sourceUnitsOf(pieces, source)) ?? [];
    return new Set([...units.keys()].filter((at) => isLineEnd(units[at], source)));
  }

  private marks(one: readonly Mark[], other: readonly Mark[], at: Node): void {
    if (one === other) return;
    for (const mark of one) {
      const read = other.find(({ type }) => type === mark.type);
      if (!read) this.add("mark", at, mark.type.name);
      else if (read !== mark) this.attributes(mark.type.name, mark.attrs, read.attrs, at, false);
    }
    for (const mark of other) if (!one.some(({ type }) => type === mark.type)) this.add("mark", at, mark.type.name);
  }

  private add(kind: Lost["kind"], node: Node, name?: string, type = node.type.name): void {
    const key = `${kind} ${type} ${name ?? ""}`;
    const known = this.found.get(key);
    if (known) known.count += 1;
    else {
      const text = [...node.textContent.slice(0, LONGEST * 2)].slice(0, LONGEST).join("");
      this.found.set(key, { kind, node: type, name, block: this.block, count: 1, text });
    }
  }
}

interface Unit {
  key: string;
  node?: Node;
  marks: readonly Mark[];
  isHidden: boolean;
  ownLink?: Mark | undefined;
}

function unitsOf(textblock: Node): Unit[] {
  return textblock.children.flatMap((node, index): Unit[] => {
    const { marks } = node;
    if (!node.isText) return [{ key: ` ${node.type.name}`, node, marks, isHidden: isLineBreak(node.type.name) }];
    const shows = marks.some(({ type }) => VISIBLE_ON_SPACES.has(type.name));
    const link = marks.find(({ type }) => type.name === "link");
    const ownLink = link && isOwnLink(link.attrs.href, linkTextAt(textblock, index, link)) ? link : undefined;
    return (node.text ?? "").split("").map((key) => ({ key, marks, isHidden: !shows && /\s/.test(key), ownLink }));
  });
}

function areEqual(one: readonly Unit[], other: readonly Unit[]): boolean {
  return one.length === other.length && one.every(({ key }, at) => key === other[at]?.key);
}

/** Returns units without the spaces beside line ends, since a line end is a space or a hard break itself. */
function withoutOuterSpace(units: readonly Unit[], lineEnds: ReadonlySet<number>): Unit[] {
  const left: Unit[] = [];
  for (const unit of units) {
    if (unit.key === " " && lineEnds.has(left.length - 1)) continue;
    const isBreak = unit.node !== undefined && isLineBreak(unit.node.type.name);
    while (isBreak && left.at(-1)?.key === " " && lineEnds.has(left.length - 1)) left.pop();
    left.push(unit);
  }
  return left;
}

const VISIBLE_ON_SPACES = new Set(["code", "link", "underline", "highlight"]);

function isEmptyParagraph(node: Node): boolean {
  return node.type.name === "paragraph" && node.childCount === 0;
}

/** Returns the loss as a sentence. */
export function messageOf({ kind, node, name = "", count, text }: Found, locale: Locale): string {
  const words = markdownWords(locale);
  if (kind === "empty_paragraph") return words.emptyParagraphs(count);
  const nodes = words.nodes(count, node, text);
  return kind === "content" ? words.content(nodes) : words[kind](name, nodes);
}
