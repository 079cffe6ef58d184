//! Hunks that were stored and are restored to another document with the same content.

use super::cell;
use super::review::{TEA, edit, hunks, person, reviewed};
use copydesk_document::Document;
use copydesk_review::decide::{Reviewed, accept, reject, restore};
use copydesk_review::{ReviewCell, Which};
use serde_json::{Value, json};

/// Three calls: text, blocks that are inserted, and a section that is deleted; and a conflict.
fn pending() -> ReviewCell {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "c1", json!({ "operation": "replace_text", "old": "About tea.", "new": "All about green tea." }));
    edit(&cell, "t1", "c2", json!({ "operation": "append", "title": "Taste", "content": "<ul><li>sweet</li></ul>" }));
    edit(&cell, "t2", "c3", json!({ "operation": "delete", "sectionIndex": 1 }));
    edit(&cell, "t2", "c4", json!({ "operation": "replace_text", "old": "Many", "new": "Six" }));
    person(&cell, &TEA.replace("Many.", "Few."));
    cell
}

fn stored(cell: &ReviewCell) -> Value {
    let review = cell.review().borrow();
    review.hunks().iter().map(|hunk| hunk.to_value(review.base())).collect()
}

/// The same document in a page that was loaded again.
fn again(cell: &ReviewCell) -> ReviewCell {
    let base = cell.review().borrow().base().clone();
    ReviewCell::new(Document::from_json(&base.to_json(), base.schema().clone()).unwrap())
}

/// Returns hunks without the fields that are not restored.
fn compared(mut hunks: Value) -> Value {
    for hunk in hunks.as_array_mut().unwrap() {
        for name in ["id", "linked", "turnIds", "foundBy"] {
            hunk.as_object_mut().unwrap().remove(name);
        }
    }
    hunks
}

#[test]
fn restored_hunks_are_those_that_were_stored() {
    let before = pending();
    let hunks_before = stored(&before);
    assert!(hunks_before.as_array().unwrap().iter().any(|hunk| hunk["conflict"] == true), "{hunks_before}");
    let after = again(&before);
    restore(&after, &hunks_before).unwrap();
    assert_eq!(compared(stored(&after)), compared(hunks_before));
    assert_eq!(after.document().to_html(), before.document().to_html());
    assert!(stored(&after).as_array().unwrap().iter().all(|hunk| hunk["turnIds"] == json!([])));

    // Decisions have the same consequences.
    for cell in [&before, &after] {
        accept(cell, &Which::ToolId("c2".into())).unwrap();
        reject(cell, &Which::ToolId("c3".into())).unwrap();
    }
    assert_eq!(after.document().to_html(), before.document().to_html());
    assert_eq!(after.review().borrow().base().to_html(), before.review().borrow().base().to_html());
    assert_eq!(hunks(&after).len(), hunks(&before).len());
    for cell in [&before, &after] {
        reject(cell, &Which::All).unwrap();
        assert!(hunks(cell).is_empty());
    }
}

#[test]
fn what_does_not_belong_to_the_document_changes_nothing() {
    let other = cell("<p>Short.</p>");
    let broken = [
        stored(&pending()),
        json!("hunks"),
        json!([{ "from": 1 }]),
        json!([{ "from": 2, "to": 1, "content": [] }]),
        json!([{ "from": 1, "to": 5, "content": [] }, { "from": 3, "to": 6, "content": [] }]),
        json!([{ "from": 0, "to": 3, "content": [] }]),
        json!([{ "from": 1, "to": 1, "content": [{ "type": "paragraph" }] }]),
        json!([{ "from": 0, "to": 0, "content": [{ "type": "text", "text": "bare" }] }]),
        json!([{ "from": 0, "to": 8, "content": [] }]),
        json!([{ "from": 0, "to": 0, "content": [{ "type": "video" }] }]),
        json!([{ "from": 0, "to": 18446744073709551615u64, "content": [] }]),
    ];
    for hunks in broken {
        let refused = restore(&other, &hunks);
        assert!(refused.is_err(), "{hunks}");
        assert_eq!(other.document().to_html(), "<p>Short.</p>");
        assert!(other.review().borrow().hunks().is_empty());
    }
    // Pending hunks stay.
    let before = pending();
    let hunks = stored(&before);
    restore(&before, &hunks).unwrap_err();
    assert_eq!(stored(&before), hunks);
}
