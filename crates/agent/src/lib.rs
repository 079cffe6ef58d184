//! The agent: a conversation, and runs in which a model and its tools take turns until the model has finished.
//!
//! [`Agent`] keeps the conversation between runs. [`Agent::prompt`] starts a run: turn after turn it asks the model,
//! runs the tools that the answer calls, and reports [events](EventKind) to one listener. The names are those of
//! pi-agent-core where it has the same thing: `prompt`, `continue`, `steer`, `followUp`, the hooks, the modes.
//!
//! | module | subject |
//! |---|---|
//! | [`tools`] | one file per built-in tool: parameters, descriptions, [`ExecutionPolicy`](tools::ExecutionPolicy), `run` |
//! | [`workspace`] | the files of the user, behind the tools that read and write them |
//! | [`search`] | one file per search service: URL, key, request, results |
//! | [`prompt`], [`skills`] | the system prompt and the rules in it; skills, whose text it has or lists |
//! | [`call_state`] | the states of a tool call |
//! | [`context`] | the conversation in the model's context window, and its summary when the window is full |
//! | [`approvals`], [`hooks`] | the decisions of the user and of the app |
//! | [`log`], [`ledger`] | a log of requests, calls and runs; accounts of tokens and money |
//!
//! # Example
//!
//! A run without a network: the "server" gives two recorded answers; the first one calls a tool.
//!
//! ```
//! use copydesk_agent::log::Log;
//! use copydesk_agent::{Agent, AgentOptions, NoHooks, Outcome, AgentHost};
//! use copydesk_base::Error;
//! use copydesk_base::host::{Body, Clock, Fetch, LocalFuture, Request, Response};
//! use copydesk_document::Document;
//! use copydesk_review::ReviewCell;
//! use std::cell::RefCell;
//! use std::future::{pending, ready};
//! use std::pin::pin;
//! use std::rc::Rc;
//! use std::task::{Context, Poll, Waker};
//!
//! struct Server(RefCell<Vec<&'static str>>);
//! struct Answer(Option<&'static str>);
//! struct NoTime;
//!
//! impl Fetch for Server {
//!     fn fetch(&self, _: Request) -> LocalFuture<'_, Result<Response, Error>> {
//!         let body = Box::new(Answer(self.0.borrow_mut().pop()));
//!         let content_type = "text/event-stream".to_owned();
//!         Box::pin(ready(Ok(Response { status: 200, content_type, retry_after: None, body })))
//!     }
//! }
//!
//! impl Body for Answer {
//!     fn chunk(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, Error>> {
//!         Box::pin(ready(Ok(self.0.take().map(|text| text.as_bytes().to_vec()))))
//!     }
//! }
//!
//! impl Clock for NoTime {
//!     fn now(&self) -> f64 { 0.0 }
//!     fn sleep(&self, _: u64) -> LocalFuture<'static, ()> { Box::pin(pending()) }
//!     fn random(&self) -> f64 { 0.5 }
//! }
//!
//! let call = r#"data: {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c1", "function":
//!     {"name": "update_section", "arguments":
//!      "{\"operation\": \"append\", \"title\": \"Tea\", \"content\": \"<p>Hot.</p>\"}"}}]},
//!     "finish_reason": "tool_calls"}]}"#.replace("\n", "") + "\n\n";
//! let done = "data: {\"choices\": [{\"delta\": {\"content\": \"Done.\"}, \"finish_reason\": \"stop\"}]}\n\n";
//!
//! let options: AgentOptions = serde_json::from_value(serde_json::json!({ "llmConfig": {
//!     "model": { "api": "openai-completions", "modelId": "any" },
//!     "streamOptions": { "baseUrl": "https://llm.example/v1" },
//! } }))?;
//! let document = ReviewCell::new(Document::from_html("<p>Drinks.</p>")?);
//! let agent = Agent::new(options, Rc::new(document.clone()), AgentHost {
//!     fetch: Rc::new(Server(RefCell::new(vec![done, call.leak()]))),
//!     clock: Rc::new(NoTime),
//!     hooks: Rc::new(NoHooks),
//!     workspace: None,
//!     log: Log::silent(),
//!     listener: Rc::new(|event| println!("{event:?}")),
//! });
//!
//! let mut run = pin!(agent.prompt("Add a section about tea.")?);
//! let mut cx = Context::from_waker(Waker::noop());
//! let result = loop {
//!     if let Poll::Ready(result) = run.as_mut().poll(&mut cx) { break result }
//! };
//! assert_eq!((result.status, result.text.as_str()), (Outcome::Complete, "Done."));
//! assert_eq!(document.document().to_html(), "<p>Drinks.</p><h2>Tea</h2><p>Hot.</p>");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Invariants
//!
//! - **Dropping is cancelling**: dropping the future of a run, a request or a body ends it.
//! - **Nothing is borrowed while the host runs**: a listener may stop the agent, an editor may report its transaction
//!   before the call that makes it has returned.
//! - A tool runs only after a valid finish and a complete JSON parse, and every call in the conversation gets exactly
//!   one result.
#![forbid(unsafe_code)]

