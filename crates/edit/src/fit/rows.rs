//! Rows and cells of a table in place of lines.

use super::{Placement, Region, is_whole_table};
use crate::Error;
use crate::parent::{is_row, spans_rows};
use crate::{levels, pair, retext};
use copydesk_document::{Document, Line, Node, Schema, count_lines};
use serde_json::Value;
use std::ops::RangeInclusive;

/// Returns whether two lines are in different cells of one table.
pub fn are_cells_apart(document: &Document, first: &Line, last: &Line) -> bool {
    let (Some(depth), Some(other)) = (row_depth(document, first), row_depth(document, last)) else { return false };
    depth == other && first.path[..depth - 1] == last.path[..depth - 1] && first.path[..=depth] != last.path[..=depth]
}

/// Returns whether a line is in a row of a table.
pub fn is_in_row(document: &Document, line: &Line) -> bool {
    row_depth(document, line).is_some()
}

/// Returns whether a line is in the first row of a table, or in none.
pub fn is_first_row(document: &Document, line: &Line) -> bool {
    row_depth(document, line).is_none_or(|depth| line.path[depth - 1] == 0)
}

/// Returns the level of the innermost table that a line is in.
pub(super) fn table_depth(document: &Document, line: &Line) -> Option<usize> {
    row_depth(document, line)?.checked_sub(2)
}

/// Returns how many nodes of a line's path lead to the innermost row that it is in.
fn row_depth(document: &Document, line: &Line) -> Option<usize> {
    let is_row = |depth: &usize| {
        let node = document.node_at(&line.path[..*depth]);
        node.is_some_and(|node| is_row(document.schema(), node.kind()))
    };
    (1..line.path.len()).rev().find(is_row)
}

/// Returns whether a range is a part of one row of a table that has so many columns.
pub fn is_part_of_row(document: &Document, lines: &[Line], range: &RangeInclusive<usize>, columns: usize) -> bool {
    let region = Region { document, lines, range: range.clone() };
    let row = region.depth_of(|_, node| is_row(document.schema(), node.kind()));
    row.is_some_and(|depth| {
        let rows = region.siblings(depth);
        rows.len() == 1 && !region.covers(depth) && width(&rows[0]) == columns
    })
}

/// Returns whether a range is whole rows of a table with a cell that has several lines.
pub fn has_long_cells(document: &Document, lines: &[Line], range: &RangeInclusive<usize>) -> bool {
    let schema = document.schema();
    let region = Region { document, lines, range: range.clone() };
    let depth = region.depth_of(|_, node| is_row(schema, node.kind())).filter(|depth| region.covers(*depth));
    depth.is_some_and(|depth| region.siblings(depth).iter().any(|row| count_lines(schema, row) != row.children().len()))
}

