//! A document of the page, for its mirror in a worker.

use super::document::DocumentHandle;
use super::mirror::{Fault, MirrorAnswer, MirrorBeginning, MirrorRequest, Question, Update};
use super::page_document::PageDocument;
use super::parts::later;
use super::value::throw;
use copydesk_document::Document;
use copydesk_edit::apply::{BlockParser, DocumentHolder};
use copydesk_edit::{Change, Error};
use copydesk_review::Reviewer;
use js_sys::Array;
use serde_json::Value;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Answers the mirror of a document and sends it changes.
#[wasm_bindgen(js_name = DocumentSource)]
pub struct DocumentSource {
    document: Rc<PageDocument>,
    sent: RefCell<Sent>,
}

/// The state that the mirror knows.
struct Sent {
    document: Document,
    update: Update,
    guards: Value,
}

#[wasm_bindgen(js_class = DocumentSource)]
impl DocumentSource {
    /// Creates the source of one mirror.
    #[wasm_bindgen(constructor)]
    pub fn new(document: &DocumentHandle) -> Result<DocumentSource, JsValue> {
        let document = document.0.clone();
        let now = document.document().map_err(|error| throw(&error, document.locale.get()))?;
        let sent = Sent { document: now, update: Update::default(), guards: Value::Null };
        Ok(DocumentSource { document, sent: RefCell::new(sent) })
    }

    /// Returns the document as the mirror begins, as JSON.
    pub fn begin(&self) -> Result<String, JsValue> {
        beginning(self)
    }

    /// Returns an update for the mirror, as JSON; undefined if nothing has changed.
    pub fn update(&self) -> Result<Option<String>, JsValue> {
        changes(self)
    }

    /// Answers a question of the mirror, given as JSON. Returns an update, or undefined, and the answer.
    pub fn answer(&self, question: &str) -> Result<Array, JsValue> {
        answer_to(self, question)
    }

    /// Returns whether the document is the one with this revision.
    #[wasm_bindgen(js_name = isCurrent)]
    pub fn is_current(&self, revision: u32) -> bool {
        let now = self.document.document();
        let sent = self.sent.borrow();
        sent.update.revision == revision && now.is_ok_and(|now| now.version() == sent.update.version)
    }

    /// Returns a position in the editor for one in the document.
    #[wasm_bindgen(js_name = inEditor)]
    pub fn in_editor(&self, position: usize) -> usize {
        self.document.in_editor(position)
    }

    /// Returns the range in the document for one in the editor.
    #[wasm_bindgen(js_name = inDocument)]
    pub fn in_document(&self, from: usize, to: usize) -> Vec<u32> {
        let range = self.document.in_document(from..to);
        vec![range.start as u32, range.end as u32]
    }
}

impl DocumentSource {
    /// Returns the changes since the last call. `turn` is the name that the mirror has given to its last turn.
    fn changed(&self, turn: Option<&str>) -> Option<Update> {
        let host: &PageDocument = &self.document;
        let now = host.document();
        let (proposes, selection) = (host.proposes(), host.selection().map(|range| [range.start, range.end]));
        let given = host.given_guards.borrow().clone();
        let is_taken = {
            let known = &self.sent.borrow().update.turn;
            known.is_empty() || turn == Some(known)
        };
        let next = is_taken.then(|| host.new_turn());

        let sent = &mut *self.sent.borrow_mut();
        let mut update = Update { range: None, blocks: String::new(), guards: None, ..sent.update.clone() };
        match now {
            Ok(now) => {
                (update.range, update.blocks) = difference(&sent.document, &now);
                update.version = now.version();
                update.fault = None;
                sent.document = now;
            }
            Err(error) => update.fault = Some(Fault::from(error)),
        }
        update.guards = (given != sent.guards).then(|| given.clone());
        sent.guards = given;
        (update.proposes, update.selection) = (proposes, selection);
        update.turn = next.unwrap_or(update.turn);
        let replans = update.range.is_some()
            || update.guards.is_some()
            || (update.proposes, &update.version, &update.fault)
                != (sent.update.proposes, &sent.update.version, &sent.update.fault);
        update.revision += u32::from(replans);
        let known = Update { range: None, blocks: String::new(), guards: None, ..update.clone() };
        let is_new = replans || known != sent.update;
        sent.update = known;
        is_new.then_some(update)
    }

