//! Events of arguments that are still arriving.

use super::harness::{Harness, chunks, says, stream};
use copydesk_test_support::random::Random;
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::rc::Rc;

/// Random arguments; strings contain what JSON escapes.
fn arguments(random: &mut Random, depth: usize) -> Value {
    let text = |random: &mut Random| {
        let parts = ["tea ", "\\\"", "\\n", "茶", "🍵", "\\\\frac", "}", "]", "<b>"];
        (0..random.below(12)).map(|_| parts[random.below(parts.len())]).collect::<String>()
    };
    match random.below(if depth > 2 { 4 } else { 6 }) {
        0 => json!(random.below(1000)),
        1 => {
            if random.below(2) == 0 {
                Value::Null
            } else {
                true.into()
            }
        }
        2 | 3 => text(random).into(),
        4 => (0..random.below(4)).map(|_| arguments(random, depth + 1)).collect(),
        _ => {
            let members = (0..random.below(4)).map(|at| (format!("m{at}"), arguments(random, depth + 1)));
            Value::Object(members.collect())
        }
    }
}

/// The events of a call whose arguments arrive in these parts.
fn events(parts: &[String], form: &str) -> Vec<Value> {
    let delta = |at: usize, part: &String| match at {
        0 => json!({ "tool_calls": [{ "index": 0, "id": "c", "function": { "name": "none", "arguments": part } }] }),
        _ => json!({ "tool_calls": [{ "index": 0, "function": { "arguments": part } }] }),
    };
    let deltas: Vec<Value> = parts.iter().enumerate().map(|(at, part)| delta(at, part)).collect();
    let answers = vec![stream(&chunks(&deltas, "tool_calls")), says("Done.")];
    let world = Harness::with("<p>Tea</p>", answers, json!({ "toolArgs": form }), |_, _| {});
    world.prompt("Go");
    world.events().into_iter().filter(|event| event["type"] == "tool_args").collect()
}

/// A text in parts of at most `most` characters.
fn cut(text: &str, random: &mut Random, most: usize) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut left = 1 + random.below(most);
    for c in text.chars() {
        if left == 0 {
            parts.push(String::new());
            left = 1 + random.below(most);
        }
        left -= 1;
        parts.last_mut().unwrap().push(c);
    }
    parts
}

#[test]
fn the_deltas_of_a_call_joined_are_the_beginning_of_its_arguments() {
    let mut random = Random::new();
    for _ in 0..200 {
        let members = (0..1 + random.below(5)).map(|at| (format!("p{at}"), arguments(&mut random, 0)));
        let given = Value::Object(members.collect::<Map<_, _>>());
        let parts = cut(&given.to_string(), &mut random, 9);
        let deltas = events(&parts, "delta");
        let joined: String = deltas.iter().map(|event| event["delta"].as_str().unwrap()).collect();
        assert!(deltas.iter().all(|event| event.get("restart").is_none() && event.get("partial").is_none()));
        let whole = given.to_string();
        assert!(whole.starts_with(&joined), "{joined}\n{whole}");
        assert!(whole[joined.len()..].chars().all(|c| "\"]}".contains(c)), "{joined}\n{whole}");
        let partial = events(&parts, "partial");
        assert_eq!(partial.last().unwrap()["partial"], given);
        assert!(partial.iter().all(|event| event.get("delta").is_none()));
    }
}

#[test]
fn events_of_arguments_grow_with_the_arguments_and_not_with_their_square() {
    for size in [100, 1_000, 10_000] {
        let given = json!({ "start_line": 1, "content": "All about tea. ".repeat(size) }).to_string();
        let parts = cut(&given, &mut Random::from_seed(size as u64), 200);
        let deltas = events(&parts, "delta");
        let bytes: usize = deltas.iter().map(|event| event["delta"].as_str().unwrap().len()).sum();
        // Nothing twice; the end of long arguments may come with the call only.
        assert!(bytes < given.len() && bytes * 64 > given.len() * 62, "{bytes} of {}", given.len());
        assert!(deltas.len() <= parts.len() + 1, "{} events of {} chunks", deltas.len(), parts.len());
    }
}

#[test]
fn a_repeated_name_starts_the_text_again() {
    let parts = ["{\"a\":\"one\",", "\"a\":\"two\"}"].map(str::to_owned);
    let mut joined = String::new();
    for event in events(&parts, "delta") {
        if event["restart"] == true {
            joined.clear();
        }
        joined += event["delta"].as_str().unwrap();
    }
    assert_eq!(joined, "{\"a\":\"two");
}

#[test]
fn a_key_that_arrives_in_parts_is_in_no_delta() {
    // The key of the agent in tests.
    let given = json!({ "content": "Before sk-secret after" }).to_string();
    for at in 1..given.len() {
        let parts = [given[..at].to_owned(), given[at..].to_owned()];
        let joined: String =
            events(&parts, "delta").iter().map(|event| event["delta"].as_str().unwrap().to_owned()).collect();
        assert!(!joined.contains("sk-secret") && joined.contains("after"), "{joined}");
    }
}

#[test]
fn a_call_is_previewed_by_its_id_while_its_arguments_arrive() {
    let call = |at: usize, id: &str, text: &str| {
        let arguments = json!({ "operation": "append", "title": "End", "content": text }).to_string();
        let function = json!({ "name": "update_section", "arguments": arguments });
        json!({ "tool_calls": [{ "index": at, "id": id, "function": function }] })
    };
    let answers = vec![stream(&chunks(&[call(0, "a", "<p>one"), call(1, "b", "<p>two")], "tool_calls")), says("Done.")];
    let previews = Rc::new(RefCell::new(Vec::new()));
    let seen = previews.clone();
    let world = Harness::with("<p>Tea</p>", answers, json!({}), move |agent, event| {
        let event = serde_json::to_value(event).unwrap();
        if event["type"] == "tool_args" {
            let content = |id: &str| agent.preview(id).map(|preview| preview.content);
            seen.borrow_mut().push((content(event["toolId"].as_str().unwrap()), content("other")));
        }
    });
    world.prompt("Go");
    let shown = |text: &str| (Some(format!("<h2>End</h2><p>{text}")), None);
    // No argument has arrived at the first event of a call.
    assert_eq!(*previews.borrow(), [(None, None), shown("one"), (None, None), shown("two")]);
}
