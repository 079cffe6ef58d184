//! Where recordings come in, without them.
//!
//! They are a tenth of the wasm, and few pages record: [`super::recording`] is compiled with the feature `full`
//! alone. Everything else knows of a recorded agent and of its document only by these traits.

use copydesk_agent::Outside;
use copydesk_agent::tools::NeedsApproval;
use copydesk_agent::tools::app::Execute;
use copydesk_document::Document;
use copydesk_edit::{Change, DocumentHost, Origin, Review};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

/// The tape of a recorded agent, and its document by way of it.
pub type Recorded = (Rc<dyn Taped>, Rc<dyn DocumentHost>);

/// What stands between a recorded agent and its outside.
pub trait Taped {
    /// All that an agent is given of the outside, by way of the tape.
    fn outside(&self, outside: Outside) -> Outside;
    /// The function of one of the app's tools, by way of the tape.
    fn execute(&self, execute: Execute) -> Execute;
    /// The function that says whether a call of a tool needs the person's yes, by way of the tape.
    fn needs_approval(&self, tool: &str, needs: NeedsApproval) -> NeedsApproval;
    /// The person does something. Said before it is done.
    fn input(&self, name: &str, value: Value);
    /// What has been recorded so far, as JSON text; `after` is the document as it is now.
    fn recording(&self, after: &Document) -> String;
}

/// A recorded agent, as the document that it works on knows it: it is told what others do with the document.
pub trait Watcher {
    /// Somebody does something. Said before it is done.
    fn input(&self, name: &str, value: Value);
    /// The editor reports what has changed in it; `ours` says whether a change of ours is under way.
    fn heard(&self, stretches: &[[usize; 3]], blocks: &str, ours: bool);
    /// The person has decided, and these are the documents now.
    fn decided(&self, review: &Review);
    /// Changes were made to base. With `known` the recording has them already, and only what more came of them is news.
    fn changed(&self, before: &Document, changes: &[Change], known: bool, review: &Review);
    /// Somebody has made an edit that waits for the person.
    fn proposed(&self, before: &Document, origin: &Origin, review: &Review);
}

/// Who is told what others than their own agent do with a document: the agents on it that are recorded.
#[derive(Default)]
pub struct Watchers {
    list: RefCell<Vec<Weak<dyn Watcher>>>,
    /// True if a change of ours is under way in the editor: what it reports meanwhile is no deed of the person.
    is_ours: Cell<bool>,
    /// True if the change follows from what the person has decided, which all were told.
    is_decided: Cell<bool>,
    /// The guards as they were given last.
    pub guards: RefCell<Value>,
}

impl Watchers {
    fn all(&self) -> Vec<Rc<dyn Watcher>> {
        self.list.borrow().iter().filter_map(Weak::upgrade).collect()
    }

    /// One more.
    pub fn add(&self, watcher: Weak<dyn Watcher>) {
        let mut list = self.list.borrow_mut();
        list.retain(|watcher| watcher.strong_count() > 0);
        list.push(watcher);
    }

    /// The person does something; said before it is done.
    pub fn tell(&self, name: &str, value: &dyn Fn() -> Value) {
        self.all().iter().for_each(|watcher| watcher.input(name, value()));
    }

    /// The editor reports what has changed in it.
    pub fn heard(&self, stretches: &[[usize; 3]], blocks: &str) {
        self.all().iter().for_each(|watcher| watcher.heard(stretches, blocks, self.is_ours.get()));
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
    pub fn decided<T>(&self, name: &str, value: Value, review: &RefCell<Review>, act: impl FnOnce() -> T) -> T {
        self.tell(name, &|| value.clone());
        let before = self.is_decided.replace(true);
        let done = act();
        self.is_decided.set(before);
        self.all().iter().for_each(|watcher| watcher.decided(&review.borrow()));
        done
    }

    /// Changes were made to base.
    pub fn changed(&self, before: &Document, changes: &[Change], review: &RefCell<Review>) {
        let known = self.is_decided.get();
        self.all().iter().for_each(|watcher| watcher.changed(before, changes, known, &review.borrow()));
    }

    /// Somebody has made an edit that waits for the person.
    pub fn proposed(&self, before: &Document, origin: &Origin, review: &RefCell<Review>) {
        self.all().iter().for_each(|watcher| watcher.proposed(before, origin, &review.borrow()));
    }
}
