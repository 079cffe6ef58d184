/** The text of a document, put together from the source of blocks that are as they were, edits of it, and new text. */

import type { Node } from "@tiptap/pm/model";
import type { RootContent } from "mdast";
import { isList } from "../document/node-kinds.js";
import { lossesOf, type Lost } from "./compare.js";
import { areEdited, sourcesIn } from "./edited-source.js";
import { cellsBeyond } from "./excess-cells.js";
import { COMPARED, FORMS, type Form } from "./forms.js";
import type { Edit } from "./inline-patch.js";
import { KnownBlocks } from "./known-blocks.js";
import { KnownText } from "./known-text.js";
import { markerOf } from "./list-marker.js";
import { listStyle, stringify, type Style } from "./notation.js";
import { readMarkdown } from "./opened.js";
import type { Origins } from "./origins.js";
import { pairedBlocks, type Item } from "./pair-blocks.js";
import { betweenTexts, editsOf, isPart, patched, WRITTEN } from "./patch.js";
import { PatchWriter } from "./patch-writer.js";
import { partsOf, type Gap, type OpenedBlock, type Parts } from "./source-parts.js";
import { treeOf, type Leaf, type Origin } from "./to-mdast.js";
import { identifierOf, rangeOf } from "./tree.js";
import { WAYS } from "./ways.js";

/** The first end of a line in a text. */
const LINE_END = /\r\n?|\n/;

/**
 * The way in which a document is written. `quick` takes the first way of each changed block, which is right for most
 * edits: all blocks are then read at once. `checked` reads each of them until a way is right, and `apart` also puts a
 * blank line beside it. `careful` writes changed blocks and those with other neighbours as a whole, and separates them.
 */
export type Mode = "quick" | "checked" | "apart" | "careful";

export class Plan {
  private readonly items: Item[];
  /** Inline source that is text in the document. */
  private readonly raw: ReadonlySet<string>;
  private knownText: KnownText | undefined;
  private knownBlocks: KnownBlocks | undefined;
  private goneSources: readonly string[] | undefined;
  /** The indexes of the blocks of the source. */
  private readonly places: ReadonlyMap<OpenedBlock, number>;
  /** Cells beyond the header of the tables that were written again. */
  private rewrittenCells: { block: number; texts: string[] }[] = [];
  /** The blocks that were written without being read, with the ones that they were. */
  private unread = new Map<number, OpenedBlock>();

  constructor(
    private readonly parts: Parts,
    private readonly doc: Node,
    private readonly html: boolean,
    source: ReadonlySet<string>,
  ) {
    this.raw = new Set([...source, ...parts.blocks.flatMap((block) => [...block.raw])]);
    this.places = new Map(parts.blocks.map((block, at) => [block, at]));
    const { style, hasMath } = parts;
    this.items = pairedBlocks(parts.blocks, doc.children, (node) => {
      return stringify(this.treeOf(node, undefined, COMPARED), style, hasMath);
    });
  }

