//! `openai-responses`: items that are added, grow and are done; then the complete response.

use crate::shape::{FinishReason, Shape};
use crate::wire::{Entry, Event, Format, Stream};
use serde_json::{Value, json};

pub fn format() -> Format {
    Format {
        api: "openai-responses",
        model: "test-model",
        base_url: "https://llm.example/v1",
        write,
        error_event: |words| {
            Event::new("error", &json!({ "type": "error", "code": null, "message": words, "param": null }))
        },
        overloaded_event: Event::new(
            "response.failed",
            &json!({ "type": "response.failed", "response": { "id": "resp_1", "status": "failed", "error": {
                "code": "server_is_overloaded", "message": "Our servers are currently overloaded. Please try again later.",
            } } }),
        ),
        overflow_body: r#"{"error":{"message":"Your input exceeds the context window of this model.","type":"invalid_request_error","code":"context_length_exceeded"}}"#,
        error_body: |_, words| json!({ "error": { "message": words, "type": "error", "code": null } }).to_string(),
        conversation,
        other_shape: |_, said| (said, None),
        other_fault: |_, _, _| None,
    }
}

/// Writes events with their numbers.
#[derive(Default)]
struct Writer {
    events: Vec<Event>,
    output: Vec<Value>,
}

impl Writer {
    fn event(&mut self, name: &str, mut data: Value) -> usize {
        data["type"] = name.into();
        data["sequence_number"] = self.events.len().into();
        self.events.push(Event::new(name, &data));
        self.events.len() - 1
    }

    /// Writes the events of an item: added, the deltas that `grow` writes, done.
    fn item(&mut self, begun: Value, grow: impl FnOnce(&mut Writer, &str, usize), done: Value) {
        let index = self.output.len();
        let id = begun["id"].as_str().unwrap().to_owned();
        self.event("response.output_item.added", json!({ "output_index": index, "item": begun }));
        grow(self, &id, index);
        self.event("response.output_item.done", json!({ "output_index": index, "item": done }));
        self.output.push(done);
    }
}

fn write(shape: &Shape) -> Stream {
    let mut writer = Writer::default();
    let response = json!({ "id": "resp_1", "object": "response", "status": "in_progress", "output": [] });
    writer.event("response.created", json!({ "response": response }));
    if !shape.thinking.is_empty() {
        let item = |summary: Value| json!({ "id": "rs_1", "type": "reasoning", "summary": summary, "encrypted_content": "c2VhbGVk" });
        let part = json!({ "type": "summary_text", "text": shape.thinking.concat() });
        let grow = |writer: &mut Writer, id: &str, index: usize| {
            let at = |field: &str, value: Value| json!({ "item_id": id, "output_index": index, "summary_index": 0, field: value });
            writer.event(
                "response.reasoning_summary_part.added",
                at("part", json!({ "type": "summary_text", "text": "" })),
            );
            for chunk in &shape.thinking {
                writer.event("response.reasoning_summary_text.delta", at("delta", json!(chunk)));
            }
            writer.event("response.reasoning_summary_text.done", at("text", json!(shape.thinking.concat())));
            writer.event("response.reasoning_summary_part.done", at("part", part.clone()));
        };
        writer.item(item(json!([])), grow, item(json!([part.clone()])));
    }
    if !shape.text.is_empty() {
        let kind = if shape.refusal { "refusal" } else { "output_text" };
        let field = if shape.refusal { "refusal" } else { "text" };
        let part = |text: String| json!({ "type": kind, field: text });
        let item = |status: &str, content: Value| json!({ "id": "msg_1", "type": "message", "role": "assistant", "status": status, "content": content });
        let grow = |writer: &mut Writer, id: &str, index: usize| {
            let at = |field: &str, value: Value| json!({ "item_id": id, "output_index": index, "content_index": 0, field: value });
            writer.event("response.content_part.added", at("part", part(String::new())));
            for chunk in &shape.text {
                writer.event(&format!("response.{kind}.delta"), at("delta", json!(chunk)));
            }
            writer.event(&format!("response.{kind}.done"), at(field, json!(shape.text.concat())));
            writer.event("response.content_part.done", at("part", part(shape.text.concat())));
        };
        writer.item(item("in_progress", json!([])), grow, item("completed", json!([part(shape.text.concat())])));
    }
    for (number, call) in shape.calls.iter().enumerate() {
        let item = |arguments: String| json!({ "id": format!("fc_{number}"), "type": "function_call", "call_id": call.id, "name": "note", "arguments": arguments });
        let grow = |writer: &mut Writer, id: &str, index: usize| {
            let at = |field: &str, value: Value| json!({ "item_id": id, "output_index": index, field: value });
            for chunk in &call.arguments {
                writer.event("response.function_call_arguments.delta", at("delta", json!(chunk)));
            }
            writer.event("response.function_call_arguments.done", at("arguments", json!(call.arguments.concat())));
        };
        writer.item(item(String::new()), grow, item(call.arguments.concat()));
    }
    let (status, reason) = match shape.finish_reason {
        FinishReason::Stop => ("completed", Value::Null),
        FinishReason::Length => ("incomplete", json!({ "reason": "max_output_tokens" })),
        FinishReason::Filtered => ("incomplete", json!({ "reason": "content_filter" })),
    };
    let usage = shape.usage;
    let usage = json!({
        "input_tokens": usage.input,
        "input_tokens_details": { "cached_tokens": usage.cached },
        "output_tokens": usage.output,
        "output_tokens_details": { "reasoning_tokens": usage.thinking },
        "total_tokens": usage.input + usage.output,
    });
    let output = writer.output.clone();
    let response = json!({ "id": "resp_1", "object": "response", "status": status, "incomplete_details": reason, "error": null, "output": output, "usage": usage });
    let finish = writer.event(&format!("response.{status}"), json!({ "response": response }));
    Stream { events: writer.events, finish, terminator: Some(finish) }
}

