//! Decisions of the user about the agent's edits, applied to the holder of the document.
//!
//! A holder may call back while it takes a change (an editor reports its own transactions), so nothing is borrowed
//! meanwhile.

use super::hunk::{Hunk, HunkOutcome, Verdict, Version, Which};
use super::merge::{checks, growth, top_fits};
use super::pending::{parent, shifted};
use super::review::{Decided, Expected, Mode, Review};
use super::turns::{Turns, adopt_names, take_names};
use crate::Error;
use crate::host::Reviewer;
use copydesk_base::host::LocalFuture;
use copydesk_document::{BlockId, Document, Node, text_of, words};
use copydesk_edit::change::{self, Change};
use copydesk_edit::is_row;
use copydesk_edit::plan;
use copydesk_edit::{Error as EditError, Origin, at_once};
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

/// The holder of a document under review.
pub trait Reviewed {
    /// The two documents. Base is the last known state of the editor.
    fn review(&self) -> &RefCell<Review>;
    /// Applies the changes of base since the last call.
    fn refresh(&self) -> Result<(), EditError>;
    /// Makes changes to base as one transaction. When it returns, the resulting base has been passed to
    /// [`Review::follow`].
    fn change_base(&self, changes: &[Change]) -> Result<(), EditError>;
    /// Called when hunks were added, removed or decided.
    fn reviewed(&self);
}

impl<T: Reviewed> Reviewer for T {
    fn in_editor(&self, position: usize) -> usize {
        self.review().borrow().in_base(position)
    }

    fn in_document(&self, range: Range<usize>) -> Range<usize> {
        self.review().borrow().range_in_proposed(range)
    }

    fn verdicts(&self, turns: &[String]) -> Vec<Verdict> {
        self.review().borrow_mut().take_verdicts(turns)
    }

    fn decided<'a>(&'a self, turns: &'a [String]) -> LocalFuture<'a, Vec<Verdict>> {
        at_once(self.verdicts(turns))
    }
}

/// The result of taking back a turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UndoneTurn {
    /// Number of blocks that were restored to their state before the turn.
    pub restored: usize,
    /// The blocks that were changed since and are left unchanged.
    pub left: Vec<RemainingBlock>,
    /// The ids of the pending hunks of the turn, which are rejected.
    pub rejected: Vec<String>,
}

impl UndoneTurn {
    /// Returns it as JSON.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// A block that stays.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RemainingBlock {
    /// The position in base at which it begins.
    pub from: usize,
    /// The end of the range.
    pub to: usize,
    /// The text.
    pub text: String,
    /// Number of its first line in base.
    pub line: usize,
}

/// Makes stored hunks pending again, as [`Review::restore`].
///
/// # Errors
/// As [`Review::restore`].
pub fn restore(holder: &dyn Reviewed, hunks: &Value) -> Result<(), Error> {
    holder.refresh()?;
    holder.review().borrow_mut().restore(hunks)?;
    holder.reviewed();
    Ok(())
}

/// Makes an edit of the agent: at once, or as a proposal.
///
/// # Errors
/// Those of the holder if it does not take the changes; nothing has changed then.
pub fn dispatch(holder: &dyn Reviewed, changes: &[Change], origin: &Origin) -> Result<(), EditError> {
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

/// Changes the mode. Pending hunks stay pending.
pub fn set_mode(holder: &dyn Reviewed, mode: Mode) {
    holder.review().borrow_mut().mode = mode;
    holder.reviewed();
}

/// The result of accepting hunks.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Accepted {
    /// The ids of those that were.
    pub hunks: Vec<String>,
    /// Number of conflicts of the selection that are left open.
    pub conflicts: usize,
}

