//! A run: from a prompt until the model has finished, the user has stopped it, or an error occurs.
//!
//! The history is valid at any time: an answer is added only when it is complete, and every call in it gets a result,
//! even if that only states that it did not run. [`model_request`](super::model_request) gets an answer,
//! [`calls`](super::calls) runs its calls.

use super::Agent;
use super::answer_reporter::thought;
use super::call_state::Call;
use super::deadline::{Deadline, Pause};
use super::event::EventKind;
use super::options::QueueMode;
use super::repeats::Repeats;
use super::settings::Settings;
use crate::Error;
use crate::messages;
use copydesk_base::ErrorInfo;
use copydesk_base::error::excerpt;
use copydesk_base::host::{AbortSignal, within};
use copydesk_llm::{AssistantMessage, Ending, Message, Usage};
use copydesk_review::Verdict;
use serde::Serialize;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The model has finished.
    Complete,
    /// The user stopped it.
    Aborted,
    /// An error occurred.
    Error,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunResult {
    /// Its outcome.
    pub status: Outcome,
    /// The text of the last answer.
    pub text: String,
    /// Its usage.
    pub usage: Usage,
    /// The error: `{code, message, details}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Value>,
}

/// A run under way.
pub(super) struct Run<'a> {
    pub(super) agent: &'a Agent,
    pub(super) settings: RefCell<Settings>,
    /// True if the model has given an answer in this run.
    pub(super) has_answered: Cell<bool>,
    /// The number of rounds of tool calls in this run. A run that is continued begins after one.
    pub(super) rounds: Cell<usize>,
    pub(super) signal: &'a AbortSignal,
    deadline: Deadline,
    usage: Cell<Usage>,
    /// True if listeners were told that the model is thinking.
    pub(super) thinking: Cell<bool>,
    pub(super) repeats: RefCell<Repeats>,
    /// True if the model was told that a call that it wrote as text did not run.
    pub(super) told_text_calls: Cell<bool>,
}

/// The start of a run.
pub(super) enum Start {
    /// Adds these messages first.
    Prompt(Vec<Message>),
    /// Continues the conversation as it is.
    Continue,
}

/// Runs to the end. The caller reports the returned event after it has released the agent.
pub(super) async fn run(agent: &Agent, start: Start, signal: &AbortSignal) -> (RunResult, EventKind) {
    agent.0.document.synced().await;
    let settings = Settings::of(agent);
    let now = agent.0.clock.now();
    let run = Run {
        agent,
        deadline: Deadline::new(agent.0.clock.clone(), settings.options.run_timeout),
        settings: RefCell::new(settings),
        has_answered: Cell::default(),
        rounds: Cell::new(usize::from(matches!(start, Start::Continue))),
        signal,
        usage: Cell::default(),
        thinking: Cell::default(),
        repeats: RefCell::default(),
        told_text_calls: Cell::default(),
    };
    *agent.0.error.borrow_mut() = None;
    agent.emit(EventKind::AgentStart);
    run.remember_urls();
    let resumes = matches!(start, Start::Continue);
    if let Start::Prompt(messages) = start {
        // Decisions made before the prompt come before it. A continued run resumes its calls first.
        run.add_decisions().await;
        messages.into_iter().for_each(|message| agent.push(message));
        run.add_scope();
    }
    let turns = Cell::new(0);
    let ended = run.turns(resumes, &turns).await;
    let (status, code) = match &ended {
        Ok(_) => ("complete", None),
        // A stop by the user is not a failure.
        Err(Error::Base(copydesk_base::Error::Aborted)) => ("aborted", None),
        Err(error) => ("failed", Some(error.code())),
    };
    agent.0.log.run_finished(status, turns.get(), agent.0.clock.now() - now, code);
    let usage = run.usage.get();
    let mut total = agent.0.usage.get();
    total.add(&usage);
    agent.0.usage.set(total);
    let result = |status, text, error| RunResult { status, text, usage, error };
    match ended {
        Ok(text) => (result(Outcome::Complete, text, None), EventKind::Complete { usage }),
        Err(Error::Base(copydesk_base::Error::Aborted)) => {
            (result(Outcome::Aborted, String::new(), None), EventKind::Aborted)
        }
        Err(error) => {
            let message = error.message(run.options().locale);
            *agent.0.error.borrow_mut() = Some(message.clone());
            let last = EventKind::Error { error: message, code: error.code(), details: error.details() };
            (result(Outcome::Error, String::new(), Some(run.describe(&error))), last)
        }
    }
}

