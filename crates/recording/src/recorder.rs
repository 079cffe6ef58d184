//! Records everything that an agent receives from its host.

use super::answer::without_key;
use super::body::StoredText;
use super::file::rounded;
use super::inputs::with_default;
use super::redact::{add_settings, redact_chunks, redact_settings, redact_url};
use super::{AppAnswer, During, Exchange, Input, RecordedResponse, RecordedValue, Recording, TimeMark, event_value};
use copydesk_agent::event::Event;
use copydesk_agent::tools::ToolContext;
use copydesk_base::host::{Clock, Fetch, LocalFuture, Request};
use copydesk_base::secrets::{Secrets, is_harmless};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

pub(crate) mod app;
pub mod document;
mod host;

/// The default limit of a recording, in bytes.
pub const LIMIT: usize = 64 << 20;
/// The input whose value is settings, which may hold keys.
const CONFIGURE: &str = "configure";
/// The size of an item without its texts, in bytes.
const ITEM: usize = 64;
/// The input that states only that time has passed.
const WAIT: &str = "wait";
/// The duration of a listener from which on it is recorded, in milliseconds.
const SLOW_LISTENER: f64 = 20.0;

/// Records the runs of an agent. Clones are the same recorder.
///
/// It holds keys; [`recording`](Recorder::recording) returns a recording without them.
#[derive(Clone)]
pub struct Recorder(Rc<RecorderState>);

struct RecorderState {
    clock: Rc<dyn Clock>,
    /// The network without this recorder.
    fetch: RefCell<Option<Rc<dyn Fetch>>>,
    began: f64,
    limit: usize,
    size: Cell<usize>,
    /// The recording with keys.
    recording: RefCell<Recording>,
    secrets: Secrets,
    order: Cell<u64>,
    /// The number of timers that were set.
    timers: Cell<u64>,
    /// The number of the last event; those from before the recording do not count.
    seq: Cell<u64>,
    callee: Cell<Callee>,
    /// The functions that were pending since their last value.
    waited: RefCell<Vec<During>>,
    /// The last request with a body, from which the difference of the next one is taken.
    last: RefCell<Option<(usize, String)>>,
}

/// The function that the agent is calling. Inputs before it returns belong to it.
#[derive(Clone, Copy)]
enum Callee {
    None,
    /// A listener of events, or the host of the document.
    Listener,
    /// A function of the app.
    App(During),
}

/// The state at the beginning of a recording.
#[derive(Clone, Debug, Default)]
pub struct Beginning {
    /// The options of the agent, as the app gave them. Keys in them are redacted from then on.
    pub settings: Value,
    /// The schema of the document, as the app gave it; null for TipTap's own.
    pub schema: Value,
    /// The document, as JSON text.
    pub document: String,
    /// The conversation so far.
    pub messages: Value,
}

impl Recorder {
    /// Begins a recording of at most `limit` bytes, such as [`LIMIT`]. The agent must not be working.
    pub fn new(beginning: Beginning, clock: Rc<dyn Clock>, limit: usize) -> Recorder {
        let secrets = Secrets::default();
        add_settings(&secrets, &beginning.settings);
        let Beginning { settings, schema, document, messages } = beginning;
        let settings = with_default(settings, true);
        let size = document.len() + weight(&schema) + weight(&messages) + weight(&settings);
        let copydesk = env!("CARGO_PKG_VERSION").to_owned();
        let recording = Recording { copydesk, settings, schema, before: document, messages, ..Recording::default() };
        Recorder(Rc::new(RecorderState {
            began: clock.now(),
            clock,
            fetch: RefCell::default(),
            limit,
            size: Cell::new(size),
            recording: RefCell::new(recording),
            secrets,
            order: Cell::new(0),
            timers: Cell::new(0),
            seq: Cell::new(0),
            callee: Cell::new(Callee::None),
            waited: RefCell::default(),
            last: RefCell::default(),
        }))
    }

    /// Adds a key that is in no setting and no header, such as one that a hook returned.
    pub fn add_key(&self, key: &str) {
        self.0.secrets.add(key);
    }

