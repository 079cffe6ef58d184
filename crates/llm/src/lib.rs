//! How a model is asked, and how its answer is read.
//!
//! Everything here is pure: bytes in, values out. Nothing waits, and nothing knows the network, the clock or
//! JavaScript; whoever holds the connection sends the [`Request`] and feeds what comes back to a decoder.
//!
//! 1. [`request`] turns a [`LlmConfig`], the [`Message`]s so far and the [`ToolSpec`]s into one
//!    [`Request`]. [`history`] makes the conversation valid on the way: no call without its result, no signature for
//!    a model that did not give it, and what others wrote fenced.
//! 2. A status other than 2xx goes, with its body, to [`http_error::status_error`].
//! 3. The bytes of a 2xx answer go to a [`Decoder`], split as they happen to arrive. [`sse`] finds the events, the
//!    format's reader says what they mean, [`tool_calls`] which call a piece belongs to, [`partial_json`] reads
//!    arguments that are still being written. Each push gives the [`Delta`]s to show.
//! 4. At the end of input `finish` gives the [`Answer`], or the error that says why there is none.
//!
//! **A call runs only when its [`Arguments`] are whole**, and they are judged only in a finished answer.
//!
//! Every byte from a server is hostile: what is kept is bounded by [`limits`], what is beyond is a typed error.
//!
//! A wire format is a folder: a function that writes the request, and a reader of the values that come back. A
//! further one is a further folder, a variant of [`Api`], and an arm in [`request`] and in [`Decoder::new`].
//!
//! # An answer of a model
//!
//! This crate is pure as well: bytes in, values out. However a stream is cut into pieces, the answer is the same, and a
//! tool call runs only when its arguments have arrived whole.
//!
//! ```
//! use copydesk_llm::{Api, Decoder, Delta};
//! use copydesk_base::secrets::Secrets;
//!
//! let mut decoder = Decoder::new(Api::OpenaiCompletions, "text/event-stream", &Secrets::default());
//! let stream = "data: {\"choices\":[{\"delta\":{\"content\":\"Hello.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
//! assert_eq!(decoder.push(stream.as_bytes())?, [Delta::Text("Hello.".into())]);
//! assert_eq!(decoder.finish()?.text(), "Hello.");
//! # Ok::<(), copydesk_base::Error>(())
//! ```
#![forbid(unsafe_code)]

pub mod compat;
pub mod history;
pub mod http_error;
pub mod limits;
pub mod partial_json;
pub mod sse;
pub mod tokens;
pub mod tool_calls;
pub mod windows;

mod answer;
mod anthropic_messages;
mod config;
mod decoder;
mod draft;
mod error;
mod fault;
mod google_generative_ai;
mod message;
mod message_json;
mod openai_completions;
mod openai_responses;
mod skim;
pub mod surrogates;
mod usage;

pub use answer::{Answer, Arguments, Delta, Ending, Part, ToolCall};
pub use compat::Compat;
pub use config::is_header;
pub use config::{Api, LlmConfig, Model, StreamOptions, ThinkingLevel, ToolSpec};
pub use decoder::Decoder;
pub use error::Error;
pub use message::{AnsweredBy, AssistantPart, Decision, Image, Message};
pub use message_json::images;
pub use usage::{Cost, Usage};

use copydesk_base::host::Request;

/// The request that asks a model to go on with a conversation.
///
/// # Errors
/// [`copydesk_base::Error::Config`] where the settings cannot work.
pub fn request(config: &LlmConfig, system: &str, messages: &[Message], tools: &[ToolSpec]) -> Result<Request, Error> {
    config.check()?;
    let mut request = match config.model.api {
        Api::OpenaiCompletions => openai_completions::request(config, system, messages, tools),
        Api::AnthropicMessages => anthropic_messages::request(config, system, messages, tools),
        Api::OpenaiResponses => openai_responses::request(config, system, messages, tools),
        Api::GoogleGenerativeAi => google_generative_ai::request(config, system, messages, tools),
    };
    for (name, value) in &config.stream_options.headers {
        let name = name.to_ascii_lowercase();
        request.headers.retain(|(other, _)| *other != name);
        request = request.with_header(&name, value.clone());
    }
    Ok(request)
}

/// The address to post to: the base, which may also be all of it, with this path; a query, which Azure's addresses
/// have, stays at the end.
fn endpoint(base_url: &str, end: &str) -> String {
    let base = base_url.trim();
    let (path, query) = base.find('?').map_or((base, ""), |at| base.split_at(at));
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix(end).unwrap_or(path).trim_end_matches('/');
    format!("{path}{end}{query}")
}
