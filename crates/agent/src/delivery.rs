//! Which results the model was really sent, and what it was shown of the document in them.

use super::run::Run;
use crate::tools::Shows;
use copydesk_llm::history::result_sent;
use copydesk_llm::{Message, ToolCall};

/// A result that shows something of the document and was not sent yet.
pub(super) struct Undelivered {
    call: String,
    shows: Shows,
}

impl Run<'_> {
    /// Notes what the result of a call shows, for when it is sent.
    pub(super) fn deliver(&self, call: &ToolCall, shows: Option<Shows>) {
        let mut waiting = self.agent.0.undelivered.borrow_mut();
        waiting.retain(|one| one.call != call.id);
        waiting.extend(shows.map(|shows| Undelivered { call: call.id.clone(), shows }));
    }

    /// The model begins to answer a request with these messages, as the app's hooks left them: what their results
    /// contain was shown. What is dropped from the conversation later stays shown. What was never in a request that was
    /// answered, because the run was stopped or the app kept it back, was not.
    pub(super) fn delivered(&self, messages: &[Message]) {
        let state = &self.agent.0;
        let (mut shown, mut pages) = (state.shown.borrow_mut(), state.pages.borrow_mut());
        let conversation = state.messages.borrow();
        state.undelivered.borrow_mut().retain(|Undelivered { call, shows }| {
            let Some(content) = result_sent(call, messages) else {
                // The app may send it yet, as long as it is there.
                return result_sent(call, &conversation).is_some();
            };
            shows.evidence.search(content, &mut |text| pages.send(&shows.pieces, text));
            shown.show(&shows.evidence);
            false
        });
        shown.answers();
    }
}
