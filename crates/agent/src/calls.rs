//! Runs the calls of one answer.
//!
//! All start together, except those of sequential tools, which run one after another in the order of the answer. A
//! call that fails does not affect the others. Each call ends with exactly one result: its output, its error, or,
//! after a stop, whether it did not run or may have run.

use super::approvals::ApprovalResponse;
use super::call_state::{Call, CallState, Returned};
use super::event::EventKind;
use super::hooks::{Hook, HookedCall};
use super::repeats::RepeatDecision;
use super::run::Run;
use crate::Error;
use crate::messages;
use crate::options::ExecutionMode;
use crate::tools::{ResultEvidence, Tool, ToolContext, ToolOutput};
use copydesk_base::ErrorInfo;
use copydesk_base::host::{LocalFuture, all, within};
use copydesk_edit::DocUpdate;
use copydesk_edit::Origin;
use copydesk_llm::{Arguments, Decision, Image, Message, ToolCall};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::rc::Rc;

impl Run<'_> {
    /// Runs the calls of an answer. Fails if the run ends after them.
    pub(super) async fn calls(&self, calls: &[ToolCall], turn: &str) -> Result<(), Error> {
        let fatal = RefCell::new(None);
        let is_sequential_call = |call: &&ToolCall| {
            self.options().tool_execution == ExecutionMode::Sequential
                || self.tool(&call.name).is_none_or(|tool| tool.policy.is_sequential())
        };
        let sequential = async {
            let in_order: Vec<&ToolCall> = calls.iter().filter(is_sequential_call).collect();
            // Between two edits all calls that only read the document run together.
            for together in in_order.chunk_by(|one, next| self.is_reading(&one.name) && self.is_reading(&next.name)) {
                let together = together.iter().map(|call| -> LocalFuture<'_, ()> {
                    let call: &ToolCall = call;
                    Box::pin(self.run_call(call, calls, turn, &fatal))
                });
                all(together.collect()).await;
            }
        };
        let mut under_way: Vec<LocalFuture<'_, ()>> = vec![Box::pin(sequential)];
        for call in calls.iter().filter(|call| !is_sequential_call(call)) {
            under_way.push(Box::pin(self.run_call(call, calls, turn, &fatal)));
        }
        all(under_way).await;
        self.put_results_in_order(calls);
        if self.signal.is_aborted() {
            return Err(copydesk_base::Error::Aborted.into());
        }
        match fatal.take() {
            Some(error) => Err(error),
            None if calls.is_empty() => Ok(()),
            None => self.check_time(),
        }
    }

    /// Runs one of `calls` and stores its result.
    async fn run_call(&self, call: &ToolCall, calls: &[ToolCall], turn: &str, fatal: &RefCell<Option<Error>>) {
        let lifecycle = self.agent.begin_call(&call.id);
        let result = match self.signal.guard(self.call(call, calls, turn, &lifecycle, fatal)).await {
            Err(Error::Base(copydesk_base::Error::Aborted)) => {
                lifecycle.state().interrupted(&call.name, self.is_atomic(&call.name))
            }
            // A call that is refused before it runs can be repeated without end as well.
            Err(error) if !matches!(error, Error::RepeatedCall { .. }) => {
                self.repeats.borrow_mut().record(&call.name, &written(call), self.failed(&error).to_string());
                Err(error)
            }
            result => result,
        };
        self.finish(call, result, &lifecycle);
    }

    async fn call(
        &self,
        call: &ToolCall,
        calls: &[ToolCall],
        turn: &str,
        lifecycle: &Rc<Call>,
        fatal: &RefCell<Option<Error>>,
    ) -> Result<ToolOutput, Error> {
        let written = written(call);
        let decision = self.repeats.borrow_mut().check(&call.name, &written, self.options().max_repeats);
        match decision {
            RepeatDecision::Run => {}
            RepeatDecision::Refuse(error) => return Err(error),
            RepeatDecision::EndRun(error) => {
                *fatal.borrow_mut() = Some(error.clone());
                return Err(error);
            }
        }
        let arguments = call.arguments.runnable()?.clone();
        let tool = self.tool(&call.name).ok_or_else(|| Error::UnknownTool {
            name: call.name.clone(),
            valid: self.tools().iter().map(|tool| tool.spec.name.clone()).collect(),
        })?;
        (tool.accepts)(&Value::Object(arguments.clone()))?;
        let hooked = HookedCall { id: &call.id, name: &call.name, arguments: &arguments };
        let hooks = self.agent.0.hooks.as_ref();
        lifecycle.enter(CallState::AwaitingApp);
        {
            // The app may ask the user here.
            let _paused = self.pause();
            hooked.before(hooks).await?;
        }
        self.approval(call, calls, &tool, &arguments, lifecycle).await?;

        let (tool_id, tool_name) = (call.id.clone(), call.name.clone());
        lifecycle.enter(CallState::Announced);
        self.agent.emit(EventKind::ToolUse { tool_id, tool_name, tool_input: arguments.clone() });
        // A listener may stop the run, also one in the page of an agent in a worker: it has been called by then.
        self.agent.0.document.synced().await;
        if self.signal.is_aborted() {
            return Err(copydesk_base::Error::Aborted.into());
        }
        lifecycle.enter(CallState::Running);
        let (log, clock) = (&self.agent.0.log, self.agent.0.clock.as_ref());
        let start = clock.now();
        log.tool_started(&call.id, &call.name, turn);
        log.tool_called(&call.id, &call.name, written.len());
        let limit = tool.policy.timeout.or(self.options().tool_timeout).unwrap_or(u64::MAX);
        self.check_time()?;
        let running = (tool.run)(Value::Object(arguments.clone()), self.context(call, turn, lifecycle));
        let result = self.within(limit, &call.name, running).await;
        let code =
            result.as_ref().map_or_else(|error| Some(error.code()), |output| output.is_error.then_some("is_error"));
        log.tool_finished(&call.id, &call.name, clock.now() - start, code);
        let output = result.unwrap_or_else(|error| self.unfinished(&error, &call.name));
        if let Some(update) = &output.doc_update {
            log.applied(&call.id, update);
            // A listener that saves the conversation on a `doc_update` saves with it that the call has run.
            self.put_result(call, output.content.clone(), output.is_error, false, Vec::new());
            self.agent.emit(EventKind::DocUpdate { tool_id: call.id.clone(), update: update.clone() });
        }
        self.repeats.borrow_mut().record(&call.name, &written, (output.content.to_string(), &output.images));
        lifecycle.enter(CallState::Returned(Box::new(Returned { output: output.clone(), paged: None })));
        let after = hooked.after(hooks, output, |output| {
            // An app that saves the conversation during the hook saves with it that the call has run.
            let ToolOutput { content, images, is_error, .. } = output.clone();
            let (shown, untrusted) = self.paged(call, content, tool.policy.untrusted, &lifecycle.shows);
            lifecycle.note_paged(shown.clone(), untrusted);
            self.put_result(call, shown, is_error, untrusted, images);
        });
        // A result that is available at once counts even if the run's time is over.
        let after = within(clock, self.left().ceil() as u64, Hook::AfterToolCall.name(), after).await;
        after.or_else(|error| {
            let output = lifecycle.state().interrupted(&call.name, false)?;
            Ok(self.unhooked(output, error))
        })
    }

    /// Returns the output of a call whose `afterToolCall` hook failed or timed out. The call has run; without a
    /// result the model would repeat it.
    fn unhooked(&self, mut output: ToolOutput, error: Error) -> ToolOutput {
        let locale = self.options().locale;
        let error = match error {
            Error::Base(copydesk_base::Error::Timeout { .. }) => Error::HookFailed {
                hook: Hook::AfterToolCall.name(),
                message: messages::DID_NOT_RETURN.text(locale).into(),
            },
            error => error,
        };
        let note = messages::CALL_HAS_RUN.text(locale);
        output.content = json!({ "error": self.describe(&error), "note": note, "result": output.content });
        output
    }

    /// Returns the context that a call runs in.
    fn context(&self, call: &ToolCall, turn: &str, lifecycle: &Rc<Call>) -> ToolContext {
        let state = &self.agent.0;
        let (lifecycle, shows) = (lifecycle.clone(), lifecycle.shows.clone());
        let (agent, tool_id, tool_name) = (Rc::downgrade(&self.agent.0), call.id.clone(), call.name.clone());
        let progress = move |partial| {
            // A tool may report progress after its call has ended.
            if let Some(agent) = agent.upgrade().map(super::Agent)
                && lifecycle.is_under_way()
            {
                agent.emit(EventKind::ToolUpdate { tool_id: tool_id.clone(), tool_name: tool_name.clone(), partial });
            }
        };
        ToolContext {
            document: state.document.clone(),
            workspace: state.workspace.clone(),
            shown: state.shown.clone(),
            listing: state.listing.clone(),
            shows,
            fetch: state.fetch.clone(),
            clock: state.clock.clone(),
            services: self.options().services.clone(),
            skills: self.options().skills.clone(),
            locale: self.options().locale,
            origin: Origin { turn: Some(turn.to_owned()), tool_id: Some(call.id.clone()), ..Origin::default() },
            provenance: self.agent.provenance(),
            scope: self.agent.scope(),
            pages: state.pages.clone(),
            budget: self.result_budget(),
            progress: Rc::new(progress),
        }
    }

    /// Waits for the user's approval if the call needs it.
    async fn approval(
        &self,
        call: &ToolCall,
        calls: &[ToolCall],
        tool: &Tool,
        arguments: &Map<String, Value>,
        lifecycle: &Call,
    ) -> Result<(), Error> {
        let asks = || tool.needs_approval.as_ref().is_some_and(|needs| needs(arguments));
        match self.agent.decision(&call.id) {
            // Approved before the page was reloaded.
            Some(Decision::Approved) => return Ok(()),
            // A pending request needs an answer even if the settings have changed since.
            Some(Decision::Pending) => {}
            _ if asks() || self.options().asks_before(&call.name) => {}
            _ => return Ok(()),
        }
        lifecycle.enter(CallState::AwaitingApproval);
        self.agent.0.document.synced().await;
        self.agent.request_approval(call, calls, |call| self.doc_update(call));
        let (tool_id, tool_name) = (call.id.clone(), call.name.clone());
        let ApprovalResponse { approved, reason } = {
            // A listener may ask the user synchronously.
            let _paused = self.pause();
            self.agent.emit(EventKind::ApprovalRequest { tool_id, tool_name, tool_input: arguments.clone() });
            self.agent.0.approvals.verdict(&call.id).await
        };
        self.agent.store_decision(&call.id, approved, &reason);
        if approved { Ok(()) } else { Err(Error::Rejected { tool: call.name.clone(), reason }) }
    }

    pub(super) fn finish(&self, call: &ToolCall, result: Result<ToolOutput, Error>, lifecycle: &Call) {
        // Without output the content is a message of copydesk, the app or the user, which is trusted.
        let untrusted = result.is_ok() && self.tool(&call.name).is_some_and(|tool| tool.policy.untrusted);
        let output = result.unwrap_or_else(|error| self.failure(&error));
        let ToolOutput { content, images, details, is_error, .. } = output;
        if let (false, Some(tool), Some(arguments)) = (is_error, self.tool(&call.name), call.arguments.whole()) {
            self.agent.learn(|known| known.returned(&content, &tool.url_fields, arguments));
        }
        // Content that the hook left unchanged is paged already.
        let paged = lifecycle.paged_as(&content);
        let (content, untrusted) = paged.unwrap_or_else(|| self.paged(call, content, untrusted, &lifecycle.shows));
        self.agent.end_call(lifecycle);
        self.deliver(call, lifecycle.shows.take());
        let log = &self.agent.0.log;
        if !log.is_silent() {
            let bytes = content.as_str().map_or_else(|| content.to_string().len(), str::len);
            log.tool_result(&call.id, &call.name, bytes, images.len(), is_error);
        }
        self.put_result(call, content.clone(), is_error, untrusted, images.clone());
        let (tool_id, tool_name) = (call.id.clone(), call.name.clone());
        self.agent.emit(EventKind::ToolResult { tool_id, tool_name, content, images, details, is_error });
    }

    /// Adds a result to the conversation, or replaces an earlier one of the same call.
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

    /// Returns the part of a result that is shown at once, and whether it is untrusted. Adds the pages that hold the
    /// rest to `shows`.
    fn paged(
        &self,
        call: &ToolCall,
        content: Value,
        untrusted: bool,
        shows: &RefCell<Option<ResultEvidence>>,
    ) -> (Value, bool) {
        let mut pages = self.agent.0.pages.borrow_mut();
        let id = call.arguments.whole().and_then(|given| given.get("id")).and_then(Value::as_str);
        // Pages know whether their text is untrusted.
        let reads_pages = self.tool(&call.name).is_some_and(|tool| tool.policy.reads_pages);
        let untrusted = untrusted && (!reads_pages || pages.is_untrusted(id.unwrap_or_default()));
        let mut shows = shows.borrow_mut();
        let evidence = shows.as_ref().map(|shows| &shows.evidence);
        let paged =
            pages.page_with(&call.name, content, untrusted, evidence, self.result_budget(), self.options().locale);
        shows.iter_mut().for_each(|shows| shows.ranges.extend(paged.ranges.iter().cloned()));
        (paged.shown, untrusted)
    }

    /// Sorts results by the order of the calls; they arrive in the order in which the calls end.
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

    pub(super) fn tool(&self, name: &str) -> Option<Tool> {
        self.tools().iter().find(|tool| tool.spec.name == name).cloned()
    }

    /// Returns the name of the only tool that a name means: without a namespace such as `functions.`, and in any
    /// capitals, with any of space, `-` and `_`. `None` if the name is that of a tool already, or of none.
    pub(super) fn known_name(&self, given: &str) -> Option<String> {
        let tools = self.tools();
        if tools.iter().any(|tool| tool.spec.name == given) {
            return None;
        }
        let letters = |name: &str| name.trim().replace([' ', '-'], "_").to_ascii_lowercase();
        let bare = given.rsplit(['.', ':', '/']).next().unwrap_or(given);
        let mut same = tools.iter().filter(|tool| {
            let name = letters(&tool.spec.name);
            !name.is_empty() && (name == letters(given) || name == letters(bare))
        });
        let only = same.next()?;
        same.next().is_none().then(|| only.spec.name.to_string())
    }

    /// Returns whether a call of this tool without a result had no effect.
    pub(super) fn is_atomic(&self, name: &str) -> bool {
        self.tool(name).is_none_or(|tool| tool.policy.atomic)
    }

    /// Returns whether calls of a tool may run beside others that read the document.
    fn is_reading(&self, name: &str) -> bool {
        self.options().tool_execution == ExecutionMode::Parallel
            && self.tool(name).is_some_and(|tool| tool.policy.is_reading())
    }

    /// Returns the doc update that an atomic call makes.
    pub(super) fn doc_update(&self, call: &ToolCall) -> Option<DocUpdate> {
        let tool = self.tool(&call.name).filter(|tool| tool.policy.atomic)?;
        (tool.doc_update)(&call.arguments.whole()?.clone().into())
    }

    /// Returns the output of a failed call. After a timeout it says that the call may have completed.
    fn unfinished(&self, error: &Error, tool: &str) -> ToolOutput {
        let mut output = self.failure(error);
        let is_late = match error {
            Error::Base(copydesk_base::Error::Timeout { what, .. }) | Error::RunTimeout { what, .. } => what == tool,
            _ => false,
        };
        if is_late {
            let note = messages::MAY_HAVE_TAKEN_EFFECT.text(self.options().locale);
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

/// Returns the arguments of a call as text.
fn written(call: &ToolCall) -> String {
    match &call.arguments {
        Arguments::Whole(arguments) => Value::Object(arguments.clone()).to_string(),
        Arguments::CutOff { raw } | Arguments::Invalid { raw, .. } | Arguments::Ambiguous { raw, .. } => raw.clone(),
    }
}
