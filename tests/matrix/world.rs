//! The host of an agent in the matrix: a server with one fault, a clock that advances only when everything waits, and
//! an app with one tool.

use crate::wire::Format;
use copydesk_agent::hooks::NoHooks;
use copydesk_agent::log::Log;
use copydesk_agent::tools::app::{output, tool as app_tool};
use copydesk_agent::tools::{Subject, Tool, ToolFuture, built_in_on};
use copydesk_agent::{Agent, AgentHost, AgentOptions, Event, RunResult};
use copydesk_base::Error;
use copydesk_base::host::{Clock, Fetch, LocalFuture, Request, Response};
use copydesk_base::locale::Locale;
use copydesk_document::Document;
use copydesk_recording::Recorder;
use copydesk_review::ReviewCell;
pub use copydesk_test_support::host::BodyEnd;
use copydesk_test_support::host::{Reads, TestClock};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::{pending, ready};
use std::rc::Rc;

/// The key, which may appear in request headers only.
pub const KEY: &str = "sk-secret-of-the-matrix";

/// The response to a request.
#[derive(Clone)]
pub struct ScriptedResponse {
    pub head: Head,
    pub chunks: Vec<Vec<u8>>,
    pub end: BodyEnd,
}

/// The head of a response.
#[derive(Clone)]
pub enum Head {
    Status { status: u16, content_type: &'static str, retry_after: Option<u64> },
    Fails(Error),
    Never,
}

impl ScriptedResponse {
    /// Returns a response that is a stream.
    pub fn stream(chunks: Vec<Vec<u8>>, end: BodyEnd) -> ScriptedResponse {
        let head = Head::Status { status: 200, content_type: "text/event-stream", retry_after: None };
        ScriptedResponse { head, chunks, end }
    }
}

/// A server of one format: the first request and its retries get the given responses, all others the answer of a
/// model that has finished.
struct Server {
    first: RefCell<VecDeque<ScriptedResponse>>,
    last: ScriptedResponse,
    requests: RefCell<Vec<Request>>,
    reads: Reads,
    clock: TestClock,
}

impl Fetch for Server {
    fn fetch(&self, request: Request) -> LocalFuture<'_, Result<Response, Error>> {
        let again = self.requests.borrow().first().is_none_or(|first| first.body == request.body);
        self.requests.borrow_mut().push(request);
        let response = if again {
            let mut first = self.first.borrow_mut();
            if first.len() > 1 { first.pop_front() } else { first.front().cloned() }
        } else {
            Some(self.last.clone())
        };
        let response = response.expect("the server has a response");
        match response.head {
            Head::Fails(error) => Box::pin(ready(Err(error))),
            Head::Never => Box::pin(pending()),
            Head::Status { status, content_type, retry_after } => {
                let body = self.reads.body(response.chunks, 0, response.end, &self.clock);
                let content_type = content_type.to_owned();
                Box::pin(ready(Ok(Response { status, content_type, retry_after, body })))
            }
        }
    }
}

// Shared by all runs of a thread, because creating it is slow.
thread_local! {
    static DOCUMENT: Document = Document::from_html("<p>Tea.</p>").unwrap();
    /// Tools that replace the built-in ones, whose schemas would be part of each request.
    static STUBS: Vec<Tool> = built_in_on(Subject::WITHOUT_WORKSPACE, Locale::En).iter().filter(|tool| !tool.policy.reads_pages).map(|tool| stub(&tool.spec.name)).collect();
}

/// An agent and its host.
pub struct World {
    pub agent: Agent,
    server: Rc<Server>,
    clock: TestClock,
    /// The arguments of the tool's calls.
    pub ran: Rc<RefCell<Vec<Value>>>,
}

impl World {
    /// `first` are the responses to the first request and its retries, the last one repeated; `last` is the response
    /// to all others.
    pub fn new(
        format: &Format,
        first: Vec<ScriptedResponse>,
        last: &ScriptedResponse,
        listener: Rc<dyn Fn(Event)>,
    ) -> World {
        let document = ReviewCell::new(DOCUMENT.with(Document::clone));
        let world = World::observed(format, first, last, listener, document, Log::silent(), |_, _| None);
        let mut tools = STUBS.with(Vec::clone);
        tools.push(note(world.ran.clone()));
        world.agent.set_tools(tools);
        world
    }

    /// Creates a run with the built-in tools, this document, a log, and the recorder, if any, that is made of the
    /// clock and the options.
    pub fn observed(
        format: &Format,
        first: Vec<ScriptedResponse>,
        last: &ScriptedResponse,
        listener: Rc<dyn Fn(Event)>,
        document: ReviewCell,
        log: Log,
        recorder: impl FnOnce(Rc<dyn Clock>, &Value) -> Option<Recorder>,
    ) -> World {
        let settings = json!({
            "llmConfig": {
                "model": { "api": format.api, "modelId": format.model },
                "streamOptions": { "apiKey": KEY, "baseUrl": format.base_url },
            },
            "systemPrompt": "You write.",
            "maxRetries": if log.is_silent() { Value::Null } else { json!(0) },
        });
        let options: AgentOptions = copydesk_base::decode::from_value(&settings).unwrap();
        let clock = TestClock::default();
        let server = Rc::new(Server {
            first: RefCell::new(first.into()),
            last: last.clone(),
            requests: RefCell::default(),
            reads: Reads::default(),
            clock: clock.clone(),
        });
        let host_clock: Rc<dyn Clock> = Rc::new(clock.clone());
        let agent_host = AgentHost {
            fetch: server.clone(),
            clock: host_clock.clone(),
            hooks: Rc::new(NoHooks),
            workspace: None,
            log,
            listener,
        };
        let agent_host = match recorder(host_clock, &settings) {
            Some(recorder) => recorder.host(agent_host),
            None => agent_host,
        };
        let agent = Agent::new(options, Rc::new(document), agent_host);
        World { agent, server, clock, ran: Rc::default() }
    }

    /// Runs a prompt to its end. When everything waits, the clock advances to the next alarm.
    pub fn prompt(&self, text: &str) -> RunResult {
        self.clock.wait(self.agent.prompt(text).unwrap())
    }

    pub fn now(&self) -> f64 {
        self.clock.now()
    }

    pub fn requests(&self) -> Vec<Request> {
        self.server.requests.borrow().clone()
    }

    /// Returns the number of responses being read.
    pub fn open_connections(&self) -> usize {
        self.server.reads.open()
    }

    /// Returns the number of bytes read.
    pub fn taken(&self) -> usize {
        self.server.reads.bytes()
    }
}

/// Returns a tool without effect.
fn stub(name: &str) -> Tool {
    let spec = json!({ "name": name });
    app_tool(&spec, Rc::new(|_, _| -> ToolFuture { Box::pin(ready(Ok(output(Value::Null)))) })).unwrap()
}

/// Returns a tool that stores its arguments.
fn note(ran: Rc<RefCell<Vec<Value>>>) -> Tool {
    let spec = json!({ "name": "note", "description": "Notes.", "parameters": { "type": "object", "properties": {} } });
    let run = move |arguments, _| -> ToolFuture {
        ran.borrow_mut().push(Value::Object(arguments));
        Box::pin(ready(Ok(output(json!({ "noted": true })))))
    };
    app_tool(&spec, Rc::new(run)).unwrap()
}
