//! Targets that are stated on an earlier document, found again in the current one.
//!
//! [`locate`] finds lines, [`snapshots`] keeps the earlier documents, [`shown`] has the parts of them that the model
//! was shown, [`counting`] finds the document in which a call counts, and [`persist`] stores the targets of a waiting
//! call until the page is loaded again. All of them work on a [`Target`] and know no operation.

mod counting;
pub mod locate;
mod outline;
pub mod persist;
pub mod shown;
pub mod snapshots;

pub use locate::FoundBy;
pub use shown::{Relocated, Shown};
pub use snapshots::Snapshots;

use crate::Error;
use crate::find_text;
use crate::operation::DocUpdate;
use crate::record::Stated;
use crate::target::{LineRange, Target, TextMatch, line_ranges};
use copydesk_document::{BlockId, Document, Style};
use locate::{locate, locate_all};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::RangeInclusive;

/// Number of lines that are shown on each side of those that an edit is about.
pub const AROUND: usize = 2;

/// A target in the current document, and for lines where each range was found.
pub type Found = (Target, Option<Vec<Stated>>);

/// Restates an update for the current document, and returns where its lines were found.
///
/// # Errors
/// As [`relocate`]; an update of the whole document that cannot be restated as one of the lines that it changes is
/// stale.
pub fn relocate_update(
    then: &Document,
    now: &Document,
    update: &DocUpdate,
) -> Result<(DocUpdate, Option<Vec<Stated>>), Error> {
    let mut update = update.clone();
    update.complete(then);
    if update.target() == Target::Document && !update.narrow(then) {
        return Err(stale(then, 1..=then.line_count(), now));
    }
    let (target, stated) = relocate(then, now, update.target())?;
    update.retarget(&target);
    Ok((update, stated))
}

/// Finds a target that is stated on an earlier document in the current one. Sections are found by [`Shown`], which
/// knows their outline.
///
/// # Errors
/// [`Error::StaleLines`] with the current lines where those that are meant changed; [`Error::LineOutOfRange`] and
/// [`Error::OverlappingEdits`] by the earlier lines.
pub fn relocate(then: &Document, now: &Document, target: Target) -> Result<Found, Error> {
    match target {
        Target::Lines(ranges) => {
            let ranges = line_ranges(&ranges, then.line_count())?;
            let all = locate_all(then, &ranges, now);
            let mut stated = Vec::with_capacity(ranges.len());
            for (given, found) in ranges.into_iter().zip(all) {
                let Some((found, by)) = found else { return Err(stale(then, given, now)) };
                stated.push(Stated { given, found, by });
            }
            let ranges = stated.iter().map(|stated| LineRange::of(&stated.found)).collect();
            Ok((Target::Lines(ranges), Some(stated)))
        }
        Target::Text(text) => Ok((Target::Text(relocate_text(then, now, text)?), None)),
        target @ (Target::Sections(_) | Target::Document | Target::End) => Ok((target, None)),
    }
}

/// Finds a text again. It must now be in the same blocks as then: text that the user wrote and that reads like it was
/// never meant.
fn relocate_text(then: &Document, now: &Document, asked: TextMatch) -> Result<TextMatch, Error> {
    let mut carried = asked.clone();
    if let Some(line) = asked.near_line {
        let total = then.line_count();
        let near = usize::try_from(line).ok().filter(|near| (1..=total).contains(near));
        let near = near.ok_or(Error::LineOutOfRange { start: line, end: line, total })?;
        // The line is only a hint where to look: if it no longer exists, its old number is used.
        let found = locate(then, &(near..=near), now).map_or(near, |(found, _)| *found.start());
        carried.near_line = Some(found.min(now.line_count().max(1)) as i64);
    }
    if then.blocks() == now.blocks() {
        return Ok(carried);
    }
    let Ok(found) = find_text::lines_of(now, &carried) else { return Ok(carried) };
    let everywhere = |of: &Document, asked: &TextMatch| {
        let lines = find_text::lines_of(of, &TextMatch { all: true, ..asked.clone() }).unwrap_or_default();
        let mut counts: FxHashMap<BlockId, usize> = FxHashMap::default();
        lines.iter().for_each(|line| *counts.entry(of.block_ids()[of.block_of_line(*line)]).or_default() += 1);
        (lines, counts)
    };
    let ((meant, meant_counts), (_, counts)) = (everywhere(then, &asked), everywhere(now, &carried));
    // A block in which the text occurs more often than then has an occurrence that the user wrote.
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

/// Returns the current lines to show in the error for lines that have changed: those of the same blocks, or those in
/// the same place if the blocks no longer exist.
pub fn place(then: &Document, meant: &RangeInclusive<usize>, now: &Document) -> RangeInclusive<usize> {
    const MOST: usize = 60;
    let total = now.line_count().max(1);
    let meant_blocks = then.block_of_line(*meant.start())..=then.block_of_line(*meant.end());
    let ids: FxHashSet<BlockId> = then.block_ids().get(meant_blocks).unwrap_or_default().iter().copied().collect();
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
