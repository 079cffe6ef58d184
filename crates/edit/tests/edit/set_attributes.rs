//! `set_attributes`: the attribute is another one, and nothing else is.

use super::documents::{blocks, document_of, for_seeds};
use super::{after, cell, refused, update};
use copydesk_base::{ErrorInfo, Locale};
use copydesk_document::Line;
use copydesk_edit::DocumentCell;
use serde_json::{Value, json};

fn set(line: usize, attributes: Value) -> Value {
    json!({ "operation": "set_attributes", "edits": [{ "start_line": line, "attributes": attributes }] })
}

const TASKS: &str = concat!(
    r#"<ul data-type="taskList"><li data-checked="false" data-type="taskItem"><p>Tea <b>leaf</b></p></li>"#,
    r#"<li data-checked="false" data-type="taskItem"><p>Cup</p></li></ul>"#
);

#[test]
fn tasks_are_ticked_and_headings_and_code_are_changed_without_their_text() {
    let cell = cell(&format!("<h2>Kinds</h2>{TASKS}<pre><code>let a;\nlet b;</code></pre>"));
    let given = json!({ "operation": "set_attributes", "edits": [
        { "start_line": 1, "attributes": { "level": 3 } },
        { "start_line": 2, "end_line": 3, "attributes": { "checked": true } },
        { "start_line": 5, "attributes": { "language": "rust" } },
    ] });
    let applied = update(&cell, given).unwrap();
    assert_eq!(applied.message, "Attributes set: line 1, 2–3, 5");
    let html = cell.document().to_html();
    assert!(html.starts_with("<h3>Kinds</h3>"), "{html}");
    assert_eq!(html.matches(r#"data-checked="true""#).count(), 2, "{html}");
    assert!(html.contains("<strong>leaf</strong>") && html.contains("language-rust"), "{html}");
}

#[test]
fn null_is_the_default_and_the_same_value_changes_nothing() {
    assert!(after("<h3>A</h3>", set(1, json!({ "level": null }))).starts_with("<h1>A</h1>"));
    let cell = cell("<h3>A</h3>");
    assert_eq!(update(&cell, set(1, json!({ "level": 3 }))).unwrap().changes, json!([]));
}

#[test]
fn an_attribute_that_no_node_has_is_named_with_the_valid_ones() {
    let error = refused("<h2>A</h2><p>b</p>", set(2, json!({ "checked": true })));
    assert_eq!(error.code(), "unknown_attribute");
    assert_eq!(error.details()["valid"], json!([]));
    let error = refused(TASKS, set(1, json!({ "tick": true })));
    assert_eq!(error.details()["valid"], json!(["checked"]));
    assert!(error.message(Locale::ZhCn).contains("checked"));
}

#[test]
fn a_value_of_another_type_is_refused_with_the_valid_form() {
    for (attributes, expected) in [
        (json!({ "checked": "yes" }), "attributes.checked is \"yes\"; it must be true or false."),
        (json!({ "checked": 1 }), "attributes.checked is 1; it must be true or false."),
    ] {
        let error = refused(TASKS, set(1, attributes));
        assert_eq!(error.code(), "invalid_parameter");
        assert!(error.message(Locale::En).starts_with(expected), "{error}");
    }
    for level in [json!(0), json!(7), json!("2"), json!(2.5)] {
        let error = refused("<h2>A</h2>", set(1, json!({ "level": level })));
        assert!(error.message(Locale::En).contains("a number from 1 to 6"), "{error}");
    }
    assert_eq!(refused("<h2>A</h2>", set(9, json!({ "level": 1 }))).code(), "line_out_of_range");
}

#[test]
fn an_address_that_runs_code_is_refused_as_everywhere() {
    let image = r#"<p>a</p><img src="https://a.example/1.png">"#;
    assert_eq!(refused(image, set(2, json!({ "src": "javascript:alert(1)" }))).code(), "invalid_url");
}

/// Returns a JSON pointer to an attribute of the innermost node around a line that has it, in the JSON of the document.
fn pointer(json: &Value, line: &Line, name: &str) -> Option<String> {
    let mut pointers = vec![String::new()];
    for at in &line.path {
        pointers.push(format!("{}/content/{at}", pointers[pointers.len() - 1]));
    }
    let at = pointers.iter().rev().map(|node| format!("{node}/attrs/{name}"));
    at.into_iter().find(|pointer| json.pointer(pointer).is_some())
}

#[test]
fn in_random_documents_one_value_changes_and_nothing_else() {
    let values = [("checked", json!(false)), ("level", json!(6)), ("language", json!("zig")), ("alt", json!("z"))];
    for_seeds(600, |random| {
        let blocks = blocks(random, 1, 5);
        let cell = DocumentCell::new(document_of(&blocks));
        let before = cell.document();
        let lines = before.lines();
        let line = random.pick(&lines);
        let (name, value) = random.pick(&values);
        let mut json: Value = serde_json::from_str(&before.to_json()).unwrap();
        match pointer(&json, line, name) {
            Some(pointer) => {
                *json.pointer_mut(&pointer).unwrap() = value.clone();
                update(&cell, set(line.line, json!({ *name: value }))).unwrap();
            }
            None => {
                let error = update(&cell, set(line.line, json!({ *name: value }))).unwrap_err();
                assert_eq!(error.code(), "unknown_attribute");
            }
        }
        assert_eq!(serde_json::from_str::<Value>(&cell.document().to_json()).unwrap(), json);
    });
}
