//! Finds the current places of lines of a snapshot.
//!
//! The model refers to lines of a document that it saw; the user has continued writing. Four ways are tried, in this
//! order:
//!
//! 1. The lines as the model counts them, followed by the lasting ids of their blocks.
//! 2. If the blocks no longer exist: in the place that a diff of the two documents pairs with them.
//! 3. Between the same lines before and after.
//! 4. By their text alone, at last with differences of quotes, dashes, width and spaces set aside.
//!
//! Whichever finds them, **they must read as they did**: text that was changed meanwhile is not found. **Nothing is
//! guessed between lines that are alike.** A text is found only if it occurs once among the removed lines and once
//! among the added ones, and in all others as often as before. Lines that occur more than once are found only if the
//! lines around them make them unique and their marks and leaves are the same. Lines with other marks or leaves than
//! before are not found if some other line has those.

use crate::inlines::Inlines;
use crate::patterns::Patterns;
use crate::typography::plain;
use copydesk_document::align::{Match, matches};
use copydesk_document::{BlockId, Document, Line, Lines, Node};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::ops::{Range, RangeInclusive};

/// The method by which a place was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FoundBy {
    /// By the lines that the model gave.
    Lines,
    /// By the lines of a diff between then and now.
    Diff,
    /// By the lines before and after.
    Context,
    /// By the text alone.
    Text,
}

/// The number of lines with the same text above which they are not told apart.
const MOST_ALIKE: usize = 100;

/// Returns the lines of `then` as lines of `now`; `None` if they are not there unchanged.
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
        // A block that still exists and reads differently was changed: similar text elsewhere is something else.
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
    without_doubtful(then, &lines, now, ranges, found)
}

/// Drops lines that have other marks or leaves than those that are meant, where another line has these.
fn without_doubtful(
    then: &Document,
    then_lines: &Lines,
    now: &Document,
    ranges: &[RangeInclusive<usize>],
    mut found: Vec<Option<Found>>,
) -> Vec<Option<Found>> {
    let blocks_are_same = |meant: &RangeInclusive<usize>, place: &RangeInclusive<usize>| {
        let blocks = |of: &Document, lines: &RangeInclusive<usize>| {
            of.block_of_line(*lines.start())..of.block_of_line(*lines.end()) + 1
        };
        then.blocks()[blocks(then, meant)] == now.blocks()[blocks(now, place)]
    };
    let mut places: Vec<(usize, RangeInclusive<usize>)> = Vec::new();
    for (at, place) in found.iter().enumerate() {
        if let Some((place, _)) = place
            && !blocks_are_same(&ranges[at], place)
        {
            places.push((at, place.clone()));
        }
    }
    if places.is_empty() {
        return found;
    }
    let now_lines = now.lines_at(places.iter().map(|(_, place)| place.clone()));
    let mut then_contents = Contents::of(then, &then_lines.0);
    let mut now_contents = Contents::of(now, &now_lines.0);
    let others = OnceCell::new();
    for (at, place) in places {
        let is_elsewhere = |meant: &LineContent, text: &str, line: usize| {
            let alike = others.get_or_init(|| contents_by_text(now)).get(text).map_or(&[][..], Vec::as_slice);
            let is_other = |(number, other): &(usize, LineContent)| *number != line && other == meant;
            alike.len() > MOST_ALIKE || alike.iter().any(is_other)
        };
        let mut pairs = ranges[at].clone().zip(place.clone());
        let is_doubtful = pairs.any(|(meant, line)| {
            let (Some((text, meant)), Some((_, there))) = (then_contents.of_line(meant), now_contents.of_line(line))
            else {
                return true;
            };
            // An image with another source is another image.
            meant != there && (meant.leaf.is_some() || is_elsewhere(&meant, text, line))
        });
        if is_doubtful {
            found[at] = None;
        }
    }
    found
}

/// The content of a line, with its marks and leaves.
#[derive(PartialEq)]
struct LineContent {
    kind: String,
    inline: Vec<Node>,
    /// The block, if it is a leaf.
    leaf: Option<Node>,
}

/// The contents of lines of whole blocks.
struct Contents<'d> {
    document: &'d Document,
    lines: &'d [Line],
    inlines: Inlines<'d>,
}

impl<'d> Contents<'d> {
    fn of(document: &'d Document, lines: &'d [Line]) -> Contents<'d> {
        Contents { document, lines, inlines: Inlines::new(document, lines) }
    }

    /// Returns the text and the content of the line with this number.
    fn of_line(&mut self, number: usize) -> Option<(&'d str, LineContent)> {
        let at = self.lines.binary_search_by_key(&number, |line| line.line).ok()?;
        Some((&self.lines[at].text, self.at(at)))
    }

    fn at(&mut self, at: usize) -> LineContent {
        let schema = self.document.schema();
        let leaf = self.inlines.holder(at).filter(|holder| !schema.is_textblock(holder.kind())).cloned();
        LineContent { kind: self.lines[at].kind.clone(), inline: self.inlines.of(at).to_vec(), leaf }
    }
}

/// Returns the numbers and contents of the lines that have each text.
fn contents_by_text(document: &Document) -> FxHashMap<String, Vec<(usize, LineContent)>> {
    let lines = document.lines();
    let mut contents = Contents::of(document, &lines);
    let mut by_text: FxHashMap<String, Vec<(usize, LineContent)>> = FxHashMap::default();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.text.trim().is_empty()) {
        by_text.entry(line.text.clone()).or_default().push((line.line, contents.at(at)));
    }
    by_text
}

