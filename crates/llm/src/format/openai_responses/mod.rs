//! The `openai-responses` wire format: `POST {base}/responses`, answered by server-sent events.
//!
//! An answer is a list of items: messages, reasoning, calls. Each is sent back as an item, and a reasoning item
//! unchanged. The server stores nothing (`store: false`), so the conversation is sent with each request.
//!
//! References: [request](https://platform.openai.com/docs/api-reference/responses/create),
//! [events](https://platform.openai.com/docs/api-reference/responses-streaming). Deviations of other servers are
//! named where they are handled.

mod events;
mod items;
mod request;

use super::definition::{Format, bearer, endpoint};
use crate::partial_answer::EventReader;
use crate::{LlmConfig, Prompt};
use serde_json::{Map, Value};

pub(super) struct OpenaiResponses;

impl Format for OpenaiResponses {
    fn endpoint(&self, config: &LlmConfig) -> String {
        endpoint(&config.stream_options.base_url, "/responses")
    }

    fn headers(&self, config: &LlmConfig) -> Vec<(&'static str, String)> {
        bearer(config)
    }

    fn body(&self, config: &LlmConfig, prompt: Prompt<'_>) -> Map<String, Value> {
        request::body(config, prompt)
    }

    fn reader(&self) -> Box<dyn EventReader> {
        Box::new(events::Events::default())
    }
}
