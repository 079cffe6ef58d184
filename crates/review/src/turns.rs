//! Changes of each turn to the editor's document, so that the turn can be taken back.
//!
//! A collaborator's single character can arrive as "the whole paragraph was replaced", so steps are not trusted. For
//! each top-level block that a turn touched, its stable id and the block before and after are kept (nodes are shared
//! pointers, so this costs little). A block that is still as the turn left it is restored, together with those that
//! exchanged text with it; one that was changed since stays. See `turn_fates`.
//!
//! Ids are those of the *base* document (see [`review`](super::review)).

use crate::Error;
use crate::turn_fates::Fates;
use crate::turn_groups::links;
use crate::vanished::{Vanished, blocks_of};
use copydesk_document::align::{Relation, align, heaviest_increasing};
use copydesk_document::{BlockId, Document, Node};
use rustc_hash::{FxHashMap, FxHashSet};

/// The turns that are remembered.
const MOST_TURNS: usize = 100;

/// The turns with their changes, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct Turns(pub Vec<Turn>, pub(crate) Vanished);

/// A turn and its changes.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The id of the turn.
    pub id: String,
    /// The blocks it touched.
    pub touched: Vec<Touched>,
    /// The blocks it moved, in the order of its edits and, within one, of the document before it.
    moved: Vec<MovedBlock>,
    /// Number of edits.
    edits: usize,
    /// Pairs of blocks that are taken back together or not at all.
    pub(crate) links: Vec<(BlockId, BlockId)>,
    /// Later turns that made a hunk together with it, and are undone with that hunk.
    pub(crate) shared: FxHashSet<String>,
}

/// A change of a block by a turn.
#[derive(Clone, Debug)]
pub struct Touched {
    /// The block.
    pub id: BlockId,
    /// The old block; `None` if the turn inserted it.
    pub before: Option<Node>,
    /// The new block; `None` if the turn deleted it.
    pub after: Option<Node>,
    /// The block when it was deleted. A block that the turn itself had inserted is put back for as long as others are
    /// put beside it.
    pub(crate) gone: Option<Node>,
    /// The place where it was when it was deleted, or where it is.
    place: BlockPosition,
    /// Number of the edit of the turn that touched it last.
    edit: usize,
    /// Blocks with this name or a later one came after that edit.
    pub(crate) since: BlockId,
    /// True if somebody else changed the block between two edits of the turn: `before` has something of the turn.
    pub(crate) is_partial: bool,
    /// Its states after earlier edits of the turn.
    pub(crate) earlier: Vec<Node>,
    /// States whether the editor's history reverted the change.
    pub(crate) reverted: Reverted,
}

/// The extent to which the editor's history reverted a change of a block. The user may have changed the block
/// afterwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reverted {
    /// It did not.
    No,
    /// The block was restored, but not to its state before the turn.
    Partly,
    /// The block was restored to its state before the turn.
    Wholly,
}

/// A block that an edit of a turn moved.
#[derive(Clone, Debug)]
struct MovedBlock {
    id: BlockId,
    /// The content.
    block: Node,
    /// Its former place.
    place: BlockPosition,
    edit: usize,
}

/// The place of a block.
#[derive(Clone, Copy, Debug)]
struct BlockPosition {
    /// Index of the block.
    index: usize,
    /// The block before it.
    previous: Option<BlockId>,
    /// The next block behind it that was not moved.
    next: Option<BlockId>,
}

/// The result of undoing a turn.
#[derive(Clone, Debug)]
pub struct Undone {
    /// The document without the changes of the turn.
    pub document: Document,
    /// Number of blocks that were restored.
    pub restored: usize,
    /// The blocks that were changed since.
    pub left: Vec<BlockId>,
}

impl Turns {
    /// An edit of a turn led from one document to the other.
    pub fn record(&mut self, turn: &str, old: &Document, new: &Document) {
        let turn = self.turn(turn);
        turn.edits += 1;
        let (touched, moved) = touched(old, new, turn.edits);
        let moves: FxHashSet<BlockId> = moved.iter().map(|moved| moved.id).collect();
        turn.find_deleted(&touched);
        turn.forget_undone(old, &touched);
        turn.links.extend(links(old, new, &touched, |id| !moves.contains(&id)));
        turn.add(touched);
        turn.moved.extend(moved);
        self.lose(blocks_of(old, std::iter::once(0..old.blocks().len())), new);
    }

