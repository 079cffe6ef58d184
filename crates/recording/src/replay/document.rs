//! The document of a replay: a document without an editor, which gives the recorded answers of the editor.

use super::Replay;
use crate::answer::{MARKDOWN, read_edit_value};
use crate::difference::sync;
use crate::editor_answers::{names, next};
use copydesk_base::host::LocalFuture;
use copydesk_document::{Document, Node};
use copydesk_edit::apply::{BlockParser, DocumentHolder, at_once, made_at_once};
use copydesk_edit::guard::Bound;
use copydesk_edit::markdown::Markdown;
use copydesk_edit::{Change, Error, Origin};
use copydesk_review::decide::{self, Reviewed};
use copydesk_review::{Review, ReviewCell};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

/// The document of a replay.
pub struct ReplayedDocument {
    cell: ReviewCell,
    replay: Replay,
    calls: Cell<u64>,
    /// The recorded outcome of the edit that is being made.
    said: RefCell<Option<Result<Value, Error>>>,
}

impl ReplayedDocument {
    /// Returns the document of a replay.
    pub fn new(cell: ReviewCell, replay: Replay) -> ReplayedDocument {
        ReplayedDocument { cell, replay, calls: Cell::new(0), said: RefCell::default() }
    }

    /// Returns the recorded answer of the editor; `None` if it is that of a document without an editor.
    fn said(&self, what: &str) -> Option<Result<Value, Error>> {
        self.replay.decided(what, &next(&self.calls)).map(read_edit_value)
    }
}

impl Reviewed for ReplayedDocument {
    fn review(&self) -> &RefCell<Review> {
        self.cell.review()
    }

    fn refresh(&self) -> Result<(), Error> {
        self.replay.catch_up();
        Ok(())
    }

    fn change_base(&self, changes: &[Change]) -> Result<(), Error> {
        match self.said.take().transpose()? {
            Some(Value::Array(synced)) => synced.into_iter().try_for_each(|value| sync(&self.cell, value))?,
            _ => self.cell.change_base(changes)?,
        }
        self.replay.catch_up();
        Ok(())
    }

    fn reviewed(&self) {
        self.replay.catch_up();
    }
}

impl DocumentHolder for ReplayedDocument {
    fn document(&self) -> Result<Document, Error> {
        self.replay.catch_up();
        Ok(self.cell.document())
    }

    fn snapshot(&self, version: &str) -> Result<Document, Error> {
        self.cell.snapshot(version)
    }

    fn dispatch(&self, changes: &[Change], origin: &Origin) -> Result<(), Error> {
        *self.said.borrow_mut() = self.said(names::DISPATCH);
        decide::dispatch(self, changes, origin)
    }

    fn commit<'a>(&'a self, changes: &'a [Change], origin: &'a Origin) -> LocalFuture<'a, Result<bool, Error>> {
        made_at_once(self.dispatch(changes, origin))
    }

    fn synced(&self) -> LocalFuture<'_, ()> {
        at_once(())
    }

    fn new_turn(&self) -> String {
        let own = self.cell.new_turn();
        self.said(names::NEW_TURN).and_then(|name| Some(name.ok()?.as_str()?.to_owned())).unwrap_or(own)
    }

    fn guards(&self) -> Rc<Bound> {
        self.cell.guards()
    }

    fn selection(&self) -> Option<Range<usize>> {
        let [start, end]: [usize; 2] = serde_json::from_value(self.said(names::SELECTION)?.ok()?).ok()?;
        (start <= end).then_some(start..end)
    }

    fn proposes(&self) -> bool {
        self.review().borrow().proposes()
    }
}

impl BlockParser for ReplayedDocument {
    fn parse(&self, html: &str, at: usize) -> Result<Vec<Node>, Error> {
        match self.said(names::PARSE) {
            Some(nodes) => Ok(Document::blocks_from_json(&nodes?.to_string(), self.cell.base().schema())?),
            None => self.cell.parse(html, at),
        }
    }

    fn html(&self, blocks: Range<usize>) -> Result<String, Error> {
        match self.said(names::HTML) {
            Some(html) => Ok(html?.as_str().unwrap_or_default().to_owned()),
            None => self.cell.html(blocks),
        }
    }

    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        let parser = self.cell.markdown()?;
        Some(Rc::new(ReplayedMarkdown { parser, replay: self.replay.clone() }))
    }

    fn missing(&self) -> Option<LocalFuture<'_, ()>> {
        None
    }
}

/// A loaded Markdown parser whose loading takes as long as in the recording.
struct ReplayedMarkdown {
    parser: Rc<dyn Markdown>,
    replay: Replay,
}

impl Markdown for ReplayedMarkdown {
    fn to_html(&self, markdown: &str) -> Result<Option<String>, Error> {
        if self.replay.is_answered(MARKDOWN, "") {
            return Ok(None);
        }
        self.parser.to_html(markdown)
    }

    fn load(&self) -> LocalFuture<'_, Result<(), Error>> {
        Box::pin(async {
            let answer = self.replay.ask(MARKDOWN, "", &|_| {}).await.map_err(copydesk_base::Error::from)?;
            read_edit_value(answer).map(drop)
        })
    }
}
