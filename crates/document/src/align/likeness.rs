//! Likeness of two nodes: the share of words that both have.

use crate::words::split;
use crate::{Node, NodeTypeId};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Weight of a pair of equal nodes: that of two pairs of nodes that have all words in common.
pub(super) const EQUAL: u32 = 200;
/// Likeness from which on two nodes are one node edited, out of 100.
const LEAST: usize = 35;
/// Likeness of two nodes of one type without words.
const WITHOUT_WORDS: u32 = 60;

/// The words of a node, each as a hash, sorted.
pub(super) struct Words {
    kind: NodeTypeId,
    words: Vec<u64>,
}

impl Words {
    pub(super) fn of(node: &Node) -> Words {
        let mut words = Vec::new();
        collect(node, &mut words);
        words.sort_unstable();
        Words { kind: node.kind(), words }
    }

    /// Returns the likeness of two nodes, 1 to 100, or `None` if it is less than [`LEAST`]. The likeness of nodes of
    /// different types is reduced by a fifth.
    pub(super) fn likeness(&self, other: &Words) -> Option<u32> {
        let (a, b) = (&self.words, &other.words);
        let is_same_kind = self.kind == other.kind;
        let total = a.len() + b.len();
        if total == 0 {
            return is_same_kind.then_some(WITHOUT_WORDS);
        }
        let scaled = |share: usize| if is_same_kind { share } else { share * 4 / 5 };
        let share = |common: usize| Some(scaled(200 * common / total)).filter(|share| *share >= LEAST);
        // Where one node has far more words than the other, comparing them changes nothing.
        share(a.len().min(b.len()))?;
        let (mut i, mut j, mut common) = (0, 0, 0);
        while let (Some(left), Some(right)) = (a.get(i), b.get(j)) {
            common += usize::from(left == right);
            (i, j) = (i + usize::from(left <= right), j + usize::from(right <= left));
        }
        share(common).map(|share| share as u32)
    }
}

/// Collects the words of a node, and the type and texts of the attributes of each leaf.
fn collect(node: &Node, words: &mut Vec<u64>) {
    if let Some(text) = node.text() {
        words.extend(split(text).filter(|word| !word.trim().is_empty()).map(hash));
    } else if node.is_leaf() {
        words.push(hash(node.kind()));
        words.extend(node.attrs().iter().filter_map(|(_, value)| value.as_str()).map(hash));
    }
    node.children().iter().for_each(|child| collect(child, words));
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
