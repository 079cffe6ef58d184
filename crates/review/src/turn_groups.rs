//! Blocks of a turn that belong together: those that exchanged text by a split or a join, and those that replaced one
//! another. Taken back one without the other, text would be there twice or not at all.

use crate::turns::Touched;
use copydesk_document::{BlockId, Document, Node, words};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most blocks between two that exchange a single word.
const NEAR: usize = 5;

/// The words of a text and how often each occurs.
type WordCounts = FxHashMap<String, usize>;

/// Sets of blocks.
#[derive(Default)]
pub(crate) struct Groups(FxHashMap<BlockId, BlockId>);

impl Groups {
    /// Returns the groups that pairs of blocks make.
    pub fn of(pairs: impl IntoIterator<Item = (BlockId, BlockId)>) -> Groups {
        let mut groups = Groups::default();
        for (a, b) in pairs {
            groups.join(a, b);
        }
        groups
    }

    /// Returns the block that names the group of a block.
    pub fn root(&self, mut id: BlockId) -> BlockId {
        while let Some(parent) = self.0.get(&id) {
            id = *parent;
        }
        id
    }

    /// Makes two groups one; returns false if they were.
    fn join(&mut self, a: BlockId, b: BlockId) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.0.insert(a, b);
        }
        a != b
    }
}

/// A changed block of an edit.
struct ChangedBlock {
    index: usize,
    /// Number of the run of changed blocks in which it is.
    run: usize,
    lost: WordCounts,
    gained: WordCounts,
}

/// The number of occurrences of a word in a run before and after an edit.
type CountsAround<'a> = FxHashMap<(usize, &'a str), (usize, usize)>;

/// Returns pairs of blocks of an edit that belong together. `is_fixed` are the blocks that are in the same order as
/// before.
pub(crate) fn links(
    old: &Document,
    new: &Document,
    touched: &[Touched],
    is_fixed: impl Fn(BlockId) -> bool,
) -> Vec<(BlockId, BlockId)> {
    if touched.len() < 2 {
        return Vec::new();
    }
    let changed: FxHashSet<BlockId> = touched.iter().map(|touched| touched.id).collect();
    let runs = [old, new].map(|document| passed(document, |id| is_fixed(id) && !changed.contains(&id)));
    let is_new_or_gone = |touched: &&Touched| touched.before.is_none() || touched.after.is_none();
    let replaced: FxHashSet<BlockId> = touched.iter().filter(is_new_or_gone).map(|touched| touched.id).collect();
    let gaps = [old, new].map(|document| passed(document, |id| is_fixed(id) && !replaced.contains(&id)));
    let side = |touched: &Touched| usize::from(touched.after.is_some());
    let (mut groups, mut links) = (Groups::default(), Vec::new());
    let mut link = |a: BlockId, b: BlockId| {
        if groups.join(a, b) {
            links.push((a, b));
        }
    };
    // Insertions in the place of removals replace them: as many each its own, others all of them.
    let mut in_gaps: FxHashMap<usize, [Vec<BlockId>; 2]> = FxHashMap::default();
    for touched in touched.iter().filter(is_new_or_gone) {
        let at = side(touched);
        in_gaps.entry(gaps[at][touched.index()]).or_default()[at].push(touched.id);
    }
    for [gone, came] in in_gaps.values().filter(|[gone, came]| !gone.is_empty() && !came.is_empty()) {
        match gone.len() == came.len() {
            true => gone.iter().zip(came).for_each(|(gone, came)| link(*gone, *came)),
            false => gone.iter().chain(&came[1..]).for_each(|id| link(*id, came[0])),
        }
    }
    let run = |touched: &Touched| runs[side(touched)][touched.index()];
    exchanges(touched, run).into_iter().for_each(|(a, b)| link(touched[a].id, touched[b].id));
    links
}

/// Returns the indexes of the blocks that exchanged text: at least half of what one lost or the other gained, a word
/// that occurs only once in their run, or all of what a split or a join moves, which may be a part of a word.
pub(crate) fn exchanges(touched: &[Touched], run: impl Fn(&Touched) -> usize) -> Vec<(usize, usize)> {
    let texts: Vec<[WordCounts; 2]> =
        touched.iter().map(|touched| [&touched.before, &touched.after].map(|node| words_of(node.as_ref()))).collect();
    let piece = |(touched, [before, after]): (&Touched, &[WordCounts; 2])| ChangedBlock {
        index: touched.index(),
        run: run(touched),
        lost: without(before, after),
        gained: without(after, before),
    };
    let pieces: Vec<ChangedBlock> = touched.iter().zip(&texts).map(piece).collect();
    let mut counts = CountsAround::default();
    for (piece, [before, after]) in pieces.iter().zip(&texts) {
        before.iter().for_each(|(word, times)| counts.entry((piece.run, word)).or_default().0 += times);
        after.iter().for_each(|(word, times)| counts.entry((piece.run, word)).or_default().1 += times);
    }
    let mut found = pairs(&pieces, &counts);
    found.extend(cut_texts(touched, &pieces));
    found
}

