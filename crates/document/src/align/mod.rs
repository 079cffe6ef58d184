//! Alignment of two sequences: their equal items, those that are one edited item, and those that are replaced.
//!
//! There is one algorithm. Its entry points differ in the pairs that may count as one edited item:
//!
//! | function | an old and a new item that are not equal are one item edited if |
//! |---|---|
//! | [`align`] | they are alike: the greatest sum of likeness over all pairs in ascending order |
//! | [`align_documents`] | they have the same block id: two states of one document |
//! | [`diff`], [`matches`] | never: for words, lines and tokens |
//!
//! Equal items are anchors: first those at both ends and nodes that are one shared value, then the equal ends of what
//! lies between them, then what Myers' algorithm (the crate `similar`) finds. [`align`] does not need the last step
//! where few items remain: then it weighs all pairs, equal ones included, so that a horizontal rule or an empty
//! paragraph that happens to be equal does not tear edited paragraphs apart.
//!
//! The smallest difference of two sequences of `n` items takes `n²` time if they have little in common. The search is
//! therefore bounded, and beyond a bound the result is coarser (more is replaced than necessary) but still correct:
//!
//! - `similar` gives up a search after `√n` edits and splits at the best point found so far.
//! - Beyond `MOST_ITEMS`, everything from the first to the last difference is replaced.
//! - Beyond `MOST_PAIRS`, blocks that differ are not paired by likeness.
//!
//! # Examples
//!
//! ```
//! use copydesk_document::Document;
//! use copydesk_document::align::{Relation, align};
//!
//! let old = Document::from_html("<h2>Tea</h2><p>Tea is a very old drink.</p>")?;
//! let new = Document::from_html("<h2>Tea</h2><p>New.</p><p>Tea is an old drink.</p>")?;
//! let chunks = align(old.blocks(), new.blocks());
//! assert_eq!(chunks.len(), 3);
//! assert_eq!((chunks[0].relation, &chunks[0].new), (Relation::Equal, &(0..1)));
//! assert_eq!((chunks[1].relation, &chunks[1].new), (Relation::Replaced, &(1..2)));
//! assert_eq!((chunks[2].relation, &chunks[2].old, &chunks[2].new), (Relation::Edited, &(1..2), &(2..3)));
//! # Ok::<(), copydesk_document::Error>(())
//! ```

mod increasing;
mod likeness;

pub use increasing::heaviest_increasing;

use crate::{BlockId, Document, Node};
use likeness::{EQUAL, Words};
use rustc_hash::FxHashMap;
use similar::algorithms::{DiffHook, IdentifyDistinct, myers};
use std::convert::Infallible;
use std::hash::Hash;
use std::ops::Range;

/// Number of pairs above which nodes that differ are replaced together instead of paired by likeness.
const MOST_PAIRS: usize = 10_000;
/// Number of differing items above which everything from the first to the last difference is replaced.
const MOST_ITEMS: usize = 20_000;

/// The relation of the old items of a [`Chunk`] to the new ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The new items are equal to them, one by one.
    Equal,
    /// One old item was edited into one new item.
    Edited,
    /// The new items replace them. One of the two ranges may be empty.
    Replaced,
}

/// A range of old items and the range of new items that it became.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The relation of the old items to the new ones.
    pub relation: Relation,
    /// Indexes of old items.
    pub old: Range<usize>,
    /// Indexes of new items.
    pub new: Range<usize>,
}

/// A run of equal items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Index of the first item in the old sequence.
    pub old: usize,
    /// Index of the first item in the new sequence.
    pub new: usize,
    /// Number of items.
    pub len: usize,
}

