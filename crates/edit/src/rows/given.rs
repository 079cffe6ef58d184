//! The rows of content, and the old rows that they are.

use super::builder::Builder;
use super::nodes::is_item;
use super::pairing::{LEAST, PlaceRule, pair};
use super::shown::{self, Kind, ShownRow, Vocabulary};
use super::shown_row::{bare, literal};
use crate::{as_shown, markdown, numbers, typography, wrapping};
use copydesk_document::align::{Match, matches};
use copydesk_document::notation::Sign;
use rustc_hash::{FxHashMap, FxHashSet};
use std::mem::discriminant;
use std::ops::{Range, RangeInclusive};

/// Rows of content, with the old rows that they are: one, or those of a row of a table.
pub(super) struct Given {
    pub(super) rows: Vec<ShownRow>,
    pub(super) pairs: Vec<Option<Range<usize>>>,
    /// True if their signs state the containers.
    pub(super) stated: bool,
}

impl Given {
    /// Returns the index of the first old row of one of the rows.
    pub(super) fn old(&self, at: usize) -> Option<usize> {
        self.pairs[at].as_ref().map(|pair| pair.start)
    }

    /// Returns the first old row that one of the rows from `at` on is.
    pub(super) fn next_old(&self, at: usize) -> Option<usize> {
        (at..self.rows.len()).find_map(|at| self.old(at))
    }

    /// Returns whether more changes than signs of typography in the place of some old rows.
    pub(super) fn changes_words(&self, old: &[ShownRow], range: &Range<usize>) -> bool {
        let stay: FxHashSet<usize> = self.pairs.iter().flatten().flat_map(Range::clone).collect();
        let words = |text: &str| typography::plain(text.trim());
        let is_new = |(row, pair): (&ShownRow, &Option<Range<usize>>)| match pair {
            None => !row.raw.trim().is_empty(),
            Some(pair) => {
                let new = match &row.kind {
                    Kind::Cells { cells, .. } => bare(&cells.join(" ")),
                    _ => row.bare(),
                };
                let old: Vec<&str> = old[pair.clone()].iter().map(|row| row.text.as_str()).collect();
                words(&new) != words(&old.join(" "))
            }
        };
        self.rows.iter().zip(&self.pairs).any(is_new)
            || range.clone().any(|at| !stay.contains(&at) && !old[at].raw.trim().is_empty())
    }

    /// Adds the old leaves that rows without signs cannot express, each beside its old neighbour. A leaf is deleted if
    /// both of its neighbours are. Nothing is added if one of the rows is a leaf: then the content expresses all of
    /// them.
    pub(super) fn keep_leaves(&mut self, old: &[ShownRow]) {
        if self.stated || self.rows.iter().any(|row| matches!(row.kind, Kind::Own(_))) {
            return;
        }
        // For each old row, the index of the row of content behind the one that it is paired with.
        let mut behind: FxHashMap<usize, usize> = FxHashMap::default();
        for (at, pair) in self.pairs.iter().enumerate() {
            for old in pair.iter().flat_map(Range::clone) {
                behind.entry(old).or_insert(at + 1);
            }
        }
        let next = |at: usize| (at + 1..old.len()).find(|at| !is_leaf(&old[*at]));
        let mut kept: Vec<(usize, usize)> = Vec::new();
        for at in (0..old.len()).filter(|at| is_leaf(&old[*at])) {
            if behind.contains_key(&at) {
                continue;
            }
            let before = at.checked_sub(1).and_then(|before| behind.get(&before)).copied();
            let to = before.or_else(|| next(at).and_then(|next| behind.get(&next)).map(|place| place - 1));
            if let Some(to) = to {
                behind.insert(at, to);
                kept.push((to, at));
            }
        }
        // Rows that are added at one place stay in their order.
        kept.sort_by_key(|(to, _)| *to);
        for (to, at) in kept.into_iter().rev() {
            self.rows.insert(to, old[at].clone());
            self.pairs.insert(to, Some(at..at + 1));
        }
    }
}

