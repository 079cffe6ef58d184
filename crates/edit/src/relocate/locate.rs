//! Where lines of a snapshot are now.
//!
//! The model means lines of a document that it saw; the user has gone on writing. First the lines as the model counts
//! them, followed by the lasting names of their blocks. Where these are gone, lines that have come and read as those
//! did: in the place where a diff of the two documents has them, or with the same lines around them, or anywhere.
//! Whichever finds them, **they must read as they did**: text that was changed meanwhile is not found, and nothing is
//! guessed between places that are alike.

use crate::patterns::Patterns;
use copydesk_document::align::{Match, matches};
use copydesk_document::{BlockId, Document, Line};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use std::cell::OnceCell;
use std::ops::{Range, RangeInclusive};

/// The method by which a place was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
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

/// The lines of `then` as lines of `now`; none where they are not there as they were.
pub fn locate(then: &Document, lines: &RangeInclusive<usize>, now: &Document) -> Option<Found> {
    locate_all(then, std::slice::from_ref(lines), now).pop()?
}

/// Line numbers in the current document, and how they were found.
pub type Found = (RangeInclusive<usize>, FoundBy);

/// Locates several ranges of lines, which do not overlap. The result for each is that of [`locate`].
pub fn locate_all(then: &Document, ranges: &[RangeInclusive<usize>], now: &Document) -> Vec<Option<Found>> {
    let lines = then.lines_at(ranges.iter().cloned());
    let mut blocks = Blocks { then, now, places: OnceCell::new(), carried: FxHashMap::default() };
    let mut found: Vec<Option<Found>> = Vec::with_capacity(ranges.len());
    let mut gone = Vec::new();
    for (at, range) in ranges.iter().enumerate() {
        let meant = lines.between(*range.start(), *range.end());
        // Almost always the blocks are untouched.
        found.push(blocks.find(meant).map(|found| (found, FoundBy::Lines)));
        let (Some(first), Some(last)) = (meant.first(), meant.last()) else { continue };
        // A block that is still there and reads differently was changed: what is like it elsewhere is something else.
        if found[at].is_none() && (first.block..=last.block).all(|block| blocks.place(block).is_none()) {
            gone.push(at);
        }
    }
    if !gone.is_empty() {
        let meant: Vec<Range<usize>> = gone.iter().map(|at| ranges[*at].start() - 1..*ranges[*at].end()).collect();
        for (at, place) in gone.into_iter().zip(elsewhere(then, &meant, now)) {
            found[at] = place;
        }
    }
    found
}

/// Finds blocks of `then` in `now` by id.
struct Blocks<'d> {
    then: &'d Document,
    now: &'d Document,
    /// The index of each block of `now` by id. Built when the first block is found to have moved.
    places: OnceCell<FxHashMap<BlockId, usize>>,
    /// For each block visited so far, the current numbers of its lines; none if the block is gone.
    carried: FxHashMap<usize, Option<Vec<Option<usize>>>>,
}

impl Blocks<'_> {
    /// Returns the current index of a block of `then`.
    fn place(&self, block: usize) -> Option<usize> {
        let id = self.then.block_ids()[block];
        let ids = self.now.block_ids();
        // Most blocks keep their index, counted from the start or from the end.
        let from_end = (block + ids.len()).checked_sub(self.then.block_ids().len());
        let near = [Some(block), from_end].into_iter().flatten().find(|at| ids.get(*at) == Some(&id));
        let places = || self.places.get_or_init(|| ids.iter().copied().zip(0..).collect());
        near.or_else(|| places().get(&id).copied())
    }

    /// Finds lines by the ids of their blocks, and inside a changed block by a diff of its lines.
    fn find(&mut self, meant: &[Line]) -> Option<RangeInclusive<usize>> {
        let mut numbers = Vec::with_capacity(meant.len());
        for line in meant {
            let block = line.block;
            if !self.carried.contains_key(&block) {
                let carried = self.place(block).map(|place| carried(self.then, block, self.now, place));
                self.carried.insert(block, carried);
            }
            let carried = self.carried.get(&block)?.as_ref()?;
            numbers.push(carried[line.line - self.then.line_numbers_of(line.block).start]?);
        }
        let (first, last) = (*numbers.first()?, *numbers.last()?);
        // Something new between them was never meant.
        (numbers.is_sorted() && last + 1 - first == numbers.len()).then_some(first..=last)
    }
}

