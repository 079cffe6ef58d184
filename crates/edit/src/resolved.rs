//! A resolved update.

use crate::plan::Replacement;
use crate::record::Stated;
use copydesk_document::Node;
use serde_json::{Map, Value};
use std::ops::{Range, RangeInclusive};

/// A resolved update.
pub struct Resolved {
    /// The top-level blocks that change, and their replacements.
    pub replacement: Replacement,
    /// The section that it is about, as the outline counts after it; after a delete, the index that was removed.
    pub section: Option<usize>,
    /// The lines that it is about, before it.
    pub lines: Vec<RangeInclusive<usize>>,
    /// The lines as they were given, and how they were found.
    pub stated: Vec<Stated>,
    /// Facts about how the update was understood.
    pub facts: Map<String, Value>,
}

impl Resolved {
    /// Returns an update that replaces top-level blocks.
    pub fn of(blocks: Range<usize>, with: Vec<Node>) -> Resolved {
        let replacement = Replacement { blocks, with };
        Resolved { replacement, section: None, lines: Vec::new(), stated: Vec::new(), facts: Map::new() }
    }
}
