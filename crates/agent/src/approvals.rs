//! The user's decisions about calls that need approval.

use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::future::poll_fn;
use std::task::{Poll, Waker};

/// The user's decision about a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ApprovalResponse {
    /// True if the call may run.
    pub approved: bool,
    /// The user's reason; may be empty.
    pub reason: String,
}

/// Decisions that no call has taken yet, and the tasks that wait for one.
#[derive(Default)]
pub struct Approvals(RefCell<ApprovalState>);

#[derive(Default)]
struct ApprovalState {
    verdicts: FxHashMap<String, ApprovalResponse>,
    waiting: Vec<Waker>,
}

impl Approvals {
    /// Stores the decision about a call. It may come before the call asks, as after a reload.
    pub fn decide(&self, tool_id: &str, verdict: ApprovalResponse) {
        let waiting = {
            let mut state = self.0.borrow_mut();
            state.verdicts.insert(tool_id.to_owned(), verdict);
            std::mem::take(&mut state.waiting)
        };
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Waits for the decision about a call and takes it.
    pub async fn verdict(&self, tool_id: &str) -> ApprovalResponse {
        poll_fn(|cx| {
            let mut state = self.0.borrow_mut();
            if let Some(verdict) = state.verdicts.remove(tool_id) {
                return Poll::Ready(verdict);
            }
            if !state.waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
                state.waiting.push(cx.waker().clone());
            }
            Poll::Pending
        })
        .await
    }

    /// Removes all decisions.
    pub fn clear(&self) {
        self.0.take();
    }
}
