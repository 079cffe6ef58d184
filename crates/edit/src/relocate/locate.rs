//! Where lines of a snapshot are now.
//!
//! The model means lines of a document that it saw; the user has gone on writing. First the lines as the model counts
//! them, followed by the lasting names of their blocks. Where these are gone, lines that have come and read as those
//! did: in the place where a diff of the two documents has them, or with the same lines around them, or anywhere.
//! Whichever finds them, **they must read as they did**, at most with other quotes, dashes and spaces: text that was
//! changed meanwhile is not found. Nothing is guessed between places that are alike: lines that occur more than once are
//! found only if the lines around them occur once.

use crate::patterns::Patterns;
use crate::typography::normalised;
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
    /// By the lines before and after.
    Context,
    /// By the text alone, with differences of quotes, dashes and spaces set aside.
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
    let lines = [then.lines(), now.lines()];
    // Only lines of new blocks are candidates.
    let is_new = [(then, now), (now, then)].map(|(of, other)| {
        let named: FxHashSet<BlockId> = other.block_ids().iter().copied().collect();
        of.block_ids().iter().map(|id| !named.contains(id)).collect::<Vec<bool>>()
    });
    let numbered = |read: &dyn Fn(&str) -> String| {
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        [0, 1].map(|side| {
            let number = |line: &Line| {
                let next = numbers.len() as u32;
                *numbers.entry(read(&line.text)).or_insert(next)
            };
            lines[side].iter().map(number).collect::<Vec<u32>>()
        })
    };
    // Only a text that occurs once then and once now is found: of two, one may be the user's own.
    let by_text = |texts: &[Vec<u32>; 2]| {
        let [old, new] = [0, 1].map(|side| {
            let name = |(line, text): (&Line, &u32)| is_new[side][line.block].then_some(*text);
            lines[side].iter().zip(&texts[side]).map(name).collect::<Vec<Option<u32>>>()
        });
        unique(&old, meant.iter().cloned(), &new)
    };
    let exact = numbered(&str::to_owned);
    let texts = by_text(&exact);
    // Lines that occur more than once are told apart by those before and after them.
    let [old, new] = exact.map(|texts| {
        let ends = [Some(u32::MAX), Some(u32::MAX - 1)];
        std::iter::once(ends[0]).chain(texts.into_iter().map(Some)).chain([ends[1]]).collect::<Vec<Option<u32>>>()
    });
    let contexts = unique(&old, meant.iter().map(|range| range.start..range.end + 2), &new);
    let nearly = OnceCell::new();
    let nearly = || nearly.get_or_init(|| by_text(&numbered(&|text| normalised(text).0.trim().to_owned())));
    let runs = same_lines(&lines[0], &lines[1]);
    let find = |(at, meant): (usize, &Range<usize>)| {
        let found = |first: usize, by: FoundBy| Some((first + 1..=first + meant.len(), by));
        let by_diff = by_diff(&runs, meant);
        if let Some(only) = texts[at].filter(|only| by_diff == Some(*only)) {
            return found(only, FoundBy::Diff);
        }
        if lines[0][meant.clone()].iter().all(|line| line.text.trim().is_empty()) {
            return None;
        }
        let of_new_blocks =
            |first: &usize| lines[1][*first..first + meant.len()].iter().all(|line| is_new[1][line.block]);
        if let Some(only) = contexts[at].filter(of_new_blocks) {
            return found(only, FoundBy::Context);
        }
        texts[at].or_else(|| nearly()[at]).and_then(|only| found(only, FoundBy::Text))
    };
    meant.iter().enumerate().map(find).collect()
}

/// Returns for each range of `old` where it is in `new`, if it occurs exactly once in both.
fn unique(old: &[Option<u32>], ranges: impl Iterator<Item = Range<usize>>, new: &[Option<u32>]) -> Vec<Option<usize>> {
    let patterns = Patterns::of(ranges.map(|range| &old[range]));
    let (in_old, in_new) = (patterns.find_unique(old), patterns.find_unique(new));
    in_old.into_iter().zip(in_new).map(|(then, now)| then.and(now)).collect()
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
