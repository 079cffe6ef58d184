//! Content that an edit leaves out.

use serde::Serialize;

/// A difference that content has and that is not made: outside the stated range, or a remark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotApplied {
    /// The line.
    pub line: usize,
    /// The text of the line.
    pub text: String,
    /// The text that the content has instead, or `None` if it has no such line.
    pub content: Option<String>,
}
