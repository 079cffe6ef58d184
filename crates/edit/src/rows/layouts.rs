//! The cells of tables when content gives some of their rows.
//!
//! A row of content states a text for each column. All else is that of the old cells: their kinds, the slots that they
//! cover, and their attributes ([`layout`]). Rows that leave no merged cell whole are refused.

use super::Link;
use super::builder::{Builder, TableCell, TableRow};
use super::given::Given;
use super::shown::{Kind, ShownRow};
use super::shown_row::plain;
use crate::Error;
use crate::grid::{self, Cell, Grid, Slot, layout};
use copydesk_document::{Marks, Node, NodeRole};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A row of a table after the edit.
struct NewRow {
    /// The index of the old row that it is.
    old: Option<usize>,
    /// Its index among the rows of content; `None` if its cells stay.
    given: Option<usize>,
    /// The texts of its cells as they are written.
    texts: Vec<String>,
}

/// A table before the edit.
struct OldTable<'n> {
    grid: Grid<'n>,
    /// The nodes that it is in, the table itself last.
    path: Vec<Link>,
    /// The lines of each row.
    rows: Vec<Range<usize>>,
    /// The lines of each cell.
    cells: Vec<Range<usize>>,
}

impl Builder<'_> {
    /// Finds the cells of the rows of content that are rows of old tables, and the spans of the old cells around them.
    pub(super) fn lay_out_tables(&mut self, given: &Given, old: &Range<usize>, behind: Option<usize>) -> Option<()> {
        self.table_rows.clear();
        let tables = self.tables_of(given, old.start, behind);
        let mut ids: Vec<u32> =
            old.clone().filter_map(|at| self.table_of(at)).chain(tables.iter().flatten().copied()).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut rows_in: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (at, table) in tables.iter().enumerate() {
            table.iter().for_each(|id| rows_in.entry(*id).or_default().push(at));
        }
        let laid_out = ids.into_iter().try_for_each(|id| {
            let here = rows_in.remove(&id).unwrap_or_default();
            self.lay_out(id, given, old, &here)
        });
        laid_out.map_err(|error| self.error = Some(error)).ok()
    }

    /// Returns the table that an old row is in.
    fn table_of(&self, at: usize) -> Option<u32> {
        Some(self.old_rows[at].path.get(self.table_row_of(at)?.checked_sub(1)?)?.id)
    }

    /// Returns for each row of content the old table that it is in. A new row continues the table before it, or begins
    /// the one behind it.
    fn tables_of(&self, given: &Given, start: usize, behind: Option<usize>) -> Vec<Option<u32>> {
        let mut before = start.checked_sub(1).and_then(|at| self.table_of(at));
        let mut is_in_new = false;
        let table = |at: usize| {
            let next = || given.next_old(at + 1).or(behind).and_then(|at| self.table_of(at));
            let table = match (given.old(at), &given.rows[at].kind) {
                (Some(own), _) => self.table_of(own),
                (None, Kind::Cells { is_head: false, .. }) if !is_in_new => before.or_else(next),
                _ => None,
            };
            is_in_new = given.rows[at].has_cells() && table.is_none();
            before = table;
            table
        };
        (0..given.rows.len()).map(table).collect()
    }

    /// Finds the cells of one table. `here` are the indexes of the rows of content that are in it.
    fn lay_out(&mut self, id: u32, given: &Given, old: &Range<usize>, here: &[usize]) -> Result<(), Error> {
        let first = self.rows_of[&id].start;
        let Some(depth) = self.table_row_of(first) else { return Ok(()) };
        if self.keeps_rows(depth, given, old, here) {
            return Ok(());
        }
        let node = self.old_rows[first].path[depth - 1].node.clone();
        let table = self.old_table(node.children(), first, depth);
        if !table.grid.is_full() || table.cells.len() != table.grid.cells.len() {
            return Ok(());
        }
        let mut rows = self.new_rows(&table, given, old, here);
        if rows.len() == table.rows.len() && rows.iter().all(|row| row.given.is_none()) {
            return Ok(());
        }
        let pairs: Vec<Option<usize>> = rows.iter().map(|row| row.old).collect();
        let columns = self.columns_of(&table.grid, &pairs, &mut rows)?;
        let bare: Vec<Vec<String>> = rows.iter().map(|row| row.texts.iter().map(|text| bare(text)).collect()).collect();
        let text = |row: usize, column: usize| bare[row][column].clone();
        let is_head = |cell: &Node| cell.role(self.schema) == Some(NodeRole::HeaderCell);
        let slots = layout(&table.grid, &pairs, &columns, &text, &is_head);
        self.check_merged(&table.grid, &pairs, &columns, &slots)?;
        for (row, slots) in rows.iter().zip(slots) {
            self.set_spans(&table, depth, &slots, &columns);
            let Some(given) = row.given else {
                // A cell that began in a removed row belongs among lines that are not named.
                let old = slots.iter().filter_map(|slot| Some(&table.grid.cells[slot.old?]));
                match old.clone().find(|cell| Some(cell.row) != row.old) {
                    Some(cell) => return Err(self.merged_cell(cell)),
                    None => continue,
                }
            };
            let cell = |slot: &Slot| {
                let text = row.texts[slot.column].clone();
                match slot.old {
                    Some(old) => TableCell::Old(table.cells[old].clone(), (!slot.keeps_text).then_some(text)),
                    None => TableCell::New(self.like_slot(&table.grid, slot, columns[slot.column]), text),
                }
            };
            let cells = slots.iter().map(cell).collect();
            let mut path = table.path.clone();
            match row.old {
                Some(old) => {
                    path.push(self.old_rows[table.rows[old].start].path[depth].clone());
                    self.laid_out.insert(path[depth].id);
                }
                None => path.extend(self.ids.fresh(self.schema, NodeRole::Row)),
            }
            self.table_rows.insert(given, TableRow { path, cells });
        }
        Ok(())
    }

    /// Returns whether the content gives lines of cells alone, and some of each row that it is for.
    fn keeps_rows(&self, depth: usize, given: &Given, old: &Range<usize>, here: &[usize]) -> bool {
        if here.iter().any(|at| given.rows[*at].has_cells()) {
            return false;
        }
        let mut places: Vec<usize> = here.iter().filter_map(|at| given.old(*at)).collect();
        places.sort_unstable();
        let mut at = old.start;
        while at < old.end {
            let row = self.old_rows[at].path.get(depth).map_or(at..at + 1, |link| self.rows_of[&link.id].clone());
            let is_inside = self.table_row_of(at) == Some(depth) && old.start <= row.start && row.end <= old.end;
            let next = places.partition_point(|place| *place < row.start);
            if is_inside && places.get(next).is_none_or(|place| *place >= row.end) {
                return false;
            }
            at = row.end;
        }
        true
    }

    fn old_table<'n>(&self, nodes: &'n [Node], first: usize, depth: usize) -> OldTable<'n> {
        let mut rows: Vec<Range<usize>> = Vec::with_capacity(nodes.len());
        let mut at = first;
        for _ in nodes {
            let row = self.row_around(&(at..at + 1));
            at = row.end;
            rows.push(row);
        }
        let cells = rows.iter().flat_map(|row| self.cells(row)).collect();
        OldTable { grid: Grid::of(nodes), path: self.path_of(first)[..depth].to_vec(), rows, cells }
    }

    /// Returns the rows that a table has after the edit. A row is kept if the content gives lines of its cells alone.
    fn new_rows(&self, table: &OldTable, given: &Given, old: &Range<usize>, here: &[usize]) -> Vec<NewRow> {
        let texts = table.grid.texts(self.schema);
        let kept = |row: usize| NewRow { old: Some(row), given: None, texts: texts[row].clone() };
        let is_before = |row: &usize| table.rows[*row].start < old.start;
        let is_behind = |row: &usize| table.rows[*row].end > old.end && !is_before(row);
        let mut rows: Vec<NewRow> = (0..table.rows.len()).filter(is_before).map(kept).collect();
        for at in here.iter().copied() {
            let own = given.old(at).map(|at| table.rows.partition_point(|row| row.end <= at));
            match (&given.rows[at].kind, own) {
                (Kind::Cells { cells, .. }, None) => {
                    rows.push(NewRow { old: None, given: Some(at), texts: cells.clone() });
                }
                (Kind::Cells { cells, .. }, Some(own)) if given.pairs[at].as_ref() == Some(&table.rows[own]) => {
                    rows.push(NewRow { old: Some(own), given: Some(at), texts: cells.clone() });
                }
                (_, Some(own)) if is_before(&own) || is_behind(&own) => {}
                (_, Some(own)) if rows.last().is_some_and(|last| last.old == Some(own)) => {}
                (_, own) => rows.extend(own.map(kept)),
            }
        }
        rows.extend((0..table.rows.len()).filter(is_behind).map(kept));
        rows
    }

    /// Returns for each column of rows the old one that it is. A row may leave out the slots that a merged cell covers;
    /// rows for the whole table may have other columns.
    fn columns_of(
        &self,
        grid: &Grid,
        pairs: &[Option<usize>],
        rows: &mut [NewRow],
    ) -> Result<Vec<Option<usize>>, Error> {
        let cells_of = |row: usize| grid.cells.iter().filter(move |cell| cell.row == row);
        let width = rows.first().map_or(0, |row| row.texts.len());
        let is_whole = |row: &NewRow| row.given.is_some() && row.texts.len() == width;
        let fits = |row: &NewRow| {
            row.texts.len() == grid.width || row.old.is_some_and(|old| cells_of(old).count() == row.texts.len())
        };
        if !rows.iter().all(fits) {
            if let Some(other) = rows.iter().find(|row| !fits(row)).filter(|_| !rows.iter().all(is_whole)) {
                return Err(Error::ColumnCount { given: other.texts.len(), columns: grid.width });
            }
        } else {
            for row in rows.iter_mut().filter(|row| row.texts.len() != grid.width) {
                let mut texts = vec![String::new(); grid.width];
                let cells = row.old.into_iter().flat_map(cells_of);
                cells.zip(std::mem::take(&mut row.texts)).for_each(|(cell, text)| texts[cell.column] = text);
                row.texts = texts;
            }
        }
        // Rows outside of the content keep the order of their cells.
        if rows.iter().any(|row| row.given.is_none()) {
            return Ok((0..grid.width).map(Some).collect());
        }
        let texts = |row: &NewRow| row.texts.iter().map(|text| plain(text)).collect::<Vec<_>>();
        let new: Vec<Vec<String>> = rows.iter().map(texts).collect();
        Ok(grid::columns(&grid.texts(self.schema), &new, pairs))
    }

    /// Fails if a slot that still exists is no longer in its cell.
    fn check_merged(
        &self,
        grid: &Grid,
        pairs: &[Option<usize>],
        columns: &[Option<usize>],
        slots: &[Vec<Slot>],
    ) -> Result<(), Error> {
        let mut owners = vec![vec![None; columns.len()]; pairs.len()];
        for slot in slots.iter().flatten() {
            for row in &mut owners[slot.row..slot.row + slot.rows] {
                row[slot.column..slot.column + slot.columns].fill(slot.old);
            }
        }
        for (row, owners) in pairs.iter().zip(owners) {
            for (column, owner) in columns.iter().zip(owners) {
                let Some(cell) = row.zip(*column).and_then(|(row, column)| grid.cell_at(row, column)) else { continue };
                if owner != Some(cell) {
                    return Err(self.merged_cell(&grid.cells[cell]));
                }
            }
        }
        Ok(())
    }

    fn merged_cell(&self, cell: &Cell) -> Error {
        let text = grid::text_of(self.schema, cell.node).replace('\n', " ");
        Error::MergedCell { text, rows: cell.rows, columns: cell.columns }
    }

    /// Remembers the spans of the old cells that cover other slots now.
    fn set_spans(&mut self, table: &OldTable, depth: usize, slots: &[Slot], columns: &[Option<usize>]) {
        for (slot, old) in slots.iter().filter_map(|slot| Some((slot, slot.old?))) {
            let cell = &table.grid.cells[old];
            let made =
                grid::with_span(cell.node.clone(), cell, slot, &columns[slot.column..slot.column + slot.columns]);
            if made != *cell.node {
                let link = &self.old_rows[table.cells[old].start].path[depth + 1];
                self.spans.insert(link.id, made);
            }
        }
    }

    /// Returns the model for a new cell.
    fn like_slot(&self, grid: &Grid, slot: &Slot, column: Option<usize>) -> Node {
        let schema = self.schema;
        let like = slot.like.map(|like| &grid.cells[like]);
        let kind = like.map(|cell| cell.node.kind()).or_else(|| schema.find_role(NodeRole::Cell));
        let kind = kind.unwrap_or(grid.cells[0].node.kind());
        let defaults = schema.default_attrs(kind);
        let attrs = match (like, column) {
            (_, None) => defaults,
            (Some(cell), _) if cell.columns == 1 => cell.node.attrs().clone(),
            (_, Some(column)) => match grid.of_column(column, kind, "colwidth") {
                Some(width) => defaults.with("colwidth", width),
                None => defaults,
            },
        };
        // A new column is not aligned as the one beside it.
        let children = like.filter(|_| column.is_some()).map_or_else(Vec::new, |cell| cell.node.children().to_vec());
        Node::new(schema, kind, attrs, children, Marks::NONE)
    }

    /// Adds a row of an old table.
    pub(super) fn laid_out_row(&mut self, row: TableRow) -> Option<()> {
        for cell in row.cells {
            match cell {
                TableCell::New(like, text) => self.new_cell(&row.path, &like, &text)?,
                TableCell::Old(lines, text) => {
                    let link = self.old_rows[lines.start].path[row.path.len()].clone();
                    let path: Vec<Link> = row.path.iter().cloned().chain([link.clone()]).collect();
                    self.moved.insert(link.id, path);
                    match text {
                        Some(text) => self.cell(&text, &lines)?,
                        None => lines.clone().try_for_each(|at| self.same(at))?,
                    }
                }
            }
        }
        Some(())
    }
}

/// Returns a text for comparison, without the signs of marks.
fn bare(text: &str) -> String {
    plain(&ShownRow::of_cells(vec![text.to_owned()]).bare())
}
