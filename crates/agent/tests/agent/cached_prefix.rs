//! The messages of one request of a run are the beginning of the next one's, in each format, so that providers find it
//! in their caches.

use copydesk_llm::{LlmConfig, Message, Prompt};
use serde_json::{Value, json};

/// A conversation with document messages after a prompt, after a result, and after a second prompt.
fn conversation() -> Vec<Message> {
    let message = |value: Value| Message::try_from(value).unwrap();
    let shown = |text: &str| {
        message(json!({ "role": "document", "content": format!("<document>\n{text}\n</document>"), "version": "v1" }))
    };
    let call = json!([{ "type": "toolCall", "id": "c1", "name": "replace_text", "arguments": { "old": "a" } }]);
    let result = json!({
        "role": "toolResult", "toolCallId": "c1", "toolName": "replace_text", "content": "ok", "isError": false,
    });
    let says = json!([{ "type": "text", "text": "Done." }]);
    vec![
        Message::user("Shorten"),
        shown("1: Tea"),
        message(json!({ "role": "assistant", "content": call, "stopReason": "tool_calls" })),
        message(result),
        shown("1: Tea, changed"),
        message(json!({ "role": "assistant", "content": says, "stopReason": "stop" })),
        Message::user("And now?"),
        shown("2: more"),
    ]
}

/// Removes the marks of what is to be cached, whose places change with the conversation.
fn unmarked(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            fields.remove("cache_control");
            Value::Object(fields.iter().map(|(name, field)| (name.clone(), unmarked(field.clone()))).collect())
        }
        Value::Array(items) => items.iter().cloned().map(unmarked).collect(),
        _ => value,
    }
}

fn body(api: &str, messages: &[Message]) -> Value {
    let config: LlmConfig = serde_json::from_value(json!({
        "model": { "api": api, "modelId": "claude-sonnet-4-5" },
        "streamOptions": { "baseUrl": "https://llm.example/v1" },
    }))
    .unwrap();
    let request = copydesk_llm::request(&config, Prompt { system: "Help.", messages, ..Prompt::default() }).unwrap();
    serde_json::from_str(&request.body.unwrap()).unwrap()
}

#[test]
fn the_messages_of_a_request_begin_with_those_of_the_one_before() {
    for api in ["openai-completions", "openai-responses", "anthropic-messages", "google-generative-ai"] {
        let all = conversation();
        // The requests are sent when the conversation has two, five and eight messages.
        let sent = [2, 5, 8].map(|count| {
            let body = unmarked(body(api, &all[..count]));
            let name = ["messages", "input", "contents"].into_iter().find(|name| body[*name].is_array()).unwrap();
            body[name].as_array().unwrap().clone()
        });
        for pair in sent.windows(2) {
            assert_eq!(pair[0][..], pair[1][..pair[0].len()], "{api}");
        }
    }
}

#[test]
fn anthropic_is_told_to_cache_up_to_the_newest_document_message() {
    let all = conversation();
    for count in [2, 5, 8] {
        let body = body("anthropic-messages", &all[..count]);
        let last = body["messages"].as_array().unwrap().last().unwrap()["content"].as_array().unwrap().last().unwrap();
        assert_eq!(last["cache_control"]["type"], "ephemeral", "{body}");
        assert!(last.to_string().contains("<document>"), "{last}");
    }
}
