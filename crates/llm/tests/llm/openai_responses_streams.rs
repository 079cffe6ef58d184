//! Answers in the format `openai-responses`.

use crate::decoding::{answer_as, calls, decode_as, event};
use crate::random::Random;
use copydesk_base::secrets::Secrets;
use copydesk_llm::Error;
use copydesk_llm::{Api, AssistantMessage, Ending, Part, Usage};
use serde_json::{Value, json};

pub fn read(events: &[Value]) -> Result<AssistantMessage, Error> {
    read_body(&events.iter().map(event).collect::<String>())
}

fn read_body(body: &str) -> Result<AssistantMessage, Error> {
    answer_as(Api::OpenaiResponses, body, &mut Random::new())
}

/// An event of this name (without `response.`) with these fields.
fn of(name: &str, fields: Value) -> Value {
    let mut event = fields;
    event["type"] = json!(format!("response.{name}"));
    event
}

pub fn completed(output: Value) -> Value {
    of("completed", json!({ "response": { "id": "resp_1", "status": "completed", "output": output } }))
}

pub fn message(id: &str, text: &str) -> Value {
    json!({ "type": "message", "id": id, "role": "assistant", "content": [{ "type": "output_text", "text": text }] })
}

pub fn function_call(id: &str, call_id: &str, arguments: &str) -> Value {
    json!({ "type": "function_call", "id": id, "call_id": call_id, "name": "read", "arguments": arguments })
}

fn added(index: u64, item: Value) -> Value {
    of("output_item.added", json!({ "output_index": index, "item": item }))
}

pub fn done(index: u64, item: Value) -> Value {
    of("output_item.done", json!({ "output_index": index, "item": item }))
}

fn text_delta(id: &str, delta: &str) -> Value {
    of("output_text.delta", json!({ "item_id": id, "output_index": 0, "content_index": 0, "delta": delta }))
}

fn arguments_delta(id: &str, index: u64, delta: &str) -> Value {
    of("function_call_arguments.delta", json!({ "item_id": id, "output_index": index, "delta": delta }))
}

#[test]
fn content_without_deltas_is_read_from_the_complete_item() {
    let answer = read(&[
        done(0, message("msg_1", "Tea.")),
        done(1, function_call("fc_1", "call_1", "{\"n\":1}")),
        completed(json!([])),
    ]);
    let answer = answer.unwrap();
    assert_eq!((answer.text().as_str(), calls(&answer)), ("Tea.", json!([["call_1", "read", { "n": 1 }]])));
}

#[test]
fn content_without_events_is_read_from_the_response() {
    let output = json!([message("msg_1", "Tea."), function_call("fc_1", "call_1", "{\"n\":1}")]);
    let answer = read(&[completed(output)]).unwrap();
    assert_eq!((answer.text().as_str(), calls(&answer)), ("Tea.", json!([["call_1", "read", { "n": 1 }]])));
    assert_eq!(answer.content.len(), 2);
}

#[test]
fn a_complete_json_response_is_read() {
    let output = json!([message("msg_1", "Tea."), function_call("fc_1", "call_1", "{}")]);
    let body = json!({ "id": "resp_1", "object": "response", "status": "completed", "error": null, "output": output });
    let answer = read_body(&body.to_string()).unwrap();
    assert_eq!((answer.text().as_str(), calls(&answer)), ("Tea.", json!([["call_1", "read", {}]])));
    let mut unfinished = body;
    unfinished["status"] = json!("in_progress");
    assert_eq!(read_body(&unfinished.to_string()), Err(Error::StreamCut));
}

#[test]
fn the_final_event_ends_the_answer_whatever_its_response_contains() {
    for response in [json!({ "status": "in_progress" }), json!({}), Value::Null] {
        let answer = read(&[text_delta("m", "Tea"), of("completed", json!({ "response": response }))]).unwrap();
        assert_eq!((answer.text().as_str(), answer.finish.as_str()), ("Tea", "completed"));
    }
}

