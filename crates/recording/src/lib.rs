//! Recordings of runs: everything that an agent received from its host, so that the same run can be played again.
//!
//! People report a bug by sending such a file, and a test plays it. Everything that an agent does follows from what comes
//! to it: answers of servers, timers, results of the app's own tools and hooks, random numbers, and what the person does.
//! A [`Recorder`] writes these down, each with its place in **one order of all that came**. A [`Replay`] gives them again in this
//! order: nothing comes before its turn, so that calls that ran beside each other end in the order in which they did, however
//! fast it is played.
//!
//! [`Tape`] is what an agent holds: off, recording or replaying. How it is used:
//!
//! 1. [`Tape::outside`] goes between the agent and its outside, once, when the agent is made; [`Tape::execute`] and
//!    [`Tape::needs_approval`] go around the functions of the app's tools.
//! 2. Each call of the person (`prompt`, `abort` …) first says so with [`Tape::input`], and so does whoever hears that the person
//!    changed the document (`sync`), or decided about a hunk. What the agent does itself is no input. [`inputs`] has the names.
//! 3. The agent works on the document by way of [`document`], which says what an editor answers that copydesk itself would not.
//! 4. Whatever else is waited for from outside goes through [`Tape::ask`]: it runs the future, or gives what it gave then.
//!
//! **No key is in a recording** ([`redact`]): what is told to it as a key, and what stands where keys stand, is redacted in all
//! texts, also where it came in several pieces.
#![forbid(unsafe_code)]

pub mod app;
pub mod body;
pub mod document;
mod error;
pub mod inputs;
pub mod json;
pub mod playback;
pub mod recorder;
pub mod redact;
pub mod replay;

pub use document::{RecordedDocument, ReplayedDocument};
pub use error::Error;
pub use inputs::ReplayAgent;
pub use recorder::{Beginning, Recorder};
pub use replay::{InputPlayer, Replay};

use body::Text;
use copydesk_agent::event::Event;
use copydesk_base::ErrorInfo;
use copydesk_base::fields::object;
use copydesk_base::host::{Clock, Fetch, LocalFuture};
use serde_json::Value;
use std::rc::Rc;

/// The number of the file format; a format that reads differently has another number.
pub const FORMAT: u64 = 1;

/// Everything that came to an agent from outside, and what it made of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// The version of copydesk that wrote it.
    pub copydesk: String,
    /// The options of the agent, without keys.
    pub settings: Value,
    /// The schema of the document as the app gave it; null for TipTap's own.
    pub schema: Value,
    /// The document before, as JSON text.
    pub before: String,
    /// The document after; empty where it was not told.
    pub after: String,
    /// The conversation before.
    pub messages: Value,
    /// In the order in which they were sent.
    pub requests: Vec<Exchange>,
    /// Only those that went off.
    pub timers: Vec<Timer>,
    /// The inputs of the user.
    pub inputs: Vec<Input>,
    /// The questions to tools and hooks of the app, with their answers.
    pub answers: Vec<Answer>,
    /// The random numbers that were drawn.
    pub random: Vec<f64>,
    /// The events of the agent, as [`event_value`] returns them.
    pub events: Vec<Value>,
    /// States that it reached its limit, so that what came later is missing.
    pub is_cut: bool,
}

/// The time at which something came.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mark {
    /// Its place among all that came.
    pub order: u64,
    /// Milliseconds since the recording began.
    pub at: f64,
    /// States that it was there when it was asked for, so that nothing had to wait.
    pub ready: bool,
}

/// A request and what came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exchange {
    /// When it was sent.
    pub sent: Mark,
    /// `GET` or `POST`.
    pub method: String,
    /// The address, without what is secret in it.
    pub url: String,
    /// The names of its headers; the values of those that are never secret.
    pub headers: Vec<(String, Option<String>)>,
    /// The body.
    pub body: Option<Text>,
    /// The head of the answer, or why none came; none where nobody waited for it.
    pub came: Option<(Mark, Result<Head, Failure>)>,
    /// The body of the answer.
    pub chunks: Vec<Chunk>,
    /// When it ended, and why it broke off; none where it was not read to its end.
    pub end: Option<(Mark, Option<Failure>)>,
}

/// The head of an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    /// The HTTP status.
    pub status: u16,
    /// Its `content-type`, or empty.
    pub content_type: String,
    /// After how many milliseconds the server wants to be asked again.
    pub retry_after: Option<u64>,
}

/// A piece of an answer, cut where the network cut it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chunk {
    /// When it came.
    pub came: Mark,
    /// A character may be cut in two.
    pub bytes: Vec<u8>,
}

/// An error of the network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Failure {
    /// The code of the error.
    pub code: String,
    /// The origin, the reason, or what was waited for.
    pub what: String,
    /// The time that was allowed, in milliseconds.
    pub ms: u64,
}

/// A timer that went off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timer {
    /// When it did.
    pub came: Mark,
    /// Zero-based index of the timer.
    pub number: u64,
    /// For how long it was set.
    pub ms: u64,
}

