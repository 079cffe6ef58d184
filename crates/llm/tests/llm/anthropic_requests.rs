//! Requests in the format `anthropic-messages`.

use crate::anthropic_streams::{answer, delta, start, stop, stream};
use crate::requests::{assistant, call, messages, request, result, sent};
use copydesk_llm::{LlmConfig, ThinkingLevel, ToolSpec};
use serde_json::{Value, json};

fn config(base_url: &str, model: &str) -> LlmConfig {
    serde_json::from_value(json!({
        "model": { "api": "anthropic-messages", "modelId": model },
        "streamOptions": { "apiKey": "sk-secret", "baseUrl": base_url },
    }))
    .unwrap()
}

fn claude() -> LlmConfig {
    config("https://api.anthropic.com", "claude-sonnet-4-5")
}

fn wire(config: &LlmConfig, conversation: Value) -> Value {
    sent(&request(config, "", &messages(conversation), &[]))["messages"].clone()
}

/// Returns the messages without the marks of what is cached.
fn plain(mut wire: Value) -> Value {
    for message in wire.as_array_mut().unwrap() {
        for block in message["content"].as_array_mut().unwrap() {
            block.as_object_mut().unwrap().remove("cache_control");
        }
    }
    wire
}

// The content of requests.

#[test]
fn a_request_has_the_model_the_conversation_and_the_tools() {
    let tool = ToolSpec { name: "read".into(), description: "Reads.".into(), parameters: json!({ "type": "object" }) };
    let request = request(&claude(), "Be brief.", &messages(json!([{ "role": "user", "content": "Hi" }])), &[tool]);
    assert_eq!(request.url, "https://api.anthropic.com/v1/messages");
    let headers: Vec<_> = request.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(
        headers,
        [
            ("content-type", "application/json"),
            ("anthropic-version", "2023-06-01"),
            ("anthropic-dangerous-direct-browser-access", "true"),
            ("x-api-key", "sk-secret"),
        ]
    );
    let cache = json!({ "type": "ephemeral" });
    assert_eq!(
        sent(&request),
        json!({
            "model": "claude-sonnet-4-5",
            "max_tokens": 16000,
            "stream": true,
            "system": [{ "type": "text", "text": "Be brief.", "cache_control": cache }],
            "messages": [{ "role": "user", "content": [{ "type": "text", "text": "Hi", "cache_control": cache }] }],
            "tools": [{
                "name": "read", "description": "Reads.", "input_schema": { "type": "object" }, "eager_input_streaming": true,
            }],
        })
    );
}

#[test]
fn the_base_url_may_end_in_several_ways() {
    for (base, url) in [
        ("https://api.anthropic.com", "https://api.anthropic.com/v1/messages"),
        ("https://api.anthropic.com/v1", "https://api.anthropic.com/v1/messages"),
        (" https://api.anthropic.com/v1/ ", "https://api.anthropic.com/v1/messages"),
        ("https://api.anthropic.com/v1/messages", "https://api.anthropic.com/v1/messages"),
        ("https://api.deepseek.com/anthropic", "https://api.deepseek.com/anthropic/v1/messages"),
        ("https://a.b/claude/?beta=true", "https://a.b/claude/v1/messages?beta=true"),
        ("/api/llm", "/api/llm/v1/messages"),
    ] {
        assert_eq!(request(&config(base, "claude"), "", &[], &[]).url, url);
    }
}

