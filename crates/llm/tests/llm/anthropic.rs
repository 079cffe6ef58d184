//! `anthropic-messages`: what is sent, and odd shapes of what comes back.

use crate::decoding::{answer_as, calls, decode_as};
use crate::random::Random;
use crate::requests::{assistant, call, messages, request, result, sent};
use copydesk_base::ErrorInfo;
use copydesk_llm::Error;
use copydesk_llm::{Answer, Api, Ending, LlmConfig, Part, ThinkingLevel, ToolSpec};
use serde_json::{Value, json};

const API: Api = Api::AnthropicMessages;

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

/// The same without the marks of what is cached.
fn plain(mut wire: Value) -> Value {
    for message in wire.as_array_mut().unwrap() {
        for block in message["content"].as_array_mut().unwrap() {
            block.as_object_mut().unwrap().remove("cache_control");
        }
    }
    wire
}

// What is sent.

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
fn the_address_may_end_in_several_ways() {
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
fn the_results_of_an_answer_are_one_message_and_stand_first_in_it() {
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
fn a_conversation_begins_with_the_person() {
    let wire = wire(&claude(), json!([assistant(json!([{ "type": "text", "text": "Hello." }]))]));
    assert_eq!((&wire[0]["role"], &wire[1]["role"]), (&json!("user"), &json!("assistant")));
}

#[test]
fn pictures_go_as_blocks_also_in_results() {
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
fn an_id_of_another_provider_is_sent_in_a_form_that_fits() {
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
fn a_model_is_told_how_much_to_think_as_its_version_wants_it() {
    use ThinkingLevel::{High, Low, Minimal, Off, Xhigh};
    let budget = |budget: u64, max: u64| json!({ "max_tokens": max, "thinking": { "type": "enabled", "budget_tokens": budget } });
    let adaptive = |effort: &str| {
        json!({
            "max_tokens": 32000,
            "thinking": { "type": "adaptive", "display": "summarized" },
            "output_config": { "effort": effort },
        })
    };
    let untold = |max: u64| json!({ "max_tokens": max, "temperature": 0.5 });
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
        ("claude-sonnet-4-5", Some(Off), None, untold(16000)),
        ("claude-sonnet-4-5", None, None, untold(16000)),
        ("claude-sonnet-4-6", Some(Xhigh), None, adaptive("high")),
        ("anthropic/claude-opus-4.6", Some(Xhigh), None, adaptive("max")),
        ("claude-opus-4-6", Some(Off), None, untold(32000)),
        ("claude-opus-4-7", Some(Xhigh), None, adaptive("xhigh")),
        ("claude-opus-4-8", Some(Minimal), None, adaptive("low")),
        ("claude-opus-4-8", Some(Off), None, json!({ "max_tokens": 32000 })),
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
fn thinking_with_a_budget_does_not_begin_in_the_middle_of_a_turn() {
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
fn an_answer_goes_back_block_by_block_as_it_came() {
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

/// DeepSeek's and Kimi's servers sign nothing and miss the thinking where it does not come back.
#[test]
fn unsigned_thinking_goes_back_to_those_who_do_not_sign() {
    let config = config("https://api.deepseek.com/anthropic", "deepseek-v4");
    let mut answer = assistant(json!([{ "type": "thinking", "thinking": "hm" }, call("a")]));
    answer["api"] = json!("anthropic-messages");
    answer["modelId"] = json!("deepseek-v4");
    let wire = wire(&config, json!([{ "role": "user", "content": "Hi" }, answer, result("a", json!(1))]));
    assert_eq!(wire[1]["content"][0], json!({ "type": "thinking", "thinking": "hm", "signature": "" }));
}

/// With it in the conversation, Claude would refuse everything that follows.
#[test]
fn an_answer_that_was_refused_is_not_sent_back() {
    let mut refused = assistant(json!([{ "type": "text", "text": "I can" }]));
    refused["stopReason"] = json!("refusal");
    let wire =
        wire(&claude(), json!([{ "role": "user", "content": "a" }, refused, { "role": "user", "content": "b" }]));
    assert_eq!(plain(wire), json!([{ "role": "user", "content": [{ "type": "text", "text": "a\n\nb" }] }]));
}

// What comes back.

fn event(data: &Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap_or("message"))
}

fn start(index: u64, block: Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

fn delta(index: u64, delta: Value) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

fn stop(index: u64) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

fn opening() -> Value {
    json!({ "type": "message_start", "message": { "id": "msg_1", "type": "message", "content": [], "usage": { "input_tokens": 5, "output_tokens": 1 } } })
}

fn ending(reason: &str) -> Value {
    json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "output_tokens": 7 } })
}

fn stream(blocks: &[Value], reason: &str) -> String {
    let end = [ending(reason), json!({ "type": "message_stop" })];
    [opening()].iter().chain(blocks).chain(&end).map(event).collect()
}

fn said(text: &str) -> Vec<Value> {
    vec![
        start(0, json!({ "type": "text", "text": "" })),
        delta(0, json!({ "type": "text_delta", "text": text })),
        stop(0),
    ]
}

fn outcome(body: &str) -> Result<Answer, Error> {
    answer_as(API, body, &mut Random::new())
}

fn answer(body: &str) -> Answer {
    outcome(body).unwrap_or_else(|error| panic!("{error}\n{body}"))
}

fn called(input: Value) -> Value {
    start(0, json!({ "type": "tool_use", "id": "a", "name": "read", "input": input }))
}

fn piece(json: &str) -> Value {
    delta(0, json!({ "type": "input_json_delta", "partial_json": json }))
}

#[test]
fn the_input_of_a_call_may_be_whole_at_its_beginning() {
    for blocks in [
        vec![called(json!({ "n": 1 })), stop(0)],
        vec![called(json!({ "n": 1 }))],
        vec![called(json!("{\"n\":1}")), stop(0)],
        vec![called(json!({ "n": 1 })), piece(""), stop(0)],
        vec![called(json!({})), piece(""), piece("{\"n\""), piece(":1}"), stop(0)],
        // Pieces go before what was there.
        vec![called(json!({ "n": 2 })), piece("{\"n\":1}"), stop(0)],
    ] {
        assert_eq!(calls(&answer(&stream(&blocks, "tool_use"))), json!([["a", "read", { "n": 1 }]]), "{blocks:?}");
    }
    for blocks in [vec![called(json!({})), stop(0)], vec![called(Value::Null)], vec![called(json!({})), piece("null")]]
    {
        assert_eq!(calls(&answer(&stream(&blocks, "tool_use"))), json!([["a", "read", {}]]), "{blocks:?}");
    }
}

#[test]
fn cut_off_input_does_not_run() {
    let answer = answer(&stream(&[called(json!({})), piece("{\"n\":"), stop(0)], "max_tokens"));
    assert_eq!(answer.ending, Ending::Length);
    assert_eq!(answer.tool_calls[0].arguments.runnable().unwrap_err().code(), "arguments_cut_off");
}

#[test]
fn blocks_may_share_an_index_and_calls_an_id() {
    let block = |n: u64| [called(json!({})), piece(&format!("{{\"n\":{n}}}")), stop(0)];
    let blocks: Vec<Value> = [block(1), block(2)].concat();
    let answer = answer(&stream(&blocks, "tool_use"));
    let inputs: Vec<_> = answer.tool_calls.iter().map(|call| json!(call.arguments.whole())).collect();
    assert_eq!(inputs, [json!({ "n": 1 }), json!({ "n": 2 })]);
    assert_ne!(answer.tool_calls[0].id, answer.tool_calls[1].id);
}

#[test]
fn blocks_may_come_interleaved() {
    let text = |index: u64, text: &str| delta(index, json!({ "type": "text_delta", "text": text }));
    let tool =
        |index: u64, id: &str| start(index, json!({ "type": "tool_use", "id": id, "name": "read", "input": {} }));
    let input = |index: u64, json: &str| delta(index, json!({ "type": "input_json_delta", "partial_json": json }));
    let blocks = [
        start(0, json!({ "type": "text", "text": "" })),
        tool(1, "a"),
        tool(2, "b"),
        input(2, "{\"n\":"),
        text(0, "One"),
        input(1, "{\"n\":1"),
        input(2, "2}"),
        input(1, "}"),
        text(0, " two"),
        stop(1),
        stop(0),
        stop(2),
    ];
    let answer = answer(&stream(&blocks, "tool_use"));
    assert_eq!(answer.text(), "One two");
    assert_eq!(calls(&answer), json!([["a", "read", { "n": 1 }], ["b", "read", { "n": 2 }]]));
}

#[test]
fn a_block_whose_beginning_is_missing_or_promised_another_kind_is_read() {
    let text = delta(0, json!({ "type": "text_delta", "text": "Tea" }));
    let thinking = delta(0, json!({ "type": "thinking_delta", "thinking": "hm" }));
    for blocks in [
        vec![thinking.clone(), text.clone()],
        vec![start(0, json!({ "type": "text", "text": "" })), thinking.clone(), text.clone(), stop(0)],
        vec![start(0, json!({ "type": "thinking" })), thinking.clone(), stop(0), text.clone(), stop(0)],
    ] {
        let answer = answer(&stream(&blocks, "end_turn"));
        assert_eq!((answer.text().as_str(), answer.thinking().as_str()), ("Tea", "hm"), "{blocks:?}");
    }
}

#[test]
fn what_the_providers_own_tools_do_is_no_call() {
    let mut blocks = vec![
        start(0, json!({ "type": "server_tool_use", "id": "s", "name": "web_search", "input": {} })),
        piece("{\"query\":\"tea\"}"),
        stop(0),
        start(1, json!({ "type": "web_search_tool_result", "tool_use_id": "s", "content": [] })),
        stop(1),
    ];
    blocks.extend(said("Tea."));
    let answer = answer(&stream(&blocks, "end_turn"));
    assert_eq!((answer.text().as_str(), answer.tool_calls.len(), answer.content.len()), ("Tea.", 0, 1));
}

#[test]
fn a_reason_says_what_it_means() {
    for (reason, ending) in [
        ("end_turn", Ending::Done),
        ("stop_sequence", Ending::Done),
        ("something_new", Ending::Done),
        ("max_tokens", Ending::Length),
        ("model_context_window_exceeded", Ending::Length),
        ("pause_turn", Ending::Paused),
        ("refusal", Ending::Filtered),
    ] {
        let answer = answer(&stream(&said("Tea."), reason));
        assert_eq!((answer.finish.as_str(), answer.ending), (reason, ending));
    }
    assert_eq!(outcome(&stream(&[], "refusal")), Err(Error::ContentFilter));
    let empty = answer(&stream(&[], "end_turn"));
    assert_eq!((empty.content.len(), empty.ending), (0, Ending::Done));
}

#[test]
fn counts_are_the_largest_that_were_said() {
    let start = |usage: Value| json!({ "type": "message_start", "message": { "usage": usage } });
    let end = |usage: Value| json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": usage });
    let counts = |events: &[Value]| {
        let body: String = events.iter().map(event).collect();
        let usage = answer(&body).usage.unwrap();
        [usage.input_tokens, usage.cached_tokens, usage.cache_write_tokens, usage.output_tokens, usage.total_tokens]
    };
    let cached = json!({ "input_tokens": 3, "cache_read_input_tokens": 10, "cache_creation_input_tokens": 20, "output_tokens": 1 });
    assert_eq!(counts(&[start(cached.clone()), end(json!({ "output_tokens": 7 }))]), [33, 10, 20, 7, 40]);
    let zero = json!({ "input_tokens": 0, "cache_read_input_tokens": null, "output_tokens": 7 });
    assert_eq!(counts(&[start(cached.clone()), end(zero)]), [33, 10, 20, 7, 40]);
    assert_eq!(counts(&[start(json!({ "input_tokens": 0 })), end(cached)]), [33, 10, 20, 1, 34]);
    assert_eq!(counts(&[end(json!({ "output_tokens": "many" }))]), [0, 0, 0, 0, 0]);
}

#[test]
fn an_answer_that_was_not_streamed_is_read() {
    let body = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "stop_reason": "tool_use",
        "content": [
            { "type": "thinking", "thinking": "hm", "signature": "c2ln" },
            { "type": "text", "text": "Tea." },
            { "type": "tool_use", "id": "a", "name": "read", "input": { "n": 1 } },
        ],
        "usage": { "input_tokens": 5, "output_tokens": 7 },
    });
    let answer = answer(&body.to_string());
    assert_eq!((answer.text().as_str(), answer.usage.unwrap().total_tokens), ("Tea.", 12));
    assert_eq!(calls(&answer), json!([["a", "read", { "n": 1 }]]));
    assert_eq!(
        answer.content[0],
        Part::Thinking { thinking: "hm".into(), signature: Some("c2ln".into()), redacted: false }
    );
}

#[test]
fn an_ending_may_lack_its_last_event_or_its_reason() {
    let whole = stream(&said("Tea."), "end_turn");
    let without_stop = whole.split("event: message_stop").next().unwrap();
    assert_eq!(answer(without_stop).finish, "end_turn");
    let without_reason = whole.replace("\"stop_reason\":\"end_turn\"", "\"stop_reason\":null");
    assert_eq!((answer(&without_reason).text().as_str(), answer(&without_reason).finish.as_str()), ("Tea.", ""));
    assert_eq!(answer(&whole.replace("event: message_stop", "data: [DONE]\n\nevent: message_stop")).finish, "end_turn");
}

/// Some gateways leave the names of the events out, others the types in them.
#[test]
fn events_are_known_by_their_type_or_by_their_name() {
    let whole = stream(&said("Tea."), "end_turn");
    let unnamed: String =
        whole.lines().filter(|line| !line.starts_with("event:")).map(|line| format!("{line}\n")).collect();
    assert_eq!(answer(&unnamed).text(), "Tea.");
    let mut untyped = String::new();
    for data in [vec![opening()], said("Tea."), vec![ending("end_turn")]].concat() {
        let mut bare = data.clone();
        bare.as_object_mut().unwrap().remove("type");
        untyped += &event(&data).replace(&data.to_string(), &bare.to_string());
    }
    assert_eq!(answer(&untyped).text(), "Tea.");
}

#[test]
fn pings_and_unknown_events_are_passed_over() {
    let noise = "event: ping\ndata: {\"type\": \"ping\"}\n\nevent: ping\ndata: pong\n\nevent: novelty\ndata: {\"type\":\"novelty\",\"index\":0}\n\n: comment\n\n";
    let body: String =
        stream(&said("Tea."), "end_turn").split_inclusive("\n\n").flat_map(|event| [noise, event]).collect();
    assert_eq!(answer(&body).text(), "Tea.");
}

#[test]
fn an_error_in_the_stream_is_an_error_after_what_came_before_it() {
    let body = [vec![opening()], said("Te")].concat().iter().map(event).collect::<String>()
        + "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded sk-secret\"}}\n\n";
    let (result, deltas) = decode_as(API, [body.as_bytes()]);
    assert!(!deltas.is_empty());
    let error = result.unwrap_err();
    assert!(error.to_string().contains("Overloaded …"), "{error}");
}

#[test]
fn a_stream_that_breaks_off_is_no_answer() {
    let body = stream(&[said("Tea."), vec![called(json!({})), piece("{\"n\":1}"), stop(0)]].concat(), "tool_use");
    let end = body.find("tool_use\"}").map(|_| body.find("\"stop_reason\":\"tool_use\"").unwrap()).unwrap();
    for cut in (0..end).step_by(7) {
        assert_eq!(outcome(&body[..cut]).unwrap_err().code(), "stream_cut", "cut at {cut}");
    }
}

#[test]
fn a_character_split_between_two_pieces_is_whole() {
    let text = |json: &str| {
        format!(
            "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\"text_delta\",\"text\":\"{json}\"}}}}\n\n"
        )
    };
    let body = event(&opening())
        + &text("\\ud83d")
        + &text("\\ude00")
        + &text("\\ud83d")
        + &event(&stop(0))
        + &event(&ending("end_turn"));
    assert_eq!(answer(&body).text(), "\u{1F600}\u{FFFD}");
}