  /** Writes the document. */
  text(mode: Mode): string {
    const { blocks, gaps, head } = this.parts;
    const isCareful = mode === "careful";
    // The end of the line before what is written next: files can have several.
    let end = this.parts.lineEnd;
    let out = head;
    this.rewrittenCells = [];
    this.unread.clear();
    // The last block of the source whose place has been passed, and the item before.
    let passed = -1;
    let before: Item | undefined;
    // True if that item has the source of its block.
    let isAsBefore = true;
    let marker: string | undefined;
    /** Writes the definitions up to a block; returns true if there are any. */
    const skip = (to: number): boolean => {
      const found = gaps.slice(passed + 1, to + 1).filter(hasDefinitions);
      passed = to;
      for (const { text, definitions } of found) {
        out += (out ? end + end : "") + definitions;
        end = LINE_END.exec(text.slice(text.indexOf(definitions) + definitions.length))?.[0] ?? end;
      }
      return found.length > 0;
    };
    for (const [index, item] of this.items.entries()) {
      const { at, same } = item;
      const place = this.placeOf(item);
      const follows = at !== undefined && at === passed + 1 && before?.at === (at === 0 ? undefined : passed);
      const isNeighbour = follows && (at > 0 || before === undefined);
      const isKept = !isCareful || (isNeighbour && this.hasNeighbours(index));
      const isApart = isNeighbour || (at !== undefined && gaps.slice(passed + 1, at + 1).some(hasDefinitions));
      const signs = isApart || isCareful ? [] : this.otherSigns(index, marker);
      const source = same && isKept ? patched(this.parts.source, same, signs) : undefined;
      const kept = source ?? (isCareful ? undefined : this.patched(index, mode === "quick", signs));
      const written = kept ?? this.fresh(item, marker, this.items[index + 1], out === "", end);
      const texts =
        kept === undefined && at !== undefined ? cellsBeyond(blocks[at]?.tree ?? [], this.parts.source) : [];
      if (texts.length > 0) this.rewrittenCells.push({ block: index, texts });
      if (written === "") continue;
      const isAsRead = source !== undefined || (mode !== "apart" && !isCareful && this.hasKept(item));
      let gap = "";
      if (isNeighbour) {
        gap = isAsBefore && isAsRead ? (gaps[at] as Gap).text : separated(gaps[at] as Gap, out === "", end + end);
        passed = at;
      } else {
        const isBehindDefinitions = at !== undefined && skip(at);
        const isTogether = isAsBefore && source !== undefined;
        if (before && !isBehindDefinitions && !isCareful) gap = this.gapBehind(before, item, end + end, isTogether);
        else if (out && out !== "\uFEFF") gap = end + end;
      }
      out += before ? gap.replace(LINE_END, end) : gap;
      out += written;
      end = (place === undefined ? undefined : LINE_END.exec((gaps[place + 1] as Gap).text)?.[0]) ?? end;
      before = item;
      isAsBefore = isAsRead;
      // A rule can be written with the signs of a list.
      marker = item.node.type.name === "horizontalRule" ? undefined : markerOf(written);
    }
    if (before?.at === blocks.length - 1 || blocks.length === 0) {
      const tail = (gaps.at(-1) as Gap).text;
      if (blocks.length > 0 || !before) return out + tail;
    }
    skip(blocks.length);
    if (out === "" || out === head) return out;
    return blocks.length === 0 || /[\r\n][ \t]*$/.test(this.parts.source) ? out + end : out;
  }

  /** Returns the index of the block that an item is, there or elsewhere, or whose place it takes. */
  private placeOf({ at, same }: Item): number | undefined {
    return at ?? (same && this.places.get(same));
  }

  /**
   * Returns the gap between blocks that are not neighbours at their places of the source. If both were moved together,
   * it is the one between them; `isTogether` states that they have their source. Otherwise a block keeps the gap before
   * it if it can be behind the block that is there now, and one that was moved gets the gap of its new place.
   */
  private gapBehind(before: Item, item: Item, blank: string, isTogether: boolean): string {
    const { blocks, gaps } = this.parts;
    const [left, right] = [this.placeOf(before), this.placeOf(item)];
    if (right === undefined) return blank;
    if (left === right - 1 && isTogether) return hasDefinitions(gaps[right] as Gap) ? blank : (gaps[right] as Gap).text;
    if (item.at !== undefined) {
      const isAlike = before.node.type === blocks[right - 1]?.node.type;
      return isAlike ? (gaps[right] as Gap).text : separated(gaps[right] as Gap, false, blank);
    }
    const there = before.at !== undefined && before.at + 1 < blocks.length ? before.at + 1 : right;
    const gap = gaps[there] as Gap;
    return there === 0 || hasDefinitions(gap) ? blank : separated(gap, false, blank);
  }

