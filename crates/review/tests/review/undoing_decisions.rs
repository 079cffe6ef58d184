//! A decision that is taken back leaves no trace: the document and the pending hunks are the former ones, with what the
//! user typed meanwhile. `ROUNDS` sets the number of runs, `COPYDESK_SEED=n` repeats a run.

use super::deciding::{World, rounds, typed};
use super::documents::for_seeds;
use super::review::{TEA, edit, hunks, person, person_blocks, propose, replace, reviewed};
use crate::random::Random;
use copydesk_base::Locale;
use copydesk_document::{Document, Node};
use copydesk_edit::change::{self, Change};
use copydesk_review::Error;
use copydesk_review::Reviewer;
use copydesk_review::decide::{Reviewed, accept, reject, resolve, undo_turn};
use copydesk_review::undo_decision::{UndoneDecision, undo_decision};
use copydesk_review::{HistoryMove, Hunk, Review, ReviewCell, Verdict, Version, Which};
use serde_json::Value;
use std::cell::{Cell, RefCell};

/// Everything that a review is.
fn state(review: &Review) -> (Document, Document, Vec<Hunk>) {
    (review.base().clone(), review.proposed().clone(), review.hunks())
}

fn of(cell: &ReviewCell) -> (Document, Document, Vec<Hunk>) {
    state(&cell.review().borrow())
}

/// Types a word into a block with no hunk near it, in the document and in its state before the decision: the oracle.
/// Returns false if there is no such block.
fn types_beside(world: &mut World, oracle: &mut Review) -> bool {
    let (now, then) = (world.cell.base(), oracle.base().clone());
    let ranges: Vec<_> = oracle.hunks().iter().map(|hunk| hunk.change.from..hunk.change.to).collect();
    let is_once = |document: &Document, block: &Node| document.blocks().iter().filter(|one| *one == block).count() == 1;
    let is_apart = |at: &usize| {
        let (start, end) = (then.block_start(*at), then.block_start(*at + 1));
        ranges.iter().all(|range| range.end < start || end < range.start)
    };
    let candidates: Vec<usize> = (0..then.blocks().len())
        .filter(is_apart)
        .filter(|at| is_once(&then, &then.blocks()[*at]) && is_once(&now, &then.blocks()[*at]))
        .collect();
    if candidates.is_empty() {
        return false;
    }
    let at = *world.random.pick(&candidates);
    let word = world.word();
    let schema = then.schema().clone();
    let text = Node::text_node(&schema, word.as_str(), Default::default());
    let block = typed(&mut world.random, &schema, &then.blocks()[at], &text);
    let place = now.blocks().iter().position(|one| *one == then.blocks()[at]).unwrap();
    let with = |document: &Document, at: usize| {
        let mut blocks = document.blocks().to_vec();
        blocks[at] = block.clone();
        blocks
    };
    world.log.push(format!("types {word} in block {place}"));
    let before = oracle.next_base();
    let all = 0..before.blocks().len();
    oracle.follow(before.replace_blocks(all, with(&then, at)));
    person_blocks(&world.cell, with(&now, place));
    true
}

/// Decides one hunk or several, or all. Returns whether anything was decided.
fn decides(world: &mut World) -> bool {
    let waiting = hunks(&world.cell);
    if waiting.is_empty() {
        return false;
    }
    let one = world.random.pick(&waiting).clone();
    let which = match world.random.below(4) {
        0 => Which::All,
        1 => Which::ToolId(one.tool_ids()[0].to_owned()),
        _ => Which::Hunk(one.id.clone()),
    };
    let way = world.random.below(5);
    world.log.push(format!("decides {which:?} {way}"));
    match way {
        0 | 1 => !accept(&world.cell, &which).unwrap().hunks.is_empty(),
        2 | 3 => !reject(&world.cell, &which).unwrap().is_empty(),
        _ => resolve(&world.cell, &one.id, Version::Both).is_ok(),
    }
}

fn undoes(world: &mut World) -> UndoneDecision {
    let undone = undo_decision(&world.cell, None).unwrap();
    world.log.push(format!("takes it back: {undone:?}"));
    world.gone.retain(|id| !undone.hunks.contains(id));
    undone
}

