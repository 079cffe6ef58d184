//! What an agent reports while it works.

use crate::llm::Usage;
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
    /// A call is over.
    ToolResult {
        /// The call.
        tool_id: String,
        /// The tool.
        tool_name: String,
        /// The result, or `{error: {code, message, details}}`.
        content: Value,
        /// Whether it failed.
        is_error: bool,
    },
    /// The document was changed.
    DocUpdate {
        /// The call that changed it.
        tool_id: String,
        /// The result of the edit.
        #[serde(flatten)]
        update: Map<String, Value>,
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
