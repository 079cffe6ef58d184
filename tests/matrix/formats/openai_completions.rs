//! `openai-completions`: chunks, the finish reason, the usage, `[DONE]`.

use crate::shape::{FinishReason, Shape};
use crate::wire::{Entry, Event, Format, Stream};
use serde_json::{Value, json};

pub fn format() -> Format {
    Format {
        api: "openai-completions",
        model: "test-model",
        base_url: "https://llm.example/v1",
        write,
        error_event: |words| Event::new("", &json!({ "error": { "message": words, "type": "server_error" } })),
        overloaded_event: Event::new(
            "",
            &json!({ "error": { "message": "The engine is currently overloaded", "type": "engine_overloaded_error" } }),
        ),
        overflow_body: r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","code":"context_length_exceeded"}}"#,
        error_body: |_, words| json!({ "error": { "message": words, "type": "error", "code": null } }).to_string(),
        conversation,
        other_shape: |_, said| (said, None),
        other_fault: |_, _, _| None,
    }
}

fn write(shape: &Shape) -> Stream {
    let mut events = Vec::new();
    let mut write_chunk = |choices: Value, usage: Value| {
        let mut chunk = json!({ "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "test-model", "choices": choices });
        if !usage.is_null() {
            chunk["usage"] = usage;
        }
        events.push(Event::new("", &chunk));
        events.len() - 1
    };
    let delta = |delta: Value| json!([{ "index": 0, "delta": delta, "finish_reason": null }]);
    write_chunk(delta(json!({ "role": "assistant", "content": "" })), Value::Null);
    for chunk in &shape.thinking {
        write_chunk(delta(json!({ "reasoning_content": chunk })), Value::Null);
    }
    for chunk in &shape.text {
        let field = if shape.refusal { "refusal" } else { "content" };
        write_chunk(delta(json!({ field: chunk })), Value::Null);
    }
    for (index, call) in shape.calls.iter().enumerate() {
        let head = json!({ "index": index, "id": call.id, "type": "function", "function": { "name": "note", "arguments": "" } });
        write_chunk(delta(json!({ "tool_calls": [head] })), Value::Null);
        for chunk in &call.arguments {
            let chunk = json!({ "index": index, "function": { "arguments": chunk } });
            write_chunk(delta(json!({ "tool_calls": [chunk] })), Value::Null);
        }
    }
    let reason = match shape.finish_reason {
        FinishReason::Stop if shape.calls.is_empty() => "stop",
        FinishReason::Stop => "tool_calls",
        FinishReason::Length => "length",
        FinishReason::Filtered => "content_filter",
    };
    let finish = write_chunk(json!([{ "index": 0, "delta": {}, "finish_reason": reason }]), Value::Null);
    let usage = shape.usage;
    let usage = json!({
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": { "cached_tokens": usage.cached },
        "completion_tokens_details": { "reasoning_tokens": usage.thinking },
    });
    write_chunk(json!([]), usage);
    let terminator = events.len();
    events.push(Event { name: String::new(), data: "[DONE]".to_owned() });
    Stream { events, finish, terminator: Some(terminator) }
}

fn conversation(body: &Value) -> Result<Vec<Entry>, String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut entries = Vec::new();
    for (at, message) in body["messages"].as_array().ok_or("no messages")?.iter().enumerate() {
        match message["role"].as_str() {
            Some("system") if at == 0 => {}
            Some("user") => entries.push(Entry::User(text(&message["content"]))),
            Some("assistant") => {
                let calls = message["tool_calls"].as_array().cloned().unwrap_or_default();
                if calls.is_empty() && message["content"].as_str().is_none_or(str::is_empty) {
                    return Err("an empty answer".into());
                }
                for call in &calls {
                    let arguments: Value =
                        serde_json::from_str(call["function"]["arguments"].as_str().unwrap_or_default())
                            .map_err(|error| error.to_string())?;
                    if !arguments.is_object() {
                        return Err(format!("arguments that are no object: {arguments}"));
                    }
                }
                let ids = calls.iter().map(|call| text(&call["id"])).collect();
                entries.push(Entry::Answer { text: text(&message["content"]), calls: ids });
            }
            Some("tool") => entries.push(Entry::Result { id: text(&message["tool_call_id"]) }),
            role => return Err(format!("a message of {role:?}")),
        }
    }
    Ok(entries)
}
