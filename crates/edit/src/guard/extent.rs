//! Content that is stated without lines and would delete most of a document.
//!
//! Such content is mostly a part that lacks its lines. A whole rewrite about as long as the document is none, and what
//! is stated with `whole: true` is meant.

use crate::Error;
use copydesk_document::{Document, Node, Schema, count_lines};
use std::ops::Range;

/// The least number of lines of a document that is checked.
const SHORT: usize = 8;

/// The extent of content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// The number of its lines.
    pub lines: usize,
    /// Its size, in positions.
    pub size: usize,
}

impl Extent {
    /// Returns the extent of blocks.
    pub fn of_blocks(schema: &Schema, blocks: &[Node]) -> Extent {
        let lines = blocks.iter().map(|block| count_lines(schema, block)).sum();
        Extent { lines, size: blocks.iter().map(Node::size).sum() }
    }

    /// Returns the extent of plain text.
    pub fn of_text(text: &str) -> Extent {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let sizes = lines.map(|line| line.encode_utf16().count() + 2);
        sizes.fold(Extent::default(), |all, size| Extent { lines: all.lines + 1, size: all.size + size })
    }
}

/// Fails with [`Error::WouldDropMost`] where content replaces top-level blocks so that more than half of the lines or
/// three quarters of the text of the document go, unless `whole` says that this is meant.
pub fn check(document: &Document, blocks: Range<usize>, left: Extent, whole: Option<bool>) -> Result<(), Error> {
    let total = document.line_count();
    if whole == Some(true) || total < SHORT {
        return Ok(());
    }
    let old = Extent::of_blocks(document.schema(), &document.blocks()[blocks]);
    let lines = old.lines.saturating_sub(left.lines);
    let size = old.size.saturating_sub(left.size);
    match 2 * lines > total || 4 * size > 3 * document.size() {
        true => Err(Error::WouldDropMost { lines: old.lines, left: left.lines }),
        false => Ok(()),
    }
}
