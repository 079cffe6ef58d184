//! Hunks that are decided together: an edit moved text from the one to the other, as by a split or a join. Decided one
//! without the other, the text would be there twice or not at all.
//!
//! The links of an edit are found when it is proposed, and stay: neither typing nor a decision elsewhere changes which
//! hunks are decided together.

use crate::merge::growth;
use crate::pending::{Maker, Numbers, Pending, PendingHunk, add_makers, overlap, shifted};
use crate::table_links::tables;
use copydesk_document::{Document, Node, Schema, words};
use copydesk_edit::change::{self, Change};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The most top-level blocks between two hunks that exchange a single word.
const NEAR: usize = 10;
/// The number of words in a row by which moved text is recognized at any distance.
const PHRASE: usize = 4;
/// A word or phrase that more hunks insert is not evidence that text was moved.
const MOST_GAINERS: usize = 16;

/// Words or phrases and how often each occurs.
type Bag = FxHashMap<String, usize>;

/// A range that changes: before and after.
pub(crate) type ChangedPair = (Range<usize>, Range<usize>);

/// The difference of the two sides of a range.
struct SideDifference {
    /// Index of the first top-level block before.
    block: usize,
    lost: [Bag; 2],
    gained: [Bag; 2],
}

impl SideDifference {
    fn of(before: &Document, after: &Document, (old, new): &ChangedPair) -> SideDifference {
        let words = |document: &Document, range: &Range<usize>| {
            words_of(document.schema(), &change::content_between(document, range.start, range.end))
        };
        let (old_words, new_words) = (words(before, old), words(after, new));
        let phrases = |words: &[String]| bag(words.windows(PHRASE).map(|words| words.join(" ")));
        let old_bags = [bag(old_words.iter().cloned()), phrases(&old_words)];
        let new_bags = [bag(new_words.iter().cloned()), phrases(&new_words)];
        let more = |bags: &[Bag; 2], others: &[Bag; 2]| [0, 1].map(|at| without(&bags[at], &others[at]));
        let block = before.block_at(old.start);
        SideDifference { block, lost: more(&old_bags, &new_bags), gained: more(&new_bags, &old_bags) }
    }

    /// Returns true if a deletion and an insertion are of the same words, or one is of some of the other's.
    fn is_whole_of(&self, to: &SideDifference) -> bool {
        let (lost, gained) = (&self.lost[0], &to.gained[0]);
        let is_in = |a: &Bag, b: &Bag| a.iter().all(|(word, times)| b.get(word) >= Some(times));
        self.gained[0].is_empty() && to.lost[0].is_empty() && (is_in(lost, gained) || is_in(gained, lost))
    }
}

/// Returns the indexes of ranges between which text was moved, each pair as (from, to). The ranges are ascending.
///
/// Text was moved if, of ranges near to one another, the one lost a word that occurs once in the blocks around and the
/// other gained it, or the one deletes the text that the other inserts; at any distance, if they share at least half of
/// the phrases that the one lost or the other gained.
pub(crate) fn exchanges(before: &Document, after: &Document, ranges: &[ChangedPair]) -> Vec<(usize, usize)> {
    if ranges.len() < 2 {
        return Vec::new();
    }
    let differences: Vec<SideDifference> = ranges.iter().map(|pair| SideDifference::of(before, after, pair)).collect();
    let mut found = by_words(before, after, ranges, &differences);
    found.extend(by_phrases(&differences));
    found
}

/// Returns the ranges of each kind of text that gain it, by the text.
fn gainers(differences: &[SideDifference], kind: usize) -> FxHashMap<&str, Vec<usize>> {
    let mut gainers: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (at, difference) in differences.iter().enumerate() {
        difference.gained[kind].keys().for_each(|text| gainers.entry(text).or_default().push(at));
    }
    gainers.retain(|_, all| all.len() <= MOST_GAINERS);
    gainers
}

