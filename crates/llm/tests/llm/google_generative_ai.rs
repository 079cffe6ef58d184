//! Particulars of `google-generative-ai`: shapes of streams that were not recorded, and the content of requests.

use crate::decoding::{answer_as, calls, event};
use crate::random::Random;
use crate::requests::{assistant, call, config, messages, request, result, sent};
use copydesk_base::ErrorInfo;
use copydesk_base::secrets::Secrets;
use copydesk_llm::Error;
use copydesk_llm::{Api, AssistantMessage, Decoder, Ending, LlmConfig, Part, ThinkingLevel, ToolSpec, Usage};
use serde_json::{Value, json};

fn read(responses: &[Value]) -> Result<AssistantMessage, Error> {
    read_body(&responses.iter().map(event).collect::<String>())
}

fn read_body(body: &str) -> Result<AssistantMessage, Error> {
    answer_as(Api::GoogleGenerativeAi, body, &mut Random::new())
}

fn parts(parts: Value) -> Value {
    json!({ "candidates": [{ "content": { "role": "model", "parts": parts }, "index": 0 }], "responseId": "r1" })
}

fn ended(reason: &str) -> Value {
    json!({ "candidates": [{ "finishReason": reason }] })
}

fn function_call(name: &str, args: Value) -> Value {
    json!({ "functionCall": { "name": name, "args": args } })
}

#[test]
fn thinking_and_text_are_separate_parts_with_their_signatures() {
    let answer = read(&[
        parts(json!([{ "text": "Tea ", "thought": true }])),
        parts(json!([{ "text": "or coffee?", "thought": true }, { "text": "T" }])),
        parts(json!([{ "text": "ea." }])),
        parts(json!([{ "text": "", "thoughtSignature": "c2ln" }])),
        parts(json!([{ "text": "More." }, { "functionCall": { "name": "read" }, "thoughtSignature": "bW9yZQ==" }])),
        ended("STOP"),
    ]);
    let answer = answer.unwrap();
    let text =
        |text: &str, signature: Option<&str>| Part::Text { text: text.into(), signature: signature.map(Into::into) };
    assert_eq!(
        answer.content,
        [
            Part::Thinking { thinking: "Tea or coffee?".into(), signature: None, redacted: false },
            text("Tea.", Some("c2ln")),
            text("More.", None),
            Part::ToolCall { call: 0 },
        ]
    );
    assert_eq!(answer.tool_calls[0].signature.as_deref(), Some("bW9yZQ=="));
}

#[test]
fn calls_without_ids_get_different_ids_even_if_they_are_equal() {
    let answer = read(&[
        parts(json!([function_call("read", json!({ "n": 1 })), function_call("read", json!({ "n": 1 }))])),
        parts(json!([function_call("read", json!({})), { "functionCall": { "name": "read" } }])),
        ended("STOP"),
    ]);
    let wanted = json!([
        ["call_0_r1", "read", { "n": 1 }],
        ["call_1_r1", "read", { "n": 1 }],
        ["call_2_r1", "read", {}],
        ["call_3_r1", "read", {}],
    ]);
    assert_eq!(calls(&answer.unwrap()), wanted);
}

#[test]
fn calls_keep_their_ids_and_a_repeated_call_is_one_call() {
    let with_id = |id: &str, n: u64| json!({ "functionCall": { "id": id, "name": "read", "args": { "n": n } } });
    let answer =
        read(&[parts(json!([with_id("x", 1), with_id("y", 2)])), parts(json!([with_id("x", 1)])), ended("STOP")]);
    assert_eq!(calls(&answer.unwrap()), json!([["x", "read", { "n": 1 }], ["y", "read", { "n": 2 }]]));
}

#[test]
fn arguments_that_are_not_an_object_do_not_run() {
    for args in [json!([1]), json!("x"), json!(7), json!(true)] {
        let answer = read(&[parts(json!([function_call("read", args)])), ended("STOP")]).unwrap();
        assert_eq!(calls(&answer), json!([["call_0_r1", "read", null]]));
    }
}