#[test]
fn the_results_of_an_answer_are_the_beginning_of_one_message() {
    let mut failed = result("b", json!({ "error": "no" }));
    failed["isError"] = json!(true);
    let conversation = json!([
        { "role": "user", "content": "Hi" },
        assistant(json!([{ "type": "text", "text": "A" }, call("a"), { "type": "text", "text": "\n\n" }, call("b")])),
        { "role": "user", "content": "And quickly." },
        failed,
        result("a", json!("1: Tea")),
        assistant(json!([{ "type": "text", "text": "Done" }])),
        { "role": "user", "content": "Thanks." },
    ]);
    let text = |text: &str| json!({ "type": "text", "text": text });
    let tool_use = |id: &str| json!({ "type": "tool_use", "id": id, "name": "read", "input": { "n": 1 } });
    let wire = wire(&claude(), conversation);
    let cached: Vec<&Value> =
        wire.as_array().unwrap().iter().flat_map(|message| message["content"].as_array().unwrap()).collect();
    let cached: Vec<bool> = cached.iter().map(|block| block["cache_control"].is_object()).collect();
    assert_eq!(cached, [false, false, false, false, false, false, false, false, true]);
    assert_eq!(
        plain(wire),
        json!([
            { "role": "user", "content": [text("Hi")] },
            { "role": "assistant", "content": [text("A"), tool_use("a"), tool_use("b")] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "a", "content": "1: Tea" },
                { "type": "tool_result", "tool_use_id": "b", "content": "{\"error\":\"no\"}", "is_error": true },
                text("And quickly."),
            ] },
            { "role": "assistant", "content": [text("Done")] },
            { "role": "user", "content": [text("Thanks.")] },
        ])
    );
}

#[test]
fn a_conversation_begins_with_the_user() {
    let wire = wire(&claude(), json!([assistant(json!([{ "type": "text", "text": "Hello." }]))]));
    assert_eq!((&wire[0]["role"], &wire[1]["role"]), (&json!("user"), &json!("assistant")));
}

#[test]
fn images_are_sent_as_blocks_also_in_results() {
    let image = json!({ "type": "image", "data": "aGk=", "mimeType": "image/png" });
    let mut shown = result("a", json!("Here."));
    shown["images"] = json!([image]);
    let conversation = json!([
        { "role": "user", "content": [{ "type": "text", "text": "What?" }, image] },
        assistant(json!([call("a")])),
        shown,
    ]);
    let wire = plain(wire(&claude(), conversation));
    let block = json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "aGk=" } });
    assert_eq!(wire[0]["content"], json!([block, { "type": "text", "text": "What?" }]));
    assert_eq!(wire[2]["content"][0]["content"], json!([{ "type": "text", "text": "Here." }, block]));
}

#[test]
fn an_id_of_another_provider_is_converted() {
    let id = "functions.read:0|".repeat(30);
    let call = json!({ "type": "toolCall", "id": id, "name": "functions.read", "arguments": {} });
    let wire =
        wire(&claude(), json!([{ "role": "user", "content": "Hi" }, assistant(json!([call])), result(&id, json!(1))]));
    let sent = wire[1]["content"][0]["id"].as_str().unwrap();
    assert!(
        sent.len() <= 64 && sent.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)),
        "{sent}"
    );
    assert_eq!(wire[2]["content"][0]["tool_use_id"], sent);
    assert_eq!(wire[1]["content"][0]["name"], "functions_read");
}

/// Everything of a request that hangs on thinking.
fn thinking(model: &str, level: Option<ThinkingLevel>, max_tokens: Option<u64>) -> Value {
    let mut config = config("https://api.anthropic.com", model);
    config.thinking_level = level;
    config.stream_options.max_tokens = max_tokens;
    config.stream_options.temperature = Some(0.5);
    let request = request(&config, "", &[], &[]);
    let mut sent = sent(&request);
    for other in ["model", "messages", "stream"] {
        sent.as_object_mut().unwrap().remove(other);
    }
    if let Some((_, beta)) = request.headers.iter().find(|(name, _)| name == "anthropic-beta") {
        sent["beta"] = json!(beta);
    }
    sent
}

