//! The mirror of a document in a worker: the document of an agent whose editor is in the page.
//!
//! The page is the source of truth. The mirror has the document as the page last sent it, and requests from the page
//! what only the page can do (HTML of the editor's schema, transactions). A request that refers to an older document is
//! refused.

use super::mirror::{Fault, MirrorAnswer, MirrorBeginning, MirrorRequest, Question, Update};
use super::promise::settled;
use super::value::{reason, throw};
use copydesk_base::host::LocalFuture;
use copydesk_base::locale::Locale;
use copydesk_document::{Document, Node, Schema};
use copydesk_edit::apply::{BlockParser, DocumentHolder};
use copydesk_edit::guard::{Bound, Guards};
use copydesk_edit::markdown::Markdown;
use copydesk_edit::{Change, Error, Origin};
use copydesk_review::Reviewer;
use copydesk_review::decide::Reviewed;
use copydesk_review::{ReviewCell, Verdict};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// The number of blocks whose HTML is fetched with the first one that is missing. It doubles with each request.
const FEWEST_BLOCKS: usize = 32;
/// The most blocks of a request: the page writes them in a few milliseconds.
const MOST_BLOCKS: usize = 256;

#[wasm_bindgen]
extern "C" {
    /// The connection to the page.
    #[derive(Clone)]
    pub type Page;

    /// Sends a question as JSON. Returns a promise of the answer as JSON; an update that belongs to it has been passed
    /// to `receive` before.
    #[wasm_bindgen(method, catch)]
    fn ask(this: &Page, question: &str) -> Result<JsValue, JsValue>;
}

/// The mirror of a document of the page.
#[wasm_bindgen(js_name = DocumentMirror)]
pub struct DocumentMirrorHandle(pub(super) Rc<DocumentMirror>);

#[wasm_bindgen(js_class = DocumentMirror)]
impl DocumentMirrorHandle {
    /// Creates the mirror of a document, given as JSON by `begin` of its source.
    #[wasm_bindgen(constructor)]
    pub fn new(beginning: &str, page: Page) -> Result<DocumentMirrorHandle, JsValue> {
        let read = || -> Result<DocumentMirror, Error> {
            let MirrorBeginning { schema, document, update } =
                serde_json::from_str(beginning).map_err(|error| refused(error.to_string()))?;
            let schema = schema.map_or_else(|| Ok(Schema::tiptap()), |schema| Schema::from_json(&schema))?;
            let cell = ReviewCell::new(Document::from_editor(&document, schema)?);
            let mirror = DocumentMirror { cell, page, known: RefCell::default() };
            mirror.receive(update)?;
            Ok(mirror)
        };
        read().map(|mirror| DocumentMirrorHandle(Rc::new(mirror))).map_err(|error| throw(&error, Locale::En))
    }

    /// Takes in an update of the page, given as JSON.
    pub fn receive(&self, update: &str) -> Result<(), JsValue> {
        let received = serde_json::from_str(update).map_err(|error| refused(error.to_string()));
        received.and_then(|update| self.0.receive(update)).map_err(|error| throw(&error, Locale::En))
    }

    /// Returns the revision of the document.
    #[wasm_bindgen(getter)]
    pub fn revision(&self) -> u32 {
        self.0.known.borrow().update.revision
    }
}

/// The mirror of a document of the page.
pub struct DocumentMirror {
    cell: ReviewCell,
    page: Page,
    known: RefCell<KnownState>,
}

/// The state beside the document.
#[derive(Default)]
struct KnownState {
    update: Update,
    /// The name that the last turn was given.
    turn: Option<String>,
    /// The request for the parts that the last call lacked.
    wanted: Option<MirrorRequest>,
    /// The HTML of blocks, by index, and of the editor's parser, for this revision.
    html: HashMap<usize, String>,
    parsed: HashMap<(String, usize), Result<String, Fault>>,
    /// The number of blocks of the next request.
    ahead: usize,
    /// The error of the last request for HTML of blocks.
    html_fault: Option<Fault>,
}

impl DocumentMirror {
    fn receive(&self, update: Update) -> Result<(), Error> {
        {
            let mut review = self.cell.review().borrow_mut();
            if let Some(range) = update.range {
                review.sync(&[range], &update.blocks)?;
            }
            review.go_on_from(&update.version, &update.version);
        }
        match &update.guards {
            Some(guards) if guards.is_null() => self.cell.clear_guards(),
            Some(guards) => self.cell.set_guards(&super::value::decode::<Guards>("guards", guards)?)?,
            None => {}
        }
        let known = &mut *self.known.borrow_mut();
        if known.update.revision != update.revision {
            known.html.clear();
            known.parsed.clear();
            known.ahead = FEWEST_BLOCKS;
            known.html_fault = None;
        }
        known.update = Update { range: None, blocks: String::new(), guards: None, ..update };
        Ok(())
    }

    /// Asks the page.
    async fn ask(&self, request: MirrorRequest) -> MirrorAnswer {
        let question = {
            let known = self.known.borrow();
            Question { revision: known.update.revision, turn: known.turn.clone(), request }
        };
        let asked = async {
            let question = serde_json::to_string(&question).map_err(|error| error.to_string())?;
            let promise = self.page.ask(&question).map_err(|thrown| reason(&thrown))?;
            let answer = settled(promise).await.map_err(|thrown| reason(&thrown))?;
            serde_json::from_str(&answer.as_string().unwrap_or_default()).map_err(|error| error.to_string())
        };
        asked.await.unwrap_or_else(|reason| MirrorAnswer::Failed(Fault::Refused(reason)))
    }

