//! Takes decisions back: decided hunks are pending again, and the document is restored to its former state.
//!
//! A decision leaves one text in both documents, where base and the proposal had two. That text and the two are stored,
//! with base as it was then. The position of the text in a later state of base is computed on request: the positions
//! follow the user's typing. Text that was changed since stays: its hunk cannot be pending again.

mod in_history;

use super::decide::Reviewed;
use super::hunk::{Hunk, HunkOutcome, Which};
use super::linked::is_alike;
use super::merge::checks;
use super::pending::{Pending, PendingHunk, shifted, shifted_range};
use super::review::{Decided, Expected, Review, changed};
use crate::Error;
use copydesk_document::{Document, Node};
use copydesk_edit::change::{self, Change, content_between};
use copydesk_edit::tokens::{New, Splice, diff};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use serde_json::Value;
use std::ops::Range;
use std::rc::Rc;

/// Number of hunks whose decisions can be taken back; the oldest are dropped.
const MOST_DECIDED: usize = 2_000;
/// Number of hunks that are tried one by one if they cannot be pending together.
const MOST_TRIED: usize = 100;

/// A hunk that was decided.
#[derive(Clone)]
pub(super) struct DecidedHunk {
    /// The hunk as it was pending.
    hunk: PendingHunk,
    /// Number of the decision; hunks that were decided together have the same number.
    decision: u64,
    /// The last edit of the agent before it.
    edit: u64,
    /// The hunks that were decided with it because text was moved between them.
    linked: Vec<u64>,
    /// Base after the decision.
    document: Document,
    /// The range in it.
    range: Range<usize>,
    /// The nodes of base before the decision.
    original: Vec<Node>,
    /// The nodes of the proposal before it.
    content: Vec<Node>,
    /// The nodes of both since.
    after: Vec<Node>,
    /// The hunks that ended where it began.
    behind: Vec<u64>,
    /// The changes that the editor made of its own accord with the decision, beside its hunks.
    effects: Rc<Vec<DecisionEffect>>,
    /// True if the decision changed base.
    changed_base: bool,
    /// True if the decision changed the proposal.
    changed_proposal: bool,
}

/// A change by a plugin of the editor, as one that appends an empty paragraph: it belongs to the outcome of a decision.
#[derive(Clone)]
struct DecisionEffect {
    /// The range in base after it.
    range: Range<usize>,
    /// The former nodes.
    original: Vec<Node>,
    /// The nodes since.
    after: Vec<Node>,
}

impl DecisionEffect {
    fn growth(&self) -> isize {
        size(&self.original) as isize - self.range.len() as isize
    }
}

/// A hunk that is pending again.
#[derive(Clone)]
pub(super) struct UndecidedHunk {
    id: u64,
    /// The nodes of the proposal.
    content: Vec<Node>,
    /// The nodes that both documents had after the decision.
    after: Vec<Node>,
}

/// The result of taking decisions back.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct UndoneDecision {
    /// The ids of the hunks that are pending again.
    pub hunks: Vec<String>,
    /// The ids of those that stay decided, because the text was changed since.
    pub left: Vec<String>,
}

