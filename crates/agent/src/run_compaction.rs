//! Room in the model's window: the conversation is shortened before it is too long to be sent.

use super::ask::Failure;
use super::context::compaction::is_urgent;
use super::context::{Cut, Plan, apply, digest, plan, summary_request};
use super::event::EventKind;
use super::hooks::{self, Hook};
use super::prompt::system_prompt;
use super::repeats::Repeats;
use super::run::Run;
use crate::Error;
use copydesk_base::ErrorInfo;
use copydesk_llm::tokens::{Estimate, estimate};
use copydesk_llm::windows::context_window;
use copydesk_llm::{self as llm, LlmConfig, Message, ToolSpec};

impl Run<'_> {
    /// How many tokens the model takes.
    pub(super) fn window(&self) -> usize {
        let model = &self.options.llm_config.model;
        context_window(&model.model_id, model.context_window)
    }

    /// Puts a summary in the place of the oldest messages where the conversation fills the window; whether it did.
    /// `too_long` says that the model has refused it already, whatever the estimate is.
    pub(super) async fn make_room(&self, too_long: bool) -> Result<bool, Error> {
        let messages = self.agent.messages();
        let estimated = self.estimate(&messages);
        let window = if too_long { self.window().min(estimated.used) } else { self.window() };
        // What even has to stay may still be less than was estimated: whoever counts exactly shall say so.
        let Plan::Cut(cut) = plan(&messages, &estimated, window) else { return Ok(false) };
        let began = self.agent.0.clock.now();
        let urgent = too_long || is_urgent(&estimated, window);
        let Some(summary) = self.summary(&messages, &cut, urgent).await? else { return Ok(false) };
        let shorter = apply(&messages, &cut, &summary, &self.agent.provenance());
        let (before, after) = (estimated.used, self.estimate_since(&shorter, shorter.len()).used);
        let state = &self.agent.0;
        state.since.set(shorter.len());
        *state.messages.borrow_mut() = shorter;
        // What the model has forgotten it may ask for again.
        self.repeats.replace(Repeats::default());
        self.agent.keep_results();
        state.log.compacted(before, after, state.clock.now() - began);
        self.agent.emit(EventKind::Compaction { before, after });
        // Who hears it may have stopped the run, and let go of the hooks: nothing is sent without them.
        if self.signal.is_aborted() { Err(copydesk_base::Error::Aborted.into()) } else { Ok(true) }
    }

    /// What stood in the messages that go: in the model's words, or else as a plain list. None where that can wait for
    /// the next turn. The list says much less, so it is not made of what the next request would fail of as well.
    async fn summary(&self, messages: &[Message], cut: &Cut, urgent: bool) -> Result<Option<String>, Error> {
        let old = &messages[..cut.at];
        let mut attempt = 0;
        let asked = loop {
            match self.ask_for_summary(old).await {
                Err(failure) if urgent => match self.wait_to_retry(&mut attempt, failure).await {
                    Ok(()) => {}
                    Err(error) => break Err(error),
                },
                asked => break asked.map_err(|failure| failure.error),
            }
        };
        match asked {
            Ok(text) if !text.trim().is_empty() => Ok(Some(text)),
            Err(error) if !urgent && error.is_retryable() => Ok(None),
            Err(
                error @ (Error::Base(copydesk_base::Error::Aborted)
                | Error::Base(copydesk_base::Error::Offline)
                | Error::Base(copydesk_base::Error::Blocked { .. })
                | Error::Llm(copydesk_llm::Error::Unauthorized { .. })
                | Error::Llm(copydesk_llm::Error::QuotaExceeded { .. })
                | Error::Llm(copydesk_llm::Error::ModelNotFound { .. })
                | Error::Llm(copydesk_llm::Error::NotFound { .. })
                | Error::HookFailed { .. }
                | Error::Base(copydesk_base::Error::Config { .. })),
            ) => Err(error),
            _ => Ok(Some(digest(old, self.options.locale))),
        }
    }

    async fn ask_for_summary(&self, old: &[Message]) -> Result<String, Failure> {
        let config: LlmConfig = self.config().await?;
        // What the app keeps from the model it keeps from it here as well.
        let old = hooks::messages(self.agent.0.hooks.as_ref(), old.to_vec());
        let old = self.in_run(Hook::TransformContext.name(), old).await?;
        let asked = summary_request(&old, self.window(), self.options.locale);
        let request = llm::request(&config, &asked.system, &asked.messages, &[])?;
        let answer = self.exchange(request, &config, None).await?;
        self.spend_beside(&answer.usage.unwrap_or_default());
        Ok(answer.text())
    }

    fn estimate(&self, messages: &[Message]) -> Estimate {
        self.estimate_since(messages, self.agent.0.since.get())
    }

    fn estimate_since(&self, messages: &[Message], since: usize) -> Estimate {
        let system = system_prompt(self.options.system_prompt.as_deref(), self.options.locale);
        estimate(&system, &self.specs(), messages, since)
    }

    pub(super) fn specs(&self) -> Vec<ToolSpec> {
        self.tools.iter().map(|tool| tool.spec.clone()).collect()
    }
}
