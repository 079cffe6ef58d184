//! Review: base, which the person edits, and the agent's proposal beside it.

use super::cell;
use copydesk_base::Locale;
use copydesk_document::{Document, Node};
use copydesk_edit::apply::DocumentHolder;
use copydesk_edit::plan;
use copydesk_edit::plan::Replacement;
use copydesk_edit::{DocUpdate, EditContext, Origin, apply};
use copydesk_review::Error;
use copydesk_review::ReviewCell;
use copydesk_review::Reviewer;
use copydesk_review::decide::Reviewed;
use copydesk_review::decide::{accept, reject, resolve, set_mode};
use copydesk_review::hunk::HunkKind;
use copydesk_review::{Hunk, Mode, Verdict, Version, Which};
use serde_json::{Value, json};

pub const TEA: &str = "<h1>Tea</h1><p>About tea.</p><h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Many.</p>";

/// Returns a document on which the agent's edits wait.
pub fn reviewed(html: &str) -> ReviewCell {
    let cell = cell(html);
    set_mode(&cell, Mode::Review);
    cell
}

/// An edit of the agent's.
pub fn edit(cell: &ReviewCell, turn: &str, tool: &str, given: Value) {
    let origin = Origin { turn: Some(turn.into()), tool_id: Some(tool.into()), ..Origin::default() };
    let context = EditContext { locale: Locale::En, origin, ..EditContext::default() };
    apply(cell, &DocUpdate::from_value(&given).unwrap(), &context).unwrap();
}

/// The person makes what the editor holds another.
pub fn person(cell: &ReviewCell, html: &str) {
    person_blocks(cell, Document::from_html(html).unwrap().blocks().to_vec());
}

/// The same with blocks.
pub fn person_blocks(cell: &ReviewCell, blocks: Vec<Node>) {
    let now = cell.review().borrow().next_base();
    let all = 0..now.blocks().len();
    cell.review().borrow_mut().follow(now.replace_blocks(all, blocks));
}

/// The agent makes the document another.
pub fn propose(cell: &ReviewCell, turn: &str, blocks: Vec<Node>) {
    let old = cell.document();
    let all = Replacement { blocks: 0..old.blocks().len(), with: blocks };
    let origin = Origin { turn: Some(turn.into()), ..Origin::default() };
    cell.dispatch(&plan::plan(&old, &all), &origin).unwrap();
}

pub fn hunks(cell: &ReviewCell) -> Vec<Hunk> {
    cell.review().borrow().hunks()
}

fn base(cell: &ReviewCell) -> String {
    cell.base().to_html()
}

fn proposed(cell: &ReviewCell) -> String {
    cell.document().to_html()
}

pub fn replace(section: usize, content: &str) -> Value {
    json!({ "operation": "replace", "sectionIndex": section, "content": content })
}

#[test]
fn a_proposal_leaves_the_document_as_it_is_and_is_what_the_agent_reads() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Very old.</p>"));
    assert_eq!(base(&cell), TEA);
    assert_eq!(proposed(&cell), TEA.replace("Old", "Very old"));
}

