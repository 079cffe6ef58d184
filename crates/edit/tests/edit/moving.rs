//! `move_section`: the section takes the index, and every node is the one it was.

use super::guards::{code, guarded};
use super::{after, cell, refused, update};
use crate::documents::{blocks, document_of, for_seeds};
use copydesk_base::ErrorInfo;
use copydesk_base::Locale;
use copydesk_document::{Document, Node};
use copydesk_edit::{DocUpdate, DocumentCell, apply};
use serde_json::{Value, json};

const FOUR: &str =
    "<h1>T</h1><p>t</p><h2>A</h2><p>a</p><h2>B</h2><p>b</p><p>b2</p><h2>C</h2><p>c</p><h2>D</h2><p>d</p>";

fn moved(from: i64, to: i64) -> Value {
    json!({ "operation": "move_section", "sectionIndex": from, "toIndex": to })
}

/// The sections of a document as lists of top-level nodes.
fn sections_of(blocks: &[Value]) -> Vec<Vec<Value>> {
    let mut sections = vec![Vec::new()];
    for block in blocks {
        if block["type"] == "heading" && block["attrs"]["level"] == 2 {
            sections.push(Vec::new());
        }
        sections.last_mut().unwrap().push(block.clone());
    }
    sections
}

fn heading(text: usize) -> Value {
    json!({ "type": "heading", "attrs": { "level": 2 }, "content": [{ "type": "text", "text": format!("Section {text}") }] })
}

#[test]
fn every_section_takes_every_index_with_the_nodes_that_it_has() {
    for_seeds(60, |random| {
        let mut before = blocks(random, 0, 3);
        for title in 0..1 + random.below(4) {
            before.push(heading(title));
            before.extend(blocks(random, 0, 3));
        }
        let document = document_of(&before);
        let before: Vec<Value> =
            serde_json::from_str::<Value>(&document.to_json()).unwrap()["content"].as_array().unwrap().clone();
        let sections = sections_of(&before);
        for (from, to) in (1..sections.len()).flat_map(|from| (1..sections.len()).map(move |to| (from, to))) {
            let cell = DocumentCell::new(document.clone());
            let applied = update(&cell, moved(from as i64, to as i64)).unwrap();
            let mut expected = sections.clone();
            let section = expected.remove(from);
            expected.insert(to, section);
            let now: Value = serde_json::from_str(&cell.document().to_json()).unwrap();
            assert_eq!(now["content"], Value::from(expected.concat()), "{from} to {to}");
            assert_eq!(applied.section_index, Some(to));
            if from != to {
                least_moves(&document, &cell.document(), &applied.changes, from, to);
            }
        }
    });
}

/// Makes sure that the blocks are the same ones and that one side of the two was moved: the shorter one.
fn least_moves(before: &Document, now: &Document, changes: &Value, from: usize, to: usize) {
    let mut ids = before.block_ids().to_vec();
    let sections = before.sections();
    let (moved, place) = (sections[from].blocks.clone(), sections[to].blocks.clone());
    let all = moved.start.min(place.start)..moved.end.max(place.end);
    let side = &mut ids[all.clone()];
    if from < to {
        side.rotate_left(moved.len())
    } else {
        side.rotate_right(moved.len())
    }
    let is_unique = |block: &Node| before.blocks().iter().filter(|other| *other == block).count() == 1;
    for (at, id) in ids.iter().enumerate() {
        assert!(now.block_ids()[at] == *id || !is_unique(&now.blocks()[at]), "{before:?}: {from} to {to}");
    }
    let width = |range: std::ops::Range<usize>| before.block_start(range.end) - before.block_start(range.start);
    let expected = width(moved.clone()).min(width(all) - width(moved));
    let removed = |change: &Value| (change["to"].as_u64().unwrap() - change["from"].as_u64().unwrap()) as usize;
    let changes = changes.as_array().unwrap();
    assert_eq!((changes.len(), changes.iter().map(removed).sum::<usize>()), (2, expected), "{changes:?}");
}

