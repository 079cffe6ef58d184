//! Suggestions: hunks that several pages share.
//!
//! [`Review::adopt`] computes the pending hunks from the stored ones and base. The same base and the same list give the
//! same hunks in every page, independent of what each page has received before. A page stores its proposals and
//! decisions, and nothing that follows from typing.

use super::hunk::{Hunk, HunkOutcome, Verdict, lines_of};
use super::merge::{checks, top_fits};
use super::pending::{Maker, Numbers, Pending, PendingHunk, closed, shifted};
use super::restore::StoredHunk;
use super::review::Review;
use super::sharing::{Authors, OwnHunk};
use super::turns::adopt_names;
use crate::Error;
use copydesk_base::decode::from_value;
use copydesk_document::{Document, Node};
use copydesk_edit::Origin;
use copydesk_edit::change::{self, Change, content_between};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use serde_json::Value;
use std::ops::Range;

/// Reason for which a stored hunk is not pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WaitingReason {
    /// Another hunk changes the same range, or is only right together with it.
    Excluded,
    /// The document already has the proposed content.
    Void,
    /// The data is damaged, or does not fit this document.
    Invalid,
}

/// A hunk that may be pending.
struct Candidate {
    id: u64,
    /// Index in the list.
    rank: usize,
    change: Change,
    original: Vec<Node>,
    stored: StoredHunk,
}

/// Returns the index at which to insert a range into a sorted list of disjoint ranges; `None` if one of them overlaps
/// it.
fn insertion_index(ranges: &[Range<usize>], range: &Range<usize>) -> Option<usize> {
    let at = ranges.partition_point(|other| (other.start, other.end) <= (range.start, range.end));
    let excludes = |other: &Range<usize>| other.start < range.end && range.start < other.end;
    // Empty ranges may be between it and the range that extends into it.
    let before = ranges[..at].iter().rev().find(|other| other.start < other.end);
    let mut behind = ranges[at..].iter().take_while(|other| other.start <= range.end);
    (!before.is_some_and(excludes) && !behind.any(excludes)).then_some(at)
}

impl Review {
    /// Shares the hunks from now on. New hunks have numbers greater than `first`; other pages must not use them.
    pub fn share(&mut self, first: u64) {
        self.numbers.hunk = self.numbers.hunk.max(first);
        self.sharing.get_or_insert_default();
        self.history.clear();
    }

    /// Sets the authors of the edits from now on.
    pub fn set_authors(&mut self, authors: Authors) {
        self.authors = authors;
    }

    /// Returns the origin of an edit with its author.
    pub(super) fn signed(&self, origin: &Origin) -> Origin {
        let own = if origin.turn.is_some() { &self.authors.agent } else { &self.authors.person };
        Origin { author: origin.author.clone().or_else(|| own.clone()), ..origin.clone() }
    }

    /// Returns and forgets the decisions of this page since the last call: the ids of hunks, with
    /// [`HunkOutcome::Undone`] for those that are pending again. A decision that changes base is returned before base
    /// changes.
    pub fn take_decisions(&mut self) -> Vec<(String, HunkOutcome)> {
        let taken = self.sharing.as_mut().map(|sharing| std::mem::take(&mut sharing.decisions)).unwrap_or_default();
        taken.into_iter().map(|(id, outcome)| (format!("h{id}"), outcome)).collect()
    }

    /// Records a decision of this page.
    pub(super) fn note(&mut self, ids: impl IntoIterator<Item = u64>, outcome: HunkOutcome) {
        let Some(sharing) = &mut self.sharing else { return };
        for id in ids {
            sharing.decisions.push((id, outcome));
            match outcome {
                HunkOutcome::Undone => sharing.told.remove(&id),
                _ => sharing.told.insert(id, outcome),
            };
        }
    }

    /// Forgets decisions that the editor refused.
    pub(super) fn forget_noted(&mut self, ids: &FxHashSet<u64>) {
        let Some(sharing) = &mut self.sharing else { return };
        sharing.decisions.retain(|(id, _)| !ids.contains(id));
        sharing.told.retain(|id, _| !ids.contains(id));
    }

