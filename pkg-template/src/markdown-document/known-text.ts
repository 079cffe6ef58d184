/** The source of text that a document has elsewhere than its file: in another list, quote or kind of block. */

import { Mark, type Node } from "@tiptap/pm/model";
import { contentUnits, type ContentUnit, type KnownUnits } from "./inline-units.js";
import { unitsOf, type Enclosing, type Origins, type Piece, type Unit } from "./origins.js";
import type { Leaf } from "./to-mdast.js";

/** A textblock of the file. */
interface KnownBlock {
  node: Node;
  pieces: readonly Piece[];
}

/** The characters by which the ends of textblocks are found. Shorter ends are written. */
const SHORTEST = 4;
/** Textblocks with the same end that are compared. */
const MOST = 100;

/** The textblocks of a file by their content. */
export class KnownText {
  private readonly blocks = new Map<string, KnownBlock[]>();
  /** Those that the document does not have any more, by their first and their last characters. */
  private ends: Record<Side, Map<string, KnownBlock[]>> | undefined;

  constructor(
    origins: Iterable<Origins>,
    private readonly source: string,
    private readonly doc: Node,
  ) {
    for (const known of origins) {
      for (const [node, { pieces }] of known) {
        if (pieces?.length) addTo(this.blocks, node.textContent, { node, pieces });
      }
    }
  }

  /** Returns the content of a textblock with its source; undefined if the file has none with this content. */
  leavesOf(textblock: Node): Leaf[] | undefined {
    const units = contentUnits(textblock);
    if (units.length === 0) return undefined;
    const found = this.whole(textblock, units) ?? this.endsOf(units);
    if (!found) return undefined;
    return leavesOf(units, found.known, found.source, {
      text: this.source,
      outer: [],
      isOneLine: textblock.type.name === "heading",
    });
  }

  private whole({ textContent }: Node, units: readonly ContentUnit[]): KnownUnits | undefined {
    const key = keyOf(units);
    const blocks = this.blocks.get(textContent) ?? [];
    const pieces = blocks.findLast(({ node }) => keyOf(contentUnits(node)) === key)?.pieces;
    const source = pieces && unitsOf(pieces, this.source);
    return source?.length === units.length
      ? { known: new Map(units.map((unit, at) => [unit, at])), source }
      : undefined;
  }

  /**
   * Returns the start and the end of content whose textblocks no longer exist, as after two blocks have become one.
   * Ends that `own`, the old content, has as well do not count.
   */
  endsOf(units: readonly ContentUnit[], own: readonly ContentUnit[] = []): KnownUnits | undefined {
    const inserted = units.length - common("start", units, own) - common("end", units, own);
    if (inserted < SHORTEST) return undefined;
    const known = new Map<ContentUnit, number>();
    const sources: Unit[] = [];
    let left = units.length;
    for (const side of ["end", "start"] as const) {
      const found = this.longest(side, units, common(side, units, own));
      if (!found || found.length > left) continue;
      left -= found.length;
      const from = side === "start" ? 0 : units.length - found.length;
      const first = sources.length + (side === "start" ? 0 : found.source.length - found.length);
      for (let at = 0; at < found.length; at += 1) known.set(units[from + at] as ContentUnit, first + at);
      for (const unit of found.source) sources.push(unit);
    }
    return known.size > 0 ? { known, source: sources } : undefined;
  }

  private longest(side: Side, units: readonly ContentUnit[], least: number) {
    let best: { length: number; source: readonly Unit[] } | undefined;
    for (const { node, pieces } of this.gone(side)
      .get(endKey(side, units) ?? "")
      ?.slice(0, MOST) ?? []) {
      const old = contentUnits(node);
      const length = common(side, units, old);
      if (length < SHORTEST || length <= least || length <= (best?.length ?? 0)) continue;
      const source = unitsOf(pieces, this.source);
      if (source?.length === old.length) best = { length, source };
    }
    return best;
  }

