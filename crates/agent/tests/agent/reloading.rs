//! Edits that wait for approval across a reload: they keep their target or are stale.

use super::harness::{Answer, Harness, calls, says};
use copydesk_agent::approvals::ApprovalResponse;
use copydesk_agent::{Outcome, RunResult};
use copydesk_base::Locale;
use copydesk_edit::{DocUpdate, apply};
use copydesk_llm::Message;
use serde_json::{Value, json};
use std::pin::Pin;

const TEA: &str = "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Old.</p><ul><li><p>green</p></li><li><p>black</p></li></ul><h2>End</h2><p>End.</p>";

type Running = Pin<Box<dyn Future<Output = RunResult>>>;

fn on(html: &str, answers: Vec<Answer>) -> Harness {
    let asks = json!(["edit_current_editor_document", "replace_text", "update_section", "insert_image"]);
    Harness::with(html, answers, json!({ "needsApproval": asks }), |_, _| {})
}

fn lines(start: i64, end: i64, content: &str) -> Value {
    json!({ "start_line": start, "end_line": end, "content": content })
}

/// The messages of a run that reads with one call, then makes these, and waits, as JSON.
fn waiting(read: (&str, Value), made: &[(&str, &str, Value)]) -> String {
    waiting_on(TEA, read, made)
}

fn waiting_on(html: &str, read: (&str, Value), made: &[(&str, &str, Value)]) -> String {
    let harness = on(html, vec![calls(&[("r", read.0, read.1)]), calls(made)]);
    let mut run: Running = Box::pin(harness.agent.prompt("Write").unwrap());
    until_asked(&harness, &mut run);
    serde_json::to_string(&harness.agent.messages()).unwrap()
}

fn until_asked(harness: &Harness, run: &mut Running) {
    for _ in 0..8 {
        assert!(harness.poll(run).is_pending(), "{:?}", harness.events().last());
        harness.pass(200.0);
    }
    assert!(harness.event_types().contains(&"approval_request".to_owned()), "{:?}", harness.event_types());
}

/// The messages of a run that continued in another page, where the document has this content, and waits again.
fn waits_again(html: &str, kept: &str) -> String {
    let harness = on(html, Vec::new());
    harness.agent.set_messages(serde_json::from_str(kept).unwrap()).unwrap();
    let mut run: Running = Box::pin(harness.agent.continue_run().unwrap());
    until_asked(&harness, &mut run);
    serde_json::to_string(&harness.agent.messages()).unwrap()
}

/// Continues the run in another page with this document. The user approves every call.
fn goes_on(html: &str, kept: &str) -> Harness {
    let harness = Harness::with(html, vec![says("Done.")], json!({}), |agent, event| {
        let event = serde_json::to_value(event).unwrap();
        if event["type"] == "approval_request" {
            let yes = ApprovalResponse { approved: true, reason: String::new() };
            agent.approve(event["toolId"].as_str().unwrap(), yes).unwrap();
        }
    });
    let messages: Vec<Message> = serde_json::from_str(kept).unwrap();
    harness.agent.set_messages(messages).unwrap();
    let run = harness.agent.continue_run().unwrap();
    assert_eq!(harness.wait(run).status, Outcome::Complete);
    harness
}

fn codes(harness: &Harness) -> Vec<String> {
    let results = harness.events().into_iter().filter(|event| event["type"] == "tool_result");
    results.map(|event| event["content"]["error"]["code"].as_str().unwrap_or("ok").to_owned()).collect()
}

fn edit(id: &'static str, arguments: Value) -> (&'static str, &'static str, Value) {
    (id, "edit_current_editor_document", arguments)
}

fn all() -> (&'static str, Value) {
    ("read_lines", json!({}))
}

#[test]
fn an_edit_of_lines_is_applied_to_an_unchanged_document() {
    let kept = waiting(all(), &[edit("a", lines(4, 4, "New."))]);
    let harness = goes_on(TEA, &kept);
    assert_eq!(codes(&harness), ["ok"]);
    assert_eq!(harness.html(), TEA.replace("Old.", "New."));
}

