//! Runs the calls of one answer.
//!
//! All start together, but those that touch the document go one after another, in the order of the answer. One that
//! fails does not touch the others. Whatever happens, each call ends with exactly one result: what it gave, why it
//! failed, or, after a stop, whether it did not run or may have run.

use super::approvals::Verdict;
use super::call_state::{Call, CallState, Returned};
use super::event::EventKind;
use super::hooks::{Hook, HookedCall};
use super::repeats::Judgement;
use super::run::Run;
use crate::Error;
use crate::options::ExecutionMode;
use crate::tools::{Shows, Tool, ToolContext, ToolOutput};
use copydesk_base::ErrorInfo;
use copydesk_base::host::{LocalFuture, all, within};
use copydesk_edit::DocUpdate;
use copydesk_edit::Origin;
use copydesk_llm::{Arguments, Decision, Image, Message, ToolCall};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::rc::Rc;

impl Run<'_> {
    /// Runs the calls of an answer; an error where the run is over after them.
    pub(super) async fn calls(&self, calls: &[ToolCall], turn: &str) -> Result<(), Error> {
        let stuck = RefCell::new(None);
        let in_order = |call: &&ToolCall| {
            self.options.tool_execution == ExecutionMode::Sequential
                || self.tool(&call.name).is_none_or(|tool| tool.policy.is_sequential())
        };
        let row = async {
            for call in calls.iter().filter(in_order) {
                self.settle(call, calls, turn, &stuck).await;
            }
        };
        let mut under_way: Vec<LocalFuture<'_, ()>> = vec![Box::pin(row)];
        for call in calls.iter().filter(|call| !in_order(call)) {
            under_way.push(Box::pin(self.settle(call, calls, turn, &stuck)));
        }
        all(under_way).await;
        self.put_results_in_order(calls);
        if self.signal.is_aborted() {
            return Err(copydesk_base::Error::Aborted.into());
        }
        match stuck.take() {
            Some(error) => Err(error),
            None if calls.is_empty() => Ok(()),
            None => Ok(self.remaining(0).map(drop)?),
        }
    }

    /// Runs one of `calls` to its result.
    async fn settle(&self, call: &ToolCall, calls: &[ToolCall], turn: &str, stuck: &RefCell<Option<Error>>) {
        let life = self.agent.begin_call(&call.id);
        let result = match self.signal.guard(self.call(call, calls, turn, &life, stuck)).await {
            Err(Error::Base(copydesk_base::Error::Aborted)) => {
                life.state().interrupted(&call.name, self.is_atomic(&call.name))
            }
            // A call that is refused before it runs can be made for ever as well.
            Err(error) if !matches!(error, Error::RepeatedCall { .. }) => {
                self.repeats.borrow_mut().gave(&call.name, &written(call), self.failed(&error).to_string());
                Err(error)
            }
            result => result,
        };
        self.finish(call, result, &life);
    }

    async fn call(
        &self,
        call: &ToolCall,
        calls: &[ToolCall],
        turn: &str,
        life: &Rc<Call>,
        stuck: &RefCell<Option<Error>>,
    ) -> Result<ToolOutput, Error> {
        let written = written(call);
        let judged = self.repeats.borrow_mut().judge(&call.name, &written, self.options.max_repeats);
        match judged {
            Judgement::Runs => {}
            Judgement::Refused(error) => return Err(error),
            Judgement::Stuck(error) => {
                *stuck.borrow_mut() = Some(error.clone());
                return Err(error);
            }
        }
        let arguments = call.arguments.runnable()?.clone();
        let tool = self.tool(&call.name).ok_or_else(|| Error::UnknownTool {
            name: call.name.clone(),
            valid: self.tools.iter().map(|tool| tool.spec.name.clone()).collect(),
        })?;
        let hooked = HookedCall { id: &call.id, name: &call.name, arguments: &arguments };
        let hooks = self.agent.0.hooks.as_ref();
        life.enter(CallState::AwaitingApp);
        {
            // An app may ask the person here.
            let _paused = self.pause();
            hooked.before(hooks).await?;
        }
        self.approval(call, calls, tool, &arguments, life).await?;

        let (tool_id, tool_name) = (call.id.clone(), call.name.clone());
        life.enter(CallState::Announced);
        self.agent.emit(EventKind::ToolUse { tool_id, tool_name, tool_input: arguments.clone() });
        // Who hears of the call may stop it.
        if self.signal.is_aborted() {
            return Err(copydesk_base::Error::Aborted.into());
        }
        life.enter(CallState::Running);
        let (log, clock) = (&self.agent.0.log, self.agent.0.clock.as_ref());
        let start = clock.now();
        log.tool_started(&call.id, &call.name, turn);
        let limit = tool.policy.timeout.or(self.options.tool_timeout).unwrap_or(u64::MAX);
        let limit = self.remaining(limit)?;
        let running = (tool.run)(Value::Object(arguments.clone()), self.context(call, turn, life));
        let result = within(clock, limit, &call.name, running).await;
        log.tool_finished(&call.id, &call.name, clock.now() - start, result.as_ref().err().map(ErrorInfo::code));
        let output = result.unwrap_or_else(|error| self.unfinished(&error, &call.name));
        if let Some(update) = &output.doc_update {
            // Whoever keeps the conversation on hearing of an edit keeps with it that the edit was made.
            self.put_result(call, output.content.clone(), output.is_error, false, Vec::new());
            self.agent.emit(EventKind::DocUpdate { tool_id: call.id.clone(), update: update.clone() });
        }
        self.repeats.borrow_mut().gave(&call.name, &written, (output.content.to_string(), &output.images));
        life.enter(CallState::Returned(Box::new(Returned { output: output.clone(), paged: None })));
        let after = hooked.after(hooks, output, |output| {
            // Whoever keeps the conversation meanwhile keeps with it that the call has run.
            let ToolOutput { content, images, is_error, .. } = output.clone();
            let (shown, untrusted) = self.paged(call, content, tool.policy.untrusted, &life.shows);
            life.note_paged(shown.clone(), untrusted);
            self.put_result(call, shown, is_error, untrusted, images);
        });
        // What is there at once counts even when the run's time is over.
        let after = within(clock, self.left().ceil() as u64, Hook::AfterToolCall.name(), after).await;
        after.or_else(|error| {
            let output = life.state().interrupted(&call.name, false)?;
            Ok(self.unhooked(output, error))
        })
    }

    /// What a call gave whose hook failed or did not answer: it ran, and must not be made again for want of a result.
    fn unhooked(&self, mut output: ToolOutput, error: Error) -> ToolOutput {
        let locale = self.options.locale;
        let error = match error {
            Error::Base(copydesk_base::Error::Timeout { .. }) => Error::HookFailed {
                hook: Hook::AfterToolCall.name(),
                message: locale.pick("it gave no answer", "没有回应").into(),
            },
            error => error,
        };
        let note = locale.pick("The call has run, and gave this result.", "该调用已经运行，结果如下。");
        output.content = json!({ "error": self.describe(&error), "note": note, "result": output.content });
        output
    }

    /// What a call may use.
    fn context(&self, call: &ToolCall, turn: &str, life: &Rc<Call>) -> ToolContext {
        let state = &self.agent.0;
        let (life, shows) = (life.clone(), life.shows.clone());
        let (agent, tool_id, tool_name) = (Rc::downgrade(&self.agent.0), call.id.clone(), call.name.clone());
        let progress = move |partial| {
            // A tool may go on talking when its call is over.
            if let Some(agent) = agent.upgrade().map(super::Agent)
                && life.is_under_way()
            {
                agent.emit(EventKind::ToolUpdate { tool_id: tool_id.clone(), tool_name: tool_name.clone(), partial });
            }
        };
        ToolContext {
            document: state.document.clone(),
            shown: state.shown.clone(),
            shows,
            fetch: state.fetch.clone(),
            clock: state.clock.clone(),
            services: self.options.services.clone(),
            locale: self.options.locale,
            origin: Origin { turn: Some(turn.to_owned()), tool_id: Some(call.id.clone()), ..Origin::default() },
            provenance: self.agent.provenance(),
            pages: state.pages.clone(),
            budget: self.budget,
            progress: Rc::new(progress),
        }
    }

    /// Waits for the person's yes where a call needs one.
    async fn approval(
        &self,
        call: &ToolCall,
        calls: &[ToolCall],
        tool: &Tool,
        arguments: &Map<String, Value>,
        life: &Call,
    ) -> Result<(), Error> {
        let asks = || tool.needs_approval.as_ref().is_some_and(|needs| needs(arguments));
        match self.agent.decision(&call.id) {
            // Before the page was loaded anew.
            Some(Decision::Approved) => return Ok(()),
            // Who was asked has to answer, whatever the settings are by now.
            Some(Decision::Pending) => {}
            _ if asks() || self.options.asks_before(&call.name) => {}
            _ => return Ok(()),
        }
        life.enter(CallState::AwaitingApproval);
        self.agent.ask_for(call, calls, |call| self.doc_update(call));
        let (tool_id, tool_name) = (call.id.clone(), call.name.clone());
        let Verdict { approved, reason } = {
            // Who hears of it may ask the person at once.
            let _paused = self.pause();
            self.agent.emit(EventKind::ApprovalRequest { tool_id, tool_name, tool_input: arguments.clone() });
            self.agent.0.approvals.verdict(&call.id).await
        };
        self.agent.answered(&call.id, approved, &reason);
        if approved { Ok(()) } else { Err(Error::Rejected { tool: call.name.clone(), reason }) }
    }

    pub(super) fn finish(&self, call: &ToolCall, result: Result<ToolOutput, Error>, life: &Call) {
        // Where the tool gave nothing, these are the words of copydesk, the app or the person, who are no strangers.
        let untrusted = result.is_ok() && self.tool(&call.name).is_some_and(|tool| tool.policy.untrusted);
        let output = result.unwrap_or_else(|error| self.failure(&error));
        let ToolOutput { content, images, details, is_error, .. } = output;
        if let (false, Some(tool), Some(arguments)) = (is_error, self.tool(&call.name), call.arguments.whole()) {
            self.agent.learn(|known| known.returned(&content, &tool.url_fields, arguments));
        }
        // What the hook left as it was is paged already.
        let paged = life.paged_as(&content);
        let (content, untrusted) = paged.unwrap_or_else(|| self.paged(call, content, untrusted, &life.shows));
        self.agent.end_call(life);
        self.deliver(call, life.shows.take());
        self.put_result(call, content.clone(), is_error, untrusted, images.clone());
        let (tool_id, tool_name) = (call.id.clone(), call.name.clone());
        self.agent.emit(EventKind::ToolResult { tool_id, tool_name, content, images, details, is_error });
    }

    /// Puts a result into the conversation, in the place of an earlier one of this call.
    fn put_result(&self, call: &ToolCall, content: Value, is_error: bool, untrusted: bool, images: Vec<Image>) {
        let result = Message::ToolResult {
            tool_call_id: call.id.clone(),
            tool_name: call.name.clone(),
            content,
            is_error,
            untrusted,
            images,
        };
        let mut messages = self.agent.0.messages.borrow_mut();
        let of_call = |message: &&mut Message| matches!(message, Message::ToolResult { tool_call_id, .. } if *tool_call_id == call.id);
        match messages
            .iter_mut()
            .rev()
            .take_while(|message| !matches!(message, Message::Assistant { .. }))
            .find(of_call)
        {
            Some(earlier) => *earlier = result,
            None => messages.push(result),
        }
    }

    /// As much of a result as is shown at once, and whether strangers wrote it. `shows` learns which pages have the rest.
    fn paged(&self, call: &ToolCall, content: Value, untrusted: bool, shows: &RefCell<Option<Shows>>) -> (Value, bool) {
        let mut pages = self.agent.0.pages.borrow_mut();
        let id = call.arguments.whole().and_then(|given| given.get("id")).and_then(Value::as_str);
        // Whose text is read on was known when it was put away.
        let reads_pages = self.tool(&call.name).is_some_and(|tool| tool.policy.reads_pages);
        let untrusted = untrusted && (!reads_pages || pages.is_untrusted(id.unwrap_or_default()));
        let mut shows = shows.borrow_mut();
        let evidence = shows.as_ref().map(|shows| &shows.evidence);
        let paged = pages.page_with(&call.name, content, untrusted, evidence, self.budget, self.options.locale);
        shows.iter_mut().for_each(|shows| shows.pieces.extend(paged.pieces.iter().cloned()));
        (paged.shown, untrusted)
    }

    /// Results come as calls end, and stand in the conversation in the order of the calls.
    fn put_results_in_order(&self, calls: &[ToolCall]) {
        let mut messages = self.agent.0.messages.borrow_mut();
        let last = messages.iter().rposition(|message| matches!(message, Message::Assistant { .. }));
        let Some(answer) = last else { return };
        let place = |message: &Message| match message {
            Message::ToolResult { tool_call_id, .. } => calls.iter().position(|call| call.id == *tool_call_id),
            _ => None,
        };
        messages[answer + 1..].sort_by_key(place);
    }

    pub(super) fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.spec.name == name)
    }

    /// Returns whether a call of a tool that gave no result has done nothing.
    pub(super) fn is_atomic(&self, name: &str) -> bool {
        self.tool(name).is_none_or(|tool| tool.policy.atomic)
    }

    /// Returns the doc update that an atomic call makes.
    pub(super) fn doc_update(&self, call: &ToolCall) -> Option<DocUpdate> {
        let tool = self.tool(&call.name).filter(|tool| tool.policy.atomic)?;
        (tool.doc_update)(&call.arguments.whole()?.clone().into())
    }

    /// What a call comes to that failed, or did not end in its time: then it may have done its work all the same.
    fn unfinished(&self, error: &Error, tool: &str) -> ToolOutput {
        let mut output = self.failure(error);
        if matches!(error, Error::Base(copydesk_base::Error::Timeout { what, .. }) if what == tool) {
            let note = "It may have done its work all the same: look before you call it again.";
            let note = self.options.locale.pick(note, "它可能仍已完成：再次调用前请先查看。");
            output.content = json!({ "error": self.describe(error), "note": note });
        }
        output
    }

    fn failure(&self, error: &Error) -> ToolOutput {
        ToolOutput { content: self.failed(error), is_error: true, ..ToolOutput::default() }
    }

    fn failed(&self, error: &Error) -> Value {
        json!({ "error": self.describe(error) })
    }
}

/// The arguments of a call as text.
fn written(call: &ToolCall) -> String {
    match &call.arguments {
        Arguments::Whole(arguments) => Value::Object(arguments.clone()).to_string(),
        Arguments::CutOff { raw } | Arguments::Invalid { raw, .. } => raw.clone(),
    }
}