  private gone(side: Side): Map<string, KnownBlock[]> {
    if (this.ends) return this.ends[side];
    this.ends = { start: new Map(), end: new Map() };
    const kept = new Set<string>();
    this.doc.descendants((node) => {
      if (node.isTextblock) kept.add(node.textContent);
      return !node.isTextblock;
    });
    for (const [text, blocks] of this.blocks) {
      if (kept.has(text) || text.length < SHORTEST) continue;
      for (const block of blocks) {
        addTo(this.ends.start, text.slice(0, SHORTEST), block);
        addTo(this.ends.end, text.slice(-SHORTEST), block);
      }
    }
    return this.ends[side];
  }
}

type Side = "start" | "end";

function addTo<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Returns the characters at an end of content; undefined if a leaf is among them. */
function endKey(side: Side, units: readonly ContentUnit[]): string | undefined {
  const end = side === "start" ? units.slice(0, SHORTEST) : units.slice(-SHORTEST);
  return end.every(({ char }) => char !== undefined) ? end.map(({ char }) => char).join("") : undefined;
}

/** Returns the number of units that two contents have in common at one end. */
function common(side: Side, one: readonly ContentUnit[], other: readonly ContentUnit[]): number {
  const least = Math.min(one.length, other.length);
  let length = 0;
  const at = (units: readonly ContentUnit[]): ContentUnit | undefined =>
    units.at(side === "start" ? length : -1 - length);
  while (length < least && at(one)?.key === at(other)?.key) length += 1;
  return length;
}

/** Returns a leaf without line ends in its source: between wide letters they are nothing. */
function onOneLine(leaf: Leaf): Leaf {
  const { source, node, marks } = leaf;
  if (source === undefined || !source.includes("\n")) return leaf;
  if (!node.isText) return { node, marks };
  const isText = /\S/.test(node.text ?? "") && !marks.some(({ type }) => type.name === "code");
  return { ...leaf, source: isText ? source.replace(/\n/g, "") : source.replace(/[ \t]*\n[ \t]*/g, " ") };
}

function keyOf(units: readonly ContentUnit[]): string {
  return units.map(({ key }) => key).join("");
}

/** The surroundings of leaves. */
interface Surroundings {
  /** The file. */
  text: string;
  /** The marks of the place. */
  outer: readonly Mark[];
  /** True where no line can end, in headings and cells. */
  isOneLine: boolean;
  /** Writes inline nodes of the file again, such as emphasis whose signs have no meaning here. */
  forgetsNodes?: boolean;
}

/** Joins units to leaves: those of an inline node or of one text with one source, white space alone. */
export function leavesOf(
  units: readonly ContentUnit[],
  known: ReadonlyMap<ContentUnit, number>,
  source: readonly Unit[],
  { text, outer, isOneLine, forgetsNodes = false }: Surroundings,
): Leaf[] {
  const leaves: Leaf[] = [];
  for (let start = 0; start < units.length;) {
    const first = units[start] as ContentUnit;
    const whole = forgetsNodes ? undefined : wholeNode(units, start, known, source, outer);
    const written = whole ? inLines(text.slice(whole.node.from, whole.node.to)) : "";
    if (whole && !(isOneLine && written.includes("\n"))) {
      const marks = whole.node.marks.filter((mark) => !mark.isInSet(outer));
      const node = first.node.type.schema.text(whole.text, marks);
      leaves.push({ node, marks, source: written });
      start = whole.end;
      continue;
    }
    let end = start + 1;
    while (end < units.length && joins(units[end - 1] as ContentUnit, units[end] as ContentUnit, known, source))
      end += 1;
    const run = units.slice(start, end);
    const piece = source[known.get(first) ?? -1]?.piece;
    // The signs of a URL between angle brackets are not the source of its text.
    const isURL = piece?.enclosing.some(({ url }) => url !== undefined) ?? false;
    const marks = ((isURL && piece?.marks) || first.marks).filter((mark) => !mark.isInSet(outer));
    const chars = run.map(({ char }) => char).join("");
    const node = first.char === undefined ? first.node : first.node.type.schema.text(chars, first.marks);
    const leaf: Leaf = { node, marks, enclosing: piece?.enclosing ?? [] };
    if (!isURL) Object.assign(leaf, sourceOf(run, units[end], known, source, text));
    leaves.push(isOneLine ? onOneLine(leaf) : leaf);
    start = end;
  }
  return leaves;
}