pub mod approvals;
mod arguments_text;
pub mod call_state;
pub mod context;
pub mod event;
pub mod hooks;
pub mod ledger;
pub mod log;
pub mod options;
pub mod prompt;
pub mod repeats;
pub mod retry;
pub mod run;
pub mod search;
pub mod skills;
pub mod tools;
pub mod workspace;

mod answer_reporter;
mod calls;
mod context_window;
mod deadline;
mod delivery;
mod error;
mod listing;
mod model_request;
mod open_calls;
mod redact;
mod request_log;
mod run_compaction;
mod settings;
mod shortening;
mod state;
mod text_calls;

mod messages;

pub use error::Error;
pub use event::{ArrivingArguments, Event, EventKind};
pub use hooks::{Hook, Hooks, NoHooks};
pub use options::{AgentOptions, RunOptions};
pub use run::{Outcome, RunResult};

use crate::tools::{Subject, Tool};
use crate::workspace::{Workspace, WorkspaceHost};
use approvals::{ApprovalResponse, Approvals};
use call_state::Call;
use copydesk_base::host::{AbortSignal, Clock, Fetch, limit::Limited};
use copydesk_base::secrets::Secrets;
use copydesk_edit::Provenance;
use copydesk_edit::guard::RunScope;
use copydesk_edit::preview::Preview;
use copydesk_edit::relocate::Shown;
use copydesk_llm::tokens::{estimate_text, since_of};
use copydesk_llm::{Message, Usage};
use copydesk_review::{ReviewHost, bind_scope, preview_in_editor};
use log::Log;
use redact::{RedactingFetch, RedactingHooks};
use request_log::LoggingFetch;
use run::Start;
use serde_json::{Map, Value, json};
use state::AgentState;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The functions of the host that an agent uses.
pub struct AgentHost {
    /// Sends requests.
    pub fetch: Rc<dyn Fetch>,
    /// Tells the time.
    pub clock: Rc<dyn Clock>,
    /// The hooks of the app.
    pub hooks: Rc<dyn Hooks>,
    /// Reads and writes the files of the workspace, if there is one.
    pub workspace: Option<Rc<dyn WorkspaceHost>>,
    /// Receives log entries; silent by default.
    pub log: Log,
    /// Receives events.
    pub listener: Rc<dyn Fn(Event)>,
}

/// An agent. Clones refer to the same agent.
#[derive(Clone)]
pub struct Agent(Rc<AgentState>);

