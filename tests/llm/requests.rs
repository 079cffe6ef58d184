//! What is sent.

use copydesk::host::Request;
use copydesk::llm::{Answer, Arguments, LlmConfig, Message, ToolCall, ToolSpec, Usage, openai_completions};
use serde_json::{Value, json};

fn config(base_url: &str) -> LlmConfig {
    serde_json::from_value(json!({
        "model": { "api": "openai-completions", "modelId": "gpt-x" },
        "streamOptions": { "apiKey": "sk-secret", "baseUrl": base_url, "temperature": 0.5, "timeout": 1000 },
    }))
    .unwrap()
}

fn messages(json: Value) -> Vec<Message> {
    serde_json::from_value(json).unwrap()
}

fn sent(request: &Request) -> Value {
    serde_json::from_str(request.body.as_deref().unwrap()).unwrap()
}

/// The messages that are sent for these.
fn wire(config: &LlmConfig, conversation: Value) -> Value {
    sent(&openai_completions::request(config, "", &messages(conversation), &[]))["messages"].clone()
}

fn call(id: &str) -> Value {
    json!({ "type": "toolCall", "id": id, "name": "read", "arguments": { "n": 1 } })
}

fn assistant(content: Value) -> Value {
    json!({ "role": "assistant", "content": content, "stopReason": "tool_calls" })
}

fn result(id: &str, content: Value) -> Value {
    json!({ "role": "toolResult", "toolCallId": id, "toolName": "read", "content": content, "isError": false })
}

#[test]
fn a_request_has_the_model_the_conversation_and_the_tools() {
    let tool = ToolSpec { name: "read".into(), description: "Reads.".into(), parameters: json!({ "type": "object" }) };
    let conversation = messages(json!([{ "role": "user", "content": "Hi" }]));
    let request =
        openai_completions::request(&config("https://api.openai.com/v1"), "Be brief.", &conversation, &[tool]);
    assert_eq!(request.url, "https://api.openai.com/v1/chat/completions");
    assert_eq!(
        request.headers,
        [("content-type", "application/json".to_owned()), ("authorization", "Bearer sk-secret".to_owned())]
    );
    assert_eq!(
        sent(&request),
        json!({
            "model": "gpt-x",
            "messages": [{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "Hi" }],
            "stream": true,
            "stream_options": { "include_usage": true },
            "temperature": 0.5,
            "tools": [{ "type": "function", "function": { "name": "read", "description": "Reads.", "parameters": { "type": "object" } } }],
        })
    );
}

#[test]
fn what_is_not_set_is_not_sent() {
    let mut config = config("http://localhost:11434/v1");
    config.stream_options.temperature = None;
    for key in [None, Some(String::new()), Some("  ".into())] {
        config.stream_options.api_key = key;
        let request = openai_completions::request(&config, "", &[], &[]);
        assert_eq!(request.headers.len(), 1);
        let keys: Vec<String> = sent(&request).as_object().unwrap().keys().cloned().collect();
        assert_eq!(keys, ["model", "messages", "stream", "stream_options"]);
    }
}

#[test]
fn the_address_may_end_in_several_ways() {
    for (base, url) in [
        ("https://a.b/v1", "https://a.b/v1/chat/completions"),
        (" https://a.b/v1/ ", "https://a.b/v1/chat/completions"),
        ("https://a.b/v1//", "https://a.b/v1/chat/completions"),
        ("https://a.b/v1/chat/completions", "https://a.b/v1/chat/completions"),
        ("https://a.b/v1/chat/completions/", "https://a.b/v1/chat/completions"),
        ("https://a.b/deployments/x?api-version=1", "https://a.b/deployments/x/chat/completions?api-version=1"),
        ("/api/llm", "/api/llm/chat/completions"),
    ] {
        assert_eq!(openai_completions::request(&config(base), "", &[], &[]).url, url);
    }
}

#[test]
fn a_key_is_never_in_what_debug_prints() {
    let config = config("https://a.b");
    let request = openai_completions::request(&config, "", &[], &[]);
    let decoder = openai_completions::Decoder::new("", config.stream_options.key());
    let printed = format!("{config:?} {request:?} {decoder:?}");
    assert!(printed.contains("gpt-x") && !printed.contains("secret"), "{printed}");
}

