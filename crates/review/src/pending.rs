//! Pending changes: the ordered changes from base to the proposal.
//!
//! Invariants after every operation:
//!
//! 1. Outside of the hunks base and the proposal have the same tokens, so that a position in the one is a position in
//!    the other by arithmetic alone.
//! 2. Hunks are in the order of the document and do not overlap. Each is a range inside one parent, in both documents.
//! 3. Any of them can be made without the others: where a parent takes its children only together, or would be left
//!    without any, the hunks in it are one.

use super::proposal_log::ProposalLog;
use copydesk_document::{Document, Node};
use copydesk_edit::Origin;
use copydesk_edit::change::{self, Change};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// The id of a hunk without an id.
pub const UNNAMED: u64 = 0;
/// The id of a hunk that was joined from several, until it gets its own.
pub const SEVERAL: u64 = u64::MAX;

/// A proposal and its differences from base.
#[derive(Clone)]
pub struct Pending {
    /// The proposal.
    pub proposed: Document,
    /// The differences, in the order of the document.
    pub hunks: Vec<PendingHunk>,
    /// The proposals of the turns; `None` if they are not known.
    pub(crate) log: Option<Rc<ProposalLog>>,
}

/// One difference. Its old and new contents are the contents of the two documents in its ranges.
#[derive(Clone, Debug)]
pub struct PendingHunk {
    /// Number of the hunk, which no other hunk ever has.
    pub id: u64,
    /// The range in base.
    pub base: Range<usize>,
    /// The range in the proposal.
    pub proposed: Range<usize>,
    /// The edits that made it, the oldest first.
    pub makers: Vec<Maker>,
    /// Numbers of the links with other hunks: those with a common one are decided together.
    pub links: Vec<u64>,
    /// True if the user has changed the same range.
    pub conflict: bool,
}

/// An edit of the agent.
#[derive(Clone, Debug)]
pub struct Maker {
    /// Number of the edit: later edits have higher ones.
    pub number: u64,
    /// The origin of the edit.
    pub origin: Rc<Origin>,
}

/// Counters for the ids of a review.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// The last hunk's.
    pub hunk: u64,
    /// The last edit's.
    pub edit: u64,
    /// The last decision's.
    pub decision: u64,
    /// The last link's.
    pub link: u64,
}

impl Numbers {
    /// A number for a new hunk.
    pub fn next_hunk(&mut self) -> u64 {
        self.hunk += 1;
        self.hunk
    }

    /// A number for a new decision.
    pub fn next_decision(&mut self) -> u64 {
        self.decision += 1;
        self.decision
    }

    /// A number for a new link.
    pub fn next_link(&mut self) -> u64 {
        self.link += 1;
        self.link
    }

    /// A number for a new edit, with its origin.
    pub fn next_maker(&mut self, origin: Origin) -> Maker {
        self.edit += 1;
        Maker { number: self.edit, origin: Rc::new(origin) }
    }
}

impl PendingHunk {
    /// Returns the number of positions that the hunk adds to the proposal.
    pub fn growth(&self) -> isize {
        self.proposed.len() as isize - self.base.len() as isize
    }

    /// The change of base that accepts it.
    pub fn accepting(&self, proposed: &Document) -> Change {
        let content = change::content_between(proposed, self.proposed.start, self.proposed.end);
        Change { from: self.base.start, to: self.base.end, content }
    }

    /// The change of the proposal that rejects it.
    pub fn rejecting(&self, base: &Document) -> Change {
        let content = change::content_between(base, self.base.start, self.base.end);
        Change { from: self.proposed.start, to: self.proposed.end, content }
    }

    /// Extends this hunk over another one and everything between, and adds its makers.
    pub fn join(&mut self, other: &PendingHunk) {
        for (own, other) in [(&mut self.base, &other.base), (&mut self.proposed, &other.proposed)] {
            *own = own.start.min(other.start)..own.end.max(other.end);
        }
        self.conflict |= other.conflict;
        self.links.extend(&other.links);
        add_makers(&mut self.makers, &other.makers);
    }
}

