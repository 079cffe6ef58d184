//! Requests in the format `openai-completions`.

use crate::decoding::{answer_of, stream};
use copydesk_base::host::Request;
use copydesk_llm::{LlmConfig, Message, Prompt, ToolSpec};
use serde_json::{Value, json};

pub fn request(config: &LlmConfig, system: &str, messages: &[Message], tools: &[ToolSpec]) -> Request {
    copydesk_llm::request(config, Prompt { system, messages, tools, reminder: "" }).unwrap()
}

pub fn config(base_url: &str) -> LlmConfig {
    serde_json::from_value(json!({
        "model": { "api": "openai-completions", "modelId": "gpt-x" },
        "streamOptions": { "apiKey": "sk-secret", "baseUrl": base_url, "temperature": 0.5, "timeout": 1000 },
    }))
    .unwrap()
}

pub fn messages(json: Value) -> Vec<Message> {
    serde_json::from_value(json).unwrap()
}

fn owned((name, value): (&str, &str)) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

pub fn sent(request: &Request) -> Value {
    serde_json::from_str(request.body.as_deref().unwrap()).unwrap()
}

/// The messages that are sent for these.
pub fn wire(config: &LlmConfig, conversation: Value) -> Value {
    sent(&request(config, "", &messages(conversation), &[]))["messages"].clone()
}

pub fn call(id: &str) -> Value {
    json!({ "type": "toolCall", "id": id, "name": "read", "arguments": { "n": 1 } })
}

pub fn assistant(content: Value) -> Value {
    json!({ "role": "assistant", "content": content, "stopReason": "tool_calls" })
}

pub fn result(id: &str, content: Value) -> Value {
    json!({ "role": "toolResult", "toolCallId": id, "toolName": "read", "content": content, "isError": false })
}

#[test]
fn a_request_has_the_model_the_conversation_and_the_tools() {
    let tool = ToolSpec { name: "read".into(), description: "Reads.".into(), parameters: json!({ "type": "object" }) };
    let conversation = messages(json!([{ "role": "user", "content": "Hi" }]));
    let request = request(&config("https://api.openai.com/v1"), "Be brief.", &conversation, &[tool]);
    assert_eq!(request.url, "https://api.openai.com/v1/chat/completions");
    assert_eq!(
        request.headers,
        [("content-type", "application/json"), ("authorization", "Bearer sk-secret")].map(owned)
    );
    assert_eq!(
        sent(&request),
        json!({
            "model": "gpt-x",
            "messages": [{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "Hi" }],
            "stream": true,
            "stream_options": { "include_usage": true },
            "store": false,
            "temperature": 0.5,
            "tools": [{ "type": "function", "function": { "name": "read", "description": "Reads.", "parameters": { "type": "object" } } }],
        })
    );
}

#[test]
fn unset_settings_are_not_sent() {
    let mut config = config("http://localhost:11434/v1");
    config.stream_options.temperature = None;
    for key in [None, Some(String::new()), Some("  ".into())] {
        config.stream_options.api_key = key;
        let request = request(&config, "", &[], &[]);
        assert_eq!(request.headers.len(), 1);
        let keys: Vec<String> = sent(&request).as_object().unwrap().keys().cloned().collect();
        assert_eq!(keys, ["model", "messages", "stream", "stream_options"]);
    }
}

#[test]
fn the_base_url_may_end_in_several_ways() {
    for (base, url) in [
        ("https://a.b/v1", "https://a.b/v1/chat/completions"),
        (" https://a.b/v1/ ", "https://a.b/v1/chat/completions"),
        ("https://a.b/v1//", "https://a.b/v1/chat/completions"),
        ("https://a.b/v1/chat/completions", "https://a.b/v1/chat/completions"),
        ("https://a.b/v1/chat/completions/", "https://a.b/v1/chat/completions"),
        ("https://a.b/deployments/x?api-version=1", "https://a.b/deployments/x/chat/completions?api-version=1"),
        ("/api/llm", "/api/llm/chat/completions"),
    ] {
        assert_eq!(request(&config(base), "", &[], &[]).url, url);
    }
}

#[test]
fn a_call_is_followed_by_its_result() {
    let conversation = json!([
        { "role": "user", "content": "Hi" },
        assistant(json!([{ "type": "thinking", "thinking": "hm" }, { "type": "text", "text": "A" }, { "type": "text", "text": "B" }, call("a")])),
        result("a", json!({ "ok": true })),
        assistant(json!([{ "type": "text", "text": "Done" }])),
    ]);
    let wire_call = json!({ "id": "a", "type": "function", "function": { "name": "read", "arguments": "{\"n\":1}" } });
    assert_eq!(
        wire(&config("https://a.b"), conversation),
        json!([
            { "role": "user", "content": "Hi" },
            { "role": "assistant", "content": "AB", "tool_calls": [wire_call] },
            { "role": "tool", "tool_call_id": "a", "content": "{\"ok\":true}" },
            { "role": "assistant", "content": "Done" },
        ])
    );
}

