/** The spans of cells, without overlaps. */

import type { NodeJSON } from "../types.js";
import { wholeNumber } from "./whole-number.js";

export interface Span {
  readonly columns: number;
  readonly rows: number;
}

/** HTML's limits; a file names each column. */
const MOST_COLUMNS = 1000;

/**
 * Returns the spans of the cells of each row, such that no cell covers another and none reaches below the table. Cells are
 * placed as HTML does it, and one that would cover another ends before it. Spans behind those of the cells are those of
 * empty cells, which fill the row up to the cells of earlier rows that reach into it.
 */
export function spansOf(rows: readonly NodeJSON[]): Span[][] {
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
      return { columns, rows: height };
    };
    const spans = (row.content ?? []).map(({ attrs = {} }) =>
      place(wholeNumber(attrs.colspan, 1, MOST_COLUMNS) ?? 1, wholeNumber(attrs.rowspan, 1, rows.length) ?? 1),
    );
    const last = freeFrom.findLastIndex((row) => row > at);
    const first = () => freeFrom.findIndex((_, index) => index >= column && isFree(index));
    for (let gap = first(); gap >= 0 && gap < last; gap = first()) spans.push(place(last - gap, 1));
    return spans;
  });
}
