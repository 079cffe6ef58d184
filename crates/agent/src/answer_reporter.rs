//! Events of an answer that is still arriving.

use super::arguments_text::ArgumentsText;
use super::event::ArrivingArguments;
use super::options::ToolArgsForm;
use super::state::PartialCall;
use super::{Agent, EventKind};
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_llm::{AssistantPart, Delta, Message};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};
use std::cell::Cell;

/// A call as it was reported to listeners.
struct ReportedCall {
    id: String,
    name: String,
    arguments: ArgumentsText,
}

/// Reports the deltas of an answer as events.
pub(super) struct AnswerReporter<'a> {
    agent: &'a Agent,
    thinking: &'a Cell<bool>,
    locale: Locale,
    /// The thinking so far.
    thoughts: String,
    /// The form of arguments in events.
    form: ToolArgsForm,
    /// The calls so far.
    calls: FxHashMap<usize, ReportedCall>,
    /// Called when the answer begins.
    begins: Option<Box<dyn FnOnce() + 'a>>,
}

impl<'a> AnswerReporter<'a> {
    /// Creates a reporter. `begins` is called once, before anything of the answer is reported.
    pub(super) fn new(
        agent: &'a Agent,
        thinking: &'a Cell<bool>,
        locale: Locale,
        form: ToolArgsForm,
        begins: impl FnOnce() + 'a,
    ) -> AnswerReporter<'a> {
        *agent.0.streaming.borrow_mut() = Some(String::new());
        agent.0.partial_calls.take();
        let (thoughts, calls) = Default::default();
        AnswerReporter { agent, thinking, locale, thoughts, form, calls, begins: Some(Box::new(begins)) }
    }

    /// Notes that the answer has begun. Further calls have no effect.
    pub(super) fn begins(&mut self) {
        if let Some(begins) = self.begins.take() {
            begins();
        }
    }

    pub(super) fn delta(&mut self, delta: Delta) {
        self.begins();
        match delta {
            Delta::Thinking(content) => {
                self.thoughts.push_str(&content);
                self.thinks(content);
            }
            Delta::TextWasThinking => self.take_text_back(),
            Delta::Text(content) | Delta::Refusal(content) => {
                self.thought();
                if let Some(text) = self.agent.0.streaming.borrow_mut().as_mut() {
                    text.push_str(&content);
                }
                self.agent.emit(EventKind::Content { content });
            }
            Delta::ToolCallStart { call, id, name } => {
                self.thought();
                let id = self.unique(id);
                let arguments = ArgumentsText::default();
                self.calls.insert(call, ReportedCall { id: id.clone(), name: name.clone(), arguments });
                let (tool_id, tool_name) = (id.clone(), name.clone());
                let started = PartialCall { tool_id, tool_name, arguments: Map::new() };
                self.agent.0.partial_calls.borrow_mut().push(started);
                let arguments = self.nothing();
                self.agent.emit(EventKind::ToolArgs { tool_id: id, tool_name: name, arguments });
            }
            Delta::ToolCallArguments { call, partial } => self.arguments(call, partial),
        }
    }

    fn arguments(&mut self, call: usize, partial: Map<String, Value>) {
        let Some(reported) = self.calls.get_mut(&call) else { return };
        let (tool_id, tool_name) = (reported.id.clone(), reported.name.clone());
        let arguments = match self.form {
            ToolArgsForm::Delta => reported.arguments.grown(&partial),
            ToolArgsForm::Partial => Some(ArrivingArguments::Partial { partial: partial.clone() }),
        };
        if let Some(known) = self.agent.0.partial_calls.borrow_mut().iter_mut().find(|known| known.tool_id == tool_id) {
            known.arguments = partial;
        }
        if let Some(arguments) = arguments {
            self.agent.emit(EventKind::ToolArgs { tool_id, tool_name, arguments });
        }
    }

    fn thinks(&self, content: String) {
        if !self.thinking.replace(true) {
            self.agent.emit(EventKind::ThinkingStart);
        }
        self.agent.emit(EventKind::Thinking { content });
    }

    /// Reports the text so far again, as thinking. A `retry` invalidates what was reported.
    fn take_text_back(&mut self) {
        let text = self.agent.0.streaming.borrow_mut().as_mut().map(std::mem::take).unwrap_or_default();
        self.thoughts.push_str(text.trim());
        if text.is_empty() {
            return;
        }
        self.thought();
        let message = messages::TEXT_IS_THINKING.text(self.locale);
        let (reason, message) = ("text_was_thinking", message.to_owned());
        self.agent.emit(EventKind::Retry { attempt: 0, delay_ms: 0, reason, message });
        if !self.thoughts.is_empty() {
            self.thinks(self.thoughts.clone());
        }
        // In the order in which they have begun.
        let mut started: Vec<usize> = self.calls.keys().copied().collect();
        started.sort_unstable();
        started.into_iter().for_each(|call| self.report_again(call));
    }

    /// Reports a call with the arguments that have arrived. Its earlier events are void.
    fn report_again(&mut self, call: usize) {
        let nothing = self.nothing();
        let Some(reported) = self.calls.get_mut(&call) else { return };
        reported.arguments = ArgumentsText::default();
        let (tool_id, tool_name) = (reported.id.clone(), reported.name.clone());
        let calls = self.agent.0.partial_calls.borrow();
        let known = calls.iter().find(|known| known.tool_id == tool_id).map(|known| known.arguments.clone());
        drop(calls);
        let arguments = match known.filter(|arguments| !arguments.is_empty()) {
            None => nothing,
            Some(partial) if self.form == ToolArgsForm::Partial => ArrivingArguments::Partial { partial },
            Some(partial) => reported.arguments.grown(&partial).unwrap_or(nothing),
        };
        self.agent.emit(EventKind::ToolArgs { tool_id, tool_name, arguments });
    }

    /// Returns the arguments of a call before any have arrived.
    fn nothing(&self) -> ArrivingArguments {
        match self.form {
            ToolArgsForm::Delta => ArrivingArguments::Delta { delta: String::new(), restart: false },
            ToolArgsForm::Partial => ArrivingArguments::Partial { partial: Map::new() },
        }
    }

    /// Reports the end of thinking, if the model was thinking.
    pub(super) fn thought(&mut self) {
        thought(self.agent, self.thinking);
    }

    /// Returns the id under which a call was reported.
    pub(super) fn id_of(&self, call: usize, id: &str) -> String {
        self.calls.get(&call).map_or_else(|| self.unique(id.to_owned()), |call| call.id.clone())
    }

    /// Returns an id that is unique in the conversation. Some servers number the calls of each answer from the start,
    /// or give no ids.
    fn unique(&self, id: String) -> String {
        let messages = self.agent.0.messages.borrow();
        let known = |id: &str| {
            messages.iter().any(|message| names(message, id)) || self.calls.values().any(|call| call.id == id)
        };
        let numbered = (2..).map(|number| format!("{id}_{number}"));
        std::iter::once(id.clone()).chain(numbered).find(|id| !known(id)).unwrap_or(id)
    }
}

/// Reports the end of thinking, if the model was thinking. Also for answers whose reporter was dropped by a stop.
pub(super) fn thought(agent: &Agent, thinking: &Cell<bool>) {
    if thinking.take() {
        agent.emit(EventKind::ThinkingEnd);
    }
}

/// Returns whether a message belongs to the call with this id. Calls without a result count: a decision about such a
/// call does not apply to the next one.
fn names(message: &Message, id: &str) -> bool {
    match message {
        Message::ToolResult { tool_call_id, .. } | Message::Approval { tool_call_id, .. } => tool_call_id == id,
        Message::Assistant { content, .. } => {
            content.iter().any(|part| matches!(part, AssistantPart::ToolCall { id: called, .. } if called == id))
        }
        _ => false,
    }
}

// Also runs if the run is dropped or stopped in the middle of an answer.
impl Drop for AnswerReporter<'_> {
    fn drop(&mut self) {
        *self.agent.0.streaming.borrow_mut() = None;
    }
}
