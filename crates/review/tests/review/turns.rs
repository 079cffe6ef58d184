//! Taking back what a turn did.

use super::cell;
use super::html;
use super::review::{TEA, edit, hunks, person, person_blocks, propose, replace, reviewed};
use crate::random::Random;
use copydesk_document::{Document, Node};
use copydesk_review::Error;
use copydesk_review::ReviewCell;
use copydesk_review::decide::{Reviewed, accept, set_mode, undo_turn};
use copydesk_review::{Mode, Which};
use serde_json::json;

fn base(cell: &ReviewCell) -> String {
    cell.base().to_html()
}

#[test]
fn a_turn_is_taken_back_with_all_its_edits() {
    let cell = cell(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Older.</p><p>And some more.</p>"));
    edit(&cell, "t1", "b", json!({ "operation": "delete", "sectionIndex": 2 }));
    edit(&cell, "t1", "c", json!({ "operation": "append", "title": "End", "content": "<p>Done.</p>" }));
    edit(&cell, "t2", "d", replace(0, "<p>All about tea.</p>"));
    let undone = undo_turn(&cell, "t1").unwrap();
    assert_eq!(base(&cell), TEA.replace("About", "All about"));
    assert_eq!((undone.restored, undone.left), (6, vec![]));
}

#[test]
fn what_the_person_has_touched_since_stays_and_is_named() {
    let cell = cell(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Older.</p>"));
    edit(&cell, "t1", "b", replace(2, "<p>Few.</p>"));
    person(&cell, &base(&cell).replace("Older", "Much older"));
    let undone = undo_turn(&cell, "t1").unwrap();
    assert_eq!(base(&cell), TEA.replace("Old", "Much older"));
    assert_eq!(undone.restored, 1);
    let [left] = &undone.left[..] else { panic!("{undone:?}") };
    assert_eq!((left.text.as_str(), left.line), ("Much older.", 4));
    assert_eq!(left.to - left.from, "Much older.".len() + 2);
}

/// A split or a join in any place, also in a word or before a sign, and typing into one of the blocks since.
#[test]
fn text_that_a_split_or_a_join_moved_is_neither_lost_nor_doubled() {
    let mut random = Random::new();
    let texts =
        ["Alpha line is old and hot?!", "这是一个很长的中文段落完了", "a.", "One two", "caf\u{e9} 😀😀", "aa aa"];
    for _ in 0..400 {
        let text: Vec<char> = random.pick(&texts).chars().collect();
        let at = 1 + random.below(text.len() - 1);
        let [first, second] = [&text[..at], &text[at..]].map(|part| part.iter().collect::<String>().trim().to_owned());
        if first.is_empty() || second.is_empty() {
            continue;
        }
        let whole = format!("<p>Tea</p><p>{first}{second}</p><p>Other.</p>");
        let parts = |one: &str, two: &str| format!("<p>Tea</p><p>{first}{one}</p><p>{second}{two}</p><p>Other.</p>");
        let is_split = random.below(2) == 0;
        let (before, after) = if is_split { (whole, parts("", "")) } else { (parts("", ""), whole) };
        let typed = match (is_split, random.below(2) == 0) {
            (true, true) => parts("QQ", ""),
            (true, false) => parts("", "QQ"),
            (false, _) => after.replace("</p><p>Other", "QQ</p><p>Other"),
        };
        let cell = cell(&before);
        let proposed = Document::from_html(&after).expect("the text is HTML");
        propose(&cell, "t1", proposed.blocks().to_vec());
        person(&cell, &typed);
        undo_turn(&cell, "t1").unwrap();
        let letters = |html: &str| html.replace("<p>", "").replace("</p>", "").replace(' ', "");
        assert_eq!(letters(&base(&cell)), letters(&typed), "{before} → {typed}");
    }
}

#[test]
fn what_the_person_wrote_between_two_edits_of_a_turn_is_kept() {
    let cell = cell("<p>one two</p>");
    edit(&cell, "t1", "a", replace(0, "<p>1 two</p>"));
    person(&cell, "<p>1 two mine</p>");
    edit(&cell, "t1", "b", replace(0, "<p>1 2 mine</p>"));
    undo_turn(&cell, "t1").unwrap();
    assert_eq!(base(&cell), "<p>1 two mine</p>");
}

#[test]
fn what_the_person_brought_back_already_does_not_come_twice() {
    let html = "<p>one</p><p>two</p><p>three</p><p>four</p><p>five 5</p>";
    let lines = |start: i64, end: i64, content: &str| json!({ "operation": "replace_lines", "edits": [{ "start_line": start, "end_line": end, "content": content }] });
    let cell = cell(html);
    edit(&cell, "t1", "a", lines(2, 4, ""));
    edit(&cell, "t1", "b", lines(2, 2, "five V"));
    assert_eq!(base(&cell), "<p>one</p><p>five V</p>");
    person(&cell, html);
    let undone = undo_turn(&cell, "t1").unwrap();
    assert_eq!((undone.restored, undone.left), (0, vec![]));
    assert_eq!(base(&cell), html);
}

#[test]
fn of_equal_blocks_those_that_were_deleted_come_back() {
    let html = "<p>a</p><p></p><p></p><p></p><p>b</p>";
    let cell = cell(html);
    edit(
        &cell,
        "t1",
        "a",
        json!({ "operation": "replace_lines", "edits": [{ "start_line": 2, "end_line": 3, "content": "" }] }),
    );
    undo_turn(&cell, "t1").unwrap();
    assert_eq!(base(&cell), html);
}

#[test]
fn a_turn_that_is_unknown_or_was_taken_back_is_an_error_that_names_those_that_are_there() {
    let cell = cell(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Older.</p>"));
    edit(&cell, "t2", "b", replace(2, "<p>Few.</p>"));
    undo_turn(&cell, "t1").unwrap();
    let error = undo_turn(&cell, "t1").unwrap_err();
    assert_eq!(error, Error::UnknownTurn { given: "t1".into(), valid: vec!["t2".into()] });
    assert_eq!(base(&cell), TEA.replace("Many", "Few"));
}

#[test]
fn what_waits_of_a_turn_is_rejected_and_what_was_accepted_is_taken_back() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Older.</p>"));
    edit(&cell, "t1", "b", replace(2, "<p>Few.</p>"));
    edit(&cell, "t2", "c", replace(0, "<p>All about tea.</p>"));
    accept(&cell, &Which::ToolId("a".into())).unwrap();
    assert_eq!(undo_turn(&cell, "t1").unwrap().restored, 1);
    assert_eq!(base(&cell), TEA);
    assert_eq!(cell.document().to_html(), TEA.replace("About", "All about"));
    assert_eq!(hunks(&cell).iter().map(|hunk| hunk.turns()).collect::<Vec<_>>(), [["t2"]]);
}

#[test]
fn a_turn_of_which_everything_waits_can_be_taken_back() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Older.</p>"));
    let undone = undo_turn(&cell, "t1").unwrap();
    assert_eq!((undone.restored, undone.left), (0, vec![]));
    assert_eq!(cell.document().to_html(), TEA);
    assert!(undo_turn(&cell, "t1").is_err());
}

#[test]
fn only_the_last_hundred_turns_are_remembered() {
    let cell = cell("<p>0</p>");
    for turn in 1..=120 {
        edit(&cell, &format!("t{turn}"), "a", replace(0, &format!("<p>{turn}</p>")));
    }
    let Err(Error::UnknownTurn { valid, .. }) = undo_turn(&cell, "t20") else { panic!("t20 is too long ago") };
    assert_eq!((valid.len(), valid[0].as_str()), (100, "t21"));
}

/// Random blocks for a document: some edited, some new, some removed, some moved.
fn edited(random: &mut Random, document: &Document) -> Vec<Node> {
    let mut blocks = document.blocks().to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(blocks.len());
        let fresh = Document::from_html(html::blocks(random, 2)).unwrap().blocks().to_vec();
        match random.below(5) {
            4 => {
                let (first, last) = (at, at + 1 + random.below(blocks.len() - at));
                blocks[first..last].rotate_left(random.below(last - first));
            }
            0 => drop(blocks.splice(at..at, fresh)),
            1 if blocks.len() > 1 => drop(blocks.remove(at)),
            2 => drop(blocks.splice(at..at + 1, fresh)),
            _ => {
                let html = Document::from_blocks(document.schema().clone(), vec![blocks[at].clone()]).to_html();
                let changed = Document::from_html(html.replacen("tea", "coffee", 1)).unwrap();
                drop(blocks.splice(at..at + 1, changed.blocks().to_vec()));
            }
        }
    }
    blocks
}