#[test]
fn the_calls_after_the_waiting_one_are_applied_too() {
    let several = json!({ "edits": [lines(2, 2, "A leaf.\nMine."), lines(5, 5, "jade")] });
    let kept = waiting(all(), &[edit("a", several), edit("b", lines(6, 6, "red")), edit("c", lines(8, 8, "Fin."))]);
    let harness = goes_on(TEA, &kept);
    assert_eq!(codes(&harness), ["ok", "ok", "ok"]);
    let expected = TEA.replace("A leaf.", "A leaf.</p><p>Mine.").replace("green", "jade").replace("black", "red");
    assert_eq!(harness.html(), expected.replace("End.", "Fin."));
}

#[test]
fn lines_are_found_below_text_that_the_user_added() {
    let kept = waiting(all(), &[edit("a", lines(5, 6, "red\nblue"))]);
    let now = TEA.replace("A leaf.", "A leaf.</p><p>Another.");
    let harness = goes_on(&now, &kept);
    assert_eq!(codes(&harness), ["ok"]);
    assert_eq!(harness.html(), now.replace("green", "red").replace("black", "blue"));
    assert_eq!(harness.event("approval_request")["toolInput"]["start_line"], 6, "the user is shown the lines of now");
}

#[test]
fn lines_that_the_user_changed_are_stale() {
    let kept = waiting(all(), &[edit("a", lines(4, 4, "New."))]);
    for now in [TEA.replace("Old.", "Older."), TEA.replace("Old.", "Mine.").replace("End.", "Old.")] {
        let harness = goes_on(&now, &kept);
        assert_eq!(codes(&harness), ["stale"]);
        assert_eq!(harness.html(), now);
        assert!(
            !harness.event_types().contains(&"approval_request".to_owned()),
            "nobody is asked about what cannot be"
        );
        let sent = harness.requests()[0].to_string();
        assert!(sent.contains("stale"), "{sent}");
    }
}

#[test]
fn equal_lines_are_not_guessed() {
    let html = "<p>a</p><p></p><p></p><p></p><p>z</p>";
    let harness = on(html, vec![calls(&[("r", "read_lines", json!({}))]), calls(&[edit("a", lines(3, 3, "x"))])]);
    let mut run: Running = Box::pin(harness.agent.prompt("Write").unwrap());
    until_asked(&harness, &mut run);
    let kept = serde_json::to_string(&harness.agent.messages()).unwrap();
    assert_eq!(goes_on(html, &kept).html(), "<p>a</p><p></p><p>x</p><p></p><p>z</p>");
    let more = "<p>a</p><p></p><p></p><p></p><p></p><p>z</p>";
    let harness = goes_on(more, &kept);
    assert_eq!((codes(&harness), harness.html()), (vec!["stale".to_owned()], more.to_owned()));
}

#[test]
fn lines_that_were_never_shown_stay_unknown() {
    let some = || ("read_lines", json!({ "start_line": 1, "end_line": 3 }));
    let kept = waiting(some(), &[edit("a", lines(4, 4, "New."))]);
    assert_eq!(codes(&goes_on(TEA, &kept)), ["lines_not_shown"]);
}

#[test]
fn arguments_of_a_model_grant_no_permission() {
    let pretends =
        json!({ "start_line": 4, "end_line": 4, "content": "x", "shown": { "a": { "total": 8, "lines": [] } } });
    let kept = waiting(("read_lines", json!({ "start_line": 1, "end_line": 2 })), &[edit("a", pretends)]);
    assert_eq!(codes(&goes_on(TEA, &kept)), ["lines_not_shown"]);
}