fn by_words(
    before: &Document,
    after: &Document,
    ranges: &[ChangedPair],
    differences: &[SideDifference],
) -> Vec<(usize, usize)> {
    let gainers = gainers(differences, 0);
    let mut found = Vec::new();
    for run in runs(differences) {
        let moved = run.clone().flat_map(|at| differences[at].lost[0].keys().map(move |word| (at, word.as_str())));
        let pairs: Vec<(&str, usize, usize)> = moved
            .flat_map(|(at, word)| gainers.get(word).into_iter().flatten().map(move |to| (word, at, *to)))
            .filter(|(_, at, to)| at != to && run.contains(to))
            .filter(|(_, at, to)| differences[*at].block.abs_diff(differences[*to].block) <= NEAR)
            .collect();
        if pairs.is_empty() {
            continue;
        }
        let (first, last) = (&ranges[run.start], &ranges[run.end - 1]);
        let counts = [words_around(before, first.0.start..last.0.end), words_around(after, first.1.start..last.1.end)];
        let is_one = |word: &str| counts.iter().all(|count| count.get(word) == Some(&1));
        let is_moved =
            |(word, at, to): &(&str, usize, usize)| is_one(word) || differences[*at].is_whole_of(&differences[*to]);
        found.extend(pairs.into_iter().filter(is_moved).map(|(_, at, to)| (at, to)));
    }
    found
}

/// Returns the runs of ranges that are near to one another.
fn runs(differences: &[SideDifference]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, difference) in differences.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if difference.block.saturating_sub(differences[at - 1].block) <= NEAR => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// Returns the words of the top-level blocks that a range touches.
fn words_around(document: &Document, range: Range<usize>) -> Bag {
    let first = document.block_at(range.start);
    let last = document.block_at(range.end.max(range.start)).min(document.blocks().len().saturating_sub(1));
    let blocks = document.blocks().get(first..last + 1).unwrap_or_default();
    bag(words_of(document.schema(), blocks))
}

fn by_phrases(differences: &[SideDifference]) -> Vec<(usize, usize)> {
    let gainers = gainers(differences, 1);
    let size = |bag: &Bag| bag.values().sum::<usize>();
    let mut found = Vec::new();
    for (at, from) in differences.iter().enumerate() {
        let mut common: FxHashMap<usize, usize> = FxHashMap::default();
        for (phrase, lost) in &from.lost[1] {
            for to in gainers.get(phrase.as_str()).into_iter().flatten().filter(|to| **to != at) {
                *common.entry(*to).or_default() += differences[*to].gained[1][phrase].min(*lost);
            }
        }
        let is_much = |(to, common): &(usize, usize)| {
            2 * common >= size(&from.lost[1]) || 2 * common >= size(&differences[*to].gained[1])
        };
        found.extend(common.into_iter().filter(is_much).map(|(to, _)| (at, to)));
    }
    found
}

/// Returns true if what two changes insert shares at least half of the words of one of them. A change is the old and
/// the new content.
pub(crate) fn is_alike(schema: &Schema, a: [&[Node]; 2], b: [&[Node]; 2]) -> bool {
    let gained = |[old, new]: [&[Node]; 2]| without(&bag(words_of(schema, new)), &bag(words_of(schema, old)));
    let (a, b) = (gained(a), gained(b));
    let common: usize = a.iter().map(|(word, times)| *times.min(b.get(word).unwrap_or(&0))).sum();
    let least = a.values().sum::<usize>().min(b.values().sum());
    common > 0 && 2 * common >= least
}

/// Returns the words of nodes in their order, in lower case. Of a script without spaces a word is two signs; an inline
/// leaf or a leaf block is a word of its own.
fn words_of(schema: &Schema, nodes: &[Node]) -> Vec<String> {
    let mut all = Vec::new();
    for node in nodes {
        match node.text() {
            Some(text) => push_words(text, &mut all),
            None if node.is_leaf() && !schema.is_hard_break(node.kind()) && !schema.is_textblock(node.kind()) => {
                all.push(node.to_value(schema).to_string())
            }
            None => all.extend(words_of(schema, node.children())),
        }
    }
    all
}

fn push_words(text: &str, all: &mut Vec<String>) {
    let pieces: Vec<&str> = words::split(text).collect();
    for signs in pieces.split(|piece| !piece.contains(char::is_alphanumeric)) {
        match signs {
            [] => {}
            [one] => all.push(one.to_lowercase()),
            _ => all.extend(signs.windows(2).map(|pair| pair.concat().to_lowercase())),
        }
    }
}

fn bag(words: impl IntoIterator<Item = String>) -> Bag {
    let mut bag = Bag::default();
    words.into_iter().for_each(|word| *bag.entry(word).or_default() += 1);
    bag
}

