//! An outside for agents: a server that says what it is told to, and a clock that only moves when all wait.

use copydesk_agent::hooks::{Given, Hook, Hooks};
use copydesk_agent::log::Log;
use copydesk_agent::tools::app::{output, tool as app_tool};
use copydesk_agent::tools::{Tool, ToolContext, ToolFuture};
use copydesk_agent::{Agent, AgentHost, AgentOptions, Event, Outcome, RunResult};
use copydesk_base::Error;
use copydesk_base::host::{Body, Clock, Fetch, LocalFuture, Request, Response};
use copydesk_document::Document;
use copydesk_edit::{DocumentCell, DocumentHost};
use copydesk_recording::Recorder;
use serde_json::{Map, Value, json};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, pending, poll_fn, ready};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// What the server does with one request.
pub enum Answer {
    /// Sends a head and then these pieces.
    Stream { status: u16, content_type: &'static str, pieces: Vec<Vec<u8>>, end: End },
    /// Sends a status and when to ask again, in milliseconds.
    Later { status: u16, retry_after: u64 },
    /// Sends an event stream, each piece so many milliseconds after the one before.
    Slowly(u64, Vec<Vec<u8>>),
    /// Sends nothing: no answer comes.
    Fails(Error),
    /// Takes the request and never answers.
    Hangs,
}

/// What comes after the last piece.
#[derive(Clone)]
pub enum End {
    Closes,
    Breaks(Error),
    Hangs,
}

/// An event stream that ends as it should.
pub fn stream(body: &str) -> Answer {
    let pieces = body.split_inclusive("\n\n").map(|piece| piece.as_bytes().to_vec()).collect();
    Answer::Stream { status: 200, content_type: "text/event-stream", pieces, end: End::Closes }
}

/// A whole answer with a status.
pub fn page(status: u16, content_type: &'static str, body: &str) -> Answer {
    Answer::Stream { status, content_type, pieces: vec![body.as_bytes().to_vec()], end: End::Closes }
}

/// The stream of an answer that says something.
pub fn says(text: &str) -> Answer {
    stream(&chunks(&[json!({ "content": text })], "stop"))
}

/// The stream of an answer that calls tools: `(id, name, arguments)`.
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

/// An event stream of deltas, a finish and the usage.
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
    /// What answers where no answer was written down.
    by: RefCell<Option<AnswerFn>>,
    /// How many answers are being read.
    open: Rc<Cell<usize>>,
    clock: Rc<TestClock>,
}

type AnswerFn = Box<dyn Fn(Value) -> Answer>;

impl Server {
    fn answer(&self, request: &Request) -> Answer {
        let written = self.answers.borrow_mut().pop_front();
        let by = self.by.borrow();
        let made = || by.as_ref().map(|by| by(serde_json::from_str(request.body.as_deref().unwrap()).unwrap()));
        written.or_else(made).expect("a request that no answer was written for")
    }

    fn opened(&self) -> Rc<Cell<usize>> {
        self.open.set(self.open.get() + 1);
        self.open.clone()
    }
}

impl Fetch for Server {
    fn fetch(&self, request: Request) -> LocalFuture<'_, Result<Response, Error>> {
        let answer = self.answer(&request);
        self.requests.borrow_mut().push(request);
        match answer {
            Answer::Fails(error) => Box::pin(ready(Err(error))),
            Answer::Hangs => Box::pin(pending()),
            Answer::Later { status, retry_after } => Box::pin(ready(Ok(Response {
                status,
                content_type: String::new(),
                retry_after: Some(retry_after),
                body: Box::new(Pieces { pieces: VecDeque::new(), end: End::Closes, open: self.opened() }),
            }))),
            Answer::Slowly(ms, pieces) => {
                let pieces = Pieces { pieces: pieces.into(), end: End::Closes, open: self.opened() };
                let body = Box::new(Slowly(Hand(self.clock.clone()), ms, pieces));
                let content_type = "text/event-stream".to_owned();
                Box::pin(ready(Ok(Response { status: 200, content_type, retry_after: None, body })))
            }
            Answer::Stream { status, content_type, pieces, end } => {
                let body = Box::new(Pieces { pieces: pieces.into(), end, open: self.opened() });
                let content_type = content_type.to_owned();
                Box::pin(ready(Ok(Response { status, content_type, retry_after: None, body })))
            }
        }
    }
}

struct Pieces {
    pieces: VecDeque<Vec<u8>>,
    end: End,
    open: Rc<Cell<usize>>,
}

impl Body for Pieces {
    fn chunk(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, Error>> {
        match (self.pieces.pop_front(), &self.end) {
            (Some(piece), _) => Box::pin(ready(Ok(Some(piece)))),
            (None, End::Closes) => Box::pin(ready(Ok(None))),
            (None, End::Breaks(error)) => Box::pin(ready(Err(error.clone()))),
            (None, End::Hangs) => Box::pin(pending()),
        }
    }
}

impl Drop for Pieces {
    fn drop(&mut self) {
        self.open.set(self.open.get() - 1);
    }
}

/// Waits before each piece.
struct Slowly(Hand, u64, Pieces);

impl Body for Slowly {
    fn chunk(&mut self) -> LocalFuture<'_, Result<Option<Vec<u8>>, Error>> {
        Box::pin(async {
            self.0.sleep(self.1).await;
            self.2.chunk().await
        })
    }
}

