//! Tables that content gives again.
//!
//! A row or column of the content is an old one, wherever it is now, and so is each cell in it. HTML states the kinds
//! and spans of cells; a table of Markdown states texts and marks, and the alignment of columns at most.

use super::Keeper;
use crate::fit::{is_table, span};
use crate::grid::{self, Grid, Slot};
use crate::parent::is_row;
use crate::rows::{self, Ids, Row, pair_cells, pair_texts};
use crate::{markdown, retext, runs, same_text, segments};
use copydesk_document::{Marks, Node, NodeRole};
use rustc_hash::FxHashSet;
use serde_json::Value;

/// Attributes of cells that say how many columns and rows they span.
const SPANS: [&str; 2] = ["colspan", "rowspan"];
/// Attributes of cells that are those of their column.
const OF_COLUMN: [&str; 2] = ["colwidth", "align"];

impl Keeper<'_> {
    /// Returns the addresses of the tables that were Markdown. `html` is in lower case.
    pub(super) fn tables_of_markdown(&self, nodes: &[Node]) -> FxHashSet<usize> {
        fn collect(keeper: &Keeper, nodes: &[Node], tables: &mut Vec<usize>) {
            for node in nodes {
                tables.extend(is_table(keeper.schema, node).then(|| node.address()));
                collect(keeper, node.children(), tables);
            }
        }
        let mut tables = Vec::new();
        collect(self, nodes, &mut tables);
        let stated: Vec<bool> =
            self.html.match_indices("<table").map(|(at, _)| self.html[at..].starts_with(markdown::TABLE)).collect();
        let is_markdown = |at: usize| match stated.len() == tables.len() {
            true => stated[at],
            // Of content that was cut not all tables are left.
            false => !stated.is_empty() && stated.iter().all(|is_markdown| *is_markdown),
        };
        (0..tables.len()).filter(|at| is_markdown(*at)).map(|at| tables[at]).collect()
    }

    /// Returns whether all nodes are rows of a table.
    pub(super) fn are_rows(&self, old: &[Node], new: &[Node]) -> bool {
        !new.is_empty() && !old.is_empty() && old.iter().chain(new).all(|node| is_row(self.schema, node.kind()))
    }

    /// Returns rows of HTML with the attributes of the old cells that it does not state.
    pub(super) fn rows(&self, old: &[Node], new: Vec<Node>) -> Vec<Node> {
        let (from, to) = (Grid::of(old), Grid::of(&new));
        let (old_texts, new_texts) = (from.texts(self.schema), to.texts(self.schema));
        let pairs = pair_cells(&old_texts, &new_texts);
        let columns = grid::columns(&old_texts, &new_texts, &pairs);
        let is_moved = columns.len() == from.width && !columns.iter().enumerate().all(|(at, from)| *from == Some(at));
        // Another width with a cell in each slot states what cells span.
        let states_spans = to.is_full() && to.width != from.width;
        let mut made: Vec<Vec<Node>> = vec![Vec::new(); new.len()];
        for cell in &to.cells {
            let column = columns[cell.column];
            let pair = pairs[cell.row].and_then(|row| {
                let is_as_wide = old[row].children().len() == new[cell.row].children().len();
                match is_as_wide && !is_moved && !states_spans {
                    true => Some((&old[row].children()[made[cell.row].len()], true)),
                    false => from.cell_in(row, column?).map(|cell| (cell.node, false)),
                }
            });
            made[cell.row].push(match pair {
                Some((old, is_as_wide)) => self.cell(old, cell.node.clone(), is_as_wide),
                None => self.new_cell(&from, column, self.one(None, cell.node.clone())),
            });
        }
        let row = |((row, cells), pair): ((Node, Vec<Node>), Option<usize>)| match pair {
            Some(pair) => {
                let defaults = self.schema.default_attrs(row.kind());
                row.with_attrs(self.merged(Some(row.kind()), old[pair].attrs(), row.attrs(), &defaults))
                    .with_children(cells)
            }
            None => row.with_children(cells),
        };
        new.into_iter().zip(made).zip(pairs).map(row).collect()
    }

    /// Returns a new cell with the attributes of the old one that it repeats. In a row with another number of cells it
    /// keeps its own spans.
    fn cell(&self, old: &Node, new: Node, is_as_wide: bool) -> Node {
        let spans: Vec<(&str, Value)> =
            SPANS.iter().filter_map(|name| Some((*name, new.attrs().get(name)?.clone()))).collect();
        let kept = match old.kind() == new.kind() {
            true => self.one(Some(old), new),
            false => {
                let defaults = self.schema.default_attrs(new.kind());
                let shared = old.attrs().iter().filter(|(name, _)| defaults.get(name).is_some());
                let shared = shared.fold(defaults.clone(), |attrs, (name, value)| attrs.with(name, value.clone()));
                let old = Node::new(self.schema, new.kind(), shared, old.children().to_vec(), Marks::NONE);
                self.one(Some(&old), new)
            }
        };
        match is_as_wide {
            true => kept,
            false => spans.into_iter().fold(kept, |kept, (name, span)| kept.with_attrs(kept.attrs().with(name, span))),
        }
    }

    /// Returns a new cell with the attributes that all cells of its column share.
    fn new_cell(&self, old: &Grid, column: Option<usize>, new: Node) -> Node {
        if span(&new) > 1 {
            return new;
        }
        let defaults = self.schema.default_attrs(new.kind());
        let attrs = OF_COLUMN.iter().fold(defaults.clone(), |attrs, name| {
            match column.and_then(|column| old.of_column(column, new.kind(), name)) {
                Some(value) => attrs.with(name, value),
                None => attrs,
            }
        });
        new.with_attrs(self.merged(Some(new.kind()), &attrs, new.attrs(), &defaults))
    }

    /// Returns the rows of a table of Markdown as those of the old table that it is.
    pub(super) fn rows_of_markdown(&self, old: &[Node], new: &[Node]) -> Vec<Node> {
        let from = Grid::of(old);
        let is_head_cell = |cell: &Node| cell.role(self.schema) == Some(NodeRole::HeaderCell);
        let is_head = |row: &Node| row.children().iter().all(is_head_cell);
        // Markdown has no table without a head.
        let has_blank_head = new.len() > 1 && new[0].text_content().trim().is_empty() && !is_head(&old[0]);
        let new = &new[usize::from(has_blank_head)..];
        let to = Grid::of(new);
        if !from.is_full() || !to.is_full() || to.cells.iter().any(|cell| cell.rows > 1 || cell.columns > 1) {
            return self.rows(old, new.to_vec());
        }
        let (old_texts, new_texts) = (from.texts(self.schema), to.texts(self.schema));
        let pairs = pair_cells(&old_texts, &new_texts);
        let columns = grid::columns(&old_texts, &new_texts, &pairs);
        let text = |row: usize, column: usize| new_texts[row][column].clone();
        let slots = grid::layout(&from, &pairs, &columns, &text, &is_head_cell);
        let cell = |slot: &Slot| self.cell_of_slot(&from, &to, &columns, slot);
        let row = |(at, slots): (usize, &Vec<Slot>)| {
            let row = pairs[at].map_or(&new[at], |pair| &old[pair]);
            row.with_children(slots.iter().filter_map(cell).collect())
        };
        slots.iter().enumerate().map(row).collect()
    }

    fn cell_of_slot(&self, from: &Grid, to: &Grid, columns: &[Option<usize>], slot: &Slot) -> Option<Node> {
        let given = to.cell_in(slot.row, slot.column)?.node;
        let column = columns[slot.column];
        let Some(old) = slot.old.map(|old| &from.cells[old]) else {
            let kind = slot.like.map_or(given.kind(), |like| from.cells[like].node.kind());
            let attrs = given.attrs().clone();
            let children = self.all(&[], given.children().to_vec());
            return Some(self.new_cell(from, column, Node::new(self.schema, kind, attrs, children, Marks::NONE)));
        };
        let cell = if slot.keeps_text { old.node.clone() } else { self.with_texts(old.node, given) };
        let cell = match given.attrs().get("align") {
            Some(align) if !align.is_null() => cell.with_attrs(cell.attrs().with("align", align.clone())),
            _ => cell,
        };
        Some(grid::with_span(cell, old, slot, &columns[slot.column..slot.column + slot.columns]))
    }

    /// Returns an old cell with the lines of another one. Its nodes without text are kept.
    fn with_texts(&self, old: &Node, given: &Node) -> Node {
        let schema = self.schema;
        let is_text = |node: &Node| schema.is_textblock(node.kind()) && !schema.node_type(node.kind()).code;
        let as_blocks = || old.with_children(self.all(old.children(), given.children().to_vec()));
        let old_rows = rows::flatten(schema, old.children(), &mut Ids::default());
        let is_line = |row: &Row| row.path.last().is_some_and(|link| is_text(&link.node));
        let lines: Vec<usize> = (0..old_rows.len()).filter(|at| is_line(&old_rows[*at])).collect();
        if lines.is_empty() && given.text_content().trim().is_empty() {
            return old.clone();
        }
        if lines.is_empty() || !given.children().iter().all(is_text) {
            return as_blocks();
        }
        let new: Vec<Vec<Node>> =
            given.children().iter().flat_map(|block| segments::split(schema, block)).map(|line| line.inline).collect();
        let from: Vec<String> = lines.iter().map(|at| runs::flat_text(schema, &old_rows[*at].inline)).collect();
        let to: Vec<String> = new.iter().map(|line| runs::flat_text(schema, line)).collect();
        let mut out: Vec<Row> = Vec::new();
        let mut done = 0;
        for (line, pair) in new.into_iter().zip(paired_lines(&from, &to)) {
            let Some(at) = pair.map(|pair| lines[pair]) else {
                let Some(path) = out.last().map(|last| last.path.clone()) else { return as_blocks() };
                out.push(Row { path, opened_by: None, inline: self.all(&[], line), from: None });
                continue;
            };
            out.extend((done..at).filter(|at| !lines.contains(at)).map(|at| old_rows[at].clone()));
            out.push(Row { inline: self.line(&old_rows[at].inline, line), ..old_rows[at].clone() });
            done = at + 1;
        }
        out.extend((done..old_rows.len()).filter(|at| !lines.contains(at)).map(|at| old_rows[at].clone()));
        rows::assemble(schema, &out).map_or_else(as_blocks, |children| old.with_children(children))
    }

    /// Returns a line of Markdown in the place of an old one. Text of the old line keeps its marks.
    fn line(&self, old: &[Node], new: Vec<Node>) -> Vec<Node> {
        let new = self.all(old, new);
        if !old.iter().chain(&new).all(Node::is_text) {
            return new;
        }
        let text = runs::flat_text(self.schema, &new);
        let base = match new.iter().any(|node| !node.marks().is_empty()) {
            true => retext::kept(self.schema, old, &text),
            false => retext::inline(self.schema, old, &text),
        };
        same_text::with_marks(self.schema, base, &new)
    }
}

/// Returns for each line of a cell the old one that it is.
fn paired_lines(old: &[String], new: &[String]) -> Vec<Option<usize>> {
    fn texts(lines: &[String]) -> Vec<&str> {
        lines.iter().map(String::as_str).collect()
    }
    pair_texts(&texts(old), &texts(new))
}
