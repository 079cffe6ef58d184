//! Calls that wait for the person's yes.

use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::future::poll_fn;
use std::task::{Poll, Waker};

/// What the person said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// True if the call may run.
    pub approved: bool,
    /// Why, in their own words; may be empty.
    pub reason: String,
}

/// What was said about calls, and who waits for it.
#[derive(Default)]
pub struct Approvals(RefCell<State>);

#[derive(Default)]
struct State {
    verdicts: FxHashMap<String, Verdict>,
    waiting: Vec<Waker>,
}

impl Approvals {
    /// Says whether a call may run; also before the run asks, as after a reload.
    pub fn decide(&self, tool_id: &str, verdict: Verdict) {
        let waiting = {
            let mut state = self.0.borrow_mut();
            state.verdicts.insert(tool_id.to_owned(), verdict);
            std::mem::take(&mut state.waiting)
        };
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Waits until somebody has said whether a call may run.
    pub async fn verdict(&self, tool_id: &str) -> Verdict {
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

    /// Forgets everything.
    pub fn clear(&self) {
        self.0.take();
    }
}
