//! What an agent reports while it works.

use copydesk_base::fields::{form, object};
use copydesk_llm::{Image, Usage};
use serde::Serialize;
use serde_json::{Map, Value};

/// One report. As JSON it is one flat object: `{seq, type, …}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(into = "Value")]
pub struct Event {
    /// Grows by one from event to event of an agent.
    pub seq: u64,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
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
        /// Pictures that the tool gave.
        images: Vec<Image>,
        /// What is for programs and not for the model, where the tool gave such.
        details: Option<Value>,
        /// Whether it failed.
        is_error: bool,
    },
    /// The document was changed.
    DocUpdate {
        /// The call that changed it.
        tool_id: String,
        /// The result of the edit.
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
        let (kind, rest) = event.kind.into_parts();
        let mut value = Map::new();
        value.insert("seq".into(), event.seq.into());
        value.insert("type".into(), kind.into());
        if let Value::Object(rest) = rest {
            value.extend(rest);
        }
        value.into()
    }
}

impl EventKind {
    /// The `type` of the event, and the object of what else it says.
    fn into_parts(self) -> (&'static str, Value) {
        let said = |content: String| form("content", [content.into()]);
        let of_call = |id: String, name: String, name_of_rest: &'static str, rest: Value| {
            object(&mut [("toolId", id.into()), ("toolName", name.into()), (name_of_rest, rest)])
        };
        match self {
            EventKind::AgentStart => ("agent_start", Value::Null),
            EventKind::TurnStart { turn_id } => ("turn_start", form("turnId", [turn_id.into()])),
            EventKind::ThinkingStart => ("thinking_start", Value::Null),
            EventKind::Thinking { content } => ("thinking", said(content)),
            EventKind::ThinkingEnd => ("thinking_end", Value::Null),
            EventKind::Content { content } => ("content", said(content)),
            EventKind::ToolArgs { tool_id, tool_name, partial } => {
                ("tool_args", of_call(tool_id, tool_name, "partial", partial.into()))
            }
            EventKind::ToolUse { tool_id, tool_name, tool_input } => {
                ("tool_use", of_call(tool_id, tool_name, "toolInput", tool_input.into()))
            }
            EventKind::ApprovalRequest { tool_id, tool_name, tool_input } => {
                ("approval_request", of_call(tool_id, tool_name, "toolInput", tool_input.into()))
            }
            EventKind::ToolUpdate { tool_id, tool_name, partial } => {
                ("tool_update", of_call(tool_id, tool_name, "partial", partial))
            }
            EventKind::ToolResult { tool_id, tool_name, content, images, details, is_error } => {
                let mut result = of_call(tool_id, tool_name, "content", content);
                result["isError"] = is_error.into();
                if !images.is_empty() {
                    result["images"] = images.into_iter().map(Value::from).collect();
                }
                if let Some(details) = details {
                    result["details"] = details;
                }
                ("tool_result", result)
            }
            EventKind::Message { message } => ("message", form("message", [message])),
            EventKind::Retry { attempt, delay_ms, reason, message } => {
                let members = &mut [
                    ("attempt", attempt.into()),
                    ("delayMs", delay_ms.into()),
                    ("reason", reason.into()),
                    ("message", message.into()),
                ];
                ("retry", object(members))
            }
            EventKind::Compaction { before, after } => {
                ("compaction", form("before after", [before.into(), after.into()]))
            }
            EventKind::DocUpdate { tool_id, update } => {
                let mut value = Map::new();
                value.insert("toolId".into(), tool_id.into());
                value.extend(update);
                ("doc_update", value.into())
            }
            EventKind::Notice { code, message } => ("notice", form("code message", [code.into(), message.into()])),
            EventKind::TurnEnd { usage } => ("turn_end", form("usage", [usage.into()])),
            EventKind::Complete { usage } => ("complete", form("usage", [usage.into()])),
            EventKind::Aborted => ("aborted", Value::Null),
            EventKind::Error { error, code, details } => {
                ("error", form("error code details", [error.into(), code.into(), details]))
            }
        }
    }
}
