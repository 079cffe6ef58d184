/** HTML whose unchanged parts stay as they were written, also where the schema does not know them. */

import { Document } from "../document.js";
import type { Locale, NodeJSON } from "../types.js";
import { keptBlocks } from "./kept-blocks.js";
import { partsOf, type Part } from "./html-parts.js";

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
    /** Writes the gaps up to a block of the source. */
    const upTo = (block: number) => {
      while (gaps.length && gaps[0]!.from <= block) html += gaps.shift()!.html;
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

  constructor(blocks: string[], locale: Locale) {
    this.#blocks = blocks;
    this.#locale = locale;
  }

  of(source: string): Segment[] {
    const total = this.#blocks.length;
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
    for (let index = 0; index < parts.length; index++) {
      let part = parts[index]!;
      let segment = this.#segmentsOf(source, part, at, depth);
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

  #segmentsOf(source: string, part: Part, at: number, depth: number): Segment[] | undefined {
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
    const blocks = this.#parse(html);
    if (!blocks || !blocks.every((block, index) => block === this.#blocks[at + index])) return undefined;
    return [{ html, from: at, to: at + blocks.length }];
  }

  /** Returns the blocks of some HTML between others; nothing if it reaches into these. */
  #parse(html: string): string[] | undefined {
    if (!html.trim()) return [];
    const [first, ...rest] = blocksOf(Document.fromHTML(`<hr>${html}<hr>`, { locale: this.#locale }));
    const last = rest.pop();
    return first === RULE && last === RULE ? rest : undefined;
  }
}

const RULE = JSON.stringify({ type: "horizontalRule" });

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