impl Builder<'_> {
    /// Reads content for all old rows.
    pub(super) fn read(&self, content: &str) -> Option<Vec<ShownRow>> {
        let all = 0..self.old.len();
        let content = match self.host {
            Some(host) => wrapping::decoded(host, content.to_owned(), &self.lines).ok()?,
            None => content.to_owned(),
        };
        let mut lines = as_shown::lines(&content);
        // The end of the last line may be that of a blank one.
        let is_empty = |row: &ShownRow| is_blank(row) || row.is_code() && row.text.is_empty();
        let ends_blank = self.old.last().is_some_and(|last| is_empty(last) && last.signs.is_empty());
        if ends_blank && content.ends_with('\n') && lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(String::new());
        }
        let bare = numbers::without_numbers(lines, numbers::Old::These(&self.lines));
        let given = shown::read(&bare, &Vocabulary::of(self.schema, &self.old), true);
        Some(self.as_cells(all.clone(), self.literals(all, given)))
    }

    /// Returns the rows in which content differs from the old ones, as content for lines.
    pub(super) fn differences(&self, given: &[ShownRow]) -> Vec<(RangeInclusive<usize>, String)> {
        let has_cells = given.iter().any(ShownRow::has_cells);
        let units = self.units_for(0..self.old.len(), given);
        let old: Vec<ShownRow> = units.iter().map(|unit| self.unit(unit, has_cells)).collect();
        let pairs = paired(&old, given, PlaceRule::InContainers);
        let keys = |rows: &[ShownRow]| rows.iter().map(|row| row.key(true)).collect::<Vec<_>>();
        let (old_keys, new_keys) = (keys(&old), keys(given));
        let (mut edits, mut old_at, mut new_at) = (Vec::new(), 0, 0);
        let end = Match { old: old.len(), new: given.len(), len: 0 };
        for run in matches(&old_keys, &new_keys).into_iter().chain([end]) {
            let (from, to) = (old_at..run.old, new_at..run.new);
            let is_blank = |at: usize| is_blank(&given[at]) && pairs[at].is_none();
            let rows: Vec<&str> = to.filter(|at| !is_blank(*at)).map(|at| given[at].raw.as_str()).collect();
            (old_at, new_at) = (run.old + run.len, run.new + run.len);
            let line = |at: usize| self.lines[at].line;
            match (from.is_empty(), rows.is_empty()) {
                (true, true) => {}
                (false, _) => {
                    edits.push((line(units[from.start].start)..=line(units[from.end - 1].end - 1), rows.join("\n")))
                }
                (true, false) => {
                    // Beside the row before them, or the first.
                    let (unit, is_behind) = match from.start.checked_sub(1) {
                        Some(before) => (&units[before], true),
                        None => (&units[0], false),
                    };
                    let raw = self.old[unit.clone()].iter().map(|row| row.raw.as_str()).collect::<Vec<_>>().join("\n");
                    let rows = rows.join("\n");
                    let content = if is_behind { format!("{raw}\n{rows}") } else { format!("{rows}\n{raw}") };
                    edits.push((line(unit.start)..=line(unit.end - 1), content));
                }
            }
        }
        edits
    }

    /// Returns lines of text or code as rows, without the signs before the old lines if each has them.
    pub(super) fn code_rows(&self, range: &Range<usize>, lines: &[String]) -> Vec<ShownRow> {
        let old = &self.old[range.clone()];
        let prefix = old.first().map_or("", |row| &row.raw[..row.raw.len() - row.text.len()]);
        let inside = |line: &String| line.strip_prefix(prefix).or(line.is_empty().then_some("")).map(literal);
        // Spaces may be those of the code.
        let spaces = |text: &str| text.len() - text.trim_start_matches(' ').len();
        let is_shown = !prefix.trim().is_empty()
            || matches!((old.first(), lines.first()), (Some(old), Some(new)) if spaces(new) >= spaces(&old.raw));
        let rows = (is_shown && old.iter().all(ShownRow::is_code))
            .then(|| lines.iter().map(inside).collect::<Option<Vec<_>>>());
        rows.flatten().unwrap_or_else(|| lines.iter().map(|line| literal(line)).collect())
    }

    /// Returns the rows that take the place of a range, of rows that repeat all that is around it in its blocks or most
    /// of the document.
    pub(super) fn window(&mut self, range: &Range<usize>, given: Vec<ShownRow>) -> Vec<ShownRow> {
        let all = 0..self.old.len();
        let has_more = given.iter().filter(|row| !row.raw.trim().is_empty()).count() > range.len();
        if *range == all || !self.is_whole && !has_more && !given.iter().any(ShownRow::has_cells) {
            return given;
        }
        let rows = self.as_cells(all.clone(), given.clone());
        let has_cells = rows.iter().any(ShownRow::has_cells);
        let units = self.units_for(all, &rows);
        let old: Vec<ShownRow> = units.iter().map(|unit| self.unit(unit, has_cells)).collect();
        let pairs = pair(&old, &rows, PlaceRule::InContainers);
        let is_outside = |unit: &Range<usize>| unit.end <= range.start || unit.start >= range.end;
        let place: FxHashMap<usize, usize> =
            pairs.iter().enumerate().filter_map(|(new, old)| Some(((*old)?, new))).collect();
        let is_same = |at: usize| place.get(&at).is_some_and(|new| rows[*new].key(true) == old[at].key(true));
        let mut outside = (0..units.len()).filter(|at| is_outside(&units[*at]));
        let is_filled = |at: &usize| !old[*at].key(true).is_empty();
        let is_alike = |at: usize| place.get(&at).is_some_and(|new| rows[*new].bare_key() == old[at].bare_key());
        let is_repeated = outside.clone().any(|at| is_filled(&at))
            && outside.all(|at| is_same(at) || is_alike(at) || !is_filled(&at));
        if !self.is_whole && !is_repeated {
            return given;
        }
        let old_of = |new: usize| pairs[new].map(|at| &units[at]);
        let start = (0..rows.len()).rev().find(|new| old_of(*new).is_some_and(|unit| unit.end <= range.start));
        let end = (0..rows.len()).find(|new| old_of(*new).is_some_and(|unit| unit.start >= range.end));
        let (start, end) = (start.map_or(0, |at| at + 1), end.unwrap_or(rows.len()));
        if self.is_whole {
            let has_text = |at: usize| place.get(&at).is_some_and(|new| rows[*new].text.trim() == old[at].text.trim());
            let differs = |at: &usize| is_outside(&units[*at]) && !is_same(*at) && !has_text(*at) && is_filled(at);
            for at in (0..units.len()).filter(differs) {
                let content = place.get(&at).map(|new| rows[*new].text.clone());
                self.not_applied.push((self.lines[units[at].start].line, content));
            }
        }
        rows.get(start..end).unwrap_or_default().to_vec()
    }

    /// Returns rows with the first at most one level deeper than the old row before it: others indent by more columns.
    pub(super) fn reachable(&self, range: &Range<usize>, given: Vec<ShownRow>) -> Vec<ShownRow> {
        let quotes = |row: &ShownRow| row.signs.iter().take_while(|sign| **sign == Sign::Quote).count();
        let levels = |row: &ShownRow| row.signs[quotes(row)..].iter().take_while(|sign| **sign == Sign::Indent).count();
        let Some(first) = given.first().filter(|first| levels(first) > 0 && is_signed(first)) else { return given };
        let before = range.start.checked_sub(1).map(|at| &self.old[at]);
        let most = before.map_or(0, |row| row.signs.len() - quotes(row));
        let own = levels(&self.old[range.start]);
        // No list in an item begins with the number of the next item.
        let is_number = |sign: &&Sign| matches!(sign, Sign::Number(number) if *number > 1);
        let has_own_number =
            first.signs.last().filter(is_number).is_some_and(|sign| self.old[range.start].signs.last() == Some(sign));
        let excess = levels(first).saturating_sub(if has_own_number { own } else { most.max(own) });
        let count = given.iter().take_while(|row| levels(row) >= levels(first) || is_blank(row)).count();
        let raised = |(at, row): (usize, ShownRow)| {
            let (from, excess) = (quotes(&row), if at < count { levels(&row).min(excess) } else { 0 });
            ShownRow { signs: [&row.signs[..from], &row.signs[from + excess..]].concat(), ..row }
        };
        given.into_iter().enumerate().map(raised).collect()
    }

    /// Returns rows in which a sign with which an old row begins as its text is text.
    pub(super) fn literals(&self, range: Range<usize>, given: Vec<ShownRow>) -> Vec<ShownRow> {
        let signs_of = |text: &str| shown::signs(text).iter().map(std::mem::discriminant).collect::<Vec<_>>();
        let begins = |row: &&ShownRow| !row.is_code() && shown::begins(&row.text);
        let old = &self.old[range];
        let known: FxHashSet<&str> = old.iter().map(|old| old.raw.trim_end()).collect();
        let is_known = |row: &ShownRow| known.contains(row.raw.trim_end());
        // In a cell, dashes are not a rule.
        let are_cells = !old.is_empty() && old.iter().all(|row| row.signs.contains(&Sign::Cell));
        let is_rule = |row: &ShownRow| matches!(&row.kind, Kind::Own(own) if markdown::is_rule(own));
        let is_item = |row: &ShownRow| {
            let begins = |sign: &Sign| matches!(sign, Sign::Bullet | Sign::Number(_) | Sign::Task { .. } | Sign::Quote);
            old.len() == 1
                && given.len() == 1
                && old[0].signs.last() == Some(&Sign::Cell)
                && row.signs.iter().any(begins)
                && !row.signs.contains(&Sign::Cell)
        };
        let in_cell = |row: ShownRow| match are_cells && !is_known(&row) && (is_rule(&row) || is_item(&row)) {
            true => shown::as_text(&row),
            false => row,
        };
        let given: Vec<ShownRow> = given.iter().cloned().map(in_cell).collect();
        let given = if old.iter().all(|row| row.signs.is_empty()) { shown::stated(given) } else { given };
        let literal: Vec<&ShownRow> = old.iter().filter(begins).collect();
        if literal.is_empty() {
            return given;
        }
        // Behind the signs of its containers a text may begin with one.
        let kinds = |signs: &[Sign]| signs.iter().map(std::mem::discriminant).collect::<Vec<_>>();
        let in_item = |row: ShownRow| {
            let like = |old: &&&ShownRow| {
                let count = old.signs.len();
                count > 0
                    && row.signs.len() > count
                    && kinds(&row.signs[..count]) == kinds(&old.signs)
                    && kinds(&row.signs[count..]) == signs_of(&old.text)
                    && super::likeness(shown::text(&old.text), &row.text).is_some_and(|like| like >= LEAST)
            };
            let known = is_known(&row);
            let Some(old) = literal.iter().filter(|_| !known).find(like) else { return row };
            let mut text = row.raw.trim_start_matches([' ', '\t']);
            for sign in old.signs.iter().filter(|sign| **sign != Sign::Indent) {
                text = sign.read(text).map_or(text, |(_, text)| text);
            }
            let text = text.trim().to_owned();
            ShownRow { signs: row.signs[..old.signs.len()].to_vec(), kind: Kind::Text, text, ..row }
        };
        let given: Vec<ShownRow> = given.into_iter().map(in_item).collect();
        let given_rows: FxHashSet<String> = given.iter().map(|row| row.raw.trim_end().to_owned()).collect();
        let comes_back = |old: &ShownRow| given_rows.contains(old.raw.trim_end());
        let is_heading = |row: &ShownRow| matches!(row.kind, Kind::Heading(_));
        let is_literal = |row: &ShownRow| {
            let signs = signs_of(row.raw.trim_start());
            // A heading of another level than the text that comes back is one.
            let is_other =
                |old: &ShownRow| comes_back(old) && shown::signs(&old.text) != shown::signs(row.raw.trim_start());
            let like = |old: &&ShownRow| signs_of(&old.text) == signs && !(is_heading(row) && is_other(old));
            let text = shown::text(row.raw.trim_start());
            let likeness = |old: &ShownRow| super::likeness(shown::text(old.raw.trim_start()), text).unwrap_or(0);
            let is_like = |best: &&ShownRow| old.len() == 1 || likeness(best) >= LEAST;
            let best = || old.iter().max_by_key(|old| likeness(old)).filter(is_like);
            let is_sign = |old: &ShownRow| match old.is_code() {
                true => signs_of(old.raw.trim_start()) == signs,
                false => old.has_signs_of(row) && discriminant(&old.kind) == discriminant(&row.kind),
            };
            // A text that is repeated resembles itself more than it does with the sign of its line before it.
            let is_text = |best: &ShownRow| {
                begins(&best)
                    && super::likeness(&best.text, row.raw.trim()) > super::likeness(&best.text, row.text.trim())
            };
            literal.iter().any(like) && (!old.iter().any(is_sign) || best().is_some_and(is_text))
        };
        let read = |row: ShownRow| match !is_known(&row) && shown::begins(row.raw.trim_start()) && is_literal(&row) {
            true => shown::as_text(&row),
            false => row,
        };
        given.into_iter().map(read).collect()
    }

    /// Pairs rows with the old ones of a range. Blank rows that no old row is separate others.
    pub(super) fn given(&self, range: Range<usize>, rows: Vec<ShownRow>, stated: bool) -> Given {
        let has_cells = rows.iter().any(ShownRow::has_cells);
        let mut filled = rows.iter().filter(|row| !is_blank(row));
        if let (Some(row), None) = (filled.next(), filled.next())
            && row.has_cells()
            && self.is_in_one_row(&range)
        {
            // A whole row, be it for a part of one.
            return Given { rows: vec![row.clone()], pairs: vec![Some(range)], stated };
        }
        let units = self.units_for(range.clone(), &rows);
        let of_unit = |unit: &Range<usize>| match self.is_text {
            true => literal(&self.old[unit.start].text),
            false => self.unit(unit, has_cells),
        };
        let old: Vec<ShownRow> = units.iter().map(of_unit).collect();
        let is_in_cell = |row: &ShownRow| row.signs.contains(&Sign::Cell);
        let are_cells = !stated && rows.len() == old.len() && old.len() > 1 && old.iter().all(is_in_cell);
        let are_contents = !self.contents.is_empty() && (rows.len() == old.len() || old.len() == 1);
        let pairs = match are_cells || are_contents {
            true => (0..rows.len()).map(|at| (at < old.len()).then_some(at)).collect(),
            false if self.is_text => pair(&old, &rows, PlaceRule::of(stated)),
            false if self.is_section => paired(&old, &rows, PlaceRule::IfAsMany),
            false => paired(&old, &rows, PlaceRule::of(stated)),
        };
        // Between two lines of one block of code a blank row is one of its lines.
        let code_of = |at: usize| pairs[at].map(|at| &old[at].kind).filter(|kind| matches!(kind, Kind::Code { .. }));
        let is_in_code = |at: usize| {
            let before = (0..at).rev().find(|at| !is_blank(&rows[*at])).and_then(code_of);
            before.is_some() && before == (at + 1..rows.len()).find(|at| !is_blank(&rows[*at])).and_then(code_of)
        };
        let are_code = !range.is_empty() && self.old[range.clone()].iter().all(ShownRow::is_code);
        let are_lines = self.is_text || are_code && !rows.iter().any(ShownRow::is_code);
        let stays = |at: usize| are_lines || pairs[at].is_some() || !is_blank(&rows[at]) || is_in_code(at);
        let kept: Vec<usize> = (0..rows.len()).filter(|at| stays(*at)).collect();
        let text = |at: usize| match pairs[at].filter(|_| !stated && !self.is_text) {
            Some(from) => without_escaped(&rows[at].text, &old[from]).to_owned(),
            None => rows[at].text.clone(),
        };
        let texts: Vec<String> = (0..rows.len()).map(text).collect();
        let pairs = kept.iter().map(|at| pairs[*at].map(|at| units[at].clone())).collect();
        let row = |at: usize| ShownRow {
            is_apart: at > 0 && is_blank(&rows[at - 1]) && !stays(at - 1),
            text: texts[at].clone(),
            ..rows[at].clone()
        };
        Given { rows: kept.into_iter().map(row).collect(), pairs, stated }
    }

    /// Returns whether content repeats the old rows in their order, and only some of its items have the sign of another
    /// list: that is what it changes.
    fn changes_only_lists(&self, given: &Given, old: &Range<usize>) -> bool {
        let is_filled = |at: &usize| !is_blank(&self.old[*at]);
        let rows = given.rows.iter().zip(&given.pairs).filter(|(row, _)| !is_blank(row));
        let pairs: Vec<Option<(&ShownRow, usize)>> = rows
            .map(|(row, pair)| pair.as_ref().filter(|pair| pair.len() == 1).map(|pair| (row, pair.start)))
            .collect();
        let is_same = |(row, from): &(&ShownRow, usize)| {
            let was = &self.old[*from];
            let is_other = row.signs.last().map(discriminant) != was.signs.last().map(discriminant);
            row.text == was.text
                && row.signs.len() == was.signs.len()
                && (row.key(true) == was.key(true) || is_other && row.kind == was.kind)
        };
        pairs.iter().flatten().map(|(_, from)| *from).eq(old.clone().filter(is_filled))
            && pairs.iter().all(|pair| pair.as_ref().is_some_and(is_same))
    }

    /// Gives items that are repeated with another sign than that of their list the sign of the list, unless all
    /// remaining items of it are and the content has more than one such item. `old` are the rows that the content
    /// replaces.
    pub(super) fn with_signs_of_lists(&self, given: &mut Given, old: &Range<usize>) {
        if self.changes_only_lists(given, old) {
            return;
        }
        let is_marker = |sign: &Sign| matches!(sign, Sign::Bullet | Sign::Number(_) | Sign::Task { .. });
        let kind = |sign: &Sign| std::mem::discriminant(sign);
        let list_of = |at: usize| {
            let path = &self.old_rows[at].path;
            let item = path.iter().rposition(|link| is_item(self.schema, &link.node))?;
            (self.rows_of[&path[item].id].start == at).then(|| path[item - 1].id)
        };
        let mut others: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (at, row) in given.rows.iter().enumerate() {
            let Some((from, old)) = given.old(at).map(|from| (from, &self.old[from])) else { continue };
            let (Some(new), Some(was), Some(list)) = (row.signs.last(), old.signs.last(), list_of(from)) else {
                continue;
            };
            if row.signs.len() == old.signs.len() && is_marker(new) && is_marker(was) && kind(new) != kind(was) {
                others.entry(list).or_default().push(at);
            }
        }
        let stay: FxHashSet<usize> = given.pairs.iter().flatten().flat_map(Range::clone).collect();
        let is_left = |at: &usize| !old.contains(at) || stay.contains(at);
        for (list, rows) in others {
            let count = (0..self.old_rows.len()).filter(|at| list_of(*at) == Some(list) && is_left(at)).count();
            let has_text = |row: &ShownRow, old: &ShownRow| row.text == old.text || row.bare() == old.bare();
            let is_same = |at: &usize| given.old(*at).is_some_and(|from| has_text(&given.rows[*at], &self.old[from]));
            let was_task =
                given.old(rows[0]).is_some_and(|from| matches!(self.old[from].signs.last(), Some(Sign::Task { .. })));
            let stated = |row: &ShownRow| row.signs.last().map(kind);
            let has_sign = |row: &ShownRow| stated(row) == stated(&given.rows[rows[0]]);
            let is_only = given.rows.iter().filter(|row| has_sign(row)).count() == 1;
            if rows.len() == count
                && rows.iter().all(|at| has_sign(&given.rows[*at]))
                && (!is_only || rows.iter().all(is_same))
                && (!was_task || rows.iter().all(is_same))
            {
                continue;
            }
            for at in rows {
                if let (Some(from), Some(sign)) = (given.old(at), given.rows[at].signs.last_mut()) {
                    *sign = self.old[from].signs.last().cloned().unwrap_or(Sign::Bullet);
                }
            }
        }
    }
}

