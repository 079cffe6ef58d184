//! Who holds a document, and what it is asked for.

use crate::Error;
use crate::change::Change;
use crate::guard::Bound;
use crate::hunk::Verdict;
use crate::origin::Origin;
use copydesk_base::host::LocalFuture;
use copydesk_document::{Document, Node};
use std::future::ready;
use std::ops::Range;
use std::rc::Rc;

/// Whoever holds a document: an editor, or a [`DocumentCell`](crate::DocumentCell). Under review it is the proposal that is read and
/// changed.
///
/// Calls may come back into the holder before they return (an editor reports its own transactions), so they are
/// made with nothing borrowed.
///
/// A holder may stand for a document of another thread. Then it is asked with [`DocumentHost::synced`] before a read,
/// reads are made with [`with_parts`], and edits with [`Planned::commit`](crate::apply::Planned::commit).
pub trait DocumentHost {
    /// The document of this moment.
    fn document(&self) -> Result<Document, Error>;
    /// HTML as blocks of the holder's own schema that may stand at index `at` among the top-level blocks.
    fn parse(&self, html: &str, at: usize) -> Result<Vec<Node>, Error>;
    /// Some of its top-level blocks as HTML, as the holder's schema writes them.
    fn html(&self, blocks: Range<usize>) -> Result<String, Error>;
    /// Makes all changes as one transaction, or none.
    fn dispatch(&self, changes: &[Change], origin: &Origin) -> Result<(), Error>;
    /// A name for a turn that begins, which no other turn on this document has.
    fn new_turn(&self) -> String;
    /// Returns whether an edit made now would wait for the user.
    fn proposes(&self) -> bool {
        false
    }
    /// A position in what the editor holds, for one in [`DocumentHost::document`].
    fn in_editor(&self, position: usize) -> usize {
        position
    }
    /// Returns the range in [`DocumentHost::document`] that the user has selected, empty for a cursor; none where there
    /// is no editor.
    fn selection(&self) -> Option<Range<usize>> {
        None
    }
    /// The range in [`DocumentHost::document`] for one in what the editor holds, with what is proposed in it.
    fn in_document(&self, range: Range<usize>) -> Range<usize> {
        range
    }
    /// The document with a version, as it was shown; an error with the versions that are remembered.
    fn snapshot(&self, version: &str) -> Result<Document, Error> {
        Err(Error::UnknownVersion { given: version.to_owned(), valid: Vec::new() })
    }
    /// Returns the guards of edits.
    fn guards(&self) -> Rc<Bound> {
        Rc::default()
    }
    /// Takes the decisions of the user about the proposals of these turns since the last call.
    fn verdicts(&self, _turns: &[String]) -> Vec<Verdict> {
        Vec::new()
    }
    /// Returns the converter of Markdown to HTML, if there is one.
    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        None
    }
    /// Waits until [`DocumentHost::document`] is the document of this moment. Only a document of another thread has to
    /// wait.
    fn synced(&self) -> LocalFuture<'_, ()> {
        Box::pin(ready(()))
    }
    /// Takes the decisions as [`DocumentHost::verdicts`] does, wherever the document is.
    fn decided<'a>(&'a self, turns: &'a [String]) -> LocalFuture<'a, Vec<Verdict>> {
        Box::pin(ready(self.verdicts(turns)))
    }
    /// Fetches what the last call of [`DocumentHost::parse`] or [`DocumentHost::html`] lacked and failed for; `None`
    /// where nothing was lacking.
    fn missing(&self) -> Option<LocalFuture<'_, ()>> {
        None
    }
    /// Makes all changes as [`DocumentHost::dispatch`] does, wherever the document is. Returns false, and makes none,
    /// if the document is not the one that was read for them.
    fn commit<'a>(&'a self, changes: &'a [Change], origin: &'a Origin) -> LocalFuture<'a, Result<bool, Error>> {
        Box::pin(ready(self.dispatch(changes, origin).map(|()| true)))
    }
}

/// Reads a document whose holder may have to fetch parts of it first: repeats `read` until none is missing.
pub async fn with_parts<T>(host: &dyn DocumentHost, mut read: impl FnMut() -> T) -> T {
    loop {
        let result = read();
        match host.missing() {
            Some(fetched) => fetched.await,
            None => return result,
        }
    }
}

/// Turns Markdown into HTML by a parser that is loaded when it is first needed.
pub trait Markdown {
    /// Returns Markdown as HTML; none while the parser is not loaded.
    ///
    /// # Errors
    /// [`Error::MarkdownTooLarge`] where it would take too long, [`Error::MarkdownFailed`] where the parser fails.
    fn to_html(&self, markdown: &str) -> Result<Option<String>, Error>;
    /// Loads the parser; returns at once where it is loaded already.
    fn load(&self) -> LocalFuture<'_, Result<(), Error>>;
}
