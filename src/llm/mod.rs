//! How a model is asked, and how its answer is read.
//!
//! Everything here is pure: bytes in, values out. Nothing waits, and nothing knows the network, the clock or
//! JavaScript; whoever holds the connection sends the [`Request`](crate::host::Request) and feeds what comes back to a decoder.
//!
//! 1. [`openai_completions::request`] turns a [`LlmConfig`], the [`Message`]s so far and the [`ToolSpec`]s into
//!    one [`Request`](crate::host::Request). [`history`] makes the conversation valid on the way: no call without its result.
//! 2. A status other than 2xx goes, with its body, to [`http_error::status_error`].
//! 3. The bytes of a 2xx answer go to [`openai_completions::Decoder`], split as they happen to arrive. [`sse`]
//!    finds the events, [`tool_calls`] says which call a piece belongs to, [`partial_json`] reads arguments that
//!    are still being written. Each push gives the [`Delta`]s to show.
//! 4. At the end of input `finish` gives the [`Answer`], or the error that says why there is none.
//!
//! **A call runs only when its [`Arguments`] are whole**, and they are judged only in a finished answer.
//!
//! Every byte from a server is hostile: what is kept is bounded by [`limits`], what is beyond is a typed error.
//! One file reads one wire format; a further format is a further file.

pub mod history;
pub mod http_error;
pub mod limits;
pub mod openai_completions;
pub mod partial_json;
pub mod sse;
pub mod tool_calls;

mod answer;
mod config;
mod message;
pub(crate) mod surrogates;

pub use answer::{Answer, Arguments, Delta, ToolCall};
pub use config::{Api, LlmConfig, Model, StreamOptions, ToolSpec};
pub use message::{AssistantPart, Message, Usage};