impl UndoneDecision {
    /// Returns it as JSON.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// A decided hunk in a later state of base.
#[derive(Clone)]
struct LocatedHunk {
    /// Its index among the decided ones.
    at: usize,
    /// Index of the effect of its decision; `None` for the hunk itself.
    effect: Option<usize>,
    /// Number of pending hunks before it.
    before: usize,
    range: Range<usize>,
}

/// The two documents with decisions taken back.
struct UndonePlan {
    /// The changes of base.
    changes: Vec<Change>,
    document: Document,
    pending: Pending,
    /// The decided hunks that are pending then.
    taken: Vec<usize>,
}

/// Makes decided hunks pending again: those of the last decision, or a selection of all decided ones. Base is changed
/// in one transaction.
///
/// # Errors
/// [`Error::UnknownHunk`] for a hunk that was not decided, or too long ago; the holder's errors if it refuses the
/// changes. Nothing has changed then.
pub fn undo_decision(holder: &dyn Reviewed, which: Option<&Which>) -> Result<UndoneDecision, Error> {
    holder.refresh()?;
    let (chosen, changes, taken) = {
        let review = &mut *holder.review().borrow_mut();
        let chosen = review.decided_by(which)?;
        let UndonePlan { changes, document, pending, taken } = review.plan_undo(&review.base, &chosen);
        if changes.is_empty() && !taken.is_empty() {
            review.pending = Some(pending);
        } else if !changes.is_empty() {
            review.expected = Some(Expected::Undecided { document, pending });
        }
        let ids: FxHashSet<u64> = taken.iter().map(|at| review.decided[*at].hunk.id).collect();
        review.note(ids.iter().copied(), HunkOutcome::Undone);
        (chosen, changes, taken)
    };
    if !changes.is_empty() {
        let changed = holder.change_base(&changes);
        let review = &mut *holder.review().borrow_mut();
        review.expected = None;
        if changed.is_err() {
            review.forget_noted(&taken.iter().map(|at| review.decided[*at].hunk.id).collect());
        }
        changed?;
    }
    let name = |review: &Review, at: &usize| format!("h{}", review.decided[*at].hunk.id);
    let undone = {
        let review = &mut *holder.review().borrow_mut();
        let left = chosen.iter().filter(|at| !taken.contains(at)).map(|at| name(review, at)).collect();
        let hunks = taken.iter().map(|at| name(review, at)).collect();
        review.undecided(&taken);
        UndoneDecision { hunks, left }
    };
    if !undone.hunks.is_empty() {
        holder.reviewed();
    }
    Ok(undone)
}

impl Review {
    /// Stores the data for taking a decision back; `base` and `pending` are those before the decision.
    pub(super) fn remember(&mut self, decided: &Decided, base: &Document, pending: &Pending) {
        let decision = self.numbers.next_decision();
        let mut grown = 0;
        let mut growths = decided.in_base.iter().copied();
        // The ends of the other hunks in base after the decision: its deletions bring others together.
        let mut ends: Vec<(u64, usize)> = Vec::new();
        for (hunk, linked) in pending.hunks.iter().zip(pending.linked()) {
            if !decided.ids.contains(&hunk.id) {
                ends.push((hunk.id, shifted(hunk.base.end, grown)));
                continue;
            }
            let growth = growths.next().unwrap_or_default();
            let range = shifted(hunk.base.start, grown)..shifted(hunk.base.end, grown + growth);
            grown += growth;
            let touching = ends.iter().rev().take_while(|(_, end)| *end == range.start);
            let behind = touching.map(|(id, _)| *id).collect();
            ends.push((hunk.id, range.end));
            let original = content_between(base, hunk.base.start, hunk.base.end);
            let content = content_between(&pending.proposed, hunk.proposed.start, hunk.proposed.end);
            let after = content_between(&decided.document, range.start, range.end);
            Rc::make_mut(&mut self.decided).push(DecidedHunk {
                decision,
                edit: self.numbers.edit,
                linked: linked.into_iter().map(|other| pending.hunks[other].id).collect(),
                changed_base: original != after,
                changed_proposal: content != after,
                original,
                content,
                after,
                behind,
                effects: Rc::default(),
                document: decided.document.clone(),
                hunk: hunk.clone(),
                range,
            });
        }
        let decided = Rc::make_mut(&mut self.decided);
        let surplus = decided.len().saturating_sub(MOST_DECIDED);
        decided.drain(..surplus);
    }

