//! The messages of a conversation, as the app keeps them.

use crate::error::excerpt;
use crate::fields::{count, object, object_of_given, required, take};
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
    },
}

/// One part of a model's answer. As JSON it is told by its `type`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum AssistantPart {
    /// What the person reads.
    Text {
        /// Mostly Markdown.
        text: String,
    },
    /// What the model thought before.
    Thinking {
        /// As far as the provider shows it.
        thinking: String,
    },
    /// A tool call.
    ToolCall {
        /// By which its result is told.
        id: String,
        /// The tool.
        name: String,
        /// What it is called with; empty where the arguments never became whole.
        arguments: Map<String, Value>,
    },
}

/// Token counts as the provider reported them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Value", into = "Value")]
pub struct Usage {
    /// What was sent.
    pub input_tokens: u64,
    /// What came back.
    pub output_tokens: u64,
    /// The part of `input_tokens` that was read from a cache.
    pub cached_tokens: u64,
    /// What was spent on thinking; mostly a part of `output_tokens`.
    pub reasoning_tokens: u64,
    /// As reported, or input and output together.
    pub total_tokens: u64,
}

impl Usage {
    /// Adds the counts of a further answer.
    pub fn add(&mut self, other: &Usage) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.cached_tokens = self.cached_tokens.saturating_add(other.cached_tokens);
        self.reasoning_tokens = self.reasoning_tokens.saturating_add(other.reasoning_tokens);
        self.total_tokens = self.total_tokens.saturating_add(other.total_tokens);
    }
}

impl TryFrom<Value> for Message {
    type Error = String;

    fn try_from(mut value: Value) -> Result<Message, String> {
        match required::<String>(&mut value, "role")?.as_str() {
            "user" => Ok(Message::User { content: required(&mut value, "content")? }),
            "assistant" => {
                let parts: Vec<Value> = required(&mut value, "content")?;
                Ok(Message::Assistant {
                    content: parts.into_iter().map(AssistantPart::try_from).collect::<Result<_, _>>()?,
                    stop_reason: required(&mut value, "stopReason")?,
                    usage: value.get("usage").filter(|usage| usage.is_object()).map(usage),
                })
            }
            "toolResult" => Ok(Message::ToolResult {
                tool_call_id: required(&mut value, "toolCallId")?,
                tool_name: required(&mut value, "toolName")?,
                content: take(&mut value, "content"),
                is_error: required(&mut value, "isError")?,
            }),
            role => Err(format!("role \"{}\" is none of user, assistant, toolResult", excerpt(role))),
        }
    }
}

impl TryFrom<Value> for AssistantPart {
    type Error = String;

    fn try_from(mut value: Value) -> Result<AssistantPart, String> {
        match required::<String>(&mut value, "type")?.as_str() {
            "text" => Ok(AssistantPart::Text { text: required(&mut value, "text")? }),
            "thinking" => Ok(AssistantPart::Thinking { thinking: required(&mut value, "thinking")? }),
            "toolCall" => Ok(AssistantPart::ToolCall {
                id: required(&mut value, "id")?,
                name: required(&mut value, "name")?,
                arguments: required(&mut value, "arguments")?,
            }),
            kind => Err(format!("type \"{}\" is none of text, thinking, toolCall", excerpt(kind))),
        }
    }
}

impl From<Message> for Value {
    fn from(message: Message) -> Value {
        match message {
            Message::User { content } => object(&mut [("role", "user".into()), ("content", content.into())]),
            Message::Assistant { content, stop_reason, usage } => object_of_given(&mut [
                ("role", "assistant".into()),
                ("content", content.into_iter().map(Value::from).collect()),
                ("stopReason", stop_reason.into()),
                ("usage", usage.into()),
            ]),
            Message::ToolResult { tool_call_id, tool_name, content, is_error } => object(&mut [
                ("role", "toolResult".into()),
                ("toolCallId", tool_call_id.into()),
                ("toolName", tool_name.into()),
                ("content", content),
                ("isError", is_error.into()),
            ]),
        }
    }
}

impl From<AssistantPart> for Value {
    fn from(part: AssistantPart) -> Value {
        match part {
            AssistantPart::Text { text } => object(&mut [("type", "text".into()), ("text", text.into())]),
            AssistantPart::Thinking { thinking } => {
                object(&mut [("type", "thinking".into()), ("thinking", thinking.into())])
            }
            AssistantPart::ToolCall { id, name, arguments } => object(&mut [
                ("type", "toolCall".into()),
                ("id", id.into()),
                ("name", name.into()),
                ("arguments", arguments.into()),
            ]),
        }
    }
}

impl From<Usage> for Value {
    fn from(usage: Usage) -> Value {
        object(&mut [
            ("inputTokens", usage.input_tokens.into()),
            ("outputTokens", usage.output_tokens.into()),
            ("cachedTokens", usage.cached_tokens.into()),
            ("reasoningTokens", usage.reasoning_tokens.into()),
            ("totalTokens", usage.total_tokens.into()),
        ])
    }
}

/// Counts that are missing or no counts are 0.
impl From<Value> for Usage {
    fn from(value: Value) -> Usage {
        usage(&value)
    }
}

fn usage(value: &Value) -> Usage {
    let count = |field| value.get(field).and_then(count).unwrap_or(0);
    Usage {
        input_tokens: count("inputTokens"),
        output_tokens: count("outputTokens"),
        cached_tokens: count("cachedTokens"),
        reasoning_tokens: count("reasoningTokens"),
        total_tokens: count("totalTokens"),
    }
}
