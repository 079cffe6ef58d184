//! Shapes of tool calls that servers really send and the reference does not name.

use crate::decoding::{calls, event, stream};
use crate::odd_streams::answer;
use serde_json::{Value, json};

/// The calls of a stream in which each of these pieces has a chunk of its own, or all are in one.
fn calls_of(pieces: &[Value]) -> Value {
    let apart: Vec<Value> = pieces.iter().map(|piece| json!({ "tool_calls": [piece] })).collect();
    let apart = calls(&answer(&stream(&apart, "tool_calls")));
    let together = calls(&answer(&stream(&[json!({ "tool_calls": pieces })], "tool_calls")));
    assert_eq!(apart, together);
    apart
}

pub fn piece(id: Value, index: Value, name: Value, arguments: Value) -> Value {
    json!({ "id": id, "index": index, "function": { "name": name, "arguments": arguments } })
}

pub const NONE: Value = Value::Null;

#[test]
fn the_usual_stream_is_read() {
    let pieces = [
        piece(json!("a"), json!(0), json!("read"), json!("")),
        piece(NONE, json!(0), NONE, json!("{\"n\"")),
        piece(NONE, json!(0), NONE, json!(":1}")),
        piece(json!("b"), json!(1), json!("write"), json!("{}")),
    ];
    assert_eq!(calls_of(&pieces), json!([["a", "read", {"n": 1}], ["b", "write", {}]]));
}

#[test]
fn calls_may_begin_at_index_1_and_be_interleaved() {
    let pieces = [
        piece(json!("a"), json!(1), json!("read"), json!("{\"n\"")),
        piece(json!("b"), json!(2), json!("read"), json!("{\"n\"")),
        piece(NONE, json!(1), NONE, json!(":1}")),
        piece(NONE, json!(2), NONE, json!(":2}")),
    ];
    assert_eq!(calls_of(&pieces), json!([["a", "read", {"n": 1}], ["b", "read", {"n": 2}]]));
}

/// Ollama gives every call the index 0.
#[test]
fn a_new_id_at_a_known_index_is_a_new_call() {
    let pieces = [
        piece(json!("a"), json!(0), json!("read"), json!("{\"n\":1}")),
        piece(json!("b"), json!(0), json!("read"), json!("{\"n\":")),
        piece(NONE, json!(0), NONE, json!("2}")),
    ];
    assert_eq!(calls_of(&pieces), json!([["a", "read", {"n": 1}], ["b", "read", {"n": 2}]]));
}

#[test]
fn two_calls_without_arguments_at_one_index_are_two() {
    let pieces = ["a", "b"].map(|id| piece(json!(id), json!(0), json!("read"), json!("")));
    assert_eq!(calls_of(&pieces), json!([["a", "read", {}], ["b", "read", {}]]));
}

/// Seen with DeepSeek behind a gateway: the head says index 0, the rest says index 1.
#[test]
fn arguments_at_an_unknown_index_belong_to_the_latest_call() {
    let pieces = [
        piece(json!("a"), json!(0), json!("read"), json!("{\"n\":1}")),
        piece(json!("b"), json!(0), json!("write"), json!("")),
        piece(NONE, json!(1), NONE, json!("{\"n\":")),
        piece(NONE, json!(1), NONE, json!("2}")),
    ];
    assert_eq!(calls_of(&pieces), json!([["a", "read", {"n": 1}], ["b", "write", {"n": 2}]]));
}

#[test]
fn a_known_id_takes_precedence_over_the_index() {
    let pieces = [
        piece(json!("a"), json!(0), json!("read"), json!("{\"n\":")),
        piece(json!("b"), json!(1), json!("read"), json!("{\"n\":")),
        piece(json!("a"), json!(1), NONE, json!("1}")),
        piece(json!("b"), json!(0), NONE, json!("2}")),
    ];
    assert_eq!(calls_of(&pieces), json!([["a", "read", {"n": 1}], ["b", "read", {"n": 2}]]));
}