impl Agent {
    /// Creates an agent that works on a document.
    pub fn new(options: AgentOptions, document: Rc<dyn ReviewHost>, host: AgentHost) -> Agent {
        let AgentHost { fetch, clock, hooks, workspace, log, listener } = host;
        let workspace = workspace.map(|host| Workspace::new(host, log.clone()));
        let secrets = log.secrets().clone();
        let hooks = Rc::new(RedactingHooks { inner: hooks, secrets: secrets.clone() });
        let fetch = Rc::new(RedactingFetch { inner: fetch, secrets });
        let fetch = Limited::of_page(Rc::new(LoggingFetch::new(fetch, clock.clone(), log.clone())));
        Agent(Rc::new(AgentState {
            options: RefCell::new(options.into()),
            tools: RefCell::default(),
            rules_told: RefCell::default(),
            skills_told: Cell::default(),
            document,
            fetch: Rc::new(fetch),
            clock,
            hooks,
            workspace,
            log,
            listener,
            messages: RefCell::default(),
            steering: RefCell::default(),
            follow_up: RefCell::default(),
            approvals: Approvals::default(),
            shown: Rc::default(),
            listing: Rc::default(),
            overflow: RefCell::default(),
            undelivered: RefCell::default(),
            turns: RefCell::default(),
            calls: RefCell::default(),
            streaming: RefCell::default(),
            partial_calls: RefCell::default(),
            error: RefCell::default(),
            usage: Cell::default(),
            prices: Cell::default(),
            ledger: RefCell::default(),
            provenance: RefCell::default(),
            pages: Rc::default(),
            since: Cell::default(),
            seq: Cell::default(),
            scope: RefCell::default(),
            running: RefCell::default(),
        }))
    }

    /// Starts a run with a message of the user. The run begins with this call, with the current options, and proceeds
    /// while its future is polled. A failed run is a result, not an error.
    ///
    /// # Errors
    /// [`Error::Busy`] while another run is under way; [`copydesk_base::Error::InvalidParameter`] for an empty text.
    pub fn prompt(&self, text: &str) -> Result<impl Future<Output = RunResult> + use<>, Error> {
        self.prompt_with(vec![Message::user(text)], RunOptions::default())
    }

    /// Starts a run with messages of any kind.
    ///
    /// # Errors
    /// [`Error::Busy`] while another run is under way; [`copydesk_base::Error::InvalidParameter`] if all messages are
    /// empty; those of [`RunScope::bind`] for the scope.
    pub fn prompt_with(
        &self,
        messages: Vec<Message>,
        options: RunOptions,
    ) -> Result<impl Future<Output = RunResult> + use<>, Error> {
        let says_nothing = |message: &Message| matches!(message, Message::User { content } if content.text.trim().is_empty() && content.images.is_empty());
        if messages.iter().all(says_nothing) {
            return Err(copydesk_base::Error::InvalidParameter {
                name: "prompt".to_owned(),
                given: String::new(),
                expected: "a text, a picture or both".to_owned(),
            }
            .into());
        }
        if self.is_running() {
            return Err(Error::Busy);
        }
        self.0.scope.replace(self.bind(options)?);
        self.start(Start::Prompt(messages))
    }

    /// Continues the conversation: after a failure, after a message was added, or with calls that waited for approval
    /// when the page was reloaded.
    ///
    /// # Errors
    /// [`Error::Busy`] while another run is under way; [`Error::NothingToContinue`] if the last message is an answer
    /// of the model.
    pub fn continue_run(&self) -> Result<impl Future<Output = RunResult> + use<>, Error> {
        self.continue_with(RunOptions::default())
    }

    /// Does the same as [`Agent::continue_run`], with another scope. Without one, the scope of the last prompt is kept.
    ///
    /// # Errors
    /// As [`Agent::continue_run`]; those of [`RunScope::bind`] for the scope.
    pub fn continue_with(&self, options: RunOptions) -> Result<impl Future<Output = RunResult> + use<>, Error> {
        if !self.is_running() && !self.can_continue() {
            return Err(Error::NothingToContinue);
        }
        if !self.is_running() && options.scope.is_some() {
            self.0.scope.replace(self.bind(options)?);
        }
        self.start(Start::Continue)
    }

    /// Binds the scope of a run to the document.
    fn bind(&self, options: RunOptions) -> Result<Option<Rc<RunScope>>, Error> {
        let bound = options.scope.map(|range| bind_scope(self.0.document.as_ref(), range)).transpose()?;
        Ok(bound.map(Rc::new))
    }

    fn scope(&self) -> Option<Rc<RunScope>> {
        self.0.scope.borrow().clone()
    }