impl Accepted {
    /// Returns it as JSON.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// Accepts hunks, in one transaction. Conflicts are left open: they are decided one by one, each by its own id. Of
/// one that is named, the agent's version is taken.
///
/// # Errors
/// [`Error::UnknownHunk`]; the holder's errors if it does not take the changes. Nothing is decided then.
pub fn accept(holder: &dyn Reviewed, which: &Which) -> Result<Accepted, Error> {
    holder.refresh()?;
    let hunks = holder.review().borrow().hunks();
    let is_one = matches!(which, Which::Hunk(_));
    let (chosen, conflicts): (Vec<usize>, Vec<usize>) =
        which.of(&hunks)?.into_iter().partition(|at| is_one || !hunks[*at].conflict);
    let chosen = chosen.into_iter().map(|at| hunks[at].clone()).collect();
    Ok(Accepted { hunks: take(holder, chosen, HunkOutcome::Accepted)?, conflicts: conflicts.len() })
}

/// Decides a conflict. Of any other hunk, too, both versions can stay.
///
/// # Errors
/// [`Error::UnknownHunk`]; [`EditError::NotInSchema`] if the two versions are not allowed beside each other; the
/// holder's errors if it refuses the changes. Nothing is decided then.
pub fn resolve(holder: &dyn Reviewed, hunk: &str, version: Version) -> Result<(), Error> {
    let which = Which::Hunk(hunk.to_owned());
    match version {
        Version::Mine => reject(holder, &which).map(drop),
        Version::Theirs => accept(holder, &which).map(drop),
        Version::Both => {
            holder.refresh()?;
            let hunks = holder.review().borrow().hunks();
            let chosen = which.of(&hunks)?.into_iter().map(|at| hunks[at].clone()).collect();
            take(holder, chosen, HunkOutcome::Both).map(drop)
        }
    }
}

/// Applies the proposals of hunks to base. Returns their ids.
fn take(holder: &dyn Reviewed, hunks: Vec<Hunk>, outcome: HunkOutcome) -> Result<Vec<String>, Error> {
    if hunks.is_empty() {
        return Ok(Vec::new());
    }
    let shared = shared_turns(&hunks);
    let (changes, mut steps) = {
        let review = &mut *holder.review().borrow_mut();
        let sides: Vec<(Change, Change)> = hunks.iter().map(|hunk| sides(review, hunk, outcome)).collect();
        let (changes, in_proposed): (Vec<Change>, Vec<Change>) = sides.into_iter().unzip();
        let mut base = review.base.clone();
        base.name_after(review.proposed());
        let steps = by_turns(&review.turns, base, &shared, &changes, review.proposed())?;
        let proposed = match outcome {
            HunkOutcome::Both => Some(both(review, &in_proposed)?),
            _ => None,
        };
        if let Some((_, _, document)) = steps.last() {
            review.expected = Some(Expected::Decided(Decided {
                document: document.clone(),
                ids: hunks.iter().filter_map(Hunk::number).collect(),
                in_base: changes.iter().map(growth).collect(),
                in_proposed: in_proposed.iter().map(growth).collect(),
                proposed,
            }));
        }
        review.note(hunks.iter().filter_map(Hunk::number), outcome);
        (changes, steps)
    };
    let taken = holder.change_base(&changes);
    {
        let review = &mut *holder.review().borrow_mut();
        review.expected = None;
        if taken.is_err() {
            review.forget_noted(&hunks.iter().filter_map(Hunk::number).collect());
        }
        taken?;
        shared.iter().for_each(|turns| review.turns.share(turns));
        let expected = steps.last_mut().map(|(_, _, after)| std::mem::replace(after, review.base.clone()));
        for (turn, before, after) in &steps {
            if let Some(turn) = turn {
                review.turns.record(turn, before, after);
            }
        }
        if let Some(expected) = expected {
            review.turns.became(&expected, &review.base);
        }
        for turn in hunks.iter().flat_map(Hunk::turns) {
            review.turns.turn(turn);
        }
        review.verdicts.extend(hunks.iter().map(|hunk| Verdict::of(hunk, outcome)));
        review.settle();
    }
    holder.reviewed();
    Ok(hunks.into_iter().map(|hunk| hunk.id).collect())
}

/// Returns for each hunk the turns that made it or one that is linked with it, the oldest first.
fn shared_turns(hunks: &[Hunk]) -> Vec<Vec<&str>> {
    let by_id: FxHashMap<&str, &Hunk> = hunks.iter().map(|hunk| (hunk.id.as_str(), hunk)).collect();
    let turns = |hunk: &Hunk| {
        let linked = hunk.linked.iter().filter_map(|id| by_id.get(id.as_str()));
        linked.flat_map(|hunk| hunk.turns()).collect::<Vec<_>>()
    };
    let mut all: Vec<Vec<&str>> = hunks.iter().map(|hunk| [hunk.turns(), turns(hunk)].concat()).collect();
    for turns in &mut all {
        // Names are "t1", "t2" …: the shorter and then the smaller is the older.
        turns.sort_unstable_by_key(|turn| (turn.len(), *turn));
        turns.dedup();
    }
    all
}

/// The changes of base and of the proposal that a decision comes to.
fn sides(review: &Review, hunk: &Hunk, outcome: HunkOutcome) -> (Change, Change) {
    let at = |position: usize, content: Vec<Node>| Change { from: position, to: position, content };
    let (start, change) = (hunk.proposed.start, &hunk.change);
    if outcome != HunkOutcome::Both {
        return (change.clone(), at(start, Vec::new()));
    }
    let mut mine = change::content_between(&review.base, change.from, change.to);
    let mut theirs = change.content.clone();
    if let (Some(last), Some(first)) = (mine.last(), theirs.first()) {
        let text = |node: &Node| node.text().unwrap_or_default().to_owned();
        if words::is_one_word(&text(last), &text(first)) {
            let space = Node::text_node(review.base.schema(), " ", last.mark_set().clone());
            theirs.insert(0, space.clone());
            mine.push(space);
        }
    }
    (at(change.to, theirs), at(start, mine))
}

/// Returns the proposal with changes, if it is valid: the user's version may not be allowed beside the agent's.
fn both(review: &Review, changes: &[Change]) -> Result<Document, EditError> {
    let mut proposed = review.proposed().clone();
    proposed.name_after(&review.base);
    for change in changes.iter().rev() {
        let schema = proposed.schema();
        let (_, around) = parent(&proposed, &(change.from..change.to));
        // Another cell would be another column.
        if let (Some(row), Some(cell)) = (around, change.content.first())
            && is_row(schema, row.kind())
        {
            return Err(EditError::NotInSchema { what: cell.name(schema).to_owned() });
        }
        let (range, blocks) = change::blocks_after(&proposed, change)?;
        if !top_fits(&proposed, &range, &blocks) || !blocks.iter().all(|block| checks(proposed.schema(), block)) {
            let what = change.content.first().map_or("nothing", |node| node.name(proposed.schema()));
            return Err(EditError::NotInSchema { what: what.to_owned() });
        }
        proposed.splice(range, blocks);
    }
    Ok(proposed)
}

/// Returns what base becomes by the hunks of each turn, one turn after the other. A hunk of several turns is the
/// last one's, with those that are linked with it: text that the one moved and the other edited would be there twice or
/// not at all. New blocks have the ids that they have in the proposal.
fn by_turns(
    turns: &Turns,
    base: Document,
    shared: &[Vec<&str>],
    changes: &[Change],
    proposed: &Document,
) -> Result<Vec<(Option<String>, Document, Document)>, EditError> {
    let of: Vec<Option<String>> = shared.iter().map(|turns| turns.last().map(|turn| (*turn).to_owned())).collect();
    let order: BTreeSet<Option<(usize, &String)>> =
        of.iter().map(|turn| turn.as_ref().map(|turn| (turn.len(), turn))).collect();
    let order = order.into_iter().map(|turn| turn.map(|(_, turn)| turn.clone()));
    // A deleted block keeps its id: it may reappear.
    let mut taken = turns.deleted();
    taken.extend(base.block_ids());
    let mut steps = Vec::new();
    let mut document = base;
    let mut is_made = vec![false; changes.len()];
    for turn in order {
        let (mut grown, mut moved) = (0, Vec::new());
        for (at, change) in changes.iter().enumerate() {
            // Two at one point are in their order, whichever is made first.
            if is_made[at] {
                grown += growth(change);
            } else if of[at] == turn {
                let (from, to) = (shifted(change.from, grown), shifted(change.to, grown));
                moved.push(Change { from, to, content: change.content.clone() });
                is_made[at] = true;
            }
        }
        let mut after = change::replace(&document, &moved)?;
        take_names(&mut after, proposed, &document, |id| !taken.contains(&id));
        steps.push((turn, document, after.clone()));
        document = after;
    }
    Ok(steps)
}

/// Rejects hunks. Returns their ids.
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

/// Takes a turn back: what nobody has changed since is restored, in one transaction, and pending hunks of the turn are
/// rejected.
///
/// # Errors
/// [`Error::UnknownTurn`]; the holder's errors if it refuses the changes.
pub fn undo_turn(holder: &dyn Reviewed, turn: &str) -> Result<UndoneTurn, Error> {
    holder.refresh()?;
    let which = Which::Turn(turn.to_owned());
    let (undone, changes) = {
        let review = &mut *holder.review().borrow_mut();
        let pending = !which.of(&review.hunks())?.is_empty();
        if pending {
            review.turns.turn(turn);
        }
        review.replay_accepted();
        let mut base = review.base.clone();
        base.name_after(review.proposed());
        let undone = review.turns.undo(turn, &base)?;
        let changes = plan::compare(&review.base, &undone.document).changes;
        if changes.is_empty() {
            // The content is the same, but the blocks may be the former ones, which other turns know by their ids.
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
    let undone = {
        let review = &mut *holder.review().borrow_mut();
        // Blocks may get other ids below.
        let left = left(&review.base, &undone.left);
        review.turns.forget(turn);
        let rejected = review.reject(&which)?.into_iter().map(|hunk| hunk.id).collect();
        // Without a change of the document this can be taken back like any rejection.
        if !changes.is_empty() {
            review.forget_decisions(turn);
        }
        review.settle();
        UndoneTurn { restored: undone.restored, left, rejected }
    };
    holder.reviewed();
    Ok(undone)
}

fn left(document: &Document, ids: &[BlockId]) -> Vec<RemainingBlock> {
    let places: FxHashMap<BlockId, usize> = document.block_ids().iter().copied().zip(0..).collect();
    let places = ids.iter().filter_map(|id| places.get(id).copied());
    let left = |at: usize| RemainingBlock {
        from: document.block_start(at),
        to: document.block_start(at + 1),
        text: text_of(document.schema(), &document.blocks()[at..at + 1]),
        line: document.line_numbers_of(at).start,
    };
    places.map(left).collect()
}