impl Run<'_> {
    /// Runs turns until an answer calls nothing and no message is queued. Returns the text of the last answer.
    async fn turns(&self, resumes: bool, count: &Cell<usize>) -> Result<String, Error> {
        self.signal.guard(self.update_settings()).await?;
        self.check_settings()?;
        if resumes {
            self.resume().await?;
        }
        let state = &self.agent.0;
        let heard = self.take_queued(&state.steering, self.options().steering_mode);
        if resumes && !heard && !self.agent.awaits_answer() {
            self.take_queued(&state.follow_up, self.options().follow_up_mode);
        }
        while count.get() < self.options().max_turns {
            self.add_decisions().await;
            let turn = self.begin_turn();
            count.set(count.get() + 1);
            let asked = self.signal.guard(self.request_answer()).await;
            thought(self.agent, &self.thinking);
            let answer = asked?;
            self.has_answered.set(true);
            let usage = answer.usage.unwrap_or_default();
            self.spend(&usage);
            self.agent.push(answer.message(&self.options().llm_config.model));
            self.notice(&answer);
            let ended = self.calls(&answer.tool_calls, &turn).await;
            let is_told = self.tell_text_calls(&answer);
            self.rounds.set(self.rounds.get() + usize::from(!answer.tool_calls.is_empty()));
            self.agent.emit(EventKind::TurnEnd { usage });
            ended?;
            let done = answer.tool_calls.is_empty() && answer.ending != Ending::Paused && !is_told;
            let goes_on = self.take_queued(&state.steering, self.options().steering_mode)
                || !done
                || self.take_queued(&state.follow_up, self.options().follow_up_mode);
            if !goes_on {
                return Ok(answer.text());
            }
        }
        Err(Error::TooManyTurns { limit: self.options().max_turns })
    }

    /// Fails if `needsApproval` names an unknown tool: because of a misspelt name a call could run without approval.
    pub(super) fn check_approvals(&self) -> Result<(), Error> {
        let (options, tools) = (self.options(), self.tools());
        // The tools of a server that cannot be reached are not in the list.
        let is_known =
            |name: &str| name == "*" || name.contains("__") || tools.iter().any(|tool| tool.spec.name == name);
        match options.needs_approval.iter().find(|name| !is_known(name)) {
            None => Ok(()),
            Some(name) => {
                let tools: Vec<&str> = tools.iter().map(|tool| &*tool.spec.name).collect();
                let expected = format!("\"*\" or names of tools, not \"{}\": {}", excerpt(name), tools.join(", "));
                Err(copydesk_base::Error::Config { name: "needsApproval".to_owned(), expected }.into())
            }
        }
    }

    /// Adds the usage of an answer.
    pub(super) fn spend(&self, usage: &Usage) {
        let mut total = self.usage.get();
        total.add(usage);
        self.usage.set(total);
    }

    /// Adds usage outside of turns.
    pub(super) fn spend_outside_turns(&self, usage: &Usage) {
        self.spend(usage);
        self.agent.0.ledger.borrow_mut().add_usage(usage, self.options().llm_config.model.cost.as_ref());
    }

    fn begin_turn(&self) -> String {
        let turn = self.agent.0.document.new_turn();
        self.agent.0.turns.borrow_mut().push(turn.clone());
        self.agent.emit(EventKind::TurnStart { turn_id: turn.clone() });
        turn
    }

    /// Runs the calls of the last answer that have no result, for example after the page was reloaded.
    async fn resume(&self) -> Result<(), Error> {
        let mut calls = self.agent.resumable_calls(|error| self.describe(error), |name| self.is_atomic(name));
        calls.retain_mut(|call| {
            let lifecycle = Call::new(&call.id);
            let update = self.doc_update(call);
            let restored = update.map_or(Ok(()), |update| self.agent.restore(call, &update, &lifecycle.shows));
            let stale = restored.err().map(|error| self.finish(call, Err(error), &lifecycle));
            stale.is_none()
        });
        if calls.is_empty() {
            return Ok(());
        }
        let turn = self.begin_turn();
        let ended = self.calls(&calls, &turn).await;
        self.agent.emit(EventKind::TurnEnd { usage: Usage::default() });
        ended
    }

    /// Moves messages from a queue into the conversation. Returns whether there were any.
    fn take_queued(&self, queue: &RefCell<Vec<Message>>, mode: QueueMode) -> bool {
        let most = if mode == QueueMode::All { usize::MAX } else { 1 };
        let taken: Vec<Message> = {
            let mut queue = queue.borrow_mut();
            let count = queue.len().min(most);
            queue.drain(..count).collect()
        };
        for message in &taken {
            self.agent.push(message.clone());
            self.agent.emit(EventKind::Message { message: message.clone().into() });
        }
        !taken.is_empty()
    }

    /// Tells the model the user's decisions about its proposals.
    async fn add_decisions(&self) {
        let turns = self.agent.0.turns.borrow().clone();
        let verdicts = self.agent.0.document.decided(&turns).await;
        if !verdicts.is_empty() {
            let messages = self.agent.messages();
            let tool = |id: &str| messages.iter().rev().find_map(|message| message.called(id).map(str::to_owned));
            let said = Verdict::in_words(&verdicts, tool, self.options().locale);
            // Not the user's own words, so URLs in it do not become known.
            self.agent.push(Message::Note { content: said });
        }
    }

    /// Adds a note for the model about the scope of the run.
    fn add_scope(&self) {
        let Some(scope) = self.agent.scope() else { return };
        // If the document cannot be read, the first call fails with the reason.
        if let Ok(document) = self.agent.0.document.document() {
            let said = scope.describe(&document, self.options().locale);
            let said = messages::ScopeNote { allowed: &said }.text(self.options().locale);
            // Not the user's own words, so URLs in it do not become known.
            self.agent.push(Message::Note { content: said });
        }
    }

    /// Returns the milliseconds that the run has left. Waiting for the user does not count.
    pub(super) fn left(&self) -> f64 {
        self.deadline.left()
    }

    /// Fails with [`Error::RunTimeout`] if the run's time is over.
    pub(super) fn check_time(&self) -> Result<(), Error> {
        self.check_time_after("")
    }

    /// Fails with [`Error::RunTimeout`] if the run's time ended while it waited for `what`.
    fn check_time_after(&self, what: &str) -> Result<(), Error> {
        if self.left() > 0.0 {
            return Ok(());
        }
        Err(Error::RunTimeout { what: what.to_owned(), ms: self.options().run_timeout })
    }

    /// Waits for a result, at most `ms` milliseconds and until the run's time is over. Fails with
    /// [`copydesk_base::Error::Timeout`] or [`Error::RunTimeout`]; `what` is the name of what is waited for.
    pub(super) async fn within<T, E: Into<Error>>(
        &self,
        ms: u64,
        what: &str,
        future: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Error> {
        self.check_time()?;
        let clock = self.agent.0.clock.as_ref();
        let mut future = pin!(future);
        let (began, mut waited) = (clock.now(), 0);
        loop {
            let (own, left) = (ms.saturating_sub(waited), self.left().ceil() as u64);
            let result = async { Ok::<_, copydesk_base::Error>(future.as_mut().await) };
            match within(clock, own.min(left), what, result).await {
                Ok(result) => return result.map_err(Into::into),
                Err(_) if own <= left => return Err(copydesk_base::Error::Timeout { what: what.to_owned(), ms }.into()),
                // Another call may have paused the run's time meanwhile.
                Err(_) => self.check_time_after(what)?,
            }
            waited = (clock.now() - began) as u64;
        }
    }

    /// Pauses the run's deadline until the returned value is dropped.
    pub(super) fn pause(&self) -> Pause<'_> {
        self.deadline.pause()
    }

    /// Collects the URLs of the conversation so far, unless they are known: the user may refer to an image of an
    /// earlier run.
    fn remember_urls(&self) {
        let state = &self.agent.0;
        if state.provenance.borrow().is_none() {
            let tools = self.tools();
            let fields =
                |name: &str| tools.iter().find(|tool| tool.spec.name == name).map_or(&[][..], |tool| &tool.url_fields);
            let known = crate::context::provenance::of_messages(&state.messages.borrow(), fields);
            state.provenance.replace(Some(Rc::new(known)));
        }
    }

    pub(super) fn describe(&self, error: &Error) -> Value {
        let message = error.message(self.options().locale);
        json!({ "code": error.code(), "message": message, "details": error.details() })
    }

    /// Reports an answer that ended early or is empty.
    fn notice(&self, answer: &AssistantMessage) {
        let locale = self.options().locale;
        let (code, message) = if answer.ending == Ending::Length {
            ("length", messages::LENGTH_LIMIT.text(locale))
        } else if answer.lacks_call() {
            ("call_missing", messages::CALL_MISSING_AGAIN.text(locale))
        } else if !answer.text_calls.is_empty() {
            return;
        } else if answer.text().is_empty() && answer.refusal().is_empty() && answer.tool_calls.is_empty() {
            ("empty_answer", messages::EMPTY_ANSWER.text(locale))
        } else {
            return;
        };
        self.agent.emit(EventKind::Notice { code: code.into(), message: message.to_owned() });
    }
}