/// Returns whether a row has a sign other than indents, or is more than text. Spaces alone may be its text.
pub(super) fn is_signed(row: &ShownRow) -> bool {
    row.signs.iter().any(|sign| *sign != Sign::Indent) || row.kind != Kind::Text
}

/// Returns a row whose spaces are its text.
pub(super) fn unindented(row: ShownRow) -> ShownRow {
    if row.signs.is_empty() { row } else { ShownRow { signs: Vec::new(), text: row.raw.clone(), ..row } }
}

/// Returns a row without the spaces before its text.
pub(super) fn trimmed(row: ShownRow) -> ShownRow {
    ShownRow { signs: Vec::new(), ..row }
}

/// Returns rows with the signs of the containers that all old rows are in and that content for a few lines leaves out:
/// those of quotations and of a cell with lists if no row has one, and the indent of the first old row if the first row
/// has its other signs. Without its indent the same text has another place, which is intended if nothing else changes.
pub(super) fn with_base(old: &[ShownRow], new: Vec<ShownRow>) -> Vec<ShownRow> {
    let quotes = |row: &ShownRow| row.signs.iter().take_while(|sign| **sign == Sign::Quote).count();
    let around = old.iter().map(quotes).min().unwrap_or(0);
    let filled = |row: &&ShownRow| !row.raw.trim().is_empty();
    let with = |base: &[Sign], row: &ShownRow| ShownRow { signs: [base, &row.signs].concat(), ..row.clone() };
    // In a cell with a list.
    let until_cell = |row: &ShownRow| {
        let cell = row.signs.iter().position(|sign| *sign == Sign::Cell);
        cell.map_or(Vec::new(), |cell| row.signs[..cell + 1].to_vec())
    };
    if let Some(base) = old.first().map(until_cell).filter(|base| !base.is_empty())
        && old.iter().all(|row| row.signs.starts_with(&base))
        && old.iter().any(|row| row.signs.len() > base.len())
        && !new.iter().any(|row| row.signs.contains(&Sign::Cell) || row.has_cells())
    {
        return new.iter().map(|row| if is_blank(row) { row.clone() } else { with(&base, row) }).collect();
    }
    let missing = around.saturating_sub(new.iter().filter(filled).map(quotes).max().unwrap_or(0));
    // A quotation in an item.
    let shared = |row: &ShownRow| {
        let outer = row.signs.iter().take_while(|sign| matches!(sign, Sign::Indent | Sign::Quote));
        let outer: Vec<Sign> = outer.cloned().collect();
        outer.iter().rposition(|sign| *sign == Sign::Quote).map_or(Vec::new(), |at| outer[..at + 1].to_vec())
    };
    if let Some(base) = old.first().map(shared).filter(|base| base.first() == Some(&Sign::Indent))
        && old.iter().all(|row| row.signs.starts_with(&base))
        && !new.iter().any(|row| row.signs.contains(&Sign::Quote))
    {
        return new.iter().map(|row| if is_blank(row) { row.clone() } else { with(&base, row) }).collect();
    }
    let new: Vec<ShownRow> = new.iter().map(|row| with(&vec![Sign::Quote; missing], row)).collect();
    let (Some(first), Some(given)) = (old.first(), new.iter().find(filled)) else { return new };
    let base = vec![Sign::Indent; first.signs.len().saturating_sub(given.signs.len())];
    let indented: Vec<ShownRow> = new
        .iter()
        .map(|row| {
            let (quotes, rest) = row.signs.split_at(quotes(row));
            ShownRow { signs: [quotes, &base, rest].concat(), ..row.clone() }
        })
        .collect();
    let is_same =
        indented.len() == old.len() && indented.iter().zip(old).all(|(new, old)| new.key(true) == old.key(true));
    let is_shared = old.iter().all(|row| row.signs[quotes(row)..].starts_with(&base));
    if base.is_empty() || is_same || !is_shared || !indented[0].has_signs_of(first) {
        return new;
    }
    // Rows that reappear as they are shown are where they were.
    let keys: FxHashSet<String> = old.iter().map(|row| row.key(true)).collect();
    let shown = |rows: &[ShownRow]| rows.iter().filter(filled).filter(|row| keys.contains(&row.key(true))).count();
    if shown(&new) > shown(&indented) { new } else { indented }
}

