//! `google-generative-ai`: responses with the next parts, the last of them with the finish reason. Calls are sent
//! complete and without ids. There is no terminator.

use crate::fault::FaultOutcome;
use crate::shape::{FinishReason, Shape};
use crate::wire::{Entry, Event, Format, Stream};
use serde_json::{Value, json};

/// Placeholder for the JSON of arguments.
const ARGUMENTS: &str = "\u{E002}";

pub fn format() -> Format {
    let error = |code: u16, words: &str| json!({ "error": { "code": code, "message": words, "status": "INTERNAL" } });
    Format {
        api: "google-generative-ai",
        model: "gemini-2.5-flash",
        base_url: "https://llm.example",
        write,
        error_event: |words| {
            Event::new("", &json!({ "error": { "code": 500, "message": words, "status": "INTERNAL" } }))
        },
        overloaded_event: Event::new("", &error(503, "The model is overloaded. Please try again later.")),
        overflow_body: r#"{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}"#,
        error_body: |status, words| {
            json!({ "error": { "code": status, "message": words, "status": "UNKNOWN" } }).to_string()
        },
        conversation,
        other_shape: |shape, said| match (shape.finish_reason, said) {
            (FinishReason::Length, Ok(said)) => (
                Ok(crate::shape::AgentAnswer { calls: Vec::new(), ..said }),
                Some("Calls are sent complete; one that is incomplete is not sent."),
            ),
            (_, said) => (said, None),
        },
        other_fault,
    }
}

fn other_fault(fault: &str, when: &str, _shape: &Shape) -> Option<(FaultOutcome, &'static str)> {
    match (fault, when) {
        ("an error event, anywhere" | "an error as JSON", _) => {
            Some((FaultOutcome::Retried("server_error"), "The error states the status that applies."))
        }
        ("JSON nested 10,000 deep" | "3 MiB of values of two bytes each", "in arguments") => {
            Some((FaultOutcome::Fails("malformed_stream"), "Arguments are part of the event's own JSON."))
        }
        _ => None,
    }
}

fn write(shape: &Shape) -> Stream {
    let mut events = Vec::new();
    let mut write_chunk = |candidate: Value, more: Value| {
        let mut chunk =
            json!({ "candidates": [candidate], "modelVersion": "gemini-2.5-flash", "responseId": "resp_1" });
        for (name, value) in more.as_object().into_iter().flatten() {
            chunk[name] = value.clone();
        }
        if chunk["candidates"][0].is_null() {
            chunk.as_object_mut().unwrap().remove("candidates");
        }
        events.push(Event::new("", &chunk));
        events.len() - 1
    };
    let parts = |parts: Value| json!({ "content": { "parts": parts, "role": "model" }, "index": 0 });
    for chunk in &shape.thinking {
        write_chunk(parts(json!([{ "text": chunk, "thought": true }])), Value::Null);
    }
    for chunk in &shape.text {
        write_chunk(parts(json!([{ "text": chunk }])), Value::Null);
    }
    let mut arguments = Vec::new();
    // The first call has the signature of the thinking before it.
    for (number, call) in shape.calls.iter().enumerate().filter(|_| shape.finish_reason != FinishReason::Length) {
        let mut part = json!({ "functionCall": { "name": "note", "args": ARGUMENTS } });
        if number == 0 {
            part["thoughtSignature"] = "c2lnbmVk".into();
        }
        let json = call.arguments.concat();
        arguments.push((
            write_chunk(parts(json!([part])), Value::Null),
            if json.is_empty() { "{}".to_owned() } else { json },
        ));
    }
    let usage = shape.usage;
    let usage = json!({ "usageMetadata": {
        "promptTokenCount": usage.input,
        "cachedContentTokenCount": usage.cached,
        "candidatesTokenCount": usage.output - usage.thinking,
        "thoughtsTokenCount": usage.thinking,
        "totalTokenCount": usage.input + usage.output,
    } });
    let reason = match shape.finish_reason {
        _ if shape.refusal => "SAFETY",
        FinishReason::Length => "MAX_TOKENS",
        _ => "STOP",
    };
    let finish = if shape.finish_reason == FinishReason::Filtered {
        let mut refused = usage.clone();
        refused["promptFeedback"] = json!({ "blockReason": "PROHIBITED_CONTENT" });
        write_chunk(Value::Null, refused)
    } else {
        let mut last = parts(json!([{ "text": "" }]));
        last["finishReason"] = reason.into();
        write_chunk(last, usage)
    };
    for (at, json) in arguments {
        // The arguments are part of the JSON of the event, with their escapes.
        let json = Event::raw(&json);
        events[at].data = events[at].data.replace(&format!("\"{ARGUMENTS}\""), &json);
    }
    Stream { events, finish, terminator: None }
}

fn conversation(body: &Value) -> Result<Vec<Entry>, String> {
    let mut entries = Vec::new();
    let mut last = "";
    let mut called = Vec::new();
    for (turn, content) in body["contents"].as_array().ok_or("no contents")?.iter().enumerate() {
        let role = content["role"].as_str().unwrap_or_default();
        if role == last {
            return Err(format!("two turns of {role}"));
        }
        last = role;
        let parts = content["parts"].as_array().filter(|parts| !parts.is_empty()).ok_or("a turn without parts")?;
        let (mut text, mut spoke) = (String::new(), false);
        let mut calls: Vec<(String, String)> = Vec::new();
        let mut results = 0;
        for part in parts {
            let name = |field: &str| part[field]["name"].as_str().unwrap_or_default().to_owned();
            if part["thought"] == true {
                continue;
            } else if let Some(said) = part["text"].as_str() {
                spoke = true;
                text += said;
            } else if part["functionCall"]["args"].is_object() && role == "model" {
                calls.push((format!("{turn}:{}", calls.len()), name("functionCall")));
            } else if part["functionResponse"]["response"].is_object() && role == "user" && !spoke {
                // Results are matched with calls by their order.
                let (id, tool): &(String, String) = called.get(results).ok_or("more results than calls")?;
                if *tool != name("functionResponse") {
                    return Err(format!("a result of {tool} under another name: {part}"));
                }
                entries.push(Entry::Result { id: id.clone() });
                results += 1;
            } else {
                return Err(format!("a part of {role}: {part}"));
            }
        }
        match role {
            "user" if spoke => entries.push(Entry::User(text)),
            "user" => {}
            "model" if text.is_empty() && calls.is_empty() => return Err("an empty answer".into()),
            "model" => {
                entries.push(Entry::Answer { text, calls: calls.iter().map(|(id, _)| id.clone()).collect() });
                called = calls;
            }
            role => return Err(format!("a turn of {role}")),
        }
    }
    Ok(entries)
}