    /// Replaces the pending hunks by the stored ones. `value` is `{hunks, decided}`: the hunks that nobody has decided,
    /// and `{id, outcome}` for the others. If two hunks exclude each other, the first one is pending. Returns the hunks
    /// that are not pending. The model is told of the decisions of other pages about its hunks.
    ///
    /// # Errors
    /// [`copydesk_base::Error::InvalidParameter`] if `value` has another shape; the review is unchanged then.
    pub fn adopt(&mut self, value: &Value) -> Result<Vec<(String, WaitingReason)>, Error> {
        let list = |name: &str| value.get(name).and_then(Value::as_array);
        let (Some(hunks), Some(decided)) = (list("hunks"), list("decided")) else {
            return Err(Error::Base(copydesk_base::Error::InvalidParameter {
                name: "hunks".into(),
                given: copydesk_base::error::excerpt(&value.to_string()),
                expected: "{ hunks, decided }".into(),
            }));
        };
        self.keep_own();
        let mut waiting = Vec::new();
        let (mut ranges, mut candidates) = (Vec::new(), Vec::new());
        let mut known = FxHashSet::default();
        for (rank, value) in hunks.iter().enumerate() {
            let mut leave = |reason| waiting.push((id_of(value).to_owned(), reason));
            let Some(candidate) = self.candidate(value, rank).filter(|one| known.insert(one.id)) else {
                leave(WaitingReason::Invalid);
                continue;
            };
            let range = candidate.change.from..candidate.change.to;
            match insertion_index(&ranges, &range) {
                _ if candidate.is_void(&self.base) => leave(WaitingReason::Void),
                None => leave(WaitingReason::Excluded),
                Some(at) => {
                    ranges.insert(at, range);
                    candidates.push(candidate);
                }
            }
        }
        candidates.sort_by_key(|one: &Candidate| (one.change.from, one.change.to, one.rank));
        let pending = self.independent(candidates, &mut waiting);
        self.replace_pending(pending);
        self.tell_decisions(decided);
        self.settle();
        Ok(waiting)
    }

    /// Remembers the hunks that turns of this page made, because a stored hunk does not contain its turn.
    pub(super) fn keep_own(&mut self) {
        let (Some(pending), Some(sharing)) = (&self.pending, &mut self.sharing) else { return };
        for hunk in pending.hunks.iter().filter(|hunk| hunk.makers.iter().any(|maker| maker.origin.turn.is_some())) {
            let line = lines_of(&pending.proposed, &hunk.proposed).0;
            sharing.own.insert(hunk.id, OwnHunk { makers: hunk.makers.clone(), line });
        }
    }

    /// Reads a stored hunk; `None` if it does not fit base.
    fn candidate(&self, value: &Value, rank: usize) -> Option<Candidate> {
        let stored: StoredHunk = from_value(value).ok()?;
        let id = number_of(&stored.id).filter(|id| *id != 0 && *id != u64::MAX)?;
        let schema = self.base.schema();
        let range = stored.from..stored.to;
        if range.start > range.end || range.end > self.base.size() || closed(&self.base, &range) != range {
            return None;
        }
        let read = |nodes: &[Value]| nodes.iter().map(|node| Node::from_value(schema, node)).collect::<Result<_, _>>();
        let content: Vec<Node> = read(&stored.content).ok()?;
        let original = read(stored.original.as_deref()?).ok()?;
        let change = Change { from: range.start, to: range.end, content };
        let (blocks, after) = change::blocks_after(&self.base, &change).ok()?;
        let fits = after.iter().all(|block| checks(schema, block)) && top_fits(&self.base, &blocks, &after);
        fits.then_some(Candidate { id, rank, change, original, stored })
    }

    /// Returns the proposal with the hunks that are valid without one another; the others are added to `waiting`.
    fn independent(
        &mut self,
        mut candidates: Vec<Candidate>,
        waiting: &mut Vec<(String, WaitingReason)>,
    ) -> Option<Pending> {
        loop {
            let changes: Vec<Change> = candidates.iter().map(|one| one.change.clone()).collect();
            let mut before = self.base.clone();
            before.name_after(self.proposed());
            let proposed = change::replace(&before, &changes).ok()?;
            let hunks = self.pending_of(&candidates);
            let pending = Pending { proposed, hunks, log: None };
            let Some(dependent) = pending.dependent(&self.base, 0..candidates.len(), true) else {
                return Some(pending);
            };
            let last = dependent.max_by_key(|at| candidates[*at].rank)?;
            let id = candidates.remove(last).stored.id;
            waiting.push((id, WaitingReason::Excluded));
        }
    }

    fn pending_of(&mut self, candidates: &[Candidate]) -> Vec<PendingHunk> {
        let mut links = FxHashMap::default();
        let (mut grown, mut hunks) = (0, Vec::with_capacity(candidates.len()));
        for Candidate { id, change, original, stored, .. } in candidates {
            let start = shifted(change.from, grown);
            grown += change.new_size() as isize - (change.to - change.from) as isize;
            let links = stored.link(&mut links, &mut self.numbers);
            let known = self.sharing.as_ref().and_then(|sharing| sharing.own.get(id).map(|own| own.makers.clone()));
            let current = || self.pending.iter().flat_map(|pending| &pending.hunks).find(|hunk| hunk.id == *id);
            let known = known.or_else(|| current().map(|hunk| hunk.makers.clone()));
            let mut makers = known.unwrap_or_default();
            if makers.is_empty() || !stored.is_by(&makers) {
                makers.extend(makers_of(stored, &mut self.numbers));
            }
            hunks.push(PendingHunk {
                id: *id,
                base: change.from..change.to,
                proposed: start..start + change.new_size(),
                makers,
                links,
                conflict: content_between(&self.base, change.from, change.to) != *original,
            });
        }
        hunks
    }

