//! The inline content of a line.

use copydesk_document::Node;

/// Inline content of a line.
#[derive(Clone)]
pub struct InlineLine {
    /// The content.
    pub nodes: Vec<Node>,
    /// True if words of the old lines that stay keep their marks; false if the content is exact.
    pub keeps_marks: bool,
}
