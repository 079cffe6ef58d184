//! Edits of lines, stated on a document of before, carried to the document of now.

use super::locate::{locate, locate_all};
use super::record::Stated;
use super::update::{LineEdit, ReplaceLines, ReplaceText};
use super::{find_text, lines};
use crate::Error;
use copydesk_base::map::{HashMap, HashSet};
use copydesk_document::{BlockId, Document, Style};
use std::ops::RangeInclusive;

/// How many lines are shown around what an edit is about.
pub const AROUND: usize = 2;
/// How many documents are remembered.
const REMEMBERED: usize = 8;

/// The last documents that somebody was shown, by their versions; the newest is the last.
#[derive(Clone, Default)]
pub struct Snapshots(Vec<Document>);

impl Snapshots {
    /// Remembers a document.
    pub fn remember(&mut self, document: &Document) {
        if self.0.last().is_none_or(|last| last.version() != document.version()) {
            self.0.push(document.clone());
        }
        while self.0.len() > REMEMBERED {
            self.0.remove(0);
        }
    }

    /// The last one.
    pub fn last(&self) -> Option<&Document> {
        self.0.last()
    }

    /// The one with a version.
    ///
    /// # Errors
    /// [`Error::UnknownVersion`] with those that are remembered.
    pub fn get(&self, version: &str) -> Result<&Document, Error> {
        self.0.iter().rev().find(|document| document.version() == version).ok_or_else(|| Error::UnknownVersion {
            given: copydesk_base::error::excerpt(version),
            valid: self.0.iter().map(Document::version).collect(),
        })
    }
}

/// Edits as they must be stated now, and where the lines were found.
///
/// # Errors
/// [`Error::StaleLines`] where the lines meant are not there as they were, with those of now in it;
/// [`Error::LineOutOfRange`], [`Error::OverlappingEdits`] by the lines of then.
pub fn carry(then: &Document, now: &Document, asked: &ReplaceLines) -> Result<(ReplaceLines, Vec<Stated>), Error> {
    let mut edits = as_ranges(then, now, asked)?;
    let ranges = lines::ranges(&edits, then.line_count())?;
    let mut stated = Vec::with_capacity(ranges.len());
    let all = locate_all(then, &ranges, now);
    for ((edit, given), found) in edits.iter_mut().zip(ranges).zip(all) {
        let Some((found, by)) = found else { return Err(stale(then, given, now)) };
        (edit.start_line, edit.end_line) = (Some(*found.start() as i64), Some(*found.end() as i64));
        stated.push(Stated { given, found, by });
    }
    Ok((ReplaceLines { edits, version: None, instruction: asked.instruction.clone() }, stated))
}

/// The edits, with a whole new document as edits of the lines that it changes. HTML cannot be taken apart like that: it
/// is about every line.
fn as_ranges(then: &Document, now: &Document, asked: &ReplaceLines) -> Result<Vec<LineEdit>, Error> {
    match &asked.edits[..] {
        [edit @ LineEdit { start_line: None, end_line: None, format, .. }] => {
            let uncut = lines::uncut(then, std::slice::from_ref(edit));
            let edits = uncut.first().and_then(|edit| lines::as_edits(then, &edit.content, *format));
            edits.ok_or_else(|| stale(then, 1..=then.line_count(), now))
        }
        edits => Ok(lines::uncut(then, edits)),
    }
}

/// An edit of text as it must be stated now. Where the text stood then, it must stand in the same blocks now: what the
/// person wrote that reads like it was never meant.
///
/// # Errors
/// [`Error::StaleLines`] where it does not, [`Error::LineOutOfRange`] by the lines of then.
pub fn carry_text(then: &Document, now: &Document, asked: &ReplaceText) -> Result<ReplaceText, Error> {
    let mut carried = ReplaceText { version: None, ..asked.clone() };
    if let Some(line) = asked.near_line {
        let total = then.line_count();
        let near = usize::try_from(line).ok().filter(|near| (1..=total).contains(near));
        let near = near.ok_or(Error::LineOutOfRange { start: line, end: line, total })?;
        // The line says where to look, not what is there: where it is gone, its old place serves.
        let found = locate(then, &(near..=near), now).map_or(near, |(found, _)| *found.start());
        carried.near_line = Some(found.min(now.line_count().max(1)) as i64);
    }
    if then.blocks() == now.blocks() {
        return Ok(carried);
    }
    let Ok(found) = find_text::lines_of(now, &carried) else { return Ok(carried) };
    let everywhere = |of: &Document, asked: &ReplaceText| {
        let lines = find_text::lines_of(of, &ReplaceText { all: Some(true), ..asked.clone() }).unwrap_or_default();
        let mut counts: HashMap<BlockId, usize> = HashMap::default();
        lines.iter().for_each(|line| *counts.entry(of.block_ids()[of.block_of_line(*line)]).or_default() += 1);
        (lines, counts)
    };
    let ((meant, meant_counts), (_, counts)) = (everywhere(then, asked), everywhere(now, &carried));
    // A block in which it stands more often than then has one that the person wrote.
    let was_meant = |line: &usize| {
        let id = now.block_ids()[now.block_of_line(*line)];
        counts.get(&id) <= meant_counts.get(&id)
    };
    match found.iter().find(|line| !was_meant(line)) {
        None => Ok(carried),
        Some(line) => {
            let first = meant.first().copied().unwrap_or((*line).min(then.line_count().max(1)));
            Err(stale(then, first..=meant.last().copied().unwrap_or(first), now))
        }
    }
}

fn stale(then: &Document, meant: RangeInclusive<usize>, now: &Document) -> Error {
    let shown = place(then, &meant, now);
    let shown = now.numbered(Some(*shown.start()), Some(*shown.end()), Style::Structure).unwrap_or_default();
    Error::StaleLines { first: *meant.start(), last: *meant.end(), now: shown }
}

/// The lines of now that are shown to whoever meant lines that are not as they were: those of the same blocks, or
/// of the same place where these are gone.
pub fn place(then: &Document, meant: &RangeInclusive<usize>, now: &Document) -> RangeInclusive<usize> {
    const MOST: usize = 60;
    let total = now.line_count().max(1);
    let meant_blocks = then.block_of_line(*meant.start())..=then.block_of_line(*meant.end());
    let ids: HashSet<BlockId> = then.block_ids().get(meant_blocks).unwrap_or_default().iter().copied().collect();
    let is_meant = |at: &usize| ids.contains(&now.block_ids()[*at]);
    let mut blocks = (0..now.blocks().len()).filter(is_meant);
    let (first, last) = match blocks.next() {
        Some(first) => {
            let last = blocks.next_back().unwrap_or(first);
            (now.line_numbers_of(first).start, now.line_numbers_of(last).end - 1)
        }
        None => (*meant.start(), *meant.end()),
    };
    let first = first.saturating_sub(AROUND).clamp(1, total);
    first..=(last + AROUND).min(first + MOST).clamp(first, total)
}
