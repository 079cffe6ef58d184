//! The messages of a conversation, as the app keeps them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One message of the conversation. As JSON it is told by its `role`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "camelCase", rename_all_fields = "camelCase")]
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
        #[serde(default, skip_serializing_if = "Option::is_none")]
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
#[serde(tag = "type", rename_all = "camelCase")]
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
#[serde(rename_all = "camelCase", default)]
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
