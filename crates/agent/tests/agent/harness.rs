//! The host of an agent in tests: a scripted server, and a clock that advances only when everything waits.

use copydesk_agent::hooks::{Given, Hook, Hooks};
use copydesk_agent::log::Log;
use copydesk_agent::tools::app::{output, tool as app_tool};
use copydesk_agent::tools::{Tool, ToolContext, ToolFuture};
use copydesk_agent::{Agent, AgentHost, AgentOptions, Event, Outcome, RunResult};
use copydesk_base::Error;
use copydesk_base::host::{Clock, Fetch, LocalFuture, Request, Response};
use copydesk_document::{Document, Node};
use copydesk_edit::apply::{BlockParser, DocumentHolder, at_once, made_at_once};
use copydesk_edit::guard::Bound;
use copydesk_edit::markdown::Markdown;
use copydesk_edit::{Change, Origin};
use copydesk_recording::Recorder;
use copydesk_review::Reviewer;
use copydesk_review::Verdict;
use copydesk_review::{ReviewCell, ReviewHost};
pub use copydesk_test_support::host::BodyEnd;
use copydesk_test_support::host::{Reads, TestClock};
use serde_json::{Map, Value, json};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, pending, ready};
use std::ops::Range;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// The response to one request.
pub enum Answer {
    /// Sends a head and then these chunks.
    Stream { status: u16, content_type: &'static str, pieces: Vec<Vec<u8>>, end: BodyEnd },
    /// Sends a status and a retry delay, in milliseconds.
    Later { status: u16, retry_after: u64 },
    /// Sends an event stream with a delay before each chunk, in milliseconds.
    Slowly(u64, Vec<Vec<u8>>),
    /// Fails without a response.
    Fails(Error),
    /// Takes the request and never responds.
    Hangs,
}

/// Returns a complete event stream.
pub fn stream(body: &str) -> Answer {
    let pieces = body.split_inclusive("\n\n").map(|piece| piece.as_bytes().to_vec()).collect();
    Answer::Stream { status: 200, content_type: "text/event-stream", pieces, end: BodyEnd::Closes }
}

/// Returns a complete response with a status.
pub fn page(status: u16, content_type: &'static str, body: &str) -> Answer {
    Answer::Stream { status, content_type, pieces: vec![body.as_bytes().to_vec()], end: BodyEnd::Closes }
}

/// Returns the stream of an answer of text.
pub fn says(text: &str) -> Answer {
    stream(&chunks(&[json!({ "content": text })], "stop"))
}

/// Returns the stream of an answer with tool calls: `(id, name, arguments)`.
pub fn calls(calls: &[(&str, &str, Value)]) -> Answer {
    let call = |(index, (id, name, arguments)): (usize, &(&str, &str, Value))| {
        json!({
            "index": index,
            "id": id,
            "type": "function",
            "function": { "name": name, "arguments": arguments.to_string() },
        })
    };
    let delta = json!({ "tool_calls": calls.iter().enumerate().map(call).collect::<Vec<_>>() });
    stream(&chunks(&[delta], "tool_calls"))
}

/// Returns an event stream of deltas, a finish reason and the usage.
pub fn chunks(deltas: &[Value], finish: &str) -> String {
    let event = |value: Value| format!("data: {value}\n\n");
    let mut body: String =
        deltas.iter().map(|delta| event(json!({ "choices": [{ "index": 0, "delta": delta }] }))).collect();
    body += &event(json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": finish }] }));
    let usage = json!({ "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15 });
    body += &event(json!({ "choices": [], "usage": usage }));
    body + "data: [DONE]\n\n"
}

#[derive(Default)]
struct Server {
    answers: RefCell<VecDeque<Answer>>,
    requests: RefCell<Vec<Request>>,
    /// Creates responses when no scripted one is left.
    by: RefCell<Option<AnswerFn>>,
    reads: Reads,
    clock: TestClock,
}

type AnswerFn = Box<dyn Fn(Value) -> Answer>;

impl Server {
    fn answer(&self, request: &Request) -> Answer {
        let written = self.answers.borrow_mut().pop_front();
        let by = self.by.borrow();
        let made = || by.as_ref().map(|by| by(serde_json::from_str(request.body.as_deref().unwrap()).unwrap()));
        written.or_else(made).expect("a request that no answer was written for")
    }
}

impl Fetch for Server {
    fn fetch(&self, request: Request) -> LocalFuture<'_, Result<Response, Error>> {
        let answer = self.answer(&request);
        self.requests.borrow_mut().push(request);
        let (status, content_type, retry_after, body) = match answer {
            Answer::Fails(error) => return Box::pin(ready(Err(error))),
            Answer::Hangs => return Box::pin(pending()),
            Answer::Later { status, retry_after } => {
                let body = self.reads.body(Vec::new(), 0, BodyEnd::Closes, &self.clock);
                (status, "", Some(retry_after), body)
            }
            Answer::Slowly(ms, pieces) => {
                let body = self.reads.body(pieces, ms, BodyEnd::Closes, &self.clock);
                (200, "text/event-stream", None, body)
            }
            Answer::Stream { status, content_type, pieces, end } => {
                (status, content_type, None, self.reads.body(pieces, 0, end, &self.clock))
            }
        };
        let content_type = content_type.to_owned();
        Box::pin(ready(Ok(Response { status, content_type, retry_after, body })))
    }
}

/// An agent, its document and its host.
pub struct Harness {
    pub agent: Agent,
    pub document: ReviewCell,
    server: Rc<Server>,
    clock: TestClock,
    events: Rc<RefCell<Vec<Event>>>,
    hooks: Rc<RefCell<Vec<HookFn>>>,
    slowly: Rc<RefCell<Option<HookDelay>>>,
}

/// The delay of a hook.
type HookDelay = (TestClock, Box<dyn Fn() -> u64>);

/// A hook; one without a function never returns.
type HookFn = (Hook, Option<Box<dyn Fn(Value) -> Result<Value, copydesk_agent::Error>>>);

struct TestHooks(Rc<RefCell<Vec<HookFn>>>, Rc<RefCell<Option<HookDelay>>>);

impl Hooks for TestHooks {
    fn call(&self, hook: Hook, given: Given<'_>) -> Option<LocalFuture<'static, Result<Value, copydesk_agent::Error>>> {
        let hooks = self.0.borrow();
        let (_, answer) = hooks.iter().find(|(name, _)| *name == hook)?;
        match answer {
            Some(answer) => {
                let answer = answer(given());
                let slowly = self.1.borrow();
                let Some((clock, takes)) = &*slowly else { return Some(Box::pin(ready(answer))) };
                let waiting = (takes(), clock.clone());
                Some(Box::pin(async move {
                    match waiting {
                        (0, _) => {}
                        (ms, clock) => clock.sleep(ms).await,
                    }
                    answer
                }))
            }
            None => Some(Box::pin(pending())),
        }
    }
}

/// A document with a selection.
struct Selecting {
    cell: ReviewCell,
    selection: Rc<Cell<Option<(usize, usize)>>>,
}

impl DocumentHolder for Selecting {
    fn document(&self) -> Result<Document, copydesk_edit::Error> {
        Ok(self.cell.document())
    }

    fn snapshot(&self, version: &str) -> Result<Document, copydesk_edit::Error> {
        self.cell.snapshot(version)
    }

    fn dispatch(&self, changes: &[Change], origin: &Origin) -> Result<(), copydesk_edit::Error> {
        self.cell.dispatch(changes, origin)
    }

    fn commit<'a>(
        &'a self,
        changes: &'a [Change],
        origin: &'a Origin,
    ) -> LocalFuture<'a, Result<bool, copydesk_edit::Error>> {
        made_at_once(self.dispatch(changes, origin))
    }

    fn synced(&self) -> LocalFuture<'_, ()> {
        at_once(())
    }

    fn new_turn(&self) -> String {
        self.cell.new_turn()
    }

    fn guards(&self) -> Rc<Bound> {
        self.cell.guards()
    }

    fn selection(&self) -> Option<Range<usize>> {
        self.selection.get().map(|(from, to)| from..to)
    }

    fn proposes(&self) -> bool {
        self.cell.proposes()
    }
}

impl BlockParser for Selecting {
    fn parse(&self, html: &str, at: usize) -> Result<Vec<Node>, copydesk_edit::Error> {
        self.cell.parse(html, at)
    }

