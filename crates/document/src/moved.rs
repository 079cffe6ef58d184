//! Finds blocks that moved.
//!
//! [`align`](super::sync::align) compares each changed range alone and pairs in rising order, so a block that was moved
//! past another, or from one range to another, is not paired there with itself. An equal block is the same block,
//! wherever it is: equality comes before likeness.

use super::document::BlockChange;
use super::node::Node;
use super::schema::Schema;
use super::sync;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The old block that a new one is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// Its index.
    pub old: usize,
    /// Whether the two are equal.
    pub is_equal: bool,
}

/// Returns for each change which old block each of its new blocks is. No old block is two new ones, and a new block
/// without an equal partner has no equal old block that is left in one of the changed ranges.
pub(super) fn pairs(schema: &Schema, old: &[Node], changes: &[BlockChange]) -> Vec<Vec<Option<Pair>>> {
    let mut pairs: Vec<Vec<Option<Pair>>> = changes.iter().map(|change| aligned(schema, old, change)).collect();
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
    let mut left: FxHashMap<u64, VecDeque<usize>> = FxHashMap::default();
    from.into_iter().for_each(|at| left.entry(sync::digest(schema, &old[at])).or_default().push_back(at));
    let mut moved: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
    for (change, at) in to {
        let block = &changes[change].blocks[at];
        let Some(alike) = left.get_mut(&sync::digest(schema, block)) else { continue };
        let Some(found) = alike.iter().position(|candidate| old[*candidate] == *block) else { continue };
        if let Some(found) = alike.remove(found) {
            pairs[change][at] = Some(Pair { old: found, is_equal: true });
            moved.insert(found, (change, at));
        }
    }
    // What was only like a block that moved is another block.
    for (change, pairs) in pairs.iter_mut().enumerate() {
        for (at, pair) in pairs.iter_mut().enumerate() {
            *pair = pair.filter(|pair| moved.get(&pair.old).is_none_or(|to| *to == (change, at)));
        }
    }
    pairs
}

fn aligned(schema: &Schema, old: &[Node], change: &BlockChange) -> Vec<Option<Pair>> {
    let kept = sync::align(schema, &old[change.range.clone()], &change.blocks).into_iter().zip(&change.blocks);
    kept.map(|(kept, block)| {
        let old_index = change.range.start + kept?;
        Some(Pair { old: old_index, is_equal: old[old_index] == *block })
    })
    .collect()
}