    /// Returns the recording so far, without keys. `after` is the current document, as JSON text.
    pub fn recording(&self, after: &str) -> Recording {
        let mut recording = self.0.recording.borrow().clone();
        recording.after = after.to_owned();
        let keys = &self.0.secrets;
        redact_settings(keys, &mut recording.settings);
        keys.redact_value(&mut recording.schema);
        keys.redact_value(&mut recording.messages);
        recording.before = keys.redact(&recording.before);
        recording.after = keys.redact(&recording.after);
        recording.events.iter_mut().for_each(|event| keys.redact_value(event));
        for Input { name, value, .. } in &mut recording.inputs {
            if name == CONFIGURE { redact_settings(keys, value) } else { keys.redact_value(value) }
        }
        for answer in &mut recording.answers {
            answer.id = keys.redact(&answer.id);
            answer.updates.iter_mut().chain(&mut answer.said).for_each(|said| keys.redact_value(&mut said.value));
        }
        let raw = self.0.recording.borrow();
        let mut earlier: Option<(usize, String)> = None;
        for (at, exchange) in recording.requests.iter_mut().enumerate() {
            exchange.url = redact_url(keys, &exchange.url);
            if let Some(failed) = &mut exchange.failed {
                failed.error.what = keys.redact(&failed.error.what);
            }
            if let Some(response) = &mut exchange.response {
                response.content_type = keys.redact(&response.content_type);
                if let Some(failure) = response.end.as_mut().and_then(|end| end.error.as_mut()) {
                    failure.what = keys.redact(&failure.what);
                }
                redact_chunks(keys, &mut response.chunks);
            }
            // Keys are looked for in whole bodies: a difference may contain a part of a key.
            if exchange.body.is_some() {
                let body = keys.redact(&raw.body_of(at).unwrap_or_default());
                exchange.body =
                    Some(StoredText::beyond(earlier.as_ref().map(|(at, body)| (*at, body.as_str())), &body));
                earlier = Some((at, body));
            }
        }
        recording
    }

    /// Returns a network that records requests and answers.
    pub fn fetch(&self, inner: Rc<dyn Fetch>) -> Rc<dyn Fetch> {
        *self.0.fetch.borrow_mut() = Some(inner.clone());
        Rc::new(host::RecordedFetch { recorder: self.clone(), inner })
    }

    /// Returns a clock that records timers and random numbers.
    pub fn clock(&self, inner: Rc<dyn Clock>) -> Rc<dyn Clock> {
        Rc::new(host::RecordedClock { recorder: self.clone(), inner })
    }

    /// Returns a listener that records each event before it calls `inner`.
    pub fn listener(&self, inner: Rc<dyn Fn(Event)>) -> Rc<dyn Fn(Event)> {
        let recorder = self.clone();
        Rc::new(move |event: Event| {
            let seq = &recorder.0.seq;
            seq.set(seq.get() + 1);
            let value = event_value(event.clone(), seq.get());
            recorder.write(weight(&value), |recording| recording.events.push(value));
            recorder.within(|| {
                let began = recorder.0.clock.now();
                inner(event);
                // A slow listener takes from the time of the run.
                if recorder.0.clock.now() - began > SLOW_LISTENER {
                    recorder.input(WAIT, Value::Null);
                }
            });
        })
    }

    /// Calls a listener or the host of the document: actions of the user before it returns are repeated there.
    pub fn within<T>(&self, call: impl FnOnce() -> T) -> T {
        self.calling(Callee::Listener, call)
    }

    /// Calls a function of the app: its actions before it returns are repeated there.
    pub(super) fn during<T>(&self, answer: Option<usize>, call: impl FnOnce() -> T) -> T {
        self.calling(Callee::new(answer.map(During::Answer)), call)
    }

    fn calling<T>(&self, callee: Callee, call: impl FnOnce() -> T) -> T {
        let before = self.0.callee.replace(callee);
        let given = call();
        self.0.callee.set(before);
        given
    }

