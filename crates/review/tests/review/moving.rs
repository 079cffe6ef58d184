//! `move_section` under review.

use super::review::{TEA, edit, hunks, person, reviewed};
use super::{after, cell};
use copydesk_review::Which;
use copydesk_review::decide::{accept, reject, undo_turn};
use serde_json::{Value, json};

const FOUR: &str =
    "<h1>T</h1><p>t</p><h2>A</h2><p>a</p><h2>B</h2><p>b</p><p>b2</p><h2>C</h2><p>c</p><h2>D</h2><p>d</p>";

fn moved(from: i64, to: i64) -> Value {
    json!({ "operation": "move_section", "sectionIndex": from, "toIndex": to })
}

#[test]
fn a_move_waits_for_the_user_and_is_accepted_or_rejected() {
    let expected = after(FOUR, moved(2, 4));
    let cell = reviewed(FOUR);
    edit(&cell, "t1", "a", moved(2, 4));
    assert_eq!((cell.base().to_html(), cell.document().to_html()), (FOUR.to_owned(), expected.clone()));
    assert_eq!(hunks(&cell).len(), 2);
    let ids = cell.document().block_ids().to_vec();
    accept(&cell, &Which::ToolId("a".into())).unwrap();
    assert_eq!((cell.base().to_html(), cell.document().block_ids()), (expected, &ids[..]));
    undo_turn(&cell, "t1").unwrap();
    assert_eq!(cell.base().to_html(), FOUR);
    let cell = reviewed(FOUR);
    edit(&cell, "t1", "a", moved(4, 1));
    let before = cell.base().block_ids().to_vec();
    reject(&cell, &Which::All).unwrap();
    assert_eq!((cell.document().to_html(), cell.document().block_ids()), (FOUR.to_owned(), &before[..]));
}

#[test]
fn a_turn_that_moved_a_section_is_taken_back_unless_the_user_changed_it() {
    let swapped = after(TEA, moved(1, 2));
    let cell_of = || {
        let cell = cell(TEA);
        edit(&cell, "t1", "a", moved(1, 2));
        assert_eq!(cell.base().to_html(), swapped);
        cell
    };
    let cell = cell_of();
    let ids = cell.base().block_ids().to_vec();
    assert_eq!(undo_turn(&cell, "t1").unwrap().left, []);
    assert_eq!(cell.base().to_html(), TEA);
    assert_eq!(cell.base().block_ids().iter().filter(|id| ids.contains(id)).count(), ids.len());
    let cell = cell_of();
    person(&cell, &swapped.replace("Many.", "Very many.").replace("About", "All about"));
    undo_turn(&cell, "t1").unwrap();
    let text = cell.base().to_html();
    assert!(text.contains("Very many.") && text.contains("All about"), "{text}");
}
