//! States of the review to which the editor's history returns.
//!
//! The history restores a document that the editor had. If the hunks of that moment are known, and the agent has
//! proposed nothing since, the review of that moment is restored, including the effects of typing inside of hunks.
//! Otherwise `undo_decision` and `merge` determine the effect of the change, and the opposite change restores the review.

use super::history_move::HistoryMove;
use super::hunk::{Hunk, HunkOutcome, Verdict};
use super::merge::Changed;
use super::pending::Pending;
use super::review::Review;
use super::undo_decision::DecidedHunk;
use copydesk_document::{Document, Node};
use std::ops::Range;
use std::rc::Rc;

/// Number of states in each direction; editors keep about 100 undo steps.
const MOST_STATES: usize = 200;

/// A review at one moment.
#[derive(Clone)]
pub(super) struct ReviewMoment {
    base: Document,
    pending: Option<Pending>,
    decided: Rc<Vec<DecidedHunk>>,
}

/// The known part of the review before a change.
#[derive(Clone)]
enum EarlierMoment {
    /// Everything.
    State(ReviewMoment),
    /// The blocks that the change replaced, with the indexes of those in their place. The change was beside all hunks,
    /// so nothing else is needed to undo it, and a copy of the document would cost time with every key.
    Beside(Vec<(Range<usize>, Vec<Node>)>),
}

impl EarlierMoment {
    /// Makes the blocks of base after the change those before it.
    fn revert(&self, blocks: &mut Vec<Node>) {
        match self {
            EarlierMoment::State(state) => *blocks = state.base.blocks().to_vec(),
            EarlierMoment::Beside(places) => {
                for (now, old) in places.iter().rev() {
                    let end = now.end.min(blocks.len());
                    blocks.splice(now.start.min(end)..end, old.iter().cloned());
                }
            }
        }
    }
}

/// The moments before and after changes, the nearest ones last.
#[derive(Clone, Default)]
pub(super) struct History {
    past: Vec<EarlierMoment>,
    future: Vec<EarlierMoment>,
}

impl History {
    /// Adds the state before a change that the editor's history did not make.
    pub fn record(&mut self, before: ReviewMoment) {
        self.add(EarlierMoment::State(before));
    }

    /// Adds the moment before a change beside all hunks.
    pub fn record_beside(&mut self, changed: &[Changed]) {
        if changed.is_empty() {
            return;
        }
        self.future.clear();
        // Before the first recorded state there is none to distinguish from this one.
        if !self.past.is_empty() {
            self.add(EarlierMoment::Beside(changed.iter().map(|one| (one.now.clone(), one.old.clone())).collect()));
        }
    }

    fn add(&mut self, before: EarlierMoment) {
        self.future.clear();
        self.past.push(before);
        let surplus = self.past.len().saturating_sub(MOST_STATES);
        self.past.drain(..surplus);
    }

    /// Returns whether no moment is known to which an undo may return.
    pub fn is_without_past(&self) -> bool {
        self.past.is_empty()
    }

    /// Forgets everything: the hunks of earlier states are not all that there are.
    pub fn clear(&mut self) {
        *self = History::default();
    }

    /// Removes and returns the nearest moment with this base from those before or after `now`, and removes all nearer
    /// ones. The base alone does not identify the moment: accepted text may have been deleted since. Without such a
    /// moment too, the opposite move returns to `now`.
    fn take(&mut self, base: &Document, now: ReviewMoment, direction: HistoryMove) -> Option<EarlierMoment> {
        let find = |moments: &[EarlierMoment]| {
            let mut blocks = now.base.blocks().to_vec();
            moments.iter().rposition(|moment| {
                moment.revert(&mut blocks);
                blocks == base.blocks()
            })
        };
        let in_past = direction.may_undo().then(|| find(&self.past)).flatten();
        let in_future = || direction.may_redo().then(|| find(&self.future)).flatten();
        let (found, opposite) = match (in_past, in_past.map_or_else(in_future, |_| None)) {
            (Some(at), _) => (self.past.drain(at..).next(), &mut self.future),
            (None, Some(at)) => (self.future.drain(at..).next(), &mut self.past),
            (None, None) if direction == HistoryMove::Redo => (None, &mut self.past),
            (None, None) => (None, &mut self.future),
        };
        opposite.push(EarlierMoment::State(now));
        found
    }
}

/// The result of [`Review::recall`].
pub(super) enum Recalled {
    /// The review was restored.
    State,
    /// A change beside all hunks was undone.
    Beside,
    /// The change is not one of the known ones.
    Unknown,
}

impl Pending {
    /// Returns true if a change of the user is beside or inside of a hunk.
    pub(super) fn is_touched(&self, changed: &[Changed]) -> bool {
        changed.iter().any(|Changed { from, old, .. }| {
            let to = from + old.iter().map(Node::size).sum::<usize>();
            let first = self.hunks.partition_point(|hunk| hunk.base.end < *from);
            self.hunks.get(first).is_some_and(|hunk| hunk.base.start <= to)
        })
    }
}

impl Review {
    /// Returns the state with this base, which is that before a change.
    pub(super) fn state_with(&self, base: &Document, pending: Option<&Pending>) -> ReviewMoment {
        ReviewMoment { base: base.clone(), pending: pending.cloned(), decided: self.decided.clone() }
    }

    /// Restores the review of the moment when base was as it is now, if that is known; `old` is base before.
    pub(super) fn recall(&mut self, old: &Document, direction: HistoryMove) -> Recalled {
        let now = self.state_with(old, self.pending.as_ref());
        let ReviewMoment { pending, decided, .. } = match self.history.take(&self.base, now, direction) {
            Some(EarlierMoment::State(state)) => state,
            Some(EarlierMoment::Beside(_)) => return Recalled::Beside,
            None => return Recalled::Unknown,
        };
        let hunks = |review: &Review, base: &Document| -> Vec<Hunk> {
            let of = |pending: &Pending| pending.hunks.iter().map(|hunk| review.hunk(base, pending, hunk)).collect();
            review.pending.as_ref().map(of).unwrap_or_default()
        };
        let before = hunks(self, old);
        let proposed = self.proposed().clone();
        self.pending = pending.map(|mut pending| {
            pending.proposed.go_on_after(&proposed);
            pending.proposed.name_after(&self.base);
            pending.log = None;
            pending
        });
        let after = hunks(self, &self.base);
        self.decided = decided;
        let is_in = |list: &[Hunk], hunk: &Hunk| list.iter().any(|one| one.id == hunk.id);
        for hunk in after.iter().filter(|hunk| !is_in(&before, hunk)) {
            self.tell(hunk, HunkOutcome::Undone);
        }
        for hunk in before.iter().filter(|hunk| !is_in(&after, hunk)) {
            if let Some(outcome) = self.outcome_of(hunk) {
                self.tell(hunk, outcome);
            }
        }
        self.changed_hunks();
        self.settle();
        Recalled::State
    }

    /// Adds the opposite of the last verdict about a hunk. A verdict that was not delivered needs no correction.
    pub(super) fn tell(&mut self, hunk: &Hunk, outcome: HunkOutcome) {
        let count = self.verdicts.len();
        self.verdicts.retain(|verdict| verdict.hunk != hunk.id);
        if self.verdicts.len() == count {
            self.verdicts.push(Verdict::of(hunk, outcome));
        }
    }
}
