/** Writes the parts of a block that its source does not have yet. */

import type { Mark, Node } from "@tiptap/pm/model";
import type { PhrasingContent, RootContent, TableCell } from "mdast";
import { Unpatchable, type InlineChange } from "./inline-patch.js";
import { contentUnits, hunksOf, type ContentUnit } from "./inline-units.js";
import { stringify, type Style } from "./notation.js";
import { unitsOf, type Piece, type Range, type Unit } from "./origins.js";
import type { BlockWriter, InlineContext } from "./patch-context.js";
import type { Way } from "./ways.js";
import { leavesOf } from "./known-text.js";
import { phrasingOf, sourceNode, treeOf, type HTMLUse, type Origin } from "./to-mdast.js";

export class PatchWriter implements BlockWriter {
  /** The units of textblocks, for which several ways are tried. */
  private readonly units = new Map<Node, ContentUnit[]>();
  private readonly sources = new Map<readonly Piece[], Unit[] | undefined>();

  constructor(
    private readonly origin: Origin,
    private readonly html: HTMLUse,
    private readonly style: Style,
    private readonly hasMath: boolean,
  ) {}

  private unitsOf(textblock: Node): ContentUnit[] {
    const units = this.units.get(textblock) ?? contentUnits(textblock);
    this.units.set(textblock, units);
    return units;
  }

  private sourceOf(pieces: readonly Piece[], source: string): Unit[] | undefined {
    if (!this.sources.has(pieces)) this.sources.set(pieces, unitsOf(pieces, source));
    return this.sources.get(pieces);
  }

  block(node: Node): string {
    return this.stringify(treeOf(node, this.origin, this.html));
  }

  item(node: Node, list: Node): string {
    const { blocks: _, ...plain } = this.origin;
    for (const origin of [this.origin, plain]) {
      const text = this.stringify(treeOf(list.type.create(list.attrs, node), origin, this.html));
      const width = /^(?:[-+*]|\d+[.)])(?: {1,4}(?! )| |$)/.exec(text)?.[0].length ?? 0;
      const lines = text.split("\n");
      const isIndented = lines.every((line, at) => at === 0 || line.slice(0, width).trim() === "");
      // Lines of the source can be indented by tabs.
      if (isIndented && !lines.some((line) => line.slice(0, width).includes("\t"))) {
        return lines.map((line) => line.slice(width)).join("\n");
      }
    }
    throw new Unpatchable();
  }

  cell(node: Node): string {
    const table = node.type.schema.nodes.table?.create(null, node.type.schema.nodes.tableRow?.create(null, node));
    const [tree] = table ? treeOf(table, this.origin, this.html) : [];
    const cell = tree?.type === "table" ? tree.children[0]?.children[0] : undefined;
    return cell ? this.inCell(cell.children) : "";
  }

  knownRow(node: Node): string | undefined {
    return this.origin.blocks?.rowOf(node)?.source;
  }

  inline(
    way: Way,
    before: Node,
    after: Node,
    pieces: readonly Piece[],
    context: InlineContext,
  ): InlineChange | undefined {
    const source = this.sourceOf(pieces, context.source);
    const [old, units] = [this.unitsOf(before), this.unitsOf(after)];
    if (source?.length !== old.length) return undefined;
    const ends = way.forgets ? undefined : this.origin.endsOf?.(units, old);
    // Text of another block is none of this one, be it the same.
    const fresh = ends
      ? units.map((unit) => (ends.known.has(unit) ? { ...unit, key: `${unit.key} moved` } : unit))
      : units;
    let known: Map<ContentUnit, number> | undefined;
    const sources = ends ? [...source, ...ends.source] : source;
    const isOneLine = context.isCell || after.type.name === "heading";
    const phrasing = (some: readonly ContentUnit[], outer: readonly Mark[]): PhrasingContent[] => {
      known ??= knownUnits(old, fresh);
      fresh.forEach((unit, at) => {
        const moved = ends?.known.get(units[at] as ContentUnit);
        if (moved !== undefined) known?.set(unit, source.length + moved);
      });
      const leaves = leavesOf(some, known, sources, {
        text: context.source,
        outer,
        isOneLine,
        forgetsNodes: way.signs !== undefined,
      });
      const html = way.signs === "tag" && this.html === "needed" ? "emphasis" : this.html;
      return phrasingOf(after, leaves, this.origin, html, some === fresh);
    };
    return {
      source,
      text: context.source,
      hasTags: this.html !== "none",
      before: old,
      after: fresh,
      isMoved: (unit) => unit.key.endsWith(" moved"),
      plain: (value, kind, at) => this.text(value, kind, way.escape, at, context),
      content: (units, outer, at) => this.between(phrasing(units, outer), at, context),
      all: () => this.line(phrasing(fresh, []), context),
    };
  }

  private text(value: string, kind: Piece["kind"], escape: Way["escape"], at: Range, context: InlineContext): string {
    const text = value.trim();
    const start = text === "" ? value : value.slice(0, value.length - value.trimStart().length);
    const end = value.slice(start.length + text.length);
    if (kind !== "text" || escape === "none" || text === "") {
      return context.isCell ? value.replace(/(?<!\\)\|/g, "\\|") : value;
    }
    if (escape === "all") return start + text.replace(/[!-/:-@[-`{-~]/g, "\\$&") + end;
    return start + this.between([{ type: "text", value: text }], at, context) + end;
  }

  /** Writes content that has other content before and behind it. */
  private between(children: PhrasingContent[], at: Range, context: InlineContext): string {
    const beside = (char: string | undefined): PhrasingContent => {
      // White space at an end would be written as a reference.
      return sourceNode(char !== undefined && /[\p{L}\p{N}]/u.test(char) ? char : ".");
    };
    const [before, after] = [beside(context.source[at.from - 1]), beside(context.source[at.to])];
    return this.line([before, ...children, after], context).slice(1, -1);
  }

  private line(children: PhrasingContent[], { isCell }: InlineContext): string {
    return isCell ? this.inCell(children) : this.stringify([{ type: "paragraph", children }]);
  }

  private inCell(children: PhrasingContent[]): string {
    const cell: TableCell = { type: "tableCell", children };
    const text = this.stringify([{ type: "table", children: [{ type: "tableRow", children: [cell] }] }]);
    return text.slice(0, text.indexOf("\n")).replace(/^\| ?/, "").replace(/ ?\|$/, "");
  }

  private stringify(blocks: RootContent[]): string {
    return stringify(blocks, this.style, this.hasMath);
  }
}

/** Returns the old index of each new unit whose character or leaf was there before, whatever its marks. */
function knownUnits(before: readonly ContentUnit[], after: readonly ContentUnit[]): Map<ContentUnit, number> {
  const keyOf = ({ char, key }: ContentUnit): string => char ?? key;
  const known = new Map<ContentUnit, number>();
  let [old, fresh] = [0, 0];
  const keep = (to: number): void => {
    for (; fresh < to; fresh += 1, old += 1) known.set(after[fresh] as ContentUnit, old);
  };
  for (const { start, to, end } of hunksOf(before.map(keyOf), after.map(keyOf))) {
    keep(start);
    [old, fresh] = [to, end];
  }
  keep(after.length);
  return known;
}
