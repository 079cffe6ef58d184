//! What each turn of the model did to the document that the editor holds, so that it can be taken back.
//!
//! A collaborator's single character can arrive as "the whole paragraph was replaced", so steps are not trusted. For
//! each top-level block that a turn touched, its lasting id and what it was before and after are kept (nodes are shared
//! pointers: it costs little). A block that still is what the turn made of it becomes what it was; one that somebody has
//! touched since stays.
//!
//! Ids are those of the *base* document (see [`review`](super::review)).

use super::align::{Stretch, align};
use crate::document::{BlockId, Document, Node};
use crate::error::Error;
use crate::map::{HashMap, HashSet, insert_by_key};
use std::cmp::Reverse;

/// The turns that are remembered.
const MOST_TURNS: usize = 100;

/// What was done, turn by turn; the oldest first.
#[derive(Clone, Debug, Default)]
pub struct Turns(pub Vec<Turn>);

/// What one turn did.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Its name.
    pub id: String,
    /// The blocks it touched.
    pub touched: Vec<Touched>,
    /// How many edits it made.
    edits: usize,
}

/// What a turn did to a block.
#[derive(Clone, Debug)]
pub struct Touched {
    /// The block.
    pub id: BlockId,
    /// What it was; none where the turn inserted it.
    pub before: Option<Node>,
    /// What it became; none where the turn deleted it.
    pub after: Option<Node>,
    /// What it was when it was deleted. A block that the turn itself had inserted comes back for as long as others are put
    /// beside it.
    gone: Option<Node>,
    /// The block before it.
    previous: Option<BlockId>,
    /// The block after it.
    next: Option<BlockId>,
    /// Which edit of the turn touched it last.
    edit: usize,
    /// Blocks with this name or a later one came after that edit.
    since: BlockId,
}

/// What taking back a turn comes to.
#[derive(Clone, Debug)]
pub struct Undone {
    /// The document without what the turn did.
    pub document: Document,
    /// How many blocks are as they were.
    pub restored: usize,
    /// The blocks that somebody has touched since.
    pub left: Vec<BlockId>,
    /// Deleted blocks that somebody brought back under another name.
    back: HashMap<BlockId, BlockId>,
}

impl Turns {
    /// An edit of a turn led from one document to the other.
    pub fn record(&mut self, turn: &str, old: &Document, new: &Document) {
        let turn = self.turn(turn);
        turn.edits += 1;
        for touched in touched(old, new, turn.edits) {
            turn.add(touched);
        }
    }

    /// Blocks that were just recorded came out a little different: a plugin put an attribute on them.
    pub fn became(&mut self, expected: &Document, now: &Document) {
        let there: HashMap<BlockId, &Node> = now.block_ids().iter().copied().zip(now.blocks()).collect();
        for (id, block) in expected.block_ids().iter().zip(expected.blocks()) {
            let Some(became) = there.get(id).filter(|became| **became != block) else { continue };
            for touched in self.0.iter_mut().flat_map(|turn| &mut turn.touched) {
                if touched.id == *id && touched.after.as_ref() == Some(block) {
                    touched.after = Some((*became).clone());
                }
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
                self.0.push(Turn { id: id.to_owned(), touched: Vec::new(), edits: 0 });
                self.0.len() - 1
            }
        };
        &mut self.0[at]
    }

    /// The names of all blocks that some turn deleted.
    pub fn deleted(&self) -> HashSet<BlockId> {
        let gone = self.0.iter().flat_map(|turn| &turn.touched).filter(|touched| touched.after.is_none());
        gone.map(|touched| touched.id).collect()
    }

    /// Forgets a turn, which was taken back.
    pub fn forget(&mut self, id: &str) {
        self.0.retain(|turn| turn.id != id);
    }