    /// Waits for a function of the app. Returns its value, and true if it was ready when it was first polled.
    async fn wait_for<T>(&self, during: Option<During>, future: impl Future<Output = T>) -> (T, bool) {
        let mut future = pin!(future);
        let mut ready = true;
        // A body is polled for each chunk, and may have been dropped while it was pending.
        let _ = during.map(|during| self.ready(during));
        poll_fn(|cx| match self.calling(Callee::new(during), || future.as_mut().poll(cx)) {
            Poll::Ready(value) => Poll::Ready((value, during.map_or(ready, |during| self.ready(during)))),
            Poll::Pending => {
                ready = false;
                let mut waited = self.0.waited.borrow_mut();
                let is_new = during.filter(|during| !waited.contains(during));
                waited.extend(is_new);
                Poll::Pending
            }
        })
        .await
    }

    /// Returns true if a function was not pending since its last value.
    fn ready(&self, during: During) -> bool {
        let mut waited = self.0.waited.borrow_mut();
        let found = waited.iter().position(|waited| *waited == during);
        found.map(|at| waited.swap_remove(at)).is_none()
    }

    /// Records an action of the user or the app. Called before the action.
    pub fn input(&self, name: &str, mut value: Value) {
        if name == CONFIGURE {
            add_settings(&self.0.secrets, &value);
            value = with_default(value, true);
        }
        let (inside, during, ready) = match self.0.callee.get() {
            Callee::None => (false, None, true),
            Callee::Listener => (true, None, true),
            Callee::App(during) => (false, Some(during), self.ready(during)),
        };
        let Some(TimeMark { order, at, ready }) = self.mark(ready) else { return };
        let (during_answer, during_request) = match during {
            Some(During::Answer(at)) => (Some(at), None),
            Some(During::Request(at)) => (None, Some(at)),
            None => (None, None),
        };
        let (after, name) = (self.0.seq.get(), name.to_owned());
        let input = Input { after, inside, during_answer, during_request, name, value, order, at, ready };
        self.write(weight(&input.value), |recording| recording.inputs.push(input));
    }

    /// Waits for a tool or a hook of the app.
    pub async fn ask(&self, what: &str, id: &str, future: LocalFuture<'_, Value>) -> Value {
        self.answer(self.begin_call(what, id), future).await
    }

    /// Records the call of a tool or a hook. Returns the index of its answer.
    pub(super) fn begin_call(&self, what: &str, id: &str) -> Option<usize> {
        let answer = AppAnswer { what: what.to_owned(), id: id.to_owned(), ..AppAnswer::default() };
        self.write(what.len() + id.len(), |recording| {
            recording.answers.push(answer);
            recording.answers.len() - 1
        })
    }

    /// Removes the call of a hook that the app does not have.
    pub(super) fn remove_call(&self, answer: Option<usize>) {
        if let Some(at) = answer {
            self.0.recording.borrow_mut().answers.truncate(at);
        }
    }

    /// Waits for the answer of a call, and records it.
    pub(super) async fn answer(&self, at: Option<usize>, future: LocalFuture<'_, Value>) -> Value {
        let (value, ready) = self.wait_for(at.map(During::Answer), future).await;
        self.record_answer(at, ready, &value);
        value
    }

    /// Records the answer of a call.
    pub(super) fn record_answer(&self, at: Option<usize>, ready: bool, value: &Value) {
        if let (Some(answer), Some(TimeMark { order, at, ready })) = (at, self.mark(ready)) {
            self.write(weight(value), |recording| {
                let answer = &mut recording.answers[answer];
                answer.said = Some(RecordedValue { value: without_key(&answer.what, value), order, at, ready });
            });
        }
    }

    /// Records a call that was answered at once.
    pub(super) fn record_at_once(&self, what: &str, id: &str, value: &Value) {
        self.record_answer(self.begin_call(what, id), true, value);
    }

    /// Gives a tool the host without this recorder.
    pub(super) fn bypass(&self, context: &mut ToolContext) {
        context.clock = self.0.clock.clone();
        if let Some(fetch) = self.0.fetch.borrow().clone() {
            context.fetch = fetch;
        }
    }