#[test]
fn repeated_content_is_reported_once() {
    let item = message("msg_1", "Tea, please.");
    let tool = function_call("fc_1", "call_1", "{\"n\":1}");
    let answer = read(&[
        added(0, message("msg_1", "")),
        text_delta("msg_1", "Tea, "),
        text_delta("msg_1", "please."),
        of("output_text.done", json!({ "item_id": "msg_1", "output_index": 0, "text": "Tea, please." })),
        done(0, item.clone()),
        text_delta("msg_1", "please."),
        done(0, item.clone()),
        added(1, tool.clone()),
        arguments_delta("fc_1", 1, "{\"n\":1}"),
        of("function_call_arguments.done", json!({ "item_id": "fc_1", "arguments": "{\"n\":1}" })),
        done(1, tool.clone()),
        added(1, tool.clone()),
        done(1, tool.clone()),
        completed(json!([item, tool])),
    ]);
    let answer = answer.unwrap();
    assert_eq!((answer.text().as_str(), calls(&answer)), ("Tea, please.", json!([["call_1", "read", { "n": 1 }]])));
    assert_eq!(answer.content.len(), 2);
}

#[test]
fn missing_deltas_at_the_end_are_read_from_the_item() {
    let answer = read(&[
        added(0, message("msg_1", "")),
        text_delta("msg_1", "Tea, "),
        done(0, message("msg_1", "Tea, please.")),
        added(1, function_call("fc_1", "call_1", "")),
        arguments_delta("fc_1", 1, "{\"n\":"),
        done(1, function_call("fc_1", "call_1", "{\"n\":1}")),
        completed(json!([])),
    ]);
    let answer = answer.unwrap();
    assert_eq!((answer.text().as_str(), calls(&answer)), ("Tea, please.", json!([["call_1", "read", { "n": 1 }]])));
}

#[test]
fn a_call_runs_with_the_arguments_of_its_complete_item() {
    // The second half got lost, or the first one came again, or is written otherwise.
    for pieces in
        [&["{\"to\":"][..], &["{\"n\": 1,", "{\"n\": 1,", " \"to\": 2}"], &["\"to\":2}"], &["{\"to\":2,\"n\":1}"]]
    {
        let mut events = vec![added(0, function_call("fc_1", "call_1", ""))];
        events.extend(pieces.iter().map(|piece| arguments_delta("fc_1", 0, piece)));
        events.push(done(0, function_call("fc_1", "call_1", "{\"n\":1,\"to\":2}")));
        events.push(completed(json!([])));
        // Not at every chunking: what a server contradicts has been shown.
        let body: String = events.iter().map(event).collect();
        let (answer, _) = decode_as(Api::OpenaiResponses, [body.as_bytes()]);
        assert_eq!(calls(&answer.unwrap()), json!([["call_1", "read", { "n": 1, "to": 2 }]]), "{pieces:?}");
    }
}

/// Copilot: the id of an item is another one in each event, and longer than OpenAI takes back.
#[test]
fn items_are_identified_by_index_if_ids_change() {
    let id = |n: u64| format!("{}{n}", "x".repeat(300));
    let answer = read(&[
        added(0, json!({ "type": "reasoning", "id": id(0), "summary": [] })),
        done(0, json!({ "type": "reasoning", "id": id(1), "summary": [], "encrypted_content": "e" })),
        added(1, function_call(&id(2), "call_1", "")),
        added(2, function_call(&id(3), "call_2", "")),
        arguments_delta(&id(4), 2, "{\"n\":"),
        arguments_delta(&id(5), 1, "{\"n\":1}"),
        arguments_delta(&id(6), 2, "2}"),
        done(2, function_call(&id(7), "call_2", "{\"n\":2}")),
        done(1, function_call(&id(8), "call_1", "{\"n\":1}")),
        completed(json!([function_call(&id(9), "call_1", "{\"n\":1}"), function_call(&id(10), "call_2", "{\"n\":2}")])),
    ]);
    let answer = answer.unwrap();
    assert_eq!(calls(&answer), json!([["call_1", "read", { "n": 1 }], ["call_2", "read", { "n": 2 }]]));
    assert_eq!(answer.content.len(), 3);
    assert!(answer.tool_calls.iter().all(|call| call.signature.is_none()), "an id that nobody takes back");
}

