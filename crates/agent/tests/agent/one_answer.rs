//! Calls of one answer that were planned on the indexes and line numbers after the calls before them.

use super::harness::{Harness, calls, says};
use copydesk_agent::Outcome;
use serde_json::{Value, json};

const TEA: &str = "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Many kinds of tea are known in the \
                   south.</p><h2>End</h2><p>Drink it.</p>";

/// The results of these calls in one answer, after the model has read the document, and the document.
fn answered(locale: &str, made: &[(&str, Value)]) -> (Vec<Value>, String) {
    let ids: Vec<String> = (0..made.len()).map(|at| format!("c{at}")).collect();
    let made: Vec<(&str, &str, Value)> =
        ids.iter().zip(made).map(|(id, (tool, given))| (id.as_str(), *tool, given.clone())).collect();
    let lines = ("l", "read_lines", json!({}));
    let answers = vec![calls(&[("r", "get_document", json!({})), lines]), calls(&made), says("Done.")];
    let harness = Harness::with(TEA, answers, json!({ "locale": locale }), |_, _| {});
    assert_eq!(harness.prompt("Write").status, Outcome::Complete);
    let results = harness.events().into_iter().filter(|event| event["type"] == "tool_result").skip(2);
    (results.map(|event| event["content"].clone()).collect(), harness.html())
}

fn section(operation: &str, index: usize, title: Option<&str>, content: &str) -> (&'static str, Value) {
    let mut given = json!({ "operation": operation, "sectionIndex": index, "content": content });
    given.as_object_mut().unwrap().extend(title.map(|title| ("title".to_owned(), title.into())));
    ("update_section", given)
}

fn line(number: usize, content: &str) -> (&'static str, Value) {
    ("edit_current_editor_document", json!({ "start_line": number, "content": content }))
}

#[test]
fn the_result_says_that_the_next_section_was_meant() {
    let (en, zh) = ("as counted after your earlier calls", "之前的调用执行之后");
    for (locale, said) in [("en", en), ("zh-CN", zh)] {
        let insert = section("insert", 2, Some("Roots"), "<p>Deep.</p>");
        let next = section("replace", 3, Some("Kinds"), "<p>Green.</p>");
        let (results, html) = answered(locale, &[insert, next]);
        assert!(results[0].get("counting").is_none(), "{}", results[0]);
        assert!(results[1]["counting"].as_str().unwrap().contains(said), "{}", results[1]);
        assert_eq!(results[1]["sectionIndex"], 3);
        let expected = TEA
            .replace("<h2>Kinds</h2>", "<h2>Roots</h2><p>Deep.</p><h2>Kinds</h2>")
            .replace("Many kinds of tea are known in the south.", "Green.");
        assert_eq!(html, expected);
    }
}

#[test]
fn sections_after_a_deletion_and_a_move_are_recognised() {
    let reworded = "<p>Very many kinds of tea are known in the south.</p>";
    let with = |html: &str| html.replace("Many kinds", "Very many kinds");
    let delete = ("update_section", json!({ "operation": "delete", "sectionIndex": 1 }));
    let (_, html) = answered("en", &[delete, section("replace", 1, None, reworded)]);
    assert_eq!(html, with(&TEA.replace("<h2>History</h2><p>Old.</p>", "")));
    let moved = ("move_section", json!({ "sectionIndex": 1, "toIndex": 3 }));
    let (_, html) = answered("en", &[moved, section("replace", 1, Some("Kinds"), reworded)]);
    let expected = TEA.replace("<h2>History</h2><p>Old.</p>", "") + "<h2>History</h2><p>Old.</p>";
    assert_eq!(html, with(&expected));
}

#[test]
fn without_a_title_and_with_another_text_the_shown_index_counts_or_the_call_is_refused() {
    let other = "<p>Wholly other words about something else.</p>";
    let insert = || section("insert", 2, Some("Roots"), "<p>Deep.</p>");
    let (results, html) = answered("en", &[insert(), section("replace", 3, None, other)]);
    assert!(results[1].get("counting").is_none());
    assert!(html.ends_with(&format!("<h2>End</h2>{other}")), "{html}");
    // The section that was shown with this index no longer exists.
    let delete = ("update_section", json!({ "operation": "delete", "sectionIndex": 1 }));
    let (results, html) = answered("en", &[delete.clone(), section("replace", 1, None, other)]);
    assert_eq!(results[1]["error"]["code"], "stale");
    assert_eq!(html, TEA.replace("<h2>History</h2><p>Old.</p>", ""));
    let (results, html) = answered("en", &[delete.clone(), delete]);
    assert_eq!(results[1]["error"]["code"], "stale");
    assert_eq!(html, TEA.replace("<h2>History</h2><p>Old.</p>", ""));
}

#[test]
fn lines_after_inserted_and_deleted_lines_are_recognised() {
    let reworded = "Many kinds of tea are known in the far south.";
    let expected = |html: &str| html.replace("in the south", "in the far south");
    // Line 6 was shown as "Many kinds …".
    let (results, html) = answered("en", &[line(2, "A leaf.\nA root.\nA bud."), line(8, reworded)]);
    assert!(results[1]["counting"].is_string(), "{}", results[1]);
    assert_eq!(html, expected(&TEA.replace("<p>A leaf.</p>", "<p>A leaf.</p><p>A root.</p><p>A bud.</p>")));
    let (_, html) = answered("en", &[line(2, ""), line(5, reworded)]);
    assert_eq!(html, expected(&TEA.replace("<p>A leaf.</p>", "")));
    let (results, html) = answered("en", &[line(2, "A leaf.\nA root.\nA bud."), line(6, reworded)]);
    assert!(results[1].get("counting").is_none());
    assert_eq!(html, expected(&TEA.replace("<p>A leaf.</p>", "<p>A leaf.</p><p>A root.</p><p>A bud.</p>")));
}