    /// Records the progress that a tool reports.
    pub fn update(&self, what: &str, id: &str, value: Value) {
        let of_call = |answer: &AppAnswer| answer.what == what && answer.id == id && answer.said.is_none();
        let at = self.0.recording.borrow().answers.iter().rposition(of_call);
        if let Some(answer) = at
            && let Some(TimeMark { order, at, ready }) = self.mark(self.ready(During::Answer(answer)))
        {
            self.write(weight(&value), |recording| {
                recording.answers[answer].updates.push(RecordedValue { value, order, at, ready });
            });
        }
    }

    /// Returns the time and the position of the next item; `None` after the limit.
    fn mark(&self, ready: bool) -> Option<TimeMark> {
        if self.0.recording.borrow().is_cut {
            return None;
        }
        let order = self.0.order.get();
        self.0.order.set(order + 1);
        Some(TimeMark { order, at: rounded(self.0.clock.now() - self.0.began), ready })
    }

    /// Writes an item with texts of `bytes` bytes, unless the limit is reached.
    fn write<T>(&self, bytes: usize, write: impl FnOnce(&mut Recording) -> T) -> Option<T> {
        let size = self.0.size.get().saturating_add(bytes).saturating_add(ITEM);
        let mut recording = self.0.recording.borrow_mut();
        recording.is_cut |= size > self.0.limit;
        if recording.is_cut {
            return None;
        }
        self.0.size.set(size);
        Some(write(&mut recording))
    }

    /// Records a request. Returns its index.
    fn begin_request(&self, request: &Request) -> Option<usize> {
        self.0.secrets.add_request(request);
        let TimeMark { order, at, ready } = self.mark(true)?;
        let header = |(name, value): &(String, String)| (name.clone(), is_harmless(name).then(|| value.clone()).into());
        let mut last = self.0.last.borrow_mut();
        let body = request.body.as_deref().map(|body| {
            let earlier = last.as_ref().map(|(at, body)| (*at, body.as_str()));
            StoredText::beyond(earlier, body)
        });
        let exchange = Exchange {
            method: request.method.to_owned(),
            url: request.url.clone(),
            headers: request.headers.iter().map(header).collect(),
            body,
            response: None,
            failed: None,
            order,
            at,
            ready,
        };
        let bytes = request.url.len() + exchange.body.as_ref().map_or(0, |body| body.text.len());
        let at = self.write(bytes, |recording| {
            recording.requests.push(exchange);
            recording.requests.len() - 1
        })?;
        if let Some(body) = &request.body {
            *last = Some((at, body.clone()));
        }
        Some(at)
    }

    /// Writes the head of a response, or the error that came in its place.
    fn answered(&self, request: Option<usize>, ready: bool, write: impl FnOnce(&mut Exchange, TimeMark)) {
        if let (Some(at), Some(mark)) = (request, self.mark(ready)) {
            self.write(0, |recording| write(&mut recording.requests[at], mark));
        }
    }

    /// Writes a part of a response. The time of the mark counts from its head.
    fn received(
        &self,
        request: Option<usize>,
        ready: bool,
        bytes: usize,
        write: impl FnOnce(&mut RecordedResponse, TimeMark),
    ) {
        if let (Some(at), Some(mark)) = (request, self.mark(ready)) {
            self.write(bytes, |recording| {
                if let Some(response) = &mut recording.requests[at].response {
                    let at = rounded(mark.at - response.at);
                    write(response, TimeMark { at, ..mark });
                }
            });
        }
    }
}

impl Callee {
    fn new(during: Option<During>) -> Callee {
        during.map_or(Callee::None, Callee::App)
    }
}

/// Returns the approximate length of a value as JSON, in bytes.
fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.iter().map(|item| weight(item) + 1).sum::<usize>() + 2,
        Value::Object(members) => members.iter().map(|(name, value)| name.len() + 4 + weight(value)).sum::<usize>() + 2,
        _ => 5,
    }
}