fn same(world: &World, expected: &(Document, Document, Vec<Hunk>)) {
    let (base, proposed, hunks) = of(&world.cell);
    let log = || world.log.join("\n");
    assert_eq!(base, expected.0, "base\n{}", log());
    assert_eq!(proposed, expected.1, "the proposal\n{}", log());
    assert_eq!(hunks, expected.2, "{}", log());
}

#[test]
fn decisions_are_taken_back_one_after_the_other_with_what_was_typed_beside() {
    let mut random = Random::new();
    let (mut undone, mut typed) = (0, 0);
    for _ in 0..rounds(300) {
        let mut world = World::new(Random::from_seed(random.next()), 8);
        for _ in 0..2 + world.random.below(4) {
            match world.random.below(4) {
                0 => world.type_something(),
                _ => world.propose(),
            }
        }
        // Each with the state before it, in which everything is typed as well.
        let mut before: Vec<Review> = Vec::new();
        for _ in 0..1 + world.random.below(4) {
            let review = world.cell.review().borrow().clone();
            if !decides(&mut world) {
                break;
            }
            world.check();
            before.push(review);
        }
        while let Some(mut oracle) = before.pop() {
            // Typed text is in all states before, or in none of them.
            if before.is_empty() && world.random.below(3) > 0 {
                typed += usize::from(types_beside(&mut world, &mut oracle));
                world.check();
            }
            let result = undoes(&mut world);
            assert_eq!(result.left, [""; 0], "{}", world.log.join("\n"));
            world.check();
            same(&world, &state(&oracle));
            undone += 1;
        }
        assert_eq!(undo_decision(&world.cell, None).unwrap(), UndoneDecision::default());
    }
    println!("{undone} decisions, {typed} with typing");
    assert!(undone > rounds(300) && typed * 10 > rounds(300));
}

#[test]
fn an_acceptance_that_the_editor_undoes_is_pending_again() {
    let mut random = Random::new();
    for _ in 0..rounds(200) {
        let mut world = World::new(Random::from_seed(random.next()), 6);
        (0..3).for_each(|_| world.propose());
        let waiting = hunks(&world.cell);
        if waiting.is_empty() {
            continue;
        }
        let mut oracle = world.cell.review().borrow().clone();
        let which =
            if world.random.below(3) == 0 { Which::All } else { Which::Hunk(world.random.pick(&waiting).id.clone()) };
        match &which {
            Which::Hunk(id) if world.random.below(3) == 0 => {
                let kept = resolve(&world.cell, id, Version::Both);
                world.log.push(format!("keeps both of {id}: {kept:?}"));
                // A deletion that is resolved by keeping both changes nothing in the editor.
                if kept.is_err() || world.cell.base() == *oracle.base() {
                    continue;
                }
            }
            _ => {
                accept(&world.cell, &which).unwrap();
                world.log.push(format!("accepts {which:?}"));
            }
        }
        if world.random.below(2) == 0 {
            types_beside(&mut world, &mut oracle);
        }
        // As an editor reports it: the previous blocks.
        let accepted = world.cell.base();
        let history = |direction| world.cell.review().borrow_mut().expect_history(direction);
        let done = of(&world.cell);
        history(HistoryMove::Undo);
        person_blocks(&world.cell, oracle.base().blocks().to_vec());
        same(&world, &state(&oracle));
        // Redone, it is accepted again; and so on.
        history(HistoryMove::Redo);
        person_blocks(&world.cell, accepted.blocks().to_vec());
        same(&world, &done);
        history(HistoryMove::Undo);
        person_blocks(&world.cell, oracle.base().blocks().to_vec());
        same(&world, &state(&oracle));
        // Without the history it is the user who takes the text away.
        history(HistoryMove::Redo);
        person_blocks(&world.cell, accepted.blocks().to_vec());
        person_blocks(&world.cell, oracle.base().blocks().to_vec());
        // What they take away may be all that another hunk was about.
        assert!(hunks(&world.cell).len() <= done.2.len(), "{}", world.log.join("\n"));
    }
}

