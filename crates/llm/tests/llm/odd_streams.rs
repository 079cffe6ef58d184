//! Shapes of streams that servers really send and the reference does not name.

use crate::decoding::{answer_of, calls, decode, event, stream};
use crate::odd_calls::{NONE, piece};
use copydesk_base::ErrorInfo;
use copydesk_base::secrets::Secrets;
use copydesk_llm::Error;
use copydesk_llm::{Api, Arguments, AssistantMessage, Decoder, Delta};
use serde_json::{Value, json};

pub fn answer(body: &str) -> AssistantMessage {
    answer_of(body).unwrap_or_else(|error| panic!("{error}\n{body}"))
}

#[test]
fn text_call_finish_and_usage_may_share_one_chunk_and_done_may_be_missing() {
    let call = piece(json!("a"), json!(0), json!("read"), json!("{\"n\":1}"));
    let delta = json!({ "content": "Look:", "reasoning_content": "hm", "tool_calls": [call] });
    let body = event(&json!({
        "choices": [{ "delta": delta, "finish_reason": "tool_calls", "usage": { "prompt_tokens": 5, "completion_tokens": 2 } }],
    }));
    let answer = answer(&body);
    assert_eq!((answer.text().as_str(), answer.thinking().as_str()), ("Look:", "hm"));
    assert_eq!(calls(&answer), json!([["a", "read", {"n": 1}]]));
    assert_eq!(answer.usage.unwrap().total_tokens, 7);
}

#[test]
fn a_call_in_an_answer_that_ends_with_stop_or_eos_runs() {
    for finish in ["stop", "eos", "STOP"] {
        let body =
            stream(&[json!({ "tool_calls": [piece(json!("a"), json!(0), json!("read"), json!("{}"))] })], finish);
        let answer = answer(&body);
        assert_eq!(answer.finish, finish);
        assert_eq!(calls(&answer), json!([["a", "read", {}]]));
    }
}

#[test]
fn the_finish_reason_may_be_repeated_or_empty_at_first() {
    let chunk =
        |finish: Value| event(&json!({ "choices": [{ "delta": { "content": "." }, "finish_reason": finish }] }));
    let body = chunk(json!("")) + &chunk(json!("stop")) + &chunk(json!("stop")) + &chunk(NONE) + &chunk(json!(""));
    let answer = answer(&body);
    assert_eq!((answer.text().as_str(), answer.finish.as_str()), (".....", "stop"));
}

#[test]
fn done_without_a_finish_reason_ends_the_answer() {
    let text = event(&json!({ "choices": [{ "delta": { "content": "Tea" }, "finish_reason": "" }] }));
    let answer = answer(&format!("{text}data: [DONE]\n\n{text}data: not json\n\n"));
    assert_eq!((answer.text().as_str(), answer.finish.as_str()), ("Tea", ""));
    assert_eq!(answer_of("data: [DONE]\n\n"), Err(Error::StreamCut));
}

#[test]
fn the_end_of_input_before_the_finish_reason_is_a_cut() {
    let text = event(&json!({ "choices": [{ "delta": { "content": "Tea" }, "finish_reason": null }] }));
    for body in [
        text.clone(),
        format!("{text}data: {{\"choices\":[{{\"del"),
        String::new(),
        ": hello\n\n".into(),
        "data: ".into(),
    ] {
        assert_eq!(answer_of(&body), Err(Error::StreamCut), "{body}");
    }
}

#[test]
fn a_cut_after_the_finish_reason_loses_only_the_usage() {
    let body =
        stream(&[json!({ "content": "Tea" })], "stop").replace("data: [DONE]\n\n", "data: {\"choices\":[],\"usa");
    let answer = answer(&body);
    assert_eq!((answer.text().as_str(), answer.usage), ("Tea", None));
}

#[test]
fn cut_off_arguments_never_run() {
    for (raw, finish) in
        [("{\"n\": \"te", "length"), ("{\"n\": \"te", "tool_calls"), ("{\"n\": 1", "stop"), ("{\"n\": tru x", "length")]
    {
        let body =
            stream(&[json!({ "tool_calls": [piece(json!("a"), json!(0), json!("write"), json!(raw))] })], finish);
        let answer = answer(&body);
        let arguments = &answer.tool_calls[0].arguments;
        assert_eq!(arguments, &Arguments::CutOff { raw: raw.into() });
        assert_eq!(arguments.runnable().unwrap_err(), Error::ArgumentsCutOff);
    }
}

