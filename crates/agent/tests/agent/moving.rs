//! `move_section` called by a model: indexes refer to what it was shown.

use super::harness::{Harness, calls, says};
use copydesk_base::Locale;
use copydesk_edit::{DocUpdate, apply};
use serde_json::{Value, json};

const TEA: &str =
    "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Many.</p><h2>End</h2><p>Fin.</p>";

fn moved(from: usize, to: usize) -> (&'static str, Value) {
    ("move_section", json!({ "sectionIndex": from, "toIndex": to }))
}

fn section(operation: &str, index: usize) -> (&'static str, Value) {
    let given = json!({ "operation": operation, "sectionIndex": index, "title": "New", "content": "<p>x</p>" });
    ("update_section", given)
}

/// The model reads the document (with `reads`), the user makes edits, and then the model calls.
fn harness(reads: bool, person: &[Value], model: &[(&'static str, Value)]) -> Harness {
    let read = if reads { calls(&[("r", "get_document", json!({}))]) } else { says("Well.") };
    let ids: Vec<String> = (0..model.len()).map(|at| format!("c{at}")).collect();
    let made: Vec<(&str, &str, Value)> =
        ids.iter().zip(model).map(|(id, (name, given))| (id.as_str(), *name, given.clone())).collect();
    let mut answers = vec![read];
    answers.extend(reads.then(|| says("Read.")));
    let harness = Harness::new(TEA, answers.into_iter().chain([calls(&made), says("Done.")]).collect());
    harness.prompt("Read");
    for update in person {
        apply(&harness.document, &DocUpdate::from_value(update).unwrap(), &Locale::En.into()).unwrap();
    }
    harness.prompt("Write");
    harness
}

fn codes(harness: &Harness) -> Vec<String> {
    let results = harness.events().into_iter().filter(|event| event["type"] == "tool_result");
    let code = |event: Value| event["content"]["error"]["code"].as_str().unwrap_or("ok").to_owned();
    results.filter(|event| event["toolId"] != "r").map(code).collect()
}

fn titles(harness: &Harness) -> Vec<String> {
    harness.document.document().sections().iter().map(|section| section.title.clone()).collect()
}

#[test]
fn both_indexes_refer_to_the_outline_that_was_shown() {
    let insert = json!({ "operation": "insert", "sectionIndex": 1, "title": "Mine", "content": "<p>m</p>" });
    let changed = harness(true, std::slice::from_ref(&insert), &[moved(1, 2)]);
    assert_eq!(
        (codes(&changed), titles(&changed)),
        (vec!["ok".into()], ["Tea", "Mine", "Kinds", "History", "End"].map(String::from).to_vec())
    );
    let update = changed.event("doc_update");
    let stated = ["operation", "sectionIndex", "toIndex"].map(|name| update[name].clone());
    assert_eq!(stated, [json!("move_section"), json!(2), json!(3)], "as the document was right before");
    let between = json!({ "operation": "insert", "sectionIndex": 2, "title": "Mine", "content": "<p>m</p>" });
    let up = harness(true, &[between], &[moved(3, 2)]);
    assert_eq!(titles(&up), ["Tea", "History", "Mine", "End", "Kinds"]);
}

#[test]
fn a_missing_section_is_neither_moved_nor_a_target() {
    let delete = |index: usize| json!({ "operation": "delete", "sectionIndex": index });
    for gone in [1, 2] {
        let harness = harness(true, &[delete(gone)], &[moved(1, 2)]);
        assert_eq!(codes(&harness), ["stale"]);
        assert_eq!(titles(&harness).len(), 3);
    }
}

#[test]
fn a_moved_section_that_was_not_shown_is_neither_replaced_nor_deleted() {
    for operation in ["replace", "delete"] {
        let harness = harness(false, &[], &[moved(1, 2), section(operation, 2), section(operation, 1)]);
        assert_eq!(codes(&harness), ["ok", "section_not_shown", "section_not_shown"]);
        assert_eq!(titles(&harness), ["Tea", "Kinds", "History", "End"]);
    }
}

#[test]
fn later_calls_of_the_answer_refer_to_the_earlier_outline() {
    let harness = harness(true, &[], &[moved(1, 3), section("delete", 1), moved(3, 1)]);
    assert_eq!(codes(&harness), ["ok", "ok", "stale"]);
    assert_eq!(titles(&harness), ["Tea", "Kinds", "End"]);
}

#[test]
fn what_the_user_changed_in_a_section_moves_with_it() {
    let replace = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>Mine.</p>" });
    let harness = harness(true, &[replace], &[moved(1, 3), section("delete", 1)]);
    assert_eq!(codes(&harness), ["ok", "stale"]);
    assert!(harness.html().ends_with("<h2>History</h2><p>Mine.</p>"), "{}", harness.html());
}