/// Aligns nodes: finds the equal ones, and among the rest the pairs that are one node edited.
///
/// The chunks cover both sequences in order. Neither two equal nor two replaced chunks are adjacent. Where equal nodes
/// repeat, those at the ends are paired by their order, even if others are the same value.
pub fn align(old: &[Node], new: &[Node]) -> Vec<Chunk> {
    let mut chunks = ChunkList::default();
    for_each_gap(old, new, &shared(old, new, equal_ends(old, new)), &mut chunks, |gap, chunks| {
        if gap.pairs() <= MOST_PAIRS {
            return pair_alike(old, new, gap, chunks);
        }
        for (relation, gap) in minimal(old, new, gap) {
            match relation {
                Relation::Replaced if gap.pairs() <= MOST_PAIRS => pair_alike(old, new, gap, chunks),
                _ => chunks.push(relation, gap),
            }
        }
    });
    chunks.0
}

/// Aligns the top-level blocks of two states of one document. A block was edited if it kept its id.
pub fn align_documents(old: &Document, new: &Document) -> Vec<Chunk> {
    let mut chunks = ChunkList::default();
    let (old_blocks, new_blocks) = (old.blocks(), new.blocks());
    let ends = common_ends(old_blocks, new_blocks, Node::ptr_eq);
    for_each_gap(old_blocks, new_blocks, &shared(old_blocks, new_blocks, ends), &mut chunks, |gap, chunks| {
        for (relation, gap) in minimal(old_blocks, new_blocks, gap) {
            match relation {
                Relation::Replaced => pair_by_id(old.block_ids(), new.block_ids(), gap, chunks),
                _ => chunks.push(relation, gap),
            }
        }
    });
    chunks.0
}

/// Finds the equal items of two sequences. No chunk is [`Relation::Edited`]; equal and replaced ones alternate.
pub fn diff<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<Chunk> {
    diff_around(old, new, &[])
}

/// Finds the equal items of two sequences if some are known: `anchors` are pairs of indexes of equal items,
/// ascending on both sides.
pub fn diff_around<T: Eq + Hash>(old: &[T], new: &[T], anchors: &[(usize, usize)]) -> Vec<Chunk> {
    let mut chunks = ChunkList::default();
    for_each_gap(old, new, anchors, &mut chunks, |gap, chunks| {
        minimal(old, new, gap).into_iter().for_each(|(relation, gap)| chunks.push(relation, gap));
    });
    chunks.0
}

/// Finds the runs of equal items of two sequences, ascending, however many items there are.
pub fn matches<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<Match> {
    let (start, end) = equal_ends(old, new);
    let (old_end, new_end) = (old.len() - end, new.len() - end);
    let middle = EqualRuns::between(&old[start..old_end], &new[start..new_end]).into_iter();
    let middle = middle.map(|run| Match { old: start + run.old, new: start + run.new, ..run });
    let all = std::iter::once(Match { old: 0, new: 0, len: start }).chain(middle);
    all.chain([Match { old: old_end, new: new_end, len: end }]).filter(|run| run.len > 0).collect()
}

/// Old items and new items between the same anchors.
struct AnchorGap {
    old: Range<usize>,
    new: Range<usize>,
}

impl AnchorGap {
    fn pairs(&self) -> usize {
        self.old.len().saturating_mul(self.new.len())
    }
}

/// Chunks in order; adjacent ones of one relation are joined, except edited ones.
#[derive(Default)]
struct ChunkList(Vec<Chunk>);

impl ChunkList {
    fn push(&mut self, relation: Relation, AnchorGap { old, new }: AnchorGap) {
        match self.0.last_mut() {
            _ if old.is_empty() && new.is_empty() => {}
            Some(last) if last.relation == relation && relation != Relation::Edited => {
                (last.old.end, last.new.end) = (old.end, new.end);
            }
            _ => self.0.push(Chunk { relation, old, new }),
        }
    }

    /// Adds pairs, which ascend on both sides, and the replaced items between them.
    fn push_pairs(&mut self, gap: AnchorGap, pairs: impl IntoIterator<Item = (Relation, usize, usize)>) {
        let (mut old_at, mut new_at) = (gap.old.start, gap.new.start);
        for (relation, old, new) in pairs {
            self.push(Relation::Replaced, AnchorGap { old: old_at..old, new: new_at..new });
            self.push(relation, AnchorGap { old: old..old + 1, new: new..new + 1 });
            (old_at, new_at) = (old + 1, new + 1);
        }
        self.push(Relation::Replaced, AnchorGap { old: old_at..gap.old.end, new: new_at..gap.new.end });
    }
}