    fn html(&self, blocks: Range<usize>) -> Result<String, copydesk_edit::Error> {
        self.cell.html(blocks)
    }

    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        self.cell.markdown()
    }

    fn missing(&self) -> Option<LocalFuture<'_, ()>> {
        None
    }
}

impl Reviewer for Selecting {
    fn in_editor(&self, position: usize) -> usize {
        self.cell.in_editor(position)
    }

    fn in_document(&self, range: Range<usize>) -> Range<usize> {
        self.cell.in_document(range)
    }

    fn verdicts(&self, turns: &[String]) -> Vec<Verdict> {
        self.cell.verdicts(turns)
    }

    fn decided<'a>(&'a self, turns: &'a [String]) -> LocalFuture<'a, Vec<Verdict>> {
        at_once(self.verdicts(turns))
    }
}

/// Returns a tool of the app that returns its arguments after a delay in milliseconds.
pub fn slow_tool(name: &str, ms: u64) -> Tool {
    tool(json!({ "name": name, "description": "Waits.", "parameters": {} }), move |arguments, context| {
        Box::pin(async move {
            context.clock.sleep(ms).await;
            Ok(output(Value::Object(arguments)))
        })
    })
}

/// A tool of the app.
pub fn tool(spec: Value, run: impl Fn(Map<String, Value>, ToolContext) -> ToolFuture + 'static) -> Tool {
    app_tool(&spec, Rc::new(run)).unwrap()
}