#[test]
fn in_auto_mode_there_is_nothing_to_decide() {
    let cell = cell(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Very old.</p>"));
    assert_eq!(base(&cell), TEA.replace("Old", "Very old"));
    assert_eq!(hunks(&cell), []);
}

#[test]
fn a_hunk_says_what_it_is_and_whose() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(0, "<p>About tea.</p><p>New.</p>"));
    edit(&cell, "t1", "a", replace(1, "<p>Older.</p>"));
    edit(&cell, "t2", "b", json!({ "operation": "delete", "sectionIndex": 2 }));
    let hunks = hunks(&cell);
    let brief =
        |hunk: &Hunk| (hunk.id.clone(), hunk.kind, hunk.block, hunk.original_text.clone(), hunk.new_text.clone());
    assert_eq!(
        hunks.iter().map(brief).collect::<Vec<_>>(),
        [
            ("h1".into(), HunkKind::Insertion, true, "".into(), "New.".into()),
            ("h2".into(), HunkKind::Edit, false, "Old".into(), "Older".into()),
            ("h3".into(), HunkKind::Deletion, true, "Kinds\nMany.".into(), "".into()),
        ]
    );
    let whose: Vec<_> = hunks.iter().map(|hunk| (hunk.turns(), hunk.tool_ids())).collect();
    assert_eq!(whose, [(vec!["t1"], vec!["a"]), (vec!["t1"], vec!["a"]), (vec!["t2"], vec!["b"])]);
    let lines: Vec<_> = hunks.iter().map(|hunk| (hunk.original_lines, hunk.lines)).collect();
    assert_eq!(lines, [((3, 3), (3, 3)), ((4, 4), (5, 5)), ((5, 6), (5, 5))]);
    assert!(hunks.iter().all(|hunk| !hunk.conflict));
}

#[test]
fn accepting_moves_base_to_the_proposal_and_rejecting_moves_it_back() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Older.</p>"));
    edit(&cell, "t1", "b", replace(2, "<p>Few.</p>"));
    assert_eq!(accept(&cell, &Which::ToolId("a".into())).unwrap().hunks, ["h1"]);
    assert_eq!(base(&cell), TEA.replace("Old", "Older"));
    assert_eq!(proposed(&cell), TEA.replace("Old", "Older").replace("Many", "Few"));
    assert_eq!(reject(&cell, &Which::Hunk("h2".into())).unwrap(), ["h2"]);
    assert_eq!(proposed(&cell), base(&cell));
    assert_eq!(hunks(&cell), []);
}

#[test]
fn a_hunk_that_is_not_there_is_an_error_that_names_those_that_are() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Older.</p>"));
    let error = accept(&cell, &Which::Hunk("h9".into())).unwrap_err();
    assert_eq!(error, Error::UnknownHunk { given: "h9".into(), valid: vec!["h1".into()] });
    assert_eq!(reject(&cell, &Which::Turn("t9".into())).unwrap(), Vec::<String>::new());
}

#[test]
fn the_model_hears_once_what_was_decided() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Older.</p>"));
    edit(&cell, "t1", "b", replace(2, "<p>Few.</p>"));
    edit(&cell, "t2", "c", json!({ "operation": "append", "title": "End", "content": "<p>Fin.</p>" }));
    accept(&cell, &Which::Hunk("h1".into())).unwrap();
    reject(&cell, &Which::All).unwrap();
    let verdicts = cell.verdicts(&["t1".to_owned()]);
    let said = Verdict::in_words(&verdicts, |id| (id == "a").then(|| "update_section".to_owned()), Locale::En);
    assert_eq!(said, "[Review] The user decided:\nupdate_section: accepted h1 (line 4)\nan edit: rejected h2 (line 6)");
    assert_eq!(cell.verdicts(&["t1".to_owned()]), []);
    assert_eq!(cell.verdicts(&["t2".to_owned()]).len(), 1, "what another agent made is told to that one");
}

