//! The top-level blocks of a document, with prefix sums of their sizes and line counts.

use super::line;
use super::node::Node;
use super::schema::Schema;
use super::section;
use std::ops::Range;

/// A name for a top-level block that lasts as long as the block does, whatever is edited around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u64);

/// The top-level blocks.
#[derive(Clone, Default)]
pub(super) struct Body {
    pub(super) blocks: Vec<Node>,
    pub(super) ids: Vec<BlockId>,
    /// The level of each block that is a heading, 0 for the others.
    pub(super) levels: Vec<u8>,
    /// The position of each block, and of the end.
    pub(super) starts: Vec<usize>,
    /// The number of lines before each block, and of all.
    pub(super) lines: Vec<usize>,
}

/// A range of blocks and what replaces it.
pub(super) struct Part {
    pub(super) range: Range<usize>,
    pub(super) blocks: Vec<Node>,
    pub(super) ids: Vec<BlockId>,
}

impl Body {
    /// Returns a body without blocks.
    pub(super) fn empty() -> Body {
        Body { starts: vec![0], lines: vec![0], ..Body::default() }
    }

    /// Replaces a range of blocks. Later blocks are moved but not visited.
    pub(super) fn splice(&mut self, schema: &Schema, Part { range, blocks, ids }: Part) {
        self.levels.splice(range.clone(), blocks.iter().map(|block| level(schema, block)));
        splice_sums(&mut self.starts, range.clone(), blocks.iter().map(Node::size));
        splice_sums(&mut self.lines, range.clone(), blocks.iter().map(|block| line::count(schema, block)));
        self.blocks.splice(range.clone(), blocks);
        self.ids.splice(range, ids);
    }

    /// Replaces several ranges of blocks, given in ascending order, in one pass.
    pub(super) fn splice_all(&mut self, schema: &Schema, mut parts: Vec<Part>) {
        if parts.len() == 1 {
            return parts.into_iter().for_each(|part| self.splice(schema, part));
        }
        let old = std::mem::replace(self, Body::empty());
        let count = old.blocks.len();
        let (mut blocks, mut at) = (old.blocks.into_iter(), 0);
        parts.push(Part { range: count..count, blocks: Vec::new(), ids: Vec::new() });
        for part in parts {
            let kept = at..part.range.start;
            self.blocks.extend(blocks.by_ref().take(kept.len()));
            self.ids.extend_from_slice(&old.ids[kept.clone()]);
            self.levels.extend_from_slice(&old.levels[kept.clone()]);
            push_sums(&mut self.starts, kept.clone().map(|at| old.starts[at + 1] - old.starts[at]));
            push_sums(&mut self.lines, kept.map(|at| old.lines[at + 1] - old.lines[at]));
            blocks.by_ref().take(part.range.len()).for_each(drop);
            at = part.range.end;
            self.levels.extend(part.blocks.iter().map(|block| level(schema, block)));
            push_sums(&mut self.starts, part.blocks.iter().map(Node::size));
            push_sums(&mut self.lines, part.blocks.iter().map(|block| line::count(schema, block)));
            self.blocks.extend(part.blocks);
            self.ids.extend(part.ids);
        }
    }
}

fn level(schema: &Schema, block: &Node) -> u8 {
    section::heading_level(schema, block).and_then(|level| level.try_into().ok()).unwrap_or(0)
}

/// Appends values to prefix sums.
fn push_sums(sums: &mut Vec<usize>, values: impl Iterator<Item = usize>) {
    for value in values {
        sums.push(sums.last().copied().unwrap_or(0) + value);
    }
}

/// Replaces the values of a range in prefix sums, of which the first is 0.
fn splice_sums(sums: &mut Vec<usize>, range: Range<usize>, values: impl Iterator<Item = usize>) {
    let (mut sum, before) = (sums[range.start], sums[range.end]);
    let new: Vec<usize> = values
        .map(|value| {
            sum += value;
            sum
        })
        .collect();
    for later in &mut sums[range.end + 1..] {
        *later = *later - before + sum;
    }
    sums.splice(range.start + 1..range.end + 1, new);
}
