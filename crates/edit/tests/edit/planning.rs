use super::html;
use super::random::Random;
use super::{cell, update};
use copydesk_document::Document;
use copydesk_edit::plan::Replacement;
use copydesk_edit::plan::plan;
use copydesk_edit::{Change, change};
use serde_json::json;

/// The changes from one document to another.
fn between(old: &Document, new: &Document) -> Vec<Change> {
    let replacement = Replacement { blocks: 0..old.blocks().len(), with: new.blocks().to_vec() };
    plan(old, &replacement)
}

fn changes(old: &str, new: &str) -> Vec<Change> {
    between(&Document::from_html(old).unwrap(), &Document::from_html(new).unwrap())
}

fn ranges(changes: &[Change]) -> Vec<(usize, usize, usize)> {
    changes.iter().map(|change| (change.from, change.to, change.content.iter().map(|node| node.size()).sum())).collect()
}

#[test]
fn one_changed_word_is_a_change_of_that_word() {
    assert_eq!(ranges(&changes("<p>one two three</p>", "<p>one 2 three</p>")), [(5, 8, 1)]);
}

#[test]
fn two_changed_words_far_apart_are_two_changes() {
    assert_eq!(
        ranges(&changes("<p>one two three four five</p>", "<p>1 two three four 5</p>")),
        [(1, 4, 1), (20, 24, 1)]
    );
}

#[test]
fn an_added_paragraph_touches_no_other() {
    assert_eq!(ranges(&changes("<p>a</p><p>c</p>", "<p>a</p><p>b</p><p>c</p>")), [(3, 3, 3)]);
}

#[test]
fn a_changed_item_of_a_list_touches_no_other_item() {
    let old = "<ul><li><p>one</p></li><li><p>two sorts</p></li><li><p>three</p></li></ul>";
    assert_eq!(ranges(&changes(old, &old.replace("two sorts", "two kinds"))), [(14, 19, 5)]);
}

#[test]
fn a_changed_cell_of_a_table_touches_no_other_cell() {
    let old = "<table><tbody><tr><td><p>a</p></td><td><p>b c</p></td></tr></tbody></table>";
    assert_eq!(ranges(&changes(old, &old.replace("b c", "b d"))), [(11, 12, 1)]);
}

#[test]
fn bold_put_on_a_word_is_a_change_of_that_word() {
    assert_eq!(ranges(&changes("<p>one two three</p>", "<p>one <strong>two</strong> three</p>")), [(5, 8, 3)]);
}

#[test]
fn no_cut_goes_through_what_a_reader_sees_as_one_character() {
    let found = changes("<p>a👨‍👩‍👧‍👦b</p>", "<p>a👨‍👩‍👧b</p>");
    assert_eq!(ranges(&found), [(2, 13, 8)]);
    assert_eq!(ranges(&changes("<p>cafe\u{301} x</p>", "<p>cafe x</p>")), [(1, 6, 4)]);
    assert_eq!(ranges(&changes("<p>🇩🇪🇫🇷</p>", "<p>🇩🇪🇮🇹</p>")), [(5, 9, 4)]);
}

#[test]
fn another_level_of_heading_is_another_node() {
    assert_eq!(ranges(&changes("<h2>a</h2><p>b</p>", "<h3>a</h3><p>b</p>")), [(0, 3, 3)]);
}

#[test]
fn replacing_a_section_with_one_changed_word_sends_a_change_a_few_characters_wide() {
    let long = "<p>A paragraph that says something about tea.</p>".repeat(50);
    let cell = cell(&format!("<h2>A</h2>{long}<p>The last word is old</p><h2>B</h2>"));
    let content = format!("{long}<p>The last word is new</p>");
    let applied = update(&cell, json!({ "operation": "replace", "sectionIndex": 1, "content": content })).unwrap();
    let changes = applied.changes.as_array().unwrap();
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0]["to"].as_u64().unwrap() - changes[0]["from"].as_u64().unwrap(), 3);
    assert_eq!(changes[0]["content"], json!([{ "type": "text", "text": "new" }]));
    assert!(cell.document().to_html().contains("word is new"));
}

#[test]
fn the_changes_of_any_two_documents_lead_from_one_to_the_other() {
    let mut random = Random::new();
    for round in 0..3000 {
        let (old_html, new_html) = pair(&mut random);
        let (old, new) = (Document::from_html(&old_html).unwrap(), Document::from_html(&new_html).unwrap());
        let found = between(&old, &new);
        assert!(
            found.windows(2).all(|pair| pair[0].to <= pair[1].from),
            "round {round}: in order\n{old_html}\n{new_html}"
        );
        let reached = change::replace(&old, &found).unwrap();
        assert_eq!(reached.to_json(), new.to_json(), "round {round}\n{old_html}\n{new_html}");
    }
}

#[test]
fn each_change_by_itself_leaves_a_valid_document() {
    let mut random = Random::new();
    for round in 0..1000 {
        let (old_html, new_html) = pair(&mut random);
        let (old, new) = (Document::from_html(&old_html).unwrap(), Document::from_html(&new_html).unwrap());
        for change in between(&old, &new) {
            let reached = change::replace(&old, std::slice::from_ref(&change)).unwrap();
            for block in reached.blocks() {
                let checked = reached.schema().check(block);
                assert_eq!(checked, Ok(()), "round {round}: {change:?}\n{old_html}\n{new_html}");
            }
        }
    }
}

/// Two documents, the second mostly an edit of the first.
fn pair(random: &mut Random) -> (String, String) {
    let blocks: Vec<String> = (0..1 + random.below(5)).map(|_| html::blocks(random, 1)).collect();
    let mut edited = blocks.clone();
    for _ in 0..random.below(4) {
        let at = random.below(edited.len());
        match random.below(4) {
            0 => edited[at] = edited[at].replacen("tea", "coffee", 1),
            1 => edited.insert(at, html::blocks(random, 1)),
            2 if edited.len() > 1 => drop(edited.remove(at)),
            _ => edited[at] = html::blocks(random, 1),
        }
    }
    (blocks.concat(), edited.concat())
}

#[test]
fn paragraphs_that_are_all_rewritten_change_one_by_one() {
    for (html, content) in [
        ("<p>One two.</p><p>Three four.</p><p>Five six.</p>", "Red green.\nBlue black.\nWhite grey."),
        (
            "<ul><li><p>One two.</p></li><li><p>Three four.</p></li><li><p>Five six.</p></li></ul>",
            "<ul><li>Red green.</li><li>Blue black.</li><li>White grey.</li></ul>",
        ),
    ] {
        let edits = serde_json::json!([{ "start_line": 1, "end_line": 3, "content": content }]);
        let given = serde_json::json!({ "operation": "replace_lines", "edits": edits });
        let applied = crate::update(&crate::cell(html), given).unwrap();
        assert_eq!(applied.changes.as_array().map(Vec::len), Some(3), "{html}");
    }
}
