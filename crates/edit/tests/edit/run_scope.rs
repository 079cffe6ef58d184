//! The scope of a run: a range that its edits cannot leave.

use super::cell;
use copydesk_base::{ErrorInfo, Locale};
use copydesk_document::Document;
use copydesk_edit::apply::DocumentHolder;
use copydesk_edit::guard::{RunScope, ScopeRange};
use copydesk_edit::{Change, DocUpdate, DocumentCell, EditContext, Error, Guards, Origin, apply};
use serde_json::{Value, json};
use std::rc::Rc;

const TEA: &str = "<h1>Tea</h1><p>See the quick brown fox jump.</p><ul><li><p>One</p></li><li><p>Two</p></li></ul>\
                   <h2>Legal</h2><p>As is.</p><p></p>";

/// Returns the position of a text.
fn place(document: &Document, text: &str) -> usize {
    let mut found = None;
    document.each_line(0..document.blocks().len(), &mut |line| {
        if let Some(at) = line.text.find(text).filter(|_| found.is_none()) {
            found = Some(line.from + line.text[..at].encode_utf16().count());
        }
    });
    found.unwrap()
}

fn around(document: &Document, text: &str) -> ScopeRange {
    let from = place(document, text);
    ScopeRange { from, to: from + text.encode_utf16().count() }
}

pub fn bind_scope(cell: &DocumentCell, range: ScopeRange) -> Result<RunScope, Error> {
    RunScope::bind(&cell.guards(), &cell.document(), range.from..range.to)
}

fn scope(cell: &DocumentCell, range: ScopeRange) -> Rc<RunScope> {
    Rc::new(bind_scope(cell, range).unwrap())
}

fn update(cell: &DocumentCell, scope: &Rc<RunScope>, given: Value) -> Result<(), Error> {
    let before = cell.document().to_json();
    let context = EditContext { scope: Some(scope.clone()), ..Locale::En.into() };
    let result = apply(cell, &DocUpdate::from_value(&given).unwrap(), &context).map(drop);
    if result.is_err() {
        assert_eq!(cell.document().to_json(), before);
    }
    result
}

fn code(cell: &DocumentCell, scope: &Rc<RunScope>, given: Value) -> &'static str {
    update(cell, scope, given).map_or_else(|error| error.code(), |()| "ok")
}

fn text(old: &str, new: &str) -> Value {
    json!({ "operation": "replace_text", "old": old, "new": new })
}

fn lines(first: usize, last: usize, content: &str) -> Value {
    json!({ "operation": "replace_lines", "edits": [{ "start_line": first, "end_line": last, "content": content }] })
}

/// The user types a text at a position.
fn person(cell: &DocumentCell, at: usize, text: &str) {
    let document = cell.document();
    let content = vec![copydesk_document::Node::text_node(document.schema(), text, Default::default())];
    cell.dispatch(&[Change { from: at, to: at, content }], &Origin::default()).unwrap();
}

#[test]
fn a_few_words_are_a_scope() {
    let cell = cell(TEA);
    let scope = scope(&cell, around(&cell.document(), "quick brown"));
    for outside in [
        text("See", "Watch"),
        text("fox jump", "dog jump"),
        text("quick brown fox", "slow dog"),
        text("the quick", "a slow"),
        lines(2, 2, "Other."),
        lines(2, 2, "<h3>See the quick brown fox jump.</h3>"),
        lines(2, 3, "See the slow fox jump."),
        json!({ "operation": "append", "title": "New", "content": "<p>x</p>" }),
        json!({ "operation": "delete", "sectionIndex": 1 }),
    ] {
        assert_eq!(code(&cell, &scope, outside.clone()), "out_of_scope", "{outside}");
    }
    // A whole line may be given, where only the words in the scope differ.
    assert_eq!(code(&cell, &scope, lines(2, 2, "See the swift, dark-red fox jump.")), "ok");
    assert_eq!(code(&cell, &scope, text("swift, dark-red", "slow")), "ok");
    assert_eq!(code(&cell, &scope, text("the slow", "a slow")), "out_of_scope");
    assert_eq!(code(&cell, &scope, lines(2, 2, "See the <b>slow</b> fox jump.")), "ok");
    assert_eq!(code(&cell, &scope, lines(2, 2, "See the <b>slow</b> <b>fox</b> jump.")), "out_of_scope");
    assert_eq!(cell.document().lines()[1].text, "See the slow fox jump.");
}