#[test]
fn what_is_told_of_decisions_is_short_however_much_was_decided() {
    let text = "很长的一段修改，".repeat(50);
    let cell = reviewed(&(0..40).map(|at| format!("<p>old {at}</p><p>between</p>")).collect::<String>());
    edit(&cell, "t1", "a", json!({ "operation": "replace_text", "old": "old", "new": text, "all": true }));
    edit(&cell, "t1", "b", json!({ "operation": "append", "title": text, "content": text }));
    reject(&cell, &Which::Hunk("h7".into())).unwrap();
    accept(&cell, &Which::All).unwrap();
    let verdicts = cell.verdicts(&["t1".to_owned()]);
    let tool = |id: &str| Some(if id == "a" { "replace_text" } else { "update_section" }.to_owned());
    let english = Verdict::in_words(&verdicts, tool, Locale::En);
    let chinese = Verdict::in_words(&verdicts, tool, Locale::ZhCn);
    assert_eq!(
        english.lines().skip(1).collect::<Vec<_>>(),
        [
            "replace_text: accepted 39 hunks (h1, h2, h3, …); rejected h7 (line 13)",
            "update_section: accepted h41 (line 81)",
        ]
    );
    assert_eq!(
        chinese.lines().skip(1).collect::<Vec<_>>(),
        [
            "replace_text：已接受 39 处（h1, h2, h3, …）；已拒绝 h7（第 13 行）",
            "update_section：已接受 h41（第 81 行）"
        ]
    );
    assert!(english.lines().chain(chinese.lines()).all(|line| line.chars().count() <= 80));
    assert!(!chinese.contains("修改"));
}

#[test]
fn what_the_person_types_elsewhere_is_in_base_and_in_the_proposal() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Older.</p>"));
    person(&cell, &TEA.replace("Many", "Very many").replace("Old.", "Old. X"));
    assert_eq!(base(&cell), TEA.replace("Many", "Very many").replace("Old.", "Old. X"));
    assert_eq!(proposed(&cell), TEA.replace("Many", "Very many").replace("Old.", "Older. X"));
    assert_eq!(hunks(&cell).len(), 1);
    assert_eq!(hunks(&cell)[0].id, "h1");
    assert!(!hunks(&cell)[0].conflict);
}

#[test]
fn where_both_changed_the_same_word_the_hunk_is_a_conflict() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Young.</p>"));
    person(&cell, &TEA.replace("Old", "OXld"));
    assert_eq!(base(&cell), TEA.replace("Old", "OXld"));
    assert_eq!(proposed(&cell), TEA.replace("Old", "Young"));
    assert!(hunks(&cell)[0].conflict);
    let left = accept(&cell, &Which::All).unwrap();
    assert_eq!((left.hunks.len(), left.conflicts), (0, 1));
    assert_eq!(base(&cell), TEA.replace("Old", "OXld"));
    resolve(&cell, "h1", Version::Theirs).unwrap();
    assert_eq!(base(&cell), TEA.replace("Old", "Young"));
}

#[test]
fn typing_letter_by_letter_at_either_end_of_a_hunk_is_no_conflict() {
    for (old, new) in [("one two three", "one 2 three"), ("one two three", "one three"), ("one three", "one two three")]
    {
        let cell = reviewed(&format!("<p>{old}</p>"));
        edit(&cell, "t1", "a", replace(0, &format!("<p>{new}</p>")));
        let hunk = hunks(&cell).remove(0);
        for (typed, from) in [("abc", hunk.change.from - 1), ("def", hunk.change.to + 2)] {
            for (index, sign) in typed.chars().enumerate() {
                let mut text: Vec<char> = base(&cell)[3..].split('<').next().unwrap().chars().collect();
                text.insert(from + index + usize::from(typed == "def"), sign);
                person(&cell, &format!("<p>{}</p>", text.into_iter().collect::<String>()));
                let now = hunks(&cell);
                assert_eq!(now.len(), 1, "{old} → {new}: {now:?}");
                assert!(!now[0].conflict && now[0].id == "h1", "{old} → {new}: {now:?}");
            }
        }
        accept(&cell, &Which::All).unwrap();
        assert!(base(&cell).contains("abc") && base(&cell).contains("def"), "{}", base(&cell));
    }
}

#[test]
fn what_waits_goes_on_waiting_in_auto_mode_and_so_does_what_is_built_on_it() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Older.</p>"));
    set_mode(&cell, Mode::Auto);
    edit(&cell, "t2", "b", replace(2, "<p>Few.</p>"));
    assert_eq!((base(&cell).as_str(), hunks(&cell).len()), (TEA, 2));
    accept(&cell, &Which::All).unwrap();
    edit(&cell, "t3", "c", replace(2, "<p>None.</p>"));
    assert_eq!(base(&cell), TEA.replace("Old", "Older").replace("Many", "None"));
    assert_eq!(hunks(&cell), []);
}