    /// Adds to the last decision what the editor made of its outcome; base is the result.
    pub(super) fn remember_effects(&mut self, outcome: &Document) {
        let splices = splices(outcome, &self.base);
        let Some(last) = self.decided.last().map(|one| one.decision) else { return };
        let mut own: Vec<&mut DecidedHunk> =
            Rc::make_mut(&mut self.decided).iter_mut().filter(|one| one.decision == last).collect();
        let is_in = |splice: &Splice, range: &Range<usize>| range.start < splice.to && splice.from < range.end;
        let (mut grown, mut effects) = (0, Vec::new());
        for splice in &splices {
            let from = shifted(splice.from, grown);
            grown += splice.growth();
            if let New::Nodes(after) = &splice.new
                && !own.iter().any(|one| is_in(splice, &one.range))
            {
                let original = content_between(outcome, splice.from, splice.to);
                effects.push(DecisionEffect { range: from..from + splice.new_size(), original, after: after.clone() });
            }
        }
        let effects = Rc::new(effects);
        for one in &mut own {
            one.effects = effects.clone();
            let grown = |is_counted: &dyn Fn(&Splice) -> bool| -> isize {
                splices.iter().filter(|splice| is_counted(splice)).map(Splice::growth).sum()
            };
            let range = &one.range;
            let before = grown(&|splice| splice.to <= range.start && splice.from < range.end);
            let inside = grown(&|splice| is_in(splice, range));
            let is_whole =
                |splice: &Splice| !is_in(splice, range) || range.start <= splice.from && splice.to <= range.end;
            if splices.iter().all(is_whole) {
                one.range = shifted(range.start, before)..shifted(range.end, before + inside);
                one.after = content_between(&self.base, one.range.start, one.range.end);
                one.document = self.base.clone();
            }
        }
    }

    /// Forgets the decisions about hunks of a turn, which was undone.
    pub(super) fn forget_decisions(&mut self, turn: &str) {
        let is_its = |one: &DecidedHunk| one.hunk.makers.iter().any(|maker| maker.origin.turn.as_deref() == Some(turn));
        Rc::make_mut(&mut self.decided).retain(|one| !is_its(one));
    }

    /// Returns the decided hunks of a selection, or of the last decision.
    fn decided_by(&self, which: Option<&Which>) -> Result<Vec<usize>, Error> {
        let last = self.decided.last().map(|one| one.decision);
        let is_meant = |one: &DecidedHunk| {
            let by = |name: &str, of: fn(&copydesk_edit::Origin) -> Option<&String>| {
                one.hunk.makers.iter().any(|maker| of(&maker.origin).is_some_and(|given| given == name))
            };
            match which {
                None => Some(one.decision) == last,
                Some(Which::All) => true,
                Some(Which::Hunk(id)) => format!("h{}", one.hunk.id) == *id,
                Some(Which::Hunks(ids)) => ids.contains(&format!("h{}", one.hunk.id)),
                Some(Which::ToolId(id)) => by(id, |origin| origin.tool_id.as_ref()),
                Some(Which::Turn(id)) => by(id, |origin| origin.turn.as_ref()),
            }
        };
        let chosen = (0..self.decided.len()).filter(|at| is_meant(&self.decided[*at])).collect();
        let chosen = self.with_linked(chosen);
        match which {
            Some(Which::Hunk(id)) if chosen.is_empty() => {
                let valid = self.decided.iter().map(|one| format!("h{}", one.hunk.id)).collect();
                Err(Error::UnknownHunk { given: id.clone(), valid })
            }
            _ => Ok(chosen),
        }
    }

    /// Returns decided hunks with those that were decided together with them because text was moved between them.
    fn with_linked(&self, chosen: Vec<usize>) -> Vec<usize> {
        let linked = |at: usize| chosen.iter().any(|one| *one == at || self.are_linked(*one, at));
        (0..self.decided.len()).filter(|at| linked(*at)).collect()
    }

    /// Returns true if text was moved between two hunks of one decision.
    fn are_linked(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.decided[a], &self.decided[b]);
        a.decision == b.decision && a.linked.contains(&b.hunk.id)
    }

    /// Returns the outcome of the decision about a hunk.
    pub(super) fn outcome_of(&self, hunk: &Hunk) -> Option<HunkOutcome> {
        let one = self.decided.iter().rfind(|one| Some(one.hunk.id) == hunk.number())?;
        Some(match (one.changed_base, one.changed_proposal) {
            (true, true) => HunkOutcome::Both,
            (true, false) => HunkOutcome::Accepted,
            (false, _) => HunkOutcome::Rejected,
        })
    }

