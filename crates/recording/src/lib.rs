//! Recordings of runs: everything that an agent received from its host, so that the same run can be played again.
//!
//! A recording is attached to a bug report, and a test plays it. Everything that an agent does follows from what it
//! receives: responses, timers, results of the app's tools and hooks, random numbers, and actions of the user. A
//! [`Recorder`] records these in **one order of arrival**. A [`Replay`] delivers them in the same order at any speed:
//! parallel calls end in the order in which they ended.
//!
//! A [`Recorder`] wraps an agent's host and is never called by the agent:
//!
//! 1. [`Recorder::host`] and [`Recorder::tool_functions`] wrap what the agent gets from its host: network, time, hooks,
//!    the listener of its events, and the functions of the app's tools.
//! 2. [`RecordedDocument`] wraps the document, and observes the stream of
//!    [`DocumentEvent`](copydesk_review::DocumentEvent)s: the actions of the user and the app on the document and on
//!    the agent. Actions of the agent itself are not inputs. [`inputs`] has the names.
//!
//! A [`Replay`] is the host of another agent ([`ReplayAgent`]): its network, time, hooks and tools. A
//! [`ReplayedDocument`] gives the answers of the editor.
//!
//! **A recording contains no keys** ([`redact`]): known keys, and the values of fields that hold keys, are redacted in
//! all texts, also in those that came in several chunks.
#![forbid(unsafe_code)]

mod answer;
pub mod body;
pub mod difference;
mod editor_answers;
mod error;
mod failure;
pub mod file;
pub mod inputs;
pub mod playback;
pub mod recorder;
pub mod redact;
pub mod replay;

mod messages;

pub use error::Error;
pub use failure::Failure;
pub use file::{
    AppAnswer, During, Exchange, FORMAT, Failed, Input, RecordedChunk, RecordedResponse, RecordedValue, Recording,
    ResponseEnd, TimeMark, Timer,
};
pub use inputs::ReplayAgent;
pub use recorder::document::RecordedDocument;
pub use recorder::{Beginning, Recorder};
pub use replay::document::ReplayedDocument;
pub use replay::{InputPlayer, Replay};

use copydesk_agent::event::Event;
use copydesk_base::host::LocalFuture;
use serde_json::{Value, json};

/// Returns an event as it is recorded and compared: without the arguments of calls that are still arriving. Together
/// they would be longer than everything else, and they follow from the chunks.
pub fn event_value(event: Event, seq: u64) -> Value {
    let mut value = Value::from(event);
    value["seq"] = seq.into();
    if value["type"] == "tool_args" {
        value
            .as_object_mut()
            .into_iter()
            .for_each(|event| ["delta", "restart"].iter().for_each(|name| drop(event.remove(*name))));
        value["partial"] = json!({});
    }
    value
}

/// Returns a future that is never ready.
fn never<T: 'static>() -> LocalFuture<'static, T> {
    Box::pin(std::future::pending())
}
