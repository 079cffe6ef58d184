//! Recordings of runs: everything that an agent received from its host, so that the same run can be played again.
//!
//! People report a bug by sending such a file, and a test plays it. Everything that an agent does follows from what comes
//! to it: answers of servers, timers, results of the app's own tools and hooks, random numbers, and what the person does.
//! A [`Recorder`] writes these down, each with its place in **one order of all that came**. A [`Replay`] gives them again in this
//! order: nothing comes before its turn, so that calls that ran beside each other end in the order in which they did, however
//! fast it is played.
//!
//! A [`Recorder`] stands around the agent, and nothing calls it:
//!
//! 1. [`Recorder::outside`] and [`Recorder::tool_functions`] wrap what the agent gets from its host: network, time, hooks,
//!    the listener of its events, and the functions of the app's tools.
//! 2. [`RecordedDocument`] wraps the document, and observes the stream of
//!    [`DocumentEvent`](copydesk_edit::DocumentEvent)s: what the user and the app do to the document and to the agent. What
//!    the agent does itself is no input. [`inputs`] has the names.
//!
//! A [`Replay`] is the host of another agent ([`ReplayAgent`]): its network, time, hooks and tools. A [`ReplayedDocument`]
//! gives the answers of the editor.
//!
//! **No key is in a recording** ([`redact`]): what is told to it as a key, and what stands where keys stand, is redacted in all
//! texts, also where it came in several pieces.
#![forbid(unsafe_code)]

mod answer;
pub mod body;
pub mod difference;
mod error;
mod failure;
pub mod file;
pub mod inputs;
pub mod playback;
pub mod recorder;
pub mod redact;
pub mod replay;

pub use error::Error;
pub use failure::Failure;
pub use file::{Answer, Chunk, During, End, Exchange, FORMAT, Failed, Input, Mark, Recording, Response, Said, Timer};
pub use inputs::ReplayAgent;
pub use recorder::document::RecordedDocument;
pub use recorder::{Beginning, Recorder};
pub use replay::document::ReplayedDocument;
pub use replay::{InputPlayer, Replay};

use copydesk_agent::event::Event;
use copydesk_base::fields::object;
use copydesk_base::host::LocalFuture;
use serde_json::Value;

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

/// Returns a future that is never ready.
fn never<T: 'static>() -> LocalFuture<'static, T> {
    Box::pin(std::future::pending())
}
