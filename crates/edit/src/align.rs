//! Two rows of nodes held against each other: what is equal, what is one node edited, what is replaced.
//!
//! Finding the smallest difference of two sequences of length `n` takes `n²` time if they have little in common. The
//! search is therefore bounded. Beyond a bound the result is coarser (more is replaced than necessary) but still
//! correct:
//!
//! - `similar` gives up a search after `√n` edits and splits at the best point found so far.
//! - Beyond [`MOST_PIECES`], everything from the first to the last difference is replaced.
//! - Beyond [`MOST_PAIRS`], differing blocks are not paired by similarity.

use super::rising::heaviest_rising;
use super::words::split;
use copydesk_document::{BlockId, Document, Node};
use rustc_hash::{FxHashMap, FxHasher};
use serde_json::Value;
use similar::algorithms::{DiffHook, myers};
use std::convert::Infallible;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// Above this many pairs, blocks that differ are not searched for their likeness but replaced in one piece.
const MOST_PAIRS: usize = 10_000;
/// Above this many pieces of text, a paragraph that differs is replaced from its first difference to its last.
const MOST_PIECES: usize = 20_000;
/// Above this many changes in one text, it changes in one piece: each is a step that the editor has to make.
const MOST_CHANGES: usize = 50;
/// Blocks less like each other than this are not the same block edited.
const LEAST_LIKENESS: f64 = 0.35;

/// A stretch of two lists of children: the same nodes, one node edited, or nodes replaced.
pub enum Stretch {
    /// The same nodes.
    Equal,
    /// One old node that became one new node.
    Edited,
    /// Old nodes that gave way to new ones.
    Replaced,
}

/// Two rows from their beginning to their end: what became of each range of the old one in the new one.
pub type Stretches = Vec<(Stretch, Range<usize>, Range<usize>)>;

/// Finds equal nodes, and among the rest the pairs that are one node edited.
pub fn align(old: &[Node], new: &[Node]) -> Stretches {
    align_with(old, new, |in_old, in_new| pairs(&old[in_old], &new[in_new]))
}

/// The same for the top-level blocks of two states of one document: a block edited is one that kept its id.
pub fn align_states(old: &Document, new: &Document) -> Stretches {
    align_with(old.blocks(), new.blocks(), |in_old, in_new| {
        let (old, new) = (&old.block_ids()[in_old], &new.block_ids()[in_new]);
        let places: FxHashMap<BlockId, usize> = old.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let mut next = 0;
        let kept = new.iter().enumerate().filter_map(|(at, id)| {
            let place = places.get(id).copied().filter(|place| *place >= next)?;
            next = place + 1;
            Some((place, at))
        });
        kept.collect()
    })
}

/// `pairs` says for two ranges which nodes are one node edited, by their offsets into the ranges.
fn align_with(
    old: &[Node],
    new: &[Node],
    pairs: impl Fn(Range<usize>, Range<usize>) -> Vec<(usize, usize)>,
) -> Stretches {
    let mut stretches = Vec::new();
    for (equal, old_range, new_range) in diff(old, new, &same(old, new)) {
        if equal {
            stretches.push((Stretch::Equal, old_range, new_range));
            continue;
        }
        let (mut old_at, mut new_at) = (old_range.start, new_range.start);
        for (old_index, new_index) in pairs(old_range.clone(), new_range.clone()) {
            let (old_index, new_index) = (old_range.start + old_index, new_range.start + new_index);
            push_replaced(&mut stretches, old_at..old_index, new_at..new_index);
            stretches.push((Stretch::Edited, old_index..old_index + 1, new_index..new_index + 1));
            (old_at, new_at) = (old_index + 1, new_index + 1);
        }
        push_replaced(&mut stretches, old_at..old_range.end, new_at..new_range.end);
    }
    stretches
}

fn push_replaced(stretches: &mut Stretches, old: Range<usize>, new: Range<usize>) {
    if !old.is_empty() || !new.is_empty() {
        stretches.push((Stretch::Replaced, old, new));
    }
}

/// Makes one replaced stretch of the first, the last and all between, where there is more than one.
pub fn merge_replaced(stretches: &mut Stretches) {
    let is_replaced = |(stretch, ..): &(Stretch, Range<usize>, Range<usize>)| matches!(stretch, Stretch::Replaced);
    let (Some(first), Some(last)) = (stretches.iter().position(is_replaced), stretches.iter().rposition(is_replaced))
    else {
        return;
    };
    let old = stretches[first].1.start..stretches[last].1.end;
    let new = stretches[first].2.start..stretches[last].2.end;
    stretches.splice(first..=last, [(Stretch::Replaced, old, new)]);
}

