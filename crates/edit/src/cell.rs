//! A document without an editor.

use super::apply::{BlockParser, DocumentHolder, Origin, at_once, made_at_once};
use super::change::{self, Change};
use super::guard::{Bound, Guards};
use crate::Error;
use crate::markdown::Markdown;
use copydesk_base::host::LocalFuture;
use copydesk_document::{Document, Node, parse_fragment};
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

/// A document without an editor, as a [`DocumentHost`](crate::DocumentHost): copydesk itself parses and changes it, and
/// edits never wait. Clones are the same document.
#[derive(Clone)]
pub struct DocumentCell(Rc<State>);

struct State {
    document: RefCell<Document>,
    turns: Cell<u64>,
    guards: RefCell<Rc<Bound>>,
    markdown: RefCell<Option<Rc<dyn Markdown>>>,
}

impl DocumentCell {
    /// Holds a document.
    pub fn new(document: Document) -> DocumentCell {
        DocumentCell(Rc::new(State {
            document: RefCell::new(document),
            turns: Cell::new(0),
            guards: RefCell::default(),
            markdown: RefCell::default(),
        }))
    }

    /// Returns the document of this moment.
    pub fn document(&self) -> Document {
        self.0.document.borrow().clone()
    }

    /// Sets the document, past all guards.
    pub fn set_document(&self, now: Document) {
        self.0.document.replace(now);
    }

    /// Sets the converter of Markdown to HTML.
    pub fn set_markdown(&self, parser: Rc<dyn Markdown>) {
        *self.0.markdown.borrow_mut() = Some(parser);
    }

    /// Sets the guards of edits from now on. Sections are those of the document of this moment.
    ///
    /// # Errors
    /// As [`Guards::bind`].
    pub fn set_guards(&self, guards: &Guards) -> Result<(), Error> {
        let bound = guards.bind(&self.document())?;
        self.0.guards.replace(Rc::new(bound));
        Ok(())
    }
}

impl DocumentHolder for DocumentCell {
    fn document(&self) -> Result<Document, Error> {
        Ok(self.document())
    }

    fn snapshot(&self, version: &str) -> Result<Document, Error> {
        Err(Error::UnknownVersion { given: version.to_owned(), valid: Vec::new() })
    }

    fn dispatch(&self, changes: &[Change], _: &Origin) -> Result<(), Error> {
        let changed = change::replace(&self.document(), changes)?;
        self.set_document(changed);
        Ok(())
    }

    fn commit<'a>(&'a self, changes: &'a [Change], origin: &'a Origin) -> LocalFuture<'a, Result<bool, Error>> {
        made_at_once(self.dispatch(changes, origin))
    }

    fn synced(&self) -> LocalFuture<'_, ()> {
        at_once(())
    }

    fn new_turn(&self) -> String {
        self.0.turns.set(self.0.turns.get() + 1);
        format!("t{}", self.0.turns.get())
    }

    fn guards(&self) -> Rc<Bound> {
        self.0.guards.borrow().clone()
    }

    fn selection(&self) -> Option<Range<usize>> {
        None
    }

    fn proposes(&self) -> bool {
        false
    }
}

impl BlockParser for DocumentCell {
    fn parse(&self, html: &str, _at: usize) -> Result<Vec<Node>, Error> {
        let schema = self.0.document.borrow().schema().clone();
        Ok(parse_fragment(html, &schema)?)
    }

    fn html(&self, blocks: Range<usize>) -> Result<String, Error> {
        let document = self.document();
        Ok(document.html_of(&document.blocks()[blocks]))
    }

    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        self.0.markdown.borrow().clone()
    }

    fn missing(&self) -> Option<LocalFuture<'_, ()>> {
        None
    }
}
