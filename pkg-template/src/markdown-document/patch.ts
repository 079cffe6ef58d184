/**
 * Changes of a block as the smallest edits of its source.
 *
 * The source of every node is known from when the file was opened: of blocks, of items and cells, of each character of
 * text. The edited document is aligned with the opened one, node by node. A node whose children differ is descended
 * into; a child that is new, gone or another kind is written, removed or replaced alone, in the notation of its
 * neighbours; in text only the characters that differ are replaced. What nobody touched is therefore never written, so
 * it is neither escaped nor put in another notation, and no notation of another program needs a rule here.
 *
 * No edit has to be right by itself: the patched source is read again, and unless it is the edited document the next
 * way to write it is tried, which changes more ({@link WAYS}), at last the whole block.
 */

import type { Node } from "@tiptap/pm/model";
import { isItem, isList, isRaw } from "../document/node-kinds.js";
import { codeEdits } from "./code-lines.js";
import { inlineEdits, Unpatchable, type Edit } from "./inline-patch.js";
import type { Origin, Piece, Range } from "./origins.js";
import { pairsOf } from "./pair-nodes.js";
import { indentBefore, lineStart, originOf, type InlineContext, type PatchContext } from "./patch-context.js";
import { TableRows } from "./table-rows.js";
import type { Way } from "./ways.js";

/** Returns the edits of a block's source; undefined if none are known. */
export function editsOf(
  before: Node,
  after: Node,
  context: PatchContext,
  way: Way,
  ...more: readonly (Edit | undefined)[]
): Edit[] | undefined {
  try {
    const edits = new BlockPatcher(context, way).node(before, after, "");
    return sorted([...edits, ...more.filter((edit) => edit !== undefined)]);
  } catch (thrown) {
    if (thrown instanceof Unpatchable) return undefined;
    throw thrown;
  }
}

/** Returns edits in the order of the source. */
function sorted(edits: Edit[]): Edit[] {
  edits.sort((one, other) => one.from - other.from || one.to - other.to);
  if (edits.some(({ from }, at) => at > 0 && from < (edits[at - 1] as Edit).to)) throw new Unpatchable();
  return edits;
}

/** Returns true if a node is the start or the end of another one, as after a line break of the user. */
export function isPart(part: Node, whole: Node): boolean {
  const [one, other] = [part.textContent.trim(), whole.textContent.trim()];
  return part.type === whole.type && one !== "" && (other.startsWith(one) || other.endsWith(one));
}

