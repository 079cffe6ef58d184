//! The traits of the holder of a document.

use crate::Error;
use crate::change::Change;
use crate::guard::Bound;
use crate::origin::Origin;
use copydesk_base::host::LocalFuture;
use copydesk_document::{Document, Node};
use std::future::ready;
use std::ops::Range;
use std::rc::Rc;

/// The holder of a document that is edited: an editor, or a [`DocumentCell`](crate::DocumentCell).
///
/// Calls may come back into the holder before they return (an editor reports its own transactions), so they are
/// made with nothing borrowed.
///
/// A holder may represent a document of another thread. Then [`DocumentHolder::synced`] is called before a read, reads
/// are made with [`with_parts`], and edits with [`Planned::commit`](crate::apply::Planned::commit).
///
/// No method has a default: a holder that forgets one does not compile.
pub trait DocumentHost: DocumentHolder + BlockParser {}

impl<T: DocumentHolder + BlockParser> DocumentHost for T {}

/// The document of a holder, and changes of it.
pub trait DocumentHolder {
    /// The current document.
    fn document(&self) -> Result<Document, Error>;
    /// The document with a version, as it was shown. Fails with the versions that are remembered.
    fn snapshot(&self, version: &str) -> Result<Document, Error>;
    /// Makes all changes as one transaction, or none.
    fn dispatch(&self, changes: &[Change], origin: &Origin) -> Result<(), Error>;
    /// Makes all changes as [`DocumentHolder::dispatch`] does, wherever the document is. Returns false, and makes none,
    /// if the document is not the one that was read for them.
    fn commit<'a>(&'a self, changes: &'a [Change], origin: &'a Origin) -> LocalFuture<'a, Result<bool, Error>>;
    /// Waits until [`DocumentHolder::document`] is the current document. Only a document of another thread has to wait.
    fn synced(&self) -> LocalFuture<'_, ()>;
    /// A name for a turn that begins, which no other turn on this document has.
    fn new_turn(&self) -> String;
    /// Returns the guards of edits.
    fn guards(&self) -> Rc<Bound>;
    /// Returns the range in [`DocumentHolder::document`] that the user has selected, empty for a cursor; `None` if
    /// there is no editor.
    fn selection(&self) -> Option<Range<usize>>;
    /// Returns whether an edit made now would wait for the user's decision. Until then, [`DocumentHolder::document`]
    /// contains it, and the editor does not.
    fn proposes(&self) -> bool;
}

/// Reads and writes blocks in the schema of a holder.
pub trait BlockParser {
    /// Parses HTML into blocks of the holder's own schema that are allowed at index `at` among the top-level blocks.
    fn parse(&self, html: &str, at: usize) -> Result<Vec<Node>, Error>;
    /// Returns some of its top-level blocks as HTML, as the holder's schema writes them.
    fn html(&self, blocks: Range<usize>) -> Result<String, Error>;
    /// Returns the converter of Markdown to HTML, if there is one.
    fn markdown(&self) -> Option<Rc<dyn Markdown>>;
    /// Fetches the parts whose absence made the last call of [`BlockParser::parse`] or [`BlockParser::html`] fail;
    /// `None` if none was missing.
    fn missing(&self) -> Option<LocalFuture<'_, ()>>;
}

/// Returns a future that is ready, for a document of this thread.
pub fn at_once<'a, T: 'a>(value: T) -> LocalFuture<'a, T> {
    Box::pin(ready(value))
}

/// Returns the result of [`DocumentHolder::dispatch`] as that of [`DocumentHolder::commit`].
pub fn made_at_once<'a>(dispatched: Result<(), Error>) -> LocalFuture<'a, Result<bool, Error>> {
    at_once(dispatched.map(|()| true))
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
    /// Returns Markdown as HTML; `None` while the parser is not loaded.
    ///
    /// # Errors
    /// [`Error::MarkdownTooLarge`] if it would take too long, [`Error::MarkdownFailed`] if the parser fails.
    fn to_html(&self, markdown: &str) -> Result<Option<String>, Error>;
    /// Loads the parser; returns at once if it is loaded already.
    fn load(&self) -> LocalFuture<'_, Result<(), Error>>;
}