    async fn fetch(&self, request: MirrorRequest) {
        let answer = self.ask(request.clone()).await;
        let known = &mut *self.known.borrow_mut();
        match (request, answer) {
            (MirrorRequest::Html { start, .. }, MirrorAnswer::Html(blocks)) => {
                known.html.extend(blocks.into_iter().enumerate().map(|(at, html)| (start + at, html)));
                known.ahead = (known.ahead * 2).min(MOST_BLOCKS);
            }
            (MirrorRequest::Html { .. }, MirrorAnswer::Failed(fault)) => known.html_fault = Some(fault),
            (MirrorRequest::Parse { html, at }, MirrorAnswer::Parsed(blocks)) => {
                known.parsed.insert((html, at), Ok(blocks));
            }
            (MirrorRequest::Parse { html, at }, MirrorAnswer::Failed(fault)) => {
                known.parsed.insert((html, at), Err(fault));
            }
            // The update that came with the answer has another revision.
            _ => {}
        }
    }

    /// Records a request for the missing part, and returns the error of the call that needs it.
    fn want(known: &mut KnownState, request: MirrorRequest) -> Error {
        known.wanted = Some(request);
        refused("a part of the document was not fetched yet".to_owned())
    }
}

impl DocumentHolder for DocumentMirror {
    fn document(&self) -> Result<Document, Error> {
        match self.known.borrow().update.fault.clone() {
            Some(fault) => Err(fault.into()),
            None => Ok(self.cell.document()),
        }
    }

    fn snapshot(&self, version: &str) -> Result<Document, Error> {
        self.cell.snapshot(version)
    }

    fn dispatch(&self, _: &[Change], _: &Origin) -> Result<(), Error> {
        Err(refused("the document is in the page".to_owned()))
    }

    fn commit<'a>(&'a self, changes: &'a [Change], origin: &'a Origin) -> LocalFuture<'a, Result<bool, Error>> {
        let document = self.cell.document();
        let changes = changes.iter().map(|change| change.to_value(&document)).collect();
        Box::pin(async move {
            match self.ask(MirrorRequest::Commit { changes, origin: origin.clone() }).await {
                MirrorAnswer::Done => Ok(true),
                MirrorAnswer::Failed(fault) => Err(fault.into()),
                _ => Ok(false),
            }
        })
    }

    fn synced(&self) -> LocalFuture<'_, ()> {
        Box::pin(async {
            self.ask(MirrorRequest::Sync).await;
        })
    }

    fn new_turn(&self) -> String {
        let known = &mut *self.known.borrow_mut();
        known.turn = Some(known.update.turn.clone());
        known.update.turn.clone()
    }

    fn guards(&self) -> Rc<Bound> {
        self.cell.guards()
    }

    fn selection(&self) -> Option<Range<usize>> {
        self.known.borrow().update.selection.map(|[from, to]| from..to)
    }

    fn proposes(&self) -> bool {
        self.known.borrow().update.proposes
    }
}

impl BlockParser for DocumentMirror {
    fn parse(&self, html: &str, at: usize) -> Result<Vec<Node>, Error> {
        let blocks = {
            let known = &mut *self.known.borrow_mut();
            match known.parsed.get(&(html.to_owned(), at)) {
                Some(Ok(blocks)) => blocks.clone(),
                Some(Err(fault)) => return Err(fault.clone().into()),
                None => return Err(Self::want(known, MirrorRequest::Parse { html: html.to_owned(), at })),
            }
        };
        Ok(Document::blocks_from_json(&blocks, self.cell.document().schema())?)
    }

    fn html(&self, blocks: Range<usize>) -> Result<String, Error> {
        let known = &mut *self.known.borrow_mut();
        match blocks.clone().find(|at| !known.html.contains_key(at)) {
            None => Ok(blocks.map(|at| known.html[&at].as_str()).collect()),
            Some(start) => match &known.html_fault {
                Some(fault) => Err(fault.clone().into()),
                None => {
                    let ahead = known.ahead;
                    Err(Self::want(known, MirrorRequest::Html { start, end: start + ahead }))
                }
            },
        }
    }

    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        super::markdown::page_markdown()
    }

    fn missing(&self) -> Option<LocalFuture<'_, ()>> {
        let wanted = self.known.borrow_mut().wanted.take()?;
        Some(Box::pin(self.fetch(wanted)))
    }
}

impl Reviewer for DocumentMirror {
    fn in_editor(&self, position: usize) -> usize {
        self.cell.in_editor(position)
    }

    fn in_document(&self, range: Range<usize>) -> Range<usize> {
        self.cell.in_document(range)
    }

    fn verdicts(&self, turns: &[String]) -> Vec<Verdict> {
        self.cell.verdicts(turns)
    }

    fn decided<'a>(&'a self, turns: &'a [String]) -> LocalFuture<'a, Vec<Verdict>> {
        Box::pin(async {
            match self.ask(MirrorRequest::Decided(turns.to_vec())).await {
                MirrorAnswer::Decided(verdicts) => verdicts,
                _ => Vec::new(),
            }
        })
    }
}

fn refused(reason: String) -> Error {
    Error::EditorRefused { reason }
}