fn conversation(body: &Value) -> Result<Vec<Entry>, String> {
    let mut entries: Vec<Entry> = Vec::new();
    // Servers refuse reasoning that no item of the same answer follows.
    let mut thought = false;
    for (at, item) in body["input"].as_array().ok_or("no input")?.iter().enumerate() {
        let field = |name: &str| item[name].as_str().unwrap_or_default();
        let text = || match &item["content"] {
            Value::String(text) => text.clone(),
            parts => parts.as_array().into_iter().flatten().filter_map(|part| part["text"].as_str()).collect(),
        };
        let answers = matches!((field("type"), field("role")), ("function_call", _) | (_, "assistant"));
        if thought && !answers {
            return Err("reasoning that nothing follows".into());
        }
        thought = false;
        let (mut said, mut calls) = (String::new(), Vec::new());
        match (field("type"), field("role")) {
            ("", "system" | "developer") if at == 0 => continue,
            ("" | "message", "user") => {
                entries.push(Entry::User(text()));
                continue;
            }
            ("reasoning", _) if field("encrypted_content") == "c2VhbGVk" => {
                thought = true;
                continue;
            }
            ("function_call_output", _) => {
                entries.push(Entry::Result { id: field("call_id").to_owned() });
                continue;
            }
            ("" | "message", "assistant") if !text().trim().is_empty() => said = text(),
            ("function_call", _) => {
                let arguments: Value = serde_json::from_str(field("arguments")).map_err(|error| error.to_string())?;
                if !arguments.is_object() {
                    return Err(format!("arguments that are no object: {arguments}"));
                }
                calls.push(field("call_id").to_owned());
            }
            _ => return Err(format!("an item that is not taken: {item}")),
        }
        // The items of one answer.
        match entries.last_mut() {
            Some(Entry::Answer { text, calls: known }) => {
                *text += &said;
                known.append(&mut calls);
            }
            _ => entries.push(Entry::Answer { text: said, calls }),
        }
    }
    if thought { Err("reasoning at the end".into()) } else { Ok(entries) }
}
