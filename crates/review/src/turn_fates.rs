//! Decisions for each block of a turn whether it can be taken back.
//!
//! A block is taken back if it and all blocks that belong together with it (see [`turn_groups`](crate::turn_groups))
//! are as the turn left them. Everything else stays and is named: text that is there twice or not at all would be worse
//! than a change that stays.

use crate::turn_groups::{Groups, exchanges, has_all, is_alike};
use crate::turns::{Reverted, Touched, Turn, Turns};
use copydesk_document::{BlockId, Document, Node};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The state of a block that a turn touched.
#[derive(Clone, Copy, PartialEq)]
enum BlockState {
    /// As it was before the turn, or with changes made after the history restored that.
    Before,
    /// As the turn left it.
    After,
    /// Changed since, or not found with certainty.
    Other,
}

/// The effect of taking a turn back on its blocks.
pub(crate) struct Fates {
    /// Those that are restored.
    pub back: FxHashSet<BlockId>,
    /// Those that stay because the turn could not be undone in them.
    pub stuck: FxHashSet<BlockId>,
    /// Blocks of the document that hold something of the turn, in its order.
    pub left: Vec<BlockId>,
}

/// The blocks of a document.
struct There<'a> {
    blocks: FxHashMap<BlockId, &'a Node>,
    own: FxHashMap<BlockId, &'a Touched>,
}

/// The states of the blocks of each group.
struct Judged {
    groups: Groups,
    states: FxHashMap<BlockId, Vec<BlockState>>,
}

impl Judged {
    /// Returns whether all blocks of the group of a block have a state.
    fn all(&self, id: BlockId, state: BlockState) -> bool {
        self.of(id).iter().all(|other| *other == state)
    }

    fn of(&self, id: BlockId) -> &[BlockState] {
        self.states.get(&self.groups.root(id)).map_or(&[], Vec::as_slice)
    }
}

impl There<'_> {
    /// Returns the blocks that came after an edit of a turn and are not the turn's.
    fn since(&self, touched: &Touched) -> impl Iterator<Item = (BlockId, &Node)> {
        let since = touched.since;
        let blocks = self.blocks.iter().map(|(id, node)| (*id, *node));
        blocks.filter(move |(id, _)| *id >= since && !self.own.contains_key(id))
    }

    /// Returns a block near the place of a removed one that the turn did not insert.
    fn nearest(&self, touched: &Touched) -> Option<BlockId> {
        let (mut next, mut seen) = (VecDeque::from_iter(touched.beside()), FxHashSet::default());
        while let Some(id) = next.pop_front() {
            let own = self.own.get(&id);
            if self.has(id) && own.is_none_or(|own| own.before.is_some()) {
                return Some(id);
            }
            next.extend(own.into_iter().flat_map(|own| own.beside()).filter(|id| seen.insert(*id)));
        }
        None
    }

    fn has(&self, id: BlockId) -> bool {
        self.blocks.contains_key(&id)
    }
}

impl Turn {
    /// Removes groups of blocks that are in their state before the turn, if an edit changes one of them.
    pub(crate) fn forget_undone(&mut self, document: &Document, edit: &[Touched]) {
        let ids: FxHashMap<BlockId, &Touched> = edit.iter().map(|touched| (touched.id, touched)).collect();
        let is_changed = |known: &&Touched| ids.get(&known.id).is_some_and(|new| known.after != new.before);
        let changed: Vec<BlockId> = self.touched.iter().filter(is_changed).map(|known| known.id).collect();
        if changed.is_empty() {
            return;
        }
        let judged = self.judge(&self.there(document));
        let undone = changed.iter().filter(|id| judged.all(**id, BlockState::Before)).map(|id| judged.groups.root(*id));
        let mut undone: FxHashSet<BlockId> = undone.collect();
        for touched in self.touched.iter().filter(|touched| touched.is_partial) {
            undone.remove(&judged.groups.root(touched.id));
        }
        self.touched.retain(|touched| !undone.contains(&judged.groups.root(touched.id)));
        self.links.retain(|(a, _)| !undone.contains(&judged.groups.root(*a)));
    }

    /// Marks deleted blocks if an edit changes a block that seems to be the same one under another id.
    pub(crate) fn find_deleted(&mut self, edit: &[Touched]) {
        let own: FxHashSet<BlockId> = self.touched.iter().map(|touched| touched.id).collect();
        let others: Vec<&Touched> = edit.iter().filter(|new| !own.contains(&new.id) && new.before.is_some()).collect();
        for known in self.touched.iter_mut().filter(|known| known.after.is_none() && known.reverted == Reverted::No) {
            let Some(before) = &known.before else { continue };
            let is_it =
                |new: &&&Touched| new.id >= known.since && new.before.as_ref().is_some_and(|new| is_alike(new, before));
            if others.iter().any(|new| is_it(&new)) {
                known.reverted = Reverted::Partly;
            }
        }
    }

    fn there<'a>(&'a self, document: &'a Document) -> There<'a> {
        There {
            blocks: document.block_ids().iter().copied().zip(document.blocks()).collect(),
            own: self.touched.iter().map(|touched| (touched.id, touched)).collect(),
        }
    }