#[test]
fn the_error_and_the_description_say_what_may_be_changed() {
    let cell = cell(TEA);
    let document = cell.document();
    let say = |from, to| {
        let scope = scope(&cell, ScopeRange { from, to });
        [Locale::En, Locale::ZhCn].map(|locale| scope.describe(&document, locale))
    };
    let words = around(&document, "quick brown");
    assert_eq!(
        say(words.from, words.to),
        ["Only this text of line 2 may be changed: \"quick brown\".", "只能修改第 2 行中的这段文字：“quick brown”。"]
    );
    let line = around(&document, "See the quick brown fox jump.");
    assert_eq!(say(line.from, line.to), ["Only line 2 may be changed.", "只能修改第 2 行。"]);
    let end = place(&document, "Two") + 3;
    assert_eq!(
        say(words.from, end),
        [
            "Only this text of lines 2–4 may be changed: \"quick brown fox jump. … Two\".",
            "只能修改第 2–4 行中的这段文字：“quick brown fox jump. … Two”。"
        ]
    );
    assert_eq!(
        say(words.from, words.from),
        ["Text may only be added in line 2 after \"See the\".", "只能在第 2 行的“See the”之后添加文字。"]
    );
    assert_eq!(
        say(line.from, line.from),
        ["Text may only be added at the beginning of line 2.", "只能在第 2 行的开头添加文字。"]
    );
    let last = document.size() - 1;
    assert_eq!(say(last, last), ["Only line 7 may be changed.", "只能修改第 7 行。"]);
    let refused = update(&cell, &scope(&cell, words), text("See", "Watch")).unwrap_err();
    assert!(refused.message(Locale::En).contains("Only this text of line 2 may be changed: \"quick brown\"."));
    assert_eq!(refused.details()["lines"], json!([2, 2]));
}

#[test]
fn all_of_a_paragraph_stands_for_the_paragraph() {
    let cell = cell(TEA);
    let whole = around(&cell.document(), "See the quick brown fox jump.");
    // To the beginning of the next block, as a triple click selects it.
    let scope = scope(&cell, ScopeRange { from: whole.from, to: whole.to + 2 });
    assert_eq!(code(&cell, &scope, lines(3, 3, "Uno")), "out_of_scope");
    assert_eq!(code(&cell, &scope, lines(2, 2, "<h3>A fox</h3><p>It jumps.</p>")), "ok");
    assert_eq!(code(&cell, &scope, lines(3, 3, "It runs.")), "ok");
    assert_eq!(code(&cell, &scope, lines(1, 1, "Coffee")), "out_of_scope");
    assert_eq!(code(&cell, &scope, lines(4, 4, "Uno")), "out_of_scope");
    assert!(cell.document().to_html().contains("<h3>A fox</h3><p>It runs.</p><ul>"));
}

#[test]
fn a_list_item_is_a_scope() {
    let cell = cell(TEA);
    let scope = scope(&cell, around(&cell.document(), "Two"));
    assert_eq!(code(&cell, &scope, lines(3, 3, "Uno")), "out_of_scope");
    assert_eq!(code(&cell, &scope, lines(4, 4, "<li>Dos</li><li>Tres</li>")), "ok");
    assert!(cell.document().to_html().contains("<li><p>One</p></li><li><p>Dos</p></li><li><p>Tres</p></li>"));
}

#[test]
fn at_a_cursor_content_is_added() {
    let cell = cell(TEA);
    let end = around(&cell.document(), "fox jump.").to;
    let scope = scope(&cell, ScopeRange { from: end, to: end });
    assert_eq!(code(&cell, &scope, lines(2, 2, "See the fox jump.")), "out_of_scope");
    assert_eq!(code(&cell, &scope, lines(2, 2, "See the quick brown fox jump. And run.<p>Far.</p>")), "ok");
    assert_eq!(code(&cell, &scope, text("And run", "And swim")), "ok");
    assert_eq!(code(&cell, &scope, text("One", "Uno")), "out_of_scope");
}

