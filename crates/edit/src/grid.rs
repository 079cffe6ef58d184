//! Tables as grids of slots.
//!
//! A cell covers a rectangle of slots; its first one is where it is written. Content that gives a table again is
//! another grid: [`Grid::columns`] says which old column each of its columns is, and [`layout`] which old cell each of
//! its cells is, where the content only states the text of each slot, as Markdown does.

use crate::fit::{row_span, span};
use crate::rows::{LEAST, best_pairs};
use crate::runs::flat_text;
use crate::segments;
use copydesk_document::{Node, NodeTypeId, Schema};
use serde_json::Value;

/// A cell and the slots that it covers.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'n> {
    /// The cell.
    pub node: &'n Node,
    /// Its first row and column.
    pub row: usize,
    pub column: usize,
    /// The number of rows and columns that it covers.
    pub rows: usize,
    pub columns: usize,
}

/// The slots of a table.
#[derive(Debug)]
pub struct Grid<'n> {
    /// The cells in their order.
    pub cells: Vec<Cell<'n>>,
    /// The number of columns.
    pub width: usize,
    /// For each slot of each row the index of its cell.
    slots: Vec<Vec<Option<usize>>>,
    /// True if each slot is covered by one cell.
    is_full: bool,
}

impl<'n> Grid<'n> {
    /// Returns the grid of the rows of a table.
    pub fn of(rows: &'n [Node]) -> Grid<'n> {
        let mut grid = Grid { cells: Vec::new(), width: 0, slots: vec![Vec::new(); rows.len()], is_full: true };
        for (at, row) in rows.iter().enumerate() {
            row.children().iter().for_each(|cell| grid.add(at, cell));
        }
        grid.width = grid.slots.iter().map(Vec::len).max().unwrap_or(0);
        let width = grid.width;
        grid.is_full &= grid.slots.iter().all(|row| row.len() == width && row.iter().all(Option::is_some));
        grid.slots.iter_mut().for_each(|row| row.resize(width, None));
        grid
    }

    fn add(&mut self, row: usize, node: &'n Node) {
        let column = self.slots[row].iter().position(Option::is_none).unwrap_or(self.slots[row].len());
        let (rows, columns) = (row_span(node), span(node));
        self.is_full &= rows <= self.slots.len() - row;
        let rows = rows.min(self.slots.len() - row);
        let index = self.cells.len();
        for slots in &mut self.slots[row..row + rows] {
            slots.resize(slots.len().max(column + columns), None);
            for slot in &mut slots[column..column + columns] {
                self.is_full &= slot.is_none();
                *slot = Some(index);
            }
        }
        self.cells.push(Cell { node, row, column, rows, columns });
    }

    /// Returns whether each slot is covered by one cell.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns the index of the cell that covers a slot.
    pub fn cell_at(&self, row: usize, column: usize) -> Option<usize> {
        *self.slots.get(row)?.get(column)?
    }

    /// Returns the cell that is written in a slot.
    pub fn cell_in(&self, row: usize, column: usize) -> Option<&Cell<'n>> {
        let cell = &self.cells[self.cell_at(row, column)?];
        (cell.row == row && cell.column == column).then_some(cell)
    }

    /// Returns the texts of the slots of each row. A slot that a cell covers beside its first one is empty.
    pub fn texts(&self, schema: &Schema) -> Vec<Vec<String>> {
        let text = |row, column| self.cell_in(row, column).map_or_else(String::new, |cell| text_of(schema, cell.node));
        (0..self.slots.len()).map(|row| (0..self.width).map(|column| text(row, column)).collect()).collect()
    }

    /// Returns the value of an attribute that the last cell of a kind has in a column, or, of a width, its last cell.
    pub fn of_column(&self, column: usize, kind: NodeTypeId, name: &str) -> Option<Value> {
        let cells =
            (0..self.height()).rev().filter_map(|row| self.cell_in(row, column)).filter(|cell| cell.columns == 1);
        let cells: Vec<&Cell> = cells.collect();
        let like = cells.iter().find(|cell| cell.node.kind() == kind);
        let like = like.or_else(|| cells.first().filter(|_| name == "colwidth"))?;
        like.node.attrs().get(name).filter(|value| !value.is_null()).cloned()
    }

    /// Returns how many rows there are.
    pub fn height(&self) -> usize {
        self.slots.len()
    }
}

