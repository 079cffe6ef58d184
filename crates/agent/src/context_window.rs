//! The known size of the context window: the stated size, or less if the model has refused a smaller request.
//!
//! All sizes that follow from it are defined here. A request that is refused as too long lowers them, so that the
//! next one is smaller: the document is shown as an excerpt, results are shorter, older messages are summarized.

use super::event::EventKind;
use super::listing::Listing;
use super::run::Run;
use super::state::Overflow;
use crate::Error;
use crate::messages;
use crate::tools::paging::Budget;
use copydesk_llm::Message;
use copydesk_llm::tokens::{estimate_message, estimate_text};
use copydesk_llm::windows::context_window;

/// The divisor for the part of the context window that a document message may take, unless the app states a size.
const DOCUMENT_SHARE: usize = 10;
/// The most of a refused request's messages that the next one may have, in percent.
const SMALLER_PERCENT: usize = 95;

/// The estimated tokens that a request may have, in percent of the window: estimates may be wrong by so much.
const LARGEST_PERCENT: u64 = 110;

impl Run<'_> {
    /// Returns the size of the model's context window, in tokens: the stated one, or less if a request was refused.
    pub(super) fn window(&self) -> usize {
        let refused = self.overflow().map_or(usize::MAX, |overflow| overflow.tokens);
        self.stated_window().min(refused)
    }

    /// Returns the size of the context window that is stated for the model, in tokens.
    fn stated_window(&self) -> usize {
        let model = &self.options().llm_config.model;
        context_window(&model.model_id, model.context_window)
    }

    /// Fails with [`Error::WindowTooSmall`] if the smallest request exceeds the stated window by more than the error of
    /// the estimate: the system prompt, the tools, the user's request and an excerpt of the document. Servers that cut
    /// such a request silently answer without having seen the beginning of it.
    pub(super) fn check_window(&self) -> Result<(), Error> {
        let messages = self.agent.messages();
        let request =
            messages.iter().rfind(|message| matches!(message, Message::User { .. })).map(|message| match message {
                // The size of images is a rough estimate.
                Message::User { content } => estimate_text(&content.text),
                _ => 0,
            });
        let window = self.stated_window();
        let document =
            messages.iter().rfind(|message| matches!(message, Message::Document { .. })).map(estimate_message);
        let excerpt = document.unwrap_or_default().min(window / DOCUMENT_SHARE);
        let tokens = self.estimate(&messages).fixed + request.unwrap_or_default() + excerpt;
        if tokens as u64 * 100 <= window as u64 * LARGEST_PERCENT {
            return Ok(());
        }
        Err(Error::WindowTooSmall { tokens, window, model: self.options().llm_config.model.model_id.clone() })
    }

    /// Returns the most tokens of a message that shows the document.
    pub(super) fn document_budget(&self) -> usize {
        let configured = self.options().document_tokens.unwrap_or(self.window() / DOCUMENT_SHARE);
        self.overflow().map_or(configured, |overflow| configured.min(overflow.message_tokens / DOCUMENT_SHARE))
    }

    /// Returns the longest result that is shown at once.
    pub(super) fn result_budget(&self) -> Budget {
        Budget::of_window(self.options().result_bytes, self.window())
    }

    /// Makes the conversation smaller after the model has refused it as too long. Returns false if it could not be made
    /// smaller.
    pub(super) async fn shrink(&self) -> Result<bool, Error> {
        let refused = self.message_tokens();
        self.refused(refused);
        let was_whole = self.shows_whole_document();
        self.show_document_again();
        self.compact().await?;
        self.show_document();
        if was_whole && !self.shows_whole_document() {
            let message = messages::DOCUMENT_EXCERPT.text(self.options().locale).to_owned();
            self.agent.emit(EventKind::Notice { code: "document_excerpt".into(), message });
        }
        Ok(self.message_tokens() as u64 * 100 <= refused as u64 * SMALLER_PERCENT as u64)
    }

    fn refused(&self, message_tokens: usize) {
        let estimated = self.estimate(&self.agent.messages());
        let tokens = estimated.used.min(estimated.fixed + message_tokens);
        let least = self.overflow().map_or(usize::MAX, |overflow| overflow.tokens);
        if tokens < least {
            let config = &self.options().llm_config;
            let (model, base_url) = (config.model.model_id.clone(), config.stream_options.base_url.clone());
            self.agent.0.overflow.replace(Some(Overflow { model, base_url, tokens, message_tokens }));
        }
    }

    /// Returns the overflow of the current model; `None` if there was none.
    fn overflow(&self) -> Option<Overflow> {
        let config = &self.options().llm_config;
        let is_current = |overflow: &Overflow| {
            overflow.model == config.model.model_id && overflow.base_url == config.stream_options.base_url
        };
        self.agent.0.overflow.borrow().clone().filter(is_current)
    }

    /// Returns the estimated tokens of the messages, without the counts of a provider.
    fn message_tokens(&self) -> usize {
        let messages = self.agent.messages();
        let estimated = self.estimate_since(&messages, messages.len());
        estimated.used - estimated.fixed
    }

    fn shows_whole_document(&self) -> bool {
        self.agent.0.listing.borrow().as_ref().is_some_and(Listing::is_whole)
    }

    /// Replaces the messages that show the document with one that the budget allows.
    fn show_document_again(&self) {
        let state = &self.agent.0;
        let is_other = |message: &Message| !matches!(message, Message::Document { .. });
        let (count, others) = {
            let messages = state.messages.borrow();
            (messages.len(), messages.iter().filter(|message| is_other(message)).cloned().collect::<Vec<_>>())
        };
        if others.len() < count {
            // Counts in earlier answers apply to removed messages.
            state.since.set(others.len());
            *state.messages.borrow_mut() = others;
            self.show_document();
        }
    }
}
