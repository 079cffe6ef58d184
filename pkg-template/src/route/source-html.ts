/** HTML whose unchanged parts stay as they were written, also where the schema does not know them. */

import { Document } from "../document/document.js";
import { CopydeskError } from "../base/error.js";
import type { Locale, NodeJSON } from "../types/index.js";
import { keptBlocks } from "./kept-blocks.js";
import { partsOf, type Part } from "./html-parts.js";
import { newToken } from "./run-key.js";

/**
 * The source of a document in segments. Each is the source of some top-level blocks, or of none: white space, comments,
 * tags around blocks, elements that the schema does not know.
 */
interface Segment {
  html: string;
  /** Index of the first block, or of the block that follows. */
  readonly from: number;
  readonly to: number;
}

/** The deepest element around blocks whose tags are kept apart from the blocks. */
const DEEPEST = 12;

export class SourceHTML {
  readonly #source: string;
  readonly #blocks: string[];
  readonly #segments: Segment[];
  readonly #locale: Locale;

  /** `document` is the one that the HTML was parsed into, unchanged. */
  constructor(source: string, document: Document, locale: Locale) {
    this.#source = source;
    this.#locale = locale;
    this.#blocks = blocksOf(document);
    this.#segments = new Segments(this.#blocks, locale).of(source);
  }