/// Returns for each column of new rows the old column that it is: the one at its place if there are as many, unless
/// they are the same ones in another order, else those with the most equal texts. `rows` has the old row of each.
pub fn columns(old: &[Vec<String>], new: &[Vec<String>], rows: &[Option<usize>]) -> Vec<Option<usize>> {
    let width = |rows: &[Vec<String>]| rows.iter().map(Vec::len).max().unwrap_or(0);
    let (from, to) = (width(old), width(new));
    let paired: Vec<(&[String], &[String])> =
        rows.iter().zip(new).filter_map(|(from, to)| Some((&old[(*from)?][..], &to[..]))).collect();
    let is_equal = |i: usize, j: usize, (old, new): &(&[String], &[String])| old.get(i) == new.get(j);
    let has_text = |i: usize, (old, _): &(&[String], &[String])| old.get(i).is_some_and(|text| !text.is_empty());
    if from == to {
        return moved_columns(from, |i, j| {
            paired.iter().any(|pair| has_text(i, pair)) && paired.iter().all(|pair| is_equal(i, j, pair))
        });
    }
    let like = |i: usize, j: usize| {
        let equal = paired.iter().filter(|pair| has_text(i, pair) && is_equal(i, j, pair)).count();
        (equal > 0).then(|| (100 * equal / paired.len()) as u32 + LEAST)
    };
    let mut columns = vec![None; to];
    best_pairs(from, to, like).into_iter().for_each(|(from, to)| columns[to] = Some(from));
    columns
}

/// Returns for each column the old column that equals it, if the columns are the old ones in another order; otherwise
/// its own index.
fn moved_columns(width: usize, is_same: impl Fn(usize, usize) -> bool) -> Vec<Option<usize>> {
    let mut left: Vec<usize> = (0..width).filter(|at| !is_same(*at, *at)).collect();
    let mut moved = |at: usize| match is_same(at, at) {
        true => Some(at),
        false => left.iter().position(|from| is_same(*from, at)).map(|found| left.remove(found)),
    };
    let moved: Option<Vec<usize>> = (0..width).map(&mut moved).collect();
    moved.unwrap_or_else(|| (0..width).collect()).into_iter().map(Some).collect()
}

/// Returns the lines of a cell's text that are not blank.
pub fn text_of(schema: &Schema, cell: &Node) -> String {
    fn collect(schema: &Schema, node: &Node, lines: &mut Vec<String>) {
        match schema.is_textblock(node.kind()) {
            true => lines.extend(segments::split(schema, node).iter().map(|line| flat_text(schema, &line.inline))),
            false => node.children().iter().for_each(|child| collect(schema, child, lines)),
        }
    }
    let mut lines = Vec::new();
    collect(schema, cell, &mut lines);
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// A cell of a grid of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its first row and column.
    pub row: usize,
    pub column: usize,
    /// The number of rows and columns that it covers.
    pub rows: usize,
    pub columns: usize,
    /// The index of the old cell that it is.
    pub old: Option<usize>,
    /// The index of the old cell whose kind it has.
    pub like: Option<usize>,
    /// True if its text is that of the old cell, whose first slot was removed.
    pub keeps_text: bool,
}

/// Returns the cells of a grid from the texts of its slots, row by row. `rows` and `columns` have the old index of
/// each. A cell keeps the slots that it covers as far as these are still adjacent and have no text of their own.
pub fn layout(
    old: &Grid,
    rows: &[Option<usize>],
    columns: &[Option<usize>],
    text: &dyn Fn(usize, usize) -> String,
    is_head: &dyn Fn(&Node) -> bool,
) -> Vec<Vec<Slot>> {
    let layout = Layout { old, rows, columns, text, is_head };
    let owners: Vec<Vec<Option<usize>>> =
        (0..rows.len()).map(|row| (0..columns.len()).map(|column| layout.owner(row, column)).collect()).collect();
    let mut is_taken = vec![vec![false; columns.len()]; rows.len()];
    let mut is_placed = vec![false; old.cells.len()];
    let mut made: Vec<Vec<Slot>> = vec![Vec::new(); rows.len()];
    for row in 0..rows.len() {
        for column in 0..columns.len() {
            if is_taken[row][column] {
                continue;
            }
            let owner = owners[row][column].filter(|owner| !is_placed[*owner]);
            let own = owner.map_or_else(String::new, |_| text(row, column));
            let is_of = |row: usize, column: usize| {
                let given = text(row, column);
                owners[row][column] == owner && !is_taken[row][column] && (given.is_empty() || given == own)
            };
            let (mut height, mut width) = (1, 1);
            if owner.is_some() {
                width = (column + 1..columns.len()).take_while(|column| is_of(row, *column)).count() + 1;
                let is_row = |row: &usize| (column..column + width).all(|column| is_of(*row, column));
                height = (row + 1..rows.len()).take_while(is_row).count() + 1;
            }
            is_taken[row..row + height].iter_mut().for_each(|slots| slots[column..column + width].fill(true));
            owner.into_iter().for_each(|owner| is_placed[owner] = true);
            let is_first = |cell: &Cell| rows[row] == Some(cell.row) && columns[column] == Some(cell.column);
            made[row].push(Slot {
                row,
                column,
                rows: height,
                columns: width,
                old: owner,
                like: owner.or_else(|| layout.like(row, column)),
                keeps_text: own.is_empty() && owner.is_some_and(|owner| !is_first(&old.cells[owner])),
            });
        }
    }
    made
}

