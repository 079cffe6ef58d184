//! The document of an agent whose runs are recorded or replayed.
//!
//! A replay has no editor, only a [`DocumentCell`]. An editor reads and writes HTML by rules of its own, and its plugins
//! add to what is dispatched (a paragraph at the end). So [`RecordedDocument`] writes down what an editor says or makes
//! that a cell would not have, and [`ReplayedDocument`] says and makes it again. Without such an editor there is nothing to write.

use super::app::{failed, read_edit_error};
use super::{Recorder, Replay, Tape};
use copydesk_base::ErrorInfo;
use copydesk_base::fields::{object, take};
use copydesk_base::host::LocalFuture;
use copydesk_document::{Document, Node, parse_fragment};
use copydesk_edit::Error;
use copydesk_edit::decide::{self, Reviewed};
use copydesk_edit::guard::Bound;
use copydesk_edit::markdown::Markdown;
use copydesk_edit::{Change, DocumentCell, DocumentHost, Origin, Review, Verdict, change, plan};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

const PARSE: &str = "parse";
const HTML: &str = "html";
const DISPATCH: &str = "dispatch";
const NEW_TURN: &str = "newTurn";
const MARKDOWN: &str = "loadMarkdown";

/// A host of a document that can be recorded.
pub trait RecordableDocument: DocumentHost + Reviewed {}

impl<T: DocumentHost + Reviewed> RecordableDocument for T {}

/// A document while an agent on it is recorded.
pub struct RecordedDocument {
    document: Rc<dyn RecordableDocument>,
    recorder: Recorder,
    /// The number of questions that an editor may answer in its own way.
    calls: Cell<u64>,
    turns: Cell<u64>,
    is_acting: Cell<bool>,
    /// The changes that the editor reported while it took the edit that the agent is making.
    synced: RefCell<Vec<Value>>,
}

impl RecordedDocument {
    /// A document whose agent is recorded.
    pub fn new(document: Rc<dyn RecordableDocument>, recorder: Recorder) -> RecordedDocument {
        RecordedDocument {
            document,
            recorder,
            calls: Cell::new(0),
            turns: Cell::new(0),
            is_acting: Cell::new(false),
            synced: RefCell::default(),
        }
    }

    /// Returns whether the agent is making an edit: its consequences are no input of the user.
    pub fn is_acting(&self) -> bool {
        self.is_acting.get()
    }

    /// While the agent makes an edit: the editor reports what has changed in it, as an input `sync` says it.
    pub fn synced(&self, value: Value) {
        self.synced.borrow_mut().push(value);
    }

    /// The person, or somebody else, does something with the document. Said before it is done.
    pub fn input(&self, name: &str, value: Value) {
        self.recorder.input(name, value);
    }

    /// Records an answer, unless a document without an editor would have given the same.
    fn say<T: PartialEq>(
        &self,
        what: &str,
        said: Result<T, Error>,
        cell: impl FnOnce() -> Result<T, Error>,
        write: impl FnOnce(&T) -> Value,
    ) -> Result<T, Error> {
        let call = next(&self.calls);
        let same = match (&said, cell()) {
            (Ok(said), Ok(cell)) => *said == cell,
            (Err(said), Err(cell)) => said.code() == cell.code(),
            _ => false,
        };
        if !same {
            let answer = match &said {
                Ok(value) => object(&mut [("value", write(value))]),
                Err(error) => failed(error.clone()),
            };
            self.recorder.decided(what, &call, &answer);
        }
        said
    }
}

impl DocumentHost for RecordedDocument {
    fn document(&self) -> Result<Document, Error> {
        self.recorder.within(|| self.document.document())
    }

    fn parse(&self, html: &str, at: usize) -> Result<Vec<Node>, Error> {
        let schema = self.document.review().borrow().base().schema().clone();
        let parsed = self.recorder.within(|| self.document.parse(html, at));
        let write = |nodes: &Vec<Node>| nodes.iter().map(|node| node.to_value(&schema)).collect();
        self.say(PARSE, parsed, || Ok(parse_fragment(html, &schema)?), write)
    }

    fn html(&self, blocks: Range<usize>) -> Result<String, Error> {
        let document = self.document.review().borrow().proposed().clone();
        let html = self.recorder.within(|| self.document.html(blocks.clone()));
        let cell = || Ok(document.html_of(document.blocks().get(blocks).unwrap_or_default()));
        self.say(HTML, html, cell, |html| html.as_str().into())
    }

