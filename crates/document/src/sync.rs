//! Which of the new blocks are the old ones: what keeps block ids through a change.

use super::node::Node;
use super::schema::Schema;
use std::collections::BinaryHeap;

/// Above this many pairs of changed blocks they are no longer compared each with each.
const MOST_PAIRS: usize = 10_000;
/// How alike two blocks must be to count as one that was edited, out of 100.
const ALIKE: u32 = 40;

/// For each new block the index of the old one that it is, changed or not; in rising order.
pub(super) fn align(schema: &Schema, old: &[Node], new: &[Node]) -> Vec<Option<usize>> {
    let before = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = (&old[before..], &new[before..]);
    let after = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_middle, new_middle) = (&old[before..old.len() - after], &new[before..new.len() - after]);
    let mut kept: Vec<Option<usize>> = (0..before).map(Some).collect();
    kept.extend(middle(schema, old_middle, new_middle).into_iter().map(|at| at.map(|at| before + at)));
    kept.extend((old.len() - after..old.len()).map(Some));
    kept
}

fn middle(schema: &Schema, old: &[Node], new: &[Node]) -> Vec<Option<usize>> {
    if let ([only], [changed]) = (old, new) {
        // One block became one block: typing, a change of level, a paste over it. It is the same place.
        return vec![(only.kind() == changed.kind() || likeness(schema, only, changed) >= ALIKE).then_some(0)];
    }
    if old.len().saturating_mul(new.len()) > MOST_PAIRS { by_equality(old, new) } else { by_likeness(schema, old, new) }
}

/// The pairing in rising order with the greatest sum of likenesses.
fn by_likeness(schema: &Schema, old: &[Node], new: &[Node]) -> Vec<Option<usize>> {
    let old_bags: Vec<Bag> = old.iter().map(|node| Bag::new(schema, node)).collect();
    let new_bags: Vec<Bag> = new.iter().map(|node| Bag::new(schema, node)).collect();
    let width = new.len() + 1;
    let mut best = vec![0_u32; (old.len() + 1) * width];
    let score = |i: usize, j: usize| if old[i] == new[j] { 200 } else { old_bags[i].likeness(&new_bags[j]) };
    let mut scores = vec![0_u32; old.len() * new.len()];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let score = score(i, j);
            scores[i * new.len() + j] = score;
            let paired = if score >= ALIKE { score + best[(i + 1) * width + j + 1] } else { 0 };
            best[i * width + j] = paired.max(best[(i + 1) * width + j]).max(best[i * width + j + 1]);
        }
    }
    let mut kept = vec![None; new.len()];
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < new.len() {
        let (here, score) = (best[i * width + j], scores[i * new.len() + j]);
        if score >= ALIKE && here == score + best[(i + 1) * width + j + 1] {
            kept[j] = Some(i);
            (i, j) = (i + 1, j + 1);
        } else if here == best[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    kept
}

/// Equal blocks in rising order, found by looking a little ahead: for changes too great to weigh.
fn by_equality(old: &[Node], new: &[Node]) -> Vec<Option<usize>> {
    const AHEAD: usize = 64;
    let mut at = 0;
    let find = |node: &Node| {
        let found = old[at..].iter().take(AHEAD).position(|candidate| candidate == node)?;
        at += found + 1;
        Some(at - 1)
    };
    new.iter().map(find).collect()
}

fn likeness(schema: &Schema, a: &Node, b: &Node) -> u32 {
    Bag::new(schema, a).likeness(&Bag::new(schema, b))
}

/// A block as the multiset of its words, sorted, each as a hash.
struct Bag {
    kind: super::schema::NodeTypeId,
    words: Vec<u32>,
}

impl Bag {
    fn new(schema: &Schema, node: &Node) -> Bag {
        let mut words = Vec::new();
        collect(schema, node, &mut words);
        // A heap's sort is a tenth of the standard library's other ones.
        let words = BinaryHeap::from(words).into_sorted_vec();
        Bag { kind: node.kind(), words }
    }

    /// Out of 100: the share of the words that both have, a little less where the types differ.
    fn likeness(&self, other: &Bag) -> u32 {
        let total = self.words.len() + other.words.len();
        if total == 0 {
            return if self.kind == other.kind { 60 } else { 0 };
        }
        let (mut i, mut j, mut common) = (0, 0, 0_usize);
        while let (Some(a), Some(b)) = (self.words.get(i), other.words.get(j)) {
            common += usize::from(a == b);
            (i, j) = (i + usize::from(a <= b), j + usize::from(b <= a));
        }
        let share = (200 * common / total) as u32;
        if self.kind == other.kind { share } else { share * 4 / 5 }
    }
}

/// A hash of the text and the kind of a block, and of its attributes where it is a leaf. Equal blocks have equal ones.
pub(super) fn digest(schema: &Schema, node: &Node) -> u64 {
    let mut words = Vec::new();
    collect(schema, node, &mut words);
    let kind = u64::from(hash(node.name(schema)));
    words.into_iter().fold(kind, |sum, word| (sum.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// Words by white space; what has no spaces, such as Chinese, by character.
fn collect(schema: &Schema, node: &Node, words: &mut Vec<u32>) {
    if let Some(text) = node.text() {
        for word in text.split_whitespace() {
            if word.is_ascii() { words.push(hash(word)) } else { words.extend(word.chars().map(u32::from)) }
        }
    } else if node.is_leaf() {
        words.push(hash(node.name(schema)));
        words.extend(node.attrs().iter().filter_map(|(_, value)| value.as_str()).map(hash));
    }
    node.children().iter().for_each(|child| collect(schema, child, words));
}

/// FNV-1a: short, and the same everywhere.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