#[test]
fn a_stated_version_belongs_to_the_previous_page() {
    let mut asked = lines(4, 4, "New.");
    asked["version"] = json!("v1");
    let kept = waiting(all(), &[edit("a", asked)]);
    let mut messages: Vec<Value> = serde_json::from_str(&kept).unwrap();
    let harness = goes_on(TEA, &kept);
    assert_eq!(codes(&harness), ["ok"]);
    messages.retain(|message| message["role"] != "approval");
    assert_eq!(codes(&goes_on(TEA, &json!(messages).to_string())), ["unknown_version"]);
}

#[test]
fn a_whole_document_is_applied_only_to_the_document_that_was_read() {
    let whole = json!({ "content": "Tea\nA leaf.\nHistory\nAncient.\ngreen\nblack\nEnd\nEnd." });
    let kept = waiting(all(), &[edit("a", whole)]);
    assert_eq!(goes_on(TEA, &kept).html(), TEA.replace("Old.", "Ancient."));
    assert_eq!(codes(&goes_on(&TEA.replace("A leaf.", "Two."), &kept)), ["stale"]);
}

#[test]
fn a_text_is_replaced_at_its_target_only() {
    let kept = waiting(all(), &[("a", "replace_text", json!({ "old": "Old", "new": "Ancient", "near_line": 4 }))]);
    assert_eq!(goes_on(TEA, &kept).html(), TEA.replace("Old", "Ancient"));
    let moved = TEA.replace("Old.", "New.").replace("End.", "Old.");
    assert_eq!(codes(&goes_on(&moved, &kept)), ["stale"]);
}

#[test]
fn a_section_is_found_again_where_it_moved_and_is_stale_where_it_was_changed() {
    let replace = json!({ "operation": "replace", "sectionIndex": 2, "content": "<p>Fin.</p>" });
    let kept = waiting(("get_document", json!({})), &[("a", "update_section", replace)]);
    let now = TEA.replace("<h2>End</h2>", "<h2>Tomorrow</h2><p>?</p><h2>End</h2>").replace("A leaf.", "Two.");
    // The text before it is unchanged too.
    assert_eq!(codes(&goes_on(&now, &kept)), ["stale"]);
    let now = TEA.replace("<h2>History</h2>", "<h2>Before</h2><p>?</p><h2>History</h2>");
    let harness = goes_on(&now, &kept);
    assert_eq!(codes(&harness), ["ok"]);
    assert_eq!(harness.html(), now.replace("End.", "Fin."));
    let changed = TEA.replace("End.", "The end.");
    let harness = goes_on(&changed, &kept);
    assert_eq!((codes(&harness), harness.html()), (vec!["stale".to_owned()], changed));
}

#[test]
fn stale_edits_stay_stale_after_a_reload() {
    let replace = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>New.</p>" });
    let both = [("a", "insert_image", json!({})), ("b", "update_section", replace)];
    let harness = on(TEA, vec![calls(&[("r", "get_document", json!({}))]), says("Read."), calls(&both)]);
    harness.prompt("Read");
    let person = json!({ "operation": "replace_text", "old": "Old", "new": "Older" });
    apply(&harness.document, &DocUpdate::from_value(&person).unwrap(), &Locale::En.into()).unwrap();
    let mut run: Running = Box::pin(harness.agent.prompt("Write").unwrap());
    until_asked(&harness, &mut run);
    let kept = serde_json::to_string(&harness.agent.messages()).unwrap();
    let harness = goes_on(&harness.html(), &kept);
    assert!(codes(&harness).contains(&"stale".to_owned()), "{:?}", codes(&harness));
    assert!(harness.html().contains("Older"));
}

#[test]
fn invalid_stored_data_causes_no_failure() {
    let kept = waiting(all(), &[edit("a", lines(4, 4, "New."))]);
    let odd = [
        json!({ "lines": [[0, 0, 0]] }),
        json!({ "lines": [[5, 2, 1]] }),
        json!({ "lines": [[1, u64::MAX, 1]], "total": -1 }),
        json!({ "lines": [7, null, []] }),
        json!({ "lines": {} }),
        json!(3),
    ];
    for shown in odd {
        let mut messages: Vec<Value> = serde_json::from_str(&kept).unwrap();
        for message in messages.iter_mut().filter(|message| message["role"] == "approval") {
            message["shown"] = json!({ "a": shown });
        }
        let harness = goes_on(TEA, &json!(messages).to_string());
        assert_eq!(harness.html(), TEA, "{shown}: {:?}", codes(&harness));
    }
}

