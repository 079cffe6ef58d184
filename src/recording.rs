//! Recordings: what a recorded agent is told and asked, and playing a file. In the full build ([`super::taped`]).

use super::clock::PageClock;
use super::markdown::page_markdown;
use super::page_document::PageDocument;
use super::taped::{Recorded, Taped, Watcher};
use super::value::{encode, report, throw};
use crate::error::Error;
use copydesk_agent::Outside;
use copydesk_agent::tools::NeedsApproval;
use copydesk_agent::tools::app::Execute;
use copydesk_base::fields::object;
use copydesk_base::locale::Locale;
use copydesk_document::Document;
use copydesk_edit::decide::Reviewed;
use copydesk_edit::{Change, Mode, Origin, Review, change};
use copydesk_recording::document::{difference, versions};
use copydesk_recording::recorder::LIMIT;
use copydesk_recording::{Beginning, RecordedDocument, Recorder, Recording, Replay, ReplayAgent, Tape, file, playback};
use js_sys::{Function, Promise};
use serde_json::Value;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

impl Taped for Tape {
    fn outside(&self, outside: Outside) -> Outside {
        Tape::outside(self, outside)
    }

    fn execute(&self, execute: Execute) -> Execute {
        Tape::execute(self, execute)
    }

    fn needs_approval(&self, tool: &str, needs: NeedsApproval) -> NeedsApproval {
        Tape::needs_approval(self, tool, needs)
    }

    fn input(&self, name: &str, value: Value) {
        Tape::input(self, name, || value);
    }

    fn recording(&self, after: &Document) -> String {
        match self {
            Tape::Recording(recorder) => recorder.recording(&after.to_json()).to_value().to_string(),
            Tape::Off | Tape::Replaying(_) => String::new(),
        }
    }
}

impl Watcher for RecordedDocument {
    fn input(&self, name: &str, value: Value) {
        RecordedDocument::input(self, name, value);
    }

    fn heard(&self, stretches: &[[usize; 3]], blocks: &str, ours: bool) {
        if ours && !self.is_acting() {
            return;
        }
        let row = |stretch: &[usize; 3]| -> Value { stretch.iter().copied().map(Value::from).collect() };
        let blocks = file::parse(blocks).unwrap_or_default();
        let value = object(&mut [("stretches", stretches.iter().map(row).collect()), ("blocks", blocks)]);
        if ours {
            self.synced(value);
        } else {
            self.input("sync", value);
        }
    }

    fn decided(&self, review: &Review) {
        self.input("versions", versions(review));
    }

    fn changed(&self, before: &Document, changes: &[Change], known: bool, review: &Review) {
        if self.is_acting() && !known {
            return;
        }
        let known = if known { change::replace(before, changes).ok() } else { None };
        let more = difference(known.as_ref().unwrap_or(before), review.base());
        if !more.is_null() {
            self.input("sync", more);
            self.input("versions", versions(review));
        }
    }

    fn proposed(&self, before: &Document, origin: &Origin, review: &Review) {
        if !self.is_acting() {
            self.input("propose", proposal(before, review.proposed(), origin));
            self.input("versions", versions(review));
        }
    }
}

fn proposal(before: &Document, after: &Document, origin: &Origin) -> Value {
    let mut value = difference(before, after);
    if let Value::Object(members) = &mut value {
        members.insert("turn".into(), origin.turn.clone().into());
        members.insert("toolId".into(), origin.tool_id.clone().into());
    }
    value
}

/// Records an agent from now on, which is to work on the document by way of the host; `settings` are its options.
pub(super) fn record(document: &Rc<PageDocument>, settings: Value) -> Result<Recorded, Error> {
    document.refresh()?;
    let beginning = Beginning {
        settings,
        schema: document.schema.as_deref().map(file::parse).transpose()?.unwrap_or_default(),
        document: document.review().borrow().base().to_json(),
        messages: Value::Null,
    };
    let recorder = Recorder::new(beginning, Rc::new(PageClock), LIMIT);
    let watched = Rc::new(RecordedDocument::new(document.clone(), recorder.clone()));
    let watcher: Rc<dyn Watcher> = watched.clone();
    document.watchers.add(Rc::downgrade(&watcher));
    let guards = &document.watchers.guards;
    // What was set before is set in a replay first.
    let review = document.review().borrow();
    if !guards.borrow().is_null() {
        recorder.input("setGuards", guards.borrow().clone());
    }
    if review.is_pending() {
        recorder.input("propose", proposal(review.base(), review.proposed(), &Origin::default()));
    }
    if review.mode == Mode::Review {
        recorder.input("setMode", "review".into());
    }
    recorder.input("versions", versions(&review));
    drop(review);
    Ok((Rc::new(Tape::Recording(recorder)), watched))
}

/// Plays a recording, given as JSON, on an agent and a document of its own: `{document, html, differs}`. `listener` hears the
/// events and must not throw. With `in_time` it takes as long as the run did.
#[wasm_bindgen(js_name = replayRecording)]
pub fn replay_recording(json: String, listener: Function, in_time: bool, locale: &str) -> Promise {
    let locale = Locale::from_tag(locale);
    future_to_promise(async move {
        let played = played(json, listener, in_time).await;
        encode(&played.map_err(|error| throw(&error, locale))?)
    })
}

async fn played(json: String, listener: Function, in_time: bool) -> Result<Value, copydesk_recording::Error> {
    let recording = Recording::from_json(&json)?;
    drop(json);
    let options = recording.options()?;
    let replay = if in_time { Replay::in_time(recording, Rc::new(PageClock)) } else { Replay::new(recording) };
    let stage = ReplayAgent::new(&replay, options, report(listener))?;
    let document = stage.document.clone();
    if let Some(parser) = page_markdown() {
        // Where it cannot be had, and is needed, the replay says in what it differs.
        let _ = parser.load().await;
        document.set_markdown(parser);
    }
    let ended = playback::play(&replay, stage, &PageClock).await;
    let differs = playback::differs(&replay, ended, &document);
    let now = document.document();
    Ok(object(&mut [("document", file::parse(&now.to_json())?), ("html", now.to_html().into()), ("differs", differs)]))
}