impl Harness {
    /// Creates an agent with a document of this HTML and a server with these responses.
    pub fn new(html: &str, answers: Vec<Answer>) -> Harness {
        Harness::with(html, answers, json!({}), |_, _| {})
    }

    /// Does the same with further options and a listener.
    pub fn with(html: &str, answers: Vec<Answer>, more: Value, listen: impl Fn(&Agent, &Event) + 'static) -> Harness {
        Harness::hosted(html, answers, more, listen, |_, _, document| (None, Rc::new(document.clone())))
    }

    /// Does the same with a recorder, created from the clock, the options and the document.
    pub fn recorded(
        html: &str,
        answers: Vec<Answer>,
        more: Value,
        listen: impl Fn(&Agent, &Event) + 'static,
        recorder: impl FnOnce(Rc<dyn Clock>, &Value, &ReviewCell) -> Recorder,
    ) -> Harness {
        Harness::hosted(html, answers, more, listen, |clock, options, document| {
            (Some(recorder(clock, options, document)), Rc::new(document.clone()))
        })
    }

    /// Does the same with a host that `change` returns.
    pub fn on_host(
        html: &str,
        answers: Vec<Answer>,
        more: Value,
        listen: impl Fn(&Agent, &Event) + 'static,
        change: impl FnOnce(AgentHost) -> AgentHost,
    ) -> Harness {
        Harness::made(html, answers, more, listen, |_, _, document| (None, Rc::new(document.clone())), change)
    }

    /// Does the same with an optional recorder and a document host.
    pub fn hosted(
        html: &str,
        answers: Vec<Answer>,
        more: Value,
        listen: impl Fn(&Agent, &Event) + 'static,
        host: impl FnOnce(Rc<dyn Clock>, &Value, &ReviewCell) -> (Option<Recorder>, Rc<dyn ReviewHost>),
    ) -> Harness {
        Harness::made(html, answers, more, listen, host, |host| host)
    }

    /// Does the same with a host that `change` returns.
    pub fn made(
        html: &str,
        answers: Vec<Answer>,
        more: Value,
        listen: impl Fn(&Agent, &Event) + 'static,
        host: impl FnOnce(Rc<dyn Clock>, &Value, &ReviewCell) -> (Option<Recorder>, Rc<dyn ReviewHost>),
        change: impl FnOnce(AgentHost) -> AgentHost,
    ) -> Harness {
        let mut options = json!({
            "llmConfig": {
                "model": { "api": "openai-completions", "modelId": "test-model" },
                "streamOptions": { "apiKey": "sk-secret", "baseUrl": "https://llm.example/v1" },
            },
            // Most tests count messages; those of what the model sees set it.
            "documentInPrompt": false,
        });
        options.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let document = ReviewCell::new(Document::from_html(html).unwrap());
        let (clock, events) = (TestClock::default(), Rc::new(RefCell::new(Vec::new())));
        let server =
            Rc::new(Server { answers: RefCell::new(answers.into()), clock: clock.clone(), ..Server::default() });
        let itself: Rc<RefCell<Option<Agent>>> = Rc::default();
        let listener = {
            let (events, itself) = (events.clone(), itself.clone());
            move |event: Event| {
                events.borrow_mut().push(event.clone());
                let agent = itself.borrow().clone();
                listen(&agent.unwrap(), &event);
            }
        };
        let hand = Rc::new(clock.clone());
        let said: Rc<RefCell<Vec<HookFn>>> = Rc::default();
        let slowly: Rc<RefCell<Option<HookDelay>>> = Rc::default();
        let hooks = Rc::new(TestHooks(said.clone(), slowly.clone()));
        let (recorder, host) = host(hand.clone(), &options, &document);
        let options: AgentOptions = copydesk_base::decode::from_value(&options).unwrap();
        let agent_host = AgentHost {
            fetch: server.clone(),
            clock: hand,
            hooks,
            workspace: None,
            log: Log::silent(),
            listener: Rc::new(listener),
        };
        let agent_host = change(agent_host);
        let agent_host = match recorder {
            Some(recorder) => recorder.host(agent_host),
            None => agent_host,
        };
        let agent = Agent::new(options, host, agent_host);
        *itself.borrow_mut() = Some(agent.clone());
        Harness { agent, document, server, clock, events, hooks: said, slowly }
    }

    /// Answers all requests to the model with a function.
    pub fn answers_by(&self, answer: impl Fn(Value) -> Answer + 'static) {
        *self.server.by.borrow_mut() = Some(Box::new(answer));
    }