#[test]
fn taking_back_all_turns_in_reverse_order_gives_the_first_document() {
    let mut random = Random::new();
    for round in 0..600 {
        let first: String = (0..1 + random.below(6)).map(|_| html::blocks(&mut random, 1)).collect();
        let cell = cell(&first);
        let before = cell.base();
        let turns = 1 + random.below(4);
        for turn in 1..=turns {
            // Some edits go through at once, some are proposals that are accepted, in one go or one by one.
            let review = random.below(2) == 0;
            set_mode(&cell, if review { Mode::Review } else { Mode::Auto });
            for _ in 0..1 + random.below(3) {
                propose(&cell, &format!("t{turn}"), edited(&mut random, &cell.document()));
            }
            while review && random.below(8) > 0 && !hunks(&cell).is_empty() {
                let which = Which::Hunk(random.pick(&hunks(&cell)).id.clone());
                accept(&cell, &which).unwrap();
            }
            accept(&cell, &Which::All).unwrap();
        }
        let last = cell.base();
        for turn in (1..=turns).rev() {
            // A turn whose edits cancelled out had no effect, and may be unknown.
            let known = cell.review().borrow().turns.0.iter().any(|known| known.id == format!("t{turn}"));
            if known {
                let undone = undo_turn(&cell, &format!("t{turn}")).unwrap();
                assert_eq!(undone.left, [], "round {round}: nobody else was there\n{before:?}\n{last:?}");
            }
        }
        assert_eq!(cell.base(), before, "round {round}\n{last:?}");
        assert_eq!(cell.document(), before, "round {round}");
    }
}