#[test]
fn whatever_happens_between_nothing_that_was_typed_is_lost() {
    let mut random = Random::new();
    for _ in 0..rounds(300) {
        let mut world = World::new(Random::from_seed(random.next()), 5);
        (0..3).for_each(|_| world.propose());
        for _ in 0..8 {
            match world.random.below(6) {
                0 => world.propose(),
                1 | 2 => drop(decides(&mut world)),
                3 => world.type_something(),
                _ => {
                    let text = |world: &World| world.cell.base().to_html();
                    // No letter of it is in any other word, so that the typed text is recognized.
                    let word = format!("〈{}〉", world.word());
                    let mut blocks = world.cell.base().blocks().to_vec();
                    let at = world.random.below(blocks.len());
                    let schema = world.cell.base().schema().clone();
                    let node = Node::text_node(&schema, word.as_str(), Default::default());
                    blocks[at] = typed(&mut world.random, &schema, &blocks[at].clone(), &node);
                    person_blocks(&world.cell, blocks);
                    world.log.push(format!("types {word}"));
                    let is_there = text(&world).contains(&word);
                    let which = if world.random.below(2) == 0 { Some(Which::All) } else { None };
                    let undone = undo_decision(&world.cell, which.as_ref()).unwrap();
                    world.log.push(format!("takes back {which:?}: {undone:?}"));
                    world.gone.retain(|id| !undone.hunks.contains(id));
                    assert_eq!(text(&world).contains(&word), is_there, "{}", world.log.join("\n"));
                }
            }
            world.check();
        }
    }
}

#[test]
fn text_that_was_changed_since_stays_decided() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Very old.</p>"));
    edit(&cell, "t1", "b", replace(2, "<p>Few.</p>"));
    accept(&cell, &Which::All).unwrap();
    person(&cell, &TEA.replace("Old", "Very young and old").replace("Many", "Few"));
    let ids: Vec<String> = vec!["h1".into(), "h2".into()];
    let undone = undo_decision(&cell, None).unwrap();
    let mut all = [undone.hunks.clone(), undone.left.clone()].concat();
    all.sort();
    assert_eq!((all, undone.left.len()), (ids, 1), "{undone:?}");
    assert_eq!(cell.base().to_html(), TEA.replace("Old", "Very young and old"));
    assert_eq!(hunks(&cell).len(), 1);
    // It is not asked for again, and no other one is taken instead.
    let error = undo_decision(&cell, Some(&Which::Hunk("h9".into()))).unwrap_err();
    assert!(matches!(error, Error::UnknownHunk { valid, .. } if valid.len() == 1));
}

#[test]
fn a_selection_of_decisions_is_taken_back() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Very old.</p>"));
    edit(&cell, "t1", "b", replace(2, "<p>Few.</p>"));
    let before = of(&cell);
    accept(&cell, &Which::Hunk("h1".into())).unwrap();
    reject(&cell, &Which::Hunk("h2".into())).unwrap();
    let undone = undo_decision(&cell, Some(&Which::ToolId("a".into()))).unwrap();
    assert_eq!(undone.hunks, ["h1"]);
    assert_eq!(cell.base().to_html(), TEA);
    assert_eq!(hunks(&cell).len(), 1);
    assert_eq!(undo_decision(&cell, Some(&Which::All)).unwrap().hunks, ["h2"]);
    assert_eq!(of(&cell), before);
}

#[test]
fn deletions_that_meet_come_back_behind_what_is_pending_before_them() {
    let lines = |line: usize, content: &str| {
        let edit = serde_json::json!({ "start_line": line, "end_line": line, "content": content });
        serde_json::json!({ "operation": "replace_lines", "edits": [edit] })
    };
    let html = "<p>Zero.</p><h2>One</h2><p>Two.</p><p>Three.</p><p>Four.</p>";
    let cell = reviewed(html);
    edit(&cell, "t1", "new", lines(1, "Zero.\nBetween."));
    edit(&cell, "t1", "a", lines(3, ""));
    edit(&cell, "t2", "a", lines(3, ""));
    let before = of(&cell);
    assert!(before.2.len() > 2, "{:?}", before.2);
    accept(&cell, &Which::ToolId("a".into())).unwrap();
    assert_eq!(cell.base().to_html(), "<p>Zero.</p><p>Three.</p><p>Four.</p>");
    undo_decision(&cell, None).unwrap();
    assert_eq!(of(&cell), before);
}

