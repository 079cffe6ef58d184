//! Wire formats of language models: requests to them, and their streamed answers.
//!
//! Everything here is pure: bytes in, values out. The holder of the connection sends the [`Request`] and feeds the
//! response to a [`Decoder`]; nothing here knows the network, the clock or JavaScript.
//!
//! 1. [`request`] turns an [`LlmConfig`] and a [`Prompt`] with the [`Message`]s so far into one [`Request`].
//!    [`history`] makes the conversation valid for the provider: every call has a result, a signature goes only to the
//!    model that gave it, and text of third parties is fenced.
//! 2. A status other than 2xx is passed, with its body, to [`http_error::status_error`].
//! 3. The bytes of a 2xx response are passed to a [`Decoder`], split anywhere. [`sse`] frames the events, the format's
//!    reader interprets them, [`tool_calls`] assigns deltas to calls, and [`partial_json`] reads unfinished arguments.
//!    Each push returns the [`Delta`]s to show.
//! 4. [`Decoder::finish`] returns the [`AssistantMessage`], or the error that explains why there is none.
//!
//! # Settings and messages
//!
//! Settings and messages derive serde. [`decode::from_value`](copydesk_base::decode::from_value) names a wrong field by
//! its full path.
//!
//! ```
//! use copydesk_base::decode;
//! use copydesk_llm::{LlmConfig, Message, Prompt, request};
//! use serde_json::{Value, json};
//!
//! let mut config = json!({
//!     "model": { "api": "openai-completions", "modelId": "gpt-5", "cost": { "input": 1.25, "output": "10" } },
//!     "streamOptions": { "baseUrl": "https://api.openai.com/v1", "apiKey": "sk-…" },
//! });
//! let error = decode::from_value::<LlmConfig>(&config).unwrap_err();
//! assert_eq!(error.to_string(), "model.cost.output must be a number");
//!
//! config["model"]["cost"]["output"] = json!(10);
//! config["streamOptions"]["apiKey"] = json!("sk-key");
//! let config: LlmConfig = decode::from_value(&config)?;
//! let messages: Vec<Message> = decode::from_value(&json!([{ "role": "user", "content": "Hi." }]))?;
//! let sent = request(&config, Prompt { system: "Be brief.", messages: &messages, ..Prompt::default() })?;
//! assert_eq!(sent.url, "https://api.openai.com/v1/chat/completions");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # An answer
//!
//! The answer does not depend on how a stream is split.
//!
//! ```
//! use copydesk_base::secrets::Secrets;
//! use copydesk_llm::{Api, Decoder, Delta};
//!
//! let mut decoder = Decoder::new(Api::OpenaiCompletions, "text/event-stream", &Secrets::default());
//! let stream = "data: {\"choices\":[{\"delta\":{\"content\":\"Hello.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
//! assert_eq!(decoder.push(stream.as_bytes())?, [Delta::Text("Hello.".into())]);
//! assert_eq!(decoder.finish()?.text(), "Hello.");
//! # Ok::<(), copydesk_llm::Error>(())
//! ```
//!
//! # Invariants
//!
//! - **A call runs only when its [`Arguments`] are whole**, and they are judged only in a finished answer.
//! - Every byte from a server is untrusted: memory is bounded by [`limits`], and exceeding one is a typed error.
//! - A wire format is defined once, in its folder of `format/`; [`Api::ALL`] is the list of all.
#![forbid(unsafe_code)]

pub mod compat;
pub mod history;
pub mod http_error;
pub mod limits;
pub mod partial_json;
pub mod sse;
pub mod surrogates;
pub mod tokens;
pub mod tool_calls;
pub mod windows;

mod api;
mod arguments;
mod assistant_message;
mod config;
mod decoder;
mod error;
mod error_kind;
mod format;
mod json_scanner;
mod message;
mod partial_answer;
mod prompt;
mod tagged_text;
mod text_calls;
mod usage;

mod messages;

pub use api::Api;
pub use assistant_message::{Arguments, AssistantMessage, Delta, Ending, Part, ToolCall};
pub use compat::Compat;
pub use config::is_header;
pub use config::{ExtraFields, LlmConfig, Model, StreamOptions, ThinkingLevel, ToolSpec};
pub use decoder::Decoder;
pub use error::Error;
pub use message::{AnsweredBy, AssistantPart, Decision, Image, Message, UserContent};
pub use prompt::Prompt;
pub use usage::{Cost, Usage};

use copydesk_base::host::Request;

/// Returns the request that asks a model to continue a conversation.
///
/// # Errors
/// [`copydesk_base::Error::Config`] if the settings cannot work.
pub fn request(config: &LlmConfig, prompt: Prompt<'_>) -> Result<Request, Error> {
    config.check()?;
    let mut request = format::request(config, prompt);
    for (name, value) in &config.stream_options.headers {
        let name = name.to_ascii_lowercase();
        request.headers.retain(|(other, _)| *other != name);
        request = request.with_header(&name, value.clone());
    }
    Ok(request)
}