/// Adds the anchors and, for what lies between them, the equal items at both ends. `fill` adds what differs.
fn for_each_gap<T: Eq>(
    old: &[T],
    new: &[T],
    anchors: &[(usize, usize)],
    chunks: &mut ChunkList,
    mut fill: impl FnMut(AnchorGap, &mut ChunkList),
) {
    let (mut old_at, mut new_at) = (0, 0);
    for (old_anchor, new_anchor) in anchors.iter().copied().chain([(old.len(), new.len())]) {
        let (start, end) = equal_ends(&old[old_at..old_anchor], &new[new_at..new_anchor]);
        let (old_end, new_end) = (old_anchor - end, new_anchor - end);
        chunks.push(Relation::Equal, AnchorGap { old: old_at..old_at + start, new: new_at..new_at + start });
        let gap = AnchorGap { old: old_at + start..old_end, new: new_at + start..new_end };
        if !gap.old.is_empty() || !gap.new.is_empty() {
            fill(gap, chunks);
        }
        (old_at, new_at) = ((old_anchor + 1).min(old.len()), (new_anchor + 1).min(new.len()));
        chunks.push(Relation::Equal, AnchorGap { old: old_end..old_at, new: new_end..new_at });
    }
}

/// Returns how many items are equal at the beginning and, of the rest, at the end.
fn equal_ends<T: PartialEq>(old: &[T], new: &[T]) -> (usize, usize) {
    common_ends(old, new, T::eq)
}

fn common_ends<T>(old: &[T], new: &[T], is_same: impl Fn(&T, &T) -> bool) -> (usize, usize) {
    let start = old.iter().zip(new).take_while(|(a, b)| is_same(a, b)).count();
    let rest = old[start..].iter().rev().zip(new[start..].iter().rev());
    (start, rest.take_while(|(a, b)| is_same(a, b)).count())
}

/// Returns the equal and the replaced items of a gap. Its first items differ, and so do its last ones.
fn minimal<T: Eq + Hash>(old: &[T], new: &[T], gap: AnchorGap) -> Vec<(Relation, AnchorGap)> {
    let mut parts = Vec::new();
    let (mut old_at, mut new_at) = (gap.old.start, gap.new.start);
    let is_searched = gap.pairs() > 1 && gap.old.len() + gap.new.len() <= MOST_ITEMS;
    let runs = if is_searched { EqualRuns::between(&old[gap.old.clone()], &new[gap.new.clone()]) } else { Vec::new() };
    for Match { old, new, len } in runs {
        let (old, new) = (gap.old.start + old, gap.new.start + new);
        parts.push((Relation::Replaced, AnchorGap { old: old_at..old, new: new_at..new }));
        parts.push((Relation::Equal, AnchorGap { old: old..old + len, new: new..new + len }));
        (old_at, new_at) = (old + len, new + len);
    }
    parts.push((Relation::Replaced, AnchorGap { old: old_at..gap.old.end, new: new_at..gap.new.end }));
    parts
}

/// Collects what Myers' algorithm finds equal.
struct EqualRuns(Vec<Match>);

impl EqualRuns {
    fn between<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<Match> {
        let mut runs = EqualRuns(Vec::new());
        // Each item is hashed once and compared as a number from then on.
        let ids = IdentifyDistinct::<u32>::new(old, 0..old.len(), new, 0..new.len());
        let Ok(()) = myers::diff(&mut runs, ids.old_lookup(), ids.old_range(), ids.new_lookup(), ids.new_range());
        runs.0
    }
}

impl DiffHook for EqualRuns {
    type Error = Infallible;

