//! The proposals of the turns since nothing was pending.
//!
//! Hunks do not tell turns apart: of text that one turn moved and the next one edited, a hunk has the last state alone.
//! Once all hunks are decided, the turns are therefore recorded from their proposals, as if each edit had been made at
//! once. Changes of the proposal that are not an edit, as by a rejection, are made in the earlier proposals as well.

use crate::turns::{Turn, Turns};
use copydesk_document::{BlockId, Document, Node};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BinaryHeap;
use std::rc::Rc;

/// The most turns that wait for decisions together.
const MOST_STEPS: usize = 100;

/// The document without the edits, and the proposal after the edits of each turn.
#[derive(Clone)]
pub(crate) struct ProposalLog {
    first: Document,
    steps: Vec<ProposalStep>,
}

#[derive(Clone)]
struct ProposalStep {
    turn: Option<String>,
    /// The changes of the turn before the first step.
    earlier: Option<Turn>,
    proposed: Document,
}

impl ProposalLog {
    /// Returns a log without edits.
    pub fn new(first: Document) -> ProposalLog {
        ProposalLog { first, steps: Vec::new() }
    }

    /// Adds an edit of a turn, which led to a proposal. Returns false if there are too many.
    pub fn add(&mut self, turn: Option<&str>, turns: &Turns, proposed: &Document) -> bool {
        match self.steps.last_mut().filter(|last| last.turn.as_deref() == turn) {
            Some(last) => last.proposed = proposed.clone(),
            None => {
                let earlier = turns.0.iter().find(|known| Some(known.id.as_str()) == turn).cloned();
                self.steps.push(ProposalStep { turn: turn.map(str::to_owned), earlier, proposed: proposed.clone() });
            }
        }
        self.steps.len() <= MOST_STEPS
    }

    /// Makes what the editor made of a decision a part of the last turn that it was about.
    pub fn add_effects(&mut self, now: &Document, is_decided: impl Fn(&str) -> bool) {
        let Some(old) = self.steps.last().map(|last| last.proposed.clone()) else { return };
        let (was, changed) = (by_id(&old), changed_ids(&old, now));
        let first = self.steps.iter().rposition(|step| step.turn.as_deref().is_some_and(&is_decided)).unwrap_or(0);
        for ProposalStep { proposed, .. } in &mut self.steps[first..] {
            let known = by_id(proposed);
            let own = changed.iter().copied().filter(|id| known.get(id) == was.get(id)).collect();
            follow_blocks(proposed, now, &own);
        }
    }

    fn documents(&self) -> impl Iterator<Item = &Document> {
        std::iter::once(&self.first).chain(self.steps.iter().map(|step| &step.proposed))
    }

    fn documents_mut(&mut self) -> impl Iterator<Item = &mut Document> {
        std::iter::once(&mut self.first).chain(self.steps.iter_mut().map(|step| &mut step.proposed))
    }

    /// Makes all proposals those without the pending hunks, with the ids of base. Returns false if that is not possible.
    pub fn follow_accepted(&mut self, proposed: &Document, base: &Document) -> bool {
        let mut accepted = base.clone();
        accepted.name_after(proposed);
        let (there, here) = (by_id(proposed), by_id(base));
        // A block that was accepted may have one id in base and another in the proposal.
        let proposals = proposed.block_ids().iter().copied().zip(proposed.blocks());
        let mut others: Vec<(BlockId, &Node)> = proposals.filter(|(id, _)| !here.contains_key(id)).collect();
        for (at, id) in base.block_ids().iter().enumerate().filter(|(_, id)| !there.contains_key(id)) {
            if self.first.block_with_id(*id).is_some() {
                continue;
            }
            let Some(same) = others.iter().position(|(_, block)| **block == base.blocks()[at]) else { return false };
            accepted.rename(at, others.remove(same).0);
        }
        if !self.follow(&accepted, true) {
            return false;
        }
        let names = renamed(accepted.block_ids(), base.block_ids());
        for document in self.documents_mut().filter(|_| !names.is_empty()) {
            for at in 0..document.blocks().len() {
                if let Some(id) = names.get(&document.block_ids()[at]) {
                    document.rename(at, *id);
                }
            }
        }
        true
    }