    fn judge(&self, there: &There) -> Judged {
        // The user may accept the parts of a split one by one.
        let exchanges = exchanges(&self.touched, |_| 0);
        let exchanges = exchanges.into_iter().map(|(a, b)| (self.touched[a].id, self.touched[b].id));
        let links: Vec<_> = self.links.iter().copied().chain(exchanges).collect();
        let linked: FxHashSet<BlockId> = links.iter().flat_map(|(a, b)| [*a, *b]).collect();
        let (groups, mut states) = (Groups::of(links), FxHashMap::<BlockId, Vec<BlockState>>::default());
        for touched in &self.touched {
            let states = states.entry(groups.root(touched.id)).or_default();
            states.extend(touched.state(there));
            // The state to which the others return is older than the one to which it returns.
            let is_older = touched.is_partial && linked.contains(&touched.id);
            states.extend(is_older.then_some(BlockState::Other));
        }
        Judged { groups, states }
    }

    /// Returns the effect of taking the turn back in a document.
    pub(crate) fn fates(&self, document: &Document) -> Fates {
        let there = self.there(document);
        let judged = self.judge(&there);
        let mut left = FxHashSet::default();
        let mut fates = Fates { back: FxHashSet::default(), stuck: FxHashSet::default(), left: Vec::new() };
        for touched in &self.touched {
            // The state to which it returns contains some of the turn's earlier edits.
            left.extend(Some(touched.id).filter(|_| touched.is_partial && touched.before.is_some()));
            if judged.all(touched.id, BlockState::After) {
                fates.back.insert(touched.id);
            } else if !judged.all(touched.id, BlockState::Before) {
                fates.stuck.insert(touched.id);
                left.extend(touched.named(&there));
            } else if touched.after.is_some() && !there.has(touched.id) && judged.of(touched.id).len() == 1 {
                // The user joined it with another.
                left.extend(touched.kin(&there));
            }
        }
        let is_there = |id: &&BlockId| left.contains(id);
        fates.left = document.block_ids().iter().filter(is_there).copied().collect();
        // A block that will be restored does not exist yet.
        fates.left.extend(left.iter().filter(|id| !there.has(**id) && fates.back.contains(id)));
        fates
    }
}

impl Turns {
    /// The user accepts hunks that several turns made: the last one is undone with all of them.
    pub(crate) fn share(&mut self, turns: &[&str]) {
        if let Some((last, earlier)) = turns.split_last() {
            earlier.iter().for_each(|turn| self.turn(turn).shared.extend(Some((*last).to_owned())));
        }
    }
}

impl Touched {
    /// Returns its state; `None` if all edits of the turn together had no effect.
    fn state(&self, there: &There) -> Option<BlockState> {
        let now = there.blocks.get(&self.id).copied();
        let has_come = |gone: &Node| self.state_of_deleted(gone, there) != BlockState::After;
        Some(match (&self.before, &self.after, now) {
            (None, None, None) if self.gone.as_ref().is_some_and(has_come) => BlockState::Other,
            (before, after, now) if before.as_ref() == after.as_ref() && now == before.as_ref() => return None,
            (_, Some(after), Some(now)) if now == after && self.reverted == Reverted::No => BlockState::After,
            (Some(before), _, Some(now)) if now == before || self.reverted == Reverted::Wholly => BlockState::Before,
            (None, Some(_), None) => BlockState::Before,
            (Some(before), None, None) if self.reverted == Reverted::No => self.state_of_deleted(before, there),
            _ => BlockState::Other,
        })
    }

    /// Returns the state of a block that the turn deleted: it may have reappeared under another id.
    fn state_of_deleted(&self, before: &Node, there: &There) -> BlockState {
        let mut state = BlockState::After;
        for (_, block) in there.since(self) {
            if block == before {
                return BlockState::Before;
            }
            if is_alike(block, before) {
                state = BlockState::Other;
            }
        }
        state
    }

    /// Returns the blocks that say where it stays: itself, those that seem to have its text, or else one beside it.
    fn named(&self, there: &There) -> Vec<BlockId> {
        let mut named = self.kin(there);
        named.extend(Some(self.id).filter(|id| there.has(*id)));
        if named.is_empty() && self.before.is_some() {
            named.extend(there.nearest(self));
        }
        named
    }

    /// Returns blocks that seem to have its text: it was split, joined or brought back.
    fn kin(&self, there: &There) -> Vec<BlockId> {
        let texts = || self.after.iter().chain(&self.before);
        let is_part = |block: &Node| texts().any(|text| has_all(text, block) || is_alike(text, block));
        let mut kin: Vec<BlockId> = there.since(self).filter(|(_, block)| is_part(block)).map(|(id, _)| id).collect();
        if let Some(after) = self.after.as_ref().filter(|_| !there.has(self.id)) {
            kin.extend(there.blocks.iter().filter(|(_, block)| has_all(block, after)).map(|(id, _)| *id));
        }
        kin
    }
}