#[test]
fn the_model_is_told_of_a_decision_that_was_taken_back() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Very old.</p>"));
    let turns = ["t1".to_owned()];
    // Before it heard of the decision there is nothing to correct.
    reject(&cell, &Which::All).unwrap();
    undo_decision(&cell, None).unwrap();
    assert_eq!(cell.verdicts(&turns), []);
    accept(&cell, &Which::All).unwrap();
    assert_eq!(cell.verdicts(&turns).len(), 1);
    undo_decision(&cell, None).unwrap();
    let told = cell.verdicts(&turns);
    let said = |locale| Verdict::in_words(&told, |_| Some("update_section".into()), locale);
    assert_eq!(
        said(Locale::En),
        "[Review] The user decided:\nupdate_section: took the decision back, pending again: h1 (line 4)"
    );
    assert_eq!(said(Locale::ZhCn), "[审阅] 用户的决定：\nupdate_section：已撤回决定、重新待定 h1（第 4 行）");
}

#[test]
fn decisions_of_a_turn_that_was_undone_are_not_taken_back() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Very old.</p>"));
    edit(&cell, "t1", "b", replace(2, "<p>Few.</p>"));
    accept(&cell, &Which::Hunk("h1".into())).unwrap();
    undo_turn(&cell, "t1").unwrap();
    assert_eq!(undo_decision(&cell, None).unwrap(), UndoneDecision::default());
    assert_eq!(cell.document().to_html(), TEA);
}

/// A document that counts how often it is told of changed hunks.
struct CountingHolder {
    cell: ReviewCell,
    told: Cell<usize>,
}

impl Reviewed for CountingHolder {
    fn review(&self) -> &RefCell<Review> {
        self.cell.review()
    }

    fn refresh(&self) -> Result<(), copydesk_edit::Error> {
        self.cell.refresh()
    }

    fn change_base(&self, changes: &[Change]) -> Result<(), copydesk_edit::Error> {
        self.cell.change_base(changes)
    }

    fn reviewed(&self) {
        self.told.set(self.told.get() + 1);
    }
}

#[test]
fn the_holder_is_told_once_of_a_decision_that_is_taken_back() {
    let cell = reviewed(TEA);
    edit(&cell, "t1", "a", replace(1, "<p>Older.</p>"));
    let holder = CountingHolder { cell: cell.clone(), told: Cell::new(0) };
    assert_eq!(undo_decision(&holder, None).map(|undone| undone.hunks.len()).unwrap_or_default(), 0);
    assert_eq!(holder.told.get(), 0, "nothing was decided yet");
    reject(&holder, &Which::All).unwrap();
    assert_eq!(holder.told.get(), 1);
    assert_eq!(undo_decision(&holder, None).unwrap().hunks, ["h1"]);
    assert_eq!(holder.told.get(), 2);
    assert_eq!(hunks(&cell).len(), 1);
}

/// A document in an editor, which reports the range in which its blocks differ: of equal blocks, the last one came. Its
/// plugins may append a paragraph to a document that ends with another block, and number the lists.
struct RangeHolder {
    cell: ReviewCell,
    has_plugins: bool,
    lists: Cell<u64>,
}

impl RangeHolder {
    fn new(html: &str, has_plugins: bool) -> RangeHolder {
        RangeHolder { cell: reviewed(html), has_plugins, lists: Cell::new(1) }
    }

    fn completed(&self, document: &Document) -> Vec<Node> {
        let mut blocks = document.blocks().to_vec();
        let paragraph = Document::from_html("<p></p>").unwrap().blocks()[0].clone();
        if blocks.last().is_none_or(|last| last.kind() != paragraph.kind()) {
            blocks.push(paragraph);
        }
        for block in &mut blocks {
            let mut value = block.to_value(document.schema());
            if value["attrs"]["start"] == 1 {
                self.lists.set(self.lists.get() + 1);
                value["attrs"]["start"] = self.lists.get().into();
                *block = Node::from_value(document.schema(), &value).unwrap();
            }
        }
        blocks
    }
}

