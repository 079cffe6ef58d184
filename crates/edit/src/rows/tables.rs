//! Rows of tables.

use super::builder::Builder;
use super::nodes::is_textblock;
use super::shown::{Kind, ShownRow};
use super::shown_row::{lines_of, plain};
use super::{Link, Row, pair_texts, without_id};
use crate::{Error, fit};
use copydesk_document::notation::Sign;
use copydesk_document::{Marks, Node, NodeRole};
use rustc_hash::FxHashSet;
use std::ops::Range;

impl Builder<'_> {
    /// Returns the link to the row of a table that an old row is in.
    pub(super) fn table_row_of(&self, at: usize) -> Option<usize> {
        self.old_rows[at].path.iter().position(|link| link.node.role(self.schema) == Some(NodeRole::Row))
    }

    /// Returns the units that rows are paired by: with cells, whole rows of tables, else single lines.
    pub(super) fn units(&self, range: Range<usize>, has_cells: bool) -> Vec<Range<usize>> {
        let mut units: Vec<Range<usize>> = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let row =
                self.table_row_of(at).filter(|_| has_cells).map_or(at..at + 1, |_| self.row_around(&(at..at + 1)));
            let unit = if range.start <= row.start && row.end <= range.end { row } else { at..at + 1 };
            at = unit.end;
            units.push(unit);
        }
        units
    }

    /// Returns the units by which rows of content are paired: with cells, whole rows of the tables that have no line
    /// given by itself, otherwise single lines.
    pub(super) fn units_for(&self, range: Range<usize>, given: &[ShownRow]) -> Vec<Range<usize>> {
        let has_cells = given.iter().any(ShownRow::has_cells);
        let lines: FxHashSet<&str> =
            given.iter().filter(|row| !row.has_cells()).map(|row| row.raw.trim_end()).collect();
        let table = |at: usize| Some(self.old_rows[at].path.get(self.table_row_of(at)?.checked_sub(1)?)?.id);
        let is_line =
            |at: &usize| lines.contains(self.old[*at].raw.trim_end()) && !self.old[*at].inside_cell().is_empty();
        let units = self.units(range, has_cells);
        // Of a row that is not all in the range each line is given by itself, whatever the others are.
        let in_rows = units.iter().filter(|unit| self.is_row(unit)).flat_map(Range::clone);
        let apart: FxHashSet<u32> = in_rows.filter(is_line).filter_map(table).collect();
        let single = |unit: Range<usize>| match table(unit.start).is_some_and(|table| apart.contains(&table)) {
            true => unit.map(|at| at..at + 1).collect(),
            false => vec![unit],
        };
        units.into_iter().flat_map(single).collect()
    }

    /// Returns whether lines are some of one row of a table.
    pub(super) fn is_in_one_row(&self, range: &Range<usize>) -> bool {
        self.table_row_of(range.start).is_some() && {
            let row = self.row_around(&(range.start..range.start + 1));
            row.start <= range.start && range.end <= row.end
        }
    }

    /// Returns a unit as it would be shown.
    pub(super) fn unit(&self, unit: &Range<usize>, has_cells: bool) -> ShownRow {
        let first = &self.old[unit.start];
        if !has_cells || self.table_row_of(unit.start).is_none() || unit.len() == 1 && !self.is_row(unit) {
            return first.clone();
        }
        let cells: Vec<String> = self.cells(unit).iter().map(|cell| self.cell_text(cell)).collect();
        let signs = first.signs.iter().take_while(|sign| **sign != Sign::Cell).cloned().collect();
        ShownRow { signs, ..ShownRow::of_cells(cells) }
    }

    /// Returns the lines of each cell of a row.
    pub(super) fn cells(&self, row: &Range<usize>) -> Vec<Range<usize>> {
        let cell = |at: usize| Some(self.old_rows[at].path.get(self.table_row_of(at)? + 1)?.id);
        let mut cells: Vec<Range<usize>> = Vec::new();
        for at in row.clone() {
            match cells.last_mut() {
                Some(last) if cell(last.start) == cell(at) => last.end = at + 1,
                _ => cells.push(at..at + 1),
            }
        }
        cells
    }

    pub(super) fn cell_text(&self, cell: &Range<usize>) -> String {
        self.old[cell.clone()].iter().map(ShownRow::inside_cell).collect::<Vec<_>>().join("\n")
    }

    /// Returns whether lines are a whole row of a table.
    pub(super) fn is_row(&self, unit: &Range<usize>) -> bool {
        self.table_row_of(unit.start).is_some() && self.row_around(unit) == *unit
    }

    /// Adds a row of a table. `at` is its index among the rows of content, `old` has the lines of the row that it was.
    pub(super) fn table_row(
        &mut self,
        at: usize,
        given: &ShownRow,
        old: Option<Range<usize>>,
        next: Option<usize>,
    ) -> Option<()> {
        let Kind::Cells { cells, is_head } = &given.kind else { return None };
        if let Some(row) = self.table_rows.remove(&at) {
            return self.laid_out_row(row);
        }
        match old.filter(|old| self.table_row_of(old.start).is_some()) {
            Some(old) => self.old_table_row(cells, &old),
            None => self.new_table_row(given, cells, *is_head, next),
        }
    }

    /// Adds some cells of a row, or all cells of a row of an uneven table.
    fn old_table_row(&mut self, texts: &[String], row: &Range<usize>) -> Option<()> {
        let depth = self.table_row_of(row.start)?;
        let cells = self.cells(row);
        let old = self.old_rows[row.start].path[depth].node.clone();
        let count = old.children().len();
        let mut texts = texts.to_vec();
        if cells.len() < count && texts.len() == count {
            // A whole row for some of its cells: the others must be unchanged.
            let whole = self.row_around(row);
            let all = self.cells(&whole);
            let at = all.iter().position(|cell| cell.start == cells[0].start)?;
            let is_other = |(index, text): (usize, &String)| {
                !(at..at + cells.len()).contains(&index) && plain(text) != plain(&self.cell_text(&all[index]))
            };
            if all.len() != count || texts.iter().enumerate().any(is_other) {
                self.error = Some(Error::PartOfRow {
                    given: (self.number(row.start), self.number(row.end - 1)),
                    row: (self.number(whole.start), self.number(whole.end - 1)),
                });
                return None;
            }
            texts = texts[at..at + cells.len()].to_vec();
        }
        self.check_columns(texts.len(), cells.len(), fit::width(&old))?;
        texts.iter().zip(&cells).try_for_each(|(text, cell)| self.cell(text, cell))
    }

    /// Fails if a row has another number of cells than it must have.
    fn check_columns(&mut self, given: usize, expected: usize, columns: usize) -> Option<()> {
        if given != expected {
            self.error = Some(Error::ColumnCount { given, columns });
            return None;
        }
        Some(())
    }

    /// Returns the lines of the whole row of a table that some lines are in.
    pub(super) fn row_around(&self, row: &Range<usize>) -> Range<usize> {
        let id = |at: usize| self.table_row_of(at).map(|depth| self.old_rows[at].path[depth].id);
        let is_in = |at: &usize| id(*at) == id(row.start);
        let start = (0..row.start).rev().take_while(is_in).last().unwrap_or(row.start);
        let end = (row.end..self.old_rows.len()).take_while(is_in).last().map_or(row.end, |at| at + 1);
        start..end
    }

    fn number(&self, at: usize) -> usize {
        self.lines[at].line
    }

    /// Adds a cell with a text.
    pub(super) fn cell(&mut self, text: &str, cell: &Range<usize>) -> Option<()> {
        let old = self.cell_text(cell);
        if plain(text) == plain(&old) || text == old.replace('\n', " ") {
            return cell.clone().try_for_each(|at| self.same(at));
        }
        let lines = lines_of(text);
        let is_in_block = |at: usize| self.old[at].signs.last() != Some(&Sign::Cell);
        // Breaks are all that a cell of Markdown has for the items of a list.
        if lines.len() == cell.len()
            && cell.clone().any(is_in_block)
            && cell.clone().all(|at| self.old[at].kind == Kind::Text)
        {
            return cell.clone().zip(&lines).try_for_each(|(at, line)| self.line_of_cell(at, line));
        }
        let is_text = |at: &usize| {
            let row = &self.old[*at];
            row.kind == Kind::Text && row.signs.last() == Some(&Sign::Cell)
        };
        let texts: Vec<usize> = cell.clone().filter(is_text).collect();
        if texts.is_empty() {
            return None;
        }
        let old: Vec<&str> = texts.iter().map(|at| self.old[*at].text.as_str()).collect();
        let new: Vec<&str> = lines.iter().map(String::as_str).collect();
        let pairs = pair_texts(&old, &new);
        // Content of the cell other than lines of text stays.
        let mut done = cell.start;
        for (line, pair) in lines.iter().zip(pairs) {
            let from = pair.map(|pair| texts[pair]);
            if let Some(from) = from {
                (done..from).filter(|at| !texts.contains(at)).try_for_each(|at| self.same(at))?;
                done = from + 1;
            }
            let path = match from {
                Some(from) => self.path_of(from),
                None => self.out.last()?.path.clone(),
            };
            let opened_by = from.and_then(|from| self.old_rows[from].opened_by.clone());
            self.text(Row { path, opened_by, inline: Vec::new(), from }, line)?;
        }
        (done..cell.end).filter(|at| !texts.contains(at)).try_for_each(|at| self.same(at))
    }

    /// Adds a line of a cell with the text of the old one in its place.
    fn line_of_cell(&mut self, at: usize, line: &str) -> Option<()> {
        let old = &self.old[at];
        let (inside, text) = (old.inside_cell(), old.text.clone());
        let sign = inside.strip_suffix(&text).unwrap_or_default();
        let line = line.strip_prefix(sign).unwrap_or(line);
        let row = Row {
            path: self.path_of(at),
            opened_by: self.old_rows[at].opened_by.clone(),
            inline: Vec::new(),
            from: Some(at),
        };
        self.text(row, line)
    }

    /// Adds a cell to a row that the last link of a path leads to.
    pub(super) fn new_cell(&mut self, row: &[Link], like: &Node, text: &str) -> Option<()> {
        let schema = self.schema;
        let defaults = schema.default_attrs(like.kind());
        let keeps = |name: &str| matches!(name, "colwidth" | "align");
        let attrs = like.attrs().iter().filter(|(name, _)| keeps(name));
        let attrs = attrs.fold(defaults, |attrs, (name, value)| attrs.with(name, value.clone()));
        let cell = self.ids.link(Node::new(schema, like.kind(), attrs, Vec::new(), Marks::NONE));
        let block = match like.children().first().filter(|block| is_textblock(schema, block)) {
            Some(block) => self.ids.link(without_id(schema, block).with_children(Vec::new())),
            None => self.ids.fresh(schema, NodeRole::Paragraph)?,
        };
        let path: Vec<Link> = row.iter().cloned().chain([cell, block]).collect();
        for line in lines_of(text) {
            self.text(Row { path: path.clone(), opened_by: None, inline: Vec::new(), from: None }, &line)?;
        }
        Some(())
    }

    /// Adds a row to an uneven table or to a new one.
    fn new_table_row(&mut self, given: &ShownRow, texts: &[String], is_head: bool, next: Option<usize>) -> Option<()> {
        let schema = self.schema;
        let row_in = |path: &[Link]| {
            let at = path.iter().position(|link| link.node.role(schema) == Some(NodeRole::Row))?;
            Some(path[..=at].to_vec())
        };
        let before = self.out.last().and_then(|last| row_in(&last.path)).filter(|_| !is_head);
        let behind = next.and_then(|next| row_in(&self.old_rows[next].path)).filter(|_| !is_head);
        let Some(like) = before.or(behind) else { return self.new_table(given, texts, is_head, next) };
        let (row, table) = like.split_last()?;
        if let Some(columns) = self.columns.get(&table.last()?.id).copied() {
            self.check_columns(texts.len(), columns, columns)?;
            return self.plain_row(table.to_vec(), texts, NodeRole::Cell);
        }
        let cells = row.node.children();
        self.check_columns(texts.len(), cells.len(), fit::width(&row.node))?;
        let path: Vec<Link> = table.iter().cloned().chain([self.ids.fresh(schema, NodeRole::Row)?]).collect();
        texts.iter().zip(cells).try_for_each(|(text, cell)| self.new_cell(&path, cell, text))
    }

    fn new_table(&mut self, given: &ShownRow, texts: &[String], is_head: bool, next: Option<usize>) -> Option<()> {
        let mut path = self.containers(given, next, None)?;
        self.states = true;
        let table = self.ids.fresh(self.schema, NodeRole::Table)?;
        self.columns.insert(table.id, texts.len());
        path.push(table);
        self.plain_row(path, texts, if is_head { NodeRole::HeaderCell } else { NodeRole::Cell })
    }

    fn plain_row(&mut self, table: Vec<Link>, texts: &[String], cell: NodeRole) -> Option<()> {
        let row = self.ids.fresh(self.schema, NodeRole::Row)?;
        let kind = self.schema.find_role(cell)?;
        let like = Node::new(self.schema, kind, self.schema.default_attrs(kind), Vec::new(), Marks::NONE);
        let path: Vec<Link> = table.into_iter().chain([row]).collect();
        texts.iter().try_for_each(|text| self.new_cell(&path, &like, text))
    }
}