#[test]
fn items_are_identified_by_id_if_all_have_index_0() {
    let answer = read(&[
        added(0, function_call("fc_1", "call_1", "")),
        added(0, function_call("fc_2", "call_2", "")),
        arguments_delta("fc_1", 0, "{\"n\":"),
        arguments_delta("fc_2", 0, "{\"n\":2}"),
        arguments_delta("fc_1", 0, "1}"),
        done(0, function_call("fc_1", "call_1", "{\"n\":1}")),
        done(0, function_call("fc_2", "call_2", "{\"n\":2}")),
        completed(json!([])),
    ]);
    assert_eq!(calls(&answer.unwrap()), json!([["call_1", "read", { "n": 1 }], ["call_2", "read", { "n": 2 }]]));
}

#[test]
fn events_without_ids_and_indexes_belong_to_the_last_item() {
    let mut item = message("", "Tea");
    item.as_object_mut().unwrap().remove("id");
    let answer = read(&[
        of("output_item.added", json!({ "item": { "type": "message" } })),
        of("output_text.delta", json!({ "delta": "Te" })),
        of("output_text.delta", json!({ "delta": "a" })),
        of("output_item.done", json!({ "item": item })),
        of("output_item.added", json!({ "item": { "type": "function_call", "name": "read", "call_id": "c" } })),
        of("function_call_arguments.delta", json!({ "delta": "{\"n\":1}" })),
        of("output_item.done", json!({ "item": function_call("", "c", "{\"n\":1}") })),
        completed(json!([item, function_call("", "c", "{\"n\":1}")])),
    ]);
    let answer = answer.unwrap();
    assert_eq!((answer.text().as_str(), calls(&answer)), ("Tea", json!([["c", "read", { "n": 1 }]])));
}

#[test]
fn a_call_without_a_call_id_has_the_id_of_its_item_and_one_without_any_gets_one() {
    let answer = read(&[
        done(0, json!({ "type": "function_call", "id": "fc_1", "name": "read", "arguments": { "n": 1 } })),
        done(1, json!({ "type": "function_call", "name": "read", "arguments": "" })),
        completed(json!([])),
    ]);
    assert_eq!(calls(&answer.unwrap()), json!([["fc_1", "read", { "n": 1 }], ["call_1", "read", {}]]));
}

#[test]
fn arguments_without_a_call_do_not_run() {
    let body = event(&arguments_delta("fc_1", 0, "{\"n\":1}")) + &event(&completed(json!([])));
    let (answer, _) = decode_as(Api::OpenaiResponses, [body.as_bytes()]);
    assert_eq!(calls(&answer.unwrap()), json!([["fc_1", "", { "n": 1 }]]));
}

#[test]
fn the_parts_of_a_reasoning_summary_are_paragraphs() {
    let delta = |part: u64, text: &str| {
        of("reasoning_summary_text.delta", json!({ "item_id": "rs_1", "summary_index": part, "delta": text }))
    };
    let summary = |text: &str| json!({ "type": "summary_text", "text": text });
    let item = json!({ "type": "reasoning", "id": "rs_1", "summary": [summary("Tea or"), summary("coffee?")] });
    let (begun, end) = (added(0, json!({ "type": "reasoning", "id": "rs_1" })), completed(json!([])));
    let streamed = [begun.clone(), delta(0, "Tea "), delta(0, "or"), delta(1, "coffee?"), done(0, item.clone()), end];
    let whole = [done(0, item.clone()), message_done(), completed(json!([]))];
    for answer in [read(&streamed).unwrap(), read(&whole).unwrap()] {
        assert_eq!(answer.thinking(), "Tea or\n\ncoffee?");
        let Part::Thinking { signature: Some(signature), redacted: false, .. } = &answer.content[0] else { panic!() };
        assert_eq!(serde_json::from_str::<Value>(signature).unwrap(), item);
    }
}

