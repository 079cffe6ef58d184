//! The parts of a document that edits may change: scope and locks.

use super::{cell, update};
use copydesk_base::{ErrorInfo, Locale, decode};
use copydesk_document::Document;
use copydesk_edit::DocumentCell;
use copydesk_edit::Error;
use copydesk_edit::apply::DocumentHolder;
use copydesk_edit::guard::{Bound, Part, check};
use copydesk_edit::{Change, Guards, Origin};
use serde_json::{Value, json};

pub const TEA: &str =
    "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Old.</p><h2>Legal</h2><p>As is.</p><h2>End</h2><p>Fin.</p>";

pub fn guards(given: Value) -> Guards {
    serde_json::from_value(given).unwrap()
}

/// A document of this HTML with guards.
pub fn guarded(html: &str, given: Value) -> DocumentCell {
    let cell = cell(html);
    cell.set_guards(&guards(given)).unwrap();
    cell
}

/// Returns the code of the error of an update, after checking that the document is unchanged; or `ok`.
pub fn code(cell: &DocumentCell, given: Value) -> &'static str {
    let before = cell.document();
    match update(cell, given) {
        Ok(_) => "ok",
        Err(error) => {
            assert_eq!(cell.document().to_json(), before.to_json());
            assert_eq!(cell.document().version(), before.version());
            error.code()
        }
    }
}

/// Makes a change as the person does by typing: past all guards.
fn person(cell: &DocumentCell, change: impl Fn(&Document) -> Change) {
    let change = change(&cell.document());
    cell.dispatch(&[change], &Origin::default()).unwrap();
}

pub fn replace(index: usize, content: &str) -> Value {
    json!({ "operation": "replace", "sectionIndex": index, "content": content })
}

fn insert(index: usize) -> Value {
    json!({ "operation": "insert", "sectionIndex": index, "title": "New", "content": "<p>x</p>" })
}

pub fn append() -> Value {
    json!({ "operation": "append", "title": "New", "content": "<p>x</p>" })
}

fn delete(index: usize) -> Value {
    json!({ "operation": "delete", "sectionIndex": index })
}

pub fn image(index: usize, position: &str) -> Value {
    json!({ "operation": "insert_image", "sectionIndex": index, "imageUrl": "https://a.example/1.png",
            "imageDescription": "x", "position": position })
}

#[test]
fn only_the_sections_in_scope_can_be_changed() {
    for scope in [json!([1]), json!(["History"])] {
        let cell = guarded(TEA, json!({ "scope": { "sections": scope } }));
        for (index, expected) in [(0, "out_of_scope"), (2, "out_of_scope"), (3, "out_of_scope"), (1, "ok")] {
            assert_eq!(code(&cell, replace(index, "<p>Other.</p>")), expected, "section {index}");
        }
        assert_eq!(code(&cell, delete(3)), "out_of_scope");
        assert_eq!(code(&cell, append()), "out_of_scope");
        assert_eq!(code(&cell, insert(3)), "out_of_scope");
    }
}

#[test]
fn a_picture_at_the_border_belongs_to_the_section_that_it_would_stand_in() {
    let cell = guarded(TEA, json!({ "scope": { "sections": [1] } }));
    assert_eq!(code(&cell, image(1, "before_section")), "out_of_scope", "it would stand at the end of section 0");
    assert_eq!(code(&cell, image(2, "after_section")), "out_of_scope");
    assert_eq!(code(&cell, image(2, "before_section")), "ok", "it stands at the end of section 1");
    assert_eq!(code(&cell, image(1, "after_section")), "ok");
}

#[test]
fn what_is_added_in_the_scope_belongs_to_it() {
    let cell = guarded(TEA, json!({ "scope": { "sections": [1] } }));
    assert_eq!(code(&cell, replace(1, "<p>a</p><h2>Second</h2><p>b</p>")), "ok");
    assert_eq!(code(&cell, replace(2, "<p>c</p>")), "ok", "the new section");
    assert_eq!(code(&cell, replace(3, "<p>c</p>")), "out_of_scope", "what was section 2");
    assert_eq!(code(&cell, delete(1)), "ok");
    assert_eq!(code(&cell, replace(1, "<p>d</p>")), "ok");
}

#[test]
fn several_sections_can_be_in_scope_and_section_0_even_when_it_is_empty() {
    let cell = guarded(TEA, json!({ "scope": { "sections": [3, "History"] } }));
    assert_eq!(code(&cell, replace(1, "<p>x</p>")), "ok");
    assert_eq!(code(&cell, replace(2, "<p>x</p>")), "out_of_scope");
    assert_eq!(code(&cell, replace(3, "<p>x</p>")), "ok");
    let cell = guarded("<h2>A</h2><p>a</p>", json!({ "scope": { "sections": [0] } }));
    assert_eq!(code(&cell, replace(1, "<p>x</p>")), "out_of_scope");
    assert_eq!(code(&cell, replace(0, "<p>x</p>")), "ok");
    let cell = guarded("<h2>A</h2><p>a</p>", json!({ "scope": { "sections": [1] } }));
    assert_eq!(code(&cell, replace(0, "<p>x</p>")), "out_of_scope");
    assert_eq!(code(&cell, delete(1)), "ok");
}

