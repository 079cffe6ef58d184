//! Diff records: what an edit changed, line by line, as programs and people read it.

use super::change::Change;
use super::inlines::Inlines;
use super::relocate::FoundBy;
use super::rows::pair_texts;
use copydesk_document::{Document, Line, Node};
use serde::Serialize;
use serde_json::Value;
use std::ops::{Range, RangeInclusive};

/// Number of lines of context that a record has on each side.
const CONTEXT: usize = 2;

/// The kind of the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DiffType {
    /// Lines came.
    Insertion,
    /// Lines were removed.
    Deletion,
    /// Lines were replaced.
    Edit,
}

/// One difference. Line numbers count from 1; those of an empty side name the place: `end` is one less than `start`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DiffRecord {
    /// A name for it, in this document.
    pub diff_id: String,
    /// A name for the edit that it belongs to.
    pub diff_area_id: String,
    /// The kind of the difference.
    pub diff_type: DiffType,
    /// The old text, line by line.
    pub original_code: String,
    /// The first line of that, before the edit.
    pub original_start_line: usize,
    /// The last line of that.
    pub original_end_line: usize,
    /// The new text.
    pub new_code: String,
    /// The first line of that, after the edit.
    pub start_line: usize,
    /// The last line of that.
    pub end_line: usize,
    /// The lines before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_before: Option<String>,
    /// The lines behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_after: Option<String>,
    /// The first line that the model gave.
    #[serde(rename = "aiSpecifiedStartLine", skip_serializing_if = "Option::is_none")]
    pub stated_start_line: Option<usize>,
    /// The last line that the model gave.
    #[serde(rename = "aiSpecifiedEndLine", skip_serializing_if = "Option::is_none")]
    pub stated_end_line: Option<usize>,
    /// The reason in the model's own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction: Option<String>,
    /// The way in which the place was found, where the model gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_by: Option<FoundBy>,
}

impl DiffRecord {
    /// Returns the record as JSON, without the fields that are not given.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// Lines as a model gave them, and where they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    /// The range as the model counts lines.
    pub given: RangeInclusive<usize>,
    /// The range as the document counted lines when the edit was made.
    pub found: RangeInclusive<usize>,
    /// The way in which they were found.
    pub by: FoundBy,
}

/// The records of an edit.
pub fn records(
    before: &Document,
    after: &Document,
    changes: &[Change],
    stated: &[Stated],
    instruction: Option<&str>,
) -> Vec<DiffRecord> {
    let area = format!("{}-{}", before.version(), after.version());
    let mut records = Vec::new();
    let stated = StatedLines::of(stated);
    let regions = regions(before, after, changes);
    // The lines of each region and its context.
    let lines_of = |region: &(Range<usize>, Range<usize>)| {
        let first = before.line_numbers_of(region.0.start).start;
        let last = before.line_numbers_of(region.0.end).start + CONTEXT - 1;
        first.saturating_sub(CONTEXT).max(1)..=last.min(before.line_count())
    };
    let lines = before.lines_at(regions.iter().map(lines_of));
    for (old, new) in regions {
        let (old_first, new_first) = (before.line_numbers_of(old.start).start, after.line_numbers_of(new.start).start);
        let old_lines = lines.between(old_first, before.line_numbers_of(old.end).start - 1);
        let new_lines = after.lines_of_blocks(new);
        for (old, new) in differences(before, old_lines, after, &new_lines) {
            let mut record = DiffRecord {
                diff_id: format!("{area}-{}", records.len() + 1),
                diff_area_id: area.clone(),
                diff_type: match (old.is_empty(), new.is_empty()) {
                    (true, _) => DiffType::Insertion,
                    (_, true) => DiffType::Deletion,
                    _ => DiffType::Edit,
                },
                original_code: code(&old_lines[old.clone()]),
                original_start_line: old_first + old.start,
                original_end_line: old_first + old.end - 1,
                new_code: code(&new_lines[new.clone()]),
                start_line: new_first + new.start,
                end_line: new_first + new.end - 1,
                context_before: None,
                context_after: None,
                stated_start_line: None,
                stated_end_line: None,
                instruction: instruction.map(str::to_owned),
                found_by: None,
            };
            let (first, last) = (record.original_start_line, record.original_end_line);
            let context = |from: usize, to: usize| {
                let lines = lines.between(from, to);
                (!lines.is_empty()).then(|| code(lines))
            };
            record.context_before = context(first.saturating_sub(CONTEXT), first - 1);
            record.context_after = context(last + 1, last + CONTEXT);
            if let Some(stated) = stated.touching(first, last) {
                record.stated_start_line = Some(*stated.given.start());
                record.stated_end_line = Some(*stated.given.end());
                record.found_by = Some(stated.by);
            }
            records.push(record);
        }
    }
    records
}

