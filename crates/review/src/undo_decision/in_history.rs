//! Decisions that the editor's history takes back or makes again.
//!
//! The change of base tells which decision it is: the last one whose undo, or whose repetition, leads to that base.

use super::{DecisionEffect, UndecidedHunk, UndonePlan, followed, size, splices};
use crate::history_move::HistoryMove;
use crate::hunk::{Hunk, HunkOutcome};
use crate::merge::growth;
use crate::pending::{Pending, PendingHunk, shifted, shifted_range};
use crate::review::{Decided, Review};
use copydesk_document::{Document, Node};
use copydesk_edit::change::{self, Change, content_between};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// A decision that is made again.
struct RedonePlan {
    /// Base before it, and what is pending then.
    base: Document,
    pending: Pending,
    decided: Decided,
    /// The growth of base by each of the hunks, also by those that stay pending.
    in_base: Vec<isize>,
}

impl Review {
    /// Takes over a change of the editor's history that undoes the last decision that changed base, or makes it again.
    /// A decision that was taken back in another way is made again by an undo. Returns false for any other change.
    pub(crate) fn follow_history(&mut self, old: &Document, direction: HistoryMove) -> bool {
        let is_followed = match direction {
            HistoryMove::Redo => self.follow_redo(old) || self.follow_undo(old),
            HistoryMove::Undo | HistoryMove::Unknown => self.follow_undo(old) || self.follow_redo(old),
        };
        if is_followed {
            self.settle();
        }
        is_followed
    }

    /// Takes over the undo of a decision: of the last one whose undo leads to the current base.
    fn follow_undo(&mut self, old: &Document) -> bool {
        let mut decisions: Vec<u64> =
            self.decided.iter().filter(|one| one.changed_base).map(|one| one.decision).collect();
        decisions.dedup();
        let Some(plan) = decisions.into_iter().rev().find_map(|decision| self.undone_by(old, decision)) else {
            return false;
        };
        let mut pending = plan.pending;
        pending.proposed.name_after(&self.base);
        self.pending = Some(pending);
        self.undecided(&plan.taken);
        true
    }

    /// Returns the documents without a decision if that leads to the current base.
    fn undone_by(&self, old: &Document, decision: u64) -> Option<UndonePlan> {
        let chosen: Vec<usize> = (0..self.decided.len()).filter(|at| self.decided[*at].decision == decision).collect();
        let decided = || chosen.iter().map(|at| &self.decided[*at]);
        let growth: isize = decided().map(|one| size(&one.original) as isize - one.range.len() as isize).sum();
        let effects: isize = decided().take(1).flat_map(|one| &*one.effects).map(DecisionEffect::growth).sum();
        let is_size = |grown: isize| old.size().checked_add_signed(grown) == Some(self.base.size());
        if !is_size(growth) && !is_size(growth + effects) {
            return None;
        }
        let plan = self.plan_undo(old, &chosen);
        let plan = if plan.taken.len() == chosen.len() { Some(plan) } else { self.plan_with_later(old, chosen) };
        plan.filter(|plan| plan.document == self.base)
    }

    /// Returns the documents without acceptances in whose text the agent has proposed something since.
    fn plan_with_later(&self, base: &Document, taken: Vec<usize>) -> Option<UndonePlan> {
        let splices = splices(&self.decided[*taken.first()?].document, base);
        let accepted = |at: &usize| {
            let one = &self.decided[*at];
            let Range { start: from, end: to } = followed(&one.range, &splices).filter(|_| !one.changed_proposal)?;
            let is_there = content_between(base, from, to) == one.after;
            is_there.then(|| (Change { from, to, content: one.original.clone() }, one.hunk.clone()))
        };
        let accepted: Option<Vec<(Change, PendingHunk)>> = taken.iter().map(accepted).collect();
        let (document, pending) = without_acceptances(base, self.pending.as_ref()?, accepted?)?;
        Some(UndonePlan { changes: Vec::new(), document, pending, taken })
    }

    /// Takes over that a decision is made again: the last one that leads to the current base.
    fn follow_redo(&mut self, old: &Document) -> bool {
        let Some(before) = self.pending.take() else { return false };
        let again = (0..self.undone.len()).rev().find_map(|at| Some((at, self.decided_again(old, &before, at)?)));
        let Some((at, RedonePlan { base, mut pending, decided, in_base })) = again else {
            self.pending = Some(before);
            return false;
        };
        let chosen = pending.hunks.iter().filter(|hunk| decided.ids.contains(&hunk.id));
        let again: Vec<Hunk> = chosen.map(|hunk| self.hunk(&base, &pending, hunk)).collect();
        let outcome = if decided.proposed.is_some() { HunkOutcome::Both } else { HunkOutcome::Accepted };
        again.iter().for_each(|hunk| self.tell(hunk, outcome));
        let undecided = self.undone.remove(at);
        let ids = undecided.iter().map(|one| one.id).collect();
        self.remember(&Decided { ids, in_base, ..decided.clone() }, old, &before);
        // The proposal may have something else now than what was decided.
        for one in Rc::make_mut(&mut self.decided).iter_mut().rev().take(undecided.len()) {
            if let Some(UndecidedHunk { content, .. }) = undecided.iter().find(|other| other.id == one.hunk.id) {
                one.changed_proposal = *content != one.after;
                one.content.clone_from(content);
            }
        }
        pending.decide(decided);
        self.pending = Some(pending);
        self.changed_hunks();
        true
    }