/// Adds makers that are not there yet; they stay in the order of their numbers.
pub fn add_makers(makers: &mut Vec<Maker>, others: &[Maker]) {
    for other in others {
        let at = makers.partition_point(|maker| maker.number < other.number);
        if makers.get(at).is_none_or(|maker| maker.number != other.number) {
            makers.insert(at, other.clone());
        }
    }
}

/// A position moved; never below 0.
pub fn shifted(position: usize, by: isize) -> usize {
    position.saturating_add_signed(by)
}

/// Returns whether two ranges have something in common.
pub fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// A range moved.
pub fn shifted_range(range: &Range<usize>, by: isize) -> Range<usize> {
    shifted(range.start, by)..shifted(range.end, by)
}

impl Pending {
    /// Returns for each number of hunks the difference of positions behind them in the proposal from those in base.
    pub fn growths(&self) -> Vec<isize> {
        let mut sum = 0;
        let sums = self.hunks.iter().map(|hunk| {
            sum += hunk.growth();
            sum
        });
        std::iter::once(0).chain(sums).collect()
    }

    /// Makes the hunk at an index larger by so much that is the same in both documents, on each of its sides; up to
    /// the next hunk, which is then taken in. Returns its index then.
    pub fn extend(&mut self, at: usize, left: usize, right: usize) -> usize {
        let mut whole = self.hunks[at].clone();
        let (mut first, mut last) = (at, at + 1);
        let start = whole.base.start.saturating_sub(left);
        match at.checked_sub(1).map(|before| &self.hunks[before]).filter(|hunk| hunk.base.end > start) {
            Some(hunk) => {
                whole.join(hunk);
                first = at - 1;
            }
            None => {
                whole.proposed.start -= whole.base.start - start;
                whole.base.start = start;
            }
        }
        let end = whole.base.end + right;
        match self.hunks.get(last).filter(|hunk| hunk.base.start < end) {
            Some(hunk) => {
                whole.join(hunk);
                last += 1;
            }
            None => {
                whole.proposed.end += right;
                whole.base.end = end;
            }
        }
        if last - first > 1 {
            whole.id = self.id_of_one(first..last);
        }
        self.hunks.splice(first..last, [whole]);
        first
    }

    /// Returns the id for the hunk that a range of hunks becomes: that of the only one that has one.
    fn id_of_one(&self, range: Range<usize>) -> u64 {
        self.hunks[range]
            .iter()
            .map(|hunk| hunk.id)
            .filter(|id| *id != UNNAMED)
            .reduce(|_, _| SEVERAL)
            .unwrap_or(UNNAMED)
    }

    /// Makes the hunk at an index so large that it is a range inside one parent in both documents. Returns its index
    /// then.
    pub fn close(&mut self, base: &Document, mut at: usize) -> usize {
        loop {
            let hunk = &self.hunks[at];
            let in_base = closed(base, &hunk.base);
            let in_proposed = closed(&self.proposed, &hunk.proposed);
            let left = (hunk.base.start - in_base.start).max(hunk.proposed.start - in_proposed.start);
            let right = (in_base.end - hunk.base.end).max(in_proposed.end - hunk.proposed.end);
            if (left, right) == (0, 0) {
                return at;
            }
            at = self.extend(at, left, right);
        }
    }

    /// Joins hunks that are only valid together: those in one parent, if that does not allow any number of the same
    /// children, or if some of the hunks would leave it empty. Considers those of `range`; with `all`, every hunk, and
    /// the document itself as a parent too. Returns whether there were any.
    pub fn join_dependent(&mut self, base: &Document, mut range: Range<usize>, all: bool) -> bool {
        let mut any = false;
        loop {
            if all {
                range = 0..self.hunks.len();
            }
            let Some(joined) = self.dependent(base, range.clone(), all) else { return any };
            let mut whole = self.hunks[joined.start].clone();
            self.hunks[joined.clone()].iter().for_each(|hunk| whole.join(hunk));
            whole.id = self.id_of_one(joined.clone());
            range.end = range.end + 1 - joined.len();
            self.hunks.splice(joined, [whole]);
            any = true;
        }
    }

