//! Review is two documents: *base*, which is what the editor holds, and *proposed*, which is base with the agent's
//! edits that nobody has decided about. The model reads and edits the proposal. Hunks are the difference of the two: it is computed, and
//! never stored as positions that would have to be kept right.
//!
//! What must hold:
//!
//! 1. **What the person types is in base at once**, and in the proposal too unless the agent has changed the very same place.
//!    Such a place is a conflict as long as the two differ there: accepting takes the agent's version, rejecting the person's.
//! 2. **While nothing is pending there is one document**: base and proposed are the same value, and following an editor costs
//!    what it costs without review.
//! 3. **A block id never means two blocks.** The two documents draw their ids from one counter (`name_after`). A block that
//!    comes while something is pending may have one id in base and another in the proposal; the model knows only the proposal's
//!    ids, [`turns`](super::turns) only those of base. When nothing is pending any more the proposal's ids are the ones that stay, and
//!    the turns' are renamed: what was shown to the model stays valid.
//! 4. **Blocks that are equal on both sides are the same value**, so that two long documents are compared by pointers.
//!
//! In `auto` mode edits go to base at once. But where something is still pending when the mode changes to `auto`, it stays so until it
//! is decided, and until then further edits are proposals as well: an edit that the model made on top of a proposal cannot be
//! made without it.

use super::apply::Origin;
use super::change::{self, Change};
use super::hunk::{Hunk, HunkKind, Verdict, Which, lines_of, text_of};
use super::merge::{Merged, fine, growth, map_range, merge, shifted};
use super::pending::{Edit, Pending, renamed};
use super::plan::{self, Compared};
use super::turns::{Turns, adopt_names, take_names};
use crate::document::Document;
use crate::error::Error;
use std::ops::Range;

/// How many verdicts wait for agents that may never ask again.
const MOST_VERDICTS: usize = 200;

/// Whether the agent's edits wait for the person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// They go to the editor at once.
    #[default]
    Auto,
    /// They wait.
    Review,
}

/// A document under review.
#[derive(Clone)]
pub struct Review {
    /// Whether the agent's edits wait for the person.
    pub mode: Mode,
    /// What each turn did to base.
    pub turns: Turns,
    pub(super) base: Document,
    pub(super) pending: Option<Pending>,
    pub(super) expected: Option<Expected>,
    pub(super) verdicts: Vec<Verdict>,
    hunks_named: u64,
}

/// Top-level blocks of the proposal.
pub struct Run {
    /// Which.
    pub proposed: Range<usize>,
    /// The same blocks in base; none where they are not there.
    pub base: Option<Range<usize>>,
}

/// What the editor is about to become by a change of ours.
#[derive(Clone)]
pub(super) enum Expected {
    /// Hunks were accepted: base as it should then be, the changes that lead to it, and which hunks they are.
    Accepted { document: Document, changes: Vec<Change>, decided: Vec<usize> },
    /// A turn was taken back: blocks that come back have the ids that they have here.
    Undone(Document),
}

impl Review {
    /// Nothing is pending, and edits go through at once.
    pub fn new(base: Document) -> Review {
        let (mode, turns) = Default::default();
        Review { mode, turns, base, pending: None, expected: None, verdicts: Vec::new(), hunks_named: 0 }
    }

    /// What the editor holds, as it was last known.
    pub fn base(&self) -> &Document {
        &self.base
    }

    /// The document as the agent sees it.
    pub fn proposed(&self) -> &Document {
        self.pending.as_ref().map_or(&self.base, |pending| &pending.proposed)
    }

    /// Whether there are hunks.
    pub fn is_pending(&self) -> bool {
        self.pending.as_ref().is_some_and(|pending| !pending.changes.is_empty())
    }

    /// Whether the next edit of the agent will wait for the person.
    pub fn proposes(&self) -> bool {
        self.mode == Mode::Review || self.is_pending()
    }

    /// Makes an edit of the agent's, stated on the proposal, a part of it.
    ///
    /// # Errors
    /// Where a range is not inside one parent; the proposal is then as it was.
    pub fn propose(&mut self, changes: &[Change], origin: &Origin) -> Result<(), Error> {
        let mut proposed = self.proposed().clone();
        proposed.name_after(&self.base);
        let proposed = change::replace(&proposed, changes)?;
        let pending = self.pending();
        pending.proposed = proposed;
        pending.follow_proposal(changes, &[]);
        let (mut grown, mut ranges) = (0, Vec::with_capacity(changes.len()));
        for change in changes {
            let from = shifted(change.from, grown);
            ranges.push(from..from + change.new_size());
            grown += growth(change);
        }
        pending.edits.push(Edit { origin: origin.clone(), ranges });
        self.compare();
        self.settle();
        Ok(())
    }