#[test]
fn a_stream_without_a_finish_reason_is_cut() {
    let said = parts(json!([{ "text": "Tea" }]));
    let call = parts(json!([function_call("read", json!({}))]));
    for body in [
        event(&said),
        event(&said) + "data: [DONE]\n\n",
        event(&call),
        event(&json!({
            "candidates": [{ "content": { "parts": [{ "text": "Tea" }] }, "finishReason": "FINISH_REASON_UNSPECIFIED" }],
        })),
        event(&json!({ "usageMetadata": { "promptTokenCount": 3 } })),
        json!([said, call]).to_string(),
        json!([said, ended("STOP")]).to_string().replace("STOP\"}]}]", "STOP\"}]}"),
        said.to_string(),
        String::new(),
    ] {
        assert_eq!(read_body(&body), Err(Error::StreamCut), "{body}");
    }
}

/// The answer without `alt=sse`, or through a proxy that drops the query.
#[test]
fn a_json_array_is_read_as_a_stream() {
    let body = json!([parts(json!([{ "text": "Te" }])), parts(json!([{ "text": "a" }])), ended("STOP")]);
    assert_eq!(read_body(&body.to_string()).unwrap().text(), "Tea");
    assert_eq!(read_body(&format!("\n{body:#}\n")).unwrap().text(), "Tea");
    let error = json!([{ "error": { "code": 400, "message": "No such field.", "status": "INVALID_ARGUMENT" } }]);
    let error = read_body(&error.to_string()).unwrap_err();
    assert!(matches!(&error, Error::BadRequest { message, .. } if message == "No such field."), "{error:?}");
}

#[test]
fn an_answer_at_the_length_limit_has_that_reason() {
    let answer = read(&[parts(json!([{ "text": "Tea" }])), ended("MAX_TOKENS")]).unwrap();
    assert_eq!((answer.text().as_str(), answer.ending), ("Tea", Ending::Length));
}

#[test]
fn filtered_content_is_an_error_unless_text_was_shown() {
    for reason in ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"] {
        assert_eq!(read(&[ended(reason)]), Err(Error::ContentFilter));
        assert_eq!(read(&[parts(json!([function_call("read", json!({}))])), ended(reason)]), Err(Error::ContentFilter));
        let read_already = read(&[parts(json!([{ "text": "Tea" }])), ended(reason)]).unwrap();
        assert_eq!((read_already.text().as_str(), read_already.ending), ("Tea", Ending::Filtered));
    }
    let blocked = json!({
        "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" },
        "usageMetadata": { "promptTokenCount": 3 },
    });
    assert_eq!(read(&[blocked]), Err(Error::ContentFilter));
}

