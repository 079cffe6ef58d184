//! A conversation that every provider takes back.
//!
//! Providers refuse a conversation in which a tool call has no result or a result no call, and a stopped run leaves
//! just that. Here each call stands together with its result, so that no wire format can part them.

use super::{AssistantPart, Message};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// What a format writes as the result of a call that has none.
pub const DID_NOT_RUN: &str =
    r#"{"error":{"code":"not_run","message":"This call did not run. Make it again if it is still needed."}}"#;

/// One entry of a valid conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry<'a> {
    /// What the person said.
    User(Cow<'a, str>),
    /// What the model answered. It says something or calls something.
    Assistant {
        /// All its text.
        text: String,
        /// All its thinking.
        thinking: String,
        /// In the order of the answer.
        calls: Vec<Call<'a>>,
    },
}

/// A call and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Call<'a> {
    /// As in the answer.
    pub id: &'a str,
    /// The tool.
    pub name: &'a str,
    /// What it was called with.
    pub arguments: &'a Map<String, Value>,
    /// What it gave, and whether that is an error; none where it did not run.
    pub result: Option<(&'a Value, bool)>,
}

/// The conversation without what no provider takes: answers that ended in `error` or `aborted`, answers that say
/// nothing, results without a call. A result is looked for from its call to the next answer, past what the person
/// said meanwhile; the first one counts.
pub fn valid(messages: &[Message]) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        match message {
            // After a failed run two of them stand side by side, which some servers refuse.
            Message::User { content } => match entries.last_mut() {
                Some(Entry::User(said)) => *said = format!("{said}\n\n{content}").into(),
                _ => entries.push(Entry::User(content.into())),
            },
            Message::Assistant { content, stop_reason, .. } => {
                if !matches!(stop_reason.as_str(), "error" | "aborted") {
                    entries.extend(answer(content, &messages[at + 1..]));
                }
            }
            Message::ToolResult { .. } => {}
        }
    }
    entries
}

fn answer<'a>(content: &'a [AssistantPart], after: &'a [Message]) -> Option<Entry<'a>> {
    let result_of = |id: &str| {
        let until_next = after.iter().take_while(|message| !matches!(message, Message::Assistant { .. }));
        until_next.into_iter().find_map(|message| match message {
            Message::ToolResult { tool_call_id, content, is_error, .. } if tool_call_id == id => {
                Some((content, *is_error))
            }
            _ => None,
        })
    };
    let (mut said, mut thought, mut calls) = (String::new(), String::new(), Vec::new());
    for part in content {
        match part {
            AssistantPart::Text { text } => said.push_str(text),
            AssistantPart::Thinking { thinking } => thought.push_str(thinking),
            AssistantPart::ToolCall { id, name, arguments } => {
                calls.push(Call { id, name, arguments, result: result_of(id) });
            }
        }
    }
    if said.trim().is_empty() && calls.is_empty() {
        return None;
    }
    Some(Entry::Assistant { text: said, thinking: thought, calls })
}
