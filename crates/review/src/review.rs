//! A review is two documents: *base*, which is the editor's document, and *proposed*, which is base with the agent's
//! edits that are not decided. The model reads and edits the proposal. Their difference is an ordered list of hunks
//! (`pending` has its invariants). Each keeps its id until it is decided.
//!
//! - **Deciding does not compare.** Accepting a hunk changes base, rejecting it changes the proposal; all others only
//!   move.
//! - **The user's typing** is in base at once, and in the proposal too (`merge`). A hunk whose range the user changed
//!   is a conflict: it is decided by itself, and holds both versions until then.
//! - **A new edit of the agent** adds hunks, and updates the hunks that it changes (`derive`).
//!
//! Further invariants:
//!
//! 1. **While nothing is pending there is one document**: base and proposed are the same value, and following an editor
//!    costs no more than without review.
//! 2. **A block id never identifies two blocks.** The two documents draw their ids from one counter (`name_after`). A
//!    block that is added while something is pending may have one id in base and another in the proposal; the model
//!    knows only the proposal's ids, [`turns`](super::turns) only those of base. When nothing is pending any more, the
//!    proposal's ids remain, and those in the turns are replaced: what was shown to the model stays valid.
//! 3. **The id of a hunk is never given to another hunk.** A hunk whose decision was taken back has its old id again. A
//!    hunk that an edit or the user's typing changed, and that is still one hunk, keeps its id.
//!
//! In `auto` mode edits are made in base at once. But hunks that are pending when the mode changes to `auto` stay
//! pending until they are decided, and until then further edits are proposals as well: an edit that the model made on
//! top of a proposal cannot be made without it.

use super::history::{History, Recalled};
use super::history_move::HistoryMove;
use super::hunk::{Hunk, HunkKind, HunkOutcome, Verdict, Which, lines_of};
use super::merge::{Changed, growth};
use super::pending::{Numbers, Pending, PendingHunk, shifted_range};
use super::proposal_log::{ProposalLog, renamed};
use super::sharing::{Authors, Sharing};
use super::turns::{Turns, adopt_names};
use super::undo_decision::{DecidedHunk, UndecidedHunk};
use super::vanished;
use crate::Error;
use copydesk_document::align::{Relation, align_documents};
use copydesk_document::{Document, text_of};
use copydesk_edit::change::{self, Change};
use copydesk_edit::guard::{Bound, Guards};
use copydesk_edit::{Error as EditError, Origin};
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::rc::Rc;

/// Number of verdicts that are kept for agents that may never ask again.
const MOST_VERDICTS: usize = 200;

/// True if the agent's edits wait for the user.
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
    /// True if the agent's edits wait for the user.
    pub mode: Mode,
    /// The changes of base by each turn.
    pub turns: Turns,
    pub(super) base: Document,
    pub(super) pending: Option<Pending>,
    pub(super) expected: Option<Expected>,
    pub(super) verdicts: Vec<Verdict>,
    pub(super) numbers: Numbers,
    /// The hunks whose decisions can be taken back, in the order of the decisions.
    pub(super) decided: Rc<Vec<DecidedHunk>>,
    /// Groups of hunks that became pending again together; the newest are last.
    pub(super) undone: Vec<Vec<UndecidedHunk>>,
    /// The states to which the editor's history may return.
    pub(super) history: History,
    /// The direction of the next change of base if it is one of the editor's history.
    pub(super) history_move: Option<HistoryMove>,
    revision: u32,
    /// `None` if the hunks are not shared.
    pub(super) sharing: Option<Sharing>,
    pub(super) authors: Authors,
}

/// Top-level blocks of the proposal.
pub struct BlockRun {
    /// Which.
    pub proposed: Range<usize>,
    /// The same blocks in base, if they exist there.
    pub base: Option<Range<usize>>,
}

/// The expected result of our own change in the editor.
#[derive(Clone)]
pub(super) enum Expected {
    /// Hunks were decided.
    Decided(Decided),
    /// A turn was taken back: restored blocks have the ids that they have here.
    Undone(Document),
    /// Decisions were taken back.
    Undecided {
        /// Base as it should then be.
        document: Document,
        /// The proposal then.
        pending: Pending,
    },
}

