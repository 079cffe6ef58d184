//! The top-level blocks of a document, with prefix sums of their sizes and line counts.

use super::line;
use super::node::Node;
use super::schema::Schema;
use super::section::{self, Section};
use super::sums::Sums;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// An id of a top-level block that is stable as long as the block exists, whatever is edited around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u64);

/// The top-level blocks.
#[derive(Clone)]
pub(super) struct Body {
    pub(super) blocks: Vec<Node>,
    pub(super) ids: Vec<BlockId>,
    /// The level of each block that is a heading, 0 for the others.
    pub(super) levels: Vec<u8>,
    /// The position of each block, and of the end.
    pub(super) starts: Sums,
    /// The number of lines before each block, and of all.
    pub(super) lines: Sums,
    /// The sections, once they were computed.
    sections: OnceLock<Arc<[Section]>>,
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
        Body {
            blocks: vec![],
            ids: vec![],
            levels: vec![],
            starts: Sums::new(),
            lines: Sums::new(),
            sections: OnceLock::new(),
        }
    }

    /// Returns the sections. They are found once for each state of the blocks.
    pub(super) fn sections(&self, schema: &Schema) -> &Arc<[Section]> {
        self.sections.get_or_init(|| section::sections(schema, &self.blocks, &self.levels, &self.starts).into())
    }

    /// Replaces a range of blocks. Later blocks are moved but not visited.
    pub(super) fn splice(&mut self, schema: &Schema, Part { range, blocks, ids }: Part) {
        self.sections.take();
        self.levels.splice(range.clone(), blocks.iter().map(|block| level(schema, block)));
        self.starts.splice(range.clone(), blocks.iter().map(Node::size));
        self.lines.splice(range.clone(), blocks.iter().map(|block| line::count(schema, block)));
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
            self.starts.extend(kept.clone().map(|at| old.starts.before(at + 1) - old.starts.before(at)));
            self.lines.extend(kept.map(|at| old.lines.before(at + 1) - old.lines.before(at)));
            blocks.by_ref().take(part.range.len()).for_each(drop);
            at = part.range.end;
            self.levels.extend(part.blocks.iter().map(|block| level(schema, block)));
            self.starts.extend(part.blocks.iter().map(Node::size));
            self.lines.extend(part.blocks.iter().map(|block| line::count(schema, block)));
            self.blocks.extend(part.blocks);
            self.ids.extend(part.ids);
        }
    }
}

fn level(schema: &Schema, block: &Node) -> u8 {
    section::heading_level(schema, block).and_then(|level| level.try_into().ok()).unwrap_or(0)
}