fn message_done() -> Value {
    done(1, message("msg_1", "Tea."))
}

/// Open models show the thinking itself; some servers its summary as well, which is the same once more.
#[test]
fn unsummarized_reasoning_is_shown_once() {
    let delta = |kind: &str, text: &str| of(&format!("{kind}.delta"), json!({ "item_id": "rs_1", "delta": text }));
    let item = json!({
        "type": "reasoning", "id": "rs_1",
        "content": [{ "type": "reasoning_text", "text": "Tea or coffee?" }],
        "summary": [{ "type": "summary_text", "text": "Drinks" }],
    });
    let answer = read(&[
        added(0, json!({ "type": "reasoning", "id": "rs_1" })),
        delta("reasoning_text", "Tea or "),
        delta("reasoning_summary_text", "Drinks"),
        delta("reasoning_text", "coffee?"),
        done(0, item),
        message_done(),
        completed(json!([])),
    ]);
    assert_eq!(answer.unwrap().thinking(), "Tea or coffee?");
}

#[test]
fn a_refusal_is_distinguished_from_text_streamed_or_complete() {
    let refusal =
        |text: &str| json!({ "type": "message", "id": "m", "content": [{ "type": "refusal", "refusal": text }] });
    let delta = of("refusal.delta", json!({ "item_id": "m", "output_index": 0, "delta": "I'm " }));
    let pieces = [added(0, refusal("")), delta, done(0, refusal("I'm sorry.")), completed(json!([]))];
    for answer in [read(&pieces).unwrap(), read(&[completed(json!([refusal("I'm sorry.")]))]).unwrap()] {
        assert_eq!((answer.refusal().as_str(), answer.text().as_str()), ("I'm sorry.", ""));
    }
}

#[test]
fn items_of_other_types_are_ignored() {
    let search = json!({ "type": "web_search_call", "id": "ws_1", "status": "completed" });
    let answer = read(&[
        event_of("response.web_search_call.searching"),
        done(0, search.clone()),
        event_of("keepalive"),
        done(1, message("msg_1", "Tea.")),
        completed(json!([search, message("msg_1", "Tea.")])),
    ]);
    assert_eq!(answer.unwrap().content.len(), 1);
}

fn event_of(name: &str) -> Value {
    json!({ "type": name })
}

#[test]
fn an_incomplete_answer_has_a_reason() {
    let incomplete = |reason: Value| {
        let details = json!({ "reason": reason });
        of("incomplete", json!({ "response": { "status": "incomplete", "incomplete_details": details } }))
    };
    let begun = [added(0, function_call("fc_1", "call_1", "")), arguments_delta("fc_1", 0, "{\"n\":")];
    let with = |end: Value| read(&[begun[0].clone(), begun[1].clone(), end]);
    let answer = with(incomplete(json!("max_output_tokens"))).unwrap();
    assert_eq!((answer.finish.as_str(), answer.ending), ("max_output_tokens", Ending::Length));
    assert_eq!(calls(&answer), json!([["call_1", "read", null]]));
    assert_eq!(with(incomplete(Value::Null)).unwrap().ending, Ending::Length);
    assert_eq!(with(incomplete(json!("content_filter"))), Err(Error::ContentFilter));
    let read_already = read(&[text_delta("m", "Tea"), incomplete(json!("content_filter"))]).unwrap();
    assert_eq!((read_already.text().as_str(), read_already.ending), ("Tea", Ending::Filtered));
}

