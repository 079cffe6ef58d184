//! The `anthropic-messages` wire format: `POST {base}/v1/messages`, answered by named server-sent events.
//!
//! `request` writes requests, `thinking` sets thinking and its limits, `events` reads answers.
//! [Reference](https://platform.claude.com/docs/en/api/messages). DeepSeek, Kimi, MiniMax and Z.ai support the format
//! as well, mostly without checking signatures.

mod events;
mod request;
mod thinking;

use super::{Api, Format};
use crate::partial_answer::EventReader;
use crate::{LlmConfig, Prompt};
use serde_json::{Map, Value};

impl Api {
    /// `POST {base}/v1/messages` with server-sent events, as Anthropic speaks it.
    pub const ANTHROPIC_MESSAGES: Api = Api(&AnthropicMessages);
}

struct AnthropicMessages;

impl Format for AnthropicMessages {
    fn name(&self) -> &'static str {
        "anthropic-messages"
    }

    fn endpoint(&self, config: &LlmConfig) -> String {
        request::endpoint(&config.stream_options.base_url)
    }

    fn headers(&self, config: &LlmConfig) -> Vec<(&'static str, String)> {
        request::headers(config)
    }

    fn body(&self, config: &LlmConfig, prompt: Prompt<'_>) -> Map<String, Value> {
        request::body(config, prompt)
    }

    fn reader(&self) -> Box<dyn EventReader> {
        Box::new(events::Events::default())
    }

    fn marks_failed_results(&self) -> bool {
        true
    }
}
