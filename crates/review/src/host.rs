//! The traits of the holder of a document under review.

use super::hunk::Verdict;
use copydesk_base::host::LocalFuture;
use copydesk_edit::DocumentHost;
use std::ops::Range;

/// The holder of a document under review: it holds the document, parses blocks, and reviews. Its
/// [`document`](copydesk_edit::DocumentHolder::document) is the proposal.
pub trait ReviewHost: DocumentHost + Reviewer {}

impl<T: DocumentHost + Reviewer> ReviewHost for T {}

/// The decisions about the proposals on a document, and the positions that proposals shift. A type that holds a review
/// itself implements this through [`Reviewed`](crate::decide::Reviewed).
pub trait Reviewer {
    /// Returns the position in the editor's document for one in the document.
    fn in_editor(&self, position: usize) -> usize;
    /// Returns the range in the document for one in the editor's document, including what is proposed in it.
    fn in_document(&self, range: Range<usize>) -> Range<usize>;
    /// Removes and returns the user's decisions about the proposals of these turns since the last call.
    fn verdicts(&self, turns: &[String]) -> Vec<Verdict>;
    /// Does the same as [`Reviewer::verdicts`], wherever the document is.
    fn decided<'a>(&'a self, turns: &'a [String]) -> LocalFuture<'a, Vec<Verdict>>;
}