/// Equal and different ranges of two lists, alternating. Equal ends are set aside before anything is compared, and so
/// are nodes that are the very same value on both sides (`kept`, in rising order): of a long document that differs here
/// and there, only those places are looked at.
fn diff(old: &[Node], new: &[Node], kept: &[(usize, usize)]) -> Vec<(bool, Range<usize>, Range<usize>)> {
    let mut ranges = Ranges::default();
    let (mut old_at, mut new_at) = (0, 0);
    for (old_kept, new_kept) in kept {
        between(old, new, old_at..*old_kept, new_at..*new_kept, &mut ranges);
        ranges.push(true, *old_kept..old_kept + 1, *new_kept..new_kept + 1);
        (old_at, new_at) = (old_kept + 1, new_kept + 1);
    }
    between(old, new, old_at..old.len(), new_at..new.len(), &mut ranges);
    ranges.0
}

/// The same for a part of each.
fn between(old: &[Node], new: &[Node], in_old: Range<usize>, in_new: Range<usize>, ranges: &mut Ranges) {
    if in_old.is_empty() && in_new.is_empty() {
        return;
    }
    let (old_rest, new_rest) = (&old[in_old.clone()], &new[in_new.clone()]);
    let prefix = old_rest.iter().zip(new_rest).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old_rest[prefix..], &new_rest[prefix..]);
    let suffix = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let old_middle = &old_rest[..old_rest.len() - suffix];
    let new_middle = &new_rest[..new_rest.len() - suffix];

    let (old_from, new_from) = (in_old.start + prefix, in_new.start + prefix);
    let (old_to, new_to) = (in_old.end - suffix, in_new.end - suffix);
    ranges.push(true, in_old.start..old_from, in_new.start..new_from);
    let (mut old_at, mut new_at) = (old_from, new_from);
    let too_many = old_middle.len() + new_middle.len() > MOST_PIECES;
    if !(old_middle.is_empty() || new_middle.is_empty() || too_many) {
        let mut names = Names::default();
        let (old_names, new_names) = (names.of(old_middle), names.of(new_middle));
        for (old, new, length) in Matches::between(&old_names, &new_names) {
            let (old, new) = (old_from + old, new_from + new);
            ranges.push(false, old_at..old, new_at..new);
            ranges.push(true, old..old + length, new..new + length);
            (old_at, new_at) = (old + length, new + length);
        }
    }
    ranges.push(false, old_at..old_to, new_at..new_to);
    ranges.push(true, old_to..in_old.end, new_to..in_new.end);
}

#[derive(Default)]
struct Ranges(Vec<(bool, Range<usize>, Range<usize>)>);

impl Ranges {
    fn push(&mut self, equal: bool, old: Range<usize>, new: Range<usize>) {
        match self.0.last_mut() {
            _ if old.is_empty() && new.is_empty() => {}
            Some(last) if last.0 == equal => {
                last.1.end = old.end;
                last.2.end = new.end;
            }
            _ => self.0.push((equal, old, new)),
        }
    }
}

/// Nodes that are one and the same value on both sides, in rising order on both: the widest there can be, so that of
/// nodes that are moved the shorter side moves.
fn same(old: &[Node], new: &[Node]) -> Vec<(usize, usize)> {
    let prefix = old.iter().zip(new).take_while(|(a, b)| a.ptr_eq(b)).count();
    let ends = old[prefix..].iter().rev().zip(new[prefix..].iter().rev());
    let suffix = ends.take_while(|(a, b)| a.ptr_eq(b)).count();
    let (old_end, new_end) = (old.len() - suffix, new.len() - suffix);
    let mut kept: Vec<_> = (0..prefix).map(|index| (index, index)).collect();
    kept.extend(same_in_middle(&old[prefix..old_end], &new[prefix..new_end]).map(|(a, b)| (prefix + a, prefix + b)));
    kept.extend((old_end..old.len()).zip(new_end..new.len()));
    kept
}

