//! The editor's history and the review: each undo and redo restores the state of that step. `ROUNDS` sets the number of
//! runs, `COPYDESK_SEED=n` repeats a run.

use super::deciding::{World, rounds};
use super::review::{hunks, person_blocks};
use crate::random::Random;
use copydesk_document::{Document, Node};
use copydesk_review::decide::{Reviewed, accept, reject, resolve};
use copydesk_review::undo_decision::undo_decision;
use copydesk_review::{HistoryMove, Version, Which};
use serde_json::json;
use std::collections::HashSet;

/// The text of both documents, and the hunks.
type State = (Vec<Node>, Document, Vec<(Vec<Node>, bool, usize, usize)>);

/// One step of the history: the states before and after it, and the hunks that it rejected.
struct Step {
    before: State,
    after: State,
    rejected: Option<Vec<String>>,
}

fn state(world: &World) -> State {
    let of = |hunk: copydesk_review::Hunk| (hunk.change.content, hunk.conflict, hunk.change.from, hunk.change.to);
    let hunks = hunks(&world.cell).into_iter().map(of).collect();
    (world.cell.base().blocks().to_vec(), world.cell.document(), hunks)
}

/// The editor's history makes base another.
fn history_makes(world: &World, blocks: &[Node], direction: HistoryMove) {
    world.cell.review().borrow_mut().expect_history(direction);
    person_blocks(&world.cell, blocks.to_vec());
}

/// Types or decides; `None` if nothing changed.
fn act(world: &mut World) -> Option<Step> {
    let before = state(world);
    let waiting = hunks(&world.cell);
    let ids = |world: &World| hunks(&world.cell).into_iter().map(|hunk| hunk.id).collect::<Vec<_>>();
    let ids_before = ids(world);
    if waiting.is_empty() || world.random.below(2) == 0 {
        world.type_something();
    } else {
        let id = world.random.pick(&waiting).id.clone();
        let which = if world.random.below(4) == 0 { Which::All } else { Which::Hunk(id.clone()) };
        let way = world.random.below(5);
        world.log.push(format!("decides {which:?} {way}"));
        match way {
            0 | 1 => drop(accept(&world.cell, &which).unwrap()),
            2 | 3 => drop(reject(&world.cell, &which).unwrap()),
            _ => drop(resolve(&world.cell, &id, Version::Both)),
        }
        world.check();
    }
    let after = state(world);
    let left = ids(world);
    let decided: Vec<String> = ids_before.into_iter().filter(|id| !left.contains(id)).collect();
    let rejected = (before.0 == after.0).then_some(decided);
    (rejected.as_ref().is_none_or(|ids| !ids.is_empty())).then_some(Step { before, after, rejected })
}

fn undo(world: &mut World, step: &Step) {
    world.log.push("undo".into());
    match &step.rejected {
        Some(ids) => drop(undo_decision(&world.cell, Some(&Which::Hunks(ids.clone()))).unwrap()),
        None => history_makes(world, &step.before.0, HistoryMove::Undo),
    }
}

fn redo(world: &mut World, step: &Step) {
    world.log.push("redo".into());
    match &step.rejected {
        Some(ids) => drop(reject(&world.cell, &Which::Hunks(ids.clone())).unwrap()),
        None => history_makes(world, &step.after.0, HistoryMove::Redo),
    }
}

#[test]
fn each_undo_and_redo_returns_to_the_state_of_its_step() {
    let mut random = Random::new();
    let (mut undone, mut redone) = (0, 0);
    for _ in 0..rounds(300) {
        let mut world = World::new(Random::from_seed(random.next()), 7);
        (0..2 + world.random.below(3)).for_each(|_| world.propose());
        let (mut done, mut taken): (Vec<Step>, Vec<Step>) = Default::default();
        for _ in 0..20 {
            let expected = match world.random.below(5) {
                0 | 1 if !done.is_empty() => {
                    let step = done.pop().unwrap();
                    undo(&mut world, &step);
                    undone += 1;
                    let before = step.before.clone();
                    taken.push(step);
                    before
                }
                2 if !taken.is_empty() => {
                    let step = taken.pop().unwrap();
                    redo(&mut world, &step);
                    redone += 1;
                    let after = step.after.clone();
                    done.push(step);
                    after
                }
                _ => {
                    let step = act(&mut world);
                    if step.is_some() {
                        taken.clear();
                    }
                    done.extend(step);
                    continue;
                }
            };
            world.gone.clear();
            assert_eq!(state(&world), expected, "{}", world.log.join("\n"));
            world.check();
        }
    }
    println!("{undone} undone, {redone} redone");
    assert!(undone > rounds(300) && redone > rounds(300) / 2);
}