  /** Returns the edits that give a list other signs, if it has come behind one with the same and would be part of it. */
  private otherSigns(index: number, before: string | undefined): Edit[] {
    const { style, source } = this.parts;
    const [item, next] = [this.items[index] as Item, this.items[index + 1]];
    const old = item.same ?? (item.at === undefined ? undefined : this.parts.blocks[item.at]);
    if (!old || before === undefined || !isList(item.node.type.name) || markerOf(this.sourceOf(old)) !== before)
      return [];
    const taken = [before, next?.same ? markerOf(this.sourceOf(next.same)) : undefined];
    const { bullet, bulletOrdered } = listStyle(style, undefined, taken);
    return old.node.children.flatMap((child): Edit[] => {
      const from = old.origins.get(child)?.from;
      const [, number = "", sign] = /^(\d*)([-*+.)])/.exec(source.slice(from, (from ?? 0) + 10)) ?? [];
      if (from === undefined || sign === undefined) return [];
      const at = from + number.length;
      return [{ from: at, to: at + 1, text: String(number ? bulletOrdered : bullet) }];
    });
  }

  /** Returns true if an item is between blocks that kept their source and were beside it there. */
  private hasNeighbours(index: number): boolean {
    const at = this.items[index]?.at;
    const [before, after] = [this.items[index - 1], this.items[index + 1]];
    const isSame = (item: Item | undefined, place: number): boolean => item?.at === place && item.same !== undefined;
    if (at === undefined) return false;
    const isLast = after === undefined && at === this.parts.blocks.length - 1;
    return (before === undefined || isSame(before, at - 1)) && (isLast || isSame(after, at + 1));
  }

  private sourceOf({ from, to }: OpenedBlock): string {
    return this.parts.source.slice(from, to);
  }

  /** Returns true if a changed block is of the type whose place it takes, so that its neighbours read on alike. */
  private hasKept({ node, at }: Item): boolean {
    return at !== undefined && this.parts.blocks[at]?.node.type === node.type;
  }

  /** Writes a block as edits of the source of the one that it replaces, or was split from; undefined if there is none. */
  private patched(index: number, isQuick: boolean, signs: readonly Edit[]): string | undefined {
    const { node, at } = this.items[index] as Item;
    const { blocks } = this.parts;
    const unread = isQuick ? index : undefined;
    const old = at === undefined ? undefined : (blocks[at] as OpenedBlock);
    if (old) return this.joined(index, unread) ?? this.patchOf(old, node, unread, signs);
    for (const neighbour of [this.items[index - 1], this.items[index + 1]]) {
      const old = neighbour?.at === undefined || neighbour.same ? undefined : blocks[neighbour.at];
      if (old && isPart(node, old.node)) return this.patchOf(old, node, unread, []);
    }
    return undefined;
  }

  /** Writes a textblock that two have been joined to, without what was between them; undefined for others. */
  private joined(index: number, unread: number | undefined): string | undefined {
    const { node, at = 0 } = this.items[index] as Item;
    const isKept = (place: number): boolean => this.items.some((item) => item.at === place);
    const [first, second] = [at, at + 1].map((place) => this.parts.blocks[place]);
    if (!first || !second || isKept(at + 1) || this.parts.gaps[at + 1]?.definitions) return undefined;
    const join = joinOf(first, second);
    if (!join || join.block.node.textContent !== node.textContent) return undefined;
    return this.patchOf(join.block, node, unread, [join.edit]);
  }

  /**
   * Writes a block as edits of another one's source; undefined if none make that block. With the index `unread` the first
   * ones are taken, and `isReadIn` tells whether they do. `more` are edits that the block needs beside its own.
   */
  private patchOf(old: OpenedBlock, node: Node, unread: number | undefined, more: readonly Edit[]): string | undefined {
    const { source, style, hasMath } = this.parts;
    const lineEnd = LINE_END.exec(source.slice(old.from))?.[0] ?? this.parts.lineEnd;
    const html = this.html ? "needed" : "none";
    const own = listStyle(style, markerOf(this.sourceOf(old)), []);
    const writer = new PatchWriter(this.originOf(old, FORMS[0] as Form), html, own, hasMath);
    const context = { source, origins: old.origins, lineEnd, writer };
    const tried = new Set<string>();
    const most = referencesIn(this.sourceOf(old));
    for (const way of WAYS) {
      const edits = editsOf(old.node, node, context, way, ...more);
      const text = edits && patched(source, old, edits);
      if (text === undefined || tried.has(text)) continue;
      if (!way.hasReferences && referencesIn(text) > Math.max(most, referencesIn(node.textContent))) continue;
      if (unread !== undefined) {
        this.unread.set(unread, old);
        return text;
      }
      if (this.isReadAs(text, node, old)) return text;
      tried.add(text);
    }
    return undefined;
  }

  /** Returns the cells beyond the header that a written text has no more, by their blocks. */
  lostCellsIn({ blocks, source }: Parts): { block: number; texts: string[] }[] {
    if (this.rewrittenCells.length === 0) return [];
    const left = blocks.flatMap(({ tree }) => cellsBeyond(tree, source));
    return this.rewrittenCells.flatMap(({ block, texts }) => {
      const lost = texts.filter((text) => {
        const at = left.indexOf(text);
        if (at >= 0) left.splice(at, 1);
        return at < 0;
      });
      return lost.length > 0 ? [{ block, texts: lost }] : [];
    });
  }

  /** Returns true if the blocks that were written without being read are what was written. */
  isReadIn(read: Parts): boolean {
    const { blocks } = read;
    if (this.unread.size === 0) return true;
    if (blocks.length !== this.doc.childCount || areDifferent(this.doc, read)) return false;
    return [...this.unread].every(([index, old]) => {
      return areEdited(sourcesIn(old.origins), this.sourcesOfGone(), sourcesIn((blocks[index] as OpenedBlock).origins));
    });
  }

  /** Returns true if a source is read as a block, and no text in it as source but what was source, or a part of it. */
  private isReadAs(text: string, node: Node, old: OpenedBlock): boolean {
    const { schema } = this.parts;
    // An indented list continues at its indentation.
    const indent = / *$/.exec(this.parts.source.slice(Math.max(0, old.from - 3), old.from))?.[0] ?? "";
    const read = partsOf(readMarkdown(indent + text + this.definitionsFor(text), schema));
    if (areDifferent(schema.topNodeType.create(null, node), read)) return false;
    return areEdited(
      sourcesIn(old.origins),
      this.sourcesOfGone(),
      read.blocks.flatMap(({ origins }) => sourcesIn(origins)),
    );
  }

  /** Returns the inline source of deleted blocks. Parts of it may have moved into other blocks. */
  private sourcesOfGone(): readonly string[] {
    if (this.goneSources) return this.goneSources;
    const kept = new Set(
      this.items.flatMap(({ same, at }) => (same ? [same] : at === undefined ? [] : [this.parts.blocks[at]])),
    );
    const gone = this.parts.blocks.filter((block) => !kept.has(block));
    return (this.goneSources = gone.flatMap(({ origins }) => sourcesIn(origins)));
  }

  /** Returns the definitions between blocks that the labels in a text may refer to. */
  private definitionsFor(text: string): string {
    const { blocks, definitions, source } = this.parts;
    const labels = definitions.size > 0 ? text.matchAll(/\[((?:\\[^]|[^\][\\])+)\]/g) : [];
    const found = new Set([...labels].map(([, label = ""]) => definitions.get(identifierOf(label))));
    const sources = [...found].flatMap((definition): string[] => {
      if (!definition) return [];
      const { from, to } = rangeOf(definition);
      return blocks.some((block) => block.from <= from && to <= block.to) ? [] : [source.slice(from, to)];
    });
    // Code whose fence nothing closes would take what follows.
    return sources.length > 0 ? `\n\n${sources.join("\n")}` : "";
  }

  /** Writes a block in the style of the one that it replaces, between a list's marker and the next item. */
  private fresh(
    item: Item,
    before: string | undefined,
    next: Item | undefined,
    isStart: boolean,
    lineEnd: string,
  ): string {
    const { blocks, style } = this.parts;
    const old = item.at === undefined ? item.same : blocks[item.at];
    const source = old ? this.sourceOf(old) : "";
    const taken = [before, next?.same ? markerOf(this.sourceOf(next.same)) : undefined];
    const own = {
      ...listStyle(style, markerOf(source), taken),
      setext: old?.tree[0]?.type === "heading" ? !/^\s*#/.test(source) : style.setext,
      // Front matter starts with hyphens.
      rule: isStart ? "*" : style.rule,
    } as const;
    return this.readable(item.node, old, own).replace(/\n/g, lineEnd);
  }

  /** Writes a block in the plainest form that is read as the same block. */
  private readable(node: Node, old: OpenedBlock | undefined, style: Style): string {
    const { schema, hasMath } = this.parts;
    const doc = schema.topNodeType.create(null, node);
    const forms = FORMS.filter((form) => this.html || form.html === "needed");
    let best: { text: string; losses: number } | undefined;
    for (const form of forms) {
      const tree = this.treeOf(node, old, form);
      if (tree.length === 0) return "";
      const text = stringify(tree, style, hasMath, form.keepsReferences);
      const read = partsOf(readMarkdown(text + this.definitionsFor(text), schema));
      const losses = lossesOf(doc, read, new Set(), "en").filter(({ kind }) => kind === "content" || kind === "mark");
      if (losses.length === 0) return text;
      if (!best || losses.length < best.losses) best = { text, losses: losses.length };
    }
    return best?.text ?? "";
  }

  private treeOf(node: Node, old: OpenedBlock | undefined, form: Form): RootContent[] {
    return treeOf(node, this.originOf(old, form), this.html ? form.html : "none");
  }

  private originOf(old: OpenedBlock | undefined, form: Form): Origin {
    // The same characters can be text in the block and source in another one.
    const isText = (source: string): boolean | undefined => {
      return old && !old.raw.has(source) && old.node.textContent.includes(source);
    };
    const raw = new Set([...this.raw].filter((source) => !isText(source)));
    const definitions = form.usesDefinitions ? this.parts.definitions : new Map();
    const leavesOf = (textblock: Node): Leaf[] | undefined => {
      return form.usesSource ? (this.knownText ??= this.textOfFile()).leavesOf(textblock) : undefined;
    };
    const endsOf: Origin["endsOf"] = (units, own) => (this.knownText ??= this.textOfFile()).endsOf(units, own);
    const known = form.usesSource === "blocks" ? (this.knownBlocks ??= this.blocksOfFile()) : undefined;
    return { raw, tree: old?.tree ?? [], definitions, hasBareURLs: form.hasBareURLs, blocks: known, leavesOf, endsOf };
  }

  private blocksOfFile(): KnownBlocks {
    const { blocks, source } = this.parts;
    return new KnownBlocks(
      blocks.map(({ origins }) => origins),
      source,
    );
  }

  private textOfFile(): KnownText {
    const { blocks, source } = this.parts;
    return new KnownText(
      blocks.map(({ origins }) => origins),
      source,
      this.doc,
    );
  }
}