/// Returns rows in the containers that all old rows are in.
pub(super) fn indented(old: &[ShownRow], new: Vec<ShownRow>) -> Vec<ShownRow> {
    let is_outer = |sign: &&Sign| matches!(sign, Sign::Indent | Sign::Quote);
    let outer = |row: &ShownRow| row.signs.iter().take_while(is_outer).cloned().collect::<Vec<_>>();
    let base = old.iter().map(outer).min_by_key(Vec::len).unwrap_or_default();
    if !old.iter().all(|row| row.signs.starts_with(&base)) {
        return new;
    }
    new.into_iter().map(|row| ShownRow { signs: [&base[..], &row.signs].concat(), ..row }).collect()
}

/// Returns whether a row is a leaf, such as a rule: all of it is its sign.
pub(super) fn is_leaf(row: &ShownRow) -> bool {
    matches!(row.kind, Kind::Own(_)) && row.text.is_empty()
}

/// Returns whether a row is blank: it separates others, unless an old one is blank at that place.
pub(super) fn is_blank(row: &ShownRow) -> bool {
    let is_outer = |sign: &Sign| matches!(sign, Sign::Indent | Sign::Quote);
    row.kind == Kind::Text && !row.breaks && row.text.trim().is_empty() && row.signs.iter().all(is_outer)
}