    /// Carries out a request that refers to the current document.
    fn carry_out(&self, request: MirrorRequest) -> Result<MirrorAnswer, Error> {
        let host: &PageDocument = &self.document;
        Ok(match request {
            MirrorRequest::Sync | MirrorRequest::Decided(_) => MirrorAnswer::Done,
            MirrorRequest::Html { start, end } => {
                let end = end.min(host.document()?.blocks().len());
                MirrorAnswer::Html((start..end).map(|at| host.html(at..at + 1)).collect::<Result<_, _>>()?)
            }
            MirrorRequest::Parse { html, at } => {
                let schema = host.document()?.schema().clone();
                let nodes = host.parse(&html, at)?;
                MirrorAnswer::Parsed(nodes.iter().map(|node| node.to_value(&schema)).collect::<Value>().to_string())
            }
            MirrorRequest::Commit { changes, origin } => {
                let schema = host.document()?.schema().clone();
                let changes: Result<Vec<Change>, Error> =
                    changes.into_iter().map(|change| Change::from_value(&schema, change)).collect();
                host.dispatch(&changes?, &origin)?;
                MirrorAnswer::Done
            }
        })
    }
}

later! {
    "13"
    /// See [`DocumentSource::begin`].
    fn beginning(this: &DocumentSource) -> Result<String, JsValue> {
        this.changed(None);
        let sent = this.sent.borrow();
        let guards = Some(sent.guards.clone()).filter(|guards| !guards.is_null());
        let update = Update { range: None, blocks: String::new(), guards, ..sent.update.clone() };
        let (schema, document) = (this.document.schema.clone(), sent.document.to_json());
        json(&MirrorBeginning { schema, document, update })
    }
}

later! {
    "14"
    /// See [`DocumentSource::update`].
    fn changes(this: &DocumentSource) -> Result<Option<String>, JsValue> {
        this.changed(None).map(|update| json(&update)).transpose()
    }
}

later! {
    "15"
    /// See [`DocumentSource::answer`].
    fn answer_to(this: &DocumentSource, question: &str) -> Result<Array, JsValue> {
        let Question { revision, turn, request } = serde_json::from_str(question)
            .map_err(|error| throw(&refused(&error.to_string()), this.document.locale.get()))?;
        let mut update = this.changed(turn.as_deref());
        let fault = this.sent.borrow().update.fault.clone();
        let is_current = this.sent.borrow().update.revision == revision;
        let answer = match (request, fault) {
            (MirrorRequest::Sync, _) => MirrorAnswer::Done,
            (MirrorRequest::Decided(turns), _) => MirrorAnswer::Decided(this.document.verdicts(&turns)),
            (_, Some(fault)) => MirrorAnswer::Failed(fault),
            _ if !is_current => MirrorAnswer::Stale,
            (request, None) => match this.carry_out(request) {
                Ok(answer) => {
                    update = this.changed(turn.as_deref()).or(update);
                    answer
                }
                Err(error) => MirrorAnswer::Failed(error.into()),
            },
        };
        let update = update.map(|update| json(&update)).transpose()?.map_or(JsValue::UNDEFINED, JsValue::from);
        Ok(Array::of2(&update, &json(&answer)?.into()))
    }
}

/// Returns the range of top-level blocks that differ, and the present ones as JSON.
fn difference(before: &Document, now: &Document) -> (Option<[usize; 3]>, String) {
    let (old, new) = (before.blocks(), now.blocks());
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(old, new)| old == new).count();
    let [removed, added] = [old, new].map(|blocks| blocks.len() - start - end);
    if removed + added == 0 {
        return (None, String::new());
    }
    let blocks: Value = new[start..start + added].iter().map(|node| node.to_value(now.schema())).collect();
    (Some([start, removed, added]), blocks.to_string())
}

fn json(value: &impl serde::Serialize) -> Result<String, JsValue> {
    serde_json::to_string(value).map_err(|error| JsError::new(&error.to_string()).into())
}

fn refused(reason: &str) -> Error {
    Error::EditorRefused { reason: reason.to_owned() }
}