  /** Returns a later state of the document as HTML. Reading it gives the document, or what reading `document.toHTML()` gives. */
  render(document: Document): string {
    const blocks = blocksOf(document);
    const kept = keptBlocks(this.#blocks, blocks);
    if (blocks.length === this.#blocks.length && kept.every((from, at) => from === at)) return this.#source;
    const html = this.#join(blocks, kept);
    // Source that is not closed, such as a comment, may swallow what follows.
    const read = (text: string) => blocksOf(Document.fromHTML(text, { locale: this.#locale })).join();
    const result = read(html);
    if (result === blocks.join()) return html;
    const own = document.toHTML();
    return result === read(own) ? html : own;
  }

  #join(blocks: string[], kept: (number | undefined)[]): string {
    const whole = new Map<number, Segment>();
    for (const segment of this.#segments) if (segment.to > segment.from) whole.set(segment.from, segment);
    const gaps = this.#segments.filter(({ from, to }) => from === to);
    let html = "";
    let gap = 0;
    /** Writes the gaps up to a block of the source. */
    const upTo = (block: number) => {
      while (gap < gaps.length && gaps[gap]!.from <= block) html += gaps[gap++]!.html;
    };
    upTo(0);
    const places = placesOf(kept, this.#blocks.length);
    for (let at = 0; at < blocks.length;) {
      const place = places[at];
      if (place !== undefined) upTo(place);
      const from = kept[at];
      const segment = from === undefined ? undefined : whole.get(from);
      const count = segment ? segment.to - segment.from : 0;
      const isWhole = segment && Array.from({ length: count }).every((_, i) => kept[at + i] === segment.from + i);
      html += isWhole ? segment.html : this.#htmlOf(blocks[at]!);
      at += isWhole ? count : 1;
    }
    upTo(this.#blocks.length);
    return html;
  }

  #htmlOf(block: string): string {
    const content = [JSON.parse(block) as NodeJSON];
    return Document.fromJSON({ type: "doc", content }, undefined, { locale: this.#locale }).toHTML();
  }
}

/**
 * Returns for each block the block of the source whose place it has: that which it is, or, where blocks were replaced,
 * the next one of the replaced. Blocks that moved backwards and those that were added have none.
 */
function placesOf(kept: (number | undefined)[], total: number): (number | undefined)[] {
  const places: (number | undefined)[] = [];
  // The next kept block that lies ahead.
  const ahead: number[] = [];
  let next = total;
  for (let at = kept.length - 1; at >= 0; at--) {
    ahead[at] = next;
    const block = kept[at];
    if (block !== undefined && block < next) next = block;
  }
  let last = -1;
  kept.forEach((block, at) => {
    if (block !== undefined) {
      if (block > last) last = places[at] = block;
    } else if (last + 1 < ahead[at]!) {
      last = places[at] = last + 1;
    }
  });
  return places;
}

function blocksOf(document: Document): string[] {
  return (document.toJSON().content ?? []).map((block) => JSON.stringify(block));
}

/** Finds the segments of a source: parses its parts and compares the blocks with those of the whole. */
class Segments {
  readonly #blocks: string[];
  readonly #locale: Locale;
  /** The characters that may be parsed once more. Sources without a part that is right alone are one segment. */
  #left = 0;

  constructor(blocks: string[], locale: Locale) {
    this.#blocks = blocks;
    this.#locale = locale;
  }

  of(source: string): Segment[] {
    const total = this.#blocks.length;
    if (total > MOST_BLOCKS) return [{ html: source, from: 0, to: total }];
    this.#left = 2_000_000 + 4 * source.length;
    const parts = partsOf(source);
    const found = this.#match(source, parts, 0, 0);
    if (found?.at(-1)?.to === total) return joined(found);
    // A document without content is one empty paragraph.
    if (total === 1 && found && (found.at(-1)?.to ?? 0) === 0 && isEmpty(this.#blocks[0]!)) return joined(found);
    return [{ html: source, from: 0, to: total }];
  }

  /** Returns the segments of some parts, whose first block is `at`; nothing if the blocks differ. */
  #match(source: string, parts: Part[], at: number, depth: number): Segment[] | undefined {
    const segments: Segment[] = [];
    const parsed = this.#parseAll(source, parts);
    for (let index = 0; index < parts.length; index++) {
      let part = parts[index]!;
      let segment = this.#segmentsOf(source, part, at, depth, parsed.get(part));
      // Parts that are only right together, such as text beside inline elements.
      for (let more = 0; !segment && more < 4 && index + 1 < parts.length; more++) {
        part = { start: part.start, end: parts[++index]!.end, children: [] };
        segment = this.#segmentsOf(source, part, at, depth);
      }
      if (!segment) return undefined;
      segments.push(...segment);
      at = segment.at(-1)?.to ?? at;
    }
    return segments;
  }

  /** `parsed` are the blocks of the part, if they are known. */
  #segmentsOf(source: string, part: Part, at: number, depth: number, parsed?: string[]): Segment[] | undefined {
    const html = source.slice(part.start, part.end);
    const { children } = part;
    if (children.length && depth < DEEPEST) {
      const inner = this.#match(source, children, at, depth + 1);
      const [start, end] = [children[0]!.start, children.at(-1)!.end];
      if (inner && inner.at(-1)!.to > at)
        return [
          { html: source.slice(part.start, start), from: at, to: at },
          ...inner,
          { html: source.slice(end, part.end), from: inner.at(-1)!.to, to: inner.at(-1)!.to },
        ];
    }
    if (parsed?.every((block, index) => block === this.#blocks[at + index]))
      return [{ html, from: at, to: at + parsed.length }];
    const blocks = this.#parse(html);
    if (!blocks || !blocks.every((block, index) => block === this.#blocks[at + index])) return undefined;
    return [{ html, from: at, to: at + blocks.length }];
  }

  /**
   * Parses the parts that are not groups at once, with a heading between them: a parser for each would take a hundred
   * times as long. Returns the blocks of those between two headings that are as they were written.
   */
  #parseAll(source: string, parts: Part[]): Map<Part, string[]> {
    const parsed = new Map<Part, string[]>();
    const leaves = parts.filter(({ children }) => !children.length);
    if (leaves.length < 2) return parsed;
    const name = newToken();
    const html = leaves.map(({ start, end }, at) => `<h6>${name} ${at}</h6>${source.slice(start, end)}`);
    const blocks = this.#blocksIn(`${html.join("")}<h6>${name} ${leaves.length}</h6>`);
    const headings = new Map(blocks.flatMap((block, at) => (block.includes(name) ? [[block, at]] : [])));
    const placeOf = (at: number) => headings.get(headingOf(`${name} ${at}`));
    leaves.forEach((leaf, at) => {
      const [from, to] = [placeOf(at), placeOf(at + 1)];
      if (from !== undefined && to !== undefined && from < to) parsed.set(leaf, blocks.slice(from + 1, to));
    });
    return parsed;
  }

  /** Returns the blocks of some HTML; none if the headings make it too large. */
  #blocksIn(html: string): string[] {
    try {
      return blocksOf(Document.fromHTML(html, { locale: this.#locale }));
    } catch (thrown) {
      if (thrown instanceof CopydeskError && thrown.code === "too_large") return [];
      throw thrown;
    }
  }

  /** Returns the blocks of some HTML between others; nothing if it reaches into these, or if there was too much to parse. */
  #parse(html: string): string[] | undefined {
    if (!html.trim()) return [];
    this.#left -= html.length + COST;
    if (this.#left < 0) return undefined;
    const [first, ...rest] = blocksOf(Document.fromHTML(`<hr>${html}<hr>`, { locale: this.#locale }));
    const last = rest.pop();
    return first === RULE && last === RULE ? rest : undefined;
  }
}

const RULE = JSON.stringify({ type: "horizontalRule" });
/** Documents of more blocks are one segment. */
const MOST_BLOCKS = 50_000;
/** The time of a parser without a source, in characters. */
const COST = 500;

function headingOf(text: string): string {
  return JSON.stringify({ type: "heading", attrs: { level: 6 }, content: [{ type: "text", text }] });
}

function isEmpty(block: string): boolean {
  const { type, content } = JSON.parse(block) as NodeJSON;
  return type === "paragraph" && !content;
}

/** Joins neighbours without blocks. */
function joined(segments: Segment[]): Segment[] {
  const all: Segment[] = [];
  for (const segment of segments) {
    const last = all.at(-1);
    if (last && last.from === last.to && segment.from === segment.to) last.html += segment.html;
    else if (segment.html || segment.to > segment.from) all.push({ ...segment });
  }
  return all;
}
