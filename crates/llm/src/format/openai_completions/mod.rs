//! The `openai-completions` wire format: `POST {base}/chat/completions`, answered by server-sent events.
//!
//! The [request](https://platform.openai.com/docs/api-reference/chat/create) uses what every server accepts;
//! [`compat`](crate::compat) handles differences. The reader accepts what real servers send, which is more than the
//! reference describes; each deviation is named in a comment and has a test.

mod chunks;
mod plain_chunks;
mod request;

use super::{Api, Format, bearer, endpoint};
use crate::partial_answer::EventReader;
use crate::{LlmConfig, Prompt};
use serde_json::{Map, Value};

impl Api {
    /// `POST {base}/chat/completions` with server-sent events, as OpenAI and many others speak it.
    pub const OPENAI_COMPLETIONS: Api = Api(&OpenaiCompletions);
}

struct OpenaiCompletions;

impl Format for OpenaiCompletions {
    fn name(&self) -> &'static str {
        "openai-completions"
    }

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

    fn marks_failed_results(&self) -> bool {
        false
    }
}