    /// Returns a decision that was taken back if it leads to the current base. Hunks for which the agent has proposed
    /// something else since stay pending: base has what was decided, and the proposal has what is new.
    fn decided_again(&self, old: &Document, pending: &Pending, at: usize) -> Option<RedonePlan> {
        let undecided = self.undone.get(at)?;
        let one = |hunk: &PendingHunk| undecided.iter().find(|one| one.id == hunk.id);
        let again: Vec<(&PendingHunk, &UndecidedHunk)> =
            pending.hunks.iter().filter_map(|hunk| Some((hunk, one(hunk)?))).collect();
        let growth_of =
            |(hunk, one): &(&PendingHunk, &UndecidedHunk)| size(&one.after) as isize - hunk.base.len() as isize;
        let in_base: Vec<isize> = again.iter().map(growth_of).collect();
        let grown = in_base.iter().sum();
        if again.len() != undecided.len() || old.size().checked_add_signed(grown) != Some(self.base.size()) {
            return None;
        }
        let is_same = |(hunk, one): &(&PendingHunk, &UndecidedHunk)| {
            content_between(&pending.proposed, hunk.proposed.start, hunk.proposed.end) == one.content
        };
        let changed: FxHashMap<u64, &UndecidedHunk> =
            again.iter().filter(|one| !is_same(one)).map(|(hunk, one)| (hunk.id, *one)).collect();
        let (base, pending) = pending.with_base_of(old, &changed)?;
        let again: Vec<(&PendingHunk, &Vec<Node>)> = pending
            .hunks
            .iter()
            .filter(|hunk| !changed.contains_key(&hunk.id))
            .filter_map(|hunk| Some((hunk, &one(hunk)?.after)))
            .collect();
        let with = |document: &Document, range: fn(&PendingHunk) -> &Range<usize>| {
            let change = |(hunk, after): &(&PendingHunk, &Vec<Node>)| {
                let Range { start, end } = range(hunk);
                Change { from: *start, to: *end, content: (*after).clone() }
            };
            let changes: Vec<Change> = again.iter().map(change).collect();
            let grown = changes.iter().map(growth).collect::<Vec<isize>>();
            change::replace(document, &changes).ok().map(|made| (made, grown))
        };
        let (made, grown) = with(&base, |hunk| &hunk.base)?;
        if made != self.base {
            return None;
        }
        let mut proposed = pending.proposed.clone();
        proposed.name_after(&self.base);
        let (proposed, in_proposed) = with(&proposed, |hunk| &hunk.proposed)?;
        let decided = Decided {
            document: self.base.clone(),
            ids: again.iter().map(|(hunk, _)| hunk.id).collect(),
            in_base: grown,
            in_proposed,
            proposed: (proposed != pending.proposed).then_some(proposed),
        };
        Some(RedonePlan { base, pending, decided, in_base })
    }
}

impl Pending {
    /// Returns a document that has in the ranges of some hunks what was decided about them, and the hunks beside it.
    fn with_base_of(&self, base: &Document, decided: &FxHashMap<u64, &UndecidedHunk>) -> Option<(Document, Pending)> {
        let (mut pending, mut changes, mut grown) = (self.clone(), Vec::new(), 0);
        for hunk in &mut pending.hunks {
            let Range { start: from, end: to } = hunk.base;
            hunk.base = shifted_range(&hunk.base, grown);
            if let Some(one) = decided.get(&hunk.id) {
                let change = Change { from, to, content: one.after.clone() };
                grown += growth(&change);
                hunk.base.end = shifted(to, grown);
                changes.push(change);
            }
        }
        Some((change::replace(base, &changes).ok()?, pending))
    }
}

/// Undoes acceptances. `accepted` has for each accepted hunk, in the order of the document, the change of base that undoes
/// it. Its new content is what the proposal has in that range now, including later proposals. `None` if a pending hunk is
/// only partly in such a range.
fn without_acceptances(
    base: &Document,
    pending: &Pending,
    accepted: Vec<(Change, PendingHunk)>,
) -> Option<(Document, Pending)> {
    let mut rest = pending.hunks.iter().peekable();
    let (mut hunks, mut changes) = (Vec::new(), Vec::new());
    // The growth of base so far, and the number of positions that the pending hunks add to the proposal.
    let (mut in_base, mut ahead) = (0, 0);
    let moved =
        |hunk: &PendingHunk, in_base: isize| PendingHunk { base: shifted_range(&hunk.base, in_base), ..hunk.clone() };
    for (change, hunk) in accepted {
        while let Some(before) = rest.next_if(|other| other.base.end <= change.from) {
            ahead += before.growth();
            hunks.push(moved(before, in_base));
        }
        let start = shifted(change.from, ahead);
        let mut whole = hunk;
        while let Some(inside) = rest.next_if(|other| other.base.start < change.to && other.base.end <= change.to) {
            if inside.base.start < change.from {
                return None;
            }
            ahead += inside.growth();
            whole.join(inside);
        }
        if rest.peek().is_some_and(|next| next.base.start < change.to) {
            return None;
        }
        let grown = growth(&change);
        whole.proposed = start..shifted(change.to, ahead);
        whole.base = shifted(change.from, in_base)..shifted(change.to, in_base + grown);
        hunks.push(whole);
        in_base += grown;
        changes.push(change);
    }
    hunks.extend(rest.map(|hunk| moved(hunk, in_base)));
    let proposed = pending.proposed.clone();
    Some((change::replace(base, &changes).ok()?, Pending { proposed, hunks, log: None }))
}
