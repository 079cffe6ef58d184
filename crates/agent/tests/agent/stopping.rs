//! Stops at any moment: the conversation stays valid, and each call has a result.

use super::harness::{Harness, calls, says, slow_tool};
use copydesk_agent::{Hook, Outcome};
use copydesk_llm::Message;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

const TEA: &str = "<h1>Tea</h1><h2>History</h2><p>Old.</p>";

fn codes(harness: &Harness) -> Vec<String> {
    let results = harness.agent.messages().into_iter().map(Value::from).filter(|one| one["role"] == "toolResult");
    results.map(|one| one["content"]["error"]["code"].as_str().unwrap_or("ran").to_owned()).collect()
}

fn stop_at(harness: &Harness, kind: &'static str, ms: f64) -> Outcome {
    let mut run: std::pin::Pin<Box<dyn Future<Output = _>>> = Box::pin(harness.agent.prompt("x").unwrap());
    assert!(harness.poll(&mut run).is_pending());
    harness.pass(ms);
    assert!(harness.poll(&mut run).is_pending());
    assert!(harness.event_types().iter().any(|event| event == kind), "{:?}", harness.event_types());
    harness.agent.abort();
    match harness.poll(&mut run) {
        std::task::Poll::Ready(result) => result.status,
        std::task::Poll::Pending => panic!("a stop that does not stop"),
    }
}

#[test]
fn a_stop_reports_for_each_call_whether_it_ran() {
    let three = calls(&[("a", "quick", json!({})), ("b", "long", json!({})), ("c", "later", json!({}))]);
    let harness = Harness::with(TEA, vec![three], json!({ "toolExecution": "sequential" }), |_, _| {});
    harness.agent.set_tools(vec![slow_tool("quick", 10), slow_tool("long", 100_000), slow_tool("later", 10)]);
    assert_eq!(stop_at(&harness, "tool_use", 20.0), Outcome::Aborted);
    assert_eq!(codes(&harness), ["ran", "maybe_ran", "not_run"]);
    assert_eq!(harness.event_types().last().unwrap(), "aborted");
}

#[test]
fn a_stopped_conversation_can_be_sent_again() {
    let harness = Harness::new(TEA, vec![calls(&[("a", "long", json!({}))]), says("I see.")]);
    harness.agent.set_tools(vec![slow_tool("long", 100_000)]);
    stop_at(&harness, "tool_use", 20.0);
    assert_eq!(harness.prompt("go on").status, Outcome::Complete);
    let messages = harness.requests()[1]["messages"].clone();
    let roles: Vec<_> = messages.as_array().unwrap().iter().map(|one| one["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "user"]);
    assert!(messages[3]["content"].as_str().unwrap().contains("maybe_ran"));
}

#[test]
fn an_edit_is_applied_completely_or_not_at_all() {
    let replace =
        |text: &str| json!({ "operation": "replace", "sectionIndex": 1, "content": format!("<p>{text}</p>") });
    let two = calls(&[("a", "update_section", replace("New.")), ("b", "update_section", replace("Newer."))]);
    let harness = Harness::with(TEA, vec![two], json!({}), |agent, event| {
        if serde_json::to_value(event).unwrap()["type"] == "doc_update" {
            agent.abort();
        }
    });
    harness.read();
    harness.hook(Hook::AfterToolCall, |_| Ok(Value::Null));
    harness.prompt("x");
    assert_eq!(harness.html(), TEA.replace("Old.", "New."));
    assert_eq!(codes(&harness), ["ran", "ran", "not_run"]);
}

#[test]
fn messages_saved_in_a_doc_update_event_include_the_edit() {
    let replace = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>New.</p>" });
    let kept: Rc<RefCell<Vec<Message>>> = Rc::default();
    let keep = kept.clone();
    let answers = vec![calls(&[("a", "update_section", replace)]), says("Done.")];
    let harness = Harness::with(TEA, answers, json!({}), move |agent, event| {
        if serde_json::to_value(event).unwrap()["type"] == "doc_update" {
            *keep.borrow_mut() = agent.messages();
        }
    });
    harness.read();
    harness.hook(Hook::AfterToolCall, |_| Ok(json!({ "content": "changed" })));
    harness.prompt("x");
    let after = Harness::new(&harness.html(), vec![says("It is done.")]);
    after.agent.set_messages(kept.take()).unwrap();
    let run = after.agent.continue_run().unwrap();
    assert_eq!(after.wait(run).text, "It is done.");
    assert!(!after.event_types().contains(&"doc_update".to_owned()), "the edit was made twice");
    assert_eq!(codes(&harness), ["ran", "ran"], "one result for one call");
    let results = harness.agent.messages().into_iter().map(Value::from).filter(|one| one["role"] == "toolResult");
    assert_eq!(results.skip(1).map(|one| one["content"].clone()).collect::<Vec<_>>(), ["changed"]);
}

#[test]
fn running_calls_are_listed_and_none_after_a_stop() {
    let harness = Harness::new(TEA, vec![calls(&[("a", "long", json!({}))])]);
    harness.agent.set_tools(vec![slow_tool("long", 100_000)]);
    let mut run: std::pin::Pin<Box<dyn Future<Output = _>>> = Box::pin(harness.agent.prompt("x").unwrap());
    assert!(harness.poll(&mut run).is_pending());
    harness.pass(1_000.0);
    assert!(harness.poll(&mut run).is_pending());
    let state = harness.agent.state();
    assert_eq!((&state["isStreaming"], &state["pendingToolCalls"]), (&json!(true), &json!(["a"])));
    drop(run);
    let state = harness.agent.state();
    assert_eq!((&state["isStreaming"], &state["pendingToolCalls"]), (&json!(false), &json!([])));
}
