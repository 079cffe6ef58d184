//! The document of an agent that is recorded.
//!
//! A replay has no editor. An editor parses and serializes HTML by its own rules, and its plugins add to transactions
//! (a paragraph at the end). [`RecordedDocument`] wraps the document and records each answer of the editor that a
//! document without an editor would not have given. It also observes the document: actions of anybody but the agent
//! are inputs.

use super::Recorder;
use crate::answer::{MARKDOWN, read_edit_value, write_error};
use crate::difference::{difference, proposal, sync_value, versions};
use crate::editor_answers::{names, next};
use copydesk_base::ErrorInfo;
use copydesk_base::host::LocalFuture;
use copydesk_document::{Document, Node, parse_fragment};
use copydesk_edit::apply::{BlockParser, DocumentHolder, at_once, made_at_once};
use copydesk_edit::guard::Bound;
use copydesk_edit::markdown::Markdown;
use copydesk_edit::{Change, Error, Origin, change};
use copydesk_review::Reviewer;
use copydesk_review::decide::Reviewed;
use copydesk_review::{DocumentEvent, Mode, Observer, Review, ReviewHost, Verdict};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

/// A host of a document that can be recorded.
pub trait RecordableDocument: ReviewHost + Reviewed {}

impl<T: ReviewHost + Reviewed> RecordableDocument for T {}

/// The document of an agent that is recorded; an observer of that document and of the calls to the agent.
pub struct RecordedDocument {
    document: Rc<dyn RecordableDocument>,
    recorder: Recorder,
    /// The number of questions that an editor may answer in its own way.
    calls: Cell<u64>,
    turns: Cell<u64>,
    /// The activities under way, the outermost first.
    activities: RefCell<Vec<Activity>>,
}

/// An activity under way, whose consequences are not inputs.
enum Activity {
    /// The agent makes an edit; with the changes that the editor has reported since.
    Edit(Vec<Value>),
    /// A change was passed to the editor.
    Dispatch,
    /// A decision of the user is being applied.
    Decision,
}

impl RecordedDocument {
    /// Returns the document of a recorded agent. It observes the documents to which it is subscribed.
    pub fn new(document: Rc<dyn RecordableDocument>, recorder: Recorder) -> RecordedDocument {
        let (calls, turns, activities) = Default::default();
        RecordedDocument { document, recorder, calls, turns, activities }
    }

    /// Records the differences of the document from a new one as inputs: the guards, null without any, pending edits,
    /// and the mode.
    pub fn record_state(&self, guards: &Value) {
        let review = self.document.review().borrow();
        if !guards.is_null() {
            self.recorder.input("setGuards", guards.clone());
        }
        if review.is_pending() {
            let proposal = proposal(review.base(), review.proposed(), &Origin::default());
            self.recorder.input("propose", proposal);
        }
        if review.mode == Mode::Review {
            self.recorder.input("setMode", "review".into());
        }
        self.record_versions(&review);
    }

    /// Returns the recording so far, as JSON text.
    pub fn recording(&self, after: &Document) -> String {
        self.recorder.recording(&after.to_json()).to_value().to_string()
    }

    fn record_versions(&self, review: &Review) {
        self.recorder.input("versions", versions(review));
    }

    fn is_under_way(&self, is: fn(&Activity) -> bool) -> bool {
        self.activities.borrow().iter().any(is)
    }

    fn begin(&self, activity: Activity) {
        self.activities.borrow_mut().push(activity);
    }

    /// Ends the innermost activity of a kind; `None` if it began before the document was observed.
    fn end(&self, is: fn(&Activity) -> bool) -> Option<Activity> {
        let mut activities = self.activities.borrow_mut();
        activities.iter().rposition(is).map(|at| activities.remove(at))
    }

    /// Handles a change that the editor reports.
    fn synced(&self, ranges: &[[usize; 3]], blocks: &str) {
        if !self.is_under_way(Activity::is_dispatch) {
            return self.recorder.input("sync", sync_value(ranges, blocks));
        }
        // The reports during an edit of the agent are compared as a whole.
        let mut activities = self.activities.borrow_mut();
        let own = activities.iter_mut().rev().find_map(|activity| match activity {
            Activity::Edit(synced) => Some(synced),
            _ => None,
        });
        own.into_iter().for_each(|synced| synced.push(sync_value(ranges, blocks)));
    }

    /// Handles a change of base.
    fn changed(&self, before: &Document, changes: &[Change], review: &Review) {
        let expected = if self.is_under_way(Activity::is_decision) {
            // The decision is an input. A further change by the editor is another one.
            change::replace(before, changes).ok()
        } else if self.is_under_way(Activity::is_edit) {
            return;
        } else {
            None
        };
        let more = difference(expected.as_ref().unwrap_or(before), review.base());
        if !more.is_null() {
            self.recorder.input("sync", more);
            self.record_versions(review);
        }
    }

    /// Records an answer, unless a document without an editor would have given the same.
    fn record_difference<T: PartialEq>(
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
                Ok(value) => json!({ "value": write(value) }),
                Err(error) => write_error(error.clone()),
            };
            self.recorder.record_at_once(what, &call, &answer);
        }
        said
    }
}

impl Activity {
    fn is_edit(&self) -> bool {
        matches!(self, Activity::Edit(_))
    }