impl Expected {
    /// Base as it should then be.
    fn document(&self) -> &Document {
        match self {
            Expected::Undone(document)
            | Expected::Decided(Decided { document, .. })
            | Expected::Undecided { document, .. } => document,
        }
    }
}

/// Hunks that were decided, and what that comes to.
#[derive(Clone)]
pub(super) struct Decided {
    /// Base as it should then be.
    pub document: Document,
    /// Their ids.
    pub ids: FxHashSet<u64>,
    /// The number of positions that each of them adds to base, in the order of the document.
    pub in_base: Vec<isize>,
    /// The number of positions that each of them adds to the proposal.
    pub in_proposed: Vec<isize>,
    /// The proposal afterwards, if it changes.
    pub proposed: Option<Document>,
}

impl Review {
    /// Binds guards: a range is one of the editor's document, sections are those that the agent sees.
    ///
    /// # Errors
    /// As [`Guards::bind`].
    pub fn bind(&self, guards: &Guards) -> Result<Bound, EditError> {
        guards.bind_at(self.proposed(), |position| self.in_proposed(position))
    }

    /// Nothing is pending, and edits go through at once.
    pub fn new(base: Document) -> Review {
        let (mode, turns, numbers) = Default::default();
        let (pending, expected, verdicts) = Default::default();
        let (decided, undone, history, history_move, revision) = Default::default();
        let (sharing, authors) = Default::default();
        Review {
            mode,
            turns,
            base,
            pending,
            expected,
            verdicts,
            numbers,
            decided,
            undone,
            history,
            history_move,
            revision,
            sharing,
            authors,
        }
    }

    /// Returns the last known document of the editor.
    pub fn base(&self) -> &Document {
        &self.base
    }

    /// The document as the agent sees it.
    pub fn proposed(&self) -> &Document {
        self.pending.as_ref().map_or(&self.base, |pending| &pending.proposed)
    }

    /// Returns whether there are hunks.
    pub fn is_pending(&self) -> bool {
        self.pending.as_ref().is_some_and(|pending| !pending.hunks.is_empty())
    }

    /// Returns whether the next edit of the agent will wait for the user.
    pub fn proposes(&self) -> bool {
        self.mode == Mode::Review || self.is_pending()
    }

    /// Adds an edit of the agent, stated on the proposal, to the proposal.
    ///
    /// # Errors
    /// If a range is not inside one parent; the proposal is then unchanged.
    pub fn propose(&mut self, changes: &[Change], origin: &Origin) -> Result<(), EditError> {
        let mut before = self.proposed().clone();
        before.name_after(&self.base);
        let proposed = change::replace(&before, changes)?;
        self.history.clear();
        let maker = self.numbers.next_maker(self.signed(origin));
        let pending = self.pending.get_or_insert_with(|| Pending {
            proposed: before.clone(),
            hunks: Vec::new(),
            log: Some(Rc::new(ProposalLog::new(before.clone()))),
        });
        pending.proposed.name_after(&before);
        pending.log.take_if(|log| !Rc::make_mut(log).follow(&before, false));
        pending.propose(&self.base, changes, proposed, &maker, &mut self.numbers);
        let turn = origin.turn.as_deref();
        pending.log.take_if(|log| !Rc::make_mut(log).add(turn, &self.turns, &pending.proposed));
        self.revision += 1;
        self.keep_own();
        self.settle();
        Ok(())
    }

    /// Makes a proposal that was derived from base the pending one. Nothing is pending before.
    pub(super) fn begin(&mut self, pending: Pending) {
        self.pending = Some(pending);
        self.revision += 1;
        self.history.clear();
        self.settle();
    }

    /// Announces that the next change of base undoes or redoes one in the editor's history.
    pub fn expect_history(&mut self, direction: HistoryMove) {
        // Shared hunks are read from storage again after each change of the history.
        self.history_move = self.sharing.is_none().then_some(direction);
    }