#[test]
fn an_edit_is_applied_after_any_number_of_reloads() {
    let mut stated = lines(5, 5, "jade");
    stated["version"] = json!("v1");
    let kept = waiting(all(), &[edit("a", lines(4, 4, "New.")), edit("b", stated), edit("c", lines(8, 8, "Fin."))]);
    let now = TEA.replace("A leaf.", "A leaf.</p><p>Old.</p><p>green");
    let once = waits_again(&now, &kept);
    let later = now.replace("A leaf.", "Two.</p><p>A leaf.");
    let harness = goes_on(&later, &waits_again(&later, &waits_again(&now, &once)));
    assert_eq!(codes(&harness), ["ok", "ok", "ok"]);
    let expected = later.replace("<p>Old.</p><ul>", "<p>New.</p><ul>").replace("<li><p>green", "<li><p>jade");
    assert_eq!(harness.html(), expected.replace("End.", "Fin."));
}

#[test]
fn a_section_is_found_after_any_number_of_reloads() {
    let delete = json!({ "operation": "delete", "sectionIndex": 1 });
    let kept = waiting(("get_document", json!({})), &[("a", "update_section", delete)]);
    let now = TEA.replace("A leaf.</p>", "A leaf.</p><h2>Before</h2><p>A leaf.</p>");
    let harness = goes_on(&now, &waits_again(&now, &kept));
    assert_eq!(codes(&harness), ["ok"]);
    assert_eq!(harness.html(), "<h1>Tea</h1><p>A leaf.</p><h2>Before</h2><p>A leaf.</p><h2>End</h2><p>End.</p>");
}

#[test]
fn stored_targets_of_a_call_are_kept_when_it_asks_again() {
    let whole = json!({ "content": "Tea\nA leaf.\nHistory\nAncient.\ngreen\nblack\nEnd\nEnd." });
    let kept = waiting(all(), &[edit("a", lines(8, 8, "Fin.")), edit("b", whole)]);
    let mut messages: Vec<Value> = serde_json::from_str(&kept).unwrap();
    let mut asked = messages.last().unwrap().clone();
    asked["toolCallId"] = json!("b");
    messages.push(asked.clone());
    let harness = on(TEA, Vec::new());
    harness.agent.set_messages(serde_json::from_str(&json!(messages).to_string()).unwrap()).unwrap();
    let mut run: Running = Box::pin(harness.agent.continue_run().unwrap());
    until_asked(&harness, &mut run);
    harness.agent.approve("a", ApprovalResponse { approved: true, reason: String::new() }).unwrap();
    until_asked(&harness, &mut run);
    assert_eq!(harness.agent.state()["waitingForApproval"], json!(["b"]));
    let messages: Vec<Value> = harness.agent.messages().into_iter().map(Value::from).collect();
    let again = messages.iter().find(|message| message["role"] == "approval" && message["toolCallId"] == "b").unwrap();
    assert_eq!(again["shown"]["b"], asked["shown"]["b"]);
    assert_eq!(codes(&goes_on(&harness.html(), &json!(messages).to_string())), ["stale"]);
}

#[test]
fn edits_given_as_text_or_as_one_object_are_found_too() {
    let now = TEA.replace("A leaf.", "A leaf.</p><p>Another.");
    let one = lines(4, 4, "New.");
    for edits in [one.clone(), json!(one.to_string()), json!(json!([one]).to_string())] {
        let kept = waiting(all(), &[edit("a", json!({ "edits": edits }))]);
        let harness = goes_on(&now, &kept);
        assert_eq!(codes(&harness), ["ok"], "{edits}");
        assert_eq!(harness.html(), now.replace("Old.", "New."), "{edits}");
    }
}

