//! The URLs of a conversation's messages.

use copydesk_edit::Provenance;
use copydesk_edit::provenance::{Authored, field::UrlField};
use copydesk_llm::{AssistantPart, Message};
use rustc_hash::FxHashMap;
use serde_json::Map;

/// Returns the URLs of a conversation. `fields` are those that a tool declares.
pub fn of_messages<'t>(messages: &[Message], fields: impl Fn(&str) -> &'t [UrlField]) -> Provenance {
    let (mut provenance, mut calls) = (Provenance::default(), FxHashMap::default());
    let none = Map::new();
    for message in messages {
        match message {
            Message::User { content } => provenance.said(&content.text),
            Message::Summary { content, .. } => provenance.summed_up(content),
            Message::Assistant { content, .. } => {
                provenance.wrote(authored(content));
                for part in content {
                    if let AssistantPart::ToolCall { id, arguments, .. } = part {
                        calls.insert(id.as_str(), arguments);
                    }
                }
            }
            Message::ToolResult { tool_call_id, tool_name, content, is_error: false, .. } => {
                let arguments = calls.get(tool_call_id.as_str()).copied().unwrap_or(&none);
                provenance.returned(content, fields(tool_name), arguments);
            }
            _ => {}
        }
    }
    provenance
}

/// Returns the parts of an answer in which the model can have written URLs.
pub fn authored(content: &[AssistantPart]) -> impl Iterator<Item = Authored<'_>> {
    content.iter().filter_map(|part| match part {
        AssistantPart::Text { text, .. } => Some(Authored::Text(text)),
        AssistantPart::ToolCall { arguments, .. } => Some(Authored::Arguments(arguments)),
        AssistantPart::Thinking { .. } => None,
    })
}
