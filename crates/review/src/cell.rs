//! The state of a document under review: base and proposal, turns, guards.
//!
//! By itself it is a document without an editor. The holder of an editor keeps one of these as the last known state of
//! the editor.

use super::decide::{self, Reviewed};
use super::review::Review;
use copydesk_base::host::LocalFuture;
use copydesk_document::{Document, Node, parse_fragment};
use copydesk_edit::change::{self, Change};
use copydesk_edit::guard::{Bound, Guards};
use copydesk_edit::markdown::Markdown;
use copydesk_edit::{BlockParser, DocumentHolder, Error, Origin, at_once, made_at_once};
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

/// The state of a document under review. As a [`ReviewHost`](crate::ReviewHost) it is parsed and changed by copydesk
/// itself, without an editor. Clones are the same document.
#[derive(Clone)]
pub struct ReviewCell(Rc<ReviewedCell>);

struct ReviewedCell {
    review: RefCell<Review>,
    turns: Cell<u64>,
    guards: RefCell<Rc<Bound>>,
    markdown: RefCell<Option<Rc<dyn Markdown>>>,
}

impl ReviewCell {
    /// Holds a document.
    pub fn new(document: Document) -> ReviewCell {
        let review = RefCell::new(Review::new(document));
        ReviewCell(Rc::new(ReviewedCell {
            review,
            turns: Cell::new(0),
            guards: RefCell::default(),
            markdown: RefCell::default(),
        }))
    }

    /// The current document, as the agent sees it.
    pub fn document(&self) -> Document {
        self.review().borrow().proposed().clone()
    }

    /// Sets what turns Markdown into HTML.
    pub fn set_markdown(&self, parser: Rc<dyn Markdown>) {
        *self.0.markdown.borrow_mut() = Some(parser);
    }

    /// Sets the guards of edits from now on. Sections are those of the current document.
    pub fn set_guards(&self, guards: &Guards) -> Result<(), Error> {
        let bound = self.review().borrow().bind(guards)?;
        self.0.guards.replace(Rc::new(bound));
        Ok(())
    }

    /// Lets edits do everything from now on.
    pub fn clear_guards(&self) {
        self.0.guards.take();
    }

    /// The document without the pending hunks.
    pub fn base(&self) -> Document {
        self.review().borrow().base().clone()
    }
}

impl Reviewed for ReviewCell {
    fn review(&self) -> &RefCell<Review> {
        &self.0.review
    }

    fn refresh(&self) -> Result<(), Error> {
        Ok(())
    }

    fn change_base(&self, changes: &[Change]) -> Result<(), Error> {
        let mut review = self.review().borrow_mut();
        let changed = change::replace(&review.next_base(), changes)?;
        review.follow(changed);
        Ok(())
    }

    fn reviewed(&self) {}
}

impl DocumentHolder for ReviewCell {
    fn document(&self) -> Result<Document, Error> {
        Ok(self.document())
    }

    fn snapshot(&self, version: &str) -> Result<Document, Error> {
        Err(Error::UnknownVersion { given: version.to_owned(), valid: Vec::new() })
    }

    fn dispatch(&self, changes: &[Change], origin: &Origin) -> Result<(), Error> {
        decide::dispatch(self, changes, origin)
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
        self.review().borrow().proposes()
    }
}

impl BlockParser for ReviewCell {
    fn parse(&self, html: &str, _at: usize) -> Result<Vec<Node>, Error> {
        let schema = self.review().borrow().base().schema().clone();
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