#[test]
fn a_result_that_is_text_is_sent_as_text() {
    let wire = wire(&config("https://a.b"), json!([assistant(json!([call("a")])), result("a", json!("1: Tea"))]));
    assert_eq!(wire[0]["content"], Value::Null);
    assert_eq!(wire[1]["content"], "1: Tea");
}

#[test]
fn results_follow_their_calls_in_order() {
    let conversation = json!([
        result("z", json!(0)),
        assistant(json!([call("a"), call("b"), call("c")])),
        result("b", json!(2)),
        { "role": "user", "content": "And quickly." },
        result("a", json!(1)),
        result("a", json!("again")),
        result("z", json!("nobody's")),
        assistant(json!([call("d")])),
        result("c", json!("too late")),
    ]);
    let wire = wire(&config("https://a.b"), conversation);
    let shape: Vec<String> = wire
        .as_array()
        .unwrap()
        .iter()
        .map(|message| match message["role"].as_str().unwrap() {
            "tool" => format!("{}={}", message["tool_call_id"].as_str().unwrap(), message["content"].as_str().unwrap()),
            role => role.to_owned(),
        })
        .collect();
    let missing = copydesk_llm::history::NO_RESULT;
    assert_eq!(
        shape,
        ["assistant", "a=1", "b=2", &format!("c={missing}"), "user", "assistant", &format!("d={missing}")]
    );
    assert!(serde_json::from_str::<Value>(missing).unwrap()["error"]["message"].is_string());
}

#[test]
fn failed_and_empty_answers_are_not_sent() {
    let conversation = json!([
        { "role": "assistant", "content": [{ "type": "text", "text": "half" }, call("a")], "stopReason": "aborted" },
        result("a", json!(1)),
        { "role": "assistant", "content": [{ "type": "text", "text": "half" }], "stopReason": "error" },
        assistant(json!([])),
        assistant(json!([{ "type": "thinking", "thinking": "hm" }, { "type": "text", "text": " \n" }])),
        { "role": "user", "content": "Hi" },
    ]);
    assert_eq!(wire(&config("https://a.b"), conversation), json!([{ "role": "user", "content": "Hi" }]));
}

#[test]
fn an_invalid_tool_name_is_sent_back_in_a_valid_form() {
    for (name, sent) in
        [("functions.read", "functions_read"), ("", "unnamed"), ("读 it", "__it"), (&"x".repeat(99), &"x".repeat(64))]
    {
        let call = json!({ "type": "toolCall", "id": "a", "name": name, "arguments": {} });
        let wire = wire(&config("https://a.b"), json!([assistant(json!([call]))]));
        assert_eq!(wire[0]["tool_calls"][0]["function"]["name"], sent);
    }
}

/// <https://api-docs.deepseek.com/guides/thinking_mode>: without it, the request after a tool call is a 400.
#[test]
fn thinking_is_sent_back_to_servers_that_require_it() {
    let conversation = json!([
        assistant(json!([{ "type": "thinking", "thinking": "hm" }, call("a")])),
        result("a", json!(1)),
        assistant(json!([call("b")])),
    ]);
    for (base, model, field, without) in [
        ("https://api.deepseek.com", "any", "reasoning_content", json!("")),
        ("https://a.b", "DeepSeek-V4", "reasoning_content", json!("")),
        ("https://api.moonshot.ai/v1", "kimi-k2", "reasoning_content", json!("")),
        ("https://openrouter.ai/api/v1", "deepseek/v4", "reasoning", Value::Null),
    ] {
        let mut config = config(base);
        config.model.model_id = model.into();
        let wire = wire(&config, conversation.clone());
        assert_eq!((&wire[0][field], &wire[2][field]), (&json!("hm"), &without), "{base}");
    }
    for base in ["https://api.openai.com/v1", "https://api.groq.com/openai/v1"] {
        assert_eq!(wire(&config(base), conversation.clone())[0].as_object().unwrap().len(), 3, "{base}");
    }
}

#[test]
fn adjacent_user_messages_are_sent_as_one() {
    let conversation = json!([
        { "role": "user", "content": "Write." },
        { "role": "assistant", "content": [{ "type": "text", "text": "half" }], "stopReason": "error" },
        { "role": "user", "content": "Again." },
    ]);
    assert_eq!(wire(&config("https://a.b"), conversation), json!([{ "role": "user", "content": "Write.\n\nAgain." }]));
}

