//! Hunks that several pages share: the same base and the same list give the same hunks in each.

use super::review::{TEA, edit, hunks, person, reviewed};
use crate::random::Random;
use copydesk_document::Document;
use copydesk_review::decide::{Reviewed, accept, reject, resolve};
use copydesk_review::undo_decision::undo_decision;
use copydesk_review::{Authors, HunkOutcome, ReviewCell, Verdict, Version, WaitingReason, Which};
use serde_json::{Value, json};

/// Returns the hunks as they are stored: each with the content of its range of base when it was made.
fn stored(cell: &ReviewCell) -> Vec<Value> {
    let review = cell.review().borrow();
    let base: Value = serde_json::from_str(&review.base().to_json()).unwrap();
    let schema = review.base().schema().clone();
    let original = |from: usize, to: usize| -> Vec<Value> {
        let document = Document::from_json(&base.to_string(), schema.clone()).unwrap();
        let nodes = copydesk_edit::change::content_between(&document, from, to);
        nodes.iter().map(|node| node.to_value(&schema)).collect()
    };
    let store = |hunk: &copydesk_review::Hunk| {
        let mut value = hunk.to_value(review.base());
        value["original"] = original(hunk.change.from, hunk.change.to).into();
        value
    };
    review.hunks().iter().map(store).collect()
}

fn adopt(cell: &ReviewCell, hunks: &[Value], decided: Value) -> Vec<(String, WaitingReason)> {
    cell.review().borrow_mut().adopt(&json!({ "hunks": hunks, "decided": decided })).unwrap()
}

/// Returns decisions as they are stored.
fn decisions(taken: &[(String, HunkOutcome)]) -> Value {
    taken.iter().map(|(id, outcome)| json!({ "id": id, "outcome": outcome })).collect()
}

fn shared(html: &str, first: u64) -> ReviewCell {
    let cell = reviewed(html);
    cell.review().borrow_mut().share(first);
    cell
}

fn same(hunks: &[Value]) -> Vec<Value> {
    let mut hunks = hunks.to_vec();
    for hunk in &mut hunks {
        hunk.as_object_mut().unwrap().remove("turnIds");
        hunk.as_object_mut().unwrap().remove("foundBy");
    }
    hunks
}

fn html(cell: &ReviewCell) -> String {
    cell.document().to_html()
}

fn base(cell: &ReviewCell) -> String {
    cell.review().borrow().base().to_html()
}

/// One page with hunks of three calls.
fn first_page() -> ReviewCell {
    let cell = shared(TEA, 1000);
    let agent = Some(json!({ "name": "Robot" }));
    cell.review().borrow_mut().set_authors(Authors { agent, person: None });
    edit(&cell, "t1", "c1", json!({ "operation": "replace_text", "old": "About tea.", "new": "All about green tea." }));
    edit(&cell, "t1", "c2", json!({ "operation": "append", "title": "Taste", "content": "<ul><li>sweet</li></ul>" }));
    edit(&cell, "t2", "c3", json!({ "operation": "delete", "sectionIndex": 1 }));
    cell
}

#[test]
fn another_page_has_the_same_hunks_with_the_same_ids_and_authors() {
    let (one, two) = (first_page(), shared(TEA, 2000));
    assert!(adopt(&two, &stored(&one), json!([])).is_empty());
    assert_eq!(same(&stored(&two)), same(&stored(&one)));
    assert_eq!(html(&two), html(&one));
    assert_eq!(stored(&two)[0]["author"], json!({ "name": "Robot" }));
    assert!(stored(&two).iter().all(|hunk| hunk["turnIds"] == json!([])), "turns are those of another page");

    // Adopting again changes nothing, and the page that made the hunks keeps the turns.
    let revision = two.review().borrow().revision();
    adopt(&two, &stored(&one), json!([]));
    assert_eq!(two.review().borrow().revision(), revision);
    adopt(&one, &stored(&one), json!([]));
    assert_eq!(stored(&one)[0]["turnIds"], json!(["t1"]));

    // New hunks of the other page have other ids, and the first ones are unchanged.
    edit(&two, "t1", "c9", json!({ "operation": "replace_text", "old": "Many", "new": "Six" }));
    let ids = |cell: &ReviewCell| hunks(cell).into_iter().map(|hunk| hunk.id).collect::<Vec<_>>();
    assert_eq!(ids(&two).len(), ids(&one).len() + 1);
    assert!(ids(&one).iter().all(|id| ids(&two).contains(id)));
    adopt(&one, &stored(&two), json!([]));
    assert_eq!(same(&stored(&one)), same(&stored(&two)));
}