/// Returns plain text for whole rows of a table as rows: rows of Markdown, or one line for each cell of more or fewer
/// rows. None where it is neither.
///
/// # Errors
/// [`Error::ColumnCount`] where a row of Markdown has another number of cells.
pub fn text_rows(
    document: &Document,
    lines: &[Line],
    range: RangeInclusive<usize>,
    text: &[String],
) -> Result<Option<Placement>, Error> {
    let region = Region { document, lines, range };
    let schema = document.schema();
    let Some(depth) = region.depth_of(|_, node| is_row(schema, node.kind())) else { return Ok(None) };
    if !region.covers(depth) {
        return Ok(None);
    }
    let old = region.siblings(depth);
    let columns = old[0].children().len();
    let has_one_text = |cell: &Node| cell.children().len() == 1 && schema.is_textblock(cell.children()[0].kind());
    let is_plain = |row: &Node| {
        row.children().len() == columns
            && row.children().iter().all(has_one_text)
            && count_lines(schema, row) == columns
            && !spans_rows(row)
    };
    if !old.iter().all(is_plain) {
        return Ok(None);
    }
    let filled: Vec<&String> = text.iter().filter(|line| !line.trim().is_empty()).collect();
    let rows = table_rows(&filled, columns).or_else(|| chunked(&region, columns, text));
    let Some(rows) = rows else { return Ok(None) };
    if let Some(table) = region.with_other_columns(depth, &rows) {
        return Ok(Some(table));
    }
    if let Some(row) = rows.iter().find(|row| row.len() != columns) {
        return Err(Error::ColumnCount { given: row.len(), columns });
    }
    let pairs = paired(&old, &rows.iter().map(|row| row.join("\n")).collect::<Vec<_>>());
    let cells: Vec<&Node> = old.iter().flat_map(Node::children).collect();
    let old_texts: Vec<String> = cells.iter().map(|cell| cell.text_content()).collect();
    let own = |(row, at): (usize, &Option<usize>)| {
        (0..rows[row].len()).map(|cell| at.map(|at| at * columns + cell)).collect::<Vec<_>>()
    };
    let own: Vec<Option<usize>> = pairs.iter().enumerate().flat_map(own).collect();
    let new_texts: Vec<&str> = rows.iter().flatten().map(String::as_str).collect();
    let old_texts: Vec<&str> = old_texts.iter().map(String::as_str).collect();
    let mut sources = pair::sources(&old_texts, &new_texts, &own).into_iter();
    let blocks = rows.iter().zip(pairs).map(|(row, old_row)| {
        let (like, is_new) = old_row.map_or((&old[old.len() - 1], true), |at| (&old[at], false));
        // A cell that moved takes its marks along.
        let cells = like.children().iter().zip(row).map(|(cell, text)| match sources.next().flatten() {
            Some(source) => cell.with_children(cells[source].children().to_vec()),
            None => text_cell(schema, cell, text, is_new),
        });
        like.with_children(cells.collect())
    });
    let blocks = blocks.collect();
    Ok(Some(Placement { lines: region.range, depth: Some(depth), blocks, old }))
}

/// Returns content with one line for each cell as the rows of whole rows of a table, of which it gives more or fewer.
/// None where it is not that.
pub fn rows_of_cells(
    document: &Document,
    lines: &[Line],
    range: &RangeInclusive<usize>,
    text: &[String],
) -> Option<Vec<Vec<String>>> {
    let region = Region { document, lines, range: range.clone() };
    let depth = region.depth_of(|_, node| is_row(document.schema(), node.kind()))?;
    let rows = region.covers(depth).then(|| region.siblings(depth))?;
    chunked(&region, rows[0].children().len(), text)
}

/// Returns lines in chunks of a row's cells, without the bar that each is shown with; none where they are as many as
/// the lines of the range, or no such rows.
fn chunked(region: &Region, columns: usize, text: &[String]) -> Option<Vec<Vec<String>>> {
    let count = region.range.end() + 1 - region.range.start();
    let filled: Vec<&str> = text.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    let has_bar = |text: &str| text.starts_with('|');
    let inside = |line: &&str| cells_of(line.strip_prefix('|')?).pop().filter(|_| !line[1..].contains('|'));
    let shown: Option<Vec<String>> = match region.named().iter().any(|line| has_bar(&line.text)) {
        true => None,
        false => filled.iter().map(inside).collect(),
    };
    let cells = shown.unwrap_or_else(|| filled.iter().map(|line| (*line).to_owned()).collect());
    let is_rows = cells.len() != count && cells.len().is_multiple_of(columns) && columns > 1;
    let is_list = || levels::are_items(text, region.named()) && is_whole_table(region.document, region.named());
    (is_rows && !is_list()).then(|| cells.chunks(columns).map(<[String]>::to_vec).collect())
}

/// Returns a cell with a text in its first textblock; a new one has nothing else of `cell` but its attributes.
fn text_cell(schema: &Schema, cell: &Node, text: &str, is_new: bool) -> Node {
    let mut children = cell.children().to_vec();
    if let Some(block) = children.first_mut().filter(|block| schema.is_textblock(block.kind())) {
        let empty = if is_new { block.with_children(Vec::new()) } else { block.clone() };
        *block = retext::with_text(schema, &empty, text);
    }
    cell.with_children(children)
}

/// Returns the cells of rows of Markdown with bars at both ends; none where some line is no such row.
pub fn markdown_rows(text: &[String]) -> Option<Vec<Vec<String>>> {
    let text: Vec<&String> = text.iter().filter(|line| !line.trim().is_empty()).collect();
    table_rows(&text, 0)
}