/// Returns a text without the signs of its line, where these are escaped or, of a quotation, without a space behind
/// them.
fn without_escaped<'t>(text: &'t str, line: &ShownRow) -> &'t str {
    let escaped = |text: &'t str, sign: &Sign| match sign {
        Sign::Quote => text.strip_prefix("\\>").or_else(|| text.strip_prefix('>')).map(str::trim_start),
        Sign::Bullet => text.strip_prefix('\\')?.strip_prefix(['-', '*', '+'])?.strip_prefix(' '),
        Sign::Number(_) => {
            let rest = text.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('\\')?;
            let is_numbered = text.starts_with(|c: char| c.is_ascii_digit());
            rest.strip_prefix(['.', ')'])?.strip_prefix(' ').filter(|_| is_numbered)
        }
        _ => None,
    };
    let (mut rest, mut is_escaped) = (text, false);
    let is_text = |text: &str| line.text.chars().next().is_some_and(|first| text.starts_with(first));
    for sign in &line.signs {
        match escaped(rest, sign).filter(|_| !is_text(rest.trim_start_matches('\\'))) {
            Some(behind) => (rest, is_escaped) = (behind, true),
            None if is_escaped => rest = sign.read(rest).map_or(rest, |(_, behind)| behind),
            None => {}
        }
    }
    rest
}