#[test]
fn a_malformed_call_is_a_retryable_error() {
    for reason in ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "OTHER", "SOMETHING_NEW"] {
        let error = read(&[parts(json!([{ "text": "Tea" }])), ended(reason)]).unwrap_err();
        assert!(matches!(&error, Error::Provider { message } if message == reason), "{error:?}");
        assert!(error.is_retryable());
    }
    let said =
        json!({ "candidates": [{ "finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "print(read())" }] });
    assert!(matches!(read(&[said]), Err(Error::Provider { message }) if message.ends_with("print(read())")));
}

#[test]
fn the_last_usage_counts() {
    let counts = |counts: Value| json!({ "usageMetadata": counts });
    let answer = read(&[
        counts(json!({ "promptTokenCount": 10, "totalTokenCount": 10 })),
        parts(json!([{ "text": "Tea" }])),
        counts(json!({
            "promptTokenCount": 10, "cachedContentTokenCount": 4, "candidatesTokenCount": 5, "thoughtsTokenCount": 7,
            "toolUsePromptTokenCount": 2,
        })),
        counts(json!({ "trafficType": "ON_DEMAND" })),
        ended("STOP"),
    ]);
    let usage = Usage {
        input_tokens: 12,
        output_tokens: 12,
        cached_tokens: 4,
        reasoning_tokens: 7,
        total_tokens: 24,
        ..Usage::default()
    };
    assert_eq!(answer.unwrap().usage, Some(usage));
}

#[test]
fn surrogate_pairs_are_joined_across_parts() {
    let part =
        |text: &str| format!("data: {{\"candidates\":[{{\"content\":{{\"parts\":[{{\"text\":\"{text}\"}}]}}}}]}}\n\n");
    let body = part("\\ud83d") + &part("\\ude00!") + &event(&ended("STOP"));
    assert_eq!(read_body(&body).unwrap().text(), "😀!");
}

#[test]
fn an_endless_answer_is_an_error() {
    let long = "x".repeat(200_000);
    let signed = |part: Value| {
        let mut part = part;
        part["thoughtSignature"] = json!(long);
        part
    };
    for part in [
        json!({ "text": long }),
        json!({ "text": long, "thought": true }),
        signed(json!({ "text": "" })),
        signed(function_call("read", json!({}))),
        function_call("read", json!({ "text": long })),
        function_call(&long, json!({})),
        function_call("read", json!({})),
    ] {
        let mut decoder = Decoder::new(Api::GoogleGenerativeAi, "", &Secrets::default());
        let piece = event(&parts(json!([part])));
        let failed = (0..200).find_map(|_| decoder.push(piece.as_bytes()).err());
        assert!(matches!(failed, Some(Error::MalformedStream { .. })), "{failed:?}");
    }
}

// The content of requests.

const BASE: &str = "https://generativelanguage.googleapis.com/v1beta";

fn google(base_url: &str, model: &str) -> LlmConfig {
    let mut config = config(base_url);
    config.model.api = Api::GoogleGenerativeAi;
    config.model.model_id = model.into();
    config
}

fn own(mut answer: Value) -> Value {
    answer["api"] = json!("google-generative-ai");
    answer["modelId"] = json!("gemini-3-pro-preview");
    answer
}

fn contents(conversation: Value) -> Value {
    let config = google(BASE, "gemini-3-pro-preview");
    sent(&request(&config, "", &messages(conversation), &[]))["contents"].clone()
}

#[test]
fn a_request_has_the_turns_the_tools_and_the_settings() {
    let tool = ToolSpec { name: "read".into(), description: "Reads.".into(), parameters: json!({ "type": "object" }) };
    let conversation = messages(json!([{ "role": "user", "content": "Hi" }]));
    let mut config = google(BASE, "gemini-2.5-flash");
    config.stream_options.max_tokens = Some(1000);
    config.thinking_level = Some(ThinkingLevel::Low);
    let request = request(&config, "Be brief.", &conversation, &[tool]);
    assert_eq!(request.url, format!("{BASE}/models/gemini-2.5-flash:streamGenerateContent?alt=sse"));
    assert!(request.headers.contains(&("x-goog-api-key".into(), "sk-secret".into())));
    assert!(!request.url.contains("sk-secret") && !request.headers.iter().any(|(name, _)| name == "authorization"));
    let declaration = json!({ "name": "read", "description": "Reads.", "parametersJsonSchema": { "type": "object" } });
    assert_eq!(
        sent(&request),
        json!({
            "contents": [{ "role": "user", "parts": [{ "text": "Hi" }] }],
            "systemInstruction": { "parts": [{ "text": "Be brief." }] },
            "tools": [{ "functionDeclarations": [declaration] }],
            "generationConfig": {
                "temperature": 0.5,
                "maxOutputTokens": 1000,
                "thinkingConfig": { "thinkingBudget": 2048, "includeThoughts": true },
            },
        })
    );
}

#[test]
fn unset_settings_are_not_sent() {
    let mut config = google(BASE, "gemini-2.5-flash");
    (config.stream_options.temperature, config.stream_options.api_key) = (None, None);
    let request = request(&config, "", &messages(json!([{ "role": "user", "content": "Hi" }])), &[]);
    assert_eq!(request.headers.len(), 1);
    assert_eq!(sent(&request).as_object().unwrap().keys().collect::<Vec<_>>(), ["contents"]);
}

#[test]
fn the_base_url_may_end_in_several_ways() {
    let end = "models/gemini-x:streamGenerateContent?alt=sse";
    for (base, url) in [
        ("https://a.b", format!("https://a.b/v1beta/{end}")),
        (" https://a.b/ ", format!("https://a.b/v1beta/{end}")),
        ("https://a.b/v1beta", format!("https://a.b/v1beta/{end}")),
        ("https://a.b/v1beta/", format!("https://a.b/v1beta/{end}")),
        ("https://a.b/v1alpha", format!("https://a.b/v1alpha/{end}")),
        ("https://v1.a.b/google", format!("https://v1.a.b/google/v1beta/{end}")),
        ("https://a.b/v1/projects/p/publishers/google", format!("https://a.b/v1/projects/p/publishers/google/{end}")),
        ("https://a.b/v1beta/models", format!("https://a.b/v1beta/{end}")),
        ("https://a.b/v1beta/models/other:generateContent?alt=json&x=1", format!("https://a.b/v1beta/{end}&x=1")),
        ("/api/llm", format!("/api/llm/v1beta/{end}")),
    ] {
        assert_eq!(request(&google(base, "gemini-x"), "", &[], &[]).url, url, "{base}");
    }
    for (model, path) in [
        ("models/gemini-x", "models/gemini-x"),
        ("tunedModels/mine", "tunedModels/mine"),
        ("a?b#c d", "models/a%3Fb%23c%20d"),
    ] {
        let url = request(&google(BASE, model), "", &[], &[]).url;
        assert_eq!(url, format!("{BASE}/{path}:streamGenerateContent?alt=sse"));
    }
}

#[test]
fn the_thinking_level_is_sent_as_the_model_expects() {
    use ThinkingLevel::{High, Low, Medium, Minimal, Off, Xhigh};
    let budget = |tokens: u64| json!({ "thinkingBudget": tokens, "includeThoughts": true });
    let level = |level: &str| json!({ "thinkingLevel": level, "includeThoughts": true });
    for (model, given, wanted) in [
        ("gemini-2.5-flash", Off, json!({ "thinkingBudget": 0 })),
        ("gemini-2.5-pro", Off, json!({ "thinkingBudget": 128 })),
        ("gemini-2.5-flash-lite", Minimal, budget(512)),
        ("gemini-2.5-flash", Xhigh, budget(24_576)),
        ("models/gemini-2.5-pro", High, budget(32_768)),
        ("gemini-flash-latest", Medium, budget(8192)),
        ("gemini-3-pro-preview", Off, json!({ "thinkingLevel": "LOW" })),
        ("gemini-3-pro-preview", Medium, level("HIGH")),
        ("gemini-3.1-pro-preview", Medium, level("MEDIUM")),
        ("gemini-3-flash-preview", Off, json!({ "thinkingLevel": "MINIMAL" })),
        ("gemini-3-flash-preview", Low, level("LOW")),
        ("gemma-4-26b", Low, level("MINIMAL")),
        ("gemini-2.0-flash", High, Value::Null),
        ("gemma-3-27b-it", High, Value::Null),
    ] {
        let mut config = google(BASE, model);
        config.thinking_level = Some(given);
        let sent = sent(&request(&config, "", &[], &[]));
        assert_eq!(sent["generationConfig"]["thinkingConfig"], wanted, "{model} {given:?}");
    }
}

/// A decoded answer is sent back unchanged: each part with its signature. The results are in one turn, in the order of
/// the calls, together with the next message of the user.
#[test]
fn an_answer_is_sent_back_part_by_part() {
    let calls = json!([
        { "functionCall": { "name": "read", "args": { "n": 1 } }, "thoughtSignature": "Y2FsbA==" },
        function_call("list", json!({})),
    ]);
    let answer = read(&[
        parts(json!([{ "text": "Hm.", "thought": true, "thoughtSignature": "dGhvdWdodA==" }])),
        parts(json!([{ "text": "I read." }])),
        parts(json!([{ "text": "", "thoughtSignature": "dGV4dA==" }])),
        parts(calls.clone()),
        ended("STOP"),
    ])
    .unwrap();
    let config = google(BASE, "gemini-3-pro-preview");
    let mut conversation = messages(json!([{ "role": "user", "content": "Hi" }]));
    conversation.push(answer.message(&config.model));
    let mut failed = result("call_1_r1", json!("two"));
    failed["isError"] = json!(true);
    let after = json!([failed, result("call_0_r1", json!({ "one": 1 })), { "role": "user", "content": "And?" }]);
    conversation.extend(messages(after));
    let response = |name: &str, response: Value| json!({ "functionResponse": { "name": name, "response": response } });
    assert_eq!(
        sent(&request(&config, "", &conversation, &[]))["contents"],
        json!([
            { "role": "user", "parts": [{ "text": "Hi" }] },
            { "role": "model", "parts": [
                { "text": "Hm.", "thought": true, "thoughtSignature": "dGhvdWdodA==" },
                { "text": "I read.", "thoughtSignature": "dGV4dA==" },
                calls[0],
                calls[1],
            ] },
            { "role": "user", "parts": [
                response("read", json!({ "output": "{\"one\":1}" })),
                response("list", json!({ "error": "two" })),
                { "text": "And?" },
            ] },
        ])
    );
}

#[test]
fn turns_alternate_and_empty_parts_are_not_sent() {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let contents = contents(json!([
        { "role": "user", "content": "One" },
        own(assistant(json!([text("A"), { "type": "text", "text": "", "signature": "eA==" }, { "type": "thinking", "thinking": "hm" }]))),
        own(assistant(json!([text("B")]))),
        { "role": "user", "content": "Two" },
        { "role": "user", "content": "Three" },
    ]));
    assert_eq!(
        contents,
        json!([
            { "role": "user", "parts": [{ "text": "One" }] },
            { "role": "model", "parts": [{ "text": "A" }, { "text": "B" }] },
            { "role": "user", "parts": [{ "text": "Two\n\nThree" }] },
        ])
    );
}

#[test]
fn only_ids_of_google_are_sent_back() {
    for (id, back) in [("8f2b", true), ("call_0_r1", false)] {
        let contents = contents(json!([own(assistant(json!([call(id)]))), result(id, json!(1))]));
        assert_eq!(contents[1]["parts"][0]["functionCall"].get("id").is_some(), back, "{id}");
        assert_eq!(contents[2]["parts"][0]["functionResponse"].get("id").is_some(), back, "{id}");
    }
}

#[test]
fn answers_of_another_model_are_sent_without_thinking_and_signatures() {
    let mut first = call("toolu_1");
    first["signature"] = json!("fc_1");
    let thinking = json!({ "type": "thinking", "thinking": "hm", "signature": "s" });
    let text = json!({ "type": "text", "text": "Tea.", "signature": "{}" });
    let mut answer = own(assistant(json!([thinking, text, first, call("toolu_2")])));
    answer["modelId"] = json!("claude");
    let called = json!({ "name": "read", "args": { "n": 1 } });
    // <https://ai.google.dev/gemini-api/docs/thought-signatures>: what Gemini 3 takes for the signature of others.
    let contents = contents(json!([answer]));
    let stands_for_one = json!({ "functionCall": called, "thoughtSignature": "skip_thought_signature_validator" });
    assert_eq!(contents[1]["parts"], json!([{ "text": "Tea." }, stands_for_one, { "functionCall": called }]));
    let older = request(&google(BASE, "gemini-2.5-pro"), "", &messages(json!([answer])), &[]);
    assert_eq!(sent(&older)["contents"][1]["parts"][1], json!({ "functionCall": called }));
}

#[test]
fn images_are_sent_as_data_and_those_of_tools_after_all_results() {
    let image = |data: &str| json!({ "type": "image", "data": data, "mimeType": "image/png" });
    let wire = |data: &str| json!({ "inlineData": { "mimeType": "image/png", "data": data } });
    let mut with_image = result("a", json!("Here."));
    with_image["images"] = json!([image("bbbb")]);
    let contents = contents(json!([
        { "role": "user", "content": [{ "type": "text", "text": "What?" }, image("aaaa")] },
        assistant(json!([call("a"), call("b")])),
        with_image,
        result("b", json!("There.")),
    ]));
    assert_eq!(contents[0]["parts"], json!([{ "text": "What?" }, wire("aaaa")]));
    let response = |text: &str| json!({ "functionResponse": { "name": "read", "response": { "output": text } } });
    let given = json!({ "text": "Images returned by the tools:" });
    assert_eq!(contents[2]["parts"], json!([response("Here."), response("There."), given, wire("bbbb")]));
}

#[test]
fn a_conversation_that_begins_with_an_answer_gets_a_user_turn() {
    let sent = contents(json!([assistant(json!([call("a")])), result("a", json!("Tea."))]));
    let roles: Vec<_> = sent.as_array().unwrap().iter().map(|turn| turn["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "model", "user"]);
}

#[test]
fn a_key_in_an_error_message_is_redacted() {
    let mut decoder = Decoder::new(Api::GoogleGenerativeAi, "text/event-stream", &Secrets::of("AIza-secret"));
    let reason = json!({ "candidates": [{ "finishReason": "OTHER", "finishMessage": "by AIza-secret" }] });
    let _ = decoder.push(event(&reason).as_bytes());
    let error = decoder.finish().unwrap_err();
    assert_eq!(error, Error::Provider { message: "OTHER: by …".into() });
}
