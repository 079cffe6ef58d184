//! Blocks that were removed from base and may reappear: the editor's undo and redo return a block under another id.

use crate::history_move::HistoryMove;
use crate::turn_groups::is_alike;
use crate::turns::{Reverted, Touched, Turn, Turns};
use copydesk_document::{BlockId, Document, Node};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::LazyCell;
use std::ops::Range;

/// The most blocks that are remembered.
const MOST: usize = 2_000;

/// The blocks of turns that left base, by their ids, with their last content.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vanished(FxHashMap<BlockId, EarlierBlock>);

/// A block before a change.
#[derive(Clone, Debug)]
pub(crate) struct EarlierBlock {
    id: BlockId,
    index: usize,
    node: Node,
    /// The block before it.
    previous: Option<BlockId>,
    /// The block behind it.
    next: Option<BlockId>,
}

/// Returns the blocks of some ranges of a document that is about to change.
pub(crate) fn blocks_of(document: &Document, ranges: impl Iterator<Item = Range<usize>>) -> Vec<EarlierBlock> {
    let ids = document.block_ids();
    let block = |at: usize| EarlierBlock {
        id: ids[at],
        index: at,
        node: document.blocks()[at].clone(),
        previous: at.checked_sub(1).map(|at| ids[at]),
        next: ids.get(at + 1).copied(),
    };
    ranges.flat_map(|range| range.start..range.end.min(ids.len())).map(block).collect()
}

impl Vanished {
    /// Remembers those of some blocks that are not in the document any more and that `is_known` to a turn.
    pub fn remember(&mut self, before: Vec<EarlierBlock>, now: &Document, is_known: impl Fn(BlockId) -> bool) {
        let ids = now.block_ids();
        // A block that is typed in stays where it is, and the others are not looked at.
        let all = LazyCell::new(|| ids.iter().copied().collect::<FxHashSet<BlockId>>());
        for block in before {
            if ids.get(block.index) != Some(&block.id) && !all.contains(&block.id) && is_known(block.id) {
                self.0.insert(block.id, block);
            }
        }
        if self.0.len() > MOST {
            self.0.clear();
        }
    }

    /// Returns the new ids of the blocks that a change brought back beside one of their former neighbours.
    /// `versions` are what turns know of them beside their last content.
    pub fn returned(
        &mut self,
        old: &Document,
        now: &Document,
        versions: &FxHashMap<BlockId, Vec<&Node>>,
    ) -> FxHashMap<BlockId, BlockId> {
        let mut found: FxHashMap<BlockId, BlockId> = FxHashMap::default();
        if self.0.is_empty() {
            return found;
        }
        let known: FxHashMap<BlockId, &Node> = old.block_ids().iter().copied().zip(old.blocks()).collect();
        let ids = now.block_ids();
        let mut given: FxHashSet<BlockId> = FxHashSet::default();
        let is_version = |id: BlockId, node: &Node| versions.get(&id).is_some_and(|nodes| nodes.contains(&node));
        // A comparison may give a block that reappeared the id of a removed one.
        let is_new = |at: &usize| {
            let (id, node) = (ids[*at], &now.blocks()[*at]);
            known.get(&id).is_none_or(|was| *was != node && !is_version(id, node))
        };
        let came: Vec<usize> = (0..ids.len()).filter(is_new).collect();
        let is_content = |block: &EarlierBlock, node: &Node| block.node == *node || is_version(block.id, node);
        // Forwards, a block finds the one before it, backwards the one behind it, which may have just reappeared
        // itself.
        for at in came.iter().chain(came.iter().rev()).copied() {
            if given.contains(&ids[at]) {
                continue;
            }
            let (previous, next) = (at.checked_sub(1).map(|at| ids[at]), ids.get(at + 1).copied());
            let is_same =
                |was: Option<BlockId>, is: Option<BlockId>| was.map(|id| found.get(&id).copied().unwrap_or(id)) == is;
            let is_it = |block: &&EarlierBlock| {
                (is_same(block.previous, previous) || is_same(block.next, next))
                    && is_content(block, &now.blocks()[at])
                    && !found.contains_key(&block.id)
            };
            if let Some(id) = self.0.values().filter(is_it).map(|block| block.id).max() {
                found.insert(id, ids[at]);
                given.insert(ids[at]);
            }
        }
        found.keys().for_each(|id| drop(self.0.remove(id)));
        // The ids are exchanged, so that none identifies two blocks.
        let places: Vec<(BlockId, BlockId)> = found.iter().map(|(old, new)| (*new, *old)).collect();
        for (new, old) in places {
            found.entry(new).or_insert(old);
        }
        found
    }

