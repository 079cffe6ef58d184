use super::harness::{Harness, calls, says};
use copydesk_base::Locale;
use copydesk_edit::{DocUpdate, apply};
use serde_json::{Value, json};

const TEA: &str = "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Many.</p>";

fn update(arguments: Value) -> (&'static str, &'static str, Value) {
    ("c", "update_section", arguments)
}

/// The model reads the document, the user makes an edit, and then the model calls.
fn after_reading(person: Value, model: &[Value]) -> Harness {
    let made: Vec<(String, Value)> =
        model.iter().enumerate().map(|(index, arguments)| (format!("c{index}"), arguments.clone())).collect();
    let made: Vec<(&str, &str, Value)> =
        made.iter().map(|(id, arguments)| (id.as_str(), "update_section", arguments.clone())).collect();
    let harness =
        Harness::new(TEA, vec![calls(&[("r", "get_document", json!({}))]), says("Read."), calls(&made), says("Done.")]);
    harness.prompt("Read");
    edit(&harness, person);
    harness.prompt("Write");
    harness
}

fn edit(harness: &Harness, person: Value) {
    apply(&harness.document, &DocUpdate::from_value(&person).unwrap(), &Locale::En.into()).unwrap();
}

/// The error code of each result of the second run, or `ok`.
fn codes(harness: &Harness) -> Vec<String> {
    let results = harness.events().into_iter().filter(|event| event["type"] == "tool_result").skip(1);
    results.map(|result| result["content"]["error"]["code"].as_str().unwrap_or("ok").to_owned()).collect()
}

#[test]
fn a_section_that_has_moved_is_found_by_its_heading() {
    let person = json!({ "operation": "insert", "sectionIndex": 1, "title": "My own", "content": "<p>Mine.</p>" });
    let harness = after_reading(person, &[json!({ "operation": "delete", "sectionIndex": 1 })]);
    assert_eq!(codes(&harness), ["ok"]);
    assert_eq!(harness.html(), TEA.replace("<h2>History</h2><p>Old.</p>", "<h2>My own</h2><p>Mine.</p>"));
}

#[test]
fn text_that_the_user_wrote_is_neither_overwritten_nor_deleted() {
    let person = || json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>Old.</p><p>And mine.</p>" });
    for model in [
        json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>New.</p>" }),
        json!({ "operation": "delete", "sectionIndex": 1 }),
    ] {
        let harness = after_reading(person(), &[model]);
        assert_eq!(codes(&harness), ["stale"]);
        assert_eq!(harness.html(), TEA.replace("Old.", "Old.</p><p>And mine."));
        let told = harness.events().into_iter().rfind(|event| event["type"] == "tool_result").unwrap();
        assert!(told["content"]["error"]["message"].as_str().unwrap().contains("<p>Old.</p><p>And mine.</p>"));
    }
}

#[test]
fn text_that_the_user_deleted_is_not_restored() {
    let person = json!({ "operation": "replace", "sectionIndex": 1, "content": "" });
    let harness =
        after_reading(person, &[json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>Old.</p>" })]);
    assert_eq!(codes(&harness), ["stale"]);
}

#[test]
fn changes_elsewhere_do_not_disturb() {
    let person = json!({ "operation": "replace", "sectionIndex": 2, "content": "<p>Very many.</p>" });
    let harness =
        after_reading(person, &[json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>New.</p>" })]);
    assert_eq!(codes(&harness), ["ok"]);
    assert_eq!(harness.html(), TEA.replace("Many", "Very many").replace("Old", "New"));
}

#[test]
fn a_section_that_is_gone_is_not_replaced_by_the_next_one() {
    let person = json!({ "operation": "delete", "sectionIndex": 1 });
    let harness = after_reading(person, &[json!({ "operation": "delete", "sectionIndex": 1 })]);
    assert_eq!(codes(&harness), ["stale"]);
    assert_eq!(harness.html(), TEA.replace("<h2>History</h2><p>Old.</p>", ""));
}

#[test]
fn calls_of_one_answer_refer_to_the_earlier_outline() {
    let delete = |index: usize| json!({ "operation": "delete", "sectionIndex": index });
    let harness = Harness::new(
        TEA,
        vec![
            calls(&[("r", "get_document", json!({}))]),
            calls(&[("a", "update_section", delete(1)), ("b", "update_section", delete(2))]),
            says("Done."),
        ],
    );
    harness.prompt("x");
    assert_eq!(harness.html(), "<h1>Tea</h1><p>A leaf.</p>");
}

#[test]
fn calls_of_one_answer_may_edit_the_text_of_an_earlier_call() {
    let image = json!({ "sectionIndex": 1, "imageUrl": "https://example.org/a.png", "imageDescription": "a" });
    let replace = |title: &str| json!({ "operation": "replace", "sectionIndex": 1, "title": title, "content": format!("<p>{title}</p>") });
    let harness = Harness::new(
        TEA,
        vec![
            calls(&[("r", "get_document", json!({}))]),
            calls(&[
                ("a", "update_section", replace("Wholly other")),
                ("b", "insert_image", image),
                ("c", "update_section", replace("Third")),
            ]),
            says("Done."),
        ],
    );
    harness.prompt("Put https://example.org/a.png there");
    assert_eq!(codes(&harness), ["ok", "ok", "ok"]);
    assert_eq!(harness.html(), TEA.replace("History", "Third").replace("Old.", "Third"));
}

#[test]
fn sections_appended_in_an_answer_can_be_edited_in_it() {
    let append = |title: &str| json!({ "operation": "append", "title": title, "content": "<p>x</p>" });
    let image = json!({ "sectionIndex": 4, "imageUrl": "https://example.org/a.png", "imageDescription": "a" });
    let harness = Harness::new(
        TEA,
        vec![
            calls(&[("r", "get_document", json!({}))]),
            calls(&[
                ("a", "update_section", append("A")),
                ("b", "update_section", append("B")),
                ("c", "insert_image", image),
            ]),
            says("Done."),
        ],
    );
    harness.prompt("Put https://example.org/a.png there");
    assert!(
        harness.html().ends_with("<h2>B</h2><p>x</p><img src=\"https://example.org/a.png\" alt=\"a\">"),
        "{}",
        harness.html()
    );
}

#[test]
fn after_the_error_the_model_has_seen_the_section_and_can_try_again() {
    let person = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>Mine.</p>" });
    let again = || calls(&[update(json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>Both.</p>" }))]);
    let harness = Harness::new(
        TEA,
        vec![calls(&[("r", "get_document", json!({}))]), says("Read."), again(), again(), says("Done.")],
    );
    harness.prompt("Read");
    edit(&harness, person);
    harness.prompt("Write");
    assert_eq!(codes(&harness), ["stale", "ok"]);
    assert_eq!(harness.html(), TEA.replace("Old.", "Both."));
}

#[test]
fn in_a_document_that_begins_with_a_section_the_section_is_not_taken_for_the_empty_one_before_it() {
    let replace =
        |text: &str| json!({ "operation": "replace", "sectionIndex": 1, "content": format!("<p>{text}</p>") });
    let answers = ["one", "two", "three"].map(|text| calls(&[("c", "update_section", replace(text))]));
    let harness = Harness::new("<h2>A</h2><p>x</p><h2>B</h2>", answers.into_iter().chain([says("Done.")]).collect());
    harness.read();
    harness.prompt("x");
    assert_eq!(harness.html(), "<h2>A</h2><p>three</p><h2>B</h2>");
}
