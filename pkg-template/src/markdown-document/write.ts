/** Saving a document as Markdown: blocks that are as they were keep their source. */

import type { Node, Schema } from "@tiptap/pm/model";
import type { Nodes, RootContent } from "mdast";
import { CopydeskError, check, readInput } from "../error.js";
import { localeOf } from "../locale.js";
import type { NodeJSON } from "../types.js";
import { align } from "./align.js";
import { lossesOf, lossOfCells, type Lost } from "./compare.js";
import { withinEffort } from "./limits.js";
import { readMarkdown, type OpenedMarkdown } from "./opened.js";
import { isSimilar } from "./pair-nodes.js";
import { betweenTexts, editsOf, isPart, patched, WRITTEN } from "./patch.js";
import { WAYS } from "./ways.js";
import { PatchWriter } from "./patch-writer.js";
import type { Edit } from "./inline-patch.js";
import type { Origins } from "./origins.js";
import { withoutOuterSpace } from "./outer-space.js";
import { rangeOf } from "./tree.js";
import { partsOf, type Gap, type OpenedBlock, type Parts } from "./source-parts.js";
import { stringify, type Style } from "./notation.js";
import { KnownBlocks } from "./known-blocks.js";
import { KnownText } from "./known-text.js";
import { treeOf, type HTMLUse, type Leaf, type Origin } from "./to-mdast.js";

export interface WriteMarkdownOptions {
  /** Writes what Markdown lacks, such as underlined text and mentions, as HTML. Default: true. */
  html?: boolean;
  /** Attributes of blocks that are no content, such as ids. Default: `["id"]`. */
  ignoredAttributes?: readonly string[];
  /** The language of the messages in `lost`, such as `zh`. Default: the page's. */
  locale?: string;
}

export interface WrittenMarkdown {
  text: string;
  /** What the text does not hold; show it before saving. */
  lost: Lost[];
  /** The written text as an opened file, for the next save. */
  opened: OpenedMarkdown;
}

/**
 * Writes a document as Markdown. Top-level blocks that did not change keep their source byte for byte, and so does
 * everything between them. The text is read again to find what it does not hold.
 *
 * @throws a {@link CopydeskError} with the code `invalid_parameter` if `json` is no document of the schema, or
 * `too_large` and `too_deep` if its text cannot be read again.
 */
export function writeMarkdown(
  opened: OpenedMarkdown,
  json: NodeJSON,
  options: WriteMarkdownOptions = {},
): WrittenMarkdown {
  return withinEffort(() => written(partsOf(opened), json, options));
}

/** Writes a document as a new file, with inline source that is text in it. */
export function writeNew(
  schema: Schema,
  json: NodeJSON,
  source: ReadonlySet<string>,
  options: WriteMarkdownOptions,
): WrittenMarkdown {
  return withinEffort(() => written(partsOf(readMarkdown("", schema)), json, options, source));
}

function written(
  parts: Parts,
  json: NodeJSON,
  options: WriteMarkdownOptions,
  source: ReadonlySet<string> = new Set(),
): WrittenMarkdown {
  const { html = true, ignoredAttributes = ["id"] } = options;
  const locale = localeOf(options.locale);
  const doc = documentOf(parts, json);
  const plan = new Plan(parts, doc, html, source);
  const attempt = (mode: Mode): WrittenMarkdown | undefined => {
    const text = plan.text(mode);
    const next = readMarkdown(text, parts.schema);
    if (mode === "quick" && !plan.isReadIn(partsOf(next))) return undefined;
    const cells = plan.lostCellsIn(partsOf(next)).map(({ block, texts }) => lossOfCells(texts, block, locale));
    const lost = [...lossesOf(doc, partsOf(next), new Set(ignoredAttributes), locale), ...cells];
    return { text, lost, opened: next };
  };
  const result = attempt("quick") ?? (attempt("checked") as WrittenMarkdown);
  if (!result.lost.some(({ kind }) => kind === "content")) return result;
  // Neighbours that were not written for each other can be read as one block.
  const again = attempt("careful") as WrittenMarkdown;
  return again.lost.length < result.lost.length ? again : result;
}

/**
 * How a document is written. `quick` takes the first way of each changed block, which is right for most edits: all blocks
 * are then read at once. `checked` reads each of them until a way is right. `careful` writes changed blocks and those with
 * other neighbours as a whole, and separates them.
 */
type Mode = "quick" | "checked" | "careful";