/** Returns true if a document was read that differs in more than attributes that Markdown has no notation for. */
function areDifferent(doc: Node, read: Parts): boolean {
  return lossesOf(doc, read, new Set(), "en").some((lost) => lost.kind !== "attribute" || hasNotation(lost));
}

/** Returns true for an attribute that Markdown has a notation for, such as the URL of a link. */
function hasNotation({ node, name = "" }: Lost): boolean {
  return WRITTEN[node]?.includes(name) ?? true;
}

/** Returns two textblocks as one, and the edit that joins their source. */
function joinOf(first: OpenedBlock, second: OpenedBlock): { block: OpenedBlock; edit: Edit } | undefined {
  const [one, other] = [first, second].map(({ node, origins }) => origins.get(node));
  const edit = one && other && betweenTexts(one, other);
  if (!edit) return undefined;
  const [left, right] = [one.pieces ?? [], other.pieces ?? []];
  const node = first.node.copy(first.node.content.append(second.node.content));
  const origins: Origins = new Map([[node, { ...one, to: second.to, pieces: [...left, ...right] }]]);
  return { block: { ...first, node, to: second.to, origins }, edit };
}

/** Returns the number of character references by hexadecimal numbers, which are written where no escape is enough. */
function referencesIn(text: string): number {
  return text.split("&#x").length - 1;
}

function hasDefinitions({ definitions }: Gap): boolean {
  return definitions !== "";
}

/** Returns a gap with a blank line, its definitions, and another one. */
function separated({ text, definitions }: Gap, isStart: boolean, blank: string): string {
  if (definitions) return (isStart ? "" : blank) + definitions + blank;
  return isStart || /(?:\r\n|\n|\r(?!\n))[ \t]*[\r\n]/.test(text) ? text : blank;
}
