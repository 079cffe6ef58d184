//! What the person decides about the agent's edits, carried out on whoever holds the document.
//!
//! A holder may call back while it takes a change (an editor reports its own transactions), so nothing is borrowed
//! meanwhile.

use super::apply::Origin;
use super::change::{self, Change};
use super::hunk::{Hunk, Verdict, Which, text_of};
use super::merge::{growth, shifted};
use super::plan;
use super::review::{Expected, Mode, Review};
use super::turns::{Turns, adopt_names, take_names};
use crate::document::{BlockId, Document};
use crate::error::Error;
use crate::fields::form;
use crate::map::insert_by_key;
use serde_json::Value;
use std::cell::RefCell;

/// Whoever holds a document under review.
pub trait Reviewed {
    /// The two documents. Base is what was last heard.
    fn review(&self) -> &RefCell<Review>;
    /// Takes over what has happened to base meanwhile.
    fn refresh(&self) -> Result<(), Error>;
    /// Makes changes to base as one transaction. What base then is has gone to [`Review::follow`] when it returns.
    fn change_base(&self, changes: &[Change]) -> Result<(), Error>;
    /// Hunks came, went, or were decided.
    fn reviewed(&self);
}

/// What became of taking back a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct UndoneTurn {
    /// How many blocks are as they were before the turn.
    pub restored: usize,
    /// What somebody has changed since, which stays.
    pub left: Vec<Left>,
}

impl UndoneTurn {
    /// As JSON.
    pub fn to_value(&self) -> Value {
        let left: Vec<Value> = self.left.iter().map(Left::to_value).collect();
        form("restored left", [self.restored.into(), left.into()])
    }
}

/// A block that stays.
#[derive(Clone, Debug, PartialEq)]
pub struct Left {
    /// Where it begins in base.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// Its text.
    pub text: String,
    /// Its first line in base.
    pub line: usize,
}

impl Left {
    fn to_value(&self) -> Value {
        form("from to text line", [self.from.into(), self.to.into(), self.text.as_str().into(), self.line.into()])
    }
}

/// Makes an edit of the agent: at once, or as a proposal.
///
/// # Errors
/// Where the holder does not take it; nothing has changed then.
pub fn dispatch(holder: &dyn Reviewed, changes: &[Change], origin: &Origin) -> Result<(), Error> {
    if holder.review().borrow().proposes() {
        holder.review().borrow_mut().propose(changes, origin)?;
        holder.reviewed();
        return Ok(());
    }
    let before = holder.review().borrow().base.clone();
    holder.change_base(changes)?;
    if let Some(turn) = &origin.turn {
        let review = &mut *holder.review().borrow_mut();
        review.turns.record(turn, &before, &review.base);
    }
    Ok(())
}

/// Changes the mode. What is pending stays so.
pub fn set_mode(holder: &dyn Reviewed, mode: Mode) {
    holder.review().borrow_mut().mode = mode;
    holder.reviewed();
}

/// Accepts hunks, in one transaction; says which.
///
/// # Errors
/// [`Error::UnknownHunk`]; where the holder does not take the changes, which are then all pending as before.
pub fn accept(holder: &dyn Reviewed, which: &Which) -> Result<Vec<String>, Error> {
    holder.refresh()?;
    let (accepted, changes, steps) = {
        let review = &mut *holder.review().borrow_mut();
        let hunks = review.hunks();
        let decided = which.of(&hunks)?;
        if decided.is_empty() {
            return Ok(Vec::new());
        }
        let accepted: Vec<Hunk> = decided.iter().map(|at| hunks[*at].clone()).collect();
        let changes: Vec<Change> = accepted.iter().map(|hunk| hunk.change.clone()).collect();
        let mut base = review.base.clone();
        base.name_after(review.proposed());
        let steps = by_turns(&review.turns, base, &accepted, review.proposed())?;
        if let Some((_, _, document)) = steps.last() {
            let (document, changes) = (document.clone(), changes.clone());
            review.expected = Some(Expected::Accepted { document, changes, decided });
        }
        (accepted, changes, steps)
    };
    let taken = holder.change_base(&changes);
    {
        let review = &mut *holder.review().borrow_mut();
        review.expected = None;
        taken?;
        for (turn, before, after) in &steps {
            if let Some(turn) = turn {
                review.turns.record(turn, before, after);
            }
        }
        if let Some((_, _, expected)) = steps.last() {
            review.turns.became(expected, &review.base);
        }
        let turns = accepted.iter().flat_map(|hunk| hunk.turns());
        for turn in turns {
            review.turns.turn(turn);
        }
        review.verdicts.extend(accepted.iter().map(|hunk| Verdict::of(hunk, true)));
        review.settle();
    }
    holder.reviewed();
    Ok(accepted.into_iter().map(|hunk| hunk.id).collect())
}

