//! `anthropic-messages`: a message that grows block by block, a delta with the reason, `message_stop`.

use crate::shape::{FinishReason, Shape};
use crate::wire::{Entry, Event, Format, Stream};
use serde_json::{Value, json};

pub fn format() -> Format {
    Format {
        api: "anthropic-messages",
        model: "claude-test",
        base_url: "https://llm.example",
        write,
        error_event: |words| {
            Event::new("error", &json!({ "type": "error", "error": { "type": "api_error", "message": words } }))
        },
        overloaded_event: Event::new(
            "error",
            &json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } }),
        ),
        overflow_body: r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
        error_body: |_, words| json!({ "type": "error", "error": { "type": "error", "message": words } }).to_string(),
        conversation,
        other_shape: |_, said| (said, None),
        other_fault: |_, _, _| None,
    }
}

fn write(shape: &Shape) -> Stream {
    let mut events = Vec::new();
    let mut event = |data: Value| {
        events.push(Event::new(data["type"].as_str().unwrap(), &data));
        events.len() - 1
    };
    let usage = shape.usage;
    let message = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "content": [],
        "stop_reason": null, "stop_sequence": null,
        "usage": { "input_tokens": usage.input - usage.cached, "cache_read_input_tokens": usage.cached, "output_tokens": 1 },
    });
    event(json!({ "type": "message_start", "message": message }));
    let mut index = 0;
    let mut block = |start: Value, deltas: Vec<Value>| {
        event(json!({ "type": "content_block_start", "index": index, "content_block": start }));
        for delta in deltas {
            event(json!({ "type": "content_block_delta", "index": index, "delta": delta }));
        }
        event(json!({ "type": "content_block_stop", "index": index }));
        index += 1;
    };
    if !shape.thinking.is_empty() {
        let mut deltas: Vec<Value> =
            shape.thinking.iter().map(|chunk| json!({ "type": "thinking_delta", "thinking": chunk })).collect();
        deltas.push(json!({ "type": "signature_delta", "signature": "c2lnbmVk" }));
        block(json!({ "type": "thinking", "thinking": "", "signature": "" }), deltas);
    }
    if !shape.text.is_empty() {
        let deltas = shape.text.iter().map(|chunk| json!({ "type": "text_delta", "text": chunk })).collect();
        block(json!({ "type": "text", "text": "" }), deltas);
    }
    for call in &shape.calls {
        let chunks = call.arguments.iter();
        let deltas = chunks.map(|chunk| json!({ "type": "input_json_delta", "partial_json": chunk })).collect();
        block(json!({ "type": "tool_use", "id": call.id, "name": "note", "input": {} }), deltas);
    }
    let reason = match shape.finish_reason {
        _ if shape.refusal => "refusal",
        FinishReason::Stop if shape.calls.is_empty() => "end_turn",
        FinishReason::Stop => "tool_use",
        FinishReason::Length => "max_tokens",
        FinishReason::Filtered => "refusal",
    };
    let finish = event(json!({
        "type": "message_delta",
        "delta": { "stop_reason": reason, "stop_sequence": null },
        "usage": { "output_tokens": usage.output, "output_tokens_details": { "thinking_tokens": usage.thinking } },
    }));
    let terminator = event(json!({ "type": "message_stop" }));
    Stream { events, finish, terminator: Some(terminator) }
}

fn conversation(body: &Value) -> Result<Vec<Entry>, String> {
    let mut entries = Vec::new();
    let mut last = "";
    for message in body["messages"].as_array().ok_or("no messages")? {
        let role = message["role"].as_str().unwrap_or_default();
        if role == last {
            return Err(format!("two messages of {role}"));
        }
        last = role;
        let blocks = match &message["content"] {
            Value::Array(blocks) => blocks.clone(),
            text => vec![json!({ "type": "text", "text": text })],
        };
        let (mut text, mut calls, mut spoke) = (String::new(), Vec::new(), false);
        for block in &blocks {
            let field = |name: &str| block[name].as_str().unwrap_or_default();
            match (role, field("type")) {
                (_, "text") if field("text").trim().is_empty() => return Err("an empty text".into()),
                (_, "text") => {
                    spoke = true;
                    text += field("text");
                }
                // Results come first: https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
                ("user", "tool_result") if spoke => return Err("a result after a text".into()),
                ("user", "tool_result") => entries.push(Entry::Result { id: field("tool_use_id").to_owned() }),
                ("assistant", "thinking") if field("signature") == "c2lnbmVk" => {}
                ("assistant", "tool_use") if block["input"].is_object() => calls.push(field("id").to_owned()),
                (role, kind) => return Err(format!("{kind} of {role}: {block}")),
            }
        }
        match role {
            "user" if spoke => entries.push(Entry::User(text)),
            "user" => {}
            "assistant" if text.is_empty() && calls.is_empty() => return Err("an empty answer".into()),
            "assistant" => entries.push(Entry::Answer { text, calls }),
            role => return Err(format!("a message of {role}")),
        }
    }
    Ok(entries)
}