#[test]
fn what_the_model_saw_keeps_its_ids_when_all_is_decided() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Older.</p><p>New here.</p>"));
    person(&cell, &TEA.replace("<h2>Kinds", "<p>A line of my own.</p><h2>Kinds"));
    edit(&cell, "t1", "b", json!({ "operation": "append", "title": "End", "content": "<p>Done.</p>" }));
    let shown = cell.document();
    accept(&cell, &Which::ToolId("b".into())).unwrap();
    accept(&cell, &Which::All).unwrap();
    assert_eq!(cell.document().block_ids(), shown.block_ids());
    assert_eq!(cell.base().block_ids(), shown.block_ids());
    assert_eq!(cell.document().version(), shown.version(), "the document that the model reads is the same");
}

#[test]
fn what_several_calls_wrote_side_by_side_is_decided_call_by_call() {
    for (first, second) in [("a", "b"), ("b", "a")] {
        let cell = reviewed("<h2>A</h2><p>a</p>");
        edit(&cell, "t1", "a", json!({ "operation": "append", "title": "B", "content": "<p>b</p>" }));
        edit(&cell, "t2", "b", json!({ "operation": "append", "title": "C", "content": "<p>c</p>" }));
        let both = proposed(&cell);
        let tools: Vec<Vec<String>> =
            hunks(&cell).iter().map(|hunk| hunk.tool_ids().iter().map(|id| (*id).to_owned()).collect()).collect();
        assert_eq!(tools, [["a"], ["b"]]);
        accept(&cell, &Which::ToolId(first.into())).unwrap();
        let alone = if first == "a" { "<h2>B</h2><p>b</p>" } else { "<h2>C</h2><p>c</p>" };
        assert_eq!(base(&cell), format!("<h2>A</h2><p>a</p>{alone}"));
        assert_eq!(proposed(&cell), both);
        accept(&cell, &Which::ToolId(second.into())).unwrap();
        assert_eq!(base(&cell), both);
        assert_eq!(hunks(&cell), []);
    }
}

#[test]
fn the_same_with_all_at_once_comes_to_the_proposal() {
    let cell = reviewed("<p></p>");
    edit(&cell, "t1", "a", json!({ "operation": "replace", "sectionIndex": 0, "title": "A", "content": "<p>a</p>" }));
    edit(&cell, "t2", "b", json!({ "operation": "append", "title": "B", "content": "<p>b</p>" }));
    edit(&cell, "t1", "c", json!({ "operation": "insert", "sectionIndex": 1, "title": "C", "content": "<p>c</p>" }));
    let all = proposed(&cell);
    assert_eq!(hunks(&cell).len(), 3);
    accept(&cell, &Which::All).unwrap();
    assert_eq!(base(&cell), all);
    assert_eq!(hunks(&cell), []);
}

#[test]
fn who_goes_on_with_a_word_in_a_conflict_goes_on_with_the_conflict() {
    let cell = reviewed("<p>It is very old.</p>");
    edit(&cell, "t1", "a", json!({ "operation": "replace_text", "old": "very", "new": "so" }));
    for typed in ["h", "hu", "hug", "huge", "hugel", "hugely"] {
        person(&cell, &format!("<p>It is {typed} old.</p>"));
    }
    assert_eq!(proposed(&cell), "<p>It is so old.</p>");
    let [hunk] = &hunks(&cell)[..] else { panic!("one hunk") };
    assert!(hunk.conflict);
    person(&cell, "<p>It is hugely, truly old.</p>");
    person(&cell, "<p>It is hugely, truly old and good.</p>");
    reject(&cell, &Which::All).unwrap();
    assert_eq!(base(&cell), "<p>It is hugely, truly old and good.</p>");
    assert_eq!(proposed(&cell), base(&cell));
}