    fn equal(&mut self, old: usize, new: usize, len: usize) -> Result<(), Infallible> {
        self.0.push(Match { old, new, len });
        Ok(())
    }
}

/// Returns pairs of equal nodes: `start` and `end` of them at both ends, and between these the nodes that are one
/// shared value on both sides, ascending on both. Of nodes that moved past each other, those that are wider together
/// are paired.
fn shared(old: &[Node], new: &[Node], (start, end): (usize, usize)) -> Vec<(usize, usize)> {
    let (old_end, new_end) = (old.len() - end, new.len() - end);
    let mut indexes: FxHashMap<usize, usize> = FxHashMap::default();
    if start < new_end {
        indexes.extend(old[start..old_end].iter().enumerate().map(|(at, node)| (node.address(), start + at)));
    }
    // Each old node is used once.
    let found = new[start..new_end].iter().enumerate();
    let found = found.filter_map(|(at, node)| Some((indexes.remove(&node.address())?, start + at)));
    let found: Vec<(usize, usize)> = found.collect();
    let weights: Vec<_> = found.iter().map(|(at, _)| (*at, old[*at].size())).collect();
    let stay = heaviest_increasing(&weights).into_iter().map(|at| found[at]);
    (0..start).map(|at| (at, at)).chain(stay).chain((old_end..old.len()).zip(new_end..new.len())).collect()
}

/// Pairs the blocks of a gap that have one id, as long as they ascend on both sides.
fn pair_by_id(old: &[BlockId], new: &[BlockId], gap: AnchorGap, chunks: &mut ChunkList) {
    let indexes: FxHashMap<BlockId, usize> = gap.old.clone().map(|at| (old[at], at)).collect();
    let mut next = gap.old.start;
    let pairs = gap.new.clone().filter_map(|at| {
        let old_at = indexes.get(&new[at]).copied().filter(|old_at| *old_at >= next)?;
        next = old_at + 1;
        Some((Relation::Edited, old_at, at))
    });
    let pairs: Vec<_> = pairs.collect();
    chunks.push_pairs(gap, pairs);
}

/// Pairs the nodes of a gap so that the sum of their likenesses is the greatest of all ascending pairings.
fn pair_alike(old_nodes: &[Node], new_nodes: &[Node], gap: AnchorGap, chunks: &mut ChunkList) {
    let (old, new) = (&old_nodes[gap.old.clone()], &new_nodes[gap.new.clone()]);
    match (old, new) {
        ([], _) | (_, []) => return chunks.push(Relation::Replaced, gap),
        // One block in the place of one of its kind is that block edited, however much.
        ([a], [b]) if a.kind() == b.kind() => return chunks.push(Relation::Edited, gap),
        _ => {}
    }
    let old_words: Vec<Words> = old.iter().map(Words::of).collect();
    let new_words: Vec<Words> = new.iter().map(Words::of).collect();
    let like = |i: usize, j: usize| if old[i] == new[j] { Some(EQUAL) } else { old_words[i].likeness(&new_words[j]) };
    let width = new.len() + 1;
    let (mut likeness, mut best) = (vec![None; old.len() * width], vec![0; (old.len() + 1) * width]);
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let here = like(i, j);
            let paired = here.map_or(0, |here| here + best[(i + 1) * width + j + 1]);
            likeness[i * width + j] = here;
            best[i * width + j] = paired.max(best[(i + 1) * width + j]).max(best[i * width + j + 1]);
        }
    }
    let mut pairs = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < new.len() {
        let here = best[i * width + j];
        match likeness[i * width + j] {
            Some(like) if here == like + best[(i + 1) * width + j + 1] => {
                let relation = if like == EQUAL { Relation::Equal } else { Relation::Edited };
                pairs.push((relation, gap.old.start + i, gap.new.start + j));
                (i, j) = (i + 1, j + 1);
            }
            _ if here == best[(i + 1) * width + j] => i += 1,
            _ => j += 1,
        }
    }
    chunks.push_pairs(gap, pairs);
}