    /// Blocks have other ids now.
    pub fn rename(&mut self, names: &FxHashMap<BlockId, BlockId>) {
        let rename = |id: BlockId| names.get(&id).copied().unwrap_or(id);
        let blocks = std::mem::take(&mut self.0).into_values().map(|block| EarlierBlock {
            id: rename(block.id),
            previous: block.previous.map(rename),
            next: block.next.map(rename),
            ..block
        });
        self.0 = blocks.map(|block| (block.id, block)).collect();
    }
}

impl Turns {
    /// Takes over that base becomes another, perhaps by the editor's history.
    pub(crate) fn follow(&mut self, old: &Document, now: &Document, history: Option<HistoryMove>) {
        if self.0.is_empty() {
            return;
        }
        self.lose(blocks_of(old, std::iter::once(0..old.blocks().len())), now);
        let Some(direction) = history else { return };
        let mut versions: FxHashMap<BlockId, Vec<&Node>> = FxHashMap::default();
        for touched in self.0.iter().flat_map(|turn| &turn.touched) {
            let nodes = touched.before.iter().chain(&touched.after).chain(&touched.earlier);
            versions.entry(touched.id).or_default().extend(nodes);
        }
        let returned = self.1.returned(old, now, &versions);
        self.rename_known(&returned);
        self.mark_reverted(old, now, direction);
    }

    /// Remembers those of some blocks of base that are not there any more.
    pub(crate) fn lose(&mut self, before: Vec<EarlierBlock>, now: &Document) {
        let known = LazyCell::new(|| self.0.iter().flat_map(Turn::blocks).collect::<FxHashSet<BlockId>>());
        self.1.remember(before, now, |id| known.contains(&id));
    }

    /// Marks blocks that the history restored to their state before a turn.
    fn mark_reverted(&mut self, old: &Document, now: &Document, direction: HistoryMove) {
        let [was, is]: [FxHashMap<BlockId, &Node>; 2] =
            [old, now].map(|document| document.block_ids().iter().copied().zip(document.blocks()).collect());
        for turn in &mut self.0 {
            let is_redone = |touched: &Touched| touched.after.as_ref() == is.get(&touched.id).copied();
            let redone: FxHashSet<BlockId> =
                turn.touched.iter().filter(|touched| is_redone(touched)).map(|touched| touched.id).collect();
            let changed = |touched: &&mut Touched| was.get(&touched.id) != is.get(&touched.id);
            for touched in turn.touched.iter_mut().filter(changed) {
                if touched.before == touched.after {
                    continue;
                }
                match (is.get(&touched.id), &touched.before, &touched.after) {
                    (Some(block), Some(before), _) if *block == before => touched.reverted = Reverted::Wholly,
                    (Some(_), Some(_), None)
                        if touched.reverted == Reverted::Wholly && direction == HistoryMove::Undo => {}
                    (Some(_), Some(_), None) => touched.reverted = Reverted::Partly,
                    // A change that is undone after the turn is the user's.
                    (Some(_), Some(_), Some(_)) => {
                        touched.reverted = match (direction, touched.reverted) {
                            (_, Reverted::No) | (HistoryMove::Redo, _) => Reverted::No,
                            (HistoryMove::Undo, reverted) => reverted,
                            (HistoryMove::Unknown, _) => Reverted::Partly,
                        }
                    }
                    // The deletion was redone, unless the text was moved into a block of the user.
                    (None, Some(before), None) => {
                        let is_other = |id: &BlockId, block: &Node| was.get(id) != Some(&block) && !redone.contains(id);
                        let mut others = is.iter().filter(|(id, block)| is_other(id, block));
                        if !others.any(|(_, block)| is_alike(block, before)) {
                            touched.reverted = Reverted::No;
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}