/// Returns the current number of each line of a block, whose current index is `index`.
fn carried(then: &Document, block: usize, now: &Document, index: usize) -> Vec<Option<usize>> {
    let first = now.line_numbers_of(index).start;
    let count = then.line_numbers_of(block).len();
    if then.blocks()[block] == now.blocks()[index] {
        return (0..count).map(|line| Some(first + line)).collect();
    }
    let (old, new) = (then.lines_of_blocks(block..block + 1), now.lines_of_blocks(index..index + 1));
    // If a text occurs more or less often than before, it is not clear which line is which.
    let mut surplus: FxHashMap<(&str, &str), isize> = FxHashMap::default();
    old.iter().for_each(|line| *surplus.entry((&line.kind, &line.text)).or_default() -= 1);
    new.iter().for_each(|line| *surplus.entry((&line.kind, &line.text)).or_default() += 1);
    let mut carried = vec![None; count];
    for Match { old: old_at, new: new_at, len } in same_lines(&old, &new) {
        for line in 0..len {
            let meant = &old[old_at + line];
            if surplus.get(&(meant.kind.as_str(), meant.text.as_str())) == Some(&0) {
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
    carried
}

/// Finds lines whose blocks are all gone among the lines of new blocks.
fn elsewhere(then: &Document, meant: &[Range<usize>], now: &Document) -> Vec<Option<Found>> {
    let (then_lines, now_lines) = (then.lines(), now.lines());
    let mut names = FxHashMap::default();
    let names_of = |lines: &[Line], of: &Document, other: &Document, names: &mut FxHashMap<String, u32>| {
        let named: FxHashSet<BlockId> = other.block_ids().iter().copied().collect();
        let name = |line: &Line| {
            let next = names.len() as u32;
            let name = *names.entry(line.text.clone()).or_insert(next);
            (!named.contains(&of.block_ids()[line.block])).then_some(name)
        };
        lines.iter().map(name).collect::<Vec<Option<u32>>>()
    };
    // Only lines of new blocks are candidates, and only if exactly one of them matches: of two, one may be the user's
    // own.
    let then_names = names_of(&then_lines, then, now, &mut names);
    let now_names = names_of(&now_lines, now, then, &mut names);
    let patterns = Patterns::of(meant.iter().map(|range| &then_names[range.clone()]));
    let (in_then, in_now) = (patterns.find_unique(&then_names), patterns.find_unique(&now_names));
    let runs = same_lines(&then_lines, &now_lines);
    let find = |(at, meant): (usize, &Range<usize>)| {
        let (Some(_), Some(only)) = (in_then[at], in_now[at]) else { return None };
        let found = only + 1..=only + meant.len();
        if by_diff(&runs, meant) == Some(only) {
            return Some((found, FoundBy::Diff));
        }
        if then_lines[meant.clone()].iter().all(|line| line.text.trim().is_empty()) {
            return None;
        }
        let around = |lines: &[Line], start: usize| {
            let text = |line: Option<&Line>| line.map(|line| line.text.clone());
            (start.checked_sub(1).map(|at| text(lines.get(at))), text(lines.get(start + meant.len())))
        };
        let alike = around(&now_lines, only) == around(&then_lines, meant.start);
        Some((found, if alike { FoundBy::Context } else { FoundBy::Text }))
    };
    meant.iter().enumerate().map(find).collect()
}

/// Returns the line that a diff of all lines pairs with the first of these, if it pairs all of them in a row.
fn by_diff(runs: &[Match], meant: &Range<usize>) -> Option<usize> {
    let last = runs.partition_point(|run| run.old <= meant.start).checked_sub(1)?;
    let Match { old, new, len } = runs[last];
    (meant.end <= old + len).then(|| new + meant.start - old)
}

fn same_lines(old: &[Line], new: &[Line]) -> Vec<Match> {
    fn texts(lines: &[Line]) -> Vec<(&str, &str)> {
        lines.iter().map(|line| (&*line.kind, line.text.as_str())).collect()
    }
    matches(&texts(old), &texts(new))
}
