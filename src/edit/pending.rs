//! A proposal beside the document it was made for: its differences from that one, what they are called, and which edit made
//! which.
//!
//! Differences are found by comparing and forgotten with the next comparison. What is kept is where they were and what the
//! agent's edits left in the proposal; both are carried along by positions, and tell a difference its name and its makers.

use super::apply::Origin;
use super::change::{self, Change};
use super::merge::{Conflict, growth, map_range, narrow, overlap, shifted, touch};
use crate::document::{BlockId, Document, Node};
use crate::map::{HashMap, HashSet, insert_by_key};
use std::ops::Range;

/// A proposal and what is known of its differences from base.
#[derive(Clone)]
pub struct Pending {
    /// The proposal.
    pub proposed: Document,
    /// From base to proposed, ascending.
    pub changes: Vec<Change>,
    /// The id of each change and its range in proposed.
    pub named: Vec<(u64, Range<usize>)>,
    /// Top-level blocks that are the same in base and in proposed.
    pub same: Vec<(Range<usize>, Range<usize>)>,
    /// What the agent did, as far as something of it is left.
    pub edits: Vec<Edit>,
    /// Places that the person changed too.
    pub conflicts: Vec<Conflict>,
}

/// An edit of the agent, and what it left in the proposal.
#[derive(Clone)]
pub struct Edit {
    /// Whose it was.
    pub origin: Origin,
    /// Where in the proposal.
    pub ranges: Vec<Range<usize>>,
}

impl Pending {
    /// Nothing is proposed yet.
    pub fn of(base: Document) -> Pending {
        let (changes, named, same, edits, conflicts) = Default::default();
        Pending { proposed: base, changes, named, same, edits, conflicts }
    }

    /// What is known by positions of the proposal, after changes to it.
    pub fn follow_proposal(&mut self, changes: &[Change], leading: &[bool]) {
        let conflicts = self.conflicts.iter_mut().map(|conflict| &mut conflict.proposed);
        let ranges = self.edits.iter_mut().flat_map(|edit| &mut edit.ranges);
        let named = self.named.iter_mut().map(|(_, range)| range);
        for range in conflicts.chain(ranges).chain(named) {
            *range = map_range(range, changes, leading);
        }
    }

    /// Gives the changes their names: those of the former hunks at the same place, where there were any.
    pub fn name(&mut self, base: &Document, mut changes: Vec<Change>, last: &mut u64) {
        let mut former = std::mem::take(&mut self.named);
        changes = changes
            .into_iter()
            .scan(0, |grown, change| {
                let from = shifted(change.from, *grown);
                *grown += growth(&change);
                Some(self.apart(base, change, from))
            })
            .flatten()
            .collect();
        let mut grown = 0;
        let mut named: Vec<(u64, Range<usize>)> = Vec::with_capacity(changes.len());
        for change in &mut changes {
            let range = shifted(change.from, grown)..shifted(change.from, grown) + change.new_size();
            let (front, back) = self.not_ours(&range);
            grown += growth(change);
            let narrowed = narrow(base, change.clone(), front, back);
            let front = narrowed.from - change.from;
            named.push((0, range.start + front..range.start + front + narrowed.new_size()));
            *change = narrowed;
        }
        for closely in [true, false] {
            for (id, range) in named.iter_mut().filter(|(id, _)| *id == 0) {
                let near = |known: &Range<usize>| if closely { overlap(known, range) } else { touch(known, range) };
                if let Some(at) = former.iter().position(|(_, known)| near(known)) {
                    *id = former.remove(at).0;
                }
            }
        }
        for (id, _) in named.iter_mut().filter(|(id, _)| *id == 0) {
            *last += 1;
            *id = *last;
        }
        let made: HashSet<usize> = named.iter().flat_map(|(_, range)| self.makers(range)).collect();
        let mut at = 0..;
        self.edits.retain(|_| at.next().is_some_and(|at| made.contains(&at)));
        let base = |at: usize| changes[at].from..changes[at].to;
        self.conflicts.dedup_by(|next, former| former.join(next));
        self.conflicts
            .retain(|conflict| named.iter().enumerate().any(|(at, (_, range))| conflict.is_in(&base(at), range)));
        (self.changes, self.named) = (changes, named);
    }

