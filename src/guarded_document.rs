//! A document of the page for an agent whose edits have to hold guards of their own.

use super::page_document::PageDocument;
use copydesk_document::{Document, Node};
use copydesk_edit::guard::Bound;
use copydesk_edit::markdown::Markdown;
use copydesk_edit::{Change, DocumentHost, Error, Origin, Verdict};
use std::ops::Range;
use std::rc::Rc;

/// A document whose edits have to hold the guards of the document and these.
pub struct GuardedDocument {
    /// The document.
    pub document: Rc<PageDocument>,
    /// The further guards.
    pub guards: Rc<Bound>,
}

impl DocumentHost for GuardedDocument {
    fn document(&self) -> Result<Document, Error> {
        self.document.document()
    }

    fn parse(&self, html: &str, at: usize) -> Result<Vec<Node>, Error> {
        self.document.parse(html, at)
    }

    fn html(&self, blocks: Range<usize>) -> Result<String, Error> {
        self.document.html(blocks)
    }

    fn dispatch(&self, changes: &[Change], origin: &Origin) -> Result<(), Error> {
        self.document.dispatch(changes, origin)
    }

    fn new_turn(&self) -> String {
        self.document.new_turn()
    }

    fn proposes(&self) -> bool {
        self.document.proposes()
    }

    fn in_editor(&self, position: usize) -> usize {
        self.document.in_editor(position)
    }

    fn selection(&self) -> Option<Range<usize>> {
        self.document.selection()
    }

    fn in_document(&self, range: Range<usize>) -> Range<usize> {
        self.document.in_document(range)
    }

    fn snapshot(&self, version: &str) -> Result<Document, Error> {
        self.document.snapshot(version)
    }

    fn guards(&self) -> Rc<Bound> {
        Rc::new(self.document.guards().and(&self.guards))
    }

    fn verdicts(&self, turns: &[String]) -> Vec<Verdict> {
        self.document.verdicts(turns)
    }

    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        self.document.markdown()
    }
}