#[test]
fn an_empty_paragraph_becomes_anything() {
    let cell = cell(TEA);
    let at = cell.document().size() - 1;
    let scope = scope(&cell, ScopeRange { from: at, to: at });
    assert_eq!(code(&cell, &scope, lines(6, 6, "x")), "out_of_scope");
    assert_eq!(code(&cell, &scope, lines(7, 7, "<h2>End</h2><ul><li>x</li></ul>")), "ok");
    assert!(cell.document().to_html().ends_with("<p>As is.</p><h2>End</h2><ul><li><p>x</p></li></ul>"));
}

#[test]
fn the_range_follows_the_user() {
    let cell = cell(TEA);
    let scope = scope(&cell, around(&cell.document(), "quick brown fox"));
    person(&cell, place(&cell.document(), "Tea"), "On ");
    person(&cell, place(&cell.document(), "quick"), "very ");
    person(&cell, place(&cell.document(), "jump"), "not ");
    person(&cell, place(&cell.document(), "rown"), "l");
    let range = scope.range(&cell.document());
    assert_eq!(range.start, place(&cell.document(), "quick"));
    assert_eq!(range.end, range.start + "quick blrown fox".len());
    assert_eq!(code(&cell, &scope, text("very", "most")), "out_of_scope");
    assert_eq!(code(&cell, &scope, text("not", "ever")), "out_of_scope");
    assert_eq!(code(&cell, &scope, text("quick blrown", "slow")), "ok");
    assert_eq!(cell.document().lines()[1].text, "See the very slow fox not jump.");
}

#[test]
fn a_range_that_the_user_deleted_allows_nothing() {
    let cell = cell(TEA);
    let words = around(&cell.document(), "quick brown");
    let scope = scope(&cell, words);
    let change = Change { from: words.from - 4, to: words.to + 4, content: Vec::new() };
    cell.dispatch(&[change], &Origin::default()).unwrap();
    assert_eq!(cell.document().lines()[1].text, "See  jump.");
    assert_eq!(code(&cell, &scope, text("jump", "run")), "out_of_scope");
    assert_eq!(code(&cell, &scope, lines(3, 3, "Uno")), "out_of_scope");
}

#[test]
fn a_scope_in_a_locked_section_or_outside_of_the_apps_scope_is_refused() {
    let cell = cell(TEA);
    let set = |guards: Value| cell.set_guards(&serde_json::from_value::<Guards>(guards).unwrap()).unwrap();
    set(json!({ "locked": ["Legal"] }));
    let (legal, fox) = (around(&cell.document(), "As is"), around(&cell.document(), "fox"));
    assert_eq!(bind_scope(&cell, legal).unwrap_err().code(), "locked");
    let both = ScopeRange { from: fox.from, to: legal.to };
    // Of a range that is locked in part, the rest may be changed.
    let scope = scope(&cell, both);
    assert_eq!(code(&cell, &scope, text("As is", "As was")), "locked");
    assert_eq!(code(&cell, &scope, text("fox", "dog")), "ok");
    set(json!({ "scope": { "sections": ["Legal"] } }));
    assert_eq!(bind_scope(&cell, around(&cell.document(), "dog")).unwrap_err().code(), "out_of_scope");
    assert!(bind_scope(&cell, legal).is_ok());
}

#[test]
fn a_range_is_read_strictly() {
    let read = |given: Value| serde_json::from_value::<ScopeRange>(given).is_ok();
    assert!(read(json!({ "from": 1, "to": 1 })));
    for wrong in [json!({ "from": 2, "to": 1 }), json!({ "from": 1 }), json!({ "from": 1, "to": 2, "x": 3 })] {
        assert!(!read(wrong.clone()), "{wrong}");
    }
    // Past the end it is cut.
    let cell = cell("<p>Tea</p>");
    let scope = scope(&cell, ScopeRange { from: 0, to: 900 });
    assert_eq!(code(&cell, &scope, text("Tea", "Coffee")), "ok");
}