    /// The editor's document has become another.
    pub fn follow(&mut self, mut now: Document) {
        let expected = self.expected.take();
        let history_move = self.history_move.take();
        if let Some(expected) = &expected {
            adopt_names(&mut now, expected.document());
        }
        if let Some(pending) = self.pending.as_mut().filter(|_| history_move.is_some()) {
            // Blocks that the history brings back have other ids.
            pending.log = None;
        }
        // Records about a change of ours that is not settled yet use the ids of base.
        let settles = expected.is_none();
        self.turns.follow(&self.base, &now, history_move.filter(|_| settles));
        let old = std::mem::replace(&mut self.base, now);
        let recalled = match history_move {
            Some(direction) if settles => self.recall(&old, direction),
            _ => Recalled::Unknown,
        };
        if matches!(recalled, Recalled::State) {
            return;
        }
        if !settles {
            self.history.record(self.state_with(&old, self.pending.as_ref()));
        }
        let is_decided = matches!(expected, Some(Expected::Decided(_)));
        let mut turns: FxHashSet<String> = FxHashSet::default();
        let old = match (expected, self.pending.take()) {
            // Other changes that came with the decision are those of the editor's plugins.
            (Some(Expected::Decided(decided)), Some(mut pending)) => {
                let document = decided.document.clone();
                self.remember(&decided, &old, &pending);
                let own = pending.hunks.iter().filter(|hunk| decided.ids.contains(&hunk.id));
                turns.extend(own.flat_map(|hunk| &hunk.makers).filter_map(|maker| maker.origin.turn.clone()));
                let is_both = decided.proposed.is_some();
                pending.log.take_if(|log| is_both || !Rc::make_mut(log).follow(&pending.proposed, false));
                pending.decide(decided);
                self.pending = Some(pending);
                self.revision += 1;
                document
            }
            (Some(Expected::Undecided { document, pending }), _) => {
                self.pending = Some(pending);
                document
            }
            (_, pending) => {
                self.pending = pending;
                old
            }
        };
        if let Some(direction) = history_move.filter(|_| settles && matches!(recalled, Recalled::Unknown))
            && self.follow_history(&old, direction)
        {
            return;
        }
        let changed = changed(&old, &self.base);
        if settles && history_move.is_none() {
            match &self.pending {
                Some(pending) if pending.is_touched(&changed) => {
                    self.history.record(self.state_with(&old, Some(pending)))
                }
                _ => self.history.record_beside(&changed),
            }
        }
        let is_decided = is_decided && !changed.is_empty();
        if is_decided {
            self.remember_effects(&old);
        }
        self.merge(&changed, settles);
        if let Some(pending) = self.pending.as_mut().filter(|_| is_decided)
            && let Some(log) = &mut pending.log
        {
            Rc::make_mut(log).add_effects(&pending.proposed, |turn| turns.contains(turn));
        }
    }

    /// Brings changes of base into the proposal.
    fn merge(&mut self, changed: &[Changed], settles: bool) {
        let Some(pending) = &mut self.pending else { return };
        if pending.follow(&self.base, changed, &mut self.numbers) {
            self.revision += 1;
        }
        if settles {
            self.settle();
        }
    }

