//! Hunks that are only valid together are one hunk, also once the user has changed what is around them.

use super::review::{hunks, person, person_blocks, propose, reviewed};
use copydesk_document::{Document, Node, Schema};
use copydesk_edit::change;
use copydesk_review::decide::{accept, set_mode};
use copydesk_review::hunk::HunkKind;
use copydesk_review::{Hunk, Mode, ReviewCell, Which};
use serde_json::{Value, json};
use std::sync::Arc;

fn blocks(html: &str) -> Vec<Node> {
    Document::from_html(html).unwrap().blocks().to_vec()
}

fn kinds(cell: &ReviewCell) -> Vec<HunkKind> {
    hunks(cell).iter().map(|hunk| hunk.kind).collect()
}

/// Accepts the hunks one by one, deletions first.
fn accept_deletions_first(cell: &ReviewCell) {
    while let Some(hunk) = hunks(cell).into_iter().max_by_key(|hunk| hunk.kind == HunkKind::Deletion) {
        accept(cell, &Which::Hunk(hunk.id)).unwrap();
        assert!(!cell.base().blocks().is_empty());
    }
}

/// Asserts that the hunks lead from base to the proposal.
fn assert_leads(cell: &ReviewCell) {
    let changes: Vec<_> = hunks(cell).into_iter().map(|hunk| hunk.change).collect();
    assert_eq!(change::replace(&cell.base(), &changes).unwrap(), cell.document());
}

#[test]
fn deletions_that_would_leave_nothing_are_one_with_the_insertion_between() {
    let paragraphs = |texts: &[&str]| texts.iter().map(|text| format!("<p>{text}</p>")).collect::<String>();
    let list = |texts: &[&str]| {
        format!("<ul>{}</ul>", texts.iter().map(|text| format!("<li><p>{text}</p></li>")).collect::<String>())
    };
    let writers: [fn(&[&str]) -> String; 2] = [paragraphs, list];
    for html in writers {
        let cell = reviewed(&html(&["a", "b", "c", "d"]));
        propose(&cell, "t1", blocks(&html(&["b", "new", "c"])));
        assert_eq!(kinds(&cell), [HunkKind::Deletion, HunkKind::Insertion, HunkKind::Deletion]);
        person(&cell, &html(&["a", "c", "d"]));
        assert_eq!(hunks(&cell).len(), 3, "c is left whatever is decided");
        person(&cell, &html(&["a", "d"]));
        assert_eq!(kinds(&cell), [HunkKind::Edit]);
        assert!(!hunks(&cell)[0].conflict);
        accept_deletions_first(&cell);
        assert_eq!(cell.base().to_html(), html(&["new"]));
    }
}

/// Returns a schema of paragraphs `k`, of `x` and `y` with text, and of `box`, a node of paragraphs.
fn schema(top: &str) -> Arc<Schema> {
    let text_block = |name: &str| json!({ "name": name, "content": "text*" });
    let nodes = json!([
        { "name": "doc", "content": top },
        text_block("k"),
        text_block("x"),
        text_block("y"),
        { "name": "box", "content": "k+" },
        { "name": "text" },
    ]);
    Schema::from_json(&json!({ "topNode": "doc", "nodes": nodes, "marks": [] }).to_string()).unwrap()
}

/// Reads blocks that are written as `name text`; those in brackets are in a box.
fn read(schema: &Arc<Schema>, lines: &[&str]) -> Document {
    let block = |line: &str| {
        let (name, text) = line.split_once(' ').unwrap();
        json!({ "type": name, "content": [{ "type": "text", "text": text }] })
    };
    let mut content: Vec<Value> = Vec::new();
    for line in lines {
        match line.strip_prefix('[') {
            Some(inside) => {
                let inside: Vec<Value> = inside.trim_end_matches(']').split(", ").map(block).collect();
                content.push(json!({ "type": "box", "content": inside }));
            }
            None => content.push(block(line)),
        }
    }
    Document::from_json(&json!({ "type": "doc", "content": content }).to_string(), schema.clone()).unwrap()
}

/// Returns a review in which the agent has proposed `proposed` and then the user has made base `now`.
fn merged(schema: &Arc<Schema>, base: &[&str], proposed: &[&str], now: &[&str]) -> ReviewCell {
    let cell = ReviewCell::new(read(schema, base));
    set_mode(&cell, Mode::Review);
    propose(&cell, "t1", read(schema, proposed).blocks().to_vec());
    person_blocks(&cell, read(schema, now).blocks().to_vec());
    assert_leads(&cell);
    cell
}

#[test]
fn a_change_that_only_an_insertion_forbids_is_a_conflict_with_all_between() {
    // The first and the last block exclude each other.
    let schema = schema("(x k+) | (k+ y) | k+");
    let front = merged(
        &schema,
        &["k one", "k two", "k three"],
        &["k one", "k two", "k three", "y end"],
        &["x start", "k one", "k two typed", "k three"],
    );
    let back = merged(
        &schema,
        &["k one", "k two", "k three"],
        &["x start", "k one", "k two", "k three"],
        &["k one", "k two typed", "k three", "y end"],
    );
    for cell in [front, back] {
        let [Hunk { conflict: true, original_text, new_text, .. }] = &hunks(&cell)[..] else { panic!("one conflict") };
        assert!(original_text.contains("two typed") && !new_text.contains("typed"), "{original_text:?} {new_text:?}");
    }
}

#[test]
fn a_conflict_that_grows_takes_in_the_hunks_that_depend_on_it() {
    let schema = schema("(x k+) | (k+ y) | k+");
    let cell = merged(
        &schema,
        &["k one fine day", "k two", "k three"],
        &["k one grey day", "k two", "k three", "y end"],
        &["x start", "k one fine day", "k two", "k three"],
    );
    // The conflict is between `x start` and `y end`, but the change of `fine` is nearer.
    let [Hunk { conflict: true, .. }] = &hunks(&cell)[..] else { panic!("one conflict: {:?}", hunks(&cell)) };
}

#[test]
fn hunks_that_come_into_one_parent_are_one_where_it_does_not_take_them_alone() {
    let schema = schema("(box k k? k?) | (k k k)+");
    let cell = merged(
        &schema,
        &["[k one fine day, k other words]", "k two"],
        &["[k one fine day, k new, k other words]", "k two", "k last", "k of all"],
        &["k one fine day", "k other words", "k two"],
    );
    assert_eq!(
        cell.document(),
        read(&schema, &["k one fine day", "k new", "k other words", "k two", "k last", "k of all"])
    );
    assert_eq!(hunks(&cell).len(), 1, "neither four nor five paragraphs are allowed");
}

#[test]
fn a_conflict_that_grows_over_another_hunk_is_a_new_hunk() {
    let cell = reviewed("<p>one two</p><p>three four five</p>");
    propose(&cell, "t1", blocks("<p>one 2</p><p>three four 5</p>"));
    let before: Vec<String> = hunks(&cell).into_iter().map(|hunk| hunk.id).collect();
    assert_eq!(before.len(), 2);
    person(&cell, "<p>one r four five</p>");
    let [Hunk { id, conflict: true, .. }] = &hunks(&cell)[..] else { panic!("one conflict: {:?}", hunks(&cell)) };
    assert!(!before.contains(id), "{id}");
}