    /// Does the same with a host of the document whose editor has the returned selection.
    pub fn selecting(
        html: &str,
        answers: Vec<Answer>,
        more: Value,
        listen: impl Fn(&Agent, &Event) + 'static,
        selection: Rc<Cell<Option<(usize, usize)>>>,
    ) -> Harness {
        Harness::hosted(html, answers, more, listen, |_, _, document| {
            (None, Rc::new(Selecting { cell: document.clone(), selection }))
        })
    }

    /// Sets a hook of the agent.
    pub fn hook(&self, hook: Hook, answer: impl Fn(Value) -> Result<Value, copydesk_agent::Error> + 'static) {
        self.hooks.borrow_mut().push((hook, Some(Box::new(answer))));
    }

    /// Sets a hook that returns after a delay.
    pub fn hook_slowly(
        &self,
        hook: Hook,
        takes: impl Fn() -> u64 + 'static,
        answer: impl Fn(Value) -> Result<Value, copydesk_agent::Error> + 'static,
    ) {
        *self.slowly.borrow_mut() = Some((self.clock.clone(), Box::new(takes)));
        self.hook(hook, answer);
    }

    /// Sets a hook that never returns.
    pub fn hook_that_hangs(&self, hook: Hook) {
        self.hooks.borrow_mut().push((hook, None));
    }

    /// Polls a future until everything waits, without advancing the clock.
    pub fn poll<T>(&self, future: &mut Pin<Box<dyn Future<Output = T>>>) -> Poll<T> {
        future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
    }

    /// Returns a function that advances the clock.
    pub fn hand(&self) -> impl Fn(f64) + use<> {
        let clock = self.clock.clone();
        move |ms| clock.pass(ms)
    }

    /// Advances the clock.
    pub fn pass(&self, ms: f64) {
        self.clock.pass(ms);
    }

    /// Makes the model read the whole document in a run of its own, whose events and requests are dropped.
    pub fn read(&self) {
        self.read_by("get_document");
    }

    /// Makes the model read all lines, as [`Harness::read`] does.
    pub fn read_lines(&self) {
        self.read_by("read_lines");
    }

    fn read_by(&self, tool: &str) {
        {
            let mut answers = self.server.answers.borrow_mut();
            answers.push_front(says("Read."));
            answers.push_front(calls(&[("read", tool, json!({}))]));
        }
        assert_eq!(self.prompt("Read").status, Outcome::Complete);
        self.events.borrow_mut().clear();
        self.server.requests.borrow_mut().clear();
    }

    /// Runs a prompt to its end.
    pub fn prompt(&self, text: &str) -> RunResult {
        self.wait(self.agent.prompt(text).unwrap())
    }

    /// Waits for a future. When everything waits, the clock advances to the next alarm.
    pub fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.clock.wait(future)
    }

    /// Returns the events as JSON.
    pub fn events(&self) -> Vec<Value> {
        self.events.borrow().iter().map(|event| serde_json::to_value(event).unwrap()).collect()
    }

    /// Returns the types of the events.
    pub fn event_types(&self) -> Vec<String> {
        self.events().iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
    }

    /// Returns the only event of a type.
    pub fn event(&self, kind: &str) -> Value {
        let mut events = self.events();
        events.retain(|event| event["type"] == kind);
        assert_eq!(events.len(), 1, "{kind}: {:?}", self.event_types());
        events.remove(0)
    }

    /// Returns the bodies of requests to the model, and the URLs of other requests.
    pub fn requests(&self) -> Vec<Value> {
        let requests = self.server.requests.borrow();
        let shown = |request: &Request| match &request.body {
            Some(body) => serde_json::from_str(body).unwrap(),
            None => json!(request.url),
        };
        requests.iter().map(shown).collect()
    }

    /// Returns the keys in the requests to the model.
    pub fn keys(&self) -> Vec<String> {
        let requests = self.server.requests.borrow();
        let key = |request: &Request| request.headers.iter().find(|(name, _)| *name == "authorization").cloned();
        requests.iter().filter_map(key).map(|(_, value)| value).collect()
    }

    /// Returns the number of responses being read.
    pub fn open_connections(&self) -> usize {
        self.server.reads.open()
    }

    pub fn html(&self) -> String {
        self.document.document().to_html()
    }

    /// Returns the time that has passed, in milliseconds.
    pub fn now(&self) -> f64 {
        self.clock.now()
    }
}

/// Returns whether a string or a member name in a JSON value contains `text`.
pub fn contains_text(value: &Value, text: &str) -> bool {
    match value {
        Value::String(string) => string.contains(text),
        Value::Array(items) => items.iter().any(|item| contains_text(item, text)),
        Value::Object(members) => members.iter().any(|(name, value)| name.contains(text) || contains_text(value, text)),
        _ => false,
    }
}