    fn is_dispatch(&self) -> bool {
        matches!(self, Activity::Dispatch)
    }

    fn is_decision(&self) -> bool {
        matches!(self, Activity::Decision)
    }
}

impl Observer for RecordedDocument {
    fn observe(&self, event: DocumentEvent<'_>) {
        match event {
            DocumentEvent::Input { name, value } => self.recorder.input(name, value()),
            DocumentEvent::DecisionStarted { name, value } => {
                self.recorder.input(name, value());
                self.begin(Activity::Decision);
            }
            DocumentEvent::DecisionEnded { review } => {
                self.end(Activity::is_decision);
                self.record_versions(review);
            }
            DocumentEvent::DispatchStarted => self.begin(Activity::Dispatch),
            DocumentEvent::DispatchEnded => drop(self.end(Activity::is_dispatch)),
            DocumentEvent::Synced { ranges, blocks } => self.synced(ranges, blocks),
            DocumentEvent::Changed { before, changes, review } => self.changed(before, changes, review),
            DocumentEvent::Proposed { before, origin, review } => {
                if !self.is_under_way(Activity::is_edit) {
                    self.recorder.input("propose", proposal(before, review.proposed(), origin));
                    self.record_versions(review);
                }
            }
        }
    }
}

impl DocumentHolder for RecordedDocument {
    fn document(&self) -> Result<Document, Error> {
        self.recorder.within(|| self.document.document())
    }

    fn snapshot(&self, version: &str) -> Result<Document, Error> {
        self.document.snapshot(version)
    }

    fn dispatch(&self, changes: &[Change], origin: &Origin) -> Result<(), Error> {
        let (before, proposes) = {
            let review = self.document.review().borrow();
            (review.next_base(), review.proposes())
        };
        self.begin(Activity::Edit(Vec::new()));
        let done = self.recorder.within(|| self.document.dispatch(changes, origin));
        let synced = match self.end(Activity::is_edit) {
            Some(Activity::Edit(synced)) => synced,
            _ => Vec::new(),
        };
        let call = next(&self.calls);
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
            let answer = done.clone().map_or_else(write_error, |()| json!({ "value": synced }));
            self.recorder.record_at_once(names::DISPATCH, &call, &answer);
        }
        done
    }

    fn commit<'a>(&'a self, changes: &'a [Change], origin: &'a Origin) -> LocalFuture<'a, Result<bool, Error>> {
        made_at_once(self.dispatch(changes, origin))
    }

    fn synced(&self) -> LocalFuture<'_, ()> {
        at_once(())
    }

    fn new_turn(&self) -> String {
        self.turns.set(self.turns.get() + 1);
        let (name, cells) = (self.document.new_turn(), format!("t{}", self.turns.get()));
        let named = self.record_difference(names::NEW_TURN, Ok(name), || Ok(cells), |name| name.as_str().into());
        named.unwrap_or_default()
    }

    fn guards(&self) -> Rc<Bound> {
        self.document.guards()
    }

    fn selection(&self) -> Option<Range<usize>> {
        let selected = self.recorder.within(|| self.document.selection());
        let write = |selected: &Option<Range<usize>>| json!(selected.as_ref().map(|range| [range.start, range.end]));
        self.record_difference(names::SELECTION, Ok(selected), || Ok(None), write).ok().flatten()
    }

    fn proposes(&self) -> bool {
        self.document.proposes()
    }
}

impl BlockParser for RecordedDocument {
    fn parse(&self, html: &str, at: usize) -> Result<Vec<Node>, Error> {
        let schema = self.document.review().borrow().base().schema().clone();
        let parsed = self.recorder.within(|| self.document.parse(html, at));
        let write = |nodes: &Vec<Node>| nodes.iter().map(|node| node.to_value(&schema)).collect();
        self.record_difference(names::PARSE, parsed, || Ok(parse_fragment(html, &schema)?), write)
    }

    fn html(&self, blocks: Range<usize>) -> Result<String, Error> {
        let document = self.document.review().borrow().proposed().clone();
        let html = self.recorder.within(|| self.document.html(blocks.clone()));
        let cell = || Ok(document.html_of(document.blocks().get(blocks).unwrap_or_default()));
        self.record_difference(names::HTML, html, cell, |html| html.as_str().into())
    }

    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        let parser = self.document.markdown()?;
        Some(Rc::new(RecordedMarkdown { parser, recorder: self.recorder.clone() }))
    }

    fn missing(&self) -> Option<LocalFuture<'_, ()>> {
        None
    }
}

impl Reviewer for RecordedDocument {
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
        at_once(self.verdicts(turns))
    }
}

/// A Markdown parser whose loading is recorded.
struct RecordedMarkdown {
    parser: Rc<dyn Markdown>,
    recorder: Recorder,
}

impl Markdown for RecordedMarkdown {
    fn to_html(&self, markdown: &str) -> Result<Option<String>, Error> {
        self.parser.to_html(markdown)
    }

    fn load(&self) -> LocalFuture<'_, Result<(), Error>> {
        Box::pin(async {
            let loading = async { self.parser.load().await.map_or_else(write_error, |()| Value::Null) };
            read_edit_value(self.recorder.ask(MARKDOWN, "", Box::pin(loading)).await).map(drop)
        })
    }
}