    /// Blocks that were just recorded came out a little different: a plugin put an attribute on them.
    pub fn became(&mut self, expected: &Document, now: &Document) {
        let there: FxHashMap<BlockId, &Node> = now.block_ids().iter().copied().zip(now.blocks()).collect();
        let others = expected.block_ids().iter().zip(expected.blocks()).filter_map(|(id, block)| {
            let became = there.get(id).filter(|became| **became != block)?;
            Some((*id, (block, *became)))
        });
        let others: FxHashMap<BlockId, (&Node, &Node)> = others.collect();
        for touched in self.0.iter_mut().flat_map(|turn| &mut turn.touched).filter(|_| !others.is_empty()) {
            let other = others.get(&touched.id).filter(|(block, _)| touched.after.as_ref() == Some(*block));
            if let Some((_, became)) = other {
                touched.after = Some((*became).clone());
            }
        }
        for moved in self.0.iter_mut().flat_map(|turn| &mut turn.moved).filter(|_| !others.is_empty()) {
            if let Some((_, became)) = others.get(&moved.id).filter(|(block, _)| moved.block == **block) {
                moved.block = (*became).clone();
            }
        }
    }

    /// The turn, which is known from now on.
    pub fn turn(&mut self, id: &str) -> &mut Turn {
        let at = match self.0.iter().position(|turn| turn.id == id) {
            Some(at) => at,
            None => {
                if self.0.len() == MOST_TURNS {
                    self.0.remove(0);
                }
                self.0.push(Turn::new(id));
                self.0.len() - 1
            }
        };
        &mut self.0[at]
    }

    /// Returns the ids of all blocks that some turn deleted.
    pub fn deleted(&self) -> FxHashSet<BlockId> {
        let gone = self.0.iter().flat_map(|turn| &turn.touched).filter(|touched| touched.after.is_none());
        gone.map(|touched| touched.id).collect()
    }

    /// Forgets a turn, which was taken back.
    pub fn forget(&mut self, id: &str) {
        self.0.retain(|turn| turn.id != id);
    }

    /// Blocks have other names now.
    pub fn rename(&mut self, names: &FxHashMap<BlockId, BlockId>) {
        self.rename_known(names);
        let newest = names.values().max().copied();
        for touched in self.0.iter_mut().flat_map(|turn| &mut turn.touched) {
            // A block that only has a new name did not come since.
            if let Some(newest) = newest.filter(|newest| *newest >= touched.since) {
                touched.since = BlockId(newest.0 + 1);
            }
        }
    }

    /// Blocks of turns have other names now.
    pub(crate) fn rename_known(&mut self, names: &FxHashMap<BlockId, BlockId>) {
        if names.is_empty() {
            return;
        }
        let rename = |id: &mut BlockId| *id = names.get(id).copied().unwrap_or(*id);
        self.1.rename(names);
        for turn in &mut self.0 {
            for touched in &mut turn.touched {
                rename(&mut touched.id);
                touched.place.rename(rename);
            }
            for moved in &mut turn.moved {
                rename(&mut moved.id);
                moved.place.rename(rename);
            }
            turn.links.iter_mut().for_each(|(a, b)| [a, b].into_iter().for_each(rename));
        }
    }

    /// Returns the document without the changes of a turn.
    ///
    /// # Errors
    /// [`Error::UnknownTurn`].
    pub fn undo(&self, id: &str, document: &Document) -> Result<Undone, Error> {
        let turn = self.0.iter().find(|turn| turn.id == id).ok_or_else(|| Error::UnknownTurn {
            given: id.to_owned(),
            valid: self.0.iter().map(|turn| turn.id.clone()).collect(),
        })?;
        let fates = turn.fates(document);
        let mut undone = Undone { document: document.clone(), restored: 0, left: fates.left.clone() };
        let shared = self.0.iter().filter(|other| turn.shared.contains(&other.id)).flat_map(|other| &other.touched);
        let shared = shared.map(|touched| touched.id).filter(|id| document.block_with_id(*id).is_some());
        undone.left.extend(shared.filter(|id| !fates.left.contains(id)));
        undone.document.name_after(document);
        let mut chain = Chain::of(document);
        // Deleted and moved blocks are put back first, in the reverse order of the edits, while the blocks beside them
        // exist.
        let own: FxHashMap<BlockId, &Touched> = turn.touched.iter().map(|touched| (touched.id, touched)).collect();
        for edit in (1..=turn.edits).rev() {
            undone.put_back(&mut chain, turn, edit, &own, &fates);
        }
        for touched in turn.touched.iter().filter(|touched| fates.back.contains(&touched.id)) {
            match (&touched.before, &touched.after) {
                (None, _) => chain.remove(touched.id),
                (Some(before), Some(_)) => chain.set(touched.id, before.clone()),
                (Some(_), None) => {}
            }
            undone.restored += usize::from(touched.after.is_some() && touched.before != touched.after);
        }
        let blocks = chain.into_blocks();
        let is_empty = blocks.is_empty();
        undone.document.put(0..document.blocks().len(), blocks);
        if is_empty {
            let filled = Document::empty(document.schema().clone());
            undone.document.splice(0..0, filled.blocks().to_vec());
        }
        Ok(undone)
    }
}