/// What each turn makes of base with its hunks, one turn after the other. A hunk of several turns is the last one's.
/// New blocks have the ids that they have in the proposal.
fn by_turns(
    turns: &Turns,
    base: Document,
    hunks: &[Hunk],
    proposed: &Document,
) -> Result<Vec<(Option<String>, Document, Document)>, Error> {
    let turn = |hunk: &Hunk| hunk.turns().last().map(|turn| (*turn).to_owned());
    let mut order: Vec<Option<String>> = Vec::new();
    // Names are "t1", "t2" …: the shorter and then the smaller is the older.
    for hunk in hunks {
        if !order.contains(&turn(hunk)) {
            insert_by_key(&mut order, turn(hunk), |turn| turn.as_ref().map(|turn| (turn.len(), turn.clone())));
        }
    }
    let (mut steps, mut done): (_, Vec<usize>) = (Vec::new(), Vec::new());
    let mut document = base.clone();
    for of in order {
        let own: Vec<usize> = (0..hunks.len()).filter(|at| turn(&hunks[*at]) == of).collect();
        let moved = own.iter().map(|at| {
            // Two at one point stand in their order, whichever is made first.
            let by = done.iter().filter(|done| *done < at).map(|done| growth(&hunks[*done].change)).sum();
            let change = &hunks[*at].change;
            Change { from: shifted(change.from, by), to: shifted(change.to, by), content: change.content.clone() }
        });
        let mut after = change::replace(&document, &moved.collect::<Vec<_>>())?;
        // A block that was deleted keeps its name: it may come back.
        let free = |id| !turns.deleted(id) && base.block_with_id(id).is_none();
        take_names(&mut after, proposed, &document, free);
        steps.push((of, document, after.clone()));
        document = after;
        done.extend(own);
    }
    Ok(steps)
}

/// Rejects hunks; says which.
///
/// # Errors
/// [`Error::UnknownHunk`].
pub fn reject(holder: &dyn Reviewed, which: &Which) -> Result<Vec<String>, Error> {
    holder.refresh()?;
    let rejected = holder.review().borrow_mut().reject(which)?;
    if !rejected.is_empty() {
        holder.reviewed();
    }
    Ok(rejected.into_iter().map(|hunk| hunk.id).collect())
}

/// Takes back what a turn did: what nobody has touched since becomes what it was, in one transaction, and what is
/// still pending of it is rejected.
///
/// # Errors
/// [`Error::UnknownTurn`]; where the holder does not take the changes.
pub fn undo_turn(holder: &dyn Reviewed, turn: &str) -> Result<UndoneTurn, Error> {
    holder.refresh()?;
    let which = Which::Turn(turn.to_owned());
    let (undone, changes) = {
        let review = &mut *holder.review().borrow_mut();
        let pending = !which.of(&review.hunks())?.is_empty();
        if pending {
            review.turns.turn(turn);
        }
        let mut base = review.base.clone();
        base.name_after(review.proposed());
        let undone = review.turns.undo(turn, &base)?;
        let changes = plan::compare(&review.base, &undone.document).changes;
        if changes.is_empty() {
            // It reads the same, but the blocks that are there may be the ones of before: other turns know those.
            review.base = base;
            adopt_names(&mut review.base, &undone.document);
        } else {
            review.expected = Some(Expected::Undone(undone.document.clone()));
        }
        (undone, changes)
    };
    if !changes.is_empty() {
        let taken = holder.change_base(&changes);
        holder.review().borrow_mut().expected = None;
        taken?;
    }
    let left = {
        let review = &mut *holder.review().borrow_mut();
        review.turns.forget(turn);
        review.reject(&which)?;
        review.settle();
        left(&review.base, &undone.left)
    };
    holder.reviewed();
    Ok(UndoneTurn { restored: undone.restored, left })
}

fn left(document: &Document, ids: &[BlockId]) -> Vec<Left> {
    let places = ids.iter().filter_map(|id| document.block_with_id(*id));
    let left = |at: usize| Left {
        from: document.block_start(at),
        to: document.block_start(at + 1),
        text: text_of(document.schema(), &document.blocks()[at..at + 1]),
        line: document.line_numbers_of(at).start,
    };
    places.map(left).collect()
}
