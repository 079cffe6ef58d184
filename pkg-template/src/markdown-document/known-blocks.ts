/** The source of blocks, items and rows that a document has elsewhere than its file, or among new ones. */

import type { Node } from "@tiptap/pm/model";
import type { AlignType } from "mdast";
import { isList } from "../document/node-kinds.js";
import { NODE_TYPES } from "../document/node-table.js";
import { markerOf } from "./list-marker.js";
import type { Origin, Origins } from "./origins.js";
import { indentBefore } from "./patch-context.js";

/** A row of a table of the file, with the delimiter row of that table. */
export interface KnownRow {
  source: string;
  cells: number;
  delimiters: string;
  align: readonly AlignType[];
}

/** The types whose nodes have source of their own. Lists and tables are written item by item and row by row. */
const TYPES: ReadonlySet<string> = new Set([
  ...["paragraph", "heading", "blockquote", "codeBlock", "horizontalRule", "blockMath", "details"],
  ...NODE_TYPES.item,
]);

/** The rest of a line, and the next one without the signs of quotes and items. */
const NEXT_LINE = /[^\r\n]*(?:\r\n?|\n)[ \t>]*([^\r\n]*)/y;

/** The blocks of a file by their content. */
export class KnownBlocks {
  private readonly keys = new Keys();
  private readonly origins = new Map<number, Origin>();
  private readonly lists = new Map<number, Origin>();
  private readonly rows = new Map<number, { row: Origin; table: Origin; head: Origin }>();

  constructor(
    origins: Iterable<Origins>,
    private readonly source: string,
  ) {
    for (const known of origins) {
      for (const [node, origin] of known) {
        const { name } = node.type;
        if (isList(name)) this.lists.set(this.keys.of(node), origin);
        if (TYPES.has(name)) this.origins.set(this.keys.of(node), origin);
        const head = name === "table" ? known.get(node.child(0)) : undefined;
        if (!head) continue;
        node.forEach((child) => {
          const row = known.get(child);
          if (row) this.rows.set(this.rowKey(child), { row, table: origin, head });
        });
      }
    }
  }

  /** Returns the source of a block or an item without the signs of what was around it; undefined if it is not known. */
  sourceOf(node: Node): string | undefined {
    const origin = TYPES.has(node.type.name) ? this.origins.get(this.keys.of(node)) : undefined;
    return origin && this.outOfContainers(origin);
  }

  /** Returns the bullet of a list of the file, or the sign behind its numbers; undefined for others. */
  markerOf(list: Node): string | undefined {
    const from = this.lists.get(this.keys.of(list))?.from;
    return from === undefined ? undefined : markerOf(this.source.slice(from, from + 12));
  }

  /** Returns the source of a row, be it the header of its table or not. */
  rowOf(node: Node): KnownRow | undefined {
    const found = this.rows.get(this.rowKey(node));
    if (!found) return undefined;
    const { row, table, head } = found;
    NEXT_LINE.lastIndex = head.to;
    const [, delimiters = ""] = NEXT_LINE.exec(this.source) ?? [];
    const align = table.tree?.type === "table" ? (table.tree.align ?? []) : [];
    const cells = row.tree?.type === "tableRow" ? row.tree.children.length : 0;
    return { source: this.source.slice(row.from, row.to), cells, delimiters: delimiters.trimEnd(), align };
  }

  /** Returns a number that is equal for rows with the same cells, be they the header or not. */
  private rowKey(row: Node): number {
    const cells = row.children.map((cell) => {
      const { colspan = 1, rowspan = 1 } = cell.attrs as { colspan?: number; rowspan?: number };
      return `${colspan} ${rowspan} ${cell.children.map((child) => this.keys.of(child)).join(" ")}`;
    });
    return this.keys.number(`row ${cells.join("|")}`);
  }

  private outOfContainers({ from, to, tree }: Origin): string | undefined {
    const prefix = indentBefore(this.source, from);
    const [first = "", ...rest] = this.source.slice(from, to).split(/\r\n?|\n/);
    const isParagraph = tree?.type === "paragraph";
    const lines = rest.map((line) => withoutPrefix(line, prefix) ?? (isParagraph ? line.trimStart() : undefined));
    return lines.includes(undefined) ? undefined : [first, ...lines].join("\n");
  }
}

/** Returns a line without the signs of its containers; undefined if it lacks them, as a lazy line does. */
function withoutPrefix(line: string, prefix: string): string | undefined {
  if (line.startsWith(prefix)) return line.slice(prefix.length);
  const signs = prefix.trimEnd();
  return line.startsWith(signs) && line.slice(signs.length).trim() === "" ? "" : undefined;
}

/** Numbers for nodes, which are equal for equal nodes. */
class Keys {
  private readonly known = new WeakMap<Node, number>();
  private readonly numbers = new Map<string, number>();

  of(node: Node): number {
    const known = this.known.get(node);
    if (known !== undefined) return known;
    const content = node.isTextblock || node.isLeaf ? JSON.stringify(node) : this.content(node);
    const key = this.number(content);
    this.known.set(node, key);
    return key;
  }

  /** Returns the number of a text. */
  number(text: string): number {
    const known = this.numbers.get(text) ?? this.numbers.size;
    this.numbers.set(text, known);
    return known;
  }

  private content(node: Node): string {
    return `${node.type.name} ${JSON.stringify(node.attrs)} ${node.children.map((child) => this.of(child)).join(" ")}`;
  }
}