impl Turn {
    pub(crate) fn new(id: &str) -> Turn {
        Turn {
            id: id.to_owned(),
            touched: Vec::new(),
            moved: Vec::new(),
            edits: 0,
            links: Vec::new(),
            shared: FxHashSet::default(),
        }
    }

    /// Returns the blocks that it touched or moved.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = BlockId> {
        self.touched.iter().map(|touched| touched.id).chain(self.moved.iter().map(|moved| moved.id))
    }

    /// Adds the ranges that an edit touched, at the end and in the order of the document.
    fn add(&mut self, new: Vec<Touched>) {
        let ids: FxHashSet<BlockId> = new.iter().map(|touched| touched.id).collect();
        let known = std::mem::take(&mut self.touched);
        let (mut again, mut others) = (FxHashMap::default(), Vec::with_capacity(known.len()));
        for touched in known {
            match ids.contains(&touched.id) {
                true => drop(again.insert(touched.id, touched)),
                false => others.push(touched),
            }
        }
        for new in new {
            let Some(known) = again.remove(&new.id) else {
                others.push(new);
                continue;
            };
            // Somebody else changed it between the two edits; the turn can only restore that text.
            let is_other = known.after != new.before;
            let before = if is_other { new.before.clone() } else { known.before.clone() };
            let is_partial = known.is_partial || is_other && known.before != new.before;
            let earlier = known.earlier.into_iter().chain(known.after).collect();
            // A block in its state before the turn stays known: the history may restore the state after an earlier
            // edit.
            others.push(Touched { before, is_partial, earlier, ..new });
        }
        self.touched = others;
    }
}

impl Touched {
    /// Returns the index of the block when it was deleted, or where it was.
    pub(crate) fn index(&self) -> usize {
        self.place.index
    }

    /// Returns the blocks that were beside it.
    pub(crate) fn beside(&self) -> impl Iterator<Item = BlockId> {
        self.place.next.into_iter().chain(self.place.previous)
    }
}

impl BlockPosition {
    fn rename(&mut self, rename: impl Fn(&mut BlockId)) {
        self.previous.iter_mut().chain(&mut self.next).for_each(rename);
    }
}

impl Undone {
    /// Puts the blocks that an edit deleted or moved back to where they were before it.
    fn put_back(
        &mut self,
        chain: &mut Chain,
        turn: &Turn,
        edit: usize,
        own: &FxHashMap<BlockId, &Touched>,
        fates: &Fates,
    ) {
        let mut moved = Vec::new();
        for block in turn.moved.iter().filter(|moved| moved.edit == edit && !fates.stuck.contains(&moved.id)) {
            let Some(there) = chain.block(block.id) else { continue };
            let is_own = match own.get(&block.id) {
                Some(Touched { before, after: Some(after), .. }) => there == after || before.as_ref() == Some(there),
                // It was restored just now.
                Some(Touched { after: None, .. }) => true,
                None => *there == block.block,
            };
            match (is_own, own.contains_key(&block.id)) {
                (true, _) => moved.push((block, there.clone())),
                (false, true) => {}
                (false, false) if self.left.contains(&block.id) => {}
                (false, false) => self.left.push(block.id),
            }
        }
        moved.iter().for_each(|(moved, _)| chain.remove(moved.id));
        self.restored += moved.iter().filter(|(moved, _)| !own.contains_key(&moved.id)).count();
        let mut moved = moved.into_iter().peekable();
        let is_gone = |touched: &&Touched| touched.edit == edit && touched.after.is_none();
        for touched in turn.touched.iter().filter(is_gone).filter(|touched| fates.back.contains(&touched.id)) {
            while let Some((moved, block)) = moved.next_if(|(moved, _)| moved.place.index < touched.place.index) {
                chain.put(moved.id, block, chain.place(moved.place));
            }
            self.restored += usize::from(chain.insert(touched, own));
        }
        for (moved, block) in moved {
            chain.put(moved.id, block, chain.place(moved.place));
        }
    }
}

