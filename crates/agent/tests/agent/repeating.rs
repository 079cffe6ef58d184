//! A model that repeats the same call.

use super::harness::{Harness, calls, chunks, says, stream};
use copydesk_agent::{Hook, Outcome};
use serde_json::{Value, json};

const TEA: &str = "<h1>Tea</h1><h2>History</h2><p>Old.</p>";

fn read(turn: usize) -> super::harness::Answer {
    calls(&[(&format!("c{turn}"), "get_document", json!({}))])
}

fn codes(harness: &Harness) -> Vec<String> {
    let results = harness.events().into_iter().filter(|event| event["type"] == "tool_result");
    results.map(|event| event["content"]["error"]["code"].as_str().unwrap_or("ran").to_owned()).collect()
}

#[test]
fn a_repeated_call_is_refused_and_then_ends_the_run() {
    let harness = Harness::new(TEA, (0..9).map(read).collect());
    let result = harness.prompt("x");
    assert_eq!(result.error.unwrap()["code"], "repeated_call");
    let expected: Vec<_> = std::iter::repeat_n("ran", 3).chain(std::iter::repeat_n("repeated_call", 4)).collect();
    assert_eq!(codes(&harness), expected);
}

#[test]
fn a_model_that_stops_repeating_continues() {
    let mut answers: Vec<_> = (0..4).map(read).collect();
    answers.push(says("Sorry."));
    let harness = Harness::new(TEA, answers);
    assert_eq!(harness.prompt("x").status, Outcome::Complete);
}

#[test]
fn reading_changed_text_is_not_a_repetition() {
    let mut answers = Vec::new();
    for turn in 0..6 {
        answers.push(read(turn));
        let replace = json!({ "operation": "replace", "sectionIndex": 1, "content": format!("<p>{turn}</p>") });
        answers.push(calls(&[(&format!("e{turn}"), "update_section", replace)]));
    }
    answers.push(says("Done."));
    let harness = Harness::new(TEA, answers);
    assert_eq!(harness.prompt("x").status, Outcome::Complete);
    assert!(codes(&harness).iter().all(|code| code == "ran"));
}

#[test]
fn the_number_of_repetitions_is_a_setting() {
    let harness = Harness::with(TEA, vec![read(0), read(1), says("Done.")], json!({ "maxRepeats": 1 }), |_, _| {});
    harness.prompt("x");
    assert_eq!(codes(&harness), ["ran", "repeated_call"]);
    let refused: Vec<Value> =
        harness.events().into_iter().filter(|event| event["type"] == "tool_result").skip(1).collect();
    assert!(refused[0]["content"]["error"]["message"].as_str().unwrap().contains("same arguments"));
}

/// Returns the codes of a run in which the model repeats a call without end.
fn for_ever(answer: impl Fn(usize) -> super::harness::Answer, prepare: impl Fn(&Harness)) -> Vec<String> {
    let harness = Harness::new(TEA, (0..9).map(answer).collect());
    prepare(&harness);
    assert_eq!(harness.prompt("x").error.unwrap()["code"], "repeated_call");
    codes(&harness)
}

#[test]
fn a_call_refused_before_it_runs_counts_as_a_repetition() {
    let refused = |code: &'static str| -> Vec<&str> {
        std::iter::repeat_n(code, 3).chain(std::iter::repeat_n("repeated_call", 4)).collect()
    };
    let made = |tool: &'static str, arguments: &'static str| {
        move |turn: usize| {
            let function = json!({ "name": tool, "arguments": arguments });
            let call = json!({ "index": 0, "id": format!("c{turn}"), "type": "function", "function": function });
            stream(&chunks(&[json!({ "tool_calls": [call] })], "tool_calls"))
        }
    };
    assert_eq!(for_ever(made("get_dokument", "{}"), |_| {}), refused("unknown_tool"));
    assert_eq!(for_ever(made("get_document", "[1]"), |_| {}), refused("invalid_arguments"));
    assert_eq!(for_ever(made("update_section", "{}"), |_| {}), refused("missing_parameter"));
    let blocks =
        |harness: &Harness| harness.hook(Hook::BeforeToolCall, |_| Ok(json!({ "block": true, "reason": "No." })));
    assert_eq!(for_ever(made("get_document", "{}"), blocks), refused("tool_blocked"));
}

#[test]
fn a_call_that_is_allowed_at_last_is_not_a_repetition() {
    let mut answers: Vec<_> = (0..3).map(read).collect();
    answers.push(says("Done."));
    let harness = Harness::new(TEA, answers);
    let asked = std::cell::Cell::new(0);
    harness.hook(Hook::BeforeToolCall, move |_| {
        asked.set(asked.get() + 1);
        Ok(json!({ "block": asked.get() < 3 }))
    });
    assert_eq!(harness.prompt("x").status, Outcome::Complete);
    assert_eq!(codes(&harness), ["tool_blocked", "tool_blocked", "ran"]);
}