#[test]
fn images_are_sent_as_data_and_those_of_tools_in_user_messages() {
    let image = |data: &str| json!({ "type": "image", "data": data, "mimeType": "image/png" });
    let url =
        |data: &str| json!({ "type": "image_url", "image_url": { "url": format!("data:image/png;base64,{data}") } });
    let text = |text: &str| json!({ "type": "text", "text": text });
    let with_image = |id: &str, data: &str| {
        let mut result = result(id, json!("Here."));
        result["images"] = json!([image(data)]);
        result
    };
    let conversation = json!([
        { "role": "user", "content": [text("What?"), image("aaaa")] },
        assistant(json!([call("a"), call("b")])),
        with_image("a", "bbbb"),
        with_image("b", "cccc"),
        { "role": "user", "content": "Which?" },
        assistant(json!([call("c")])),
        with_image("c", "dddd"),
    ]);
    let wire = wire(&config("https://a.b"), conversation);
    let given = "Images returned by the tools:";
    assert_eq!(wire[0]["content"], json!([text("What?"), url("aaaa")]));
    assert_eq!((&wire[2]["content"], &wire[3]["content"]), (&json!("Here."), &json!("Here.")));
    assert_eq!(wire[4], json!({ "role": "user", "content": [text(given), url("bbbb"), url("cccc"), text("Which?")] }));
    assert_eq!(wire[7], json!({ "role": "user", "content": [text(given), url("dddd")] }));
}

/// <https://ai.google.dev/gemini-api/docs/thought-signatures>: without it, Gemini 3 refuses the request after a call.
#[test]
fn the_signature_of_a_call_is_sent_back_in_position() {
    let delta = json!({ "tool_calls": [{
        "index": 0, "id": "a", "type": "function", "function": { "name": "read", "arguments": "{}" },
        "extra_content": { "google": { "thought_signature": "c2ln" } },
    }] });
    let answer = answer_of(&stream(&[delta], "tool_calls")).unwrap();
    let config = config("https://generativelanguage.googleapis.com/v1beta/openai");
    let conversation = [answer.message(&config.model)];
    let sent = sent(&request(&config, "", &conversation, &[]));
    let signature = "/messages/0/tool_calls/0/extra_content/google/thought_signature";
    assert_eq!(sent.pointer(signature), Some(&json!("c2ln")));
}

/// Gateways of Vertex have a key of their own, and other servers may have more.
#[test]
fn what_a_server_adds_to_a_call_is_sent_back_with_it() {
    for extra in [
        json!({ "vertex": { "thought_signature": "SIG123==" } }),
        json!({ "google": { "thought_signature": "a", "more": [1] } }),
        json!({ "google": { "thought_signature": "a" }, "other": { "n": 1 } }),
        json!({ "google": { "thought_signature": "a" } }),
    ] {
        let delta = |extra: &Value| {
            json!({ "tool_calls": [{
                "index": 0, "id": "a", "type": "function", "function": { "name": "read", "arguments": "" },
                "extra_content": extra,
            }] })
        };
        let rest = json!({ "tool_calls": [{ "index": 0, "function": { "arguments": "{}" }, "extra_content": null }] });
        // Some servers repeat it.
        for deltas in [vec![delta(&extra), rest.clone()], vec![delta(&extra), delta(&extra), rest.clone()]] {
            let answer = answer_of(&stream(&deltas, "tool_calls")).unwrap();
            let config = config("https://gateway.example/v1");
            let message: Value = answer.message(&config.model).into();
            let stored: copydesk_llm::Message = message.try_into().unwrap();
            let sent = sent(&request(&config, "", &[stored], &[]));
            assert_eq!(sent.pointer("/messages/0/tool_calls/0/extra_content"), Some(&extra));
        }
    }
}

#[test]
fn ids_are_sent_back_and_those_of_another_provider_converted() {
    let id = format!("functions.read:0{}", "x".repeat(40));
    let call = json!({ "type": "toolCall", "id": id, "name": "read", "arguments": {} });
    for (model, same) in [("gpt-x", true), ("other", false)] {
        let mut answer = assistant(json!([call]));
        answer["api"] = json!("openai-completions");
        answer["modelId"] = json!(model);
        let wire = wire(&config("https://a.b"), json!([answer, result(&id, json!(1))]));
        let sent = wire[0]["tool_calls"][0]["id"].as_str().unwrap();
        assert_eq!(sent == id, same, "{sent}");
        assert!(same || sent.len() == 40, "{sent}");
        assert_eq!((&wire[1]["tool_call_id"], &wire[1]["content"]), (&json!(sent), &json!("1")));
    }
}