    /// Takes over that hunks are pending again.
    fn undecided(&mut self, taken: &[usize]) {
        if taken.is_empty() {
            return;
        }
        if let Some(pending) = &mut self.pending {
            pending.name(&mut self.numbers);
        }
        let undecided = |at: &usize| {
            let DecidedHunk { hunk, content, after, .. } = &self.decided[*at];
            UndecidedHunk { id: hunk.id, content: content.clone(), after: after.clone() }
        };
        let undecided: Vec<UndecidedHunk> = taken.iter().map(undecided).collect();
        let mut at = 0;
        Rc::make_mut(&mut self.decided).retain(|_| {
            at += 1;
            !taken.contains(&(at - 1))
        });
        let is_one = |hunk: &&Hunk| hunk.number().is_some_and(|id| undecided.iter().any(|one| one.id == id));
        for hunk in self.hunks().iter().filter(is_one) {
            self.tell(hunk, HunkOutcome::Undone);
        }
        self.undone.push(undecided);
        let surplus = self.undone.len().saturating_sub(MOST_DECIDED);
        self.undone.drain(..surplus);
        self.changed_hunks();
    }

    /// Makes as many of the chosen hunks pending again as can be; `base` is base before.
    fn plan_undo(&self, base: &Document, chosen: &[usize]) -> UndonePlan {
        let none = Pending { proposed: base.clone(), hunks: Vec::new(), log: None };
        let pending = self.pending.as_ref().unwrap_or(&none);
        let places = self.places(base, pending, chosen);
        if let Some(plan) = self.with_undone(base, pending, &self.with_effects(base, pending, &places)) {
            return plan;
        }
        let (mut is_kept, mut is_tried, mut plan) = (vec![false; places.len()], vec![false; places.len()], None);
        for first in 0..places.len().min(MOST_TRIED) {
            if is_tried[first] {
                continue;
            }
            let is_of_group =
                |place: &LocatedHunk| place.at == places[first].at || self.are_linked(places[first].at, place.at);
            let group: Vec<usize> = (0..places.len()).filter(|at| is_of_group(&places[*at])).collect();
            let set = |flags: &mut Vec<bool>, value: bool| group.iter().for_each(|at| flags[*at] = value);
            set(&mut is_tried, true);
            set(&mut is_kept, true);
            let kept: Vec<LocatedHunk> =
                places.iter().zip(&is_kept).filter(|(_, kept)| **kept).map(|(p, _)| p.clone()).collect();
            match self.with_undone(base, pending, &kept) {
                Some(made) => plan = Some(made),
                None => set(&mut is_kept, false),
            }
        }
        let empty =
            || UndonePlan { changes: Vec::new(), document: base.clone(), pending: pending.clone(), taken: Vec::new() };
        plan.unwrap_or_else(empty)
    }

