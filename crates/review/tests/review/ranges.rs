//! Ranges of the user, which are ranges of base, for edits of the proposal.

use super::{cell, update};
use copydesk_base::{ErrorInfo, Locale};
use copydesk_document::Document;
use copydesk_edit::guard::{Guards, ScopeRange};
use copydesk_edit::{DocUpdate, EditContext, apply};
use copydesk_review::decide::{Reviewed, set_mode};
use copydesk_review::{Mode, ReviewCell, Reviewer, bind_scope};
use serde_json::{Value, json};
use std::rc::Rc;

#[test]
fn a_selection_is_one_of_what_the_person_sees_while_something_waits() {
    let cell = cell("<p>one</p><p>two</p><p>three</p>");
    set_mode(&cell, Mode::Review);
    let lines = |line: i64, content: &str| {
        json!({
            "operation": "replace_lines",
            "edits": [{ "start_line": line, "end_line": line, "content": content }],
        })
    };
    update(&cell, lines(1, "zero\nhalf\none")).unwrap();
    let two = cell.base().lines()[1].clone();
    let guards: Guards = serde_json::from_value(json!({ "scope": { "from": two.from, "to": two.to } })).unwrap();
    cell.set_guards(&guards).unwrap();
    assert_eq!(update(&cell, lines(2, "x")).unwrap_err().code(), "out_of_scope");
    update(&cell, lines(4, "TWO")).unwrap();
    assert_eq!(cell.document().to_html(), "<p>zero</p><p>half</p><p>one</p><p>TWO</p><p>three</p>");
}

#[test]
fn the_scope_of_a_run_is_a_range_of_the_proposal() {
    let cell = cell("<h1>Tea</h1><p>See the quick brown fox jump.</p>");
    set_mode(&cell, Mode::Review);
    let text = |old: &str, new: &str| json!({ "operation": "replace_text", "old": old, "new": new });
    update(&cell, text("See", "Have you ever seen")).unwrap();
    let scope = Rc::new(bind_scope(&cell, around(&cell.base(), "quick brown")).unwrap());
    let code = |cell: &ReviewCell, given: Value| {
        let context = EditContext { scope: Some(scope.clone()), ..Locale::En.into() };
        let result = apply(cell, &DocUpdate::from_value(&given).unwrap(), &context);
        result.map_or_else(|error| error.code(), |_| "ok")
    };
    assert_eq!(code(&cell, text("Have", "Has")), "out_of_scope");
    assert_eq!(code(&cell, text("quick brown", "slow and old")), "ok");
    assert_eq!(code(&cell, text("slow and", "very")), "ok");
    assert_eq!(cell.base().lines()[1].text, "See the quick brown fox jump.");
    assert_eq!(cell.document().lines()[1].text, "Have you ever seen the very old fox jump.");
    assert_eq!(cell.review().borrow().hunks().len(), 2);
}

#[test]
fn ranges_of_the_editor_include_the_whole_hunks_that_they_meet() {
    let cell = cell("<p>one two three</p>");
    set_mode(&cell, Mode::Review);
    update(&cell, json!({ "operation": "replace_text", "old": "two", "new": "fourth" })).unwrap();
    for (range, expected) in
        [(1..4, 1..4), (1..5, 1..5), (5..8, 5..11), (6..7, 5..11), (7..13, 5..16), (8..13, 11..16), (1..6, 1..11)]
    {
        assert_eq!(cell.in_document(range.clone()), expected, "{range:?}");
    }
    for (position, expected) in [(1, 1), (4, 4), (5, 5), (8, 5), (11, 8), (12, 9)] {
        assert_eq!(cell.in_editor(position), expected, "{position}");
    }
}

/// Returns the range of a text in the second line.
fn around(document: &Document, text: &str) -> ScopeRange {
    let line = &document.lines()[1];
    let from = line.from + line.text.find(text).unwrap();
    ScopeRange { from, to: from + text.len() }
}