#[test]
fn without_an_index_chunks_belong_to_the_latest_call() {
    let pieces = [
        json!({ "id": "a", "function": { "name": "read", "arguments": "{\"n\":" } }),
        json!({ "function": { "arguments": "1" } }),
        json!({ "function": { "arguments": "}" } }),
        json!({ "id": "b", "function": { "name": "read", "arguments": "{}" } }),
    ];
    assert_eq!(calls_of(&pieces), json!([["a", "read", {"n": 1}], ["b", "read", {}]]));
}

#[test]
fn calls_without_ids_get_ids_of_their_own() {
    for index in [json!(0), NONE] {
        let pieces = [
            piece(json!(""), index.clone(), json!("read"), json!("{\"n\":1}")),
            piece(NONE, index.clone(), json!("read"), json!("{\"n\":2}")),
            piece(NONE, index.clone(), json!("write"), json!("{\"n\":3}")),
        ];
        let expected =
            json!([["call_0", "read", {"n": 1}], ["call_1", "read", {"n": 2}], ["call_2", "write", {"n": 3}]]);
        assert_eq!(calls_of(&pieces), expected, "index {index}");
    }
}

#[test]
fn generated_ids_differ_between_answers_and_from_given_ones() {
    let call = |id: Value| json!({ "id": id, "function": { "name": "read", "arguments": "{}" } });
    let chunk = |id: &str| {
        let choice = json!({ "delta": { "tool_calls": [call(json!("call_1")), call(NONE)] }, "finish_reason": "stop" });
        event(&json!({ "id": id, "choices": [choice] }))
    };
    assert_eq!(calls(&answer(&chunk("")))[1][0], "call_2");
    let ids = ["chatcmpl-1234567890abcdefghijklmnopqrstuvwxyz", "chatcmpl-2"]
        .map(|id| calls(&answer(&chunk(id)))[1][0].clone());
    assert_ne!(ids[0], ids[1]);
    assert!(ids.iter().all(|id| id.as_str().unwrap().len() <= 40), "{ids:?}");
}

#[test]
fn two_calls_with_one_id_stay_two() {
    let pieces = [
        piece(json!("a"), json!(0), json!("read"), json!("{\"n\":1}")),
        piece(json!("a"), json!(1), json!("read"), json!("{\"n\":2}")),
    ];
    assert_eq!(calls_of(&pieces), json!([["a", "read", {"n": 1}], ["call_1", "read", {"n": 2}]]));
}

/// LocalAI sends a call again under further indexes.
#[test]
fn a_repeated_call_is_one_call() {
    let once = |index: u64| piece(json!("a"), json!(index), json!("read"), json!("{\"n\":1}"));
    assert_eq!(calls_of(&[once(0), once(1), once(2)]), json!([["a", "read", {"n": 1}]]));
}