    /// Applies a change of the editor, as [`Document::sync_stretches`].
    ///
    /// # Errors
    /// As [`Document::sync_stretches`]; nothing has changed then.
    pub fn sync(&mut self, stretches: &[[usize; 3]], blocks_json: &str) -> Result<(), EditError> {
        if self.expected.is_some() {
            let mut now = self.next_base();
            now.sync_stretches(stretches, blocks_json)?;
            self.follow(now);
            return Ok(());
        }
        if self.history_move.is_some() {
            let mut now = self.next_base();
            let synced = now.sync_stretches(stretches, blocks_json);
            if synced.is_err() {
                self.history_move = None;
            }
            synced?;
            self.follow(now);
            return Ok(());
        }
        if let Some(pending) = &self.pending {
            self.base.name_after(&pending.proposed);
        }
        let mut grown = 0;
        let changed = |[from, removed, added]: &[usize; 3]| {
            let end = from.saturating_add(*removed);
            let old = self.base.blocks().get(*from..end)?.to_vec();
            let start = from.saturating_add_signed(grown);
            grown += *added as isize - *removed as isize;
            Some(Changed { from: self.base.block_start(*from), old, now: start..start + added })
        };
        // Where one is not in the document, that is the error below.
        let changed: Vec<Changed> = stretches.iter().filter_map(changed).collect();
        let is_touched = self.pending.as_ref().is_some_and(|pending| pending.is_touched(&changed));
        let before = is_touched.then(|| self.state_with(&self.base, self.pending.as_ref()));
        if before.is_none() {
            self.history.record_beside(&changed);
        }
        let removed = stretches.iter().filter(|_| !self.turns.0.is_empty());
        let removed = removed.map(|[from, removed, _]| *from..from.saturating_add(*removed));
        let removed = vanished::blocks_of(&self.base, removed);
        // In place: a clone beside it would make the document copy all its blocks.
        self.base.sync_stretches(stretches, blocks_json)?;
        self.turns.lose(removed, &self.base);
        before.into_iter().for_each(|before| self.history.record(before));
        self.merge(&changed, true);
        Ok(())
    }

    /// Has both documents go on from these versions.
    pub fn go_on_from(&mut self, base: &str, proposed: &str) {
        self.base.go_on_from(base);
        if let Some(pending) = &mut self.pending {
            pending.proposed.go_on_from(proposed);
        }
    }

    /// Returns base, ready to be changed: new blocks in it get ids that nothing else has.
    pub fn next_base(&self) -> Document {
        let mut base = self.base.clone();
        base.name_after(self.proposed());
        if let Some(expected) = &self.expected {
            base.name_after(expected.document());
        }
        base
    }

    /// Returns the pending hunks in the order of the document.
    pub fn hunks(&self) -> Vec<Hunk> {
        let Some(pending) = &self.pending else { return Vec::new() };
        let mut hunks: Vec<Hunk> = pending.hunks.iter().map(|hunk| self.hunk(&self.base, pending, hunk)).collect();
        for (at, linked) in pending.linked().into_iter().enumerate() {
            // Deciding one decides the conflict as well, so that both versions have to be known.
            hunks[at].conflict |= linked.iter().any(|other| pending.hunks[*other].conflict);
            hunks[at].linked = linked.iter().map(|other| hunks[*other].id.clone()).collect();
        }
        hunks
    }

    /// A number that changes when hunks are added, removed or changed. If they only move, it stays the same.
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// Returns eight numbers for each of these hunks: the ranges in base and in the proposal, and their first and last
    /// lines. The range is cut at the number of hunks.
    pub fn hunk_places(&self, hunks: Range<usize>) -> Vec<[usize; 8]> {
        let Some(pending) = &self.pending else { return Vec::new() };
        let end = hunks.end.min(pending.hunks.len());
        let place = |PendingHunk { base, proposed, .. }: &PendingHunk| {
            let (old, new) = (lines_of(&self.base, base), lines_of(&pending.proposed, proposed));
            [base.start, base.end, proposed.start, proposed.end, old.0, old.1, new.0, new.1]
        };
        pending.hunks[hunks.start.min(end)..end].iter().map(place).collect()
    }

    /// Records that hunks were added, removed or changed.
    pub(super) fn changed_hunks(&mut self) {
        self.revision += 1;
    }

    pub(super) fn hunk(&self, base: &Document, pending: &Pending, hunk: &PendingHunk) -> Hunk {
        let schema = base.schema();
        let change = hunk.accepting(&pending.proposed);
        let original = change::content_between(base, change.from, change.to);
        Hunk {
            id: format!("h{}", hunk.id),
            proposed: hunk.proposed.clone(),
            kind: HunkKind::of(&change),
            block: change.content.iter().chain(&original).next().is_some_and(|node| !schema.is_inline(node.kind())),
            conflict: hunk.conflict,
            linked: Vec::new(),
            origins: hunk.makers.iter().map(|maker| (*maker.origin).clone()).collect(),
            original_text: text_of(schema, &original),
            new_text: text_of(schema, &change.content),
            original_lines: lines_of(base, &hunk.base),
            lines: lines_of(&pending.proposed, &hunk.proposed),
            change,
        }
    }