/// Returns the words that occur more often in one bag than in another, and how much more often.
fn without(words: &Bag, others: &Bag) -> Bag {
    let more = words.iter().map(|(word, times)| (word, times.saturating_sub(*others.get(word).unwrap_or(&0))));
    more.filter(|(_, times)| *times > 0).map(|(word, times)| (word.clone(), times)).collect()
}

impl Pending {
    /// Links the hunks of an edit with those of the same edits between which text was moved. Other links stay.
    pub(crate) fn link(&mut self, base: &Document, maker: &Maker, numbers: &mut Numbers) {
        let has = |hunk: &PendingHunk, number: u64| hunk.makers.iter().any(|maker| maker.number == number);
        let own = self.hunks.iter().filter(|hunk| has(hunk, maker.number));
        let makers: FxHashSet<u64> = own.flat_map(|hunk| &hunk.makers).map(|maker| maker.number).collect();
        let is_near = |at: &usize| self.hunks[*at].makers.iter().any(|maker| makers.contains(&maker.number));
        let members: Vec<usize> = (0..self.hunks.len()).filter(is_near).collect();
        let pair = |at: &usize| (self.hunks[*at].base.clone(), self.hunks[*at].proposed.clone());
        let ranges: Vec<ChangedPair> = members.iter().map(pair).collect();
        let in_tables = tables(base, &self.proposed, &ranges);
        let pairs = in_tables.iter().flat_map(|group| group.windows(2).map(|pair| (pair[0], pair[1])));
        for (a, b) in pairs.chain(exchanges(base, &self.proposed, &ranges)) {
            let (a, b) = (members[a], members[b]);
            let (one, other) = (&self.hunks[a], &self.hunks[b]);
            let is_of_one = one.makers.iter().any(|maker| has(other, maker.number));
            if is_of_one && (has(one, maker.number) || has(other, maker.number)) {
                let link = numbers.next_link();
                self.hunks[a].links.push(link);
                self.hunks[b].links.push(link);
            }
        }
    }

    /// Returns for each hunk the indexes of the others that are decided with it.
    pub(crate) fn linked(&self) -> Vec<Vec<usize>> {
        let mut linked = vec![Vec::new(); self.hunks.len()];
        let mut groups: Vec<Vec<usize>> = (0..self.hunks.len()).map(|at| vec![at]).collect();
        let mut group_of: Vec<usize> = (0..self.hunks.len()).collect();
        let mut first: FxHashMap<u64, usize> = FxHashMap::default();
        for (at, hunk) in self.hunks.iter().enumerate() {
            for link in &hunk.links {
                let (a, b) = (group_of[*first.entry(*link).or_insert(at)], group_of[at]);
                if a != b {
                    let moved = std::mem::take(&mut groups[b]);
                    moved.iter().for_each(|at| group_of[*at] = a);
                    groups[a].extend(moved);
                }
            }
        }
        for group in groups.iter().filter(|group| group.len() > 1) {
            for at in group {
                linked[*at] = group.iter().copied().filter(|other| other != at).collect();
                linked[*at].sort_unstable();
            }
        }
        linked
    }

    /// Returns for each change the makers of its insertions: its own edit, and those of the hunks from which it moves
    /// text. `after` is the proposal with the changes.
    pub(crate) fn makers_of(&self, changes: &[Change], after: &Document, maker: &Maker) -> Vec<Vec<Maker>> {
        let mut makers = vec![vec![maker.clone()]; changes.len()];
        let is_in = |range: &Range<usize>| self.hunks.iter().any(|hunk| overlap(&hunk.proposed, range));
        if !changes.iter().any(|change| is_in(&(change.from..change.to))) {
            return makers;
        }
        let mut grown = 0;
        let pair = |change: &Change| {
            let from = shifted(change.from, grown);
            grown += growth(change);
            (change.from..change.to, from..from + change.new_size())
        };
        let ranges: Vec<ChangedPair> = changes.iter().map(pair).collect();
        for (from, to) in exchanges(&self.proposed, after, &ranges) {
            for hunk in self.hunks.iter().filter(|hunk| overlap(&hunk.proposed, &ranges[from].0)) {
                add_makers(&mut makers[to], &hunk.makers);
            }
        }
        makers
    }
}
