//! Who holds a document under review, and what it is asked for.

use super::hunk::Verdict;
use copydesk_base::host::LocalFuture;
use copydesk_edit::DocumentHost;
use std::ops::Range;

/// Whoever holds a document under review: what holds it, what parses, and what reviews. Its
/// [`document`](copydesk_edit::DocumentHolder::document) is the proposal.
pub trait ReviewHost: DocumentHost + Reviewer {}

impl<T: DocumentHost + Reviewer> ReviewHost for T {}

/// The decisions about the proposals on a document, and the positions that proposals shift. Whoever holds a review
/// itself has this of [`Reviewed`](crate::decide::Reviewed).
pub trait Reviewer {
    /// A position in what the editor holds, for one in the document.
    fn in_editor(&self, position: usize) -> usize;
    /// The range in the document for one in what the editor holds, with what is proposed in it.
    fn in_document(&self, range: Range<usize>) -> Range<usize>;
    /// Takes the decisions of the user about the proposals of these turns since the last call.
    fn verdicts(&self, turns: &[String]) -> Vec<Verdict>;
    /// Takes the decisions as [`Reviewer::verdicts`] does, wherever the document is.
    fn decided<'a>(&'a self, turns: &'a [String]) -> LocalFuture<'a, Vec<Verdict>>;
}