fn same_in_middle(old: &[Node], new: &[Node]) -> impl Iterator<Item = (usize, usize)> {
    let mut places: FxHashMap<usize, usize> = FxHashMap::default();
    if !old.is_empty() && !new.is_empty() {
        places.extend(old.iter().enumerate().map(|(index, node)| (node.address(), index)));
    }
    // Each node of the old row is used once.
    let found = new.iter().enumerate().filter_map(|(index, node)| Some((places.remove(&node.address())?, index)));
    let found: Vec<(usize, usize)> = found.collect();
    let members: Vec<_> = found.iter().map(|(place, _)| (*place, old[*place].size())).collect();
    heaviest_rising(&members).into_iter().map(move |at| found[at])
}

/// What two rows have in common, in order: where it begins in each, and how long it is.
#[derive(Default)]
struct Matches(Vec<(usize, usize, usize)>);

impl Matches {
    fn between(old: &[u32], new: &[u32]) -> Vec<(usize, usize, usize)> {
        let mut matches = Matches::default();
        let Ok(()) = myers::diff(&mut matches, old, 0..old.len(), new, 0..new.len());
        matches.0
    }
}

/// What two rows of texts have in common, in order: where it begins in each, and how long it is.
pub fn matches<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(usize, usize, usize)> {
    let mut names: FxHashMap<&'a str, u32> = FxHashMap::default();
    let mut name = |text: &&'a str| {
        let next = names.len() as u32;
        *names.entry(text).or_insert(next)
    };
    let (old, new): (Vec<u32>, Vec<u32>) = (old.iter().map(&mut name).collect(), new.iter().map(&mut name).collect());
    Matches::between(&old, &new)
}

/// What two sequences of numbers have in common, in order: where it begins in each, and how long it is.
pub fn matching(old: &[u32], new: &[u32]) -> Vec<(usize, usize, usize)> {
    Matches::between(old, new)
}

impl DiffHook for Matches {
    type Error = Infallible;

    fn equal(&mut self, old_index: usize, new_index: usize, len: usize) -> Result<(), Infallible> {
        self.0.push((old_index, new_index, len));
        Ok(())
    }
}

/// Gives equal nodes equal numbers, so that they are compared once and not at every step of a diff.
#[derive(Default)]
pub struct Names<'a> {
    by_hash: FxHashMap<u64, Vec<(&'a Node, u32)>>,
    next: u32,
}

impl<'a> Names<'a> {
    fn of(&mut self, nodes: &'a [Node]) -> Vec<u32> {
        nodes.iter().map(|node| self.name(node)).collect()
    }

    /// The number of a node; never 0.
    pub fn name(&mut self, node: &'a Node) -> u32 {
        let mut hasher = FxHasher::default();
        hash_node(node, &mut hasher);
        let alike = self.by_hash.entry(hasher.finish()).or_default();
        if let Some((_, name)) = alike.iter().find(|(other, _)| *other == node) {
            return *name;
        }
        self.next += 1;
        alike.push((node, self.next));
        self.next
    }
}

/// Hashes a node; equal nodes have equal hashes. Attributes and marks are included because some nodes, such as images,
/// differ in nothing else.
fn hash_node(node: &Node, hasher: &mut FxHasher) {
    node.kind().hash(hasher);
    node.text().hash(hasher);
    node.attrs().iter().for_each(|(_, value)| hash_value(value, hasher));
    for mark in node.marks() {
        mark.kind.hash(hasher);
        mark.attrs.iter().for_each(|(_, value)| hash_value(value, hasher));
    }
    node.children().len().hash(hasher);
    node.children().iter().for_each(|child| hash_node(child, hasher));
}

fn hash_value(value: &Value, hasher: &mut FxHasher) {
    match value {
        Value::Null => hasher.write_u32(0),
        Value::Bool(value) => hasher.write_u32(1 + u32::from(*value)),
        // 0 and -0 are equal, so their hashes must be.
        Value::Number(number) => hasher.write_u64((number.as_f64().unwrap_or(0.0) + 0.0).to_bits()),
        Value::String(text) => text.hash(hasher),
        Value::Array(items) => {
            items.len().hash(hasher);
            items.iter().for_each(|item| hash_value(item, hasher));
        }
        // Equality ignores the order of members.
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| {
                let mut hasher = FxHasher::default();
                name.hash(&mut hasher);
                hash_value(value, &mut hasher);
                hasher.finish()
            };
            hasher.write_u64(members.iter().map(member).fold(0, u64::wrapping_add));
        }
    }
}

