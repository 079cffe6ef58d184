//! A document of the page for an agent whose edits have to comply with guards of their own.

use super::page_document::PageDocument;
use copydesk_base::host::LocalFuture;
use copydesk_document::{Document, Node};
use copydesk_edit::apply::{BlockParser, DocumentHolder};
use copydesk_edit::guard::Bound;
use copydesk_edit::markdown::Markdown;
use copydesk_edit::{Change, Error, Origin};
use copydesk_review::Reviewer;
use copydesk_review::Verdict;
use std::ops::Range;
use std::rc::Rc;

/// A document whose edits have to comply with the guards of the document and these.
pub struct GuardedDocument {
    /// The document.
    pub document: Rc<PageDocument>,
    /// The further guards.
    pub guards: Rc<Bound>,
}

impl DocumentHolder for GuardedDocument {
    fn document(&self) -> Result<Document, Error> {
        self.document.document()
    }

    fn snapshot(&self, version: &str) -> Result<Document, Error> {
        self.document.snapshot(version)
    }

    fn dispatch(&self, changes: &[Change], origin: &Origin) -> Result<(), Error> {
        self.document.dispatch(changes, origin)
    }

    fn commit<'a>(&'a self, changes: &'a [Change], origin: &'a Origin) -> LocalFuture<'a, Result<bool, Error>> {
        self.document.commit(changes, origin)
    }

    fn synced(&self) -> LocalFuture<'_, ()> {
        self.document.synced()
    }

    fn new_turn(&self) -> String {
        self.document.new_turn()
    }

    fn guards(&self) -> Rc<Bound> {
        Rc::new(self.document.guards().and(&self.guards))
    }

    fn selection(&self) -> Option<Range<usize>> {
        self.document.selection()
    }

    fn proposes(&self) -> bool {
        self.document.proposes()
    }
}

impl BlockParser for GuardedDocument {
    fn parse(&self, html: &str, at: usize) -> Result<Vec<Node>, Error> {
        self.document.parse(html, at)
    }

    fn html(&self, blocks: Range<usize>) -> Result<String, Error> {
        self.document.html(blocks)
    }

    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        self.document.markdown()
    }

    fn missing(&self) -> Option<LocalFuture<'_, ()>> {
        self.document.missing()
    }
}

impl Reviewer for GuardedDocument {
    fn in_editor(&self, position: usize) -> usize {
        self.document.in_editor(position)
    }

    fn in_document(&self, range: Range<usize>) -> Range<usize> {
        self.document.in_document(range)
    }

    fn verdicts(&self, turns: &[String]) -> Vec<Verdict> {
        self.document.verdicts(turns)
    }

    fn decided<'a>(&'a self, turns: &'a [String]) -> LocalFuture<'a, Vec<Verdict>> {
        self.document.decided(turns)
    }
}