    fn dispatch(&self, changes: &[Change], origin: &Origin) -> Result<(), Error> {
        let (before, proposes) = {
            let review = self.document.review().borrow();
            (review.next_base(), review.proposes())
        };
        self.is_acting.set(true);
        self.synced.take();
        let done = self.recorder.within(|| self.document.dispatch(changes, origin));
        self.is_acting.set(false);
        let (synced, call) = (self.synced.take(), next(&self.calls));
        let same = match (&done, change::replace(&before, changes)) {
            _ if proposes => true,
            (Ok(()), Ok(expected)) => {
                let review = self.document.review().borrow();
                *review.base() == expected && review.base().version() == expected.version()
            }
            (Err(error), Err(expected)) => error.code() == expected.code(),
            _ => false,
        };
        if !same {
            let synced = || object(&mut [("value", synced.into())]);
            self.recorder.decided(DISPATCH, &call, &done.clone().map_or_else(failed, |()| synced()));
        }
        done
    }

    fn new_turn(&self) -> String {
        self.turns.set(self.turns.get() + 1);
        let (name, cells) = (self.document.new_turn(), format!("t{}", self.turns.get()));
        let named = self.say(NEW_TURN, Ok(name), || Ok(cells), |name| name.as_str().into());
        named.unwrap_or_default()
    }

    fn proposes(&self) -> bool {
        self.document.proposes()
    }

    fn in_editor(&self, position: usize) -> usize {
        self.document.in_editor(position)
    }

    fn snapshot(&self, version: &str) -> Result<Document, Error> {
        self.document.snapshot(version)
    }

    fn guards(&self) -> Rc<Bound> {
        self.document.guards()
    }

    fn verdicts(&self, turns: &[String]) -> Vec<Verdict> {
        self.document.verdicts(turns)
    }

    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        recorded_markdown(self.document.markdown(), Tape::Recording(self.recorder.clone()))
    }
}

/// A document while a recording is played on it.
pub struct ReplayedDocument {
    cell: DocumentCell,
    replay: Replay,
    calls: Cell<u64>,
    /// The recorded outcome of the edit that is being made.
    said: RefCell<Option<Result<Value, Error>>>,
}

impl ReplayedDocument {
    /// A document that a recording is played on.
    pub fn new(cell: DocumentCell, replay: Replay) -> ReplayedDocument {
        ReplayedDocument { cell, replay, calls: Cell::new(0), said: RefCell::default() }
    }