struct Layout<'a> {
    old: &'a Grid<'a>,
    rows: &'a [Option<usize>],
    columns: &'a [Option<usize>],
    text: &'a dyn Fn(usize, usize) -> String,
    is_head: &'a dyn Fn(&Node) -> bool,
}

impl Layout<'_> {
    /// Returns the old cell that covers a slot. An empty slot of a new row or column is in the cell that is on both
    /// sides.
    fn owner(&self, row: usize, column: usize) -> Option<usize> {
        if let (Some(row), Some(column)) = (self.rows[row], self.columns[column]) {
            return self.old.cell_at(row, column);
        }
        let both = |(before, behind): (Option<usize>, Option<usize>)| before.filter(|cell| behind == Some(*cell));
        let cell = match (self.rows[row], self.columns[column]) {
            (None, Some(column)) => {
                let at = |row: &usize| self.rows[*row].is_some();
                let cell = |row: usize| self.old.cell_at(self.rows[row]?, column);
                both(((0..row).rev().find(at).and_then(cell), (row + 1..self.rows.len()).find(at).and_then(cell)))
            }
            (Some(row), None) => {
                let at = |column: &usize| self.columns[*column].is_some();
                let cell = |column: usize| self.old.cell_at(row, self.columns[column]?);
                both((
                    (0..column).rev().find(at).and_then(cell),
                    (column + 1..self.columns.len()).find(at).and_then(cell),
                ))
            }
            _ => None,
        };
        cell.filter(|_| (self.text)(row, column).is_empty())
    }

    /// Returns the old cell whose kind a new cell has: in a new row, the cell of its column in an adjacent row of the
    /// body; in a new column, the last cell of its row.
    fn like(&self, row: usize, column: usize) -> Option<usize> {
        let template = self.rows[row].or_else(|| self.template(row))?;
        let column = self.columns[column].unwrap_or(self.old.width.checked_sub(1)?);
        self.old.cell_at(template, column)
    }

    /// Returns the old row that is the model for a new row.
    fn template(&self, row: usize) -> Option<usize> {
        let is_body = |row: &usize| {
            (0..self.old.width)
                .filter_map(|column| self.old.cell_at(*row, column))
                .any(|cell| !(self.is_head)(self.old.cells[cell].node))
        };
        let before = self.rows[..row].iter().rev().copied().flatten();
        let behind = self.rows[row..].iter().copied().flatten();
        if row == 0 {
            return behind.into_iter().next();
        }
        // A row of merged cells is a poor model for its columns.
        let is_plain =
            |row: &usize| is_body(row) && (0..self.old.width).all(|column| self.old.cell_in(*row, column).is_some());
        let beside = || before.clone().chain(behind.clone());
        beside().find(is_plain).or_else(|| beside().find(is_body)).or_else(|| (0..self.old.height()).find(is_body))
    }
}

/// Returns a cell that covers the slots of another grid. Its widths are those of the columns that are left.
pub fn with_span(cell: Node, old: &Cell, slot: &Slot, columns: &[Option<usize>]) -> Node {
    if (slot.rows, slot.columns) == (old.rows, old.columns) {
        return cell;
    }
    let mut attrs = cell.attrs().with("colspan", slot.columns.into()).with("rowspan", slot.rows.into());
    if let Some(Value::Array(widths)) = attrs.get("colwidth") {
        let width = |column: &Option<usize>| widths.get((*column)?.checked_sub(old.column)?).cloned();
        let widths: Option<Vec<Value>> = columns.iter().map(width).collect();
        attrs = attrs.with("colwidth", widths.map_or(Value::Null, Value::Array));
    }
    cell.with_attrs(attrs)
}
