//! Events of a document and of an agent on it, for observers outside of both.
//!
//! The holder of a document emits these events through its [`Observers`]; so does the code that passes the user's calls
//! to an agent. Neither knows who observes.

use crate::review::Review;
use copydesk_document::Document;
use copydesk_edit::{Change, Origin};
use serde_json::Value;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// Something that happens to a document or to an agent on it.
#[derive(Clone, Copy)]
pub enum DocumentEvent<'a> {
    /// The user or the app is about to call something: `setMode`, `abort` …
    Input {
        /// The name of the call.
        name: &'a str,
        /// Returns its parameters.
        value: &'a dyn Fn() -> Value,
    },
    /// The user is about to decide about hunks or a turn: `accept`, `undoTurn` … Events until
    /// [`DecisionEnded`](DocumentEvent::DecisionEnded) are its consequences.
    DecisionStarted {
        /// The name of the call.
        name: &'a str,
        /// Returns its parameters.
        value: &'a dyn Fn() -> Value,
    },
    /// The decision was carried out, or has failed.
    DecisionEnded {
        /// The documents after it.
        review: &'a Review,
    },
    /// A change is sent to the editor. What the editor reports until [`DispatchEnded`](DocumentEvent::DispatchEnded) is
    /// a consequence of it.
    DispatchStarted,
    /// The editor applied the change, or refused it.
    DispatchEnded,
    /// The editor reports which top-level blocks were replaced. Emitted before the document applies this.
    Synced {
        /// For each range its index, the number of blocks removed and the number inserted.
        ranges: &'a [[usize; 3]],
        /// The inserted blocks of all ranges, as a JSON array.
        blocks: &'a str,
    },
    /// Changes were made to base.
    Changed {
        /// Base before.
        before: &'a Document,
        /// The changes as they were requested; an editor may have made more.
        changes: &'a [Change],
        /// The documents after the change.
        review: &'a Review,
    },
    /// An edit was proposed.
    Proposed {
        /// The proposal before.
        before: &'a Document,
        /// The origin of the edit.
        origin: &'a Origin,
        /// The documents after the edit.
        review: &'a Review,
    },
}

/// Someone to whom events are reported.
pub trait Observer {
    /// Takes notice of an event.
    fn observe(&self, event: DocumentEvent<'_>);
}

/// The observers of a document or an agent.
#[derive(Default)]
pub struct Observers(RefCell<Vec<Weak<dyn Observer>>>);

impl Observers {
    /// Reports all events from now on to an observer, as long as it lives.
    pub fn subscribe(&self, observer: Weak<dyn Observer>) {
        let mut list = self.0.borrow_mut();
        list.retain(|observer| observer.strong_count() > 0);
        list.push(observer);
    }

    /// Reports an event.
    pub fn emit(&self, event: DocumentEvent<'_>) {
        let observers: Vec<Rc<dyn Observer>> = self.0.borrow().iter().filter_map(Weak::upgrade).collect();
        observers.iter().for_each(|observer| observer.observe(event));
    }

    /// Reports a call of the user or the app.
    pub fn input(&self, name: &str, value: &dyn Fn() -> Value) {
        self.emit(DocumentEvent::Input { name, value });
    }

    /// Carries out a decision of the user, and reports it before and after.
    pub fn decide<T>(&self, name: &str, value: &Value, review: &RefCell<Review>, act: impl FnOnce() -> T) -> T {
        self.emit(DocumentEvent::DecisionStarted { name, value: &|| value.clone() });
        let done = act();
        self.emit(DocumentEvent::DecisionEnded { review: &review.borrow() });
        done
    }

    /// Passes a change to the editor, and reports it before and after.
    pub fn dispatch<T>(&self, dispatch: impl FnOnce() -> T) -> T {
        self.emit(DocumentEvent::DispatchStarted);
        let done = dispatch();
        self.emit(DocumentEvent::DispatchEnded);
        done
    }
}
