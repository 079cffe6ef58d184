//! The limit of nesting.

use crate::Error;
use crate::change::Change;
use copydesk_document::{Document, MAX_DEPTH, Node};

/// Fails with `too_deep` if a change nests nodes deeper than [`MAX_DEPTH`], the limit for reading a document.
pub fn check_depth(before: &Document, changes: &[Change]) -> Result<(), Error> {
    let is_too_deep = |change: &Change| {
        let room = MAX_DEPTH - before.ancestors(&(change.from..change.from)).len().min(MAX_DEPTH);
        change.content.iter().any(|node| !fits(node, room))
    };
    match changes.iter().any(is_too_deep) {
        true => Err(copydesk_document::Error::TooDeep { limit: MAX_DEPTH }.into()),
        false => Ok(()),
    }
}

/// Returns whether a node has at most `levels` levels, its own included.
fn fits(node: &Node, levels: usize) -> bool {
    levels > 0 && node.children().iter().all(|child| fits(child, levels - 1))
}