    /// A change of whole blocks as one for each run of blocks that the same edits made. `at` is where it begins in the
    /// proposal.
    fn apart(&self, base: &Document, change: Change, at: usize) -> Vec<Change> {
        let whole_blocks = base.block_start(base.block_at(change.from)) == change.from
            && change.content.iter().all(|node| !node.is_text() && !base.schema().is_inline(node.kind()));
        if change.content.len() < 2 || !whole_blocks {
            return vec![change];
        }
        let mut runs: Vec<(Vec<usize>, Vec<Node>)> = Vec::new();
        let mut start = at;
        for block in change.content {
            let makers = self.makers(&(start..start + block.size()));
            start += block.size();
            match runs.last_mut() {
                Some((same, blocks)) if *same == makers => blocks.push(block),
                _ => runs.push((makers, vec![block])),
            }
        }
        // What goes, goes with the first; the empty lines of a blank page with the last, so that the cursor in them
        // comes out behind all of it.
        let gone = change::content_between(base, change.from, change.to);
        let is_blank = gone.iter().all(|block| block.children().is_empty() && base.schema().is_textblock(block.kind()));
        let replacing = if is_blank { runs.len() - 1 } else { 0 };
        let part = |(index, (_, content)): (usize, (_, Vec<Node>))| Change {
            from: if index <= replacing { change.from } else { change.to },
            to: if index < replacing { change.from } else { change.to },
            content,
        };
        runs.into_iter().enumerate().map(part).collect()
    }

    /// How much at the beginning and at the end of a range no edit of the agent's has made. The difference is found by
    /// words, and a word grows by what the person types at it.
    fn not_ours(&self, range: &Range<usize>) -> (usize, usize) {
        let ranges = self.edits.iter().flat_map(|edit| &edit.ranges).filter(|own| touch(own, range));
        let hull = ranges.fold(None, |hull: Option<Range<usize>>, own| {
            Some(hull.map_or(own.clone(), |hull| hull.start.min(own.start)..hull.end.max(own.end)))
        });
        let hull = hull.unwrap_or_else(|| range.clone());
        (hull.start.saturating_sub(range.start), range.end.saturating_sub(hull.end))
    }

    /// The edits that made what is in a range.
    pub fn makers(&self, range: &Range<usize>) -> Vec<usize> {
        let made = |near: fn(&Range<usize>, &Range<usize>) -> bool| -> Vec<usize> {
            let near = |at: &usize| self.edits[*at].ranges.iter().any(|own| near(own, range));
            (0..self.edits.len()).filter(near).collect()
        };
        // A difference may be found beside the place where it was made: "a a" from "a" has two explanations.
        let away = |own: &Range<usize>| own.start.saturating_sub(range.end).max(range.start.saturating_sub(own.end));
        let distance = |at: &usize| self.edits[*at].ranges.iter().map(away).min().unwrap_or(usize::MAX);
        let found = [made(overlap), made(touch)].into_iter().find(|found| !found.is_empty());
        found.unwrap_or_else(|| (0..self.edits.len()).min_by_key(distance).into_iter().collect())
    }

    /// The change of the proposal that takes a hunk back.
    pub fn back(&self, base: &Document, at: usize) -> Change {
        let (change, (_, range)) = (&self.changes[at], &self.named[at]);
        let content: Vec<Node> = change::content_between(base, change.from, change.to);
        Change { from: range.start, to: range.end, content }
    }

    /// Hunks have been decided: a conflict that was theirs alone is over.
    pub fn forget_conflicts(&mut self, decided: &[usize]) {
        let (changes, named) = (&self.changes, &self.named);
        self.conflicts.retain(|conflict| {
            let mut meant =
                (0..changes.len()).filter(|at| conflict.is_in(&(changes[*at].from..changes[*at].to), &named[*at].1));
            !meant.all(|at| decided.contains(&at))
        });
    }
}

/// How ids are renamed where one row of them takes the place of another. A turn may remember a deleted block by an id that
/// now comes to another: it gets one of those that are free then.
pub fn renamed(old: &[BlockId], new: &[BlockId]) -> HashMap<BlockId, BlockId> {
    let mut names: HashMap<_, _> = old.iter().copied().zip(new.iter().copied()).filter(|(a, b)| a != b).collect();
    let given: HashSet<BlockId> = names.values().copied().collect();
    let (mut free, mut taken) = (Vec::new(), Vec::new());
    names.keys().filter(|id| !given.contains(id)).for_each(|id| insert_by_key(&mut free, *id, |id| *id));
    given.iter().filter(|id| !names.contains_key(id)).for_each(|id| insert_by_key(&mut taken, *id, |id| *id));
    names.extend(taken.into_iter().zip(free));
    names
}

impl Conflict {
    /// Takes another in that is at the same place on both sides.
    fn join(&mut self, other: &Conflict) -> bool {
        let meets = touch(&self.base, &other.base) && touch(&self.proposed, &other.proposed);
        if meets {
            let hull = |a: &Range<usize>, b: &Range<usize>| a.start.min(b.start)..a.end.max(b.end);
            self.base = hull(&self.base, &other.base);
            self.proposed = hull(&self.proposed, &other.proposed);
        }
        meets
    }

    /// Whether a hunk with these ranges is in it.
    pub fn is_in(&self, base: &Range<usize>, proposed: &Range<usize>) -> bool {
        touch(&self.base, base) || touch(&self.proposed, proposed)
    }
}
