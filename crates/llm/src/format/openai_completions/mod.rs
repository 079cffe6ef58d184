//! The `openai-completions` wire format: `POST {base}/chat/completions`, answered by server-sent events.
//!
//! The [request](https://platform.openai.com/docs/api-reference/chat/create) uses what every server accepts;
//! [`compat`](crate::compat) handles differences. The reader accepts what real servers send, which is more than the
//! reference describes; each deviation is named in a comment and has a test.

mod chunks;
mod plain_chunks;
mod request;

use super::definition::{Format, bearer, endpoint};
use crate::partial_answer::EventReader;
use crate::{LlmConfig, Prompt};
use serde_json::{Map, Value};

pub(super) struct OpenaiCompletions;

impl Format for OpenaiCompletions {
    fn endpoint(&self, config: &LlmConfig) -> String {
        endpoint(&config.stream_options.base_url, "/chat/completions")
    }

    fn headers(&self, config: &LlmConfig) -> Vec<(&'static str, String)> {
        bearer(config)
    }

    fn body(&self, config: &LlmConfig, prompt: Prompt<'_>) -> Map<String, Value> {
        request::body(config, prompt)
    }

    fn reader(&self) -> Box<dyn EventReader> {
        Box::new(chunks::Chunks)
    }
}