#[test]
fn arguments_that_are_not_an_object_never_run() {
    for raw in ["[1]", "5", "\"x\"", "{\"n\": 1}{\"n\": 2}", "{n: 1}", "{\"n\": 1} x"] {
        let body =
            stream(&[json!({ "tool_calls": [piece(json!("a"), json!(0), json!("write"), json!(raw))] })], "tool_calls");
        let answer = answer(&body);
        assert_eq!(answer.tool_calls[0].arguments.runnable().unwrap_err().code(), "invalid_arguments", "{raw}");
    }
}

#[test]
fn no_call_of_an_answer_that_was_cut_off_runs() {
    let pieces = [
        piece(json!("a"), json!(0), json!("write"), json!("{\"n\":1}")),
        piece(json!("b"), json!(1), json!("write"), json!("{\"n\"")),
    ];
    let answer = answer(&stream(&[json!({ "tool_calls": pieces })], "length"));
    assert_eq!(calls(&answer), json!([["a", "write", null], ["b", "write", null]]));
}

#[test]
fn thinking_has_several_field_names() {
    for delta in [
        json!({ "reasoning_content": "hm" }),
        json!({ "reasoning": "hm" }),
        json!({ "reasoning_text": "hm" }),
        json!({
            "reasoning": "hm",
            "reasoning_content": "hm",
            "reasoning_details": [{ "type": "reasoning.text", "text": "hm" }],
        }),
        json!({
            "reasoning_details": [{ "type": "reasoning.text", "text": "h" }, { "type": "reasoning.summary", "summary": "m" }, { "type": "reasoning.encrypted", "data": "x" }],
        }),
        json!({ "content": [{ "type": "thinking", "thinking": [{ "type": "text", "text": "hm" }] }] }),
        json!({ "content": [{ "type": "thinking", "thinking": "hm" }] }),
    ] {
        let answer = answer(&stream(&[delta.clone(), json!({ "content": "Tea" })], "stop"));
        assert_eq!((answer.thinking().as_str(), answer.text().as_str()), ("hm", "Tea"), "{delta}");
    }
}

#[test]
fn content_may_be_a_list_of_parts() {
    let parts = json!([{ "type": "text", "text": "Te" }, { "type": "image_url", "image_url": "x" }, { "type": "text", "text": "a" }]);
    assert_eq!(answer(&stream(&[json!({ "content": parts })], "stop")).text(), "Tea");
}

#[test]
fn usage_may_be_in_any_event_and_the_last_one_counts() {
    let usage = |n: u64| {
        json!({
            "prompt_tokens": n,
            "completion_tokens": 1.0,
            "total_tokens": null,
            "prompt_cache_hit_tokens": 3,
        })
    };
    let text = |usage: Value| {
        event(&json!({ "choices": [{ "delta": { "content": "x" }, "finish_reason": "stop" }], "usage": usage }))
    };
    for body in [
        text(usage(1)) + &text(usage(9)),
        text(NONE) + &event(&json!({ "choices": [], "usage": usage(9) })),
        text(NONE) + &event(&json!({ "usage": usage(9) })),
        text(NONE) + &event(&json!({ "choices": [], "x_groq": { "usage": usage(9) } })),
        text(usage(9)) + &event(&json!({ "choices": [], "usage": {} })),
    ] {
        let usage = answer(&body).usage.unwrap();
        assert_eq!(
            (usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.total_tokens),
            (9, 1, 3, 10),
            "{body}"
        );
    }
}

#[test]
fn any_line_endings_and_comments_are_accepted() {
    let body = stream(&[json!({ "content": "茶🫖" })], "stop");
    for body in [
        body.replace('\n', "\r\n"),
        body.replace('\n', "\r"),
        format!("\u{FEFF}{body}"),
        format!("\n\n  {body}"),
        format!(": OPENROUTER PROCESSING\n\n{}", body.replace("\n\n", "\n\n: ping\n\n")),
        format!("event: ping\ndata: {{}}\n\nevent: keepalive\ndata: 1s\n\n{body}"),
        body.replace("data: ", "data:"),
        // No blank lines between the events.
        body.replace("\n\n", "\n"),
        body.trim_end().to_owned(),
    ] {
        assert_eq!(answer(&body).text(), "茶🫖", "{body:?}");
    }
}

