//! Compaction of the conversation before it is too long for the model.

use super::context::compaction::is_urgent;
use super::context::{Cut, Plan, apply, digest, plan, summary_request};
use super::event::EventKind;
use super::hooks::{self, Hook};
use super::model_request::RequestFailure;
use super::prompt::{SystemPrompt, reminder, system_prompt};
use super::repeats::Repeats;
use super::run::Run;
use crate::Error;
use copydesk_base::ErrorInfo;
use copydesk_llm::tokens::{Estimate, estimate};
use copydesk_llm::{self as llm, LlmConfig, Message, Prompt, ToolSpec};

impl Run<'_> {
    /// Replaces the oldest messages with a summary if the conversation fills the window. Returns whether it did.
    pub(super) async fn compact(&self) -> Result<bool, Error> {
        let messages = self.agent.messages();
        let estimated = self.estimate(&messages);
        let window = self.window();
        // Even a plan that is too large may fit, because sizes are estimates: the model's server decides.
        let Plan::Cut(cut) = plan(&messages, &estimated, window) else { return Ok(false) };
        let began = self.agent.0.clock.now();
        let urgent = is_urgent(&estimated, window);
        let Some(summary) = self.summary(&messages, &cut, urgent).await? else { return Ok(false) };
        let shorter = apply(&messages, &cut, &summary, &self.agent.provenance());
        let (before, after) = (estimated.used, self.estimate_since(&shorter, shorter.len()).used);
        let state = &self.agent.0;
        state.since.set(shorter.len());
        *state.messages.borrow_mut() = shorter;
        // The model may repeat calls whose results were removed.
        self.repeats.replace(Repeats::default());
        self.agent.keep_results();
        state.log.compacted(before, after, state.clock.now() - began);
        self.agent.emit(EventKind::Compaction { before, after });
        // A listener may have stopped the run, which releases the hooks: without them nothing may be sent.
        if self.signal.is_aborted() { Err(copydesk_base::Error::Aborted.into()) } else { Ok(true) }
    }

    /// Returns a summary of the messages that are removed: by the model, or else as a plain list. Returns `None` if
    /// that can wait for the next turn. Errors that the next request would hit as well are returned, because the list
    /// contains much less.
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
            _ => Ok(Some(digest(old, self.options().locale))),
        }
    }

    async fn ask_for_summary(&self, old: &[Message]) -> Result<String, RequestFailure> {
        let config: LlmConfig = self.config().await?;
        // The app's filter of messages applies to summaries as well.
        let old = hooks::messages(self.agent.0.hooks.as_ref(), old.to_vec());
        let old = self.in_run(Hook::TransformContext.name(), old).await?;
        let asked = summary_request(&old, self.window(), self.options().locale);
        let prompt = Prompt { system: &asked.system, messages: &asked.messages, ..Prompt::default() };
        let request = llm::request(&config, prompt)?;
        let answer = self.exchange(request, &config, None).await?;
        self.spend_outside_turns(&answer.usage.unwrap_or_default());
        Ok(answer.text())
    }

    pub(super) fn estimate(&self, messages: &[Message]) -> Estimate {
        self.estimate_since(messages, self.agent.0.since.get())
    }

    pub(super) fn estimate_since(&self, messages: &[Message], since: usize) -> Estimate {
        let system = self.system_prompt();
        estimate(&system, &self.specs(), messages, since)
    }

    /// Returns the system prompt of the next request.
    pub(super) fn system_prompt(&self) -> String {
        let options = self.options();
        system_prompt(&SystemPrompt {
            own: options.system_prompt.as_deref(),
            subjects: &self.agent.subjects(&options),
            shows_document: options.document_in_prompt,
            skills: &self.shown_skills(),
            rules: &options.rules,
            locale: options.locale,
        })
    }

    /// Returns the reminder after the conversation: the rules after a round of tool calls, whatever the user has said
    /// since, or an empty text.
    pub(super) fn reminder(&self, messages: &[Message]) -> String {
        let options = self.options();
        let is_answer = |message: &&Message| matches!(message, Message::Assistant { .. });
        let mut since = messages.iter().rev().take_while(|message| !is_answer(message));
        let follows_calls = since.any(|message| matches!(message, Message::ToolResult { .. }));
        let rounds = self.rounds.get();
        let is_due = rounds > 0 && options.reminder_interval > 0 && rounds.is_multiple_of(options.reminder_interval);
        if follows_calls && is_due { reminder(&options.rules, options.locale) } else { String::new() }
    }

    pub(super) fn specs(&self) -> Vec<ToolSpec> {
        self.tools().iter().map(|tool| tool.spec.clone()).collect()
    }
}