#[test]
fn the_thinking_level_is_sent_as_the_model_version_expects() {
    use ThinkingLevel::{High, Low, Minimal, Off, Xhigh};
    let budget = |budget: u64, max: u64| {
        json!({
            "max_tokens": max,
            "thinking": { "type": "enabled", "budget_tokens": budget },
        })
    };
    let adaptive = |effort: &str| {
        json!({
            "max_tokens": 32000,
            "thinking": { "type": "adaptive", "display": "summarized" },
            "output_config": { "effort": effort },
        })
    };
    let untold = |max: u64| json!({ "max_tokens": max, "temperature": 0.5 });
    let off = |mut sent: Value| {
        sent["thinking"] = json!({ "type": "disabled" });
        sent
    };
    let bound = |mut sent: Value| {
        sent["thinking"]["block_binding"] = json!({ "prefix_mismatch_behavior": "drop_block" });
        sent["beta"] = json!("thinking-binding-controls-2026-08-01");
        sent
    };
    let unasked = json!({ "max_tokens": 32000, "thinking": { "type": "adaptive", "display": "summarized" } });
    for (model, level, max, expected) in [
        ("claude-3-5-haiku-20241022", None, None, untold(4096)),
        ("claude-3-5-haiku-20241022", Some(High), None, untold(4096)),
        ("claude-3-7-sonnet-latest", Some(Low), None, budget(4096, 20096)),
        ("claude-sonnet-4-20250514", Some(Minimal), None, budget(1024, 17024)),
        ("claude-opus-4-1", Some(Xhigh), None, budget(16000, 32000)),
        ("claude-sonnet-4-5", Some(Xhigh), Some(5000), budget(3976, 5000)),
        ("claude-sonnet-4-5", Some(High), Some(2000), untold(2000)),
        ("claude-sonnet-4-5", Some(Off), None, off(untold(16000))),
        ("claude-sonnet-4-5", None, None, untold(16000)),
        ("claude-sonnet-4-6", Some(Xhigh), None, adaptive("high")),
        ("anthropic/claude-opus-4.6", Some(Xhigh), None, adaptive("max")),
        ("claude-opus-4-6", Some(Off), None, off(untold(32000))),
        ("claude-opus-4-7", Some(Xhigh), None, adaptive("xhigh")),
        ("claude-opus-4-8", Some(Minimal), None, adaptive("low")),
        ("claude-opus-4-8", Some(Off), None, off(json!({ "max_tokens": 32000 }))),
        ("claude-opus-5", Some(Off), None, json!({ "max_tokens": 32000, "thinking": { "type": "disabled" } })),
        ("claude-opus-5", None, None, json!({ "max_tokens": 32000 })),
        ("claude-opus-5-5", None, None, bound(unasked)),
        ("claude-opus-5-5", Some(Off), None, bound(adaptive("low"))),
        ("claude-fable-5-1", Some(High), None, bound(adaptive("high"))),
        ("claude-mythos-preview", Some(High), None, adaptive("high")),
        ("MiniMax-M2", Some(Low), None, budget(4096, 20096)),
        (
            "glm-5",
            Some(Off),
            None,
            json!({ "max_tokens": 16000, "thinking": { "type": "disabled" }, "temperature": 0.5 }),
        ),
    ] {
        assert_eq!(thinking(model, level, max), expected, "{model} {level:?}");
    }
}

#[test]
fn thinking_with_a_budget_does_not_begin_within_a_turn() {
    let thought = json!({ "type": "thinking", "thinking": "hm", "signature": "s1" });
    let answer = |content: Value, model: &str| {
        let mut answer = assistant(content);
        answer["api"] = json!("anthropic-messages");
        answer["modelId"] = json!(model);
        answer
    };
    let own = "claude-sonnet-4-5";
    let asked = json!({ "role": "user", "content": "Hi" });
    let results = [result("a", json!(1)), result("b", json!(2))];
    for (conversation, thinks) in [
        (json!([asked]), true),
        (json!([asked, answer(json!([call("a")]), own), results[0]]), false),
        (json!([asked, answer(json!([thought, call("a")]), own), results[0]]), true),
        // Another model's thinking is not sent.
        (json!([asked, answer(json!([thought, call("a")]), "gpt"), results[0]]), false),
        // The turn began with thinking, its second answer did not.
        (
            json!([
                asked,
                answer(json!([thought, call("a")]), own),
                results[0],
                answer(json!([call("b")]), own),
                results[1]
            ]),
            true,
        ),
        (json!([asked, answer(json!([call("a")]), own), results[0], asked]), false),
        (
            json!([
                asked,
                answer(json!([call("a")]), own),
                results[0],
                answer(json!([{ "type": "text", "text": "x" }]), own),
                asked
            ]),
            true,
        ),
    ] {
        let mut config = claude();
        config.thinking_level = Some(ThinkingLevel::High);
        let sent = sent(&request(&config, "", &messages(conversation.clone()), &[]));
        assert_eq!(sent["thinking"].is_object(), thinks, "{conversation}");
    }
}