    /// The editor's document has become another.
    pub fn follow(&mut self, mut now: Document) {
        let expected = self.expected.take();
        if let Some(Expected::Undone(document) | Expected::Accepted { document, .. }) = &expected {
            adopt_names(&mut now, document);
        }
        let old = std::mem::replace(&mut self.base, now);
        let Some(pending) = &mut self.pending else { return };
        // Accepted hunks are in base already as far as the merge is concerned: only what else came with them is the person's.
        let settles = expected.is_none();
        let (old, ours) = match expected {
            Some(Expected::Accepted { document, changes, decided }) => {
                pending.forget_conflicts(&decided);
                pending
                    .conflicts
                    .iter_mut()
                    .for_each(|conflict| conflict.base = map_range(&conflict.base, &changes, &[]));
                let ours = plan::compare(&document, &pending.proposed).changes;
                (document, ours)
            }
            _ => (old, std::mem::take(&mut pending.changes)),
        };
        let theirs = fine(&old, &self.base);
        if !theirs.is_empty() {
            pending.proposed.name_after(&self.base);
            // Moved, so that it is changed in place: a clone beside it would make it copy all its blocks.
            let proposed = std::mem::replace(&mut pending.proposed, self.base.clone());
            let contested: Vec<_> = pending.conflicts.iter().map(|conflict| conflict.base.clone()).collect();
            let Merged { mut document, made, leading, conflicts } =
                merge(&theirs, &self.base, &ours, proposed, &contested);
            // What is new in both is one block, and has one id.
            if settles {
                take_names(&mut self.base, &document, &old, |_| true);
            }
            take_names(&mut document, &self.base, &self.base, |_| true);
            pending.proposed = document;
            pending.conflicts.iter_mut().for_each(|conflict| conflict.base = map_range(&conflict.base, &theirs, &[]));
            pending.follow_proposal(&made, &leading);
            pending.conflicts.extend(conflicts);
        }
        self.compare();
        // What is still to be written down about a change of ours names blocks as base does.
        if settles {
            self.settle();
        }
    }

    /// Takes over a change of the editor, as [`Document::sync_stretches`].
    ///
    /// # Errors
    /// As there; everything is then as it was.
    pub fn sync(&mut self, stretches: &[[usize; 3]], blocks_json: &str) -> Result<(), Error> {
        if self.pending.is_none() && self.expected.is_none() {
            // In place: a clone beside it would make the document copy all its blocks.
            return self.base.sync_stretches(stretches, blocks_json);
        }
        let mut now = self.next_base();
        now.sync_stretches(stretches, blocks_json)?;
        self.follow(now);
        Ok(())
    }

    /// Has both documents go on from these versions.
    pub fn go_on_from(&mut self, base: &str, proposed: &str) {
        self.base.go_on_from(base);
        if let Some(pending) = &mut self.pending {
            pending.proposed.go_on_from(proposed);
        }
    }

    /// Base, ready to be changed: what comes into it gets names that nothing else has.
    pub fn next_base(&self) -> Document {
        let mut base = self.base.clone();
        base.name_after(self.proposed());
        if let Some(Expected::Undone(document) | Expected::Accepted { document, .. }) = &self.expected {
            base.name_after(document);
        }
        base
    }

    /// What is pending, in the order of the document.
    pub fn hunks(&self) -> Vec<Hunk> {
        let Some(pending) = &self.pending else { return Vec::new() };
        pending.changes.iter().zip(&pending.named).map(|(change, named)| self.hunk(pending, change, named)).collect()
    }

    fn hunk(&self, pending: &Pending, change: &Change, (id, range): &(u64, Range<usize>)) -> Hunk {
        let schema = self.base.schema();
        let original = change::content_between(&self.base, change.from, change.to);
        let base = change.from..change.to;
        Hunk {
            id: format!("h{id}"),
            proposed: range.clone(),
            kind: HunkKind::of(change),
            block: change.content.iter().chain(&original).next().is_some_and(|node| !schema.is_inline(node.kind())),
            conflict: pending.conflicts.iter().any(|conflict| conflict.is_in(&base, range)),
            origins: pending.makers(range).into_iter().map(|at| pending.edits[at].origin.clone()).collect(),
            original_text: text_of(schema, &original),
            new_text: text_of(schema, &change.content),
            original_lines: lines_of(&self.base, &base),
            lines: lines_of(&pending.proposed, range),
            change: change.clone(),
        }
    }

