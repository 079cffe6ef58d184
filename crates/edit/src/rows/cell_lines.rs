//! Lines of cells as rows of tables.

use super::builder::Builder;
use super::shown::{Kind, ShownRow};
use super::shown_row::plain;
use copydesk_document::align::{Match, matches};
use copydesk_document::notation::Sign;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

impl Builder<'_> {
    /// Returns content for whole rows of a table as such rows: a line for each cell, of more or fewer rows, or a line
    /// for each row with its cells in columns.
    pub(super) fn as_cells(&self, range: Range<usize>, given: Vec<ShownRow>) -> Vec<ShownRow> {
        let given = self.with_rows_of_cells(&range, given);
        let units = self.units(range.clone(), true);
        let is_whole = |unit: &Range<usize>| {
            let link = |depth: usize| &self.old_rows[unit.start].path[depth];
            self.table_row_of(unit.start)
                .is_some_and(|depth| self.cells(unit).len() == link(depth).node.children().len())
        };
        let Some(columns) = units.first().map(|unit| self.cells(unit).len()) else { return given };
        let is_plain = |row: &ShownRow| {
            row.kind == Kind::Text && row.signs.iter().all(|sign| matches!(sign, Sign::Cell | Sign::Quote))
        };
        let given: Vec<ShownRow> = given;
        let filled: Vec<&ShownRow> = given.iter().filter(|row| !row.raw.trim().is_empty()).collect();
        if columns < 2
            || !units.iter().all(|unit| is_whole(unit) && self.cells(unit).len() == columns)
            || !filled.iter().all(|row| is_plain(row))
        {
            return given;
        }
        let has = |sign: &[char]| self.old[range.clone()].iter().any(|row| row.text.contains(sign));
        let split = |text: &str, by: &[&str]| -> Option<Vec<String>> {
            let by = by.iter().find(|by| text.contains(**by))?;
            let cells: Vec<String> = text.split(*by).map(|cell| cell.trim().to_owned()).collect();
            (cells.len() == columns).then_some(cells)
        };
        let in_columns = |text: &str| {
            let by_bar = || (!has(&['|'])).then(|| split(text, &["|"])).flatten();
            let by_comma =
                || (filled.len() == units.len() && !has(&[',', '，'])).then(|| split(text, &[", ", "，"])).flatten();
            split(text, &["\t"]).or_else(by_bar).or_else(by_comma)
        };
        let unsigned = |row: &ShownRow| !row.signs.contains(&Sign::Cell);
        if filled.iter().all(|row| unsigned(row))
            && let Some(rows) = filled.iter().map(|row| in_columns(&row.raw)).collect::<Option<Vec<_>>>()
        {
            return rows.into_iter().map(ShownRow::of_cells).collect();
        }
        let is_other = filled.len() != range.len() && !filled.is_empty() && filled.len().is_multiple_of(columns);
        match is_other {
            true => {
                let cells = |cells: &[&ShownRow]| cells.iter().map(|cell| cell.text.clone()).collect();
                filled.chunks(columns).map(|row| ShownRow::of_cells(cells(row))).collect()
            }
            false => given,
        }
    }

    /// Returns rows without the head of the table that they are in, which Markdown repeats.
    pub(super) fn without_head(&self, range: &Range<usize>, mut given: Vec<ShownRow>) -> Vec<ShownRow> {
        let head = || -> Option<Vec<String>> {
            let depth = self.table_row_of(range.start)?.checked_sub(1)?;
            let first = self.rows_of[&self.old_rows[range.start].path[depth].id].start;
            let row = self.row_around(&(first..first + 1));
            (row.end <= range.start).then(|| self.cells(&row).iter().map(|cell| plain(&self.cell_text(cell))).collect())
        };
        let is_head = |row: &ShownRow| match &row.kind {
            Kind::Cells { cells, is_head: true } => head() == Some(cells.iter().map(|cell| plain(cell)).collect()),
            _ => false,
        };
        if given.len() > 1 && is_head(&given[0]) {
            given.remove(0);
        }
        given
    }

    /// Returns rows in which lines with the sign of a cell are rows of a table, if the cells of the tables have one
    /// line each.
    fn with_rows_of_cells(&self, range: &Range<usize>, given: Vec<ShownRow>) -> Vec<ShownRow> {
        let is_item = |sign: &Sign| matches!(sign, Sign::Bullet | Sign::Number(_) | Sign::Task { .. });
        let is_cell = |row: &ShownRow| match &row.signs[..] {
            [.., Sign::Cell] => matches!(row.kind, Kind::Text | Kind::Own(_)),
            [around @ .., Sign::Cell, item] => row.kind == Kind::Text && is_item(item) && !around.contains(&Sign::Cell),
            _ => false,
        };
        let around =
            |row: &ShownRow| row.signs.iter().take_while(|sign| **sign != Sign::Cell).cloned().collect::<Vec<_>>();
        // Between cells of one table, a text can only be in the cell before it.
        let given = match self.old[range.clone()].iter().all(|row| row.signs.contains(&Sign::Cell)) {
            true => with_texts_between(given, &is_cell),
            false => given,
        };
        // Blank rows between cells are ignored.
        let is_beside = |at: usize| {
            let filled = |row: &&ShownRow| !row.raw.trim().is_empty();
            let (before, behind) = (given[..at].iter().rev().find(filled), given[at..].iter().find(filled));
            before.is_some_and(is_cell) && behind.is_some_and(is_cell)
        };
        let has_blank = self.old[range.clone()].iter().any(|row| row.raw.trim().is_empty());
        let stays = |at: &usize| has_blank || !given[*at].raw.trim().is_empty() || !is_beside(*at);
        let given: Vec<ShownRow> = (0..given.len()).filter(stays).map(|at| given[at].clone()).collect();
        let tables = self.tables_in(range);
        let mut tables_with: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (table, rows) in tables.iter().enumerate() {
            let texts = rows.iter().flat_map(Range::clone).map(|at| self.old[at].text.as_str());
            texts.for_each(|text| tables_with.entry(text).or_default().push(table));
        }
        let old = &self.old[range.clone()];
        let has_cell =
            |at: Option<usize>| at.and_then(|at| given.get(at)).is_some_and(|row| row.signs.contains(&Sign::Cell));
        let read = |start: usize, run: &[ShownRow]| -> (bool, Option<Vec<ShownRow>>) {
            if !is_cell(&run[0]) {
                return (false, None);
            }
            let mut common = vec![0; tables.len()];
            let texts: FxHashSet<&str> = run.iter().map(|row| row.text.as_str()).collect();
            texts.iter().filter_map(|text| tables_with.get(text)).flatten().for_each(|table| common[*table] += 1);
            let table = tables.iter().zip(&common).max_by_key(|(_, common)| **common).map(|(table, _)| table);
            let Some(table) = table else { return (false, None) };
            // Lines that repeat lines of the document in sequence need no rows, unless they are whole rows and all that
            // is given of the table: then its other rows go.
            let is_there =
                |at: &usize| run.iter().zip(&old[*at..]).all(|(row, old)| row.raw.trim_end() == old.raw.trim_end());
            let place = (0..(old.len() + 1).saturating_sub(run.len())).find(is_there).map(|at| range.start + at);
            let is_alone = !has_cell(start.checked_sub(1)) && !has_cell(Some(start + run.len()));
            let are_some_of = |rows: &&Vec<Range<usize>>| {
                let begins = |first: usize| rows.iter().any(|row| row.start == first && self.is_row(row));
                let ends = |end: usize| rows.iter().any(|row| row.end == end);
                let all = rows.iter().map(Range::len).sum::<usize>();
                place.is_some_and(|at| begins(at) && ends(at + run.len())) && run.len() < all
            };
            match (place, tables.iter().filter(|_| is_alone).find(are_some_of)) {
                (Some(_), Some(table)) => (true, self.as_rows(table, run)),
                (Some(_), None) => (false, self.as_rows(table, run)),
                (None, _) => (!self.are_its_lines(table, run), self.as_rows(table, run)),
            }
        };
        let runs = given.chunk_by(|a, b| is_cell(a) && is_cell(b) && around(a) == around(b));
        let runs = runs.flat_map(|run| parts(run, &self.ends_between(&tables, range, run, run.len() == given.len())));
        let mut at = 0;
        let runs: Vec<_> = runs
            .map(|run| {
                at += run.len();
                (run, read(at - run.len(), run))
            })
            .collect();
        // Lines of one table are not told from those of another by their texts: beside rows whole rows are rows.
        let is_read = runs.iter().any(|(_, (has_rows, rows))| *has_rows && rows.is_some());
        let rows = |(run, (has_rows, rows)): (&[ShownRow], (bool, Option<Vec<ShownRow>>))| {
            let rows = rows.filter(|rows| has_rows || is_read && rows.iter().all(ShownRow::has_cells));
            rows.unwrap_or_else(|| run.to_vec())
        };
        runs.into_iter().flat_map(rows).collect()
    }

    /// Returns where lines of cells go from one table to another one directly behind it. `is_only` states that there are no
    /// other rows. A row that comes back tells it, or as many lines as there were between rows that come back.
    fn ends_between(
        &self,
        tables: &[Vec<Range<usize>>],
        range: &Range<usize>,
        run: &[ShownRow],
        is_only: bool,
    ) -> Vec<usize> {
        let bounds = |(a, b): (&Vec<Range<usize>>, &Vec<Range<usize>>)| {
            Some(b.first()?.start).filter(|start| a.last().is_some_and(|last| last.end == *start))
        };
        let bounds: Vec<usize> = tables.iter().zip(tables.iter().skip(1)).filter_map(bounds).collect();
        if bounds.is_empty() {
            return Vec::new();
        }
        let texts = |rows: &[ShownRow]| rows.iter().map(|row| row.raw.trim_end().to_owned()).collect::<Vec<_>>();
        let old = texts(&self.old[range.clone()]);
        // One-based, with the ends of both.
        let mut pairs: Vec<(usize, usize)> = if is_only { vec![(0, 0)] } else { Vec::new() };
        for Match { old, new, len } in matches(&old, &texts(run)) {
            pairs.extend((1..=len).map(|at| (old + at, new + at)));
        }
        pairs.extend(is_only.then_some((old.len() + 1, run.len() + 1)));
        let end = |bound: usize| {
            let bound = bound - range.start;
            let next = pairs.partition_point(|(old, _)| *old <= bound);
            let (before, behind) = (next.checked_sub(1).map(|at| pairs[at]), pairs.get(next));
            match (before, behind) {
                (_, Some((old, new))) if *old == bound + 1 => Some(new - 1),
                (Some((old, new)), _) if old == bound => Some(new),
                (Some((old, new)), Some((next_old, next_new))) if next_old - old == next_new - new => {
                    Some(new + bound - old)
                }
                _ => None,
            }
        };
        bounds.into_iter().filter_map(end).collect()
    }

    /// Returns the rows of each table in a range.
    fn tables_in(&self, range: &Range<usize>) -> Vec<Vec<Range<usize>>> {
        let table = |unit: &Range<usize>| {
            let depth = self.table_row_of(unit.start)?.checked_sub(1)?;
            Some(self.old_rows[unit.start].path[depth].id)
        };
        let units = self.units(range.clone(), true);
        let of_one_table = units.chunk_by(|a, b| table(a) == table(b));
        of_one_table.filter(|rows| table(&rows[0]).is_some()).map(<[_]>::to_vec).collect()
    }

    /// Returns whether lines are the lines of the rows of a table: there are as many, and no changed line has the text
    /// of another changed one.
    fn are_its_lines(&self, rows: &[Range<usize>], lines: &[ShownRow]) -> bool {
        let old: Vec<usize> = rows.iter().flat_map(Range::clone).collect();
        let differs = |(at, row): &(&usize, &ShownRow)| self.old[**at].text != row.text;
        let was: FxHashSet<&str> =
            old.iter().zip(lines).filter(differs).map(|(at, _)| self.old[*at].text.as_str()).collect();
        old.len() == lines.len()
            && !old.iter().zip(lines).filter(differs).any(|(_, row)| was.contains(row.text.as_str()))
    }

    /// Returns lines of cells as rows of a table. `rows` are the old rows; if the range begins or ends within one, the
    /// lines of that one are given one by one. `None` if the lines do not fill whole rows.
    fn as_rows(&self, rows: &[Range<usize>], lines: &[ShownRow]) -> Option<Vec<ShownRow>> {
        let lead = rows.iter().take_while(|unit| !self.is_row(unit)).count();
        let trail = rows[lead..].iter().rev().take_while(|unit| !self.is_row(unit)).count();
        let whole = &rows[lead..rows.len() - trail];
        let ends_row = |unit: &Range<usize>| self.row_around(unit).end == unit.end;
        let is_within = whole.is_empty() && lines.len() <= lead + trail;
        if lines.len() < lead + trail || is_within || whole.is_empty() && lead > 0 && !ends_row(rows.last()?) {
            return None;
        }
        // A new row has as many cells as most.
        let depth = self.table_row_of(rows[0].start)?;
        let table = &self.old_rows[rows[0].start].path[depth.checked_sub(1)?].node;
        let counts = || table.children().iter().map(|row| row.children().len());
        let width = counts().max_by_key(|width| (counts().filter(|count| count == width).count(), *width))?;
        let (first, rest) = lines.split_at(lead);
        let (inside, last) = rest.split_at(rest.len() - trail);
        let old: Vec<Vec<String>> =
            whole.iter().map(|row| row.clone().map(|at| self.old[at].bare()).collect()).collect();
        let new: Vec<String> = inside.iter().map(ShownRow::bare).collect();
        let is_whole = whole.len() == table.children().len() && counts().all(|count| count == width);
        let segments = row_lines(&old, &new, width);
        if is_whole && let Some(width) = other_width(&old, &new, width, segments.as_deref().unwrap_or_default()) {
            return Some(inside.chunks(width).map(|row| row_of(row.chunks(1).collect())).collect());
        }
        let mut made = first.to_vec();
        let mut at = 0;
        // Lines may have been added to a cell of several lines, or taken from it.
        let has_lines = |row: &Range<usize>| self.cells(row).len() < row.len();
        let is_multiline = whole.iter().any(has_lines);
        for segment in segments? {
            let lines = &inside[at..at + segment.len(&old)];
            at += lines.len();
            let is_sure = !is_multiline
                || match segment {
                    RowLines::Old(row) => {
                        !has_lines(&whole[row])
                            || whole[row].clone().zip(lines).all(|(old, new)| self.old[old].bare() == new.bare())
                    }
                    RowLines::Moved(_) => true,
                    RowLines::New(_) => lines.iter().all(|line| line.signs.last() == Some(&Sign::Cell)),
                };
            if !is_sure {
                return None;
            }
            made.push(match segment {
                RowLines::Old(row) | RowLines::Moved(row) => {
                    let start = whole[row].start;
                    let cells = self.cells(&whole[row]);
                    row_of(cells.iter().map(|cell| &lines[cell.start - start..cell.end - start]).collect())
                }
                RowLines::New(_) => row_of(lines.chunks(1).collect()),
            });
        }
        made.extend_from_slice(last);
        Some(made)
    }
}

