//! Answers in the format `anthropic-messages`.

use crate::decoding::{answer_as, calls, decode_as};
use crate::random::Random;
use copydesk_base::ErrorInfo;
use copydesk_llm::Error;
use copydesk_llm::{Api, AssistantMessage, Ending, Part};
use serde_json::{Value, json};

const API: Api = Api::AnthropicMessages;

fn event(data: &Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap_or("message"))
}

pub fn start(index: u64, block: Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

pub fn delta(index: u64, delta: Value) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

pub fn stop(index: u64) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

fn opening() -> Value {
    json!({
        "type": "message_start",
        "message": { "id": "msg_1", "type": "message", "content": [], "usage": { "input_tokens": 5, "output_tokens": 1 } },
    })
}

fn ending(reason: &str) -> Value {
    json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "output_tokens": 7 } })
}

pub fn stream(blocks: &[Value], reason: &str) -> String {
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

fn outcome(body: &str) -> Result<AssistantMessage, Error> {
    answer_as(API, body, &mut Random::new())
}

pub fn answer(body: &str) -> AssistantMessage {
    outcome(body).unwrap_or_else(|error| panic!("{error}\n{body}"))
}

fn called(input: Value) -> Value {
    start(0, json!({ "type": "tool_use", "id": "a", "name": "read", "input": input }))
}

fn piece(json: &str) -> Value {
    delta(0, json!({ "type": "input_json_delta", "partial_json": json }))
}

#[test]
fn the_input_of_a_call_may_be_complete_in_its_first_event() {
    for blocks in [
        vec![called(json!({ "n": 1 })), stop(0)],
        vec![called(json!({ "n": 1 }))],
        vec![called(json!("{\"n\":1}")), stop(0)],
        vec![called(json!({ "n": 1 })), piece(""), stop(0)],
        vec![called(json!({})), piece(""), piece("{\"n\""), piece(":1}"), stop(0)],
        // Pieces take precedence over the earlier input.
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
fn blocks_may_be_interleaved() {
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
fn a_block_with_a_missing_or_wrong_start_is_read() {
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
fn tools_of_the_provider_are_not_calls() {
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
fn finish_reasons_are_mapped() {
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
fn usage_counts_are_the_largest_reported() {
    let start = |usage: Value| json!({ "type": "message_start", "message": { "usage": usage } });
    let end = |usage: Value| json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": usage });
    let counts = |events: &[Value]| {
        let body: String = events.iter().map(event).collect();
        let usage = answer(&body).usage.unwrap();
        [usage.input_tokens, usage.cached_tokens, usage.cache_write_tokens, usage.output_tokens, usage.total_tokens]
    };
    let cached = json!({
        "input_tokens": 3,
        "cache_read_input_tokens": 10,
        "cache_creation_input_tokens": 20,
        "output_tokens": 1,
    });
    assert_eq!(counts(&[start(cached.clone()), end(json!({ "output_tokens": 7 }))]), [33, 10, 20, 7, 40]);
    let zero = json!({ "input_tokens": 0, "cache_read_input_tokens": null, "output_tokens": 7 });
    assert_eq!(counts(&[start(cached.clone()), end(zero)]), [33, 10, 20, 7, 40]);
    assert_eq!(counts(&[start(json!({ "input_tokens": 0 })), end(cached)]), [33, 10, 20, 1, 34]);
    assert_eq!(counts(&[end(json!({ "output_tokens": "many" }))]), [0, 0, 0, 0, 0]);
}

#[test]
fn a_complete_json_answer_is_read() {
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
fn the_last_event_or_the_finish_reason_may_be_missing() {
    let whole = stream(&said("Tea."), "end_turn");
    let without_stop = whole.split("event: message_stop").next().unwrap();
    assert_eq!(answer(without_stop).finish, "end_turn");
    let without_reason = whole.replace("\"stop_reason\":\"end_turn\"", "\"stop_reason\":null");
    assert_eq!((answer(&without_reason).text().as_str(), answer(&without_reason).finish.as_str()), ("Tea.", ""));
    assert_eq!(answer(&whole.replace("event: message_stop", "data: [DONE]\n\nevent: message_stop")).finish, "end_turn");
}

/// Some gateways leave the names of the events out, others the types in them.
#[test]
fn events_are_recognized_by_type_or_name() {
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
fn pings_and_unknown_events_are_ignored() {
    let noise = "event: ping\ndata: {\"type\": \"ping\"}\n\nevent: ping\ndata: pong\n\nevent: novelty\ndata: {\"type\":\"novelty\",\"index\":0}\n\n: comment\n\n";
    let body: String =
        stream(&said("Tea."), "end_turn").split_inclusive("\n\n").flat_map(|event| [noise, event]).collect();
    assert_eq!(answer(&body).text(), "Tea.");
}

#[test]
fn an_error_in_the_stream_follows_the_events_before_it() {
    let body = [vec![opening()], said("Te")].concat().iter().map(event).collect::<String>()
        + "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded sk-secret\"}}\n\n";
    let (result, deltas) = decode_as(API, [body.as_bytes()]);
    assert!(!deltas.is_empty());
    let error = result.unwrap_err();
    assert!(error.to_string().contains("Overloaded …"), "{error}");
}

#[test]
fn a_stream_that_is_cut_is_not_an_answer() {
    let body = stream(&[said("Tea."), vec![called(json!({})), piece("{\"n\":1}"), stop(0)]].concat(), "tool_use");
    let end = body.find("tool_use\"}").map(|_| body.find("\"stop_reason\":\"tool_use\"").unwrap()).unwrap();
    for cut in (0..end).step_by(7) {
        assert_eq!(outcome(&body[..cut]).unwrap_err().code(), "stream_cut", "cut at {cut}");
    }
}

#[test]
fn a_character_split_between_two_chunks_is_complete() {
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
