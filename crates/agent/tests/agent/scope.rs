//! Runs that may change a range only.

use super::harness::{Answer, Harness, calls, says};
use copydesk_agent::{Error, RunOptions};
use copydesk_base::{ErrorInfo, Locale};
use copydesk_llm::Message;
use serde_json::{Value, json};

const TEA: &str = "<h1>Tea</h1><p>A green leaf.</p><p>Old.</p>";

fn replace(id: &str, old: &str, new: &str) -> Answer {
    calls(&[(id, "replace_text", json!({ "old": old, "new": new }))])
}

fn scope(from: usize, to: usize) -> RunOptions {
    serde_json::from_value(json!({ "scope": { "from": from, "to": to } })).unwrap()
}

fn prompt(harness: &Harness, text: &str, options: RunOptions) {
    let run = harness.agent.prompt_with(vec![Message::user(text)], options).unwrap();
    harness.wait(run);
}

fn codes(harness: &Harness) -> Vec<String> {
    let results = harness.events().into_iter().filter(|event| event["type"] == "tool_result");
    results.map(|event| event["content"]["error"]["code"].as_str().unwrap_or("ok").to_owned()).collect()
}

#[test]
fn a_run_changes_its_scope_only_and_the_next_one_everything() {
    let answers = vec![
        replace("a", "Old", "Ancient"),
        replace("b", "green", "dark"),
        says("Done."),
        replace("c", "Old", "Ancient"),
        says("Done."),
    ];
    let harness = Harness::new(TEA, answers);
    // "green" is at 8–13.
    prompt(&harness, "Another colour", scope(8, 13));
    assert_eq!(codes(&harness), ["out_of_scope", "ok"]);
    assert_eq!(harness.html(), "<h1>Tea</h1><p>A dark leaf.</p><p>Old.</p>");
    let sent = harness.requests()[0]["messages"].to_string();
    assert!(
        sent.contains("[Scope] Only this text of line 2 may be changed: \\\"green\\\". Edits elsewhere are refused."),
        "{sent}"
    );
    let told = harness.requests()[1]["messages"].to_string();
    assert!(told.contains("out_of_scope") && told.contains("Only this text of line 2 may be changed"), "{told}");
    harness.prompt("Go on");
    assert_eq!(codes(&harness), ["out_of_scope", "ok", "ok"]);
}

#[test]
fn a_continued_run_keeps_its_scope() {
    let answers = vec![says(""), replace("a", "Old", "Ancient"), says("Done.")];
    let harness = Harness::with(TEA, answers, json!({ "maxRetries": 0, "locale": "zh-CN" }), |_, _| {});
    prompt(&harness, "换一种颜色", scope(8, 13));
    assert!(
        harness.requests()[0]["messages"]
            .to_string()
            .contains("只能修改第 2 行中的这段文字：“green”。对其他位置的修改会被拒绝。")
    );
    let mut messages = harness.agent.messages();
    messages.retain(|message| !matches!(message, Message::Assistant { .. }));
    // Another conversation has no scope.
    harness.agent.set_messages(messages.clone()).unwrap();
    harness.wait(harness.agent.continue_with(scope(8, 13)).unwrap());
    assert_eq!(codes(&harness), ["out_of_scope"]);
    harness.agent.steer(Message::user("Go on"));
}

#[test]
fn a_scope_that_is_locked_starts_no_run() {
    let harness = Harness::new("<h2>Legal</h2><p>As is.</p>", vec![]);
    let guards: Value = json!({ "locked": ["Legal"] });
    harness.document.set_guards(&serde_json::from_value(guards).unwrap()).unwrap();
    let refused = harness.agent.prompt_with(vec![Message::user("x")], scope(9, 11)).err().unwrap();
    assert_eq!(refused.code(), "locked", "{}", refused.message(Locale::En));
    assert!(!matches!(refused, Error::Busy) && harness.agent.messages().is_empty() && !harness.agent.is_running());
}