/// Stated lines sorted by position. They do not overlap.
struct StatedLines<'s>(Vec<(usize, &'s Stated)>);

impl<'s> StatedLines<'s> {
    fn of(stated: &'s [Stated]) -> StatedLines<'s> {
        let mut order: Vec<_> = stated.iter().enumerate().map(|(at, stated)| (*stated.found.start(), at)).collect();
        order.sort_unstable();
        StatedLines(order.into_iter().map(|(_, at)| (at, &stated[at])).collect())
    }

    /// Returns the first stated range, in the order in which they were given, that touches a range of lines.
    fn touching(&self, first: usize, last: usize) -> Option<&'s Stated> {
        let from = self.0.partition_point(|(_, stated)| stated.found.end() + 1 < first);
        let touches = |(_, stated): &&(usize, &Stated)| *stated.found.start() <= last.max(first);
        let found = self.0[from..].iter().take_while(touches).min_by_key(|(at, _)| *at);
        found.map(|(_, stated)| *stated)
    }
}

/// The current lines that an edit touched, from the first to the last.
pub fn touched(records: &[DiffRecord], total: usize) -> Option<RangeInclusive<usize>> {
    let first = records.iter().map(|record| record.start_line).min()?;
    let last = records.iter().map(|record| record.end_line.max(record.start_line)).max()?;
    (total > 0).then(|| first.clamp(1, total)..=last.clamp(1, total))
}

/// Top-level blocks before and after, for each stretch of changes that is apart from the others.
fn regions(before: &Document, after: &Document, changes: &[Change]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut regions: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let mut moved = 0_isize;
    for change in changes {
        let size: usize = change.content.iter().map(Node::size).sum();
        let from = (change.from as isize + moved) as usize;
        let old = blocks_of(before, change.from, change.to);
        let new = blocks_of(after, from, from + size);
        moved += size as isize - (change.to - change.from) as isize;
        match regions.last_mut() {
            Some(last) if last.0.end >= old.start || last.1.end >= new.start => {
                last.0.end = last.0.end.max(old.end);
                last.1.end = last.1.end.max(new.end);
            }
            _ => regions.push((old, new)),
        }
    }
    regions
}

fn blocks_of(document: &Document, from: usize, to: usize) -> Range<usize> {
    let count = document.blocks().len();
    let first = document.block_at(from).min(count);
    if document.block_start(first) == from && from == to {
        return first..first;
    }
    let mut last = document.block_at(to).min(count);
    if document.block_start(last) < to || last == first {
        last += 1;
    }
    first..last.min(count)
}

/// Runs of lines that differ. Lines whose text is the same while something else about them changed differ as well.
fn differences(before: &Document, old: &[Line], after: &Document, new: &[Line]) -> Vec<(Range<usize>, Range<usize>)> {
    let texts = |lines: &[Line]| lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
    let (old_texts, new_texts) = (texts(old), texts(new));
    let (old_texts, new_texts): (Vec<&str>, Vec<&str>) =
        (old_texts.iter().map(String::as_str).collect(), new_texts.iter().map(String::as_str).collect());
    let mut runs: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let mut push = |old: Range<usize>, new: Range<usize>| match runs.last_mut() {
        Some(last) if last.0.end == old.start && last.1.end == new.start => {
            (last.0.end, last.1.end) = (old.end, new.end)
        }
        _ => runs.push((old, new)),
    };
    let (mut old_inlines, mut new_inlines) = (Inlines::new(before, old), Inlines::new(after, new));
    let pairs = pair_texts(&old_texts, &new_texts);
    let paired = pairs.iter().enumerate().filter_map(|(own, at)| Some(((*at)?, own)));
    let (mut from, mut to) = (0, 0);
    for (at, own) in paired.chain([(old.len(), new.len())]) {
        if from < at || to < own {
            push(from..at, to..own);
        }
        if at < old.len() && !is_same(&mut old_inlines, at, &mut new_inlines, own) {
            push(at..at + 1, own..own + 1);
        }
        (from, to) = (at + 1, own + 1);
    }
    runs
}

fn is_same(before: &mut Inlines, old: usize, after: &mut Inlines, new: usize) -> bool {
    let (was, is) = (before.line(old), after.line(new));
    if was.text != is.text || was.kind != is.kind {
        return false;
    }
    let (Some(a), Some(b)) = (before.holder(old), after.holder(new)) else { return false };
    // If another line of its block changed, this one may still be the same.
    a.ptr_eq(b) || if a.is_leaf() { a == b } else { a.same_markup(b) && before.of(old) == after.of(new) }
}

fn code(lines: &[Line]) -> String {
    lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
}
