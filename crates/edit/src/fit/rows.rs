//! Rows and cells of a table in place of lines.

use super::{Placement, Region};
use crate::Error;
use crate::parent::{is_row, spans_rows};
use crate::rows::pair_cells;
use copydesk_document::{Document, Line, Node};
use serde_json::Value;

/// Returns whether two lines are in different cells of one table.
pub fn are_cells_apart(document: &Document, first: &Line, last: &Line) -> bool {
    let (Some(depth), Some(other)) = (row_depth(document, first), row_depth(document, last)) else { return false };
    depth == other && first.path[..depth - 1] == last.path[..depth - 1] && first.path[..=depth] != last.path[..=depth]
}

/// Returns how many nodes of a line's path lead to the innermost row that it is in.
fn row_depth(document: &Document, line: &Line) -> Option<usize> {
    let is_row = |depth: &usize| {
        let node = document.node_at(&line.path[..*depth]);
        node.is_some_and(|node| is_row(document.schema(), node.kind()))
    };
    (1..line.path.len()).rev().find(is_row)
}

/// Returns the number of cells in a row of Markdown, or of a line that shows one. The delimiter row below a head has no
/// cells.
pub fn cells_in(line: &str) -> usize {
    markdown_cells(line).len()
}

/// Returns the texts of the cells of a row of Markdown.
pub fn markdown_cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let inside = line.strip_prefix('|').unwrap_or(line);
    cells_of(inside.strip_suffix('|').unwrap_or(inside))
}

/// Returns whether a line is the one below the head of a table.
pub fn is_table_rule(line: &str) -> bool {
    line.contains('|') && line.contains('-') && line.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' '))
}

/// Returns the cells of a row of Markdown without its outer bars. An escaped bar is a sign of the text.
fn cells_of(inside: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut signs = inside.chars().peekable();
    while let Some(sign) = signs.next() {
        match (sign, cells.last_mut()) {
            ('|', _) => cells.push(String::new()),
            ('\\', Some(cell)) if signs.next_if_eq(&'|').is_some() => cell.push('|'),
            (sign, Some(cell)) => cell.push(sign),
            (_, None) => {}
        }
    }
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

/// Returns how many columns a row has.
pub fn width(row: &Node) -> usize {
    row.children().iter().map(span).sum()
}

/// Returns how many columns a cell has.
pub fn span(cell: &Node) -> usize {
    cell.attrs().get("colspan").and_then(Value::as_u64).unwrap_or(1).max(1) as usize
}

/// Returns how many rows a cell reaches over.
pub fn row_span(cell: &Node) -> usize {
    cell.attrs().get("rowspan").and_then(Value::as_u64).unwrap_or(1).max(1) as usize
}

impl Region<'_> {
    /// Rows in place of the rows at a level.
    pub(super) fn rows(&self, depth: usize, mut new: Vec<Node>) -> Result<Placement, Error> {
        let first = &self.first().path;
        let all = self.children(&first[..depth]);
        let (from, to) = (first[depth], self.last().path[depth]);
        let texts = |rows: &[Node]| rows.iter().map(Node::text_content).collect::<Vec<_>>();
        // The content is the whole table, in which these rows are meant.
        let behind = all.len() - to - 1;
        if new.len() > from + behind
            && from + behind > 0
            && texts(&new[..from]) == texts(&all[..from])
            && texts(&new[new.len() - behind..]) == texts(&all[to + 1..])
        {
            new.truncate(new.len() - behind);
            new.drain(..from);
        }
        let old = all[from..=to].to_vec();
        self.check_rest_of_rows(depth, &old, &new)?;
        let cells = |row: &Node| row.children().iter().map(Node::text_content).collect::<Vec<_>>();
        let cells = |rows: &[Node]| rows.iter().map(cells).collect::<Vec<_>>();
        let pairs = pair_cells(&cells(&old), &cells(&new));
        let columns = all.iter().map(width).max().unwrap_or(0);
        for (row, pair) in new.iter_mut().zip(pairs) {
            let is_like = |like: &&Node| like.children().len() == row.children().len();
            let beside = || old.iter().rev().chain(all).find(is_like);
            if let Some(like) = pair.map(|at| &old[at]).or_else(beside).filter(is_like) {
                let cells =
                    like.children().iter().zip(row.children()).map(|(old, cell)| like_cell(old, cell, pair.is_some()));
                *row = row.with_children(cells.collect());
            }
            if width(row) != columns && !old.iter().any(spans_rows) {
                return Err(Error::ColumnCount { given: width(row), columns });
            }
        }
        Ok(Placement { lines: self.whole(depth), depth: Some(depth), blocks: new, old })
    }

    /// Fails if the lines are a part of a row and the content is not that row with other cells in their place.
    fn check_rest_of_rows(&self, depth: usize, old: &[Node], new: &[Node]) -> Result<(), Error> {
        let whole = self.whole(depth);
        if whole == self.range {
            return Ok(());
        }
        let part_of_row = || Error::PartOfRow {
            given: (*self.range.start(), *self.range.end()),
            row: (*whole.start(), *whole.end()),
        };
        if old.len() != new.len() {
            return Err(part_of_row());
        }
        let path = &self.first().path;
        for (at, (old, new)) in old.iter().zip(new).enumerate() {
            if old.children().len() != new.children().len() {
                return Err(part_of_row());
            }
            for (cell, (old, new)) in old.children().iter().zip(new.children()).enumerate() {
                let mut of_cell = path[..depth].to_vec();
                of_cell.extend([path[depth] + at, cell]);
                let is_meant = |line: &Line| line.path.starts_with(&of_cell) && self.range.contains(&line.line);
                if !self.lines.iter().any(is_meant) && old.text_content() != new.text_content() {
                    return Err(part_of_row());
                }
            }
        }
        Ok(())
    }

    /// Cells in place of the cells of one row.
    pub(super) fn cells(&self, row_depth: usize, rows: &[Node]) -> Result<Placement, Error> {
        let new: Vec<Node> = rows.iter().flat_map(Node::children).cloned().collect();
        let depth = row_depth + 1;
        let (first, last) = (&self.first().path, &self.last().path);
        let columns = self.children(&first[..=row_depth]).len();
        if first[row_depth] != last[row_depth] {
            return Err(Error::ColumnCount { given: new.len(), columns });
        }
        let old = self.siblings(depth);
        if old.len() != new.len() {
            return Err(Error::ColumnCount { given: new.len(), columns: old.len() });
        }
        let blocks = old.iter().zip(&new).map(|(old, new)| like_cell(old, new, true)).collect();
        Ok(Placement { lines: self.whole(depth), depth: Some(depth), blocks, old })
    }
}

/// A new cell with the attributes of an old one that HTML did not repeat. Where it is the same cell it stays a header.
fn like_cell(old: &Node, new: &Node, is_same: bool) -> Node {
    let keeps = |name: &str| is_same || matches!(name, "colwidth" | "align");
    let mut attrs = new.attrs().clone();
    for (name, value) in old.attrs().iter().filter(|(name, _)| keeps(name)) {
        let is_default = attrs.get(name).is_none_or(|new| new.is_null() || new.as_u64() == Some(1));
        if is_default {
            attrs = attrs.with(name, value.clone());
        }
    }
    match is_same {
        true => old.with_attrs(attrs).with_children(new.children().to_vec()),
        false => new.with_attrs(attrs),
    }
}
