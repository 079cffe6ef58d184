//! The `openai-completions` wire format: `POST {base}/chat/completions`, answered by server-sent events.
//!
//! The [request](https://platform.openai.com/docs/api-reference/chat/create) keeps to what every server takes;
//! where servers differ, [`compat`](crate::compat) knows. The reader takes what servers really send, which is a
//! good deal more than the reference says; each tolerance is named where it stands, and has its test.

mod chunks;
mod plain_chunks;
mod request;

use super::{Api, Format, bearer, endpoint};
use crate::partial_answer::EventReader;
use crate::{LlmConfig, Message, ToolSpec};
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

    fn body(&self, config: &LlmConfig, system: &str, messages: &[Message], tools: &[ToolSpec]) -> Map<String, Value> {
        request::body(config, system, messages, tools)
    }

    fn reader(&self) -> Box<dyn EventReader> {
        Box::new(chunks::Chunks)
    }

    fn marks_failed_results(&self) -> bool {
        false
    }
}
