//! From "these blocks become those" to the smallest changes that come to it.
//!
//! What is equal stays untouched, so that the editor keeps its nodes, its selection and its decorations there.
//! What differs is narrowed from the outside in: blocks against blocks, a changed block against the one it is
//! most like, the words inside it against its words. **Each change can be made by itself, in any order, and
//! leaves a valid document**: ProseMirror checks every step, so where a parent's content is more than one
//! repeated term (a list item is a paragraph and then blocks), its children change in one piece.

use super::change::Change;
use super::section::Replacement;
use crate::document::{Document, Node, Schema, join_texts};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// Above this many pairs, blocks that differ are not searched for their likeness but replaced in one piece.
const MOST_PAIRS: usize = 10_000;
/// Above this many pieces of text, a paragraph that differs is replaced from its first difference to its last.
const MOST_PIECES: usize = 20_000;
/// Blocks less like each other than this are not the same block edited.
const LEAST_LIKENESS: f64 = 0.35;

/// The changes that come to a replacement, in ascending order.
pub fn plan(document: &Document, replacement: &Replacement) -> Vec<Change> {
    let (blocks, range) = (document.blocks(), &replacement.blocks);
    let start = document.block_start(range.start);
    let mut plan = Plan { schema: document.schema(), changes: Vec::new() };
    plan.children(&blocks[range.clone()], &replacement.with, start, true);
    plan.changes
}

struct Plan<'a> {
    schema: &'a Schema,
    changes: Vec<Change>,
}

/// A stretch of two lists of children: the same nodes, one node edited, or nodes replaced.
enum Stretch {
    Equal,
    Edited,
    Replaced,
}

impl Plan<'_> {
    /// Children against children. `at` is the position before the first old one.
    fn children(&mut self, old: &[Node], new: &[Node], at: usize, independent: bool) {
        let mut stretches = align(old, new);
        if !independent {
            merge_replaced(&mut stretches);
        }
        let mut position = at;
        for (stretch, old_range, new_range) in stretches {
            let size: usize = old[old_range.clone()].iter().map(Node::size).sum();
            match stretch {
                Stretch::Equal => {}
                Stretch::Edited => self.node(&old[old_range.start], &new[new_range.start], position),
                Stretch::Replaced => self.replace(position, position + size, new[new_range].to_vec()),
            }
            position += size;
        }
    }

    /// A node against the node it becomes. `at` is the position before it.
    fn node(&mut self, old: &Node, new: &Node, at: usize) {
        if !old.same_markup(new) || old.is_leaf() {
            self.replace(at, at + old.size(), vec![new.clone()]);
        } else if self.schema.is_textblock(old.kind()) {
            self.inline(old, new, at + 1);
        } else {
            let independent = self.schema.repeats_one_term(old.kind());
            self.children(old.children(), new.children(), at + 1, independent);
        }
    }

    /// The content of a textblock against the content it gets, word by word. `at` is the position of its start.
    fn inline(&mut self, old: &Node, new: &Node, at: usize) {
        let (old, new) = (pieces(self.schema, old), pieces(self.schema, new));
        let mut position = at;
        for (stretch, old_range, new_range) in align_pieces(&old, &new) {
            let size: usize = old[old_range].iter().map(Node::size).sum();
            if let Stretch::Replaced = stretch {
                self.replace(position, position + size, join_texts(new[new_range].to_vec()));
            }
            position += size;
        }
    }

    fn replace(&mut self, from: usize, to: usize, content: Vec<Node>) {
        self.changes.push(Change { from, to, content });
    }
}

type Stretches = Vec<(Stretch, Range<usize>, Range<usize>)>;

