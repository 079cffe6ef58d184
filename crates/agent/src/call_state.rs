//! The states of a tool call, from the model's answer to its result.
//!
//! ```text
//! Queued ─→ AwaitingApp ─→ AwaitingApproval ─→ Announced ─→ Running ─→ Returned ─→ Finished
//!                  └────────────────────────────↗
//! ```
//!
//! Every state may become [`CallState::Finished`]: a call can be refused, fail, or be stopped anywhere. The effect of a
//! stop on the call depends on its state alone ([`CallState::interrupted`]).

use crate::Error;
use crate::tools::{ResultEvidence, ToolOutput};
use serde_json::Value;
use std::cell::{Ref, RefCell};
use std::rc::Rc;

/// The state of a tool call.
#[derive(Clone, Debug, Default)]
pub enum CallState {
    /// Waits until it can start.
    #[default]
    Queued,
    /// The app's hook `beforeToolCall` decides whether it may run.
    AwaitingApp,
    /// The user decides whether it may run.
    AwaitingApproval,
    /// Allowed to run and reported to listeners; the tool was not called yet.
    Announced,
    /// The tool was called and has not returned.
    Running,
    /// The tool has returned; the app's hook `afterToolCall` may replace parts of its output.
    Returned(Box<Returned>),
    /// Its result is in the conversation.
    Finished,
}

/// The output of a tool, before the app's hook has seen it.
#[derive(Clone, Debug, Default)]
pub struct Returned {
    /// The output as the tool returned it.
    pub output: ToolOutput,
    /// Its content as it was paged while the hook ran, and whether it is untrusted.
    pub paged: Option<(Value, bool)>,
}

impl CallState {
    /// Returns whether a call may go from this state to `next`.
    pub fn can_become(&self, next: &CallState) -> bool {
        use CallState::*;
        match (self, next) {
            (Finished, _) => false,
            (_, Finished) => true,
            (Queued, AwaitingApp)
            | (AwaitingApp, AwaitingApproval | Announced)
            | (AwaitingApproval, Announced)
            | (Announced, Running)
            | (Running, Returned(_)) => true,
            _ => false,
        }
    }

    /// Returns whether the call was reported to listeners and its result was not.
    pub fn is_under_way(&self) -> bool {
        matches!(self, CallState::Announced | CallState::Running | CallState::Returned(_))
    }

    /// Returns the result of a call of `tool` that was stopped in this state. Fails with [`Error::NotRun`] if it had
    /// no effect, and with [`Error::MaybeRan`] if that is unknown.
    pub fn interrupted(&self, tool: &str, is_atomic: bool) -> Result<ToolOutput, Error> {
        match self {
            CallState::Returned(returned) => Ok(returned.output.clone()),
            CallState::Running if !is_atomic => Err(Error::MaybeRan { tool: tool.to_owned() }),
            _ => Err(Error::NotRun),
        }
    }
}

/// The state and the identity of a tool call of the run under way.
#[derive(Default)]
pub(super) struct Call {
    /// Id of the call in the conversation.
    pub(super) id: String,
    state: RefCell<CallState>,
    /// The parts of the document that its result shows, as stated by the tool.
    pub(super) shows: Rc<RefCell<Option<ResultEvidence>>>,
}

impl Call {
    pub(super) fn new(id: &str) -> Rc<Call> {
        Rc::new(Call { id: id.to_owned(), ..Call::default() })
    }

    /// Enters the next state. A transition that [`CallState::can_become`] forbids is a bug; the state stays.
    pub(super) fn enter(&self, next: CallState) {
        let mut state = self.state.borrow_mut();
        let is_allowed = state.can_become(&next);
        debug_assert!(is_allowed, "a call cannot go from {state:?} to {next:?}");
        if is_allowed {
            *state = next;
        }
    }

    /// Returns the state.
    pub(super) fn state(&self) -> Ref<'_, CallState> {
        self.state.borrow()
    }

    /// Returns whether the call is under way.
    pub(super) fn is_under_way(&self) -> bool {
        self.state.borrow().is_under_way()
    }

    /// Stores the paged form of the output while the app's hook runs.
    pub(super) fn note_paged(&self, content: Value, untrusted: bool) {
        if let CallState::Returned(returned) = &mut *self.state.borrow_mut() {
            returned.paged = Some((content, untrusted));
        }
    }

    /// Ends the call; it reports nothing after that.
    pub(super) fn finish(&self) {
        if !matches!(*self.state.borrow(), CallState::Finished) {
            self.enter(CallState::Finished);
        }
    }

    /// Returns the stored paged form if the hook left the content unchanged.
    pub(super) fn paged_as(&self, content: &Value) -> Option<(Value, bool)> {
        match &*self.state.borrow() {
            CallState::Returned(returned) if returned.output.content == *content => returned.paged.clone(),
            _ => None,
        }
    }
}