#[test]
fn section_0_stays_and_an_index_out_of_range_is_refused_with_the_valid_range() {
    for (from, to, named) in [
        (0, 1, "sectionIndex 0"),
        (5, 1, "sectionIndex 5"),
        (1, 0, "toIndex 0"),
        (1, 5, "toIndex 5"),
        (1, -1, "toIndex -1"),
    ] {
        let error = refused(FOUR, moved(from, to));
        assert_eq!(error.code(), "section_out_of_range");
        let expected = format!("{named} is out of range: move_section takes sections 1–4");
        assert!(error.message(Locale::En).starts_with(&expected), "{error}");
        assert!(error.message(Locale::ZhCn).contains("move_section 可用的章节为 1–4"), "{error}");
    }
    assert_eq!(refused("<p>x</p>", moved(1, 1)).code(), "section_out_of_range");
    assert_eq!(refused(FOUR, json!({ "operation": "move_section", "sectionIndex": 1 })).code(), "missing_parameter");
    let wrong = json!({ "operation": "move_section", "sectionIndex": 1, "toIndex": "x" });
    assert_eq!(refused(FOUR, wrong).code(), "invalid_parameter");
}

#[test]
fn a_move_is_told_in_both_languages_and_one_to_its_own_index_changes_nothing() {
    let told = |given: Value, locale: Locale| {
        let applied = apply(&cell(FOUR), &DocUpdate::from_value(&given).unwrap(), &locale.into()).unwrap();
        (applied.message, applied.changes.as_array().unwrap().len())
    };
    assert_eq!(told(moved(1, 3), Locale::En), ("Section 1 moved: it is Section 3 'A' now".to_owned(), 2));
    assert_eq!(told(moved(4, 2), Locale::ZhCn).0, "Section 4 已移动，现为 Section 2 'D'");
    assert_eq!(told(moved(2, 2), Locale::En), ("Nothing changed: the document already reads so".to_owned(), 0));
}

#[test]
fn a_locked_section_is_not_moved_and_others_move_past_it() {
    let guards = || guarded(FOUR, json!({ "locked": ["B"] }));
    for to in [1, 3, 4] {
        assert_eq!(code(&guards(), moved(2, to)), "locked");
    }
    for (from, to) in [(1, 2), (1, 4), (3, 1), (3, 2), (4, 3)] {
        let cell = guards();
        assert_eq!(code(&cell, moved(from, to)), "ok", "{from} to {to}");
        assert_eq!(cell.document().to_html(), after(FOUR, moved(from, to)));
    }
    assert_eq!(code(&guards(), moved(2, 2)), "ok", "an edit that changes nothing");
    let both = || guarded(FOUR, json!({ "locked": ["B", "C"] }));
    assert_eq!((code(&both(), moved(1, 4)), code(&both(), moved(3, 2))), ("ok", "locked"));
}

#[test]
fn a_section_moves_only_past_what_is_in_the_scope_too() {
    let cases = [
        (json!([1, 2]), &[(1, 2), (2, 1)][..], &[(1, 3), (3, 1), (2, 3), (3, 2), (3, 4)][..]),
        (json!([1, 3]), &[], &[(1, 2), (2, 1), (1, 3), (3, 1), (2, 3), (3, 2)]),
        (json!([0, 1]), &[], &[(1, 2), (2, 1)]),
        (json!([]), &[(1, 1)], &[(1, 2)]),
    ];
    for (scope, allowed, wrong) in cases {
        let guards = || guarded(FOUR, json!({ "scope": { "sections": scope } }));
        for (from, to) in allowed {
            assert_eq!(code(&guards(), moved(*from, *to)), "ok", "{scope}: {from} to {to}");
        }
        for (from, to) in wrong {
            assert_eq!(code(&guards(), moved(*from, *to)), "out_of_scope", "{scope}: {from} to {to}");
        }
    }
}

#[test]
fn a_move_drops_nothing() {
    let html =
        FOUR.replace("<p>b2</p>", r#"<p><a href="https://a.example/">b2</a></p><img src="https://a.example/b.png">"#);
    let cell = guarded(&html, json!({ "lossless": "reject" }));
    assert_eq!((code(&cell, moved(2, 4)), code(&cell, moved(4, 1))), ("ok", "ok"));
}
