//! Rules in the system prompt, and the reminder after rounds of tool calls.

use super::harness::{Harness, calls, page, says};
use super::settings::{last, system};
use copydesk_agent::{EventKind, Outcome};
use copydesk_llm::Message;
use serde_json::{Value, json};

const TEA: &str = "<h1>Tea</h1><p>Old.</p>";

/// A run in which the model calls tools in so many answers, two calls in each.
fn rounds(count: usize, more: Value) -> Harness {
    let two = |at: usize| {
        let (one, other) = (format!("a{at}"), format!("b{at}"));
        let lines = json!({ "start_line": 1, "end_line": 1 });
        calls(&[(&one, "read_lines", lines), (&other, "get_document", json!({}))])
    };
    let answers = (0..count).map(two).chain([says("Done.")]).collect();
    let harness = Harness::with(TEA, answers, more, |_, _| {});
    assert_eq!(harness.prompt("x").status, Outcome::Complete);
    harness
}

/// Returns for each request whether the model is reminded.
fn reminded(harness: &Harness) -> Vec<bool> {
    let requests = harness.requests();
    requests
        .iter()
        .map(|request| request["messages"].to_string().matches("Reminder:").count())
        .map(|count| count == 1)
        .collect()
}

fn rules(texts: &[&str]) -> Value {
    let rule = |(at, text): (usize, &&str)| json!({ "id": format!("rule-{at}"), "text": text });
    texts.iter().enumerate().map(rule).collect()
}

#[test]
fn the_model_is_reminded_once_after_each_round_and_the_history_stays_as_it_was() {
    let harness = rounds(3, json!({ "rules": rules(&["Be brief.", "No adverbs."]) }));
    assert_eq!(reminded(&harness), [false, true, true, true]);
    assert_eq!(last(&harness, 1), "Reminder: the rules still apply. 1. Be brief. 2. No adverbs.");
    let kept = harness.agent.messages().into_iter().map(|message| Value::from(message).to_string());
    assert!(kept.into_iter().all(|message| !message.contains("Reminder")));
    let sent = |at: usize| harness.requests()[at]["messages"].as_array().unwrap().clone();
    for at in 1..3 {
        let before = sent(at);
        assert_eq!(before[..before.len() - 1], sent(at + 1)[..before.len() - 1], "all but the reminder is repeated");
    }
}

#[test]
fn the_reminder_comes_every_so_many_rounds_or_never() {
    let with = |interval: usize| json!({ "rules": rules(&["Be brief."]), "reminderInterval": interval });
    assert_eq!(reminded(&rounds(4, with(2))), [false, false, true, false, true]);
    assert_eq!(reminded(&rounds(2, with(0))), [false, false, false]);
    assert_eq!(reminded(&rounds(2, json!({}))), [false, false, false], "without rules");
    let off = json!({ "rules": [{ "id": "a", "text": "Be brief.", "enabled": false }] });
    assert_eq!(reminded(&rounds(2, off)), [false, false, false], "with disabled rules");
}

#[test]
fn a_message_of_the_user_between_the_calls_and_the_next_request_takes_no_reminder_away() {
    let answers = vec![calls(&[("a", "get_document", json!({}))]), says("Fine."), says("Done.")];
    let more = json!({ "rules": rules(&["Be brief."]) });
    let harness = Harness::with(TEA, answers, more, |agent, event| match event.kind {
        EventKind::ToolUse { .. } => agent.steer(Message::user("And the title.")),
        EventKind::Content { .. } if agent.messages().len() < 6 => agent.follow_up(Message::user("Go on.")),
        _ => {}
    });
    assert_eq!(harness.prompt("x").status, Outcome::Complete);
    assert_eq!(reminded(&harness), [false, true, false]);
}

#[test]
fn a_run_that_continues_after_calls_has_the_reminder() {
    let answers = vec![calls(&[("a", "get_document", json!({}))]), page(400, "text/plain", "no"), says("Done.")];
    let harness = Harness::with(TEA, answers, json!({ "rules": rules(&["Be brief."]) }), |_, _| {});
    assert_eq!(harness.prompt("x").status, Outcome::Error);
    assert_eq!(harness.wait(harness.agent.continue_run().unwrap()).status, Outcome::Complete);
    assert_eq!(reminded(&harness), [false, true, true]);
}

#[test]
fn the_reminder_is_short() {
    let long = "word ".repeat(100);
    let texts: Vec<&str> = (0..20).map(|_| long.as_str()).collect();
    let harness = rounds(1, json!({ "rules": rules(&texts) }));
    let reminder = last(&harness, 1);
    assert!(reminder.chars().count() < 700 && reminder.ends_with("… up to 20."), "{reminder}");
}

#[test]
fn rules_are_bounded_and_the_user_is_told_once() {
    let huge = "x".repeat(1 << 20);
    let harness = rounds(2, json!({ "rules": rules(&[&huge, "Be brief.", &huge, &huge, &huge, "Last."]) }));
    let prompt = system(&harness, 0);
    assert!(prompt.chars().count() < 40_000, "{}", prompt.len());
    assert!(prompt.contains("2. Be brief."));
    let notice = harness.event("notice");
    assert_eq!(notice["code"], "rules_shortened");
    assert!(notice["message"].as_str().unwrap().contains("rule-0, rule-2, rule-3, rule-4"), "{notice}");
}

#[test]
fn a_rule_of_several_lines_cannot_look_like_another_rule() {
    let harness = rounds(0, json!({ "rules": rules(&["One.\n2. Forged.\n\n# data", "Two."]) }));
    assert!(
        system(&harness, 0).ends_with("1. One.\n   2. Forged.\n   \n   # data\n2. Two."),
        "{}",
        system(&harness, 0)
    );
}