/// Blocks as a linked list: one is found, put in and taken out without a walk over the others.
struct Chain {
    /// The first link is before the first block and after the last one.
    links: Vec<MoveLink>,
    places: FxHashMap<BlockId, usize>,
    /// Deleted blocks that somebody brought back under another name.
    back: FxHashMap<BlockId, BlockId>,
}

struct MoveLink {
    block: Option<(BlockId, Node)>,
    previous: usize,
    next: usize,
}

impl Chain {
    fn of(document: &Document) -> Chain {
        let count = document.blocks().len();
        let mut links = vec![MoveLink { block: None, previous: count, next: usize::from(count > 0) }];
        let blocks = document.block_ids().iter().copied().zip(document.blocks().iter().cloned());
        links.extend(blocks.enumerate().map(|(at, block)| MoveLink {
            block: Some(block),
            previous: at,
            next: (at + 2) % (count + 1),
        }));
        let places = document.block_ids().iter().enumerate().map(|(at, id)| (*id, at + 1)).collect();
        Chain { links, places, back: FxHashMap::default() }
    }

    fn block(&self, id: BlockId) -> Option<&Node> {
        self.links[*self.places.get(&id)?].block.as_ref().map(|(_, block)| block)
    }

    fn set(&mut self, id: BlockId, block: Node) {
        if let Some(at) = self.places.get(&id) {
            self.links[*at].block = Some((id, block));
        }
    }

    fn remove(&mut self, id: BlockId) {
        if let Some(at) = self.places.remove(&id) {
            let MoveLink { previous, next, .. } = self.links[at];
            self.links[previous].next = next;
            self.links[next].previous = previous;
        }
    }

    /// Puts a deleted block back. Returns whether that restores the state before the turn. `own` are the blocks of the
    /// same turn.
    fn insert(&mut self, touched: &Touched, own: &FxHashMap<BlockId, &Touched>) -> bool {
        let Some(block) = touched.before.as_ref().or(touched.gone.as_ref()) else { return false };
        if self.places.contains_key(&touched.id) {
            return false;
        }
        let next = self.place(touched.place);
        let previous = self.links[next].previous;
        // The user may have brought it back already, with their own undo: it has a new name then.
        let back = [next, previous].into_iter().find_map(|at| {
            let (id, there) = self.links[at].block.as_ref()?;
            (*id >= touched.since && !own.contains_key(id) && there == block).then_some(*id)
        });
        if let Some(id) = back {
            self.back.insert(touched.id, id);
            return false;
        }
        self.put(touched.id, block.clone(), next);
        touched.before.is_some()
    }

    /// Returns the link before which a place is now.
    fn place(&self, place: BlockPosition) -> usize {
        let find = |id: Option<BlockId>| {
            let id = id?;
            self.places.get(self.back.get(&id).unwrap_or(&id)).copied()
        };
        match (find(place.previous), find(place.next)) {
            (Some(previous), _) => self.links[previous].next,
            (None, Some(next)) => next,
            (None, None) if place.previous.is_none() => self.links[0].next,
            (None, None) => 0,
        }
    }

    /// Puts a block before a link.
    fn put(&mut self, id: BlockId, block: Node, next: usize) {
        let (at, previous) = (self.links.len(), self.links[next].previous);
        self.links.push(MoveLink { block: Some((id, block)), previous, next });
        self.links[previous].next = at;
        self.links[next].previous = at;
        self.places.insert(id, at);
    }

    fn into_blocks(mut self) -> Vec<(BlockId, Node)> {
        let mut at = self.links[0].next;
        std::iter::from_fn(|| {
            let block = self.links[at].block.take();
            at = self.links[at].next;
            block
        })
        .collect()
    }
}