#[test]
fn a_hunk_that_another_page_has_changed_has_its_author_and_calls_in_all_pages() {
    let (one, two) = (first_page(), shared(TEA, 2000));
    adopt(&two, &stored(&one), json!([]));
    two.review().borrow_mut().set_authors(Authors { agent: Some(json!({ "name": "Other" })), person: None });
    edit(&two, "t1", "c9", json!({ "operation": "replace_text", "old": "green", "new": "black" }));
    for _ in 0..2 {
        adopt(&one, &stored(&two), json!([]));
        assert_eq!(same(&stored(&one)), same(&stored(&two)));
    }
    let changed =
        stored(&one).into_iter().find(|hunk| hunk["newText"].as_str().is_some_and(|text| text.contains("black")));
    let changed = changed.unwrap();
    assert_eq!((&changed["author"], &changed["toolIds"]), (&json!({ "name": "Other" }), &json!(["c1", "c9"])));
    // Turns of this page are told of the decision about it.
    assert_eq!(changed["turnIds"], json!(["t1"]));
}

#[test]
fn the_model_is_told_of_decisions_of_another_page_once() {
    let (one, two) = (first_page(), shared(TEA, 2000));
    adopt(&two, &stored(&one), json!([]));
    let all = stored(&one);
    let id = hunks(&one)[0].id.clone();
    accept(&two, &Which::Hunk(id.clone())).unwrap();
    let taken = two.review().borrow_mut().take_decisions();
    assert_eq!(taken, [(id.clone(), HunkOutcome::Accepted)]);
    person(&one, &base(&two));
    let left: Vec<Value> = stored(&two);
    let told = |cell: &ReviewCell| cell.review().borrow_mut().take_verdicts(&["t1".into(), "t2".into()]);
    for _ in 0..2 {
        adopt(&one, &left, decisions(&taken));
    }
    let verdicts: Vec<Verdict> = told(&one);
    assert_eq!(verdicts.len(), 1, "{verdicts:?}");
    assert_eq!((verdicts[0].hunk.as_str(), verdicts[0].outcome), (id.as_str(), HunkOutcome::Accepted));
    assert!(told(&two).is_empty(), "the other page has no model of these turns");

    // Taken back, it is pending again in both, with its turn.
    undo_decision(&two, None).unwrap();
    assert_eq!(two.review().borrow_mut().take_decisions(), [(id.clone(), HunkOutcome::Undone)]);
    person(&one, &base(&two));
    adopt(&one, &all, json!([]));
    assert_eq!(told(&one)[0].outcome, HunkOutcome::Undone);
    assert_eq!(stored(&one)[0]["turnIds"], json!(["t1"]));
    assert_eq!(html(&one), html(&two));
}

#[test]
fn own_decisions_are_noted_and_those_that_were_refused_are_not() {
    let one = first_page();
    let ids: Vec<String> = hunks(&one).into_iter().map(|hunk| hunk.id).collect();
    let taken = |cell: &ReviewCell| cell.review().borrow_mut().take_decisions();
    reject(&one, &Which::Hunk(ids[0].clone())).unwrap();
    assert_eq!(taken(&one), [(ids[0].clone(), HunkOutcome::Rejected)]);
    resolve(&one, &ids[2], Version::Both).unwrap();
    assert_eq!(taken(&one), [(ids[2].clone(), HunkOutcome::Both)]);
    assert!(accept(&one, &Which::Hunk("h1".into())).is_err());
    assert!(taken(&one).is_empty());
    accept(&one, &Which::All).unwrap();
    assert_eq!(taken(&one).len(), ids.len() - 2);
    undo_decision(&one, Some(&Which::Hunk(ids[0].clone()))).unwrap();
    assert_eq!(taken(&one), [(ids[0].clone(), HunkOutcome::Undone)]);
}

#[test]
fn a_hunk_whose_text_was_changed_is_a_conflict_and_one_that_came_true_is_void() {
    let one = first_page();
    let all = stored(&one);
    let two = shared(&TEA.replace("About tea.", "Abuut tea."), 2000);
    adopt(&two, &all, json!([]));
    assert!(hunks(&two).iter().any(|hunk| hunk.conflict));
    let again = shared(TEA, 3000);
    let mut void = all[0].clone();
    void["content"] = void["original"].clone();
    assert_eq!(adopt(&again, &[void.clone()], json!([])), [(void["id"].as_str().unwrap().into(), WaitingReason::Void)]);
    assert!(hunks(&again).is_empty());
}

#[test]
fn of_two_hunks_for_one_text_the_first_is_pending_and_the_other_waits() {
    let two = shared("<p>Tea is old.</p>", 2000);
    let hunk = |id: &str, from: usize, to: usize, text: &str, original: &str| {
        let nodes = |text: &str| match text.is_empty() {
            true => json!([]),
            false => json!([{ "type": "text", "text": text }]),
        };
        json!({ "id": id, "from": from, "to": to, "content": nodes(text), "original": nodes(original) })
    };
    let [a, b] = [hunk("h7", 1, 4, "Coffee", "Tea"), hunk("h8", 1, 7, "It", "Tea is")];
    assert_eq!(adopt(&two, &[a.clone(), b.clone()], json!([])), [("h8".into(), WaitingReason::Excluded)]);
    assert_eq!(html(&two), "<p>Coffee is old.</p>");
    assert_eq!(adopt(&two, &[b, a], json!([])), [("h7".into(), WaitingReason::Excluded)]);
    assert_eq!(html(&two), "<p>It old.</p>");
    adopt(&two, &[], json!([]));
    assert_eq!(html(&two), "<p>Tea is old.</p>");

    // Two that are only right without one another: a list without items.
    let list = shared("<ul><li><p>a</p></li><li><p>b</p></li></ul>", 3000);
    let item = |text: &str| json!({ "type": "listItem", "content": [{ "type": "paragraph", "content": [{ "type": "text", "text": text }] }] });
    let gone = |id: &str, from: usize, text: &str| json!({ "id": id, "from": from, "to": from + 5, "content": [], "original": [item(text)] });
    let waiting = adopt(&list, &[gone("h9", 1, "a"), gone("h10", 6, "b")], json!([]));
    assert_eq!(waiting, [("h10".into(), WaitingReason::Excluded)]);
    assert_eq!(html(&list), "<ul><li><p>b</p></li></ul>");
}