#[test]
fn a_scope_moves_with_its_sections_when_the_person_types() {
    let cell = guarded(TEA, json!({ "scope": { "sections": [2] } }));
    let heading = Document::from_html("<h2>Before</h2><p>x</p>").unwrap().blocks().to_vec();
    person(&cell, |document| {
        let at = document.sections()[1].from;
        Change { from: at, to: at, content: heading.clone() }
    });
    assert_eq!(code(&cell, replace(2, "<p>x</p>")), "out_of_scope", "what was section 1");
    assert_eq!(code(&cell, replace(3, "<p>x</p>")), "ok");
}

#[test]
fn a_selection_is_widened_to_the_blocks_it_touches() {
    let html = "<h2>A</h2><p>one</p><p>two</p><p>three</p>";
    let document = Document::from_html(html).unwrap();
    let (from, to) = (document.block_start(2) + 2, document.block_start(2) + 3);
    for (from, to) in [(from, to), (from, from), (document.block_start(2), document.block_start(3))] {
        let cell = guarded(html, json!({ "scope": { "from": from, "to": to } }));
        let error = update(&cell, replace(1, "<p>ONE</p><p>two</p><p>three</p>")).unwrap_err();
        assert_eq!(error, Error::OutOfScope { sections: vec![], lines: Some((3, 3)), part: Part::Whole });
        assert_eq!(code(&cell, replace(1, "<p>one</p><p>two</p><p>THREE</p>")), "out_of_scope");
        assert_eq!(code(&cell, replace(1, "<p>one</p><p>2</p><p>more</p><p>three</p>")), "ok");
        assert_eq!(code(&cell, replace(1, "<p>one</p><p>2</p><p>even more</p><p>three</p>")), "ok");
    }
}

#[test]
fn nothing_can_be_changed_when_the_scope_is_empty() {
    let cell = guarded(TEA, json!({ "scope": { "sections": [] } }));
    assert_eq!(code(&cell, replace(1, "<p>x</p>")), "out_of_scope");
    assert_eq!(code(&cell, replace(1, "<p>Old.</p>")), "ok", "an edit that changes nothing");
}

#[test]
fn a_locked_section_keeps_its_text_its_heading_and_its_borders() {
    for named in [json!([2]), json!(["Legal"]), json!(["2. Legal"])] {
        let cell = guarded(TEA, json!({ "locked": named }));
        let retitle = json!({ "operation": "replace", "sectionIndex": 2, "title": "Law", "content": "<p>As is.</p>" });
        for given in [
            replace(2, "<p>Other.</p>"),
            replace(2, "<h2>Split</h2><p>As is.</p>"),
            retitle,
            delete(2),
            image(2, "after_section"),
            image(3, "before_section"),
        ] {
            assert_eq!(code(&cell, given.clone()), "locked", "{given}");
        }
        assert_eq!(code(&cell, image(2, "before_section")), "ok", "it stands at the end of section 1");
        assert_eq!(code(&cell, replace(1, "<p>x</p>")), "ok");
        assert_eq!(code(&cell, insert(2)), "ok", "a section before it");
        assert_eq!(code(&cell, insert(4)), "ok", "a section after it");
        assert_eq!(code(&cell, replace(3, "<p>x</p>")), "locked", "it is section 3 now");
        assert_eq!(code(&cell, append()), "ok");
    }
}

#[test]
fn an_h2_that_would_split_a_locked_section_is_refused() {
    let cell = guarded("<h2>A</h2><p>one</p><p>two</p>", json!({ "locked": [1] }));
    assert_eq!(code(&cell, replace(1, "<p>one</p><h2>x</h2><p>two</p>")), "locked");
    assert_eq!(code(&cell, replace(1, "<p>one</p><p>two</p><h2>x</h2>")), "ok", "that is a section after it");
    let cell = guarded(TEA, json!({ "locked": [0] }));
    assert_eq!(code(&cell, replace(0, "<h2>x</h2><p>A leaf.</p>")), "locked");
    assert_eq!(code(&cell, image(1, "before_section")), "locked");
    assert_eq!(code(&cell, insert(1)), "ok");
}

#[test]
fn a_section_can_be_appended_after_a_locked_one_that_ends_in_an_empty_paragraph() {
    let cell = guarded("<h2>A</h2><p>a</p><p></p>", json!({ "locked": [1] }));
    assert_eq!(code(&cell, append()), "ok");
    assert_eq!(code(&cell, replace(1, "<p>b</p>")), "locked");
}