/// Which of the old nodes became which of the new ones: pairs in order, the likest together.
fn pairs(old: &[Node], new: &[Node]) -> Vec<(usize, usize)> {
    // One block in the place of one of its kind is that block edited, however much.
    if let ([old], [new]) = (old, new)
        && old.same_markup(new)
    {
        return vec![(0, 0)];
    }
    if old.is_empty() || new.is_empty() || old.len() * new.len() > MOST_PAIRS {
        return Vec::new();
    }
    let old_words: Vec<_> = old.iter().map(words).collect();
    let new_words: Vec<_> = new.iter().map(words).collect();
    // best[i][j]: the greatest sum of likeness that old[i..] and new[j..] can have.
    let mut best = vec![vec![0.0_f64; new.len() + 1]; old.len() + 1];
    let mut like = vec![vec![0.0_f64; new.len()]; old.len()];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            if old[i].kind() == new[j].kind() {
                like[i][j] = likeness(&old_words[i], &new_words[j]);
            }
            let paired = if like[i][j] >= LEAST_LIKENESS { like[i][j] + best[i + 1][j + 1] } else { 0.0 };
            best[i][j] = paired.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < old.len() && j < new.len() {
        if best[i][j] == best[i + 1][j] {
            i += 1;
        } else if best[i][j] == best[i][j + 1] {
            j += 1;
        } else {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        }
    }
    pairs
}

/// How often each word occurs in a node.
fn words(node: &Node) -> FxHashMap<String, u32> {
    let mut words = FxHashMap::default();
    for word in split(&node.text_content()).filter(|word| !word.trim().is_empty()) {
        *words.entry(word.to_owned()).or_default() += 1;
    }
    words
}

/// The share of words that two nodes have in common, 0–1. Two nodes without words are alike.
fn likeness(a: &FxHashMap<String, u32>, b: &FxHashMap<String, u32>) -> f64 {
    let total = a.values().sum::<u32>() + b.values().sum::<u32>();
    let common: u32 = a.iter().map(|(word, count)| (*count).min(b.get(word).copied().unwrap_or(0))).sum();
    if total == 0 { 1.0 } else { f64::from(2 * common) / f64::from(total) }
}

/// What is equal in two texts cut into pieces, however little it is: words first, and the spaces between those that are
/// left. Where spaces counted as much as words, a sentence with more of them would be held together by its spaces.
pub fn align_words(old: &[Node], new: &[Node]) -> Stretches {
    let words = |pieces: &[Node]| -> (Vec<usize>, Vec<Node>) {
        pieces.iter().cloned().enumerate().filter(|(_, piece)| !is_space(piece)).unzip()
    };
    let ((old_places, old_words), (new_places, new_words)) = (words(old), words(new));
    let equal = diff(&old_words, &new_words, &[]).into_iter().filter(|(equal, ..)| *equal);
    let pairs = equal.flat_map(|(_, in_old, in_new)| in_old.zip(in_new));
    let kept: Vec<(usize, usize)> = pairs.map(|(old, new)| (old_places[old], new_places[new])).collect();
    let named = |(equal, old, new)| (if equal { Stretch::Equal } else { Stretch::Replaced }, old, new);
    diff(old, new, &kept).into_iter().map(named).collect()
}

fn is_space(piece: &Node) -> bool {
    piece.text().is_some_and(|text| text.trim().is_empty())
}

/// Like [`align`] for the pieces of a text. Changes with only a space between them are one, and where little is
/// left of a text it changes in one piece: a few words that happen to recur are no reason to cut a sentence up.
pub fn align_pieces(old: &[Node], new: &[Node]) -> Stretches {
    let mut stretches: Stretches = Vec::new();
    let mut common = 0;
    for (equal, old_range, new_range) in diff(old, new, &[]) {
        let pieces = &old[old_range.clone()];
        let gap = equal && old_range.end < old.len() && pieces.iter().all(is_space);
        common += if equal { pieces.iter().filter(|piece| !is_space(piece)).count() } else { 0 };
        match stretches.last_mut() {
            Some((Stretch::Replaced, old_last, new_last)) if gap || !equal => {
                (old_last.end, new_last.end) = (old_range.end, new_range.end);
            }
            _ => {
                let stretch = if equal { Stretch::Equal } else { Stretch::Replaced };
                stretches.push((stretch, old_range, new_range));
            }
        }
    }
    let replaced = stretches.iter().filter(|(stretch, ..)| matches!(stretch, Stretch::Replaced)).count();
    let all = old.iter().chain(new).filter(|piece| !is_space(piece)).count();
    if ((2 * common) as f64) < LEAST_LIKENESS * all as f64 || replaced > MOST_CHANGES {
        merge_replaced(&mut stretches);
    }
    stretches
}