#[test]
fn an_equal_section_is_not_mistaken_for_a_deleted_one() {
    let html = "<h1>T</h1><p>x</p><h2>H</h2><p>x</p><h2>H</h2><p>x</p><h2>End</h2>";
    let left = "<h1>T</h1><p>x</p><h2>H</h2><p>x</p><h2>End</h2>";
    let delete = json!({ "operation": "delete", "sectionIndex": 2 });
    let kept = waiting_on(html, ("get_document", json!({})), &[("a", "update_section", delete)]);
    assert_eq!(goes_on(html, &kept).html(), left);
    let harness = goes_on(left, &kept);
    assert_eq!((codes(&harness), harness.html()), (vec!["stale".to_owned()], left.to_owned()));
    let above = html.replace("<p>x</p><h2>H</h2><p>x</p><h2>H", "<p>y</p><p>x</p><h2>H</h2><p>x</p><h2>H");
    assert_eq!(goes_on(&above, &kept).html(), left.replace("<h1>T</h1>", "<h1>T</h1><p>y</p>"), "both are there");
}

#[test]
fn equal_lines_are_found_by_position_if_all_remain() {
    let html = "<p>a</p><p>m</p><p>b</p><p>a</p><p>m</p><p>b</p>";
    let kept = waiting_on(html, all(), &[edit("a", lines(5, 5, "x"))]);
    assert_eq!(goes_on(html, &kept).html(), "<p>a</p><p>m</p><p>b</p><p>a</p><p>x</p><p>b</p>");
    for now in ["<p>a</p><p>m</p><p>b</p>", "<p>a</p><p>m</p><p>b</p><p>a</p><p>m</p><p>c</p>"] {
        // The form without the number of places, which was stored earlier, is just as useless.
        for is_old in [false, true] {
            let mut messages: Vec<Value> = serde_json::from_str(&kept).unwrap();
            for message in messages.iter_mut().filter(|message| is_old && message["role"] == "approval") {
                message["shown"]["a"]["lines"][0].as_array_mut().unwrap().truncate(3);
            }
            let harness = goes_on(now, &json!(messages).to_string());
            assert_eq!((codes(&harness), harness.html()), (vec!["stale".to_owned()], now.to_owned()));
        }
    }
}

/// Returns the stored target of call `a`.
fn stored(kept: &str) -> Value {
    let messages: Vec<Value> = serde_json::from_str(kept).unwrap();
    messages.iter().find(|message| message["role"] == "approval").unwrap()["shown"]["a"].clone()
}

#[test]
fn stored_targets_name_their_hash_and_are_the_same_in_every_build() {
    let kept = waiting(all(), &[edit("a", lines(4, 4, "New."))]);
    // By another implementation of SipHash-2-4, from the specification in `kept.rs`.
    let row = json!([[4, 4, "c0c3c51268b1ba57", 1, "92a810425a071380", 1]]);
    assert_eq!(stored(&kept), json!({ "hash": "siphash-2-4", "total": 8, "lines": row }));
}

#[test]
fn targets_stored_in_another_format_are_stale() {
    let kept = waiting(all(), &[edit("a", lines(4, 4, "New."))]);
    let mut other = stored(&kept);
    other["hash"] = json!("xxh64");
    // The form of earlier builds, whose hash was not specified.
    let old = json!({ "total": 8, "lines": [[4, 4, 1234567890, 1, 987654321, 1]] });
    for shown in [other, old, json!({ "total": 8, "lines": [] }), json!({})] {
        let mut messages: Vec<Value> = serde_json::from_str(&kept).unwrap();
        for message in messages.iter_mut().filter(|message| message["role"] == "approval") {
            message["shown"]["a"] = shown.clone();
        }
        let harness = goes_on(TEA, &json!(messages).to_string());
        assert_eq!((codes(&harness), harness.html()), (vec!["stale".to_owned()], TEA.to_owned()), "{shown}");
    }
}