#[test]
fn words_that_both_changed_in_several_hunks_are_a_conflict_for_each() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Young.</p>"));
    edit(&cell, "t1", "b", replace(2, "<p>Few.</p>"));
    person(&cell, &TEA.replace("Old", "OXld").replace("Many", "MXany"));
    let ids: Vec<_> = hunks(&cell).into_iter().map(|hunk| (hunk.id, hunk.conflict)).collect();
    assert_eq!(ids, [("h1".to_owned(), true), ("h2".to_owned(), true)]);
    resolve(&cell, "h2", Version::Theirs).unwrap();
    assert_eq!(base(&cell), TEA.replace("Old", "OXld").replace("Many", "Few"));
}

#[test]
fn blocks_of_several_calls_of_which_another_call_deletes_some_belong_to_the_calls_that_wrote_them() {
    let html = |lines: &[&str]| lines.iter().map(|line| format!("<p>{line}</p>")).collect::<String>();
    let blocks = |lines: &[&str]| Document::from_html(html(lines)).unwrap().blocks().to_vec();
    let cell = reviewed(&html(&["start"]));
    propose(&cell, "t1", blocks(&["start", "one", "two", "three"]));
    propose(&cell, "t2", blocks(&["start", "one", "two", "three", "four", "five"]));
    propose(&cell, "t3", blocks(&["start", "one", "two", "five"]));
    let of_turns: Vec<_> = hunks(&cell)
        .iter()
        .map(|hunk| (hunk.new_text.clone(), hunk.turns().iter().map(|turn| (*turn).to_owned()).collect::<Vec<_>>()))
        .collect();
    assert_eq!(of_turns, [("one\ntwo".to_owned(), vec!["t1".to_owned()]), ("five".to_owned(), vec!["t2".to_owned()])]);
}

#[test]
fn a_word_that_the_agent_deletes_and_writes_again_is_no_change() {
    let text = |text: &str| Document::from_html(format!("<p>{text}</p>")).unwrap().blocks().to_vec();
    let cell = reviewed("<p>one two three</p>");
    propose(&cell, "t1", text("one three"));
    assert_eq!(hunks(&cell).len(), 1);
    propose(&cell, "t2", text("one two three"));
    assert_eq!(hunks(&cell), []);
}

#[test]
fn a_block_that_is_inserted_where_a_conflict_ends_is_in_both_documents() {
    let cell = reviewed("<p>alpha beta</p><p>end</p>");
    propose(&cell, "t1", Document::from_html("<h2>New title</h2><p>end</p>").unwrap().blocks().to_vec());
    person(&cell, "<p>alpha beXta</p><hr><p>end</p>");
    assert_eq!(proposed(&cell), "<h2>New title</h2><hr><p>end</p>");
    let [hunk] = &hunks(&cell)[..] else { panic!("one hunk") };
    assert_eq!((hunk.conflict, hunk.original_text.as_str()), (true, "alpha beXta"));
}

#[test]
fn an_item_that_the_agent_writes_again_is_compared_with_the_former_one() {
    let list = |items: &[&str]| {
        let items: String = items.iter().map(|item| format!("<li><p>{item}</p></li>")).collect();
        Document::from_html(format!("<ul>{items}</ul>")).unwrap().blocks().to_vec()
    };
    let cell = cell("<ul><li><p>one</p></li><li><p>two</p></li><li><p>three and more</p></li></ul>");
    set_mode(&cell, Mode::Review);
    propose(&cell, "t1", list(&["one", "other"]));
    propose(&cell, "t2", list(&["one", "two", "three or more"]));
    let texts: Vec<_> = hunks(&cell).into_iter().map(|hunk| (hunk.original_text, hunk.new_text)).collect();
    assert_eq!(texts, [("and".to_owned(), "or".to_owned())]);
}
