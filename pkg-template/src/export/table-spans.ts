/** The spans of cells, without overlaps. */

import type { NodeJSON } from "../types/index.js";
import { wholeNumber } from "./whole-number.js";

export interface Span {
  /** The first column. */
  readonly column: number;
  readonly columns: number;
  readonly rows: number;
}

/** HTML's limit. */
const MOST_COLUMNS = 1000;
const WIDEST_COLUMN = 10_000;

/**
 * Returns the spans of the cells of each row, such that no cell covers another and none reaches below the table. Cells are
 * placed as HTML does it, and one that would cover another ends before it. Spans behind those of the cells are those of
 * empty cells, which fill the row up to the cells of earlier rows that reach into it.
 */
export function spansOf(rows: readonly NodeJSON[], mostColumns = MOST_COLUMNS): Span[][] {
  /** By column: the first row in which it is free again. */
  const freeFrom: number[] = [];
  return rows.map((row, at) => {
    let column = 0;
    const isFree = (index: number) => (freeFrom[index] ?? 0) <= at;
    const place = (wanted: number, wantedRows: number): Span => {
      while (!isFree(column)) column++;
      let columns = 1;
      while (columns < wanted && isFree(column + columns)) columns++;
      const height = Math.min(wantedRows, rows.length - at);
      freeFrom.length = Math.max(freeFrom.length, column + columns);
      freeFrom.fill(at + height, column, column + columns);
      column += columns;
      return { column: column - columns, columns, rows: height };
    };
    const spans = (row.content ?? []).map(({ attrs = {} }) =>
      place(wholeNumber(attrs.colspan, 1, mostColumns) ?? 1, wholeNumber(attrs.rowspan, 1, rows.length) ?? 1),
    );
    const last = freeFrom.findLastIndex((row) => row > at);
    const first = () => freeFrom.findIndex((_, index) => index >= column && isFree(index));
    for (let gap = first(); gap >= 0 && gap < last; gap = first()) spans.push(place(last - gap, 1));
    return spans;
  });
}

/** Returns the widths of a table's columns in pixels, as the attribute `colwidth` of their cells has them. */
export function columnWidthsOf(rows: readonly NodeJSON[], spans: readonly (readonly Span[])[]): (number | undefined)[] {
  const count = Math.max(0, ...spans.map((row) => (row.at(-1) ? row.at(-1)!.column + row.at(-1)!.columns : 0)));
  const widths = new Array<number | undefined>(count).fill(undefined);
  spans.forEach((row, at) =>
    row.forEach(({ column, columns }, index) => {
      const given: unknown = rows[at]?.content?.[index]?.attrs?.colwidth;
      if (!Array.isArray(given)) return;
      for (let offset = 0; offset < columns; offset++) {
        const width = wholeNumber(given[offset], 1, WIDEST_COLUMN);
        if (width !== undefined) widths[column + offset] ??= width;
      }
    }),
  );
  return widths;
}