/// Servers in JavaScript cut text between two code units.
#[test]
fn a_surrogate_pair_split_between_events_is_one_character() {
    let chunk = |text: &str| format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n");
    let end = event(&json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] }));
    for (pieces, text) in [
        (vec![r"a\ud83e", r"\uded6b"], "a🫖b"),
        (vec![r"a\ud83e", "", r"\uded6b"], "a🫖b"),
        (vec![r"\ud83e\uded6\ud83e", r"\uded6\ud83e\uded6"], "🫖🫖🫖"),
        (vec![r"a\ud83e", "b"], "a\u{FFFD}b"),
        (vec![r"a\uded6b", r"c\ud83e"], "a\u{FFFD}bc\u{FFFD}"),
        (vec![r"\\ud83e\ud83e", r"\uded6"], r"\ud83e🫖"),
        (vec![r"\uded6\uded6"], "\u{FFFD}\u{FFFD}"),
    ] {
        let body: String = pieces.iter().map(|piece| chunk(piece)).collect();
        assert_eq!(answer(&(body + &end)).text(), text, "{pieces:?}");
    }
}

#[test]
fn a_surrogate_pair_split_in_arguments_is_one_character() {
    let chunk = |id: &str, text: &str| {
        format!(
            "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":0,{id}\"function\":{{\"name\":\"write\",\"arguments\":\"{text}\"}}}}]}}}}]}}\n\n"
        )
    };
    let end = event(&json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] }));
    for (pieces, text) in [
        // In the JSON of the event, and in the JSON of the arguments.
        ([r#"{\"t\":\"\ud83e"#, r#"\uded6\"}"#], "🫖"),
        ([r#"{\"t\":\"\\ud83e"#, r#"\\uded6\"}"#], "🫖"),
        ([r#"{\"t\":\"\\ud83e"#, r#"x\\uded6\"}"#], "\u{FFFD}x\u{FFFD}"),
    ] {
        let body = chunk("\"id\":\"a\",", pieces[0]) + &chunk("", pieces[1]) + &end;
        assert_eq!(calls(&answer(&body)), json!([["a", "write", {"t": text}]]), "{pieces:?}");
    }
}

#[test]
fn an_answer_that_is_not_a_stream_is_accepted() {
    let call = json!({ "id": "a", "type": "function", "function": { "name": "read", "arguments": "{\"n\":1}" } });
    let message =
        json!({ "role": "assistant", "content": "Tea", "reasoning_content": "hm", "tool_calls": [call, call] });
    let body = json!({
        "object": "chat.completion",
        "choices": [{ "message": message, "finish_reason": "tool_calls" }],
        "usage": { "total_tokens": 3 },
    });
    for body in [body.to_string(), format!("\n {}", serde_json::to_string_pretty(&body).unwrap()), event(&body)] {
        let answer = answer(&body);
        assert_eq!(
            (answer.text().as_str(), answer.thinking().as_str(), answer.finish.as_str()),
            ("Tea", "hm", "tool_calls")
        );
        assert_eq!(calls(&answer), json!([["a", "read", {"n": 1}]]));
        assert_eq!(answer.usage.unwrap().total_tokens, 3);
    }
    assert_eq!(answer_of(&body.to_string()[..80]), Err(Error::StreamCut));
}

#[test]
fn a_complete_message_after_its_deltas_is_not_repeated() {
    let deltas = event(&json!({ "choices": [{ "delta": { "content": "Tea" } }] }));
    let last = event(&json!({ "choices": [{ "message": { "content": "Tea" }, "finish_reason": "stop" }] }));
    assert_eq!(answer(&(deltas + &last)).text(), "Tea");
}

#[test]
fn an_error_in_the_stream_or_body_is_a_provider_error() {
    let said = |message: &str| Err(Error::Provider { message: message.into() });
    let start = event(&json!({ "choices": [{ "delta": { "content": "Te" } }] }));
    for error in [
        json!({ "error": { "message": "no tea" } }),
        json!({ "error": "no tea" }),
        json!({ "object": "error", "message": "no tea" }),
        json!({ "type": "error", "message": "no tea" }),
        json!({ "choices": [{ "delta": {}, "finish_reason": "error", "error": { "message": "no tea" } }] }),
        json!({ "error": { "message": "no tea" }, "choices": [{ "delta": {}, "finish_reason": "stop" }] }),
        json!({ "choices": [], "x_groq": { "error": "no tea" } }),
    ] {
        assert_eq!(answer_of(&(start.clone() + &event(&error))), said("no tea"), "{error}");
        assert_eq!(answer_of(&error.to_string()), said("no tea"), "{error}");
    }
    assert_eq!(answer_of(&format!("{start}event: error\ndata: no tea\n\n")), said("no tea"));
    for (error, code) in [
        (json!({ "error": { "message": "no tea", "code": 500 } }), "server_error"),
        (json!({ "object": "error", "message": "no tea", "code": 400 }), "bad_request"),
        (json!({ "error": { "message": "no tea", "type": "invalid_request_error" } }), "bad_request"),
        (json!({ "error": { "message": "no tea", "code": 429 } }), "rate_limited"),
        (json!({ "error": { "message": "no tea", "code": 529 } }), "overloaded"),
        (json!({ "choices": [], "x_groq": { "error": "over_capacity" } }), "overloaded"),
        (json!({ "error": { "message": "no tea", "code": 7 } }), "provider_error"),
    ] {
        assert_eq!(answer_of(&(start.clone() + &event(&error))).unwrap_err().code(), code, "{error}");
    }
    assert_eq!(answer_of(r#"{"detail":"Not authenticated"}"#), said("Not authenticated"));
    assert_eq!(answer_of(r#"[{"error":{"message":"API key not valid"}}]"#).unwrap_err().code(), "unauthorized");
    assert_eq!(answer_of(&stream(&[], "network_error")), said("network_error"));
    assert_eq!(
        answer(&stream(&[json!({ "content": "Tea" })], "stop").replace("\"choices\"", "\"error\":null,\"choices\""))
            .text(),
        "Tea"
    );
}

#[test]
fn events_before_an_error_are_reported_first() {
    let body = event(&json!({ "choices": [{ "delta": { "content": "Te" } }] })) + &event(&json!({ "error": "no tea" }));
    let (answer, deltas) = decode([body.as_bytes()]);
    assert_eq!(answer.unwrap_err().code(), "provider_error");
    assert_eq!(deltas, [Delta::Text("Te".into())]);
}

#[test]
fn a_key_repeated_by_a_server_is_redacted() {
    for body in [
        event(&json!({ "error": { "message": "Incorrect key sk-secret." } })),
        json!({ "error": { "message": "Incorrect key sk-secret." } }).to_string(),
        "<p>sk-secret</p>".to_owned(),
        "your key: sk-secret".to_owned(),
        format!("your key: {}sk-secret and more", "sk-secret".repeat(226)),
    ] {
        let error = answer_of(&body).unwrap_err();
        assert!(!format!("{error:?} {error}").contains("sk-s"), "{error:?}");
    }
}

#[test]
fn a_page_is_not_a_stream() {
    let page = "<!doctype html><html><title>Sign in</title></html>";
    for body in [
        page.to_owned(),
        format!("\n {page}"),
        page.to_owned() + &"x".repeat(100_000),
        "Not Found".into(),
        "Bad Gateway\n".into(),
        "{not json}".into(),
        "{\"ok\":true}".into(),
    ] {
        let Err(Error::NotAStream { content_type, excerpt }) = answer_of(&body) else { panic!("{body}") };
        assert_eq!(content_type, "text/event-stream");
        assert!(body.trim().starts_with(excerpt.trim_end_matches('…')), "{excerpt}");
    }
}

#[test]
fn an_event_that_is_not_json_is_a_malformed_stream() {
    assert_eq!(answer_of("data: hello\n\n").unwrap_err().code(), "malformed_stream");
    assert_eq!(answer_of("data: {\"choices\":}\n\n").unwrap_err().code(), "malformed_stream");
}

#[test]
fn a_content_filter_is_an_error_unless_text_was_shown() {
    assert_eq!(answer_of(&stream(&[], "content_filter")), Err(Error::ContentFilter));
    let call = json!({ "tool_calls": [piece(json!("a"), json!(0), json!("read"), json!("{}"))] });
    assert_eq!(answer_of(&stream(&[json!({ "content": "Te" }), call], "content_filter")), Err(Error::ContentFilter));
    let answer = answer(&stream(&[json!({ "content": "Te" })], "content_filter"));
    assert_eq!((answer.text().as_str(), answer.finish.as_str()), ("Te", "content_filter"));
}

#[test]
fn events_are_reported_as_they_arrive() {
    let call = piece(json!("a"), json!(0), json!("write"), json!("{\"title\":\"Te"));
    let deltas = [
        json!({ "reasoning": "hm" }),
        json!({ "content": "A" }),
        json!({ "content": "B" }),
        json!({ "tool_calls": [call] }),
    ];
    let chunks: Vec<String> = deltas.iter().map(|delta| event(&json!({ "choices": [{ "delta": delta }] }))).collect();
    let body = chunks.concat();
    let mut decoder = Decoder::new(Api::OpenaiCompletions, "", &Secrets::default());
    let start = Delta::ToolCallStart { call: 0, id: "a".into(), name: "write".into() };
    let Value::Object(partial) = json!({ "title": "Te" }) else { unreachable!() };
    let shown =
        [Delta::Thinking("hm".into()), Delta::Text("AB".into()), start, Delta::ToolCallArguments { call: 0, partial }];
    assert_eq!(decoder.push(body.as_bytes()).unwrap(), shown);
}