/// An input of the user.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// When.
    pub came: Mark,
    /// After which event; 0 before the first one of the recording.
    pub after: u64,
    /// States that a listener of this event did it, before anything else happened.
    pub inside: bool,
    /// Which function of the app did it, while the agent waited for it to return.
    pub during: Option<During>,
    /// The name of the input: `prompt`, `abort`, `sync` …
    pub name: String,
    /// With what.
    pub value: Value,
}

/// A function of the app that the agent has called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum During {
    /// A tool or a hook: the index of its answer.
    Answer(usize),
    /// Its own way to the network: the index of the request.
    Request(usize),
}

/// A question to a tool or a hook of the app.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The name of the question: `tool`, `beforeToolCall` …
    pub what: String,
    /// For which call, or which turn.
    pub id: String,
    /// The progress that it reported before.
    pub updates: Vec<(Mark, Value)>,
    /// Its answer; none where nobody waited for it.
    pub said: Option<(Mark, Value)>,
}

impl Failure {
    fn of(error: &copydesk_base::Error) -> Failure {
        use copydesk_base::Error;
        let code = error.code().to_owned();
        let (what, ms) = match error {
            Error::Blocked { origin } | Error::Unreachable { origin } => (origin.clone(), 0),
            Error::FetchFailed { reason } => (reason.clone(), 0),
            Error::Redirected { origin, target } => (format!("{origin} {}", target.as_deref().unwrap_or_default()), 0),
            Error::Timeout { what, ms } => (what.clone(), *ms),
            other => (other.to_string(), 0),
        };
        Failure { code, what, ms }
    }

    /// Returns the error again. Those that no network has become [`copydesk_base::Error::FetchFailed`].
    fn error(&self) -> copydesk_base::Error {
        use copydesk_base::Error;
        let (what, ms) = (self.what.clone(), self.ms);
        match self.code.as_str() {
            "offline" => Error::Offline,
            "blocked_by_cors" => Error::Blocked { origin: what },
            "unreachable" => Error::Unreachable { origin: what },
            "timeout" => Error::Timeout { what, ms },
            "aborted" => Error::Aborted,
            "redirected" => {
                let (origin, target) = what.split_once(' ').unwrap_or((&what, ""));
                let target = Some(target).filter(|target| !target.is_empty()).map(str::to_owned);
                Error::Redirected { origin: origin.to_owned(), target }
            }
            _ => Error::FetchFailed { reason: what },
        }
    }
}

/// An event as it is recorded and compared: all of it, but of arguments that are still arriving only that they are.
/// Together they would be longer than everything else, and they follow from the chunks.
pub fn event_value(event: Event, seq: u64) -> Value {
    let mut value = Value::from(event);
    value["seq"] = seq.into();
    if value["type"] == "tool_args" {
        value["partial"] = object(&mut []);
    }
    value
}

/// States whether the host of an agent is recorded, or played from a recording.
#[derive(Clone, Default)]
pub enum Tape {
    /// Neither.
    #[default]
    Off,
    /// Written down.
    Recording(Recorder),
    /// ReplayedDocument.
    Replaying(Replay),
}

impl Tape {
    /// Wraps the network.
    pub fn fetch(&self, fetch: Rc<dyn Fetch>) -> Rc<dyn Fetch> {
        match self {
            Tape::Off => fetch,
            Tape::Recording(recorder) => recorder.fetch(fetch),
            Tape::Replaying(replay) => replay.fetch(),
        }
    }

    /// Wraps the clock.
    pub fn clock(&self, clock: Rc<dyn Clock>) -> Rc<dyn Clock> {
        match self {
            Tape::Off => clock,
            Tape::Recording(recorder) => recorder.clock(clock),
            Tape::Replaying(replay) => replay.clock(),
        }
    }

    /// Wraps the listener of the events.
    pub fn listener(&self, listener: Rc<dyn Fn(Event)>) -> Rc<dyn Fn(Event)> {
        match self {
            Tape::Off => listener,
            Tape::Recording(recorder) => recorder.listener(listener),
            Tape::Replaying(replay) => replay.listener(listener),
        }
    }

    /// The person does something. Said before it is done.
    pub fn input(&self, name: &str, value: impl FnOnce() -> Value) {
        if let Tape::Recording(recorder) = self {
            recorder.input(name, value());
        }
    }

    /// Asks something of the outside that is no request: a tool or a hook of the app. `what` says of which kind, `id` for
    /// which call. In a replay the future is not run, and `update` is given what was reported meanwhile.
    ///
    /// # Errors
    /// [`Error::ReplayDiffers`] where this was not asked in the run that was recorded.
    pub async fn ask(
        &self,
        what: &str,
        id: &str,
        future: LocalFuture<'_, Value>,
        update: &dyn Fn(Value),
    ) -> Result<Value, Error> {
        match self {
            Tape::Off => Ok(future.await),
            Tape::Recording(recorder) => Ok(recorder.ask(what, id, future).await),
            Tape::Replaying(replay) => replay.ask(what, id, update).await,
        }
    }
}

/// Returns a future that is never ready.
fn never<T: 'static>() -> LocalFuture<'static, T> {
    Box::pin(std::future::pending())
}