/** Returns the outermost inline node of the file that begins at a unit, if all of it is as it was. */
function wholeNode(
  units: readonly ContentUnit[],
  start: number,
  known: ReadonlyMap<ContentUnit, number>,
  source: readonly Unit[],
  outer: readonly Mark[],
): { node: Enclosing; text: string; end: number } | undefined {
  const from = known.get(units[start] as ContentUnit);
  const nodes = from === undefined ? undefined : source[from]?.piece.enclosing;
  if (from === undefined || !nodes) return undefined;
  const isIn = (node: Enclosing, at: number): boolean => source[at]?.piece.enclosing.includes(node) ?? false;
  for (const node of nodes) {
    if (node.mark?.isInSet(outer) || isIn(node, from - 1)) continue;
    let end = start;
    for (let at = from; isIn(node, at); at += 1, end += 1) {
      const unit = units[end];
      if (!unit || known.get(unit) !== at || !hasMarksOf(unit, source[at] as Unit)) break;
    }
    if (isIn(node, from + end - start)) continue;
    const text = units.slice(start, end).map(({ char = LEAF }) => char);
    if (text.length > 0 && text.join("").trim().length === text.join("").length)
      return { node, text: text.join(""), end };
  }
  return undefined;
}

/** Represents a leaf in the text of a node. */
const LEAF = "\uFFFC";

/** Returns true if a unit has the marks that it has in the file. A link that is its own URL does not count. */
function hasMarksOf({ marks }: ContentUnit, { piece }: Unit): boolean {
  const isSame = (some: readonly Mark[]): boolean => Mark.sameSet(marks, some);
  return isSame(piece.marks) || isSame(piece.marks.filter(({ type }) => type.name !== "link"));
}

function joins(
  one: ContentUnit,
  other: ContentUnit,
  known: ReadonlyMap<ContentUnit, number>,
  source: readonly Unit[],
): boolean {
  if (one.char === undefined || other.char === undefined || one.key.slice(1) !== other.key.slice(1)) return false;
  const isCode = one.marks.some(({ type }) => type.name === "code");
  if (isCode) return true;
  const [before, after] = [known.get(one), known.get(other)];
  if (before === undefined || after === undefined) return before === after;
  const [{ piece }, { piece: next }] = [source[before] as Unit, source[after] as Unit];
  if (after !== before + 1 || piece !== next) return false;
  return piece.kind !== "text" || /\s/.test(one.char) === /\s/.test(other.char);
}

/** Returns the source of a run of units; none if it is new, or only a part of what has one. */
function sourceOf(
  run: readonly ContentUnit[],
  behind: ContentUnit | undefined,
  known: ReadonlyMap<ContentUnit, number>,
  source: readonly Unit[],
  text: string,
): { source?: string } {
  const indexOf = (unit: ContentUnit | undefined): number => (unit && known.get(unit)) ?? -2;
  const [first, last, next] = [run[0], run.at(-1), behind].map((unit) => source[indexOf(unit)]);
  if (!first || !last) return {};
  const { piece } = first;
  if (piece.kind === "code") {
    const isWhole = run.length === piece.size && last.piece === piece;
    return isWhole ? { source: inLines(text.slice(piece.from, piece.to)) } : {};
  }
  if (piece.kind === "source" && (first.from !== piece.from || last.to !== piece.to)) return {};
  // A line end between wide letters is not a unit.
  const isNext = next?.piece === piece && indexOf(behind) === indexOf(run.at(-1)) + 1;
  const to = isNext ? next.from : last.to;
  return { source: inLines(text.slice(first.from, to)) };
}

/** Returns source whose lines start with none of the signs of its containers. */
function inLines(source: string): string {
  return source.replace(/(?:\r\n?|\n)[ \t>]*/g, "\n");
}