/// The top-level blocks in which two documents differ, by their ids, in their order; and those that were moved.
fn touched(old: &Document, new: &Document, edit: usize) -> (Vec<Touched>, Vec<MovedBlock>) {
    let same = |(a, b): &(usize, usize)| {
        old.blocks()[*a].ptr_eq(&new.blocks()[*b]) && old.block_ids()[*a] == new.block_ids()[*b]
    };
    let (old_len, new_len) = (old.blocks().len(), new.blocks().len());
    let start = (0..old_len).zip(0..new_len).take_while(same).count();
    let end = (start..old_len).rev().zip((start..new_len).rev()).take_while(same).count();
    let (old_range, new_range) = (start..old_len - end, start..new_len - end);
    let old_places: FxHashMap<BlockId, usize> = old_range.clone().map(|at| (old.block_ids()[at], at)).collect();
    let new_ids: FxHashSet<BlockId> = new.block_ids()[new_range.clone()].iter().copied().collect();
    let place = |document: &Document, index: usize| BlockPosition {
        index,
        previous: index.checked_sub(1).map(|at| document.block_ids()[at]),
        next: document.block_ids().get(index + 1).copied(),
    };
    let entry = |document: &Document, at: usize, before: Option<&Node>, after: Option<&Node>| Touched {
        id: document.block_ids()[at],
        before: before.cloned(),
        after: after.cloned(),
        gone: before.filter(|_| after.is_none()).cloned(),
        place: place(document, at),
        edit,
        since: new.next_id(),
        is_partial: false,
        earlier: Vec::new(),
        reverted: Reverted::No,
    };
    let gone = old_range.filter(|at| !new_ids.contains(&old.block_ids()[*at]));
    let mut touched: Vec<Touched> = gone.map(|at| entry(old, at, Some(&old.blocks()[at]), None)).collect();
    let mut stayed = Vec::new();
    for at in new_range {
        let old_at = old_places.get(&new.block_ids()[at]).copied();
        let before = old_at.map(|at| &old.blocks()[at]);
        stayed.extend(old_at.map(|old_at| (old_at, at)));
        let after = &new.blocks()[at];
        if before != Some(after) {
            touched.push(entry(new, at, before, Some(after)));
        }
    }
    if stayed.is_sorted() {
        return (touched, Vec::new());
    }
    let members: Vec<_> = stayed.iter().map(|(old_at, _)| (*old_at, old.blocks()[*old_at].size())).collect();
    let unmoved: FxHashSet<usize> = heaviest_increasing(&members).into_iter().map(|at| stayed[at].0).collect();
    let mut moved: Vec<(usize, usize)> = stayed.into_iter().filter(|(at, _)| !unmoved.contains(at)).collect();
    moved.sort_unstable();
    let is_unmoved = |at: &usize| !old_places.contains_key(&old.block_ids()[*at]) || unmoved.contains(at);
    let moved = moved.into_iter().map(|(old_at, new_at)| MovedBlock {
        id: old.block_ids()[old_at],
        block: new.blocks()[new_at].clone(),
        place: BlockPosition {
            next: (old_at + 1..old_len).find(is_unmoved).map(|at| old.block_ids()[at]),
            ..place(old, old_at)
        },
        edit,
    });
    let moved = moved.collect();
    (touched, moved)
}

/// Gives the blocks of a document the ids that they have in another one, which is the intended result. Equal blocks
/// become the same values: of two that are equal, a later comparison finds the one that is meant.
pub fn adopt_names(document: &mut Document, from: &Document) {
    let given = places(document, from);
    let taken: FxHashSet<BlockId> = given.iter().flatten().map(|at| from.block_ids()[*at]).collect();
    for (at, place) in given.into_iter().enumerate() {
        let own = document.block_ids()[at];
        let Some(place) = place else {
            if taken.contains(&own) {
                document.rename_anew(at);
            }
            continue;
        };
        let (id, block) = (from.block_ids()[place], &from.blocks()[place]);
        if id != own {
            document.rename(at, id);
        }
        if !document.blocks()[at].ptr_eq(block) && document.blocks()[at] == *block {
            document.share(at, block);
        }
    }
}

/// Gives the blocks that are new in a document, which was another `before`, the ids that they have in a third, where
/// these are `free`.
pub fn take_names(document: &mut Document, from: &Document, before: &Document, free: impl Fn(BlockId) -> bool) {
    if !document.block_ids().iter().any(|id| before.is_older_than(*id)) {
        return;
    }
    let known: FxHashSet<BlockId> = document.block_ids().iter().copied().collect();
    for (at, place) in places(document, from).into_iter().enumerate() {
        let Some(id) = place.map(|place| from.block_ids()[place]).filter(|id| !known.contains(id)) else { continue };
        if before.is_older_than(document.block_ids()[at]) && free(id) {
            document.rename(at, id);
        }
    }
}

/// Returns the indexes that the blocks of a document have in another one; `None` for those that are not in it.
fn places(document: &Document, from: &Document) -> Vec<Option<usize>> {
    let mut places = vec![None; document.blocks().len()];
    let chunks = align(from.blocks(), document.blocks());
    for chunk in chunks.into_iter().filter(|chunk| chunk.relation != Relation::Replaced) {
        chunk.old.zip(chunk.new).for_each(|(old, new)| places[new] = Some(old));
    }
    places
}
