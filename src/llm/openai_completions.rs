//! The `openai-completions` wire format.

use super::{Answer, Delta, HttpRequest, LlmConfig, Message, ToolSpec};
use crate::error::Error;

/// The request that asks a model to go on with a conversation.
pub fn request(_config: &LlmConfig, _system: &str, _messages: &[Message], _tools: &[ToolSpec]) -> HttpRequest {
    HttpRequest { url: String::new(), headers: Vec::new(), body: String::new() }
}

/// Reads the answer to [`request`] from the bytes of a 2xx response.
#[derive(Debug)]
pub struct Decoder {}

impl Decoder {
    /// `content_type` is only quoted in errors; `key` is blotted out wherever a server echoes it.
    pub fn new(_content_type: &str, _key: Option<&str>) -> Decoder {
        Decoder {}
    }

    /// Takes the next bytes, split anywhere, and gives what they brought.
    pub fn push(&mut self, _bytes: &[u8]) -> Result<Vec<Delta>, Error> {
        Ok(Vec::new())
    }

    /// Says that no more bytes come, and gives what was held back until then.
    pub fn end(&mut self) -> Result<Vec<Delta>, Error> {
        Ok(Vec::new())
    }

    /// The whole answer, or why there is none. Calls [`end`](Decoder::end) if nobody did.
    pub fn finish(self) -> Result<Answer, Error> {
        Err(Error::StreamCut)
    }
}