/// Finds equal nodes, and among the rest the pairs that are one node edited.
fn align(old: &[Node], new: &[Node]) -> Stretches {
    let mut stretches = Vec::new();
    for (equal, old_range, new_range) in diff(old, new) {
        if equal {
            stretches.push((Stretch::Equal, old_range, new_range));
            continue;
        }
        let (mut old_at, mut new_at) = (old_range.start, new_range.start);
        for (old_index, new_index) in pairs(&old[old_range.clone()], &new[new_range.clone()]) {
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
fn merge_replaced(stretches: &mut Stretches) {
    let is_replaced = |(stretch, ..): &(Stretch, Range<usize>, Range<usize>)| matches!(stretch, Stretch::Replaced);
    let (Some(first), Some(last)) = (stretches.iter().position(is_replaced), stretches.iter().rposition(is_replaced))
    else {
        return;
    };
    let old = stretches[first].1.start..stretches[last].1.end;
    let new = stretches[first].2.start..stretches[last].2.end;
    stretches.splice(first..=last, [(Stretch::Replaced, old, new)]);
}

/// Equal and different ranges of two lists, alternating. Equal ends are set aside before anything is compared.
fn diff(old: &[Node], new: &[Node]) -> Vec<(bool, Range<usize>, Range<usize>)> {
    let prefix = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
    let suffix = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let old_middle = &old_rest[..old_rest.len() - suffix];
    let new_middle = &new_rest[..new_rest.len() - suffix];

    let mut ranges: Vec<(bool, Range<usize>, Range<usize>)> = Vec::new();
    let mut push = |equal: bool, old: Range<usize>, new: Range<usize>| match ranges.last_mut() {
        _ if old.is_empty() && new.is_empty() => {}
        Some(last) if last.0 == equal => {
            last.1.end = old.end;
            last.2.end = new.end;
        }
        _ => ranges.push((equal, old, new)),
    };
    push(true, 0..prefix, 0..prefix);
    if old_middle.is_empty() || new_middle.is_empty() || old_middle.len() + new_middle.len() > MOST_PIECES {
        push(false, prefix..prefix + old_middle.len(), prefix..prefix + new_middle.len());
    } else {
        let mut names = Names::default();
        let (old_names, new_names) = (names.of(old_middle), names.of(new_middle));
        for op in capture_diff_slices(Algorithm::Myers, &old_names, &new_names) {
            let (old, new) = (op.old_range(), op.new_range());
            let equal = matches!(op, DiffOp::Equal { .. });
            push(equal, prefix + old.start..prefix + old.end, prefix + new.start..prefix + new.end);
        }
    }
    push(true, old.len() - suffix..old.len(), new.len() - suffix..new.len());
    ranges
}

/// Gives equal nodes equal numbers, so that they are compared once and not at every step of a diff.
#[derive(Default)]
struct Names<'a> {
    by_hash: HashMap<u64, Vec<(&'a Node, u32)>>,
    next: u32,
}

impl<'a> Names<'a> {
    fn of(&mut self, nodes: &'a [Node]) -> Vec<u32> {
        nodes.iter().map(|node| self.name(node)).collect()
    }

    fn name(&mut self, node: &'a Node) -> u32 {
        let mut hasher = DefaultHasher::new();
        hash_text(node, &mut hasher);
        let alike = self.by_hash.entry(hasher.finish()).or_default();
        if let Some((_, name)) = alike.iter().find(|(other, _)| *other == node) {
            return *name;
        }
        self.next += 1;
        alike.push((node, self.next));
        self.next
    }
}

/// Types and texts are enough to tell most nodes apart; equality decides.
fn hash_text(node: &Node, hasher: &mut DefaultHasher) {
    node.kind().hash(hasher);
    node.text().hash(hasher);
    node.children().iter().for_each(|child| hash_text(child, hasher));
}

/// Which of the old nodes became which of the new ones: pairs in order, the likest together.
fn pairs(old: &[Node], new: &[Node]) -> Vec<(usize, usize)> {
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
fn words(node: &Node) -> HashMap<String, u32> {
    let mut words = HashMap::new();
    for word in split(&node.text_content()).filter(|word| !word.trim().is_empty()) {
        *words.entry(word.to_owned()).or_default() += 1;
    }
    words
}

/// The share of words that two nodes have in common, 0–1. Two nodes without words are alike.
fn likeness(a: &HashMap<String, u32>, b: &HashMap<String, u32>) -> f64 {
    let total = a.values().sum::<u32>() + b.values().sum::<u32>();
    let common: u32 = a.iter().map(|(word, count)| (*count).min(b.get(word).copied().unwrap_or(0))).sum();
    if total == 0 { 1.0 } else { f64::from(2 * common) / f64::from(total) }
}

/// The inline content of a textblock, its text cut into words.
fn pieces(schema: &Schema, block: &Node) -> Vec<Node> {
    let mut pieces = Vec::new();
    for child in block.children() {
        match child.text() {
            Some(text) => pieces.extend(split(text).map(|word| Node::text_node(schema, word, child.mark_set().clone()))),
            None => pieces.push(child.clone()),
        }
    }
    pieces
}

/// Like [`align`], and changes with only a space between them are one: two words in a row read better so.
fn align_pieces(old: &[Node], new: &[Node]) -> Stretches {
    let mut stretches: Stretches = Vec::new();
    for (equal, old_range, new_range) in diff(old, new) {
        let is_space = |piece: &Node| piece.text().is_some_and(|text| text.trim().is_empty());
        let gap = equal && old_range.end < old.len() && old[old_range.clone()].iter().all(is_space);
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
    stretches
}

/// Cuts a text into words, spaces and single signs. A sign keeps what is joined to it (accents, emoji parts), so
/// that no cut goes through what a reader sees as one character.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut chars = rest.char_indices().peekable();
        let (_, mut last) = chars.next()?;
        while let Some((_, next)) = chars.peek() {
            let goes_on = is_word(last) && is_word(*next) || last == ' ' && *next == ' ' || joins(last, *next);
            if !goes_on {
                break;
            }
            last = *next;
            chars.next();
        }
        let end = chars.peek().map_or(rest.len(), |(at, _)| *at);
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

/// Letters and digits of scripts that write words with spaces between them.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() && !matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Whether a sign belongs to the one before it.
fn joins(last: char, next: char) -> bool {
    const ZERO_WIDTH_JOINER: char = '\u{200D}';
    let regional = |c: char| matches!(c, '\u{1F1E6}'..='\u{1F1FF}');
    last == ZERO_WIDTH_JOINER
        || next == ZERO_WIDTH_JOINER
        || regional(last) && regional(next)
        || matches!(next,
            '\u{0300}'..='\u{036F}' | '\u{0483}'..='\u{0489}' | '\u{0591}'..='\u{05C7}' | '\u{0610}'..='\u{061A}'
            | '\u{064B}'..='\u{065F}' | '\u{0900}'..='\u{0903}' | '\u{093A}'..='\u{094F}' | '\u{0E31}' | '\u{0E34}'..='\u{0E3A}'
            | '\u{0E47}'..='\u{0E4E}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}'
            | '\u{3099}' | '\u{309A}' | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}' | '\u{1F3FB}'..='\u{1F3FF}'
            | '\u{E0020}'..='\u{E007F}' | '\u{E0100}'..='\u{E01EF}')
}