/// Finds blocks of `then` in `now` by id.
struct Blocks<'d> {
    then: &'d Document,
    now: &'d Document,
    /// The index of each block of `now` by id. Built when the first block is found to have moved.
    places: OnceCell<FxHashMap<BlockId, usize>>,
    /// For each block visited so far, the current numbers of its lines; `None` if the block no longer exists.
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
    // But if the structure of the block is unchanged, each line has kept its place.
    if old.len() == new.len() && old.iter().zip(&new).all(|(a, b)| a.kind == b.kind && a.path[1..] == b.path[1..]) {
        for (at, _) in old.iter().zip(&new).enumerate().filter(|(_, (a, b))| a.text == b.text) {
            carried[at] = Some(first + at);
        }
    }
    carried
}

/// Finds lines whose blocks no longer exist among the lines of new blocks.
fn elsewhere(then: &Document, meant: &[Range<usize>], now: &Document) -> Vec<Option<Found>> {
    let both = Both::of(then, now);
    let exact = both.numbered(&str::to_owned);
    let texts = both.unique(&exact, meant);
    // Lines that occur more than once are told apart by those before and after them.
    let [old, new] = exact.map(|texts| {
        let ends = [Some(u32::MAX), Some(u32::MAX - 1)];
        std::iter::once(ends[0]).chain(texts.into_iter().map(Some)).chain([ends[1]]).collect::<Vec<_>>()
    });
    let between = unique(&old, meant.iter().map(|range| range.start..range.end + 2), &new);
    let nearly = OnceCell::new();
    let nearly = || nearly.get_or_init(|| both.unique(&both.numbered(&|text| plain(text).trim().to_owned()), meant));
    let runs = same_lines(&both.lines[0], &both.lines[1]);
    let [mut old, mut new] = [0, 1].map(|side| Contents::of(both.documents[side], &both.lines[side]));
    let find = |(at, meant): (usize, &Range<usize>)| {
        let found = |first: usize, by: FoundBy| Some((first + 1..=first + meant.len(), by));
        if let Some(only) = texts[at].filter(|only| by_diff(&runs, meant) == Some(*only)) {
            return found(only, FoundBy::Diff);
        }
        if both.lines[0][meant.clone()].iter().all(|line| line.text.trim().is_empty()) {
            return None;
        }
        let mut is_same = |first: usize| {
            let are_new = both.lines[1][first..first + meant.len()].iter().all(|line| both.is_new[1][line.block]);
            are_new && meant.clone().zip(first..).all(|(then, now)| old.at(then) == new.at(now))
        };
        if let Some(only) = between[at].filter(|only| texts[at] == Some(*only) || is_same(*only)) {
            return found(only, FoundBy::Context);
        }
        texts[at].or_else(|| nearly()[at]).and_then(|only| found(only, FoundBy::Text))
    };
    meant.iter().enumerate().map(find).collect()
}

/// The lines of two documents, the earlier one first.
struct Both<'d> {
    documents: [&'d Document; 2],
    lines: [Vec<Line>; 2],
    /// For each block, true if the other document does not have it.
    is_new: [Vec<bool>; 2],
}

impl<'d> Both<'d> {
    fn of(then: &'d Document, now: &'d Document) -> Both<'d> {
        let is_new = [(then, now), (now, then)].map(|(of, other)| {
            let others: FxHashSet<BlockId> = other.block_ids().iter().copied().collect();
            of.block_ids().iter().map(|id| !others.contains(id)).collect()
        });
        Both { documents: [then, now], lines: [then.lines(), now.lines()], is_new }
    }

    /// Returns for each line a number: the same for those that read alike.
    fn numbered(&self, read: &dyn Fn(&str) -> String) -> [Vec<u32>; 2] {
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        [0, 1].map(|side| {
            let number = |line: &Line| {
                let next = numbers.len() as u32;
                *numbers.entry(read(&line.text)).or_insert(next)
            };
            self.lines[side].iter().map(number).collect()
        })
    }

    /// Returns for each range the place of its lines, if they occur once in the removed blocks and once in the new
    /// ones, and in the other blocks as often as before: otherwise one may have moved from or to another block.
    fn unique(&self, texts: &[Vec<u32>; 2], meant: &[Range<usize>]) -> Vec<Option<usize>> {
        let mut surplus: FxHashMap<u32, isize> = FxHashMap::default();
        let [old, new] = [0, 1].map(|side| {
            let name = |(line, text): (&Line, &u32)| match self.is_new[side][line.block] {
                true => Some(*text),
                false => {
                    *surplus.entry(*text).or_default() += if side == 0 { -1 } else { 1 };
                    None
                }
            };
            self.lines[side].iter().zip(&texts[side]).map(name).collect::<Vec<_>>()
        });
        let is_settled = |range: &Range<usize>| {
            let says = |at: &usize| !self.lines[0][*at].text.trim().is_empty();
            let mut lines = range.clone().filter(says);
            lines.all(|at| surplus.get(&texts[0][at]).is_none_or(|surplus| *surplus == 0))
        };
        let found = unique(&old, meant.iter().cloned(), &new);
        found.into_iter().zip(meant).map(|(found, range)| found.filter(|_| is_settled(range))).collect()
    }
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
