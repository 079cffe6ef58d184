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
mod failure;
pub mod file;
pub mod inputs;
pub mod playback;
pub mod recorder;
pub mod redact;
pub mod replay;

pub use document::{RecordedDocument, ReplayedDocument};
pub use error::Error;
pub use failure::Failure;
pub use file::{Answer, Chunk, During, End, Exchange, FORMAT, Failed, Input, Mark, Recording, Response, Said, Timer};
pub use inputs::ReplayAgent;
pub use recorder::{Beginning, Recorder};
pub use replay::{InputPlayer, Replay};

use copydesk_agent::event::Event;
use copydesk_base::fields::object;
use copydesk_base::host::{Clock, Fetch, LocalFuture};
use serde_json::Value;
use std::rc::Rc;

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