#[test]
fn an_answer_is_sent_back_block_by_block_unchanged() {
    let body = stream(
        &[
            start(0, json!({ "type": "thinking", "thinking": "", "signature": "" })),
            delta(0, json!({ "type": "thinking_delta", "thinking": "hm" })),
            delta(0, json!({ "type": "signature_delta", "signature": "c2ln" })),
            stop(0),
            start(1, json!({ "type": "redacted_thinking", "data": "ZGF0YQ==" })),
            stop(1),
            start(2, json!({ "type": "text", "text": "" })),
            delta(2, json!({ "type": "text_delta", "text": "I look." })),
            stop(2),
            start(3, json!({ "type": "thinking", "thinking": "", "signature": "" })),
            delta(3, json!({ "type": "signature_delta", "signature": "bm9uZQ==" })),
            stop(3),
            start(4, json!({ "type": "tool_use", "id": "toolu_1", "name": "read", "input": {} })),
            delta(4, json!({ "type": "input_json_delta", "partial_json": "{\"n\":1}" })),
            stop(4),
        ],
        "tool_use",
    );
    let answer = answer(&body);
    assert_eq!((answer.text().as_str(), answer.thinking().as_str()), ("I look.", "hm"));
    let conversation = |model: &LlmConfig| {
        let mut conversation = messages(json!([{ "role": "user", "content": "Hi" }]));
        conversation.push(answer.message(&claude().model));
        conversation.extend(messages(json!([result("toolu_1", json!("1: Tea"))])));
        plain(sent(&request(model, "", &conversation, &[]))["messages"].clone())
    };
    let tool_use = json!({ "type": "tool_use", "id": "toolu_1", "name": "read", "input": { "n": 1 } });
    assert_eq!(
        conversation(&claude())[1]["content"],
        json!([
            { "type": "thinking", "thinking": "hm", "signature": "c2ln" },
            { "type": "redacted_thinking", "data": "ZGF0YQ==" },
            { "type": "text", "text": "I look." },
            { "type": "thinking", "thinking": "", "signature": "bm9uZQ==" },
            tool_use,
        ])
    );
    let other = config("https://api.anthropic.com", "claude-opus-4-1");
    assert_eq!(conversation(&other)[1]["content"], json!([{ "type": "text", "text": "I look." }, tool_use]));
}

/// The servers of DeepSeek and Kimi send no signatures and require their thinking in later requests.
#[test]
fn unsigned_thinking_is_sent_back_to_servers_without_signatures() {
    let config = config("https://api.deepseek.com/anthropic", "deepseek-v4");
    let mut answer = assistant(json!([{ "type": "thinking", "thinking": "hm" }, call("a")]));
    answer["api"] = json!("anthropic-messages");
    answer["modelId"] = json!("deepseek-v4");
    let wire = wire(&config, json!([{ "role": "user", "content": "Hi" }, answer, result("a", json!(1))]));
    assert_eq!(wire[1]["content"][0], json!({ "type": "thinking", "thinking": "hm", "signature": "" }));
}

/// With a refusal in the conversation, Claude would refuse all further requests.
#[test]
fn a_refusal_is_not_sent_back() {
    let mut refused = assistant(json!([{ "type": "text", "text": "I can" }]));
    refused["stopReason"] = json!("refusal");
    let wire =
        wire(&claude(), json!([{ "role": "user", "content": "a" }, refused, { "role": "user", "content": "b" }]));
    assert_eq!(plain(wire), json!([{ "role": "user", "content": [{ "type": "text", "text": "a\n\nb" }] }]));
}