#[test]
fn a_name_repeated_or_split_between_chunks_is_one_name() {
    let repeated = [
        piece(json!("a"), json!(0), json!("read"), json!("{\"n\"")),
        piece(json!("a"), json!(0), json!("read"), json!(":1}")),
    ];
    assert_eq!(calls_of(&repeated), json!([["a", "read", {"n": 1}]]));
    // The bracket that closes here is in a string.
    let quoted =
        [r#"{"n":"\"}"#, r#"x"}"#].map(|arguments| piece(json!("a"), json!(0), json!("read"), json!(arguments)));
    assert_eq!(calls_of(&quoted), json!([["a", "read", {"n": "\"}x"}]]));
    let grown = [
        piece(json!("a"), json!(0), json!("get_"), json!("")),
        piece(NONE, json!(0), json!("document"), json!("")),
        piece(NONE, json!(0), json!(""), json!("{}")),
    ];
    assert_eq!(calls_of(&grown), json!([["a", "get_document", {}]]));
}

/// Old vLLM gives every piece a new id.
#[test]
fn a_new_id_without_a_name_within_arguments_is_not_a_new_call() {
    let pieces = [
        piece(json!("a"), json!(0), json!("read"), json!("{\"n\"")),
        piece(json!("b"), json!(0), NONE, json!(":1")),
        piece(json!("c"), json!(0), NONE, json!("}")),
    ];
    assert_eq!(calls_of(&pieces), json!([["a", "read", {"n": 1}]]));
}

#[test]
fn empty_continuations_change_nothing() {
    let pieces = [
        json!({ "index": 0 }),
        piece(json!("a"), json!(0), json!("read"), NONE),
        piece(NONE, NONE, NONE, NONE),
        piece(NONE, json!(0), NONE, json!("{\"n\":1}")),
        json!({ "index": 0, "id": null, "function": null }),
        json!({}),
    ];
    assert_eq!(calls_of(&pieces), json!([["a", "read", {"n": 1}]]));
}

#[test]
fn arguments_may_be_empty_null_or_an_object() {
    for none in [json!(""), NONE, json!("null"), json!({}), json!(" {} ")] {
        let call = piece(json!("a"), json!(0), json!("read"), none.clone());
        assert_eq!(calls_of(&[call]), json!([["a", "read", {}]]), "{none}");
    }
    let call = piece(json!("a"), json!(0), json!("read"), json!({ "n": [1, "茶"] }));
    assert_eq!(calls_of(&[call]), json!([["a", "read", {"n": [1, "茶"]}]]));
}

#[test]
fn a_call_may_have_no_arguments_field_at_all() {
    let call = json!({ "index": 0, "id": "a", "type": "function", "function": { "name": "read" } });
    assert_eq!(calls_of(&[call]), json!([["a", "read", {}]]));
}

/// vLLM repeats the whole arguments in its last delta, and some servers in every delta.
#[test]
fn repeated_arguments_are_stated_once() {
    let expected = json!([["a", "replace", { "old": "leaf", "new": "bud" }]]);
    let part = |arguments: &str| piece(NONE, json!(0), NONE, json!(arguments));
    for parts in [
        vec![r#"{"old":"leaf","#, r#""new":"bud"}"#, r#"{"old": "leaf", "new": "bud"}"#],
        vec![r#"{"old":"leaf","new":"bud"}"#, r#"{"old":"leaf","#, r#""new":"bud"}"#],
        vec![r#"{"old":"#, r#"{"old":"leaf","#, r#"{"old":"leaf","new":"bud"}"#, r#"{"old":"leaf","new":"bud"}"#],
        vec!["{}", r#"{"old":"leaf","new":"bud"}"#],
        vec![r#"{"old":"leaf","new":"bud"}"#, "\n</tool_call>"],
        vec![r#"{"old":"leaf","new":"bud"}<|tool_call_end|><|im_end|>"#],
    ] {
        let mut pieces = vec![piece(json!("a"), json!(0), json!("replace"), json!(""))];
        pieces.extend(parts.iter().map(|arguments| part(arguments)));
        assert_eq!(calls_of(&pieces), expected, "{parts:?}");
    }
    let again = r#"{"old":"leaf","new":"bud"}"#;
    let named =
        [piece(NONE, json!(0), json!("replace"), json!(again)), piece(NONE, json!(0), json!("replace"), json!(again))];
    assert_eq!(calls_of(&named).as_array().unwrap().len(), 1);
}

/// An object may begin like the one that contains it.
#[test]
fn an_object_that_contains_its_own_beginning_is_no_repetition() {
    let pieces = [
        piece(json!("a"), json!(0), json!("read"), json!("{\"a\":")),
        piece(NONE, json!(0), NONE, json!("{\"a\":1}")),
        piece(NONE, json!(0), NONE, json!("}")),
    ];
    let answer = answer_as_decoded(&pieces);
    assert_eq!(calls(&answer), json!([["a", "read", { "a": { "a": 1 } }]]));
}

/// Returns the answer without comparing the reports of its arguments, which are for display only.
fn answer_as_decoded(pieces: &[Value]) -> copydesk_llm::AssistantMessage {
    let body = stream(&pieces.iter().map(|piece| json!({ "tool_calls": [piece] })).collect::<Vec<_>>(), "tool_calls");
    crate::decoding::decode([body.as_bytes()]).0.unwrap()
}

#[test]
fn arguments_that_differ_or_are_incomplete_do_not_run() {
    for raw in [r#"{"n":1}{"n":2}"#, r#"{"n":1}{"n""#, r#"{"n":1} and more"#, r#"[{"n":1},{"n":2}]"#, r#""{\"n\":1""#] {
        let call = piece(json!("a"), json!(0), json!("read"), json!(raw));
        assert_eq!(calls_of(&[call]), json!([["a", "read", null]]), "{raw}");
    }
}

#[test]
fn arguments_may_be_encoded_twice() {
    let plain = json!({ "old": "a \"leaf\"\nand $\\frac{1}{2}$", "new": [1] });
    let mut raw = plain.to_string();
    for times in 0..3 {
        let call = piece(json!("a"), json!(0), json!("read"), json!(raw));
        assert_eq!(calls_of(&[call]), json!([["a", "read", plain]]), "{times}");
        raw = json!(raw).to_string();
    }
    let careless = json!(r#"{"old":"$\frac{1}{2}$"}"#.replace("\\\\", "\\")).to_string();
    let call = piece(json!("a"), json!(0), json!("read"), json!(careless));
    assert_eq!(calls_of(&[call]), json!([["a", "read", { "old": "$\\frac{1}{2}$" }]]));
}

/// The head of each call names its tool, and its arguments follow: there is no other sign that a call begins.
#[test]
fn a_call_that_is_named_again_under_its_index_is_a_new_one() {
    let head = || piece(NONE, json!(0), json!("read"), json!(""));
    let rest = |arguments: &str| piece(NONE, json!(0), NONE, json!(arguments));
    let pieces = [head(), rest("{\"n\":"), rest("1}"), head(), rest("{\"n\":"), rest("1}"), head()];
    assert_eq!(calls_of(&pieces), json!([["call_0", "read", { "n": 1 }], ["call_1", "read", { "n": 1 }]]));
}

/// Arguments that state one object, written in other ways.
#[test]
fn arguments_in_a_fence_a_list_or_with_a_trailing_comma_are_read() {
    for raw in [
        "```json\n{\"n\":[1,2]}\n```",
        "```\n{\"n\":[1,2]}\n```",
        "[{\"n\":[1,2]}]",
        "{\"n\":[1,2,],}",
        "{\"n\":[1,2\n, ]\n}",
        "[{\"n\":[1,2]},]",
    ] {
        let pieces = [piece(json!("a"), json!(0), json!("read"), json!(raw))];
        assert_eq!(calls_of(&pieces), json!([["a", "read", {"n": [1, 2]}]]), "{raw}");
    }
    let kept = "{\"n\":\",] ,}\\\",}\",}";
    assert_eq!(
        calls_of(&[piece(json!("a"), json!(0), json!("read"), json!(kept))]),
        json!([["a", "read", {"n": ",] ,}\",}"}]])
    );
    for raw in ["[{\"n\":1},{\"n\":2}]", "{,}", "[1,]", "{\"n\":,}"] {
        let pieces = [piece(json!("a"), json!(0), json!("read"), json!(raw))];
        assert_eq!(calls_of(&pieces), json!([["a", "read", null]]), "{raw}");
    }
}

#[test]
fn a_name_may_be_split_over_deltas_of_one_id() {
    let pieces = [
        piece(json!("a"), json!(0), json!("read_"), json!("")),
        piece(json!("a"), json!(0), json!("lines"), json!("{\"n\":")),
        piece(json!("a"), json!(0), NONE, json!("1}")),
    ];
    assert_eq!(calls_of(&pieces), json!([["a", "read_lines", {"n": 1}]]));
}

#[test]
fn a_call_in_the_format_before_tool_calls_is_read() {
    let pieces = [
        json!({ "function_call": { "name": "read", "arguments": "" } }),
        json!({ "function_call": { "arguments": "{\"n\":" } }),
        json!({ "function_call": { "arguments": "1}" } }),
    ];
    let called = calls(&answer(&stream(&pieces, "function_call")));
    let read: Vec<&Value> = called.as_array().unwrap().iter().map(|call| &call[1]).collect();
    assert_eq!((read, &called[0][2]), (vec![&json!("read")], &json!({ "n": 1 })));
}