/// Returns pairs of blocks near each other of which one lost the text at an end that the other gained at an end.
fn cut_texts(touched: &[Touched], pieces: &[ChangedBlock]) -> Vec<(usize, usize)> {
    let text = |node: &Option<Node>| node.as_ref().map(Node::text_content).unwrap_or_default();
    let texts: Vec<[String; 2]> = touched.iter().map(|touched| [&touched.before, &touched.after].map(text)).collect();
    let mut gainers: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (at, [before, after]) in texts.iter().enumerate() {
        ends_without(after, before).for_each(|gained| gainers.entry(gained).or_default().push(at));
    }
    let mut found = Vec::new();
    for (at, [before, after]) in texts.iter().enumerate() {
        let others = ends_without(before, after).filter_map(|lost| gainers.get(lost)).flatten();
        let is_near = |to: &&usize| {
            **to != at && pieces[**to].run == pieces[at].run && pieces[**to].index.abs_diff(pieces[at].index) <= NEAR
        };
        found.extend(others.filter(is_near).map(|to| (at, *to)));
    }
    found
}

/// Returns what is left of a text without another one at its beginning or end, and without the spaces around it.
fn ends_without<'t>(text: &'t str, other: &str) -> impl Iterator<Item = &'t str> {
    let ends = [text.strip_prefix(other), text.strip_suffix(other)];
    ends.into_iter().flatten().map(str::trim).filter(|rest| !rest.is_empty())
}

fn pairs(pieces: &[ChangedBlock], counts: &CountsAround) -> Vec<(usize, usize)> {
    let mut gainers: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (at, piece) in pieces.iter().enumerate() {
        piece.gained.keys().for_each(|word| gainers.entry(word).or_default().push(at));
    }
    let mut found = Vec::new();
    for (at, from) in pieces.iter().enumerate() {
        let mut common: FxHashMap<usize, (usize, bool)> = FxHashMap::default();
        for (word, lost) in &from.lost {
            let is_one = counts.get(&(from.run, word.as_str())) == Some(&(1, 1));
            for to in gainers.get(word.as_str()).into_iter().flatten().filter(|to| **to != at) {
                let (length, is_sure) = common.entry(*to).or_default();
                *length += word.len() * pieces[*to].gained[word].min(*lost);
                *is_sure |= is_one && pieces[*to].run == from.run && pieces[*to].index.abs_diff(from.index) <= NEAR;
            }
        }
        found.extend(common.into_iter().filter_map(|(to, (length, is_sure))| {
            let is_much = 2 * length >= size(&from.lost) || 2 * length >= size(&pieces[to].gained);
            (is_sure || is_much).then_some((at, to))
        }));
    }
    found
}

/// Returns for each index how many of some blocks come before it.
fn passed(document: &Document, is_one: impl Fn(BlockId) -> bool) -> Vec<usize> {
    let mut count = 0;
    let before = |id: &BlockId| {
        let before = count;
        count += usize::from(is_one(*id));
        before
    };
    document.block_ids().iter().map(before).collect()
}

/// Returns whether one of two blocks has at least half of the words of the other.
pub(crate) fn is_alike(a: &Node, b: &Node) -> bool {
    let (a, b) = (words_of(Some(a)), words_of(Some(b)));
    let common: usize = a.iter().map(|(word, times)| word.len() * times.min(b.get(word).unwrap_or(&0))).sum();
    common > 0 && (2 * common >= size(&a) || 2 * common >= size(&b))
}

/// Returns whether a block has all words of another, which has some.
pub(crate) fn has_all(block: &Node, other: &Node) -> bool {
    let (block, other) = (words_of(Some(block)), words_of(Some(other)));
    !other.is_empty() && other.iter().all(|(word, times)| block.get(word) >= Some(times))
}

fn words_of(node: Option<&Node>) -> WordCounts {
    let mut all = WordCounts::default();
    let text = node.map(Node::text_content).unwrap_or_default();
    for word in words::split(&text).filter(|word| word.contains(char::is_alphanumeric)) {
        *all.entry(word.to_owned()).or_default() += 1;
    }
    all
}

/// Returns the words that occur more often in one text than in another, and how much more often.
fn without(words: &WordCounts, others: &WordCounts) -> WordCounts {
    let more = words.iter().map(|(word, times)| (word, times.saturating_sub(*others.get(word).unwrap_or(&0))));
    more.filter(|(_, times)| *times > 0).map(|(word, times)| (word.clone(), times)).collect()
}

/// Returns the length of all words.
fn size(words: &WordCounts) -> usize {
    words.iter().map(|(word, times)| word.len() * times).sum()
}