    /// Makes a change of the last proposal in the earlier ones as well: a rejection, or a change that the user made.
    /// Returns false if that is not possible: the user changed a block that an edit changed, or the states of a block
    /// without a rejected hunk are not known.
    pub fn follow(&mut self, now: &Document, is_rejection: bool) -> bool {
        let old = self.documents().last().map_or_else(|| now.clone(), |last| last.clone());
        let (was, is) = (by_id(&old), by_id(now));
        let changed = changed_ids(&old, now);
        let is_common = |id: &BlockId| was.contains_key(id) && is.contains_key(id);
        let orders: [Vec<BlockId>; 2] =
            [&old, now].map(|document| document.block_ids().iter().copied().filter(is_common).collect());
        // A rejected deletion brings a block back; under another id it would be there twice.
        let is_new = |id: &BlockId| !self.documents().any(|document| document.block_with_id(*id).is_some());
        let is_unclear = is_rejection && (self.has_withdrawn() || changed.iter().any(is_new));
        if is_unclear || orders[0] != orders[1] {
            return false;
        }
        changed.is_empty()
            || self.documents_mut().all(|document| {
                let known = by_id(document);
                let can_follow = |id: &BlockId| {
                    let block = known.get(id);
                    block == was.get(id) || is_rejection && block == is.get(id)
                };
                changed.iter().all(can_follow) && {
                    follow_blocks(document, now, &changed);
                    true
                }
            })
    }

    /// Returns whether a turn changed a block, and a later one changed it back.
    fn has_withdrawn(&self) -> bool {
        let Some((last, between)) = self.steps.split_last() else { return false };
        let [before, after] = [&self.first, &last.proposed].map(by_id);
        between.iter().map(|step| by_id(&step.proposed)).any(|there| {
            let ids = there.keys().chain(before.keys());
            ids.copied().any(|id| before.get(&id) == after.get(&id) && there.get(&id) != before.get(&id))
        })
    }
}

/// Returns the ids of the blocks that differ in two documents, or are in one of them only.
fn changed_ids(old: &Document, now: &Document) -> FxHashSet<BlockId> {
    let (was, is) = (by_id(old), by_id(now));
    was.keys().chain(is.keys()).copied().filter(|id| was.get(id) != is.get(id)).collect()
}

/// Gives some blocks of a document the states that they have in another one.
fn follow_blocks(document: &mut Document, now: &Document, changed: &FxHashSet<BlockId>) {
    let is = by_id(now);
    let mut blocks: Vec<(BlockId, Node)> = Vec::new();
    for (id, block) in document.block_ids().iter().zip(document.blocks()) {
        let block = if changed.contains(id) { is.get(id).copied() } else { Some(block) };
        blocks.extend(block.map(|block| (*id, block.clone())));
    }
    let mut place = 0;
    let mut places: FxHashMap<BlockId, usize> = blocks.iter().enumerate().map(|(at, (id, _))| (*id, at)).collect();
    let mut came: Vec<(usize, (BlockId, Node))> = Vec::new();
    for (id, block) in now.block_ids().iter().zip(now.blocks()) {
        match places.remove(id) {
            Some(at) => place = at + 1,
            None if changed.contains(id) => came.push((place, (*id, block.clone()))),
            None => {}
        }
    }
    came.sort_by_key(|(place, _)| *place);
    for (place, block) in came.into_iter().rev() {
        blocks.insert(place, block);
    }
    document.name_after(now);
    document.put(0..document.blocks().len(), blocks);
}

fn by_id(document: &Document) -> FxHashMap<BlockId, &Node> {
    document.block_ids().iter().copied().zip(document.blocks()).collect()
}

impl Turns {
    /// Records the turns of a log from their proposals; `now` is the document after all of them. Returns false if
    /// nothing is known of them.
    pub(crate) fn replay(&mut self, log: Rc<ProposalLog>, now: &Document) -> bool {
        let mut log = Rc::unwrap_or_clone(log);
        // What the turns changed and changed back was never accepted.
        if !log.follow(now, false) || log.first == *now {
            return false;
        }
        let known: FxHashSet<String> = self.0.iter().map(|turn| turn.id.clone()).collect();
        let mut begun = FxHashSet::default();
        let mut before = log.first;
        for ProposalStep { turn, earlier, proposed } in log.steps {
            if let Some(id) = turn {
                if begun.insert(id.clone()) {
                    *self.turn(&id) = earlier.unwrap_or_else(|| Turn::new(&id));
                }
                self.record(&id, &before, &proposed);
            }
            before = proposed;
        }
        self.0.retain(|turn| known.contains(&turn.id) || turn.blocks().next().is_some());
        true
    }
}

/// Returns the new names of ids where one sequence of them replaces another. A turn may remember a deleted block by
/// an id that now comes to another: it gets one of those that are free then.
pub(crate) fn renamed(old: &[BlockId], new: &[BlockId]) -> FxHashMap<BlockId, BlockId> {
    let mut names: FxHashMap<_, _> = old.iter().copied().zip(new.iter().copied()).filter(|(a, b)| a != b).collect();
    let given: FxHashSet<BlockId> = names.values().copied().collect();
    let in_order = |ids: Vec<BlockId>| BinaryHeap::from(ids).into_sorted_vec();
    let free = in_order(names.keys().copied().filter(|id| !given.contains(id)).collect());
    let taken = in_order(given.iter().copied().filter(|id| !names.contains_key(id)).collect());
    names.extend(taken.into_iter().zip(free));
    names
}