/// Pairs rows. Blank rows are paired with blank old ones that are between the same others, and with the lines of code
/// that they are in.
pub(super) fn paired(old: &[ShownRow], new: &[ShownRow], rule: PlaceRule) -> Vec<Option<usize>> {
    // Without signs a blank row may be a leaf, such as a rule.
    let has_leaves = rule.are_stated() || new.iter().any(|row| matches!(row.kind, Kind::Own(_)));
    let is_leaf = |row: &ShownRow| !has_leaves && is_leaf(row);
    // Rows without signs have none of an item without text.
    let is_empty = |row: &ShownRow| {
        let is_shown = row.is_code() || matches!(row.kind, Kind::Own(_));
        !rule.are_stated() && !is_shown && row.text.trim().is_empty()
    };
    let filled = |rows: &[ShownRow]| -> Vec<usize> {
        let is_filled = |row: &ShownRow| !is_blank(row) && !is_leaf(row) && !is_empty(row);
        (0..rows.len()).filter(|at| is_filled(&rows[*at])).collect()
    };
    let (old_at, new_at) = (filled(old), filled(new));
    if new_at.is_empty() || new_at.len() == new.len() || old.iter().all(ShownRow::is_code) {
        return pair(old, new, rule);
    }
    let of = |rows: &[ShownRow], at: &[usize]| at.iter().map(|at| rows[*at].clone()).collect::<Vec<_>>();
    let mut pairs = vec![None; new.len()];
    for (new, pair) in new_at.iter().zip(pair(&of(old, &old_at), &of(new, &new_at), rule)) {
        pairs[*new] = pair.map(|at| old_at[at]);
    }
    let mut is_used = vec![false; old.len()];
    pairs.iter().flatten().for_each(|at| is_used[*at] = true);
    let is_open =
        |row: &ShownRow| is_blank(row) || is_leaf(row) || is_empty(row) || row.is_code() && row.text.trim().is_empty();
    let separate = new.len() - new_at.len() > old.len() - old_at.len();
    for at in (0..new.len()).filter(|at| is_blank(&new[*at])) {
        // Beside a new row, nothing determines which blank line it is.
        let is_text = |at: &usize| !is_blank(&new[*at]) || pairs[*at].is_some();
        let (before, behind) = ((0..at).rev().find(is_text), (at + 1..new.len()).find(is_text));
        let is_unsure = [before, behind].into_iter().flatten().any(|at| pairs[at].is_none());
        let (before, behind) = (before.and_then(|at| pairs[at]), behind.and_then(|at| pairs[at]));
        let (from, to) = (before.map_or(0, |at| at + 1), behind.unwrap_or(old.len()));
        // Neither does it between rows that changed places, where more rows are blank than there were: these separate
        // others. A leaf is not lost for that.
        let has_moved = from > to && separate;
        let (from, to) = if from > to { (0, old.len()) } else { (from, to) };
        let fits = |row: &ShownRow| if is_unsure || has_moved { is_leaf(row) } else { is_open(row) };
        let place = (from..to).find(|at| fits(&old[*at]) && !is_used[*at]);
        if let Some(place) = place {
            is_used[place] = true;
            pairs[at] = Some(place);
        }
    }
    pairs
}
