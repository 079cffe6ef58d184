//! What an agent reports while it works.

use copydesk_llm::{Image, Usage};
use serde::Serialize;
use serde_json::{Map, Value};

/// One report. As JSON it is one flat object: `{seq, type, …}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// Grows by one from event to event of an agent.
    pub seq: u64,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum EventKind {
    /// A run begins.
    AgentStart,
    /// The model is asked.
    TurnStart {
        /// The turn's name: `undoTurn` takes it, and it is in the hunks that the turn brings.
        turn_id: String,
    },
    /// The model begins to think.
    ThinkingStart,
    /// More of its thinking.
    Thinking {
        /// The piece.
        content: String,
    },
    /// It has thought.
    ThinkingEnd,
    /// More of its answer.
    Content {
        /// The piece.
        content: String,
    },
    /// The arguments of a call, as far as they have arrived.
    ToolArgs {
        /// The call.
        tool_id: String,
        /// The tool.
        tool_name: String,
        /// What can be read; strings may be unfinished.
        partial: Map<String, Value>,
    },
    /// A call whose arguments are whole starts to run.
    ToolUse {
        /// The call.
        tool_id: String,
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Map<String, Value>,
    },
    /// A call waits for the person's yes.
    ApprovalRequest {
        /// The call.
        tool_id: String,
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Map<String, Value>,
    },
    /// A call says how far it has come.
    ToolUpdate {
        /// The call.
        tool_id: String,
        /// The tool.
        tool_name: String,
        /// In the tool's own shape.
        partial: Value,
    },
    /// A call is over.
    ToolResult {
        /// The call.
        tool_id: String,
        /// The tool.
        tool_name: String,
        /// The result, or `{error: {code, message, details}}`.
        content: Value,
        /// True if it failed.
        is_error: bool,
        /// Pictures that the tool gave.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
        /// What is for programs and not for the model, where the tool gave such.
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
        /// It as JSON.
        message: Value,
    },
    /// A request failed and is sent again. What this turn has shown so far is void.
    Retry {
        /// The number of the retry, from 1 on.
        attempt: usize,
        /// How long the run waits before, in milliseconds.
        delay_ms: u64,
        /// The code of what went wrong.
        reason: &'static str,
        /// It in a sentence.
        message: String,
    },
    /// The oldest messages were replaced by a summary.
    Compaction {
        /// The tokens of the conversation before, as estimated.
        before: usize,
        /// And after.
        after: usize,
    },
    /// Something that the person may want to know.
    Notice {
        /// Its stable name.
        code: &'static str,
        /// A sentence.
        message: String,
    },
    /// The turn is over: the answer has arrived and its calls have run.
    TurnEnd {
        /// What it cost.
        usage: Usage,
    },
    /// The run is over, and the model was done.
    Complete {
        /// What the run cost.
        usage: Usage,
    },
    /// The run was stopped by the person.
    Aborted,
    /// The run failed.
    Error {
        /// A sentence that says what to do.
        error: String,
        /// The error's stable code.
        code: &'static str,
        /// The numbers and names in it.
        details: Value,
    },
}

impl From<Event> for Value {
    fn from(event: Event) -> Value {
        // Nothing in an event has keys that are no strings, so it is always JSON.
        serde_json::to_value(event).unwrap_or_default()
    }
}