/** Returns a part of the source with edits. */
export function patched(source: string, { from, to }: Range, edits: readonly Edit[]): string {
  let [out, at] = ["", from];
  for (const edit of edits) {
    out += source.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return out + source.slice(at, to);
}

/** Returns the edit that removes what is between the content of two textblocks; undefined if one of them has none. */
export function betweenTexts(one: Origin, other: Origin): Edit | undefined {
  const [left, right] = [one.pieces ?? [], other.pieces ?? []];
  if (left.length === 0 || right.length === 0) return undefined;
  return { from: around(left).to, to: around(right).from, text: "" };
}

/** Returns the range of pieces with the inline nodes around them. */
function around(pieces: readonly Piece[]): Range {
  const range = { from: Infinity, to: 0 };
  for (const piece of pieces) {
    for (const { from, to } of [piece, ...piece.enclosing]) {
      range.from = Math.min(range.from, from);
      range.to = Math.max(range.to, to);
    }
  }
  return range;
}

/** The attributes that Markdown has a notation for, by the types of their nodes. */
export const WRITTEN: Record<string, readonly string[]> = {
  paragraph: [],
  heading: ["level"],
  blockquote: [],
  bulletList: [],
  orderedList: ["start"],
  listItem: [],
  taskList: [],
  taskItem: ["checked"],
  codeBlock: ["language"],
  table: [],
  tableRow: [],
  tableHeader: ["align", "colspan", "rowspan"],
  // The alignment of a column is that of its header.
  tableCell: ["colspan", "rowspan"],
};

class BlockPatcher {
  private readonly source: string;
  /** The lists of the items whose lists have changed. */
  private readonly parents = new Map<Node, Node>();

  constructor(
    private readonly context: PatchContext,
    private readonly way: Way,
  ) {
    this.source = context.source;
  }

  /** Returns the edits of a node. `prefix` starts each line of its container. */
  node(before: Node, after: Node, prefix: string): Edit[] {
    if (before.eq(after)) return [];
    if (before.type !== after.type) throw new Unpatchable();
    const edits = this.attributes(before, after);
    if (isRaw(before.type.name)) return [...edits, ...this.code(before, after)];
    if (before.isTextblock) return [...edits, ...this.textblock(before, after, prefix)];
    if (before.isLeaf) throw new Unpatchable();
    if (before.type.name === "table") return [...edits, ...this.table(before, after)];
    return [...edits, ...this.children(before, after, prefix)];
  }

  private attributes(before: Node, after: Node): Edit[] {
    const names = WRITTEN[before.type.name] ?? Object.keys(before.attrs);
    const changed = names.filter((name) => JSON.stringify(before.attrs[name]) !== JSON.stringify(after.attrs[name]));
    return changed.map((name) => {
      const value: unknown = after.attrs[name];
      const { from } = originOf(this.context, before);
      if (name === "checked") return this.replaced(from, /(?<=^(?:[-+*]|\d{1,9}[.)])\s+\[)[ \txX]/, value ? "x" : " ");
      if (name === "level") return this.replaced(from, /^#{1,6}/, "#".repeat(Number(value)));
      if (name === "start") return this.replaced(from, /^\d{1,9}/, String(value));
      throw new Unpatchable();
    });
  }

  private replaced(start: number, pattern: RegExp, text: string): Edit {
    const found = pattern.exec(this.source.slice(start, start + 40));
    if (!found) throw new Unpatchable();
    const from = start + found.index;
    return { from, to: from + found[0].length, text };
  }

  private code(before: Node, after: Node): Edit[] {
    const [old, fresh] = [before.textContent, after.textContent];
    if (old === fresh) return [];
    const { source, lineEnd } = this.context;
    const { from, to, tree } = originOf(this.context, before);
    const edits = codeEdits(old, fresh, { source, from, to, lineEnd, isCode: tree !== undefined });
    if (!edits) throw new Unpatchable();
    return edits;
  }

  private textblock(before: Node, after: Node, prefix: string): Edit[] {
    if (before.content.eq(after.content)) return [];
    const origin = originOf(this.context, before);
    const { pieces, tree } = origin;
    if (!pieces) throw new Unpatchable();
    const context: InlineContext = { source: this.source, prefix, isCell: tree?.type === "tableCell" };
    if (pieces.length === 0) return [this.filled(before, after, origin, context)];
    if (this.way.isWhole) return [this.whole(before, after, origin, context)];
    const writer = this.context.writer.inline(this.way, before, after, pieces, context);
    if (!writer) throw new Unpatchable();
    const edits = inlineEdits(writer, this.way);
    const { from } = around(pieces);
    return edits.map((edit) => this.inLines(edit, prefix, from));
  }

  private whole(before: Node, after: Node, origin: Origin, context: InlineContext): Edit {
    const { from, to } = around(origin.pieces ?? []);
    const text = this.context.writer.inline(this.way, before, after, origin.pieces ?? [], context)?.all() ?? "";
    if (text.trim() === "") throw new Unpatchable();
    return { from, to, text: this.lines(text, context.prefix) };
  }

  /** Puts content into a textblock that has none. */
  private filled(before: Node, after: Node, origin: Origin, context: InlineContext): Edit {
    const written = this.context.writer.inline(this.way, before, after, [], context)?.all() ?? "";
    const text = this.lines(written, context.prefix);
    const { from, to } = origin;
    if (!context.isCell) return { from: to, to, text: /\s$/.test(this.source.slice(from, to)) ? text : ` ${text}` };
    const [pipe = ""] = /^\|?[ \t]?/.exec(this.source.slice(from, to)) ?? [];
    const at = from + pipe.length;
    const isPadded = /^[ \t]/.test(this.source.slice(at));
    return { from: at, to: at, text: `${pipe.endsWith("|") ? " " : ""}${text}${isPadded ? "" : " "}` };
  }

  /** Returns text whose further lines start with a prefix. */
  private lines(text: string, prefix: string): string {
    const { lineEnd } = this.context;
    return text.replace(/(?:\r\n?|\n)(?=([^\r\n])?)/g, (_, next?: string) => {
      return lineEnd + (next === undefined ? prefix.trimEnd() : prefix);
    });
  }

  /**
   * Returns an edit of a text that begins at `first`, whose further lines start with a prefix. The line behind it keeps
   * its beginning.
   */
  private inLines(edit: Edit, prefix: string, first: number): Edit {
    const { from, to, text } = edit;
    const content = text.replace(/(?:\r\n?|\n)$/, "");
    const start = this.startBefore(to);
    if (text === "" && start !== undefined && from > first && from < to && this.startBefore(from) !== undefined) {
      return { from: lineStart(this.source, from), to: lineStart(this.source, to), text };
    }
    if (content === text || /^[\r\n]?$/.test(this.source.charAt(to))) {
      return { ...edit, text: this.lines(text, prefix) };
    }
    return { ...edit, text: this.lines(content, prefix) + this.context.lineEnd + (start ?? prefix) };
  }

  /** Returns what starts a line whose content begins at a position; undefined for other positions. */
  private startBefore(at: number): string | undefined {
    const start = this.source.slice(lineStart(this.source, at), at);
    return /^[ \t>]*$/.test(start) ? start : undefined;
  }

  /** Returns what starts the further lines of a container's content. */
  private prefixIn(container: Node, prefix: string): string {
    const { name } = container.type;
    if (name !== "blockquote" && !isItem(name)) return prefix;
    const { from } = originOf(this.context, container);
    const outer = indentBefore(this.source, from);
    if (name === "blockquote") return `${outer}> `;
    return outer + indentOf(this.markerOf(container));
  }

  /** Returns the marker of an item with the spaces up to its content. */
  private markerOf(item: Node): string {
    const { from, to } = originOf(this.context, item);
    const [, sign, space = " "] = /^([-+*]|\d{1,9}[.)])([ \t]*)/.exec(this.source.slice(from, to)) ?? [];
    if (sign === undefined) throw new Unpatchable();
    const isContent = /^(?: {1,4}|\t)$/.test(space);
    return sign + (isContent ? space : " ");
  }

  private children(before: Node, after: Node, outer: string): Edit[] {
    const prefix = this.prefixIn(before, outer);
    for (const child of before.children) this.parents.set(child, before);
    const pairs = pairsOf(before.children, after.children);
    const edits: Edit[] = [];
    const kept = new Set(pairs.filter((pair) => pair !== undefined));
    const joined = this.joins(before, after, pairs);
    const last = [...kept].at(-1) ?? -1;
    before.children.forEach((_, at) => {
      if (!kept.has(at) && !joined.has(at - 1)) edits.push(this.removal(before, at, at < last));
    });
    // Insertions in one place are one edit.
    const inserted = new Map<number, Node[]>();
    let previous = -1;
    after.children.forEach((child, at) => {
      const old = pairs[at];
      if (old !== undefined) {
        const join = joined.get(old);
        for (const edit of join ? [join] : this.child(after, before.child(old), child, prefix)) edits.push(edit);
        previous = old;
      } else addTo(inserted, previous, child);
    });
    if (kept.size === 0) throw new Unpatchable();
    for (const [place, nodes] of inserted) edits.push(this.insertion(before, after, place, kept, nodes, prefix));
    return [...edits, ...this.numbers(before, pairs)];
  }

  /** Returns the edits that join a child with the one behind it, which is gone, by the index of the first. */
  private joins(before: Node, after: Node, pairs: readonly (number | undefined)[]): Map<number, Edit> {
    const kept = new Set(pairs);
    const found = new Map<number, Edit>();
    pairs.forEach((old, at) => {
      if (old === undefined || old + 1 >= before.childCount || kept.has(old + 1)) return;
      const join = this.join(before.child(old), before.child(old + 1), after.child(at));
      if (join) found.set(old, join);
    });
    return found;
  }

  /** Returns the edit that makes one node of two by joining the last textblock of one with the first of the other. */
  private join(one: Node, other: Node, made: Node): Edit | undefined {
    if (one.type !== other.type || one.type !== made.type) return undefined;
    if (one.isTextblock) {
      if (!made.content.eq(one.content.append(other.content))) return undefined;
      return betweenTexts(originOf(this.context, one), originOf(this.context, other));
    }
    const last = one.childCount - 1;
    if (last < 0 || other.childCount === 0 || made.childCount !== last + other.childCount) return undefined;
    const isSame = made.children.every((child, at) => {
      return at === last || child.eq(at < last ? one.child(at) : other.child(at - last));
    });
    return isSame ? this.join(one.child(last), other.child(0), made.child(last)) : undefined;
  }

  /** Patches a child, or replaces it alone. */
  private child(after: Node, old: Node, fresh: Node, prefix: string): Edit[] {
    try {
      return this.node(old, fresh, prefix);
    } catch (thrown) {
      if (!(thrown instanceof Unpatchable)) throw thrown;
      const { from, to } = originOf(this.context, old);
      return [{ from, to, text: this.written(after, old, fresh, prefix) }];
    }
  }

  /** Writes a child in the notation of a sibling. */
  private written(after: Node, sibling: Node, node: Node, prefix: string): string {
    const { writer } = this.context;
    const isInList = isItem(node.type.name);
    const marker = isInList ? this.numbered(this.markerOf(sibling), sibling, node, after) : "";
    const part = this.partOf(sibling, node, prefix);
    if (part !== undefined) return part.replace(/^\d+/, (number) => /^\d+/.exec(marker)?.[0] ?? number);
    if (isInList) {
      const content = writer.item(node, after);
      const indent = indentBefore(this.source, originOf(this.context, sibling).from) + indentOf(marker);
      return (marker + this.lines(content, indent)).trimEnd();
    }
    const text = writer.block(node);
    if (text === "") throw new Unpatchable();
    return this.lines(text, prefix);
  }

  /** Returns the source of a sibling without what a part of it lacks; undefined if a node is not part of it. */
  private partOf(sibling: Node, node: Node, prefix: string): string | undefined {
    if (!isPart(node, sibling)) return undefined;
    try {
      return patched(this.source, originOf(this.context, sibling), sorted(this.node(sibling, node, prefix)));
    } catch (thrown) {
      if (thrown instanceof Unpatchable) return undefined;
      throw thrown;
    }
  }

  private removal(parent: Node, at: number, hasNext: boolean): Edit {
    const { from, to } = originOf(this.context, parent.child(at));
    if (hasNext) {
      return { from, to: originOf(this.context, parent.child(at + 1)).from, text: "" };
    }
    if (at === 0) throw new Unpatchable();
    return { from: originOf(this.context, parent.child(at - 1)).to, to, text: "" };
  }

  private insertion(
    before: Node,
    after: Node,
    previous: number,
    kept: ReadonlySet<number>,
    nodes: readonly Node[],
    prefix: string,
  ): Edit {
    const isFirst = previous < 0;
    const [first = 0] = kept;
    const next = isFirst ? first : previous;
    const sibling = before.child(next);
    const texts = nodes.map((node) => {
      const moved = before.children.find((child, at) => !kept.has(at) && child.eq(node));
      if (!moved) return this.written(after, sibling, node, prefix);
      const { from, to } = originOf(this.context, moved);
      return this.source.slice(from, to);
    });
    const gap = this.gapIn(before, sibling, nodes, prefix);
    const { from, to } = originOf(this.context, sibling);
    if (isFirst) return { from, to: from, text: texts.map((text) => text + gap).join("") };
    return { from: to, to, text: texts.map((text) => gap + text).join("") };
  }

  /** Returns what is between two children. */
  private gapIn(parent: Node, sibling: Node, nodes: readonly Node[], prefix: string): string {
    const { lineEnd } = this.context;
    const hasRows = isList(parent.type.name) || parent.type.name === "table";
    const { from } = originOf(this.context, sibling);
    const start = hasRows ? indentBefore(this.source, from) : prefix;
    if (hasRows && parent.childCount > 1) {
      const gap = this.source.slice(
        originOf(this.context, parent.child(0)).to,
        originOf(this.context, parent.child(1)).from,
      );
      if (/^[\s>]*$/.test(gap)) return gap;
    }
    const isTight = hasRows || (isListNode(nodes[0]) && this.isTight(parent));
    return lineEnd + (isTight ? "" : start.trimEnd() + lineEnd) + start;
  }

  /** Returns true for an item in whose list no blank line is. */
  private isTight(item: Node): boolean {
    const { tree } = originOf(this.context, item);
    return tree?.type === "listItem" && tree.spread !== true;
  }

  /** Numbers the items behind those that were added or removed, if they were numbered one by one. */
  private numbers(list: Node, pairs: readonly (number | undefined)[]): Edit[] {
    if (list.type.name !== "orderedList") return [];
    const markers = this.sequenceOf(list);
    if (!markers) return [];
    const start = Number(markers[0]);
    return pairs.flatMap((old, at): Edit[] => {
      const marker = old === undefined ? undefined : markers[old];
      if (old === undefined || marker === undefined || old === at) return [];
      const { from } = originOf(this.context, list.child(old));
      const number = String(start + at);
      return number.length === marker.length ? [{ from, to: from + marker.length, text: number }] : [];
    });
  }

  /** Returns the numbers of a list's items if they are numbered one by one. */
  private sequenceOf(list: Node): string[] | undefined {
    const markers = list.children.map((item) => /^\d+/.exec(this.markerOf(item))?.[0] ?? "");
    const start = Number(markers[0]);
    const isSequence = markers.length > 1 && markers.every((marker, at) => marker === String(start + at));
    return isSequence ? markers : undefined;
  }

  /** Returns the marker of a sibling with the number of a new item. */
  private numbered(marker: string, sibling: Node, item: Node, after: Node): string {
    const number = /^\d+/.exec(marker)?.[0];
    const list = number === undefined ? undefined : this.parents.get(sibling);
    const [start] = (list && this.sequenceOf(list)) ?? [];
    if (number === undefined || start === undefined) return marker;
    return marker.replace(number, String(Number(start) + after.children.indexOf(item)));
  }

  private table(before: Node, after: Node): Edit[] {
    const width = before.firstChild?.childCount;
    if (after.children.some((row) => row.childCount !== width)) throw new Unpatchable();
    const pairs = pairsOf(before.children, after.children);
    if (pairs[0] !== 0) throw new Unpatchable();
    const rows = new TableRows(this.context, before);
    const kept = new Set(pairs.filter((pair) => pair !== undefined));
    const edits: Edit[] = [];
    before.children.forEach((_, at) => {
      if (!kept.has(at)) edits.push(rows.removal(at));
    });
    const inserted = new Map<number, Node[]>();
    let previous = 0;
    after.children.forEach((row, at) => {
      const old = pairs[at];
      if (old === undefined) addTo(inserted, previous, row);
      else {
        for (const edit of this.row(before.child(old), row)) edits.push(edit);
        previous = old;
      }
    });
    for (const [at, nodes] of inserted) edits.push(rows.insertion(at, nodes));
    return edits;
  }

  private row(before: Node, after: Node): Edit[] {
    const edits: Edit[] = [];
    before.children.forEach((cell, column) => {
      const fresh = after.child(column);
      if (cell.eq(fresh)) return;
      // A cell that the row leaves out.
      if (!this.context.origins.has(cell)) throw new Unpatchable();
      if (cell.childCount !== 1 || fresh.childCount !== 1) throw new Unpatchable();
      edits.push(...this.attributes(cell, fresh));
      edits.push(...this.node(cell.child(0), fresh.child(0), ""));
    });
    return edits;
  }
}

/** Returns the indentation of what is below the content behind a marker. */
function indentOf(marker: string): string {
  return marker.replace(/[^\t]/g, " ");
}

function isListNode(node: Node | undefined): boolean {
  return node !== undefined && isList(node.type.name);
}

function addTo(inserted: Map<number, Node[]>, place: number, node: Node): void {
  const nodes = inserted.get(place);
  if (nodes) nodes.push(node);
  else inserted.set(place, [node]);
}