/// Returns the parts of rows between ascending indexes.
fn parts<'r>(rows: &'r [ShownRow], ends: &[usize]) -> Vec<&'r [ShownRow]> {
    let ends = || ends.iter().copied().chain([rows.len()]);
    let ranges = std::iter::once(0).chain(ends()).zip(ends()).filter(|(start, end)| start < end);
    ranges.map(|(start, end)| &rows[start..end]).collect()
}

/// Returns lines with the sign of a cell as a row of a table.
fn row_of(cells: Vec<&[ShownRow]>) -> ShownRow {
    let text = |lines: &[ShownRow]| lines.iter().map(ShownRow::inside_cell).collect::<Vec<_>>().join("<br>");
    let signs = cells[0][0].signs.iter().take_while(|sign| **sign != Sign::Cell).cloned().collect();
    ShownRow { signs, ..ShownRow::of_cells(cells.iter().map(|lines| text(lines)).collect()) }
}

/// A row of a table among lines of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowLines {
    /// An old row, by its index, with as many lines.
    Old(usize),
    /// An old row that was elsewhere, with the same lines.
    Moved(usize),
    /// A new one with this number of lines.
    New(usize),
}

impl RowLines {
    /// Returns the number of lines. `old` has the lines of the old rows.
    fn len(self, old: &[Vec<String>]) -> usize {
        match self {
            RowLines::Old(row) | RowLines::Moved(row) => old[row].len(),
            RowLines::New(lines) => lines,
        }
    }
}

