//! Edits of text: found across marks, never guessed, and no more of the line changes than the text.

use super::{after, refused};
use copydesk::Locale;
use serde_json::{Value, json};

fn replaced(html: &str, old: &str, new: &str) -> String {
    after(html, json!({ "operation": "replace_text", "old": old, "new": new }))
}

#[test]
fn text_is_found_across_marks_and_what_stays_keeps_them() {
    assert_eq!(replaced("<p>a <strong>b</strong> c</p>", "a b c", "a b d"), "<p>a <strong>b</strong> d</p>");
    assert_eq!(replaced("<p>x <strong>old</strong> y</p>", "old", "new"), "<p>x <strong>new</strong> y</p>");
    assert_eq!(replaced("<p><em>one</em> two</p>", "one two", "one big two"), "<p><em>one</em> big two</p>");
    assert_eq!(replaced("<p>the the the</p>", "the the the", "the"), "<p>the</p>");
}

#[test]
fn nothing_outside_the_text_is_touched() {
    let html = "<p>a b a b</p>";
    assert_eq!(after(html, json!({ "operation": "replace_text", "old": "b a", "new": "x" })), "<p>a x b</p>");
    assert_eq!(replaced("<p>a <code>b c</code></p>", "b", ""), "<p>a <code> c</code></p>");
}

#[test]
fn width_quotes_and_spaces_make_no_difference_where_the_text_does_not_stand_exactly() {
    assert_eq!(replaced("<p>他说“你好”，走了。</p>", "他说\"你好\",走了.", "他走了。"), "<p>他走了。</p>");
    assert_eq!(replaced("<p>it’s a\u{a0}“test”…</p>", "it's a \"test\"...", "done"), "<p>done</p>");
    assert_eq!(replaced("<p>ＡＢＣ 1</p>", "ABC", "X"), "<p>X 1</p>");
}

#[test]
fn newlines_in_the_new_text_begin_new_lines() {
    assert_eq!(replaced("<ul><li>a, b</li></ul>", ", ", "\n"), "<ul><li><p>a</p></li><li><p>b</p></li></ul>");
    assert_eq!(replaced("<p>a; <strong>b</strong></p>", "; ", "\n"), "<p>a</p><p><strong>b</strong></p>");
}

#[test]
fn what_is_not_found_is_answered_with_the_nearest_lines() {
    let error = refused(
        "<p>Tea is old.</p><p>Coffee is young.</p><p>Water.</p><p>Salt</p>",
        json!({ "operation": "replace_text", "old": "Tea is very old", "new": "x" }),
    );
    assert_eq!(error.code(), "text_not_found");
    assert!(error.message(Locale::En).contains("1: Tea is old."), "{error}");
    assert_eq!(error.details()["nearest"].as_array().unwrap().len(), 3);
}

#[test]
fn several_places_are_listed_and_none_is_taken_silently() {
    let html = "<p>tea and tea</p><p>no</p><p>tea</p>";
    let given = |more: Value| {
        let mut update = json!({ "operation": "replace_text", "old": "tea", "new": "T" });
        update.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        update
    };
    let error = refused(html, given(json!({})));
    assert_eq!(error.code(), "text_ambiguous");
    assert_eq!(error.details()["count"], 3);
    assert!(error.message(Locale::En).contains("3: tea"), "{error}");
    assert_eq!(after(html, given(json!({ "near_line": 2, "all": true }))), "<p>T and T</p><p>no</p><p>T</p>");
    assert_eq!(after(html, given(json!({ "near_line": 3 }))), "<p>tea and tea</p><p>no</p><p>T</p>");
    assert_eq!(refused(html, given(json!({ "near_line": 1 }))).code(), "text_ambiguous", "two in that very line");
    assert_eq!(refused(html, given(json!({ "near_line": 2 }))).code(), "text_ambiguous", "one line away on both sides");
    assert_eq!(refused(html, given(json!({ "near_line": 9 }))).code(), "line_out_of_range");
}

#[test]
fn a_text_over_several_lines_is_refused_with_the_way_out() {
    let error = refused("<p>a</p><p>b</p>", json!({ "operation": "replace_text", "old": "a\nb", "new": "x" }));
    assert_eq!(error.code(), "invalid_parameter");
    assert!(error.message(Locale::En).contains("by their numbers"), "{error}");
}