function documentOf(parts: Parts, json: NodeJSON): Node {
  const { schema } = parts;
  const doc = readInput("json", () => {
    try {
      const node = schema.nodeFromJSON(json);
      node.check();
      return withoutOuterSpace(node, parts.doc);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `json is no document of the schema: ${reason}. Pass editor.getJSON() of the editor whose schema read the file.`;
      throw new CopydeskError(
        { code: "invalid_parameter", message, details: { name: "json", given: reason } },
        { cause },
      );
    }
  });
  check(doc.type === schema.topNodeType, "json", doc.type.name, "a whole document (editor.getJSON())");
  return doc;
}

/** A block of the document, and the block of the source that it is, or whose place it takes. */
interface Item {
  node: Node;
  /** The block at the same place of the source. */
  at?: number;
  /** The block that it still is, there or elsewhere. */
  same?: OpenedBlock;
}

interface Form {
  html: HTMLUse;
  /** Keeps character references beside emphasis. */
  keepsReferences: boolean;
  /** Refers to the file's definitions. */
  usesDefinitions: boolean;
  /** Writes every URL that is its own link as text. */
  hasBareURLs?: boolean;
  /** Writes text, or also blocks, that the file has with its source. */
  usesSource?: "text" | "blocks";
}

/** The forms of a block, the plainest first. A definition can be in a block that is gone. */
const FORMS: readonly Form[] = [
  { html: "needed", keepsReferences: false, usesDefinitions: true, usesSource: "blocks" },
  { html: "needed", keepsReferences: false, usesDefinitions: true, usesSource: "text" },
  { html: "needed", keepsReferences: false, usesDefinitions: true },
  { html: "needed", keepsReferences: true, usesDefinitions: true },
  { html: "needed", keepsReferences: true, usesDefinitions: false },
  { html: "emphasis", keepsReferences: true, usesDefinitions: false },
];

/** The form in which blocks are compared: an editor makes links of URLs when it opens them. */
const COMPARED: Form = { html: "needed", keepsReferences: false, usesDefinitions: true, hasBareURLs: true };