/// The most pairs of lines and old rows that are compared.
const MOST_ROW_LINES: usize = 4_000_000;

/// Returns the rows that lines of cells form: those that leave the most lines unchanged, and of these the fewest that
/// are moved or new. Each old row has the texts of its lines, a new row as many lines as `width`. `None` if the lines
/// do not form such rows.
fn row_lines(old: &[Vec<String>], new: &[String], width: usize) -> Option<Vec<RowLines>> {
    const SAME: i64 = 1_000_000;
    const NEW: i64 = -3;
    // A row in its place counts more, also where another one has a cell of the row there.
    const MOVED: i64 = -SAME;
    let columns = new.len() + 1;
    if width < 2 || columns.saturating_mul(old.len() + 1) > MOST_ROW_LINES {
        return None;
    }
    let known: FxHashMap<&[String], usize> = old.iter().enumerate().map(|(at, row)| (row.as_slice(), at)).collect();
    let mut lengths: Vec<usize> = old.iter().map(Vec::len).chain([width]).collect();
    lengths.sort_unstable();
    lengths.dedup();
    // For each old row and line, the best value of the lines from there on, and the row that begins there.
    let mut best: Vec<Option<(i64, Option<RowLines>)>> = vec![None; columns * (old.len() + 1)];
    let place = |row: usize, line: usize| row * columns + line;
    for row in (0..=old.len()).rev() {
        for line in (0..columns).rev() {
            let from = |row: usize, line: usize| (line < columns).then(|| best[place(row, line)]).flatten();
            let mut here = match row == old.len() {
                true => (line == new.len()).then_some((0, None)),
                false => from(row + 1, line).map(|(value, _)| (value, None)),
            };
            let mut take = |value: i64, segment: RowLines| {
                if here.is_none_or(|(best, _)| value > best) {
                    here = Some((value, Some(segment)));
                }
            };
            if row < old.len()
                && let Some((value, _)) = from(row + 1, line + old[row].len())
            {
                let same = old[row].iter().zip(&new[line..]).filter(|(old, new)| old == new).count() as i64;
                take(value + SAME * same + 1, RowLines::Old(row));
            }
            for length in lengths.iter().copied() {
                let Some((value, _)) = from(row, line + length) else { continue };
                match known.get(&new[line..line + length]) {
                    Some(row) => take(value + SAME * length as i64 + MOVED, RowLines::Moved(*row)),
                    None if length == width => take(value + NEW, RowLines::New(length)),
                    None => {}
                }
            }
            best[place(row, line)] = here;
        }
    }
    let (mut row, mut line, mut rows) = (0, 0, Vec::new());
    best[0]?;
    while row < old.len() || line < new.len() {
        match best[place(row, line)]?.1 {
            None => row += 1,
            Some(segment) => {
                rows.push(segment);
                row += usize::from(matches!(segment, RowLines::Old(_)));
                line += segment.len(old);
            }
        }
    }
    Some(rows)
}

