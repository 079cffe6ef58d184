/** Rows that are inserted into the source of a table, or removed from it. */

import type { Node } from "@tiptap/pm/model";
import type { Edit } from "./inline-patch.js";
import { indentBefore, lineStart, originOf, type PatchContext } from "./patch-context.js";

/** The rows of a table whose source is known. */
export class TableRows {
  constructor(
    private readonly context: PatchContext,
    private readonly table: Node,
  ) {}

  /** Returns the edit that removes a row. */
  removal(at: number): Edit {
    const { context, table } = this;
    const { from, to } = originOf(context, table.child(at));
    if (at + 1 < table.childCount) return { from, to: originOf(context, table.child(at + 1)).from, text: "" };
    // The row before is not the end of what is before: the delimiter row follows the head.
    const before = context.source.slice(0, lineStart(context.source, from));
    return { from: before.replace(/\r?\n$|\r$/, "").length, to, text: "" };
  }

  /** Returns the edit that inserts rows behind a row, in the notation of that row. */
  insertion(at: number, rows: readonly Node[]): Edit {
    const { source, lineEnd, writer } = this.context;
    const { from, to } = originOf(this.context, this.table.child(at));
    const shape = source.slice(from, to);
    const isOpen = !shape.startsWith("|");
    const isClosed = /[^\\]\|\s*$/.test(shape);
    const widths = this.widths();
    const start = lineEnd + indentBefore(source, from);
    const space = /^\|[ \t]/.test(shape) || isOpen || !isClosed ? " " : "";
    const texts = rows.map((row) => {
      const known = writer.knownRow(row);
      if (known !== undefined) return known;
      const cells = row.children.map((cell, column) => {
        const text = space + writer.cell(cell) + space;
        return text.padEnd(widths?.[column] ?? 0);
      });
      const line = cells.join("|");
      return (isOpen ? line.trimStart() : `|${line}`) + (isClosed ? "|" : "");
    });
    const text = texts.map((text) => start + text.trimEnd()).join("");
    if (at > 0) return { from: to, to, text };
    // Behind the delimiter row.
    const next = /\r?\n|\r/.exec(source.slice(to));
    const row = next ? to + next.index + next[0].length : source.length;
    const end = row + (/\r?\n|\r|$/.exec(source.slice(row))?.index ?? 0);
    return { from: end, to: end, text };
  }

  /** Returns the widths of a table's columns if all its rows have the same. */
  private widths(): number[] | undefined {
    const widths = this.table.children.map((row) => {
      return row.children.map((cell) => {
        const { from, to } = this.context.origins.get(cell) ?? { from: 0, to: 0 };
        return this.context.source.slice(from, to).replace(/^\|/, "").replace(/\|$/, "").length;
      });
    });
    const [first] = widths;
    return widths.every((row) => String(row) === String(first)) ? first : undefined;
  }
}
