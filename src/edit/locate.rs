//! Where lines of a snapshot are now.
//!
//! The model means lines of a document that it saw; the person has gone on writing. First the lines as the model counts
//! them, followed by the lasting names of their blocks. Where these are gone, lines that have come and read as those did: in the
//! place where a diff of the two documents has them, or with the same lines around them, or anywhere. Whichever finds them,
//! **they must read as they did**: text that was changed meanwhile is not found, and nothing is guessed between places that are alike.

use super::align;
use crate::document::{BlockId, Document, Line};
use crate::map::{HashMap, HashSet};
use std::ops::RangeInclusive;

/// How a place was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoundBy {
    /// By the lines that the model gave.
    Lines,
    /// By the lines of a diff between then and now.
    Diff,
    /// By what stands before and behind.
    Context,
    /// By the text alone.
    Text,
}

impl FoundBy {
    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            FoundBy::Lines => "lines",
            FoundBy::Diff => "diff",
            FoundBy::Context => "context",
            FoundBy::Text => "text",
        }
    }
}

/// The lines of `then` as lines of `now`; none where they are not there as they were.
pub fn locate(
    then: &Document,
    lines: &RangeInclusive<usize>,
    now: &Document,
) -> Option<(RangeInclusive<usize>, FoundBy)> {
    let meant = then.lines_between(*lines.start(), *lines.end());
    let (Some(first), Some(last)) = (meant.first(), meant.last()) else { return None };
    // Almost always the blocks are untouched.
    if let Some(found) = by_blocks(then, &meant, now) {
        return Some((found, FoundBy::Lines));
    }
    // A block that is still there and reads differently was changed: what is like it elsewhere is something else.
    let ids = &then.block_ids()[first.block..=last.block];
    if ids.iter().any(|id| now.block_with_id(*id).is_some()) {
        return None;
    }
    let (then_lines, now_lines) = (then.lines(), now.lines());
    let meant = (lines.start() - 1)..*lines.end();
    // What was there already and was not meant is not it, however alike it reads; and where several lines came that read so, one
    // of them is the person's own.
    let places = |of: &Document, lines: &[Line], other: &Document| -> Vec<usize> {
        let named: HashSet<BlockId> = other.block_ids().iter().copied().collect();
        let reads = |start: &usize| {
            let pairs = then_lines[meant.clone()].iter().zip(&lines[*start..]);
            pairs.clone().all(|(line, there)| line.text == there.text)
                && pairs.clone().all(|(_, there)| !named.contains(&of.block_ids()[there.block]))
        };
        (0..(lines.len() + 1).saturating_sub(meant.len())).filter(reads).collect()
    };
    let ([only], [_]) = (&places(now, &now_lines, then)[..], &places(then, &then_lines, now)[..]) else { return None };
    let found = only + 1..=only + meant.len();
    if by_diff(&then_lines, meant.clone(), &now_lines) == Some(*only) {
        return Some((found, FoundBy::Diff));
    }
    if then_lines[meant.clone()].iter().all(|line| line.text.trim().is_empty()) {
        return None;
    }
    let around = |lines: &[Line], start: usize| {
        let text = |line: Option<&Line>| line.map(|line| line.text.clone());
        (start.checked_sub(1).map(|at| text(lines.get(at))), text(lines.get(start + meant.len())))
    };
    let alike = around(&now_lines, *only) == around(&then_lines, meant.start);
    Some((found, if alike { FoundBy::Context } else { FoundBy::Text }))
}

/// By the lasting names of blocks; inside a block that changed, by a diff of its lines.
fn by_blocks(then: &Document, meant: &[Line], now: &Document) -> Option<RangeInclusive<usize>> {
    let mut at: HashMap<usize, Vec<Option<usize>>> = HashMap::default();
    let mut numbers = Vec::with_capacity(meant.len());
    for line in meant {
        let fates = match at.entry(line.block) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => new.insert(carried(then, line.block, now)?),
        };
        numbers.push(fates[line.line - then.line_numbers_of(line.block).start]?);
    }
    let (first, last) = (*numbers.first()?, *numbers.last()?);
    // Something new between them was never meant.
    (last + 1 - first == numbers.len() && numbers.is_sorted()).then_some(first..=last)
}

/// The lines of a block as lines of now.
fn carried(then: &Document, block: usize, now: &Document) -> Option<Vec<Option<usize>>> {
    let id: BlockId = then.block_ids()[block];
    // Blocks mostly stay near where they were.
    let index = (now.block_ids().get(block) == Some(&id)).then_some(block).or_else(|| now.block_with_id(id))?;
    let first = now.line_numbers_of(index).start;
    let count = then.line_numbers_of(block).len();
    if then.blocks()[block] == now.blocks()[index] {
        return Some((0..count).map(|line| Some(first + line)).collect());
    }
    let (old, new) = (then.lines_of_blocks(block..block + 1), now.lines_of_blocks(index..index + 1));
    // A text of which there are more or fewer now may be this one or that.
    let often = |lines: &[Line], like: &Line| {
        lines.iter().filter(|line| line.text == like.text && line.kind == like.kind).count()
    };
    let mut carried = vec![None; count];
    for (old_at, new_at, length) in same_lines(&old, &new) {
        for line in 0..length {
            let meant = &old[old_at + line];
            if often(&old, meant) == often(&new, meant) {
                carried[old_at + line] = Some(first + new_at + line);
            }
        }
    }
    // But where the block is built as it was, each line has kept its place.
    if old.len() == new.len() && old.iter().zip(&new).all(|(a, b)| a.kind == b.kind && a.path[1..] == b.path[1..]) {
        for (at, _) in old.iter().zip(&new).enumerate().filter(|(_, (a, b))| a.text == b.text) {
            carried[at] = Some(first + at);
        }
    }
    Some(carried)
}

fn by_diff(then: &[Line], meant: std::ops::Range<usize>, now: &[Line]) -> Option<usize> {
    let runs = same_lines(then, now);
    let run = runs.iter().find(|(start, _, length)| *start <= meant.start && meant.end <= start + length)?;
    Some(run.1 + meant.start - run.0)
}

fn same_lines(old: &[Line], new: &[Line]) -> Vec<(usize, usize, usize)> {
    let texts = |lines: &[Line]| lines.iter().map(|line| format!("{}\n{}", line.kind, line.text)).collect::<Vec<_>>();
    let (old, new) = (texts(old), texts(new));
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
    align::matches(&old, &new)
}