#[test]
fn a_config_that_cannot_work_is_found_out() {
    assert_eq!(config("https://a.b/v1").check(), Ok(()));
    assert_eq!(config("/api/llm").check(), Ok(()));
    let code = |change: &dyn Fn(&mut LlmConfig)| {
        let mut config = config("https://a.b");
        change(&mut config);
        config.check().unwrap_err()
    };
    for (name, error) in [
        ("model.modelId", code(&|config| config.model.model_id = " ".into())),
        ("streamOptions.baseUrl", code(&|config| config.stream_options.base_url = "".into())),
        ("streamOptions.baseUrl", code(&|config| config.stream_options.base_url = "ftp://a.b".into())),
        ("streamOptions.apiKey", code(&|config| config.stream_options.api_key = Some("sk-\nx".into()))),
        ("streamOptions.apiKey", code(&|config| config.stream_options.api_key = Some("钥匙".into()))),
        ("streamOptions.temperature", code(&|config| config.stream_options.temperature = Some(f64::NAN))),
    ] {
        assert_eq!(error.code(), "config");
        assert!(error.to_string().contains(name), "{error}");
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
fn results_stand_in_the_order_of_their_calls_right_after_them() {
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
    let missing = copydesk::llm::history::DID_NOT_RUN;
    assert_eq!(
        shape,
        ["assistant", "a=1", "b=2", &format!("c={missing}"), "user", "assistant", &format!("d={missing}")]
    );
    assert!(serde_json::from_str::<Value>(missing).unwrap()["error"]["message"].is_string());
}

#[test]
fn answers_that_failed_or_say_nothing_are_not_sent() {
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
fn a_name_that_a_model_made_up_is_sent_back_in_a_valid_form() {
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
fn thinking_goes_back_to_those_who_want_it() {
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
fn messages_are_the_same_json_on_both_sides() {
    let json = json!([
        { "role": "user", "content": "Hi" },
        {
            "role": "assistant",
            "content": [{ "type": "thinking", "thinking": "hm" }, { "type": "text", "text": "A" }, call("a")],
            "stopReason": "tool_calls",
            "usage": { "inputTokens": 1, "outputTokens": 2, "cachedTokens": 0, "reasoningTokens": 0, "totalTokens": 3 },
        },
        { "role": "toolResult", "toolCallId": "a", "toolName": "read", "content": { "ok": true }, "isError": false },
        { "role": "assistant", "content": [], "stopReason": "stop" },
    ]);
    assert_eq!(serde_json::to_value(messages(json.clone())).unwrap(), json);
}

#[test]
fn an_answer_becomes_a_message_in_which_no_cut_off_arguments_stand() {
    let call = |arguments| ToolCall { id: "a".into(), name: "read".into(), arguments };
    let answer = Answer {
        text: "A".into(),
        thinking: "hm".into(),
        refusal: String::new(),
        tool_calls: vec![call(Arguments::CutOff { raw: "{\"n".into() })],
        finish: "length".into(),
        usage: Some(Usage { input_tokens: 1, ..Usage::default() }),
    };
    let expected = json!([{ "type": "thinking", "thinking": "hm" }, { "type": "text", "text": "A" }, { "type": "toolCall", "id": "a", "name": "read", "arguments": {} }]);
    assert_eq!(serde_json::to_value(answer.message()).unwrap()["content"], expected);
}

#[test]
fn usage_adds_up_without_overflow() {
    let mut sum = Usage { input_tokens: u64::MAX, ..Usage::default() };
    sum.add(&Usage { input_tokens: 1, output_tokens: 2, cached_tokens: 3, reasoning_tokens: 4, total_tokens: 5 });
    assert_eq!(
        sum,
        Usage { input_tokens: u64::MAX, output_tokens: 2, cached_tokens: 3, reasoning_tokens: 4, total_tokens: 5 }
    );
}

#[test]
fn what_is_no_message_or_config_is_refused_by_name() {
    for (message, reason) in [
        (json!("hi"), "role must be a string"),
        (json!({ "role": "tool" }), "role \"tool\" is none of user, assistant, toolResult"),
        (json!({ "role": "user", "content": [] }), "content must be a string"),
        (json!({ "role": "assistant", "content": "x", "stopReason": "stop" }), "content must be an array"),
        (json!({ "role": "assistant", "content": [1], "stopReason": "stop" }), "type must be a string"),
        (
            json!({ "role": "assistant", "content": [{ "type": "toolCall", "id": "a", "name": "b" }] }),
            "arguments must be an object",
        ),
        (json!({ "role": "toolResult", "toolCallId": "a", "toolName": "b" }), "isError must be true or false"),
    ] {
        assert_eq!(serde_json::from_value::<Message>(message).unwrap_err().to_string(), reason);
    }
    let options = |options: Value| serde_json::from_value::<copydesk::llm::StreamOptions>(options);
    for (given, reason) in [
        (json!({}), "baseUrl must be a string"),
        (json!({ "baseUrl": "x", "apiKey": 1 }), "apiKey must be a string"),
        (json!({ "baseUrl": "x", "temperature": "1" }), "temperature must be a number"),
        (json!({ "baseUrl": "x", "timeout": -1 }), "timeout must be a number of milliseconds"),
    ] {
        assert_eq!(options(given).unwrap_err().to_string(), reason);
    }
    let given = json!({ "baseUrl": "x", "apiKey": null, "temperature": null, "timeout": 1000.0 });
    assert_eq!(options(given).unwrap().timeout, Some(1000));
}

#[test]
fn what_the_person_says_twice_in_a_row_is_sent_as_one_message() {
    let conversation = json!([
        { "role": "user", "content": "Write." },
        { "role": "assistant", "content": [{ "type": "text", "text": "half" }], "stopReason": "error" },
        { "role": "user", "content": "Again." },
    ]);
    assert_eq!(wire(&config("https://a.b"), conversation), json!([{ "role": "user", "content": "Write.\n\nAgain." }]));
}