    /// Blocks have other names now.
    pub fn rename(&mut self, names: &HashMap<BlockId, BlockId>) {
        let rename = |id: &mut BlockId| *id = names.get(id).copied().unwrap_or(*id);
        let newest = names.values().max().copied();
        for touched in self.0.iter_mut().flat_map(|turn| &mut turn.touched) {
            rename(&mut touched.id);
            touched.previous.as_mut().map(rename);
            touched.next.as_mut().map(rename);
            // A block that only has a new name did not come since.
            if let Some(newest) = newest.filter(|newest| *newest >= touched.since) {
                touched.since = BlockId(newest.0 + 1);
            }
        }
    }

    /// The document without what a turn did.
    ///
    /// # Errors
    /// [`Error::UnknownTurn`].
    pub fn undo(&self, id: &str, document: &Document) -> Result<Undone, Error> {
        let turn = self.0.iter().find(|turn| turn.id == id).ok_or_else(|| Error::UnknownTurn {
            given: id.to_owned(),
            valid: self.0.iter().map(|turn| turn.id.clone()).collect(),
        })?;
        let mut undone = Undone { document: document.clone(), restored: 0, left: Vec::new(), back: HashMap::default() };
        undone.document.name_after(document);
        // Deleted blocks come back first, in the reverse order of the edits, while what stood beside them is there.
        let mut deleted: Vec<&Touched> = Vec::new();
        for touched in turn.touched.iter().filter(|touched| touched.after.is_none()) {
            insert_by_key(&mut deleted, touched, |touched| Reverse(touched.edit));
        }
        let own: HashSet<BlockId> = turn.touched.iter().map(|touched| touched.id).collect();
        for touched in deleted {
            undone.insert(touched, &own);
        }
        for touched in &turn.touched {
            match &touched.after {
                Some(after) => undone.restore(touched, after),
                None if touched.before.is_none() => undone.remove(touched.id),
                None => {}
            }
        }
        if undone.document.blocks().is_empty() {
            let filled = Document::empty(document.schema().clone());
            undone.document.splice(0..0, filled.blocks().to_vec());
        }
        Ok(undone)
    }
}

impl Turn {
    fn add(&mut self, new: Touched) {
        let Some(at) = self.touched.iter().position(|known| known.id == new.id) else {
            return self.touched.push(new);
        };
        // At the end: what one edit touched stands in the order of the document.
        let known = self.touched.remove(at);
        if known.after != new.before {
            // Somebody else was there between the two edits; what they wrote is what the turn can go back to.
            return self.touched.push(new);
        }
        if known.before.is_none() || known.before != new.after {
            self.touched.push(Touched { before: known.before, ..new });
        }
    }
}

impl Undone {
    /// Puts a deleted block back. `own` are the blocks of the same turn.
    fn insert(&mut self, touched: &Touched, own: &HashSet<BlockId>) {
        let Some(block) = touched.before.as_ref().or(touched.gone.as_ref()) else { return };
        let document = &mut self.document;
        let place =
            |id: Option<BlockId>| id.and_then(|id| document.block_with_id(self.back.get(&id).copied().unwrap_or(id)));
        if document.block_with_id(touched.id).is_some() {
            return;
        }
        let at = match (place(touched.previous), place(touched.next)) {
            (Some(previous), _) => previous + 1,
            (None, Some(next)) => next,
            (None, None) if touched.previous.is_none() => 0,
            (None, None) => document.blocks().len(),
        };
        // The person may have brought it back already, with their own undo: it has a new name then.
        let is_back = |at: &usize| {
            let id = document.block_ids().get(*at);
            id.is_some_and(|id| *id >= touched.since && !own.contains(id)) && document.blocks()[*at] == *block
        };
        if let Some(at) = [Some(at), at.checked_sub(1)].into_iter().flatten().find(is_back) {
            self.back.insert(touched.id, document.block_ids()[at]);
            return;
        }
        document.put(at..at, vec![(touched.id, block.clone())]);
        self.restored += usize::from(touched.before.is_some());
    }

    fn remove(&mut self, id: BlockId) {
        if let Some(at) = self.document.block_with_id(id) {
            self.document.put(at..at + 1, Vec::new());
        }
    }