    /// Replaces the proposal. Does nothing if it is equal.
    fn replace_pending(&mut self, pending: Option<Pending>) {
        let pending = pending.filter(|pending| !pending.hunks.is_empty());
        let is_same = match (&self.pending, &pending) {
            (None, None) => true,
            (Some(old), Some(new)) => {
                let key = |hunk: &PendingHunk| (hunk.id, hunk.base.clone(), hunk.proposed.clone(), hunk.conflict);
                let authors = |hunk: &PendingHunk| author_of(&hunk.makers).cloned();
                old.hunks.iter().map(key).eq(new.hunks.iter().map(key))
                    && old.hunks.iter().map(authors).eq(new.hunks.iter().map(authors))
                    && old.linked() == new.linked()
                    && old.proposed == new.proposed
            }
            _ => false,
        };
        if is_same {
            return;
        }
        let old = self.proposed().clone();
        match pending {
            Some(mut pending) => {
                adopt_names(&mut pending.proposed, &old);
                pending.proposed.go_on_after(&old);
                pending.proposed.name_after(&self.base);
                self.pending = Some(pending);
            }
            None => {
                // As after the last decision, base gets the ids that the model knows.
                let mut proposed = self.base.clone();
                proposed.name_after(&old);
                adopt_names(&mut proposed, &old);
                proposed.go_on_after(&old);
                self.pending = Some(Pending { proposed, hunks: Vec::new(), log: None });
            }
        }
        self.changed_hunks();
    }

    /// Tells the model what other pages have decided about its hunks.
    fn tell_decisions(&mut self, decided: &[Value]) {
        let pending: Vec<Hunk> = self.hunks();
        let Some(sharing) = &mut self.sharing else { return };
        let mut verdicts = Vec::new();
        for decision in decided {
            let (id, outcome) = (id_of(decision), decision.get("outcome").unwrap_or(&Value::Null));
            let Ok(outcome) = from_value::<HunkOutcome>(outcome) else { continue };
            let Some((number, own)) = number_of(id).and_then(|number| Some((number, sharing.own.get(&number)?))) else {
                continue;
            };
            if sharing.told.insert(number, outcome).is_none() {
                let last = |of: fn(&Origin) -> Option<&String>| {
                    own.makers.iter().rev().find_map(|maker| of(&maker.origin).cloned())
                };
                let (turn, tool_id) = (last(|origin| origin.turn.as_ref()), last(|origin| origin.tool_id.as_ref()));
                verdicts.push(Verdict { hunk: id.to_owned(), outcome, line: own.line, turn, tool_id });
            }
        }
        let is_again = |hunk: &&Hunk| hunk.number().is_some_and(|id| sharing.told.remove(&id).is_some());
        let again: Vec<Hunk> = pending.iter().filter(is_again).cloned().collect();
        self.verdicts.extend(verdicts);
        again.iter().for_each(|hunk| self.tell(hunk, HunkOutcome::Undone));
    }
}

impl Candidate {
    /// Returns true if base already has the proposed content.
    fn is_void(&self, base: &Document) -> bool {
        content_between(base, self.change.from, self.change.to) == self.change.content
    }
}

impl StoredHunk {
    /// Returns true if makers are those of the stored hunk: no other page has changed it since.
    fn is_by(&self, makers: &[Maker]) -> bool {
        let is_own = |tool: &String| makers.iter().any(|maker| maker.origin.tool_id.as_ref() == Some(tool));
        (self.author.is_none() || self.author.as_ref() == author_of(makers)) && self.tool_ids.iter().all(is_own)
    }
}

/// Returns the author of the latest of the edits that made a hunk.
fn author_of(makers: &[Maker]) -> Option<&Value> {
    makers.iter().rev().find_map(|maker| maker.origin.author.as_ref())
}

/// Returns the id of a stored hunk, or of one that was decided; empty if it has none.
fn id_of(value: &Value) -> &str {
    value.get("id").and_then(Value::as_str).unwrap_or_default()
}

fn number_of(id: &str) -> Option<u64> {
    id.strip_prefix('h')?.parse().ok()
}

/// Returns the edits that made a hunk of another page, or of this one before a reload.
fn makers_of(stored: &StoredHunk, numbers: &mut Numbers) -> Vec<Maker> {
    let tools = stored.tool_ids.iter().cloned().map(Some).chain(stored.tool_ids.is_empty().then_some(None));
    let origin = |tool_id| Origin {
        tool_id,
        instruction: stored.instruction.clone(),
        author: stored.author.clone(),
        ..Origin::default()
    };
    tools.map(|tool| numbers.next_maker(origin(tool))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_ranges_exclude_each_other_and_touching_ones_do_not() {
        let mut ranges = Vec::new();
        let mut add = |range: Range<usize>| {
            let at = insertion_index(&ranges, &range);
            at.into_iter().for_each(|at| ranges.insert(at, range.clone()));
            at.is_some()
        };
        assert!(add(5..10));
        assert!(!add(5..10));
        assert!(!add(0..6) && !add(9..12) && !add(7..7));
        assert!(!add(0..20) && !add(6..8));
        assert!(add(5..5) && add(5..5));
        assert!(add(10..10) && add(0..5) && add(10..12));
        assert!(!add(4..6) && !add(5..10));
        assert_eq!(ranges, [0..5, 5..5, 5..5, 5..10, 10..10, 10..12]);
    }
}
