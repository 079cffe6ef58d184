//! The messages of a conversation, as the app keeps them. `message_json` says how they are written.

use super::{Api, Usage};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

// Read and written by way of `Value`: what serde derives for nested tagged enums is 30 kB of wasm more.

/// One message of the conversation. As JSON it is told by its `role`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum Message {
    /// What the person said.
    User {
        /// Plain text.
        content: String,
        /// Pictures to look at.
        images: Vec<Image>,
    },
    /// What the model answered.
    Assistant {
        /// In the order in which it came.
        content: Vec<AssistantPart>,
        /// As the provider said it (`stop`, `tool_calls`, `length` …), or `error` or `aborted` where the answer
        /// did not come to its end; such an answer is never sent back.
        stop_reason: String,
        /// What it cost, where the provider said so.
        usage: Option<Usage>,
        /// Who answered, where that is known: signatures go back to no one else.
        model: Option<AnsweredBy>,
    },
    /// What a tool gave for one call.
    ToolResult {
        /// The `id` of the call.
        tool_call_id: String,
        /// The tool that was called.
        tool_name: String,
        /// The tool's value, or `{error}` where `is_error`.
        content: Value,
        /// Whether the call failed.
        is_error: bool,
        /// Whether others wrote it (a web page, a caption, a file): the model is given it fenced, as data.
        untrusted: bool,
        /// Pictures that the tool gave.
        images: Vec<Image>,
    },
    /// What stands for older messages that were too many to keep; to the model it is said as a message of the person.
    Summary {
        /// What was in them.
        content: String,
    },
    /// Whether a call may run that needs a yes. The model never sees it.
    Approval {
        /// The `id` of the call.
        tool_call_id: String,
        /// The tool.
        tool_name: String,
        /// What was decided.
        decision: Decision,
        /// In the person's words, where they gave any.
        reason: Option<String>,
        /// Of this call and those behind it: what they need to know of what the model was shown, when the page is loaded
        /// anew. See [`kept`](copydesk_edit::kept).
        shown: Option<Map<String, Value>>,
    },
    /// Any other object with a `role`: the app's own. It is kept, and the model never sees it.
    Custom(Map<String, Value>),
}

/// One part of a model's answer. As JSON it is told by its `type`.
///
/// A `signature` is a token that only its provider understands and wants back as it came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum AssistantPart {
    /// What the person reads.
    Text {
        /// Mostly Markdown.
        text: String,
        /// The provider's token.
        signature: Option<String>,
    },
    /// What the model thought before.
    Thinking {
        /// As far as the provider shows it.
        thinking: String,
        /// The provider's token.
        signature: Option<String>,
        /// Whether the provider shows none of it: all that there is, is the token.
        redacted: bool,
    },
    /// A tool call.
    ToolCall {
        /// By which its result is told.
        id: String,
        /// The tool.
        name: String,
        /// What it is called with; empty where the arguments never became whole.
        arguments: Map<String, Value>,
        /// The provider's token.
        signature: Option<String>,
    },
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Image {
    /// Its bytes in base64.
    pub data: String,
    /// Such as `image/png`.
    pub mime_type: String,
}

/// The model that gave an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredBy {
    /// The format in which it was asked.
    pub api: Api,
    /// The name that its server knows it by.
    pub model_id: String,
}

/// What was decided about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Nothing yet.
    Pending,
    /// It may run.
    Approved,
    /// It may not.
    Rejected,
}

impl Message {
    /// The name of the tool that a call of this message, by its id, is to.
    pub fn called(&self, tool_id: &str) -> Option<&str> {
        let Message::Assistant { content, .. } = self else { return None };
        content.iter().find_map(|part| match part {
            AssistantPart::ToolCall { id, name, .. } if id == tool_id => Some(name.as_str()),
            _ => None,
        })
    }

    /// What the person said, in words alone.
    pub fn user(content: impl Into<String>) -> Message {
        Message::User { content: content.into(), images: Vec::new() }
    }
}