    /// Gives the proposal base's content where the hunks of a selection are; says which they were.
    ///
    /// # Errors
    /// [`Error::UnknownHunk`].
    pub fn reject(&mut self, which: &Which) -> Result<Vec<Hunk>, Error> {
        let hunks = self.hunks();
        let chosen = which.of(&hunks)?;
        let Some(pending) = &mut self.pending else { return Ok(Vec::new()) };
        let back: Vec<Change> = chosen.iter().map(|at| pending.back(&self.base, *at)).collect();
        pending.proposed.name_after(&self.base);
        pending.proposed = change::replace(&pending.proposed, &back)?;
        pending.forget_conflicts(&chosen);
        pending.follow_proposal(&back, &[]);
        self.compare();
        self.settle();
        let rejected: Vec<Hunk> = chosen.into_iter().map(|at| hunks[at].clone()).collect();
        self.verdicts.extend(rejected.iter().map(|hunk| Verdict::of(hunk, false)));
        Ok(rejected)
    }

    /// What the person decided about the hunks of these turns since this was last asked.
    pub fn take_verdicts(&mut self, turns: &[String]) -> Vec<Verdict> {
        // Several agents may work on one document: each hears of its own turns, and nobody of the app's edits.
        let is_own = |verdict: &Verdict| verdict.turn.as_ref().is_some_and(|turn| turns.contains(turn));
        let (own, others) = std::mem::take(&mut self.verdicts).into_iter().partition(is_own);
        self.verdicts = others;
        let surplus = self.verdicts.len().saturating_sub(MOST_VERDICTS);
        self.verdicts.drain(..surplus);
        own
    }

    /// Some top-level blocks of the proposal in runs, each with the same blocks of base where there are such.
    pub fn runs(&self, blocks: Range<usize>) -> Vec<Run> {
        let Some(pending) = &self.pending else {
            return vec![Run { proposed: blocks.clone(), base: Some(blocks) }];
        };
        let (mut runs, mut at) = (Vec::new(), blocks.start);
        let first = pending.same.partition_point(|(_, proposed)| proposed.end <= at);
        for (base, proposed) in pending.same[first..].iter().take_while(|(_, proposed)| proposed.start < blocks.end) {
            let (start, end) = (proposed.start.max(at), proposed.end.min(blocks.end));
            if at < start {
                runs.push(Run { proposed: at..start, base: None });
            }
            let from = base.start + start - proposed.start;
            runs.push(Run { proposed: start..end, base: Some(from..from + end - start) });
            at = end;
        }
        if at < blocks.end {
            runs.push(Run { proposed: at..blocks.end, base: None });
        }
        runs
    }

    /// The index in base that is the nearest to an index among the blocks of the proposal.
    pub fn nearest_in_base(&self, block: usize) -> usize {
        let Some(pending) = &self.pending else { return block };
        let at = pending.same.partition_point(|(_, proposed)| proposed.start <= block);
        match at.checked_sub(1).and_then(|at| pending.same.get(at)) {
            Some((base, proposed)) => base.start + (block - proposed.start).min(base.len()),
            None => 0,
        }
    }

    /// A position in base, for one in the proposal: inside a hunk, where the hunk begins.
    pub fn in_base(&self, position: usize) -> usize {
        let Some(pending) = &self.pending else { return position };
        let mut grown = 0;
        for (change, (_, range)) in pending.changes.iter().zip(&pending.named) {
            if position < range.start {
                break;
            }
            if position < range.end {
                return change.from;
            }
            grown = range.end as isize - change.to as isize;
        }
        shifted(position, -grown)
    }

    /// A position in the proposal, for one in base: inside a hunk, where what it brings ends.
    pub fn in_proposed(&self, position: usize) -> usize {
        let Some(pending) = &self.pending else { return position };
        let mut grown = 0;
        for (change, (_, range)) in pending.changes.iter().zip(&pending.named) {
            if position < change.from || position == change.from && change.from < change.to {
                break;
            }
            if position < change.to {
                return range.end;
            }
            grown = range.end as isize - change.to as isize;
        }
        shifted(position, grown)
    }

    fn pending(&mut self) -> &mut Pending {
        self.pending.get_or_insert_with(|| Pending::of(self.base.clone()))
    }

    /// Finds the hunks anew, after base or the proposal has changed.
    fn compare(&mut self) {
        let Some(mut pending) = self.pending.take() else { return };
        let Compared { changes, same } = plan::compare(&self.base, &pending.proposed);
        for (base, proposed) in same.iter().flat_map(|(base, proposed)| base.clone().zip(proposed.clone())) {
            let block = &self.base.blocks()[base];
            if !block.ptr_eq(&pending.proposed.blocks()[proposed]) {
                pending.proposed.share(proposed, block);
            }
        }
        pending.same = same;
        pending.name(&self.base, changes, &mut self.hunks_named);
        self.pending = Some(pending);
    }
}

impl Review {
    /// Makes base and the proposal one again, where nothing is pending any more.
    pub(super) fn settle(&mut self) {
        let Some(mut pending) = self.pending.take_if(|pending| pending.changes.is_empty()) else { return };
        self.turns.rename(&renamed(self.base.block_ids(), pending.proposed.block_ids()));
        pending.proposed.name_after(&self.base);
        self.base = pending.proposed;
    }
}
