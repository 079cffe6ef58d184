//! Recordings: who is told what is done with a document, and playing a file.

use super::clock::PageClock;
use super::held::Held;
use super::markdown::page_markdown;
use super::value::{encode, report, throw};
use crate::agent::recording::host::{difference, versions};
use crate::agent::recording::recorder::LIMIT;
use crate::agent::recording::{AgentStage, Beginning, Recorder, Recording, Replay, Watched, json, outcome};
use crate::document::Document;
use crate::edit::decide::Reviewed;
use crate::edit::{Change, Mode, Origin, Review, change};
use crate::error::Error;
use crate::fields::object;
use crate::locale::Locale;
use js_sys::{Function, Promise};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

/// Who is told what others than their own agent do with a document: the agents on it that are recorded.
#[derive(Default)]
pub struct Watchers {
    list: RefCell<Vec<Weak<Watched>>>,
    /// Whether a change of ours is under way in the editor: what it reports meanwhile is no deed of the person.
    is_ours: Cell<bool>,
    /// Whether the change follows from what the person has decided, which all were told.
    is_decided: Cell<bool>,
    /// The guards as they were given last.
    guards: RefCell<Value>,
}

impl Watchers {
    fn all(&self) -> Vec<Rc<Watched>> {
        self.list.borrow().iter().filter_map(Weak::upgrade).collect()
    }

    /// The person does something; said before it is done.
    pub fn tell(&self, name: &str, value: &dyn Fn() -> Value) {
        self.all().iter().for_each(|watched| watched.input(name, value()));
    }

    /// The editor reports what has changed in it.
    pub fn heard(&self, stretches: &[[usize; 3]], blocks: &str) {
        let ours = self.is_ours.get();
        for watched in self.all().into_iter().filter(|watched| !ours || watched.is_acting()) {
            let row = |stretch: &[usize; 3]| -> Value { stretch.iter().copied().map(Value::from).collect() };
            let blocks = json::parse(blocks).unwrap_or_default();
            let value = object(&mut [("stretches", stretches.iter().map(row).collect()), ("blocks", blocks)]);
            if ours {
                watched.synced(value);
            } else {
                watched.input("sync", value);
            }
        }
    }

    /// Guards were set.
    pub fn guard(&self, guards: Value) {
        self.tell("setGuards", &|| guards.clone());
        self.guards.replace(guards);
    }

    /// Has the editor make a change of ours.
    pub fn ours<T>(&self, make: impl FnOnce() -> T) -> T {
        let before = self.is_ours.replace(true);
        let made = make();
        self.is_ours.set(before);
        made
    }

    /// Does what the person has decided.
    ///
    /// # Errors
    /// Those of what is done.
    pub fn decided<T>(&self, name: &str, value: Value, review: &RefCell<Review>, act: impl FnOnce() -> T) -> T {
        self.tell(name, &|| value.clone());
        let before = self.is_decided.replace(true);
        let done = act();
        self.is_decided.set(before);
        self.tell("versions", &|| versions(&review.borrow()));
        done
    }

    /// Changes were made to base. Who knows of them already is told what more came of them.
    pub fn changed(&self, before: &Document, changes: &[Change], review: &RefCell<Review>) {
        let watching = self.all();
        if watching.is_empty() {
            return;
        }
        let is_known = self.is_decided.get();
        let known = if is_known { change::replace(before, changes).ok() } else { None };
        let more = difference(known.as_ref().unwrap_or(before), review.borrow().base());
        if more.is_null() {
            return;
        }
        for watched in watching.iter().filter(|watched| is_known || !watched.is_acting()) {
            watched.input("sync", more.clone());
            watched.input("versions", versions(&review.borrow()));
        }
    }

    /// Somebody has made an edit that waits for the person.
    pub fn proposed(&self, before: &Document, origin: &Origin, review: &RefCell<Review>) {
        for watched in self.all().iter().filter(|watched| !watched.is_acting()) {
            watched.input("propose", proposal(before, review.borrow().proposed(), origin));
            watched.input("versions", versions(&review.borrow()));
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

/// Records an agent from now on; `settings` are its options.
pub(super) fn record(held: &Rc<Held>, settings: Value) -> Result<(Recorder, Rc<Watched>), Error> {
    held.refresh()?;
    let beginning = Beginning {
        settings,
        schema: held.schema.as_deref().map(json::parse).transpose()?.unwrap_or_default(),
        document: held.review.borrow().base().to_json(),
        messages: Value::Null,
    };
    let recorder = Recorder::new(beginning, Rc::new(PageClock), LIMIT);
    let watched = Rc::new(Watched::new(held.clone(), recorder.clone()));
    let Watchers { list, guards, .. } = &held.watchers;
    list.borrow_mut().retain(|watched| watched.strong_count() > 0);
    list.borrow_mut().push(Rc::downgrade(&watched));
    // What was set before is set in a replay first.
    let review = held.review.borrow();
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
    Ok((recorder, watched))
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

async fn played(json: String, listener: Function, in_time: bool) -> Result<Value, Error> {
    let recording = Recording::from_json(&json)?;
    drop(json);
    let options = recording.options()?;
    let replay = if in_time { Replay::in_time(recording, Rc::new(PageClock)) } else { Replay::new(recording) };
    let stage = AgentStage::new(&replay, options, report(listener))?;
    let document = stage.document.clone();
    if let Some(parser) = page_markdown() {
        // Where it cannot be had, and is needed, the replay says in what it differs.
        let _ = parser.load().await;
        document.set_markdown(parser);
    }
    let ended = outcome::play(&replay, stage, &PageClock).await;
    let differs = outcome::differs(&replay, ended, &document);
    let now = document.document();
    Ok(object(&mut [("document", json::parse(&now.to_json())?), ("html", now.to_html().into()), ("differs", differs)]))
}
