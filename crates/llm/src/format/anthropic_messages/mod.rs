//! The `anthropic-messages` wire format: `POST {base}/v1/messages`, answered by named server-sent events.
//!
//! `request` writes requests, `thinking` sets thinking and its limits, `events` reads answers.
//! [Reference](https://platform.claude.com/docs/en/api/messages). DeepSeek, Kimi, MiniMax and Z.ai support the format
//! as well, mostly without checking signatures.

mod events;
mod request;
mod thinking;

use super::definition::Format;
use crate::partial_answer::EventReader;
use crate::{LlmConfig, Prompt};
use serde_json::{Map, Value};

pub(super) struct AnthropicMessages;

impl Format for AnthropicMessages {
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
}
