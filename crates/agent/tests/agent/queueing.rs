//! Queued messages, and continuing a run.

use super::harness::{Harness, calls, page, says};
use copydesk_agent::Error;
use copydesk_agent::Outcome;
use copydesk_llm::Message;
use serde_json::{Value, json};

const TEA: &str = "<h1>Tea</h1><h2>History</h2><p>Old.</p>";

fn read(id: &str) -> super::harness::Answer {
    calls(&[(id, "get_document", json!({}))])
}

/// The last messages of a request: role and text.
fn said(request: &Value) -> Vec<(String, String)> {
    let messages = request["messages"].as_array().unwrap().iter().skip(1);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    messages.map(|message| (text(&message["role"]), text(&message["content"]))).collect()
}

#[test]
fn steering_is_delivered_after_the_current_turn_one_message_at_a_time() {
    let harness = Harness::with(TEA, vec![read("a"), read("b"), says("Done.")], json!({}), |agent, event| {
        let event = serde_json::to_value(event).unwrap();
        if event["type"] == "tool_use" && event["toolId"] == "a" {
            agent.steer(Message::user("Shorter, please."));
            agent.steer(Message::user("And in blue."));
        }
    });
    assert_eq!(harness.prompt("Write").status, Outcome::Complete);
    let requests = harness.requests();
    assert_eq!(said(&requests[1]).last().unwrap(), &("user".to_owned(), "Shorter, please.".to_owned()));
    assert_eq!(said(&requests[2]).last().unwrap(), &("user".to_owned(), "And in blue.".to_owned()));
    let heard: Vec<Value> = harness.events().into_iter().filter(|event| event["type"] == "message").collect();
    assert_eq!(heard[0]["message"], json!({ "role": "user", "content": "Shorter, please." }));
    assert_eq!(heard.len(), 2);
}

#[test]
fn steering_continues_a_run_that_would_end() {
    let harness = Harness::with(TEA, vec![says("Done."), says("Done again.")], json!({}), |agent, event| {
        let event = serde_json::to_value(event).unwrap();
        if event["type"] == "content" && event["content"] == "Done." {
            agent.steer(Message::user("Wait."));
        }
    });
    assert_eq!(harness.prompt("Write").text, "Done again.");
    assert_eq!(harness.event_types().iter().filter(|kind| *kind == "complete").count(), 1);
}

#[test]
fn follow_ups_wait_until_the_model_ends_and_can_be_delivered_together() {
    for (mode, requests) in [("one-at-a-time", 4), ("all", 3)] {
        let answers = vec![read("a"), says("One."), says("Two."), says("Three.")];
        let harness = Harness::with(TEA, answers, json!({ "followUpMode": mode }), |_, _| {});
        harness.agent.follow_up(Message::user("then this"));
        harness.agent.follow_up(Message::user("and that"));
        harness.prompt("Write");
        assert_eq!(harness.requests().len(), requests, "{mode}");
        assert_eq!(said(&harness.requests()[1]).last().unwrap().0, "tool");
    }
}

#[test]
fn messages_queued_without_a_run_wait_for_the_next_and_can_be_cleared() {
    let harness = Harness::new(TEA, vec![says("One."), says("Two.")]);
    harness.agent.steer(Message::user("forgotten"));
    harness.agent.clear_queues();
    harness.agent.steer(Message::user("in English"));
    harness.prompt("Write");
    assert_eq!(said(&harness.requests()[0]), [("user".to_owned(), "Write\n\nin English".to_owned())]);
}

#[test]
fn a_failed_run_continues_where_it_was() {
    let harness = Harness::new(TEA, vec![read("a"), page(401, "application/json", "{}"), says("Done.")]);
    assert_eq!(harness.prompt("Write").status, Outcome::Error);
    assert!(harness.agent.state()["errorMessage"].is_string());
    let run = harness.agent.continue_run().unwrap();
    assert_eq!(harness.wait(run).text, "Done.");
    assert_eq!(said(&harness.requests()[2]).len(), 3);
    assert_eq!(harness.agent.state()["errorMessage"], Value::Null);
}

#[test]
fn continue_is_an_error_after_an_answer() {
    let harness = Harness::new(TEA, vec![says("Done."), says("More.")]);
    assert_eq!(harness.agent.continue_run().err(), Some(Error::NothingToContinue));
    harness.prompt("Write");
    assert_eq!(harness.agent.continue_run().err(), Some(Error::NothingToContinue));
    harness.agent.steer(Message::user("more"));
    let run = harness.agent.continue_run().unwrap();
    assert_eq!(harness.wait(run).text, "More.");
}

#[test]
fn custom_messages_are_kept_and_not_sent() {
    let harness = Harness::new(TEA, vec![says("Done.")]);
    let own = json!({ "role": "customNote", "content": "for the interface" });
    harness.agent.set_messages(vec![Message::try_from(own.clone()).unwrap()]).unwrap();
    harness.prompt("Write");
    assert_eq!(Value::from(harness.agent.messages()[0].clone()), own);
    assert_eq!(said(&harness.requests()[0]).len(), 1);
}

#[test]
fn an_unknown_role_is_refused_by_name() {
    for role in ["system", "User", "assistnat", ""] {
        let refused = Message::try_from(json!({ "role": role, "content": "STOP THAT" })).unwrap_err().to_string();
        assert!(refused.starts_with("role must be user, assistant"), "{refused}");
    }
}