    /// The first hunks of a range that are only right together.
    pub(super) fn dependent(&self, base: &Document, range: Range<usize>, all: bool) -> Option<Range<usize>> {
        let schema = base.schema();
        let mut members: FxHashMap<Option<usize>, Vec<usize>> = FxHashMap::default();
        let mut parents = Vec::new();
        for at in range {
            let (start, node) = parent(base, &self.hunks[at].base);
            if node.is_some_and(|node| schema.is_textblock(node.kind())) || node.is_none() && !all {
                continue;
            }
            let members = members.entry(start).or_default();
            if members.is_empty() {
                parents.push((start, node));
            }
            members.push(at);
        }
        parents.into_iter().find_map(|(start, node)| {
            let members = members.get(&start).filter(|members| members.len() > 1)?;
            let ends = (members.first()?, members.last()?);
            (!self.are_independent(base, node, members)).then_some(*ends.0..ends.1 + 1)
        })
    }

    fn are_independent(&self, base: &Document, parent: Option<&Node>, members: &[usize]) -> bool {
        let schema = base.schema();
        let kind = parent.map_or(schema.top_type(), Node::kind);
        if !schema.repeats_one_term(kind) {
            return false;
        }
        if schema.valid_end(schema.node_type(kind).content_match) {
            return true;
        }
        let ranges = |at: &usize| (&self.hunks[*at].base, &self.hunks[*at].proposed);
        if members.iter().map(ranges).any(|(base, proposed)| !base.is_empty() && !proposed.is_empty()) {
            return true;
        }
        let count = parent.map_or(base.blocks().len(), |parent| parent.children().len());
        let covered: usize = members.iter().map(|at| change::children_between(base, &self.hunks[*at].base)).sum();
        covered < count
    }

    /// Gives ids to the hunks without one.
    pub fn name(&mut self, numbers: &mut Numbers) {
        for hunk in self.hunks.iter_mut().filter(|hunk| matches!(hunk.id, UNNAMED | SEVERAL)) {
            hunk.id = numbers.next_hunk();
        }
    }

    /// Returns whether base and the proposal read the same in a hunk.
    pub fn is_void(&self, base: &Document, hunk: &PendingHunk) -> bool {
        hunk.base.len() == hunk.proposed.len()
            && change::content_between(base, hunk.base.start, hunk.base.end)
                == change::content_between(&self.proposed, hunk.proposed.start, hunk.proposed.end)
    }

    /// A position in base, for one in the proposal: inside a hunk, where the hunk begins.
    pub fn in_base(&self, position: usize) -> usize {
        let before = self.hunks.partition_point(|hunk| hunk.proposed.end <= position);
        match self.hunks.get(before).filter(|hunk| hunk.proposed.start <= position) {
            // An insertion or an edit begins here.
            Some(hunk) if hunk.proposed.start < hunk.proposed.end => hunk.base.start,
            _ => match before.checked_sub(1).map(|last| &self.hunks[last]) {
                Some(last) => position - last.proposed.end + last.base.end,
                None => position,
            },
        }
    }

    /// Returns a position in the proposal for one in base: inside a hunk, the end of its proposed content.
    pub fn in_proposed(&self, position: usize) -> usize {
        // Behind everything that is inserted here, and before everything that is replaced from here on.
        let before = self.hunks.partition_point(|hunk| hunk.base.end <= position);
        match self.hunks.get(before).filter(|hunk| hunk.base.start < position) {
            Some(hunk) => hunk.proposed.end,
            None => match before.checked_sub(1).map(|last| &self.hunks[last]) {
                Some(last) => position - last.base.end + last.proposed.end,
                None => position,
            },
        }
    }

