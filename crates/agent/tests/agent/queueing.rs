//! Saying something while the agent works, and going on.

use super::world::{World, calls, page, says};
use copydesk_agent::Error;
use copydesk_agent::Outcome;
use copydesk_llm::Message;
use serde_json::{Value, json};

const TEA: &str = "<h1>Tea</h1><h2>History</h2><p>Old.</p>";

fn read(id: &str) -> super::world::Answer {
    calls(&[(id, "get_document", json!({}))])
}

/// The last messages of a request: role and text.
fn said(request: &Value) -> Vec<(String, String)> {
    let messages = request["messages"].as_array().unwrap().iter().skip(1);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    messages.map(|message| (text(&message["role"]), text(&message["content"]))).collect()
}

#[test]
fn steering_is_heard_after_the_turn_under_way_one_message_at_a_time() {
    let world = World::with(TEA, vec![read("a"), read("b"), says("Done.")], json!({}), |agent, event| {
        let event = serde_json::to_value(event).unwrap();
        if event["type"] == "tool_use" && event["toolId"] == "a" {
            agent.steer(Message::user("Shorter, please."));
            agent.steer(Message::user("And in blue."));
        }
    });
    assert_eq!(world.prompt("Write").status, Outcome::Complete);
    let requests = world.requests();
    assert_eq!(said(&requests[1]).last().unwrap(), &("user".to_owned(), "Shorter, please.".to_owned()));
    assert_eq!(said(&requests[2]).last().unwrap(), &("user".to_owned(), "And in blue.".to_owned()));
    let heard: Vec<Value> = world.events().into_iter().filter(|event| event["type"] == "message").collect();
    assert_eq!(heard[0]["message"], json!({ "role": "user", "content": "Shorter, please." }));
    assert_eq!(heard.len(), 2);
}

#[test]
fn steering_keeps_a_run_going_that_would_be_done() {
    let world = World::with(TEA, vec![says("Done."), says("Done again.")], json!({}), |agent, event| {
        let event = serde_json::to_value(event).unwrap();
        if event["type"] == "content" && event["content"] == "Done." {
            agent.steer(Message::user("Wait."));
        }
    });
    assert_eq!(world.prompt("Write").text, "Done again.");
    assert_eq!(world.event_types().iter().filter(|kind| *kind == "complete").count(), 1);
}

#[test]
fn follow_ups_wait_until_the_model_is_done_and_can_be_taken_all_at_once() {
    for (mode, requests) in [("one-at-a-time", 4), ("all", 3)] {
        let answers = vec![read("a"), says("One."), says("Two."), says("Three.")];
        let world = World::with(TEA, answers, json!({ "followUpMode": mode }), |_, _| {});
        world.agent.follow_up(Message::user("then this"));
        world.agent.follow_up(Message::user("and that"));
        world.prompt("Write");
        assert_eq!(world.requests().len(), requests, "{mode}");
        assert_eq!(said(&world.requests()[1]).last().unwrap().0, "tool");
    }
}

#[test]
fn what_is_queued_without_a_run_waits_for_the_next_and_can_be_forgotten() {
    let world = World::new(TEA, vec![says("One."), says("Two.")]);
    world.agent.steer(Message::user("forgotten"));
    world.agent.clear_queues();
    world.agent.steer(Message::user("in English"));
    world.prompt("Write");
    assert_eq!(said(&world.requests()[0]), [("user".to_owned(), "Write\n\nin English".to_owned())]);
}

#[test]
fn a_run_that_failed_goes_on_where_it_was() {
    let world = World::new(TEA, vec![read("a"), page(401, "application/json", "{}"), says("Done.")]);
    assert_eq!(world.prompt("Write").status, Outcome::Error);
    assert!(world.agent.state()["errorMessage"].is_string());
    let run = world.agent.continue_run().unwrap();
    assert_eq!(world.wait(run).text, "Done.");
    assert_eq!(said(&world.requests()[2]).len(), 3);
    assert_eq!(world.agent.state()["errorMessage"], Value::Null);
}

#[test]
fn there_is_nothing_to_go_on_with_where_the_model_had_the_last_word() {
    let world = World::new(TEA, vec![says("Done."), says("More.")]);
    assert_eq!(world.agent.continue_run().err(), Some(Error::NothingToContinue));
    world.prompt("Write");
    assert_eq!(world.agent.continue_run().err(), Some(Error::NothingToContinue));
    world.agent.steer(Message::user("more"));
    let run = world.agent.continue_run().unwrap();
    assert_eq!(world.wait(run).text, "More.");
}

#[test]
fn messages_of_the_apps_own_kinds_are_kept_and_not_sent() {
    let world = World::new(TEA, vec![says("Done.")]);
    let own = json!({ "role": "customNote", "content": "for the interface" });
    world.agent.set_messages(vec![Message::try_from(own.clone()).unwrap()]).unwrap();
    world.prompt("Write");
    assert_eq!(Value::from(world.agent.messages()[0].clone()), own);
    assert_eq!(said(&world.requests()[0]).len(), 1);
}

#[test]
fn a_role_that_nobody_has_is_refused_by_name() {
    for role in ["system", "User", "assistnat", ""] {
        let refused = Message::try_from(json!({ "role": role, "content": "STOP THAT" })).unwrap_err().to_string();
        assert!(refused.starts_with("role must be user, assistant"), "{refused}");
    }
}