#[test]
fn a_failure_is_an_error_with_the_providers_message() {
    let failed = |error: Value| of("failed", json!({ "response": { "status": "failed", "error": error } }));
    for (event, words) in [
        (failed(json!({ "code": "server_error", "message": "The model broke." })), "The model broke."),
        (failed(Value::Null), "failed"),
        (of("cancelled", json!({ "response": { "status": "cancelled" } })), "cancelled"),
        (json!({ "type": "error", "code": "x", "message": "No more.", "param": null }), "No more."),
        (json!({ "type": "error", "error": { "message": "No more.", "key": "sk-secret" } }), "No more."),
        (of("completed", json!({ "response": { "error": { "message": "No sk-secret." } } })), "No …."),
    ] {
        let error = read(&[text_delta("m", "Tea"), event]).unwrap_err();
        let Error::Provider { message } = &error else { panic!("{error:?}") };
        assert_eq!(message.trim_end_matches('.'), words.trim_end_matches('.'));
    }
}

#[test]
fn a_stream_without_its_response_is_cut() {
    for body in [
        event(&text_delta("m", "Tea")),
        event(&text_delta("m", "Tea")) + "data: [DONE]\n\n",
        event(&done(0, message("m", "Tea"))) + "data: [DONE]\n\n",
        event(&done(0, message("m", "Tea")))
            + "event: response.completed\ndata: {\"type\":\"response.completed\",\"resp",
    ] {
        assert_eq!(read_body(&body), Err(Error::StreamCut), "{body}");
    }
}

#[test]
fn the_type_of_an_event_may_be_in_its_name_only() {
    let body = "event: response.output_text.delta\ndata: {\"delta\":\"Tea\"}\n\n\
        event: ping\ndata: not JSON\n\n\
        event: response.completed\ndata: {\"response\":{\"status\":\"completed\",\"usage\":{\"input_tokens\":3,\"output_tokens\":4}}}\n\n";
    let answer = read_body(body).unwrap();
    let usage = Usage { input_tokens: 3, output_tokens: 4, total_tokens: 7, ..Usage::default() };
    assert_eq!((answer.text().as_str(), answer.usage), ("Tea", Some(usage)));
}

#[test]
fn surrogate_pairs_are_joined_across_events() {
    let body = "data: {\"type\":\"response.output_text.delta\",\"item_id\":\"m\",\"delta\":\"\\ud83d\"}\n\n\
        data: {\"type\":\"response.output_text.delta\",\"item_id\":\"m\",\"delta\":\"\\ude00!\"}\n\n"
        .to_owned()
        + &event(&done(0, message("m", "😀!")))
        + &event(&completed(json!([])));
    assert_eq!(read_body(&body).unwrap().text(), "😀!");
}

#[test]
fn an_endless_answer_is_an_error() {
    let long = "x".repeat(200_000);
    let reasoning = |n: usize| json!({ "type": "reasoning", "id": format!("{n}"), "encrypted_content": long });
    let endless: [&dyn Fn(usize) -> Value; 8] = [
        &|_| text_delta("m", &long),
        &|n| of("output_text.delta", json!({ "item_id": format!("{n}{long}"), "output_index": n, "delta": "x" })),
        &|_| arguments_delta("c", 0, &long),
        &|n| arguments_delta(&format!("c{n}"), n as u64, "{}"),
        &|n| added(n as u64, function_call(&format!("{n}"), "", "")),
        &|n| added(n as u64, message(&format!("{n}"), "")),
        &|n| done(n as u64, reasoning(n)),
        &|n| of("reasoning_summary_text.delta", json!({ "summary_index": n, "delta": long })),
    ];
    for (which, piece) in endless.iter().enumerate() {
        let mut decoder = copydesk_llm::Decoder::new(Api::OpenaiResponses, "", &Secrets::default());
        let failed = (0..20_000).find_map(|n| decoder.push(event(&piece(n)).as_bytes()).err());
        assert!(matches!(failed, Some(Error::MalformedStream { .. })), "{which}: {failed:?}");
    }
}