    fn restore(&mut self, touched: &Touched, after: &Node) {
        let document = &mut self.document;
        let at = document.block_with_id(touched.id);
        match (at, &touched.before) {
            (Some(at), before) if document.blocks()[at] == *after => {
                let before = before.iter().map(|before| (touched.id, before.clone())).collect();
                document.put(at..at + 1, before);
                self.restored += 1;
            }
            // Somebody took it back already.
            (Some(at), Some(before)) if document.blocks()[at] == *before => {}
            (Some(_), _) => self.left.push(touched.id),
            // Somebody deleted it since: there is nothing to take back, and nothing to show.
            (None, _) => {}
        }
    }
}

/// The top-level blocks in which two documents differ, by their ids, in their order.
fn touched(old: &Document, new: &Document, edit: usize) -> Vec<Touched> {
    let same = |(a, b): &(usize, usize)| {
        old.blocks()[*a].ptr_eq(&new.blocks()[*b]) && old.block_ids()[*a] == new.block_ids()[*b]
    };
    let (old_len, new_len) = (old.blocks().len(), new.blocks().len());
    let start = (0..old_len).zip(0..new_len).take_while(same).count();
    let end = (start..old_len).rev().zip((start..new_len).rev()).take_while(same).count();
    let (old_range, new_range) = (start..old_len - end, start..new_len - end);
    let old_places: HashMap<BlockId, usize> = old_range.clone().map(|at| (old.block_ids()[at], at)).collect();
    let new_ids: HashSet<BlockId> = new.block_ids()[new_range.clone()].iter().copied().collect();
    let entry = |document: &Document, at: usize, before: Option<&Node>, after: Option<&Node>| Touched {
        id: document.block_ids()[at],
        before: before.cloned(),
        after: after.cloned(),
        gone: before.filter(|_| after.is_none()).cloned(),
        previous: at.checked_sub(1).map(|at| document.block_ids()[at]),
        next: document.block_ids().get(at + 1).copied(),
        edit,
        since: new.next_id(),
    };
    let gone = old_range.filter(|at| !new_ids.contains(&old.block_ids()[*at]));
    let mut touched: Vec<Touched> = gone.map(|at| entry(old, at, Some(&old.blocks()[at]), None)).collect();
    for at in new_range {
        let before = old_places.get(&new.block_ids()[at]).map(|at| &old.blocks()[*at]);
        let after = &new.blocks()[at];
        if before != Some(after) {
            touched.push(entry(new, at, before, Some(after)));
        }
    }
    touched
}

/// Gives the blocks of a document the ids that they have in another, which says what the document was to become.
pub fn adopt_names(document: &mut Document, from: &Document) {
    let given = names(document, from);
    let taken: HashSet<BlockId> = given.iter().flatten().copied().collect();
    for (at, id) in given.into_iter().enumerate() {
        let own = document.block_ids()[at];
        match id {
            Some(id) if id != own => document.rename(at, id),
            None if taken.contains(&own) => document.rename_anew(at),
            _ => {}
        }
    }
}

/// Gives the blocks that are new in a document, which was another `before`, the ids that they have in a third, where
/// these are `free`.
pub fn take_names(document: &mut Document, from: &Document, before: &Document, free: impl Fn(BlockId) -> bool) {
    if !document.block_ids().iter().any(|id| before.is_older_than(*id)) {
        return;
    }
    let known: HashSet<BlockId> = document.block_ids().iter().copied().collect();
    for (at, id) in names(document, from).into_iter().enumerate() {
        let Some(id) = id.filter(|id| !known.contains(id)) else { continue };
        if before.is_older_than(document.block_ids()[at]) && free(id) {
            document.rename(at, id);
        }
    }
}

/// The ids that the blocks of a document have in another; none for those that are not there.
fn names(document: &Document, from: &Document) -> Vec<Option<BlockId>> {
    let mut names = vec![None; document.blocks().len()];
    for (stretch, old, new) in align(from.blocks(), document.blocks()) {
        if !matches!(stretch, Stretch::Replaced) {
            old.zip(new).for_each(|(old, new)| names[new] = Some(from.block_ids()[old]));
        }
    }
    names
}