    /// Returns where hunks are that nobody has changed since, in the order of the document.
    fn places(&self, base: &Document, pending: &Pending, chosen: &[usize]) -> Vec<LocatedHunk> {
        let mut since: FxHashMap<u64, Vec<Splice>> = FxHashMap::default();
        let mut places: Vec<LocatedHunk> = Vec::new();
        for at in chosen.iter().copied() {
            let one = &self.decided[at];
            let splices = since.entry(one.decision).or_insert_with(|| splices(&one.document, base));
            let Some(range) = followed(&one.range, splices) else { continue };
            if content_between(base, range.start, range.end) != one.after {
                continue;
            }
            let is_before = |hunk: &PendingHunk| {
                let at_point = range.is_empty() && hunk.base.start == range.start;
                hunk.base.end <= range.start && (!at_point || one.behind.contains(&hunk.id))
            };
            let before = pending.hunks.iter().take_while(|hunk| is_before(hunk)).count();
            if self.is_proposed_again(base, pending, one, &range) {
                continue;
            }
            // The agent has proposed something else for it since.
            if pending.hunks.get(before).is_some_and(|next| next.base.start < range.end)
                || pending.hunks[..before].last().is_some_and(|last| last.base.end > range.start)
            {
                continue;
            }
            // Those at one point are in the order that they had.
            let is_later = |other: &LocatedHunk| {
                let is_behind =
                    range.is_empty() && other.range == range && self.decided[other.at].behind.contains(&one.hunk.id);
                (other.before, other.range.start, other.range.end) > (before, range.start, range.end) || is_behind
            };
            let index = places.iter().rposition(|other| !is_later(other)).map_or(0, |last| last + 1);
            let is_free = |other: &LocatedHunk| other.range.end <= range.start || range.end <= other.range.start;
            let (last, next) = (index.checked_sub(1).and_then(|last| places.get(last)), places.get(index));
            // Pending hunks may be between some of those at one position, and not in their order.
            let is_in_order = last.is_none_or(|last| last.before <= before && is_free(last))
                && next.is_none_or(|next| before <= next.before && is_free(next));
            if is_in_order {
                places.insert(index, LocatedHunk { at, effect: None, before, range });
            }
        }
        // Text that was moved would be there twice or not at all with one of its hunks only.
        let key = |one: &DecidedHunk, id: u64| (one.decision, id);
        let found: FxHashSet<(u64, u64)> =
            places.iter().map(|place| &self.decided[place.at]).map(|one| key(one, one.hunk.id)).collect();
        let is_whole = |place: &LocatedHunk| {
            let one = &self.decided[place.at];
            one.linked.iter().all(|id| found.contains(&key(one, *id)))
        };
        places.retain(is_whole);
        places
    }

    /// Adds the effects of the decisions that are taken back as a whole, where nobody has changed them since.
    fn with_effects(&self, base: &Document, pending: &Pending, places: &[LocatedHunk]) -> Vec<LocatedHunk> {
        let mut all = places.to_vec();
        let mut done = FxHashSet::default();
        for place in places {
            let one = &self.decided[place.at];
            let count = self.decided.iter().filter(|other| other.decision == one.decision).count();
            let found = places.iter().filter(|other| self.decided[other.at].decision == one.decision).count();
            if one.effects.is_empty() || count != found || !done.insert(one.decision) {
                continue;
            }
            let splices = splices(&one.document, base);
            for (at, effect) in one.effects.iter().enumerate() {
                let Some(range) = followed(&effect.range, &splices) else { continue };
                let before = pending.hunks.partition_point(|hunk| hunk.base.end <= range.start);
                let is_free = pending.hunks.get(before).is_none_or(|next| next.base.start >= range.end)
                    && !all.iter().any(|other| other.range.start < range.end && range.start < other.range.end);
                if is_free && content_between(base, range.start, range.end) == effect.after {
                    all.push(LocatedHunk { at: place.at, effect: Some(at), before, range });
                }
            }
        }
        all.sort_by_key(|place| (place.before, place.range.start, place.range.end));
        all
    }

    /// Returns true if the agent has proposed an insertion again since, at the same point or near to it.
    fn is_proposed_again(&self, base: &Document, pending: &Pending, one: &DecidedHunk, range: &Range<usize>) -> bool {
        if !one.original.is_empty() || !range.is_empty() {
            return false;
        }
        let block = base.block_at(range.start);
        let is_new = |hunk: &&PendingHunk| hunk.makers.iter().any(|maker| maker.number > one.edit);
        pending.hunks.iter().filter(is_new).any(|hunk| {
            let is_at_point = hunk.base == *range;
            let is_near = base.block_at(hunk.base.start).abs_diff(block) <= 1;
            let old = || content_between(base, hunk.base.start, hunk.base.end);
            let new = || content_between(&pending.proposed, hunk.proposed.start, hunk.proposed.end);
            is_at_point || is_near && is_alike(base.schema(), [&old(), &new()], [&[], &one.content])
        })
    }