    fn start(&self, start: Start) -> Result<impl Future<Output = RunResult> + use<>, Error> {
        if self.is_running() {
            return Err(Error::Busy);
        }
        let signal = AbortSignal::default();
        *self.0.running.borrow_mut() = Some(signal.clone());
        // Dropping the future ends the run; the agent must not stay busy.
        let release = ReleaseOnDrop(self.clone());
        self.0.prices.set(self.0.options.borrow().llm_config.model.cost);
        Ok(async move {
            let agent = release.0.clone();
            let (result, last) = run::run(&agent, start, &signal).await;
            // A listener of the last event may start the next run.
            drop(release);
            agent.emit(last);
            result
        })
    }

    /// Queues a message for the model after the turn under way. Without a run it waits for the next one.
    pub fn steer(&self, message: Message) {
        self.0.steering.borrow_mut().push(message);
    }

    /// Queues a message for the model when it has finished.
    pub fn follow_up(&self, message: Message) {
        self.0.follow_up.borrow_mut().push(message);
    }

    /// Removes all queued messages.
    pub fn clear_queues(&self) {
        self.0.steering.take();
        self.0.follow_up.take();
    }

    /// Decides about a call that waits for approval.
    ///
    /// # Errors
    /// [`Error::NotWaiting`] if no such call waits.
    pub fn approve(&self, tool_id: &str, response: ApprovalResponse) -> Result<(), Error> {
        let valid = self.awaiting_approval();
        if !valid.iter().any(|id| id == tool_id) {
            return Err(Error::NotWaiting { given: tool_id.to_owned(), valid });
        }
        self.0.approvals.decide(tool_id, response);
        Ok(())
    }

    /// Returns the position and the content that the call writes, from the arguments that have arrived; `None` if the
    /// call is unknown or writes nothing.
    pub fn preview(&self, tool_id: &str) -> Option<Preview> {
        let calls = self.0.partial_calls.borrow();
        let call = calls.iter().find(|call| call.tool_id == tool_id)?;
        self.preview_of(&call.tool_name, &call.arguments)
    }

    /// Returns the preview of a call with these arguments, which may be unfinished.
    pub fn preview_of(&self, tool: &str, arguments: &Map<String, Value>) -> Option<Preview> {
        let update = tools::arriving_update(tool, arguments)?;
        preview_in_editor(self.0.document.as_ref(), &self.0.shown.borrow(), &update)
    }

    /// Stops the run under way, if there is one. Applied edits stay.
    pub fn abort(&self) {
        let running = self.0.running.borrow().clone();
        if let Some(signal) = running {
            signal.abort();
        }
    }

    /// Returns whether a run is under way.
    pub fn is_running(&self) -> bool {
        self.0.running.borrow().is_some()
    }

    /// Returns the conversation.
    pub fn messages(&self) -> Vec<Message> {
        self.0.messages.borrow().clone()
    }

    /// Replaces the conversation. Fails with [`Error::Busy`] while a run is under way.
    pub fn set_messages(&self, messages: Vec<Message>) -> Result<(), Error> {
        if self.is_running() {
            return Err(Error::Busy);
        }
        self.0.since.set(since_of(&messages));
        *self.0.messages.borrow_mut() = messages;
        self.0.provenance.take();
        self.keep_results();
        *self.0.shown.borrow_mut() = Shown::default();
        self.0.listing.take();
        self.0.undelivered.take();
        self.0.approvals.clear();
        self.0.scope.take();
        if let Some(workspace) = &self.0.workspace {
            workspace.forget(tools::files::files_in(&self.0.messages.borrow()));
        }
        Ok(())
    }

    /// Replaces the app's own tools, from the next request on. A tool with the name of a built-in one replaces it.
    pub fn set_tools(&self, tools: Vec<Tool>) {
        *self.0.tools.borrow_mut() = tools.into();
    }

    /// Returns the usage of all runs.
    pub fn usage(&self) -> Usage {
        self.0.usage.get()
    }

    /// Returns the accounts of turns, tools and edits: see [`Ledger::to_value`].
    pub fn ledger(&self) -> Value {
        self.0.ledger.borrow().to_value()
    }