#[test]
fn a_step_that_accepts_and_types_is_undone_and_redone_as_one() {
    let mut random = Random::new();
    let mut made = 0;
    for _ in 0..rounds(200) {
        let mut world = World::new(Random::from_seed(random.next()), 6);
        (0..3).for_each(|_| world.propose());
        let waiting = hunks(&world.cell);
        if waiting.is_empty() {
            continue;
        }
        let before = state(&world);
        let id = world.random.pick(&waiting).id.clone();
        accept(&world.cell, &Which::Hunk(id)).unwrap();
        world.type_something();
        let after = state(&world);
        if before.0 == after.0 {
            continue;
        }
        for _ in 0..2 {
            history_makes(&world, &before.0, HistoryMove::Undo);
            assert_eq!(state(&world), before, "{}", world.log.join("\n"));
            history_makes(&world, &after.0, HistoryMove::Redo);
            assert_eq!(state(&world), after, "{}", world.log.join("\n"));
        }
        made += 1;
    }
    assert!(made > rounds(200) / 3, "{made}");
}

/// Accepts a hunk, or takes the last decision back. Returns the states before and after it if that changed base.
fn accept_or_take_back(world: &mut World) -> Option<[State; 2]> {
    let before = state(world);
    let waiting = hunks(&world.cell);
    match world.random.below(2) {
        0 if !waiting.is_empty() => {
            let which = Which::Hunk(world.random.pick(&waiting).id.clone());
            world.log.push(format!("accepts {which:?}"));
            accept(&world.cell, &which).unwrap();
        }
        _ => {
            world.log.push("takes back".into());
            undo_decision(&world.cell, None).unwrap();
        }
    }
    let after = state(world);
    (before.0 != after.0).then_some([before, after])
}

/// Returns a word of the proposal.
fn some_word(world: &mut World) -> String {
    let text: String = world.cell.document().lines().iter().map(|line| format!("{} ", line.text)).collect();
    let words: Vec<&str> = text.split([' ', '\u{fffc}']).filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "tea".into() } else { (*world.random.pick(&words)).to_owned() }
}

#[test]
fn acceptances_and_their_return_are_undone_below_a_later_proposal() {
    let mut random = Random::new();
    let mut undone = 0;
    for _ in 0..rounds(300) {
        let mut world = World::new(Random::from_seed(random.next()), 7);
        (0..2 + world.random.below(3)).for_each(|_| world.propose());
        let steps: Vec<[State; 2]> = (0..3).filter_map(|_| accept_or_take_back(&mut world)).collect();
        let place = |hunk: copydesk_review::Hunk| (hunk.id, hunk.change.from, hunk.change.to);
        let places = |world: &World| hunks(&world.cell).into_iter().map(place).collect::<HashSet<_>>();
        let waiting = places(&world);
        let update = match world.random.below(3) {
            0 => json!({ "operation": "append", "title": "Later", "content": "<p>later</p>" }),
            _ => json!({ "operation": "replace_text", "old": some_word(&mut world), "new": "later" }),
        };
        world.propose_update(&update);
        let proposed = world.cell.document();
        let now = state(&world);
        // A proposal may contain an earlier one, or part of it, which is not the hunk then that it was.
        if !waiting.is_subset(&places(&world)) || steps.last().is_none_or(|[_, after]| after.0 != now.0) {
            continue;
        }
        for [before, _] in steps.iter().rev() {
            world.log.push("undo".into());
            history_makes(&world, &before.0, HistoryMove::Undo);
            assert_eq!(world.cell.document().blocks(), proposed.blocks(), "{}", world.log.join("\n"));
            undone += 1;
        }
        for [_, after] in &steps {
            world.log.push("redo".into());
            history_makes(&world, &after.0, HistoryMove::Redo);
        }
        assert_eq!(state(&world), now, "{}", world.log.join("\n"));
    }
    assert!(undone > rounds(300) / 4, "{undone}");
}

#[test]
fn undo_and_redo_below_a_later_proposal_change_nothing() {
    let mut random = Random::new();
    let mut undone = 0;
    for _ in 0..rounds(300) {
        let mut world = World::new(Random::from_seed(random.next()), 7);
        (0..2).for_each(|_| world.propose());
        let mut steps: Vec<Step> = (0..4).filter_map(|_| act(&mut world)).collect();
        let count = steps.iter().rev().take_while(|step| step.rejected.is_none()).count();
        let steps = steps.split_off(steps.len() - count);
        let is_undone = world.random.below(2) == 0;
        if is_undone {
            steps.iter().rev().for_each(|step| undo(&mut world, step));
            world.gone.clear();
        }
        world.propose();
        let now = state(&world);
        if is_undone {
            steps.iter().for_each(|step| redo(&mut world, step));
            steps.iter().rev().for_each(|step| undo(&mut world, step));
        } else {
            steps.iter().rev().for_each(|step| undo(&mut world, step));
            steps.iter().for_each(|step| redo(&mut world, step));
        }
        undone += steps.len();
        assert_eq!(state(&world), now, "{}", world.log.join("\n"));
    }
    assert!(undone > rounds(300) / 2, "{undone}");
}
