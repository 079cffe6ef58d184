//! Proposals: creating them, updating them while the user types, deciding them, and undoing turns.

use super::sources::*;
use super::{Family, family};
use copydesk_base::Locale;
use copydesk_document::Document;
use copydesk_edit::{DocUpdate, EditContext, Origin, apply};
use copydesk_review::decide::{Reviewed, accept, reject, set_mode, undo_turn};
use copydesk_review::{Mode, Review, ReviewCell, Which};

pub fn families() -> Vec<Family> {
    let pending = |name, unit, decide: fn(&ReviewCell)| {
        family(
            name,
            unit,
            |n| proposed(&paragraphs(n), every_second(n)),
            move |document: &Review| decide(&copy(document)),
        )
    };
    vec![
        family(
            "propose n hunks",
            125,
            |n| (paragraphs(n), every_second(n)),
            |(document, update)| proposed(document, update.clone()).hunks().len(),
        ),
        family(
            "propose one more hunk beside n",
            125,
            |n| proposed(&paragraphs(n), every_second(n)),
            |review| {
                let cell = copy(review);
                edit(&cell, replace_lines(vec![line_edit(2, 2, "one more")]), "t2");
                cell
            },
        ),
        pending("hunks, all n as a list", 250, |cell| drop(cell.review().borrow().hunks())),
        pending("type elsewhere while n hunks wait", 250, |cell| {
            let mut now = cell.review().borrow().next_base();
            let (at, block) = (1, paragraphs(7).blocks()[6].clone());
            now.splice(at..at + 1, vec![block]);
            cell.review().borrow_mut().follow(now);
        }),
        pending("accept one of n hunks", 250, |cell| {
            let id = cell.review().borrow().hunks()[3].id.clone();
            accept(cell, &Which::Hunk(id)).expect("it is accepted");
        }),
        pending("accept all n hunks", 250, |cell| drop(accept(cell, &Which::All).expect("they are accepted"))),
        pending("reject all n hunks", 250, |cell| drop(reject(cell, &Which::All).expect("they are rejected"))),
        family(
            "undo a turn over n blocks",
            250,
            |n| done(&paragraphs(n), every_second(n)),
            |review| undo_turn(&copy(review), "t1").expect("it is taken back"),
        ),
        family(
            "undo a turn that deleted n blocks",
            250,
            |n| {
                let edits = (1..=n).step_by(2).map(|at| line_edit(at, at, "")).collect();
                done(&paragraphs(n), replace_lines(edits))
            },
            |review| undo_turn(&copy(review), "t1").expect("it is taken back"),
        ),
        family(
            "undo a turn that inserted n blocks",
            250,
            |n| {
                let edits = (1..=n).step_by(2).map(|at| line_edit(at, at, format!("a {at}\nb {at}"))).collect();
                done(&paragraphs(n), replace_lines(edits))
            },
            |review| undo_turn(&copy(review), "t1").expect("it is taken back"),
        ),
    ]
}

fn every_second(lines: usize) -> DocUpdate {
    replace_lines((1..=lines).step_by(2).map(|at| line_edit(at, at, format!("new {at}"))).collect())
}

fn edit(cell: &ReviewCell, update: DocUpdate, turn: &str) {
    let origin = Origin { turn: Some(turn.to_owned()), ..Origin::default() };
    let context = EditContext { origin, ..Locale::En.into() };
    apply(cell, &update, &context).expect("the update of the benchmark is applied");
}

/// A document with proposals.
fn proposed(document: &Document, update: DocUpdate) -> Review {
    let cell = ReviewCell::new(document.clone());
    set_mode(&cell, Mode::Review);
    edit(&cell, update, "t1");
    copy_of(&cell)
}

/// A document after a turn.
fn done(document: &Document, update: DocUpdate) -> Review {
    let cell = ReviewCell::new(document.clone());
    edit(&cell, update, "t1");
    copy_of(&cell)
}

fn copy_of(cell: &ReviewCell) -> Review {
    cell.review().borrow().clone()
}

fn copy(review: &Review) -> ReviewCell {
    let cell = ReviewCell::new(review.base().clone());
    *cell.review().borrow_mut() = review.clone();
    cell
}