#[test]
fn a_locked_section_is_found_again_by_its_title_when_its_heading_was_made_anew() {
    let cell = guarded(TEA, json!({ "locked": ["Legal"] }));
    let (wholly_other, legal) =
        (Document::from_html("<table><tr><td>x</td></tr></table>").unwrap(), "<h2>Legal</h2><p>Now.</p>");
    let range = |document: &Document| (document.sections()[2].from, document.sections()[2].to);
    let blocks = wholly_other.blocks().to_vec();
    person(&cell, |document| Change { from: range(document).0, to: range(document).1, content: blocks.clone() });
    assert_eq!(code(&cell, replace(1, "<p>x</p>")), "ok");
    let blocks = Document::from_html(legal).unwrap().blocks().to_vec();
    person(&cell, |document| Change { from: document.size(), to: document.size(), content: blocks.clone() });
    assert_eq!(code(&cell, replace(3, "<p>x</p>")), "locked");
}

#[test]
fn a_locked_section_that_the_person_retitled_stays_locked() {
    let cell = guarded(TEA, json!({ "locked": ["Legal"] }));
    person(&cell, |document| {
        let at = document.sections()[2].from + 1;
        let text = copydesk_document::Node::text_node(document.schema(), "Wholly il", Default::default());
        Change { from: at, to: at + 1, content: vec![text] }
    });
    assert_eq!(cell.document().sections()[2].title, "Wholly ilegal");
    assert_eq!(code(&cell, replace(2, "<p>x</p>")), "locked");
}

#[test]
fn settings_that_are_wrong_name_their_field() {
    for (given, said) in [
        (json!({ "lock": [1] }), "lock must be left out"),
        (json!({ "locked": 1 }), "locked must be an array"),
        (json!({ "locked": [true] }), "locked[0] must be the index or the title of a section"),
        (json!({ "scope": {} }), "scope must be {sections: […]} or {from, to}"),
        (json!({ "scope": { "from": 5, "to": "8" } }), "scope.to must be a whole number"),
        (
            json!({ "scope": { "from": 5, "to": 4 } }),
            "scope must be {sections: […]} or {from, to}, where from is not above to",
        ),
        (json!({ "lossless": "yes" }), "lossless must be off, report or reject"),
        (json!({ "images": { "hosts": ["https://a.example/"] } }), "images must be \"any\" or"),
        (json!({ "links": "some" }), "links must be \"any\" or"),
    ] {
        let error = decode::from_value::<Guards>(&given).unwrap_err().to_string();
        assert!(error.starts_with(said), "{given}: {error}");
    }
    for given in [json!({ "locked": [4] }), json!({ "locked": ["Law"] }), json!({ "scope": { "sections": [9] } })] {
        let error = guards(given).bind(&Document::from_html(TEA).unwrap()).unwrap_err();
        assert_eq!(error.code(), "config");
        assert!(error.message(Locale::En).contains("2 'Legal'"), "{error}");
    }
}

#[test]
fn guards_of_two_kinds_allow_what_both_allow() {
    let document = cell(TEA).document();
    let bound = |given: Value| guards(given).bind(&document).unwrap();
    let image = |host: &str| format!("<p>Old.</p><img src='https://{host}.example/1.png'>");
    let link = |host: &str| format!("<p><a href='https://{host}.example/'>Old.</a></p>");
    let any = json!({});
    let scope = json!({ "scope": { "sections": [1, 2] } });
    let lock = json!({ "locked": ["Legal"], "lossless": "report" });
    let hosts = json!({ "images": { "hosts": ["a.example"] }, "links": { "hosts": ["a.example"] } });
    let open = json!({ "images": "any", "links": "any", "lossless": "reject" });
    let all = [any, scope, lock, hosts, open];
    let updates = [
        replace(0, "<p>A cup.</p>"),
        replace(1, "<p>New.</p>"),
        replace(2, "<p>New.</p>"),
        replace(1, &image("a")),
        replace(1, &image("b")),
        replace(1, &link("a")),
        replace(1, &link("b")),
        append(),
    ];
    let allows = |guards: &Bound, given: &Value| {
        let Value::Array(changes) = update(&DocumentCell::new(document.clone()), given.clone()).unwrap().changes else {
            panic!("an edit has changes");
        };
        let read = |change| Change::from_value(document.schema(), change).unwrap();
        let changes: Vec<Change> = changes.into_iter().map(read).collect();
        check(guards, &document, &changes, &Locale::En.into()).is_ok()
    };
    for one in &all {
        for other in &all {
            let (one, other) = (bound(one.clone()), bound(other.clone()));
            let (both, swapped) = (one.and(&other), other.and(&one));
            assert_eq!(both.lossless, one.lossless.max(other.lossless));
            for given in &updates {
                let expected = allows(&one, given) && allows(&other, given);
                assert_eq!((allows(&both, given), allows(&swapped, given)), (expected, expected), "{given}");
            }
        }
    }
}