#[test]
fn damaged_hunks_are_left_out_and_change_nothing() {
    let two = shared(TEA, 2000);
    let good = stored(&first_page());
    let text = |text: &str| json!([{ "type": "text", "text": text }]);
    let mut bad = vec![
        json!(null),
        json!(7),
        json!({}),
        json!({ "id": "h1" }),
        json!({ "id": "x1", "from": 0, "to": 0, "content": [], "original": [] }),
        json!({ "id": "h0", "from": 1, "to": 1, "content": text("a"), "original": [] }),
        json!({ "id": "h18446744073709551615", "from": 1, "to": 1, "content": text("a"), "original": [] }),
        json!({ "id": "h2", "from": 1, "to": 99999, "content": [], "original": [] }),
        json!({ "id": "h3", "from": 5, "to": 2, "content": [], "original": [] }),
        json!({ "id": "h4", "from": 0, "to": 0, "content": text("in the document itself"), "original": [] }),
        json!({ "id": "h5", "from": 0, "to": 2, "content": [], "original": [] }),
        json!({ "id": "h6", "from": 1, "to": 1, "content": [{ "type": "unknown" }], "original": [] }),
        json!({ "id": "h7", "from": 1, "to": 1, "content": [{ "type": "table" }], "original": [] }),
        json!({ "id": "h8", "from": -1, "to": 1.5, "content": "x", "original": {} }),
    ];
    let before = (html(&two), base(&two));
    assert_eq!(adopt(&two, &bad, json!([])).len(), bad.len());
    assert_eq!((html(&two), base(&two)), before);
    bad.extend(good.clone());
    assert!(
        adopt(&two, &bad, json!([{ "id": "h99", "outcome": "accepted" }]))
            .iter()
            .all(|(_, r)| *r == WaitingReason::Invalid)
    );
    assert_eq!(hunks(&two).len(), good.len());
    for value in [json!(null), json!([]), json!({ "hunks": 1 }), json!({ "hunks": [], "decided": 1 })] {
        assert!(two.review().borrow_mut().adopt(&value).is_err());
        assert_eq!(hunks(&two).len(), good.len());
    }
}

#[test]
fn random_hunks_of_several_pages_are_the_same_in_each_and_decisions_change_no_other() {
    // It prints its seed.
    let mut random = Random::new();
    for round in 0..150 {
        let pages: Vec<ReviewCell> = (1..4).map(|at| shared(TEA, at * 1000)).collect();
        let mut list: Vec<Value> = Vec::new();
        let mut decided = Vec::new();
        for step in 0..8 {
            let at = random.below(pages.len());
            let page = &pages[at];
            let others = hunks(page);
            if !others.is_empty() && random.below(3) == 0 {
                let id = others[random.below(others.len())].id.clone();
                let which = Which::Hunk(id);
                let _ =
                    if random.below(2) == 0 { accept(page, &which).map(drop) } else { reject(page, &which).map(drop) };
                let now = hunks(page);
                let noted = page.review().borrow_mut().take_decisions();
                for hunk in others.iter().filter(|hunk| !noted.iter().any(|(id, _)| *id == hunk.id)) {
                    let same = now.iter().find(|one| one.id == hunk.id);
                    assert_eq!(same.map(|one| &one.new_text), Some(&hunk.new_text), "round {round} step {step}");
                }
                decided.extend(noted);
            } else {
                let words = ["About", "tea", "Many", "old", "Green", "leaf"];
                let (old, new) = (words[random.below(words.len())], words[random.below(words.len())]);
                let update = json!({ "operation": "replace_text", "old": old, "new": format!("{new} {step}") });
                let update = copydesk_edit::DocUpdate::from_value(&update).unwrap();
                let context = copydesk_base::Locale::En.into();
                let _ = copydesk_edit::apply(page, &update, &context);
            }
            list = stored(page);
            let now = base(page);
            for other in &pages {
                person(other, &now);
                adopt(other, &list, decisions(&decided));
                assert_eq!(html(other), html(page), "round {round} step {step}");
                assert_eq!(same(&stored(other)), same(&list), "round {round} step {step}");
            }
        }
        // All rejected, the documents are base.
        let base_before = base(&pages[0]);
        reject(&pages[0], &Which::All).unwrap();
        assert_eq!(html(&pages[0]), base_before);
        drop(list);
    }
}