#[derive(Default)]
struct TestClock {
    now: Cell<f64>,
    alarms: RefCell<Vec<f64>>,
}

struct Hand(Rc<TestClock>);

impl Clock for Hand {
    fn now(&self) -> f64 {
        self.0.now.get()
    }

    fn sleep(&self, ms: u64) -> LocalFuture<'static, ()> {
        let clock = self.0.clone();
        let until = clock.now.get() + ms as f64;
        clock.alarms.borrow_mut().push(until);
        Box::pin(poll_fn(move |_| if clock.now.get() >= until { Poll::Ready(()) } else { Poll::Pending }))
    }

    /// Always the middle: what is waited for is then no matter of chance.
    fn random(&self) -> f64 {
        0.5
    }
}

/// True if something has happened that needs no time.
#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// An agent, its document and its outside.
pub struct World {
    pub agent: Agent,
    pub document: DocumentCell,
    server: Rc<Server>,
    clock: Rc<TestClock>,
    events: Rc<RefCell<Vec<Event>>>,
    hooks: Rc<RefCell<Vec<HookFn>>>,
    slowly: Rc<RefCell<Option<Takes>>>,
}

/// How long a hook takes for its answer.
type Takes = (Rc<TestClock>, Box<dyn Fn() -> u64>);

/// What a hook answers; one without an answer never does.
type HookFn = (Hook, Option<Box<dyn Fn(Value) -> Result<Value, copydesk_agent::Error>>>);

struct TestHooks(Rc<RefCell<Vec<HookFn>>>, Rc<RefCell<Option<Takes>>>);

impl Hooks for TestHooks {
    fn call(&self, hook: Hook, given: Given<'_>) -> Option<LocalFuture<'static, Result<Value, copydesk_agent::Error>>> {
        let hooks = self.0.borrow();
        let (_, answer) = hooks.iter().find(|(name, _)| *name == hook)?;
        match answer {
            Some(answer) => {
                let answer = answer(given());
                let slowly = self.1.borrow();
                let Some((clock, takes)) = &*slowly else { return Some(Box::pin(ready(answer))) };
                let waiting = (takes(), Hand(clock.clone()));
                Some(Box::pin(async move {
                    match waiting {
                        (0, _) => {}
                        (ms, hand) => hand.sleep(ms).await,
                    }
                    answer
                }))
            }
            None => Some(Box::pin(pending())),
        }
    }
}

/// A tool of the app that takes so many milliseconds and gives back what it was given.
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

impl World {
    /// An agent with a document of this HTML and a server that gives these answers, one after the other.
    pub fn new(html: &str, answers: Vec<Answer>) -> World {
        World::with(html, answers, json!({}), |_, _| {})
    }

    /// The same with further options, and with something that listens: it is given the agent and each event.
    pub fn with(html: &str, answers: Vec<Answer>, more: Value, listen: impl Fn(&Agent, &Event) + 'static) -> World {
        World::hosted(html, answers, more, listen, |_, _, document| (None, Rc::new(document.clone())))
    }

    /// The same with a recorder around the agent, made of the clock, the options and the document.
    pub fn recorded(
        html: &str,
        answers: Vec<Answer>,
        more: Value,
        listen: impl Fn(&Agent, &Event) + 'static,
        recorder: impl FnOnce(Rc<dyn Clock>, &Value, &DocumentCell) -> Recorder,
    ) -> World {
        World::hosted(html, answers, more, listen, |clock, options, document| {
            (Some(recorder(clock, options, document)), Rc::new(document.clone()))
        })
    }

    /// The same with a recorder, if there is one, and a host of the document.
    pub fn hosted(
        html: &str,
        answers: Vec<Answer>,
        more: Value,
        listen: impl Fn(&Agent, &Event) + 'static,
        host: impl FnOnce(Rc<dyn Clock>, &Value, &DocumentCell) -> (Option<Recorder>, Rc<dyn DocumentHost>),
    ) -> World {
        let mut options = json!({
            "llmConfig": {
                "model": { "api": "openai-completions", "modelId": "test-model" },
                "streamOptions": { "apiKey": "sk-secret", "baseUrl": "https://llm.example/v1" },
            }
        });
        options.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let document = DocumentCell::new(Document::from_html(html).unwrap());
        let (clock, events) = (Rc::new(TestClock::default()), Rc::new(RefCell::new(Vec::new())));
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
        let hand = Rc::new(Hand(clock.clone()));
        let said: Rc<RefCell<Vec<HookFn>>> = Rc::default();
        let slowly: Rc<RefCell<Option<Takes>>> = Rc::default();
        let hooks = Rc::new(TestHooks(said.clone(), slowly.clone()));
        let (recorder, host) = host(hand.clone(), &options, &document);
        let options: AgentOptions = copydesk_base::decode::from_value(&options).unwrap();
        let agent_host =
            AgentHost { fetch: server.clone(), clock: hand, hooks, log: Log::silent(), listener: Rc::new(listener) };
        let agent_host = match recorder {
            Some(recorder) => recorder.host(agent_host),
            None => agent_host,
        };
        let agent = Agent::new(options, host, agent_host);
        *itself.borrow_mut() = Some(agent.clone());
        World { agent, document, server, clock, events, hooks: said, slowly }
    }

