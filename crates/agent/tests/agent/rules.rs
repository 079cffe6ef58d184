//! Rules in the system prompt, and the reminder after rounds of tool calls.

use super::harness::{Harness, calls, page, says};
use super::settings::{last, system};
use copydesk_agent::{EventKind, Outcome};
use copydesk_llm::Message;
use serde_json::{Value, json};

const TEA: &str = "<h1>Tea</h1><p>Old.</p>";

/// A run in which the model calls tools in `count` answers, two calls in each.
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

#[test]
fn no_reader_sees_a_line_of_a_rule_as_another_rule() {
    let harness = rounds(0, json!({ "rules": rules(&["One.\r\n2. A\r3. B\u{2028}4. C\u{85}5. D\u{b}6. E"]) }));
    assert!(system(&harness, 0).ends_with("1. One.\n   2. A\n   3. B\n   4. C\n   5. D\n   6. E"));
}

#[test]
fn the_numbers_and_the_indents_of_rules_count_towards_their_limits() {
    let blank = format!("a{}b", "\n".repeat(7_900));
    for texts in [vec!["a"; 40_000], vec![blank.as_str(); 4]] {
        let harness = rounds(0, json!({ "rules": rules(&texts) }));
        assert!(system(&harness, 0).chars().count() < 36_000, "{}", system(&harness, 0).len());
        assert_eq!(harness.event("notice")["code"], "rules_shortened");
    }
}

#[test]
fn the_reminder_follows_a_message_that_the_user_sends_during_a_round() {
    let answers = vec![calls(&[("c1", "get_document", json!({}))]), says("Done.")];
    let more = json!({ "rules": rules(&["Be brief."]) });
    let harness = Harness::with(TEA, answers, more, |agent, event| {
        if matches!(event.kind, EventKind::ToolUse { .. }) {
            agent.steer(Message::user("Also this."));
        }
    });
    harness.prompt("x");
    assert_eq!(reminded(&harness), [false, true]);
    assert!(last(&harness, 1).contains("Reminder:"));
}

#[test]
fn a_continued_run_counts_the_round_that_it_continues() {
    let continued = |interval: usize| {
        let more = json!({ "rules": rules(&["Be brief."]), "reminderInterval": interval });
        let answers = vec![calls(&[("c2", "get_document", json!({}))]), says("Done.")];
        let harness = Harness::with(TEA, answers, more, |_, _| {});
        let stored = [
            json!({ "role": "user", "content": "x" }),
            json!({ "role": "assistant", "stopReason": "toolUse", "content": [
                { "type": "toolCall", "id": "c1", "name": "get_document", "arguments": {} },
            ] }),
            json!({ "role": "toolResult", "toolCallId": "c1", "toolName": "get_document", "content": "Tea", "isError": false }),
        ];
        let stored = stored.into_iter().map(|message| Message::try_from(message).unwrap()).collect();
        harness.agent.set_messages(stored).unwrap();
        harness.wait(harness.agent.continue_run().unwrap());
        reminded(&harness)
    };
    assert_eq!(continued(1), [true, true]);
    assert_eq!(continued(2), [false, true]);
    assert_eq!(continued(3), [false, false]);
}

#[test]
fn a_new_prompt_after_calls_is_no_round() {
    let harness = rounds(1, json!({ "rules": rules(&["Be brief."]), "maxTurns": 2 }));
    let mut messages = harness.agent.messages();
    // As after a run that was stopped.
    messages.pop();
    let other = Harness::with(TEA, vec![says("Done.")], json!({ "rules": rules(&["Be brief."]) }), |_, _| {});
    other.agent.set_messages(messages).unwrap();
    other.prompt("y");
    assert_eq!(reminded(&other), [false]);
}