/// Returns the number of columns with which as many rows as before keep more lines than rows of the old width do. Each
/// old row has a line for each of its cells.
fn other_width(old: &[Vec<String>], new: &[String], width: usize, rows: &[RowLines]) -> Option<usize> {
    let other = new.len() / old.len().max(1);
    let has_rows = other > 1 && other != width && new.len() == other * old.len();
    if !has_rows || !old.iter().all(|row| row.len() == width) {
        return None;
    }
    let in_common = |(old, new): (&Vec<String>, &[String])| -> usize {
        matches(old.as_slice(), new).iter().map(|run| run.len).sum()
    };
    let kept = old.iter().zip(new.chunks(other)).map(in_common).sum::<usize>();
    let mut at = 0;
    let in_rows = rows.iter().map(|row| {
        let new = &new[at..at + row.len(old)];
        at += new.len();
        match row {
            RowLines::Old(row) | RowLines::Moved(row) => old[*row].iter().zip(new).filter(|(a, b)| a == b).count(),
            RowLines::New(_) => 0,
        }
    });
    (kept > in_rows.sum()).then_some(other)
}

/// Returns rows in which a text without a sign between two cells is a further line of the first.
fn with_texts_between(given: Vec<ShownRow>, is_cell: &dyn Fn(&ShownRow) -> bool) -> Vec<ShownRow> {
    let last_cell = given.iter().rposition(is_cell).unwrap_or(0);
    let mut out: Vec<ShownRow> = Vec::with_capacity(given.len());
    for (at, row) in given.into_iter().enumerate() {
        let is_text = row.kind == Kind::Text && row.signs.is_empty() && !row.raw.trim().is_empty();
        match out.last_mut().filter(|last| is_text && at < last_cell && is_cell(last)) {
            Some(last) => {
                last.text += &format!("<br>{}", row.text);
                last.raw += &format!("<br>{}", row.raw);
            }
            None => out.push(row),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_test_support::random::Random;

    #[test]
    fn lines_are_the_rows_that_made_them() {
        let mut random = Random::new();
        for _ in 0..3_000 {
            let width = random.below(4) + 2;
            let mut count = 0;
            let mut row = |length: usize| -> Vec<String> {
                count += 1;
                (0..length).map(|at| format!("{count}/{at}")).collect()
            };
            let lengths: Vec<usize> = (0..random.below(6) + 2)
                .map(|_| if random.below(4) == 0 { random.below(width) + 1 } else { width })
                .collect();
            let old: Vec<Vec<String>> = lengths.into_iter().map(&mut row).collect();
            let (mut new, mut expected) = (Vec::new(), Vec::new());
            for (at, lines) in old.iter().enumerate() {
                if random.below(4) == 0 {
                    new.extend(row(width));
                    expected.push(RowLines::New(width));
                }
                if random.below(5) > 0 {
                    new.extend(lines.iter().cloned());
                    expected.push(RowLines::Old(at));
                }
            }
            let found = row_lines(&old, &new, width);
            // A new row may be taken for a row that was removed.
            let is_same = |rows: &Vec<RowLines>| {
                let kept = |rows: &[RowLines]| {
                    let mut at = 0;
                    let mut kept = Vec::new();
                    for row in rows {
                        let lines = &new[at..at + row.len(&old)];
                        at += lines.len();
                        kept.extend(matches!(row, RowLines::Old(old_at) if old[*old_at] == lines).then_some(*row));
                    }
                    (at, kept)
                };
                kept(rows) == kept(&expected)
            };
            assert!(found.as_ref().is_some_and(is_same), "{old:?} {new:?} {found:?} {expected:?}");
        }
    }
}