    /// Returns a position in the proposal for one in base: before everything that is inserted here, and inside a hunk
    /// the start of its proposed content.
    pub fn start_in_proposed(&self, position: usize) -> usize {
        let before = self.hunks.partition_point(|hunk| hunk.base.end < position);
        match self.hunks.get(before).filter(|hunk| hunk.base.start < position || hunk.base == (position..position)) {
            Some(hunk) if position < hunk.base.end || hunk.base.is_empty() => hunk.proposed.start,
            Some(hunk) => hunk.proposed.end,
            None => match before.checked_sub(1).map(|last| &self.hunks[last]) {
                Some(last) => position - last.base.end + last.proposed.end,
                None => position,
            },
        }
    }

    /// Gives the new blocks of the proposal the ids of the same blocks in base. New blocks are those whose id was given
    /// since `first`.
    pub fn adopt_names(&mut self, base: &Document, first: u64) {
        if self.proposed.next_id().0 == first {
            return;
        }
        let new: Vec<usize> =
            (0..self.proposed.blocks().len()).filter(|at| self.proposed.block_ids()[*at].0 >= first).collect();
        if new.is_empty() {
            return;
        }
        let mut known: rustc_hash::FxHashSet<_> = self.proposed.block_ids().iter().copied().collect();
        let mut next = 0;
        for at in new {
            let start = self.proposed.block_start(at);
            while self.hunks.get(next).is_some_and(|hunk| hunk.proposed.end <= start) {
                next += 1;
            }
            if self.hunks.get(next).is_some_and(|hunk| hunk.proposed.start <= start && !hunk.proposed.is_empty()) {
                continue;
            }
            let by = next.checked_sub(1).map_or(0, |last| {
                let last = &self.hunks[last];
                last.base.end as isize - last.proposed.end as isize
            });
            let in_base = shifted(start, by);
            let block = base.block_at(in_base);
            let Some(id) = base.block_ids().get(block).filter(|_| base.block_start(block) == in_base) else { continue };
            if known.insert(*id) {
                self.proposed.rename(at, *id);
            }
            if self.proposed.blocks()[at] == base.blocks()[block] {
                self.proposed.share(at, &base.blocks()[block]);
            }
        }
    }
}

/// The smallest range around another one that begins and ends between children of one node (or in the text of one).
pub fn closed(document: &Document, range: &Range<usize>) -> Range<usize> {
    let first = document.block_at(range.start);
    let start = document.block_start(first);
    let inside = |block: &&Node| range.start > start && range.end < start + block.size();
    if let Some(block) = document.blocks().get(first).filter(inside) {
        let within = closed_inside(block, range.start - start..range.end - start);
        return start + within.start..start + within.end;
    }
    let last = document.block_at(range.end);
    let end = document.block_start(last);
    start..if end == range.end { end } else { document.block_start(last + 1) }
}

/// Returns the smallest closed range inside a node; offsets count from just before it.
fn closed_inside(node: &Node, range: Range<usize>) -> Range<usize> {
    let mut start = 1;
    let (mut from, mut to) = (range.start, range.end);
    for child in node.children() {
        let end = start + child.size();
        if !child.is_text() {
            if range.start > start && range.end < end {
                let inside = closed_inside(child, range.start - start..range.end - start);
                return start + inside.start..start + inside.end;
            }
            if range.start > start && range.start < end {
                from = start;
            }
            if range.end > start && range.end < end {
                to = end;
            }
        }
        start = end;
    }
    from..to
}

/// Returns the node that contains a closed range, and its start; `None` for the document itself.
pub fn parent<'d>(document: &'d Document, range: &Range<usize>) -> (Option<usize>, Option<&'d Node>) {
    document.ancestors(range).pop().map_or((None, None), |(start, node)| (Some(start), Some(node)))
}
