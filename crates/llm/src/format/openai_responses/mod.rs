//! The `openai-responses` wire format: `POST {base}/responses`, answered by server-sent events.
//!
//! An answer is a list of items: messages, reasoning, calls. Each goes back as an item of its own, and a reasoning
//! item whole, as it came. Nothing is kept at the server (`store: false`), so the conversation is sent each time.
//!
//! The reference is OpenAI's ([request](https://platform.openai.com/docs/api-reference/responses/create),
//! [events](https://platform.openai.com/docs/api-reference/responses-streaming)); what other servers do otherwise
//! is named where it is tolerated.

mod events;
mod items;
mod request;

use super::{Api, Format, bearer, endpoint};
use crate::partial_answer::EventReader;
use crate::{LlmConfig, Message, ToolSpec};
use serde_json::{Map, Value};

impl Api {
    /// `POST {base}/responses` with server-sent events: OpenAI's newer format.
    pub const OPENAI_RESPONSES: Api = Api(&OpenaiResponses);
}

struct OpenaiResponses;

impl Format for OpenaiResponses {
    fn name(&self) -> &'static str {
        "openai-responses"
    }

    fn endpoint(&self, config: &LlmConfig) -> String {
        endpoint(&config.stream_options.base_url, "/responses")
    }

    fn headers(&self, config: &LlmConfig) -> Vec<(&'static str, String)> {
        bearer(config)
    }

    fn body(&self, config: &LlmConfig, system: &str, messages: &[Message], tools: &[ToolSpec]) -> Map<String, Value> {
        request::body(config, system, messages, tools)
    }

    fn reader(&self) -> Box<dyn EventReader> {
        Box::new(events::Events::default())
    }

    fn marks_failed_results(&self) -> bool {
        false
    }
}
