//! Tracks the parts of the document that the model was sent, in results and in document messages.

use super::listing::{Listing, ListingInput};
use super::run::Run;
use super::state::{Carrier, Undelivered};
use crate::tools::ResultEvidence;
use copydesk_document::Document;
use copydesk_llm::history::result_sent;
use copydesk_llm::{Message, ToolCall};
use serde_json::Value;
use std::ops::Range;

impl Carrier {
    /// Returns the part that these messages have of it; `None` if it is not in them.
    fn sent<'m>(&'m self, messages: &'m [Message]) -> Option<&'m Value> {
        match self {
            Carrier::Result { call } => result_sent(call, messages),
            Carrier::Document { content } => {
                let is_it =
                    |message: &Message| matches!(message, Message::Document { content: sent, .. } if content == sent);
                messages.iter().any(is_it).then_some(content)
            }
        }
    }
}

impl Run<'_> {
    /// Stores the parts of the document that the result of a call shows, until the result is sent.
    pub(super) fn deliver(&self, call: &ToolCall, shows: Option<ResultEvidence>) {
        let mut waiting = self.agent.0.undelivered.borrow_mut();
        let carrier = Carrier::Result { call: call.id.clone() };
        waiting.retain(|one| one.carrier != carrier);
        waiting.extend(shows.map(|shows| Undelivered { carrier, shows }));
    }

    /// Adds a document message to the conversation if the model does not know the current document and selection: after
    /// a message of the user, and after results if somebody else has changed the document meanwhile. The results of the
    /// model's own edits contain those edits.
    pub(super) fn show_document(&self) {
        let state = &self.agent.0;
        let is_said = |message: &&Message| {
            !matches!(
                message,
                Message::Custom(_) | Message::Approval { .. } | Message::Document { .. } | Message::Note { .. }
            )
        };
        let after_user = match state.messages.borrow().iter().rfind(is_said) {
            Some(Message::User { .. } | Message::Summary { .. }) => true,
            Some(Message::ToolResult { .. }) => false,
            _ => return,
        };
        if !self.options().document_in_prompt {
            return;
        }
        // A document that cannot be read is an error of the calls that need it.
        let Ok(now) = state.document.document() else { return };
        let last = state.listing.borrow().clone();
        let listing = last.as_ref().filter(|listing| {
            let is_base =
                |message: &Message| matches!(message, Message::Document { content, .. } if listing.is_in(content));
            state.messages.borrow().iter().any(is_base)
        });
        let selection = match &last {
            _ if after_user => self.selection(&now),
            // The message with the selection was removed. Nobody referred to what the user has selected since.
            Some(last) if listing.is_none() => last.selection(&now),
            _ => None,
        };
        let options = self.options();
        let view = ListingInput {
            now: &now,
            path: options.document_path.as_deref(),
            listing,
            known: last.as_ref().and_then(Listing::known),
            selection,
            since_listed: after_user,
            budget: self.document_budget(),
            locale: self.options().locale,
        };
        let evidence = || state.shown.borrow_mut().evidence(&now);
        let Ok(Some(shown)) = view.show(&evidence) else { return };
        state.listing.replace(Some(shown.listing));
        let carrier = Carrier::Document { content: shown.content.as_str().into() };
        state.undelivered.borrow_mut().push(Undelivered { carrier, shows: shown.evidence.into() });
        self.agent.push(Message::Document { content: shown.content, version: now.version() });
    }

    /// Returns the range to which the user's words refer: the scope of the run, or else the selection.
    fn selection(&self, now: &Document) -> Option<Range<usize>> {
        let scope = self.agent.scope().map(|scope| scope.range(now));
        scope.or_else(|| self.agent.0.document.selection())
    }

    /// Marks the content of the results among these messages as shown. Called when the model begins to answer the
    /// request with these messages, which the app's hooks may have changed. Content stays shown if it is dropped from
    /// the conversation later. Content of a request that was never answered, or that the app held back, is not shown.
    pub(super) fn delivered(&self, messages: &[Message]) {
        let state = &self.agent.0;
        let (mut shown, mut pages) = (state.shown.borrow_mut(), state.pages.borrow_mut());
        let conversation = state.messages.borrow();
        state.undelivered.borrow_mut().retain(|Undelivered { carrier, shows }| {
            let Some(content) = carrier.sent(messages) else {
                // The app may still send a message that is in the conversation.
                return carrier.sent(&conversation).is_some();
            };
            shows.evidence.search(content, &mut |text| pages.send(&shows.ranges, text));
            shown.show(&shows.evidence);
            if let (Carrier::Document { .. }, Some(listing)) = (carrier, &mut *state.listing.borrow_mut()) {
                listing.answered();
            }
            false
        });
        shown.answers();
    }
}