    /// Returns the recorded answer of the editor; `None` where a document without an editor gives the same.
    fn said(&self, what: &str) -> Option<Result<Value, Error>> {
        let mut said = self.replay.decided(what, &next(&self.calls))?;
        let error = take(&mut said, "error");
        Some(if error.is_null() { Ok(take(&mut said, "value")) } else { Err(read_edit_error(error)) })
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

impl DocumentHost for ReplayedDocument {
    fn document(&self) -> Result<Document, Error> {
        self.replay.catch_up();
        Ok(self.cell.document())
    }

    fn parse(&self, html: &str, at: usize) -> Result<Vec<Node>, Error> {
        match self.said(PARSE) {
            Some(nodes) => Ok(Document::blocks_from_json(&nodes?.to_string(), self.cell.base().schema())?),
            None => self.cell.parse(html, at),
        }
    }

    fn html(&self, blocks: Range<usize>) -> Result<String, Error> {
        match self.said(HTML) {
            Some(html) => Ok(html?.as_str().unwrap_or_default().to_owned()),
            None => self.cell.html(blocks),
        }
    }

    fn dispatch(&self, changes: &[Change], origin: &Origin) -> Result<(), Error> {
        *self.said.borrow_mut() = self.said(DISPATCH);
        decide::dispatch(self, changes, origin)
    }

    fn new_turn(&self) -> String {
        let own = self.cell.new_turn();
        self.said(NEW_TURN).and_then(|name| Some(name.ok()?.as_str()?.to_owned())).unwrap_or(own)
    }

    fn proposes(&self) -> bool {
        self.cell.proposes()
    }

    fn in_editor(&self, position: usize) -> usize {
        self.cell.in_editor(position)
    }

    fn guards(&self) -> Rc<Bound> {
        self.cell.guards()
    }

    fn verdicts(&self, turns: &[String]) -> Vec<Verdict> {
        self.cell.verdicts(turns)
    }

    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        recorded_markdown(self.cell.markdown(), Tape::Replaying(self.replay.clone()))
    }
}

fn next(calls: &Cell<u64>) -> String {
    calls.set(calls.get() + 1);
    calls.get().to_string()
}

/// Returns the difference of two documents, `{stretches, blocks}` as in a `sync`; null where they are equal.
pub fn difference(before: &Document, after: &Document) -> Value {
    let (old, new) = (before.blocks(), after.blocks());
    let first = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = (&old[first..], &new[first..]);
    let last = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(|(a, b)| a == b).count();
    let (gone, came) = (rest.0.len() - last, &rest.1[..rest.1.len() - last]);
    if gone == 0 && came.is_empty() {
        return Value::Null;
    }
    let stretch: Value = [first, gone, came.len()].into_iter().map(Value::from).collect();
    let blocks: Value = came.iter().map(|node| node.to_value(after.schema())).collect();
    object(&mut [("stretches", vec![stretch].into()), ("blocks", blocks)])
}

/// Makes such a difference.
///
/// # Errors
/// Where it does not apply to this document, which then stays as it was.
pub fn sync(cell: &DocumentCell, mut value: Value) -> Result<(), Error> {
    let stretches = stretches(&take(&mut value, "stretches"));
    let blocks = take(&mut value, "blocks");
    cell.review().borrow_mut().sync(&stretches, &blocks.to_string())
}

/// Makes such a difference in the proposal, as an edit of somebody else.
///
/// # Errors
/// Where it does not apply to this proposal, which then stays as it was.
pub fn propose(cell: &DocumentCell, mut value: Value) -> Result<(), Error> {
    let before = cell.document();
    let after = DocumentCell::new(before.clone());
    let text = |value: &mut Value, name| take(value, name).as_str().map(str::to_owned);
    let origin = Origin { turn: text(&mut value, "turn"), tool_id: text(&mut value, "toolId"), ..Origin::default() };
    sync(&after, value)?;
    let changes = plan::compare(&before, &after.document()).changes;
    cell.review().borrow_mut().propose(&changes, &origin)
}

/// The versions of both documents.
pub fn versions(review: &Review) -> Value {
    let (base, proposed) = (review.base().version(), review.proposed().version());
    object(&mut [("base", base.into()), ("proposed", proposed.into())])
}

/// Reads ranges of top-level blocks: the first index, the number removed, the number inserted.
pub(super) fn stretches(value: &Value) -> Vec<[usize; 3]> {
    let number = |value: &Value| value.as_u64().and_then(|number| number.try_into().ok());
    let three = |three: &Value| Some([number(three.get(0)?)?, number(three.get(1)?)?, number(three.get(2)?)?]);
    value.as_array().into_iter().flatten().filter_map(three).collect()
}

/// A parser that takes a while to load. A replay waits for its place in the order, and has it loaded before.
fn recorded_markdown(parser: Option<Rc<dyn Markdown>>, tape: Tape) -> Option<Rc<dyn Markdown>> {
    parser.map(|parser| -> Rc<dyn Markdown> { Rc::new(RecordedMarkdown { parser, tape }) })
}

struct RecordedMarkdown {
    parser: Rc<dyn Markdown>,
    tape: Tape,
}

impl Markdown for RecordedMarkdown {
    fn to_html(&self, markdown: &str) -> Result<Option<String>, Error> {
        if matches!(&self.tape, Tape::Replaying(replay) if replay.is_answered(MARKDOWN, "")) {
            return Ok(None);
        }
        self.parser.to_html(markdown)
    }

    fn load(&self) -> LocalFuture<'_, Result<(), Error>> {
        Box::pin(async {
            let loading = async { self.parser.load().await.map_or_else(failed, |()| Value::Null) };
            let mut loaded =
                self.tape.ask(MARKDOWN, "", Box::pin(loading), &|_| {}).await.map_err(copydesk_base::Error::from)?;
            match take(&mut loaded, "error") {
                Value::Null => Ok(()),
                error => Err(read_edit_error(error)),
            }
        })
    }
}