    /// Rejects the hunks of a selection: the proposal gets the content of base there. Returns the hunks.
    ///
    /// # Errors
    /// [`Error::UnknownHunk`].
    pub fn reject(&mut self, which: &Which) -> Result<Vec<Hunk>, Error> {
        let hunks = self.hunks();
        let chosen = which.of(&hunks)?;
        let Some(mut pending) = self.pending.take_if(|_| !chosen.is_empty()) else { return Ok(Vec::new()) };
        let back: Vec<Change> = chosen.iter().map(|at| pending.hunks[*at].rejecting(&self.base)).collect();
        pending.proposed.name_after(&self.base);
        let first_new = pending.proposed.next_id().0;
        let proposed = match change::replace(&pending.proposed, &back) {
            Ok(proposed) => proposed,
            Err(error) => {
                self.pending = Some(pending);
                return Err(error.into());
            }
        };
        pending.log.take_if(|log| !Rc::make_mut(log).follow(&pending.proposed, false));
        let decided = Decided {
            document: self.base.clone(),
            ids: chosen.iter().map(|at| pending.hunks[*at].id).collect(),
            in_base: vec![0; chosen.len()],
            in_proposed: back.iter().map(growth).collect(),
            proposed: Some(proposed),
        };
        let base = self.base.clone();
        self.remember(&decided, &base, &pending);
        pending.decide(decided);
        pending.adopt_names(&self.base, first_new);
        pending.log.take_if(|log| !Rc::make_mut(log).follow(&pending.proposed, true));
        self.pending = Some(pending);
        self.revision += 1;
        self.settle();
        self.note(chosen.iter().filter_map(|at| hunks[*at].number()), HunkOutcome::Rejected);
        let rejected: Vec<Hunk> = chosen.into_iter().map(|at| hunks[at].clone()).collect();
        self.verdicts.extend(rejected.iter().map(|hunk| Verdict::of(hunk, HunkOutcome::Rejected)));
        Ok(rejected)
    }

    /// Takes the decisions of the user about the hunks of these turns since the last call.
    pub fn take_verdicts(&mut self, turns: &[String]) -> Vec<Verdict> {
        // Several agents may work on one document: each hears of its own turns, and nobody of the app's edits.
        let is_own = |verdict: &Verdict| verdict.turn.as_ref().is_some_and(|turn| turns.contains(turn));
        let (own, others) = std::mem::take(&mut self.verdicts).into_iter().partition(is_own);
        self.verdicts = others;
        let surplus = self.verdicts.len().saturating_sub(MOST_VERDICTS);
        self.verdicts.drain(..surplus);
        own
    }

    /// Returns some top-level blocks of the proposal in runs, each with the same blocks of base, if base has them.
    pub fn runs(&self, blocks: Range<usize>) -> Vec<BlockRun> {
        let Some(pending) = &self.pending else {
            return vec![BlockRun { proposed: blocks.clone(), base: Some(blocks) }];
        };
        let (mut runs, mut at) = (Vec::new(), blocks.start);
        let start = pending.proposed.block_start(blocks.start);
        let first = pending.hunks.partition_point(|hunk| hunk.proposed.end < start);
        let same = |from: usize, to: usize| {
            let base = self.base.block_at(pending.in_base(pending.proposed.block_start(from)));
            BlockRun { proposed: from..to, base: Some(base..base + to - from) }
        };
        for hunk in &pending.hunks[first..] {
            let from = pending.proposed.block_at(hunk.proposed.start);
            let to = pending.proposed.block_at(hunk.proposed.end);
            // A hunk inside a block changes it; one between blocks consists of blocks.
            let to = to + usize::from(pending.proposed.block_start(to) < hunk.proposed.end);
            let to = to.max(from + usize::from(pending.proposed.block_start(from) < hunk.proposed.start));
            let (from, to) = (from.clamp(at, blocks.end), to.clamp(at, blocks.end));
            if from > at {
                runs.push(same(at, from));
            }
            if to > from {
                runs.push(BlockRun { proposed: from..to, base: None });
            }
            at = to.max(from);
            if at == blocks.end {
                return runs;
            }
        }
        if at < blocks.end {
            runs.push(same(at, blocks.end));
        }
        runs
    }