class Plan {
  private readonly items: Item[];
  /** Inline source that is text in the document. */
  private readonly raw: ReadonlySet<string>;
  private knownText: KnownText | undefined;
  private knownBlocks: KnownBlocks | undefined;
  private goneSources: readonly string[] | undefined;
  /** Cells beyond the header of the tables that were written anew. */
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
    this.items = this.paired(doc.children);
  }

  /** Writes the document. */
  text(mode: Mode): string {
    const { blocks, gaps, head, lineEnd } = this.parts;
    const isCareful = mode === "careful";
    const blank = lineEnd + lineEnd;
    let out = head;
    this.rewrittenCells = [];
    this.unread.clear();
    // The last block of the source whose place has been passed, and the item before.
    let passed = -1;
    let before: Item | undefined;
    let marker: string | undefined;
    const skip = (to: number): string => {
      const found = gaps.slice(passed + 1, to + 1).map(({ definitions }) => definitions);
      passed = to;
      return found.filter(Boolean).join(blank);
    };
    for (const [index, item] of this.items.entries()) {
      const { at, same } = item;
      const follows = at !== undefined && at === passed + 1 && before?.at === (at === 0 ? undefined : passed);
      const isNeighbour = follows && (at > 0 || before === undefined);
      const isKept = !isCareful || (isNeighbour && this.hasNeighbours(index));
      const source = same && isKept ? this.sourceOf(same) : undefined;
      const kept = source ?? (isCareful ? undefined : this.patched(index, mode === "quick"));
      const written = kept ?? this.fresh(item, marker, this.items[index + 1], out === "");
      const texts =
        kept === undefined && at !== undefined ? cellsBeyond(blocks[at]?.tree ?? [], this.parts.source) : [];
      if (texts.length > 0) this.rewrittenCells.push({ block: index, texts });
      if (written === "") continue;
      if (isNeighbour) {
        const isAsBefore = [item, before].every((one) => !one || one.same || this.hasKept(one));
        out += isAsBefore && !isCareful ? (gaps[at] as Gap).text : separated(gaps[at] as Gap, out === "", blank);
        passed = at;
      } else {
        const definitions = at === undefined ? "" : skip(at);
        if (definitions) out += (out ? blank : "") + definitions;
        const isPlain = at !== undefined && !definitions && !isCareful && before !== undefined;
        if (out && out !== "\uFEFF") out += isPlain ? this.gapBehind(before, at, blank) : blank;
      }
      out += written;
      before = item;
      marker = markerOf(written);
    }
    if (before?.at === blocks.length - 1 || blocks.length === 0) {
      const tail = (gaps.at(-1) as Gap).text;
      if (blocks.length > 0 || !before) return out + tail;
    }
    const definitions = skip(blocks.length);
    if (definitions) out += (out ? blank : "") + definitions;
    return out === "" || out === head ? out : out + lineEnd;
  }

  /** Returns the gap before a block whose neighbour is gone, if it can be behind the one that is there now. */
  private gapBehind(before: Item | undefined, at: number, blank: string): string {
    const { blocks, gaps } = this.parts;
    const isAlike = before !== undefined && before.node.type === blocks[at - 1]?.node.type;
    return isAlike ? (gaps[at] as Gap).text : separated(gaps[at] as Gap, false, blank);
  }

  /** Returns true if an item stands between blocks that kept their source and were beside it there. */
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
  private patched(index: number, isQuick: boolean): string | undefined {
    const { node, at } = this.items[index] as Item;
    const { blocks } = this.parts;
    const unread = isQuick ? index : undefined;
    const old = at === undefined ? undefined : (blocks[at] as OpenedBlock);
    if (old) return this.joined(index, unread) ?? this.patchOf(old, node, unread);
    for (const neighbour of [this.items[index - 1], this.items[index + 1]]) {
      const old = neighbour?.at === undefined || neighbour.same ? undefined : blocks[neighbour.at];
      if (old && isPart(node, old.node)) return this.patchOf(old, node, unread);
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
    return this.patchOf(join.block, node, unread, join.edit);
  }

  /**
   * Writes a block as edits of another one's source; undefined if none make that block. With the index `unread` the first
   * ones are taken, and `isReadIn` tells whether they do.
   */
  private patchOf(old: OpenedBlock, node: Node, unread: number | undefined, join?: Edit): string | undefined {
    const { source, lineEnd, style, hasMath } = this.parts;
    const html = this.html ? "needed" : "none";
    const own = listStyle(style, markerOf(this.sourceOf(old)), []);
    const writer = new PatchWriter(this.originOf(old, FORMS[0] as Form), html, own, hasMath);
    const context = { source, origins: old.origins, lineEnd, writer };
    const tried = new Set<string>();
    const most = referencesIn(this.sourceOf(old));
    for (const way of WAYS) {
      const edits = editsOf(old.node, node, context, way, join);
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
    // An indented list goes on at its indentation.
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
  private fresh(item: Item, before: string | undefined, next: Item | undefined, isStart: boolean): string {
    const { blocks, style, lineEnd } = this.parts;
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

  /**
   * Pairs blocks that are equal as JSON, then those that are equal as Markdown, be it elsewhere, then those at the same
   * place.
   */
  private paired(nodes: readonly Node[]): Item[] {
    const { blocks, style, hasMath } = this.parts;
    const before = blocks.map(({ node }) => JSON.stringify(node));
    const after = nodes.map((node) => JSON.stringify(node));
    const copies = new Map(before.map((key, at) => [key, at]));
    const exact = align(before, after);
    const taken = new Set(exact);
    const left = blocks.filter((_, at) => !taken.has(at)).map(({ node }) => node);
    const added = nodes.filter((_, at) => exact[at] === undefined);
    const [oldTexts, newTexts] = [left, added].map((some) => new Set(some.map(({ textContent }) => textContent)));
    // Blocks with different text are not equal as Markdown.
    const keyOf = (node: Node, json: string, others: ReadonlySet<string> | undefined): string => {
      const mayBeEqual = others?.has(node.textContent);
      return mayBeEqual ? stringify(this.treeOf(node, undefined, COMPARED), style, hasMath) : json;
    };
    const keys = before.map((key, at) => {
      return taken.has(at) ? key : keyOf((blocks[at] as OpenedBlock).node, key, newTexts);
    });
    const wanted = after.map((key, at) => (exact[at] === undefined ? keyOf(nodes[at] as Node, key, oldTexts) : key));
    const pairs = align(keys, wanted);
    const items = nodes.map((node, at): Item => {
      const old = pairs[at];
      return old === undefined ? { node } : { node, at: old, same: blocks[old] };
    });
    const unpaired = new Set(blocks.keys());
    for (const { at } of items) if (at !== undefined) unpaired.delete(at);
    const places = new Map<string, number[]>();
    for (const at of [...unpaired].reverse()) {
      const key = keys[at] as string;
      const others = places.get(key);
      if (others) others.push(at);
      else places.set(key, [at]);
    }
    items.forEach((item, index) => {
      if (item.at !== undefined) return;
      const moved = places.get(wanted[index] ?? "")?.pop();
      if (moved !== undefined) unpaired.delete(moved);
      const source = moved ?? copies.get(after[index] as string);
      if (source !== undefined) item.same = blocks[source];
    });
    this.pairPlaces(items, unpaired);
    return items;
  }

  /** Gives changed blocks the place of the block between the same neighbours. */
  private pairPlaces(items: readonly Item[], unpaired: ReadonlySet<number>): void {
    for (let start = 0; start < items.length;) {
      const item = items[start] as Item;
      if (item.at !== undefined) {
        start += 1;
        continue;
      }
      let end = start;
      while (end < items.length && items[end]?.at === undefined) end += 1;
      const from = start > 0 ? ((items[start - 1] as Item).at ?? -1) + 1 : 0;
      const to = items[end]?.at ?? this.parts.blocks.length;
      const places = [...unpaired].filter((at) => at >= from && at < to);
      const changed = items.slice(start, end).filter(({ same }) => !same);
      if (places.length === changed.length) changed.forEach((one, index) => (one.at = places[index]));
      else {
        for (const one of changed) {
          const found = places.findIndex((at) => this.parts.blocks[at]?.node.type === one.node.type);
          if (found >= 0) one.at = places.splice(0, found + 1).at(-1);
        }
      }
      start = end;
    }
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

/** Returns the source of the cells that rows have more than their header. */
function cellsBeyond(nodes: readonly Nodes[], source: string): string[] {
  return nodes.flatMap((node): string[] => {
    if (node.type !== "table") return "children" in node ? cellsBeyond(node.children, source) : [];
    const width = node.children[0]?.children.length ?? 0;
    const cells = node.children.flatMap((row) => row.children.slice(width));
    return cells.map((cell) =>
      source
        .slice(rangeOf(cell).from, rangeOf(cell).to)
        .replace(/^\||\|$/g, "")
        .trim(),
    );
  });
}

/** Returns the identifier of a label, as the parser does. */
function identifierOf(label: string): string {
  const line = label.replace(/\r?\n[ \t>]*/g, " ").replace(/[ \t]+/g, " ");
  return line.trim().toLowerCase().toUpperCase().toLowerCase();
}

/** Returns the number of character references by hexadecimal numbers, which are written where no escape is enough. */
function referencesIn(text: string): number {
  return text.split("&#x").length - 1;
}

/** Returns the source that is text in a block. */
function sourcesIn(origins: Origins): string[] {
  return [...origins.values()].flatMap(({ pieces = [] }) => {
    return pieces.filter(({ kind }) => kind === "source" || kind === "block").map(({ text }) => text);
  });
}

/** The length of `<a>`: nothing shorter is source. */
const SHORTEST_TAG = 3;

/** Returns true if each source was there before, has moved, or is a part or an edit of one that was removed. */
function areEdited(before: readonly string[], moved: readonly string[], after: readonly string[]): boolean {
  const removed = [...before];
  const take = (index: number, ...rest: string[]): boolean =>
    index >= 0 && removed.splice(index, 1, ...rest).length > 0;
  const changed = after.filter((source) => !take(removed.indexOf(source)));
  // The source of a block can become those of several inline nodes.
  const edited = changed.filter((source) => {
    const index = removed.findIndex((old) => old.includes(source));
    const [start = "", ...ends] = (removed[index] ?? "").split(source);
    const rest = [start, ends.join(source)].map((part) => part.trim());
    return !take(index, ...rest.filter((part) => part.length >= SHORTEST_TAG));
  });
  const left = [...moved];
  return edited.every((source) => {
    if (take(removed.findIndex((old) => isSimilar(old, source)))) return true;
    const at = left.indexOf(source);
    return at >= 0 && left.splice(at, 1).length > 0;
  });
}

/** Returns a gap with a blank line, its definitions, and another one. */
function separated({ text, definitions }: Gap, isStart: boolean, blank: string): string {
  if (definitions) return (isStart ? "" : blank) + definitions + blank;
  return isStart || /\n[ \t]*\r?\n/.test(text) ? text : blank;
}

/** Returns the marker of a list's source: its bullet, or the sign behind its number. */
function markerOf(source: string): string | undefined {
  const found = /^ {0,3}(?:([-*+])|\d{1,9}([.)]))(?=\s|$)/.exec(source);
  return found?.[1] ?? found?.[2];
}

/** Returns a style whose lists are not read as part of their neighbours; they keep their own marker otherwise. */
function listStyle(style: Style, own: string | undefined, taken: readonly (string | undefined)[]): Style {
  const choose = <T extends string>(markers: readonly T[], usual: T): T => {
    const wanted = [own, usual, ...markers].filter((marker) => markers.includes(marker as T)) as T[];
    return wanted.find((marker) => !taken.includes(marker)) ?? usual;
  };
  return {
    ...style,
    bullet: choose(["-", "*", "+"] as const, style.bullet as "-"),
    bulletOrdered: choose([".", ")"] as const, style.bulletOrdered as "."),
  };
}