    /// Returns the documents with these hunks pending; `None` if the result would be invalid.
    fn with_undone(&self, base: &Document, pending: &Pending, places: &[LocatedHunk]) -> Option<UndonePlan> {
        let (mut changes, mut proposals, mut hunks) = (Vec::new(), Vec::new(), Vec::new());
        // The growth of both documents so far, and the number of positions that the pending hunks add to the proposal.
        let (mut in_base, mut in_proposed, mut ahead) = (0, 0, 0);
        let mut next = 0;
        let mut pass = |until: usize, in_base: isize, in_proposed: isize, hunks: &mut Vec<PendingHunk>| {
            let passed = &pending.hunks[next..until];
            next = until;
            hunks.extend(passed.iter().map(|hunk| PendingHunk {
                base: shifted_range(&hunk.base, in_base),
                proposed: shifted_range(&hunk.proposed, in_proposed),
                ..hunk.clone()
            }));
            passed.iter().map(PendingHunk::growth).sum::<isize>()
        };
        for LocatedHunk { at, effect, before, range } in places {
            let one = &self.decided[*at];
            ahead += pass(*before, in_base, in_proposed, &mut hunks);
            let proposed = shifted_range(range, ahead);
            let (old, new, after) = match effect.and_then(|effect| one.effects.get(effect)) {
                Some(effect) => (&effect.original, &effect.original, &effect.after),
                None => (&one.original, &one.content, &one.after),
            };
            let (original, content) = (size(old), size(new));
            let (start, start_proposed) = (shifted(range.start, in_base), shifted(proposed.start, in_proposed));
            if effect.is_none() {
                hunks.push(PendingHunk {
                    base: start..start + original,
                    proposed: start_proposed..start_proposed + content,
                    ..one.hunk.clone()
                });
            }
            if old != after {
                changes.push(Change { from: range.start, to: range.end, content: old.clone() });
            }
            if new != after {
                proposals.push(Change { from: proposed.start, to: proposed.end, content: new.clone() });
            }
            in_base += original as isize - range.len() as isize;
            in_proposed += content as isize - range.len() as isize;
        }
        pass(pending.hunks.len(), in_base, in_proposed, &mut hunks);

        let mut old = base.clone();
        old.name_after(&pending.proposed);
        let document = change::replace(&old, &changes).ok().filter(|document| is_valid(base, document))?;
        let mut old = pending.proposed.clone();
        old.name_after(&document);
        let first_new = old.next_id().0;
        let proposed = change::replace(&old, &proposals).ok().filter(|document| is_valid(&old, document))?;
        let mut pending = Pending { proposed, hunks, log: None };
        pending.join_dependent(&document, 0..pending.hunks.len(), true);
        pending.adopt_names(&document, first_new);
        let taken = places.iter().filter(|place| place.effect.is_none()).map(|place| place.at).collect();
        Some(UndonePlan { changes, document, pending, taken })
    }
}

fn size(nodes: &[Node]) -> usize {
    nodes.iter().map(Node::size).sum()
}

/// Returns whether what differs from a valid document is valid.
fn is_valid(old: &Document, now: &Document) -> bool {
    let schema = now.schema();
    let start = schema.node_type(schema.top_type()).content_match;
    let end = schema.match_types(start, now.blocks().iter().map(Node::kind));
    let changed = || changed(old, now).into_iter().flat_map(|changed| changed.now);
    end.is_some_and(|end| schema.valid_end(end)) && changed().all(|at| checks(schema, &now.blocks()[at]))
}

/// Returns what changed between two states of base, ascending.
fn splices(old: &Document, now: &Document) -> Vec<Splice> {
    let of = |changed: &super::merge::Changed| {
        diff(now.schema(), &changed.old, &now.blocks()[changed.now.clone()], changed.from)
    };
    changed(old, now).iter().flat_map(of).collect()
}

/// Returns a range after changes beside it; `None` if they changed something in it. Insertions at its ends are not in
/// it.
fn followed(range: &Range<usize>, splices: &[Splice]) -> Option<Range<usize>> {
    let before = splices.iter().take_while(|splice| splice.from < range.end && splice.to <= range.start);
    let (count, grown) = before.fold((0, 0), |(count, grown), splice| (count + 1, grown + splice.growth()));
    let is_beside = splices.get(count).is_none_or(|next| next.from >= range.end);
    is_beside.then(|| shifted_range(range, grown))
}
