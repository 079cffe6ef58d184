/** The source of text that a document has elsewhere than its file: in another list, quote or kind of block. */

import type { Mark, Node } from "@tiptap/pm/model";
import { contentUnits, type ContentUnit } from "./inline-units.js";
import { unitsOf, type Origins, type Piece, type Unit } from "./origins.js";
import type { Leaf } from "./to-mdast.js";

/** The textblocks of a file by their content. */
export class KnownText {
  private readonly blocks = new Map<string, readonly Piece[]>();

  constructor(
    origins: Iterable<Origins>,
    private readonly source: string,
  ) {
    for (const known of origins) {
      for (const [node, { pieces }] of known) if (pieces?.length) this.blocks.set(keyOf(contentUnits(node)), pieces);
    }
  }

  /** Returns the content of a textblock with its source; undefined if the file has none with this content. */
  leavesOf(textblock: Node): Leaf[] | undefined {
    const units = contentUnits(textblock);
    const pieces = units.length > 0 ? this.blocks.get(keyOf(units)) : undefined;
    const source = pieces && unitsOf(pieces, this.source);
    if (source?.length !== units.length) return undefined;
    const known = new Map(units.map((unit, at) => [unit, at]));
    const leaves = leavesOf(units, known, source, this.source, []);
    if (textblock.type.name !== "heading") return leaves;
    return leaves.map((leaf) =>
      leaf.source === undefined ? leaf : { ...leaf, source: leaf.source.replace(/\n/g, " ") },
    );
  }
}

function keyOf(units: readonly ContentUnit[]): string {
  return units.map(({ key }) => key).join("");
}

/** Joins units to leaves: those of one text with one source, white space alone. */
export function leavesOf(
  units: readonly ContentUnit[],
  known: ReadonlyMap<ContentUnit, number>,
  source: readonly Unit[],
  text: string,
  outer: readonly Mark[],
): Leaf[] {
  const leaves: Leaf[] = [];
  for (let start = 0; start < units.length;) {
    const first = units[start] as ContentUnit;
    let end = start + 1;
    while (end < units.length && joins(units[end - 1] as ContentUnit, units[end] as ContentUnit, known, source))
      end += 1;
    const run = units.slice(start, end);
    const piece = source[known.get(first) ?? -1]?.piece;
    // The signs of a URL between angle brackets are no source of its text.
    const isURL = piece?.enclosing.some(({ url }) => url !== undefined) ?? false;
    const marks = ((isURL && piece?.marks) || first.marks).filter((mark) => !mark.isInSet(outer));
    const chars = run.map(({ char }) => char).join("");
    const node = first.char === undefined ? first.node : first.node.type.schema.text(chars, first.marks);
    leaves.push({ node, marks, ...(!isURL && sourceOf(run, known, source, text)) });
    start = end;
  }
  return leaves;
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
  known: ReadonlyMap<ContentUnit, number>,
  source: readonly Unit[],
  text: string,
): { source?: string } {
  const [first, last] = [run[0], run.at(-1)].map((unit) => (unit ? source[known.get(unit) ?? -1] : undefined));
  if (!first || !last || first.piece.kind === "code") return {};
  const { piece } = first;
  if (piece.kind === "source" && (first.from !== piece.from || last.to !== piece.to)) return {};
  return { source: text.slice(first.from, last.to).replace(/\r?\n[ \t>]*/g, "\n") };
}