/// Returns lines with one cell each, as tables are shown, as rows of so many; none where they do not come out even.
pub fn cells_as_rows(text: &[String], columns: usize) -> Option<Vec<Vec<String>>> {
    let cell = |line: &String| Some(line.trim().strip_prefix('|')?.trim().to_owned());
    let cells: Vec<String> = text.iter().map(cell).collect::<Option<_>>()?;
    (columns > 0 && cells.len().is_multiple_of(columns))
        .then(|| cells.chunks(columns).map(<[String]>::to_vec).collect())
}

/// Returns the number of cells in a row of Markdown, or of a line that is shown for one; none in the line below a head.
pub fn cells_in(line: &str) -> usize {
    let line = line.trim();
    let inside = line.strip_prefix('|').unwrap_or(line);
    let inside = inside.strip_suffix('|').unwrap_or(inside);
    if is_table_rule(line) { 0 } else { cells_of(inside).len() }
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

/// Returns the numbers of columns of the tables that lines are in, in their order.
pub fn columns_of(document: &Document, lines: &[Line]) -> Vec<usize> {
    let mut tables: Vec<(&[usize], usize)> = Vec::new();
    for line in lines {
        let Some(path) = row_depth(document, line).map(|depth| &line.path[..depth]) else { continue };
        let Some(columns) = document.node_at(path).map(width) else { continue };
        let table = &path[..path.len() - 1];
        if tables.last().is_none_or(|(last, _)| *last != table) {
            tables.push((table, columns));
        }
    }
    tables.into_iter().map(|(_, columns)| columns).collect()
}

/// Returns the cells of rows of Markdown; none where some line is no such row. The line below a head is no row.
fn table_rows(text: &[&String], columns: usize) -> Option<Vec<Vec<String>>> {
    let (mut rows, mut has_rule) = (Vec::new(), false);
    for line in text.iter().map(|line| line.trim()) {
        // The bars at the ends may be missing where the row is one by its cells.
        let has_bars = line.starts_with('|') && line.ends_with('|') && line.len() > 1;
        let inside = if has_bars { &line[1..line.len() - 1] } else { line };
        let has_one_bar = line.starts_with('|') || line.ends_with('|');
        if !has_bars && (has_one_bar || columns < 2 || cells_of(inside).len() != columns) {
            return None;
        }
        let is_rule = inside.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ')) && inside.contains("-");
        has_rule |= is_rule && rows.len() == 1;
        if !is_rule {
            rows.push(cells_of(inside));
        }
    }
    (has_rule || rows.iter().any(|row| row.len() > 1)).then_some(rows)
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

/// Returns for each new row the old one that it is: where there are as many, in their order unless some were moved, else
/// those of which most cells are equal.
fn paired(old: &[Node], new: &[String]) -> Vec<Option<usize>> {
    let cells = |row: &Node| row.children().iter().map(Node::text_content).collect::<Vec<_>>();
    let texts: Vec<Vec<String>> = old.iter().map(cells).collect();
    let equal = |row: &[String], text: &str| row.iter().zip(text.split('\n')).filter(|(a, b)| a == b).count();
    if old.len() == new.len() {
        return moved_rows(old, &texts.iter().map(|row| row.join("\n")).collect::<Vec<_>>(), new, |at, text| {
            equal(&texts[at], text)
        });
    }
    let mut next = 0;
    let find = |text: &String| {
        let best = (next..old.len()).map(|at| (equal(&texts[at], text), at)).filter(|(equal, _)| *equal > 0);
        let found = best.max_by_key(|(equal, at)| (*equal, usize::MAX - at)).map(|(_, at)| at);
        next = found.map_or(next, |at| at + 1);
        found
    };
    new.iter().map(find).collect()
}

/// Returns for each row of as many the old one that it is. Only where an old row is at another place now, rows are
/// looked for elsewhere, among those with the same kinds of cells.
fn moved_rows(
    old: &[Node],
    old_texts: &[String],
    new: &[String],
    equal: impl Fn(usize, &str) -> usize,
) -> Vec<Option<usize>> {
    let mut left: Vec<usize> = (0..old.len()).filter(|at| old_texts[*at] != new[*at]).collect();
    let mut pairs: Vec<Option<usize>> = (0..old.len()).map(|at| (!left.contains(&at)).then_some(at)).collect();
    let is_like =
        |a: usize, b: usize| old[a].children().iter().map(Node::kind).eq(old[b].children().iter().map(Node::kind));
    let open = left.clone();
    for at in &open {
        let found = left.iter().position(|from| old_texts[*from] == new[*at] && is_like(*from, *at));
        pairs[*at] = found.map(|found| left.remove(found));
    }
    if left.len() == open.len() {
        return (0..old.len()).map(Some).collect();
    }
    for at in open {
        if pairs[at].is_none() {
            let likest = (0..left.len()).filter(|index| is_like(left[*index], at));
            let likest = likest.max_by_key(|index| (equal(left[*index], &new[at]), left[*index] == at));
            pairs[at] = likest.map(|index| left.remove(index));
        }
    }
    pairs
}

/// Returns how many columns a row has.
pub(super) fn width(row: &Node) -> usize {
    let span = |cell: &Node| cell.attrs().get("colspan").and_then(Value::as_u64).unwrap_or(1).max(1) as usize;
    row.children().iter().map(span).sum()
}

impl Region<'_> {
    /// The whole table with another number of columns: each cell that stays is what it was. None where the rows at the
    /// level are not the whole table, or as wide as before.
    fn with_other_columns(&self, depth: usize, rows: &[Vec<String>]) -> Option<Placement> {
        let (schema, above) = (self.schema(), depth.checked_sub(1)?);
        let (old, columns) = (self.siblings(depth), rows.first()?.len());
        let is_other = rows.iter().all(|row| row.len() == columns) && old[0].children().len() != columns;
        if !is_other || !self.covers(above) {
            return None;
        }
        let mut next = 0;
        let new = rows.iter().enumerate().map(|(at, row)| {
            let common = |old: &Node| {
                let texts: Vec<String> = old.children().iter().map(Node::text_content).collect();
                row.iter().filter(|text| !text.is_empty() && texts.contains(text)).count()
            };
            let pair = match rows.len() == old.len() {
                true => Some(at),
                false => (next..old.len()).rev().max_by_key(|at| common(&old[*at])).filter(|at| common(&old[*at]) > 0),
            };
            next = pair.map_or(next, |pair| pair + 1);
            let like = pair.map_or(&old[old.len() - 1], |pair| &old[pair]);
            let mut left: Vec<&Node> = like.children().iter().collect();
            let cells = row.iter().map(|text| {
                let same = left.iter().position(|cell| pair.is_some() && cell.text_content() == *text);
                match same.map(|same| left.remove(same)) {
                    Some(cell) => cell.clone(),
                    None => text_cell(schema, &like.children()[like.children().len() - 1], text, true),
                }
            });
            like.with_children(cells.collect())
        });
        let table = self.siblings(above).into_iter().next()?;
        let blocks = vec![table.with_children(new.collect())];
        Some(Placement { lines: self.range.clone(), depth: Some(above), blocks, old: vec![table] })
    }

    /// Rows in place of the rows at a level.
    pub(super) fn rows(&self, depth: usize, mut new: Vec<Node>) -> Result<Placement, Error> {
        let first = &self.first().path;
        let all = self.children(&first[..depth]);
        let (from, to) = (first[depth], self.last().path[depth]);
        let texts = |rows: &[Node]| rows.iter().map(Node::text_content).collect::<Vec<_>>();
        // The whole table, of which these rows are meant.
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
        let texts: Vec<String> = new
            .iter()
            .map(|row| row.children().iter().map(Node::text_content).collect::<Vec<_>>().join("\n"))
            .collect();
        let columns = all.iter().map(width).max().unwrap_or(0);
        for (row, pair) in new.iter_mut().zip(paired(&old, &texts)) {
            let is_like = |like: &&Node| like.children().len() == row.children().len();
            if let Some(like) = pair.map(|at| &old[at]).or(all.iter().find(|like| is_like(like))).filter(is_like) {
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

    /// Fails where the lines are a part of a row and what is given is not that row with other cells there.
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
        if new.len() == columns && new.len() != last[depth] + 1 - first[depth] {
            return self.rows(row_depth, rows.to_vec());
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