impl Reviewed for RangeHolder {
    fn review(&self) -> &RefCell<Review> {
        self.cell.review()
    }

    fn refresh(&self) -> Result<(), copydesk_edit::Error> {
        Ok(())
    }

    fn change_base(&self, changes: &[Change]) -> Result<(), copydesk_edit::Error> {
        let old = self.cell.base();
        let now = change::replace(&old, changes)?;
        let now = if self.has_plugins { now.replace_blocks(0..now.blocks().len(), self.completed(&now)) } else { now };
        let (before, after) = (old.blocks(), now.blocks());
        let start = before.iter().zip(after).take_while(|(a, b)| a == b).count();
        let end = before[start..].iter().rev().zip(after[start..].iter().rev()).take_while(|(a, b)| a == b).count();
        let came = after[start..after.len() - end].iter().map(|block| block.to_value(now.schema()));
        let range = [start, before.len() - start - end, after.len() - start - end];
        let blocks = Value::from_iter(came).to_string();
        self.review().borrow_mut().sync(&[range], &blocks)
    }

    fn reviewed(&self) {}
}

#[test]
fn of_equal_blocks_the_decided_one_is_pending_again() {
    for_seeds(rounds(300) as u64, |random| {
        let lines = |random: &mut Random| -> String {
            (0..1 + random.below(6)).map(|_| format!("<p>{}</p>", random.pick(&["", "same", "other"]))).collect()
        };
        let holder = RangeHolder::new(&lines(random), false);
        for turn in 1..=2 {
            propose(&holder.cell, &format!("t{turn}"), Document::from_html(lines(random)).unwrap().blocks().to_vec());
        }
        let mut before = Vec::new();
        while !hunks(&holder.cell).is_empty() && random.below(4) > 0 {
            before.push(of(&holder.cell));
            let id = random.pick(&hunks(&holder.cell)).id.clone();
            accept(&holder, &Which::Hunk(id)).unwrap();
            assert!(!hunks(&holder.cell).iter().any(|hunk| hunk.conflict), "{before:?} {:?}", of(&holder.cell));
        }
        while let Some(state) = before.pop() {
            let undone = undo_decision(&holder, None).unwrap();
            assert_eq!((of(&holder.cell), undone.left), (state, vec![]));
        }
    });
}

#[test]
fn what_plugins_made_of_a_decision_is_taken_back_with_it() {
    for_seeds(rounds(300) as u64, |random| {
        let mut words = 0;
        let mut blocks = |random: &mut Random, count: usize| -> String {
            let mut block = || {
                words += 1;
                let kinds = ["<p>a</p>", "<ol><li><p>b</p></li></ol>", "<hr>"];
                random.pick(&kinds).replace('a', &format!("a{words}")).replace('b', &format!("b{words}"))
            };
            (0..count).map(|_| block()).collect()
        };
        let first = blocks(random, 2).replace("<ol>", "<ol start=\"7\">") + "<p>last</p>";
        let holder = RangeHolder::new(&first, true);
        let turns = 1 + random.below(2);
        for turn in 1..=turns {
            let mut now = holder.cell.document().blocks().to_vec();
            let at = random.below(now.len() + 1);
            let end = at + random.below(now.len() + 1 - at);
            let count = 1 + random.below(2);
            now.splice(at..end, Document::from_html(blocks(random, count)).unwrap().blocks().to_vec());
            propose(&holder.cell, &format!("t{turn}"), now);
        }
        let start = holder.cell.base();
        let mut before = Vec::new();
        while !hunks(&holder.cell).is_empty() {
            before.push(of(&holder.cell));
            let which = if random.below(2) == 0 { Which::All } else { Which::Hunk(hunks(&holder.cell)[0].id.clone()) };
            accept(&holder, &which).unwrap();
        }
        // Between two turns that are undone the plugins act again.
        if turns == 1 && random.below(2) == 0 {
            let _ = undo_turn(&holder, "t1");
            assert_eq!(holder.cell.base(), start, "{before:?}");
            return;
        }
        while let Some(state) = before.pop() {
            let undone = undo_decision(&holder, None).unwrap();
            assert_eq!((of(&holder.cell), undone.left), (state, vec![]));
        }
    });
}
