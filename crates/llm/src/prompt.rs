//! The input of one request.

use crate::{Message, ToolSpec};

/// The input of one request to a model.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prompt<'a> {
    /// The system prompt; may be empty.
    pub system: &'a str,
    /// The conversation.
    pub messages: &'a [Message],
    /// The tools that the model may call.
    pub tools: &'a [ToolSpec],
    /// Text of copydesk after the conversation, which the next request does not repeat; may be empty. It comes after
    /// the part that providers are asked to cache.
    pub reminder: &'a str,
}