#[test]
fn taking_back_never_takes_what_the_person_wrote() {
    let mut random = Random::new();
    for round in 0..500 {
        let cell = cell(&(0..2 + random.below(5)).map(|_| html::blocks(&mut random, 1)).collect::<String>());
        let mut mine = Vec::new();
        for turn in 1..=3 {
            propose(&cell, &format!("t{turn}"), edited(&mut random, &cell.document()));
            let mut blocks = cell.base().blocks().to_vec();
            let sign = format!("mine{turn}");
            let at = random.below(blocks.len());
            let paragraph = Document::from_html(format!("<p>{sign}</p>")).unwrap().blocks()[0].clone();
            match cell.base().schema().is_textblock(blocks[at].kind()) {
                true => {
                    let mut children = blocks[at].children().to_vec();
                    children.insert(0, Node::text_node(cell.base().schema(), sign.as_str(), Default::default()));
                    blocks[at] = blocks[at].with_children(children);
                }
                false => blocks.insert(at, paragraph),
            }
            person_blocks(&cell, blocks);
            mine.push(sign);
        }
        // What the agent itself overwrote afterwards is its own affair.
        mine.retain(|sign| base(&cell).contains(sign.as_str()));
        for turn in [2, 3, 1] {
            let _ = undo_turn(&cell, &format!("t{turn}"));
        }
        for sign in &mine {
            assert!(base(&cell).contains(sign.as_str()), "round {round}: {sign} in {}", base(&cell));
        }
    }
}