    /// Answers whatever is asked of the model.
    pub fn answers_by(&self, answer: impl Fn(Value) -> Answer + 'static) {
        *self.server.by.borrow_mut() = Some(Box::new(answer));
    }

    /// Gives the agent a hook.
    pub fn hook(&self, hook: Hook, answer: impl Fn(Value) -> Result<Value, copydesk_agent::Error> + 'static) {
        self.hooks.borrow_mut().push((hook, Some(Box::new(answer))));
    }

    /// The same, and its answer comes after as many milliseconds as this says.
    pub fn hook_slowly(
        &self,
        hook: Hook,
        takes: impl Fn() -> u64 + 'static,
        answer: impl Fn(Value) -> Result<Value, copydesk_agent::Error> + 'static,
    ) {
        *self.slowly.borrow_mut() = Some((self.clock.clone(), Box::new(takes)));
        self.hook(hook, answer);
    }

    /// Gives the agent a hook that never answers.
    pub fn hook_that_hangs(&self, hook: Hook) {
        self.hooks.borrow_mut().push((hook, None));
    }

    /// Polls a future until nothing is left to do but wait; no time passes.
    pub fn poll<T>(&self, future: &mut Pin<Box<dyn Future<Output = T>>>) -> Poll<T> {
        future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
    }

    /// Lets time pass, from wherever it is called.
    pub fn hand(&self) -> impl Fn(f64) + use<> {
        let clock = self.clock.clone();
        move |ms| clock.now.set(clock.now.get() + ms)
    }

    /// Lets time pass.
    pub fn pass(&self, ms: f64) {
        self.clock.now.set(self.clock.now.get() + ms);
    }

    /// Has the model read the whole document in a run of its own, of whose events and requests nothing is kept.
    pub fn read(&self) {
        {
            let mut answers = self.server.answers.borrow_mut();
            answers.push_front(says("Read."));
            answers.push_front(calls(&[("read", "get_document", json!({}))]));
        }
        assert_eq!(self.prompt("Read").status, Outcome::Complete);
        self.events.borrow_mut().clear();
        self.server.requests.borrow_mut().clear();
    }

    /// Runs a prompt to its end.
    pub fn prompt(&self, text: &str) -> RunResult {
        self.wait(self.agent.prompt(text).unwrap())
    }

    /// Waits for a future. When it waits, the clock moves on to the next alarm.
    pub fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        let woken = Arc::new(Woken::default());
        let waker = Waker::from(woken.clone());
        let mut context = Context::from_waker(&waker);
        loop {
            if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
                return value;
            }
            if woken.0.swap(false, Ordering::Relaxed) {
                continue;
            }
            let now = self.clock.now.get();
            let next = self.clock.alarms.borrow().iter().copied().filter(|alarm| *alarm > now).reduce(f64::min);
            self.clock.now.set(next.expect("everything waits and no alarm is set"));
        }
    }

    /// What was reported, as JSON.
    pub fn events(&self) -> Vec<Value> {
        self.events.borrow().iter().map(|event| serde_json::to_value(event).unwrap()).collect()
    }

    /// The types of what was reported.
    pub fn event_types(&self) -> Vec<String> {
        self.events().iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
    }

    /// The only event of a type.
    pub fn event(&self, kind: &str) -> Value {
        let mut events = self.events();
        events.retain(|event| event["type"] == kind);
        assert_eq!(events.len(), 1, "{kind}: {:?}", self.event_types());
        events.remove(0)
    }

    /// The bodies of the requests to the model, and the addresses of the others.
    pub fn requests(&self) -> Vec<Value> {
        let requests = self.server.requests.borrow();
        let shown = |request: &Request| match &request.body {
            Some(body) => serde_json::from_str(body).unwrap(),
            None => json!(request.url),
        };
        requests.iter().map(shown).collect()
    }

    /// The keys that were sent with the requests to the model.
    pub fn keys(&self) -> Vec<String> {
        let requests = self.server.requests.borrow();
        let key = |request: &Request| request.headers.iter().find(|(name, _)| *name == "authorization").cloned();
        requests.iter().filter_map(key).map(|(_, value)| value).collect()
    }

    /// How many answers are still being read.
    pub fn open_connections(&self) -> usize {
        self.server.open.get()
    }

    pub fn html(&self) -> String {
        self.document.document().to_html()
    }

    /// The milliseconds that have passed.
    pub fn now(&self) -> f64 {
        self.clock.now.get()
    }
}
