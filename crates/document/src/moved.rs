//! Finds blocks that moved.
//!
//! [`align`] compares each changed range alone and pairs in ascending order, so a block that was moved past another, or
//! from one range to another, is not paired there with itself. An equal block is the same block, wherever it is:
//! equality comes before likeness.

use super::align::{Relation, align};
use super::document::BlockChange;
use super::node::Node;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The old block that a new one is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// Index of the block.
    pub old: usize,
    /// True if the two are equal.
    pub is_equal: bool,
}

/// Returns for each change which old block each of its new blocks is. No old block is two new ones, and a new block
/// without an equal partner has no equal old block that is left in one of the changed ranges.
pub(super) fn pairs(old: &[Node], changes: &[BlockChange]) -> Vec<Vec<Option<Pair>>> {
    let mut pairs: Vec<Vec<Option<Pair>>> = changes.iter().map(|change| aligned(old, change)).collect();
    let all = || pairs.iter().flatten().flatten();
    let unmoved: FxHashSet<usize> = all().filter(|pair| pair.is_equal).map(|pair| pair.old).collect();
    let from: Vec<usize> =
        changes.iter().flat_map(|change| change.range.clone()).filter(|at| !unmoved.contains(at)).collect();
    let to: Vec<(usize, usize)> = pairs
        .iter()
        .enumerate()
        .flat_map(|(change, pairs)| pairs.iter().enumerate().map(move |(at, pair)| (change, at, pair)))
        .filter(|(.., pair)| pair.is_none_or(|pair| !pair.is_equal))
        .map(|(change, at, _)| (change, at))
        .collect();
    // One block that became one other is known to differ from it.
    if from.is_empty() || to.is_empty() || (from.len(), to.len()) == (1, 1) && pairs[to[0].0][to[0].1].is_some() {
        return pairs;
    }
    let mut left: FxHashMap<&Node, VecDeque<usize>> = FxHashMap::default();
    from.into_iter().for_each(|at| left.entry(&old[at]).or_default().push_back(at));
    let mut moved: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
    for (change, at) in to {
        let block = &changes[change].blocks[at];
        if let Some(found) = left.get_mut(block).and_then(VecDeque::pop_front) {
            pairs[change][at] = Some(Pair { old: found, is_equal: true });
            moved.insert(found, (change, at));
        }
    }
    // A block that only resembled a block that moved is another block.
    for (change, pairs) in pairs.iter_mut().enumerate() {
        for (at, pair) in pairs.iter_mut().enumerate() {
            *pair = pair.filter(|pair| moved.get(&pair.old).is_none_or(|to| *to == (change, at)));
        }
    }
    pairs
}

fn aligned(old: &[Node], change: &BlockChange) -> Vec<Option<Pair>> {
    let mut pairs = vec![None; change.blocks.len()];
    for chunk in align(&old[change.range.clone()], &change.blocks) {
        if chunk.relation != Relation::Replaced {
            let is_equal = chunk.relation == Relation::Equal;
            for (old, new) in chunk.old.zip(chunk.new) {
                pairs[new] = Some(Pair { old: change.range.start + old, is_equal });
            }
        }
    }
    pairs
}