    /// Returns the current state: `{isStreaming, streamingText, pendingToolCalls, waitingForApproval, errorMessage}`.
    pub fn state(&self) -> Value {
        json!({
            "isStreaming": self.is_running(),
            "streamingText": *self.0.streaming.borrow(),
            "pendingToolCalls": self.calls_under_way(),
            "waitingForApproval": self.awaiting_approval(),
            "errorMessage": *self.0.error.borrow(),
        })
    }

    /// Replaces the options, from the next request on; `run_timeout` from the next run on.
    pub fn configure(&self, options: AgentOptions) {
        *self.0.options.borrow_mut() = options.into();
    }

    /// Reports a notice for the user to the listener.
    pub fn notice(&self, code: String, message: String) {
        self.emit(EventKind::Notice { code: code.into(), message });
    }

    /// Returns the subjects that the tools of an agent with these options work on.
    fn subjects(&self, options: &AgentOptions) -> Vec<Subject> {
        if !options.built_in_tools {
            return Vec::new();
        }
        let has_host = self.0.workspace.is_some();
        let has_workspace = has_host && options.has_workspace;
        let has_files = has_workspace || has_host && options.skills.iter().any(|skill| !skill.files.is_empty());
        let subjects = [
            // Without files an agent has a document, which may be empty.
            (Subject::Document, options.has_document || !has_workspace),
            (Subject::Workspace, has_workspace),
            (Subject::Files, has_files),
            (Subject::Skills, !options.skills.is_empty()),
            (Subject::Outside, true),
        ];
        subjects.into_iter().filter_map(|(subject, applies)| applies.then_some(subject)).collect()
    }

    /// Returns the keys in use.
    fn secrets(&self) -> &Secrets {
        self.0.log.secrets()
    }

    fn emit(&self, kind: EventKind) {
        let prices = self.0.prices.get();
        self.0.ledger.borrow_mut().record_event(&kind, self.0.clock.now(), prices.as_ref(), &estimate_text);
        let seq = self.0.seq.get() + 1;
        self.0.seq.set(seq);
        (self.0.listener)(Event { seq, kind });
    }

    /// Makes the ledger charge later turns only for results that are still in the conversation.
    fn keep_results(&self) {
        let messages = self.0.messages.borrow();
        self.0.ledger.borrow_mut().keep_results(&|id| {
            messages.iter().any(|one| matches!(one, Message::ToolResult { tool_call_id, .. } if tool_call_id == id))
        });
    }

    fn push(&self, message: Message) {
        match &message {
            Message::User { content } => self.learn(|known| known.said(&content.text)),
            Message::Assistant { content, .. } => {
                self.learn(|known| known.wrote(context::provenance::authored(content)))
            }
            _ => {}
        }
        self.0.messages.borrow_mut().push(message);
    }

    /// Registers a call of the run.
    fn begin_call(&self, id: &str) -> Rc<Call> {
        let call = Call::new(id);
        self.0.calls.borrow_mut().push(call.clone());
        call
    }

    /// Ends a call and removes it from the run.
    fn end_call(&self, call: &Call) {
        call.finish();
        self.0.calls.borrow_mut().retain(|one| one.id != call.id);
    }

    /// Returns the ids of the calls that were reported to listeners and have no result yet.
    fn calls_under_way(&self) -> Vec<String> {
        let calls = self.0.calls.borrow();
        calls.iter().filter(|call| call.is_under_way()).map(|call| call.id.clone()).collect()
    }

    /// Returns the URLs that the model may use.
    fn provenance(&self) -> Rc<Provenance> {
        self.0.provenance.borrow().clone().unwrap_or_default()
    }

    /// Adds the URLs of a message or result. Has no effect before the first run, which reads the whole conversation.
    fn learn(&self, learn: impl FnOnce(&mut Provenance)) {
        if let Some(known) = &mut *self.0.provenance.borrow_mut() {
            learn(Rc::make_mut(known));
        }
    }
}

struct ReleaseOnDrop(Agent);

impl Drop for ReleaseOnDrop {
    fn drop(&mut self) {
        // A tool may report progress after its call has ended.
        self.0.0.calls.take().iter().for_each(|call| call.finish());
        self.0.0.partial_calls.take();
        *self.0.0.running.borrow_mut() = None;
    }
}