    /// The index in base that is the nearest to an index among the blocks of the proposal.
    pub fn nearest_in_base(&self, block: usize) -> usize {
        self.base.block_at(self.in_base(self.proposed().block_start(block)))
    }

    /// A position in base, for one in the proposal: inside a hunk, where the hunk begins.
    pub fn in_base(&self, position: usize) -> usize {
        self.pending.as_ref().map_or(position, |pending| pending.in_base(position))
    }

    /// Returns a position in the proposal for one in base: inside a hunk, the end of its proposed content.
    pub fn in_proposed(&self, position: usize) -> usize {
        self.pending.as_ref().map_or(position, |pending| pending.in_proposed(position))
    }

    /// A range in the proposal, for one in base: with the hunks that begin or end in it.
    pub fn range_in_proposed(&self, range: Range<usize>) -> Range<usize> {
        let Some(pending) = &self.pending else { return range };
        let end = pending.in_proposed(range.end);
        let start = if range.is_empty() { end } else { pending.start_in_proposed(range.start) };
        start.min(end)..end
    }

    /// Records the turns from their proposals without the pending hunks.
    pub(super) fn replay_accepted(&mut self) {
        let Some(pending) = &mut self.pending else { return };
        let Some(mut log) = pending.log.take() else { return };
        let made = Rc::make_mut(&mut log);
        if made.follow(&pending.proposed, false) && made.follow_accepted(&pending.proposed, &self.base) {
            self.turns.replay(log, &self.base);
        }
    }

    /// Makes base and the proposal one document again if nothing is pending any more.
    pub(super) fn settle(&mut self) {
        let Some(mut pending) = self.pending.take_if(|pending| pending.hunks.is_empty()) else { return };
        debug_assert!(self.base == pending.proposed, "without hunks the two documents are the same");
        // The log has the ids of the proposal, and those that earlier turns know.
        if !pending.log.is_some_and(|log| self.turns.replay(log, &pending.proposed)) {
            self.turns.rename(&renamed(self.base.block_ids(), pending.proposed.block_ids()));
        }
        pending.proposed.name_after(&self.base);
        // A later comparison tells equal blocks apart by their values.
        pending.proposed.share_equal(&self.base);
        self.base = pending.proposed;
    }
}

impl Pending {
    /// Takes out hunks that were decided. The others only move.
    pub(super) fn decide(&mut self, decided: Decided) {
        let (mut in_base, mut in_proposed) = (0, 0);
        let mut grown = decided.in_base.into_iter().zip(decided.in_proposed);
        self.hunks.retain_mut(|hunk| {
            if decided.ids.contains(&hunk.id) {
                let (base, proposed) = grown.next().unwrap_or_default();
                (in_base, in_proposed) = (in_base + base, in_proposed + proposed);
                return false;
            }
            hunk.base = shifted_range(&hunk.base, in_base);
            hunk.proposed = shifted_range(&hunk.proposed, in_proposed);
            true
        });
        if let Some(proposed) = decided.proposed {
            self.proposed = proposed;
        }
    }
}

/// The top-level blocks that differ in two states of base.
pub(super) fn changed(old: &Document, now: &Document) -> Vec<Changed> {
    let mut ranges: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for chunk in align_documents(old, now).into_iter().filter(|chunk| chunk.relation != Relation::Equal) {
        match ranges.last_mut() {
            Some((last_old, last_now)) if last_old.end == chunk.old.start && last_now.end == chunk.new.start => {
                (last_old.end, last_now.end) = (chunk.old.end, chunk.new.end);
            }
            _ => ranges.push((chunk.old, chunk.new)),
        }
    }
    let changed = |(in_old, in_now): (Range<usize>, Range<usize>)| Changed {
        from: old.block_start(in_old.start),
        old: old.blocks()[in_old].to_vec(),
        now: in_now,
    };
    ranges.into_iter().map(changed).collect()
}
