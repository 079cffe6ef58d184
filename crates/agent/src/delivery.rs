//! Tracks which results the model was sent, and so which parts of the document it has seen.

use super::run::Run;
use crate::tools::ResultEvidence;
use copydesk_llm::history::result_sent;
use copydesk_llm::{Message, ToolCall};

/// A result that shows something of the document and was not sent yet.
pub(super) struct Undelivered {
    call: String,
    shows: ResultEvidence,
}

impl Run<'_> {
    /// Stores the parts of the document that the result of a call shows, until the result is sent.
    pub(super) fn deliver(&self, call: &ToolCall, shows: Option<ResultEvidence>) {
        let mut waiting = self.agent.0.undelivered.borrow_mut();
        waiting.retain(|one| one.call != call.id);
        waiting.extend(shows.map(|shows| Undelivered { call: call.id.clone(), shows }));
    }

    /// Marks as shown what the results among these messages contain. Called when the model begins to answer the
    /// request with these messages, which the app's hooks may have changed. Content stays shown if it is dropped from
    /// the conversation later. Content of a request that was never answered, or that the app held back, is not shown.
    pub(super) fn delivered(&self, messages: &[Message]) {
        let state = &self.agent.0;
        let (mut shown, mut pages) = (state.shown.borrow_mut(), state.pages.borrow_mut());
        let conversation = state.messages.borrow();
        state.undelivered.borrow_mut().retain(|Undelivered { call, shows }| {
            let Some(content) = result_sent(call, messages) else {
                // The app may still send a result that is in the conversation.
                return result_sent(call, &conversation).is_some();
            };
            shows.evidence.search(content, &mut |text| pages.send(&shows.ranges, text));
            shown.show(&shows.evidence);
            false
        });
        shown.answers();
    }
}
