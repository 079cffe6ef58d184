//! The `google-generative-ai` wire format: `POST {base}/models/{model}:streamGenerateContent`, answered by
//! server-sent events.
//!
//! A conversation consists of turns of `user` and `model`, a turn of parts: texts, thoughts, images, calls, results
//! ([reference](https://ai.google.dev/api/generate-content)). Any part may have a `thoughtSignature`, which has to be
//! [sent back](https://ai.google.dev/gemini-api/docs/thought-signatures) with the same part.

mod chunks;
mod request;

use super::definition::Format;
use crate::partial_answer::EventReader;
use crate::{LlmConfig, Prompt};
use serde_json::{Map, Value};

pub(super) struct GoogleGenerativeAi;

impl Format for GoogleGenerativeAi {
    fn endpoint(&self, config: &LlmConfig) -> String {
        request::endpoint(&config.stream_options.base_url, config.model.model_id.trim())
    }

    fn headers(&self, config: &LlmConfig) -> Vec<(&'static str, String)> {
        config.stream_options.key().map(|key| ("x-goog-api-key", key.to_owned())).into_iter().collect()
    }

    fn body(&self, config: &LlmConfig, prompt: Prompt<'_>) -> Map<String, Value> {
        request::body(config, prompt)
    }

    fn reader(&self) -> Box<dyn EventReader> {
        Box::new(chunks::Chunks::default())
    }
}
