//! Events of an agent.

use copydesk_llm::{Image, Usage};
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// An event. As JSON it is one flat object: `{seq, type, …}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// Number of the event; grows by one with each event of an agent.
    pub seq: u64,
    /// The kind, with its payload.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// The kinds of events.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum EventKind {
    /// A run begins.
    AgentStart,
    /// A request to the model begins.
    TurnStart {
        /// Id of the turn: `undoTurn` takes it, and the hunks of the turn have it.
        turn_id: String,
    },
    /// Thinking begins.
    ThinkingStart,
    /// More thinking.
    Thinking {
        /// The delta.
        content: String,
    },
    /// Thinking ends.
    ThinkingEnd,
    /// More text of the answer.
    Content {
        /// The delta.
        content: String,
    },
    /// More arguments of a call have arrived.
    ToolArgs {
        /// The call.
        tool_id: String,
        /// The tool.
        tool_name: String,
        /// The arguments that have arrived, in the form that the option `toolArgs` asks for.
        #[serde(flatten)]
        arguments: ArrivingArguments,
    },
    /// A call with complete arguments starts to run.
    ToolUse {
        /// The call.
        tool_id: String,
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Map<String, Value>,
    },
    /// A call waits for the user's approval.
    ApprovalRequest {
        /// The call.
        tool_id: String,
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Map<String, Value>,
    },
    /// A tool reports progress.
    ToolUpdate {
        /// The call.
        tool_id: String,
        /// The tool.
        tool_name: String,
        /// The report, in a form that the tool defines.
        partial: Value,
    },
    /// A call has ended.
    ToolResult {
        /// The call.
        tool_id: String,
        /// The tool.
        tool_name: String,
        /// The result, or `{error: {code, message, details}}`.
        content: Value,
        /// True if it failed.
        is_error: bool,
        /// Images that the tool returned.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
        /// Data for programs, which the model does not see.
        #[serde(skip_serializing_if = "Option::is_none")]
        details: Option<Value>,
    },
    /// The document was changed.
    DocUpdate {
        /// The call that changed it.
        tool_id: String,
        /// The result of the edit.
        #[serde(flatten)]
        update: Map<String, Value>,
    },
    /// A message that was queued is now part of the conversation.
    Message {
        /// The message as JSON.
        message: Value,
    },
    /// A request failed and is sent again, or the text so far is thinking and is reported again as such. Everything
    /// that this turn has reported so far is void.
    Retry {
        /// The number of the retry, from 1 on; 0 if no request is sent.
        attempt: usize,
        /// The delay before it, in milliseconds.
        delay_ms: u64,
        /// The code of the error, or `text_was_thinking`.
        reason: &'static str,
        /// The message of the error.
        message: String,
    },
    /// The oldest messages were replaced by a summary.
    Compaction {
        /// The estimated tokens of the conversation before.
        before: usize,
        /// The estimated tokens after.
        after: usize,
    },
    /// A condition that the user may want to know about.
    Notice {
        /// Its stable code.
        code: Cow<'static, str>,
        /// Its message.
        message: String,
    },
    /// A turn has ended: the answer has arrived and its calls have run.
    TurnEnd {
        /// Its usage.
        usage: Usage,
    },
    /// The run has ended; the model has finished.
    Complete {
        /// The usage of the run.
        usage: Usage,
    },
    /// The user stopped the run.
    Aborted,
    /// The run failed.
    Error {
        /// The message, which states what to do.
        error: String,
        /// The error's stable code.
        code: &'static str,
        /// The values in the message.
        details: Value,
    },
}

/// Arguments of a call that are still arriving. Keys are redacted in them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ArrivingArguments {
    /// The added text.
    Delta {
        /// More of their JSON text. All deltas of a call, joined, are the beginning of its arguments as JSON, without
        /// the brackets and quotes that close it.
        delta: String,
        /// True if the deltas before this one are void.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        restart: bool,
    },
    /// Everything that has arrived.
    Partial {
        /// The readable part; its last string may be unfinished.
        partial: Map<String, Value>,
    },
}

impl From<Event> for Value {
    fn from(event: Event) -> Value {
        // Serialization fails only for map keys that are not strings; an event has none.
        serde_json::to_value(event).unwrap_or_default()
    }
}
