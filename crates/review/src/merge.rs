//! Merges the user's changes of base into the proposal.
//!
//! A change of the user outside of the hunks is made in the proposal as well, also if it changes the structure of the
//! document. A hunk whose own range was changed becomes a conflict: base has the user's version there, the proposal the
//! agent's. So does a range in which the proposal cannot follow because the result would be invalid. All other hunks
//! only move.

use super::pending::{Numbers, Pending, PendingHunk, SEVERAL, UNNAMED, add_makers, overlap, shifted, shifted_range};
use copydesk_document::{Document, Node, Schema};
use copydesk_edit::change::{self, Change};
use copydesk_edit::tokens::{New, Splice, diff, spliced};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::ops::Range;

/// Top-level blocks of base that the user changed.
pub struct Changed {
    /// The position at which they began.
    pub from: usize,
    /// The old blocks.
    pub old: Vec<Node>,
    /// The indexes of the current blocks.
    pub now: Range<usize>,
}

/// Splices that are only right together: one opens what another closes.
struct Group(Vec<Splice>);

impl Group {
    fn range(&self) -> Range<usize> {
        match (self.0.first(), self.0.last()) {
            (Some(first), Some(last)) => first.from..last.to,
            _ => 0..0,
        }
    }

    fn growth(&self) -> isize {
        self.0.iter().map(Splice::growth).sum()
    }
}

/// Hunks and groups that become one conflict.
struct Clash {
    hunks: Range<usize>,
    groups: Range<usize>,
}

impl Pending {
    /// Merges changes that the user has made to base into the proposal. Returns whether hunks were added, removed or
    /// changed rather than moved.
    pub fn follow(&mut self, base: &Document, changed: &[Changed], numbers: &mut Numbers) -> bool {
        self.proposed.name_after(base);
        let first_new = self.proposed.next_id().0;
        let mut groups = Vec::new();
        let mut is_inside = false;
        for changed in changed {
            is_inside |= self.collect(base, changed, &mut groups);
        }
        let mut clashes = self.clashes(&groups);
        let is_applied = self.apply(base, &groups, &mut clashes);
        // A turn would be undone with what the user wrote there.
        self.log.take_if(|_| !clashes.is_empty());
        let clashing = clashes.iter().flat_map(|clash| &self.hunks[clash.hunks.clone()]);
        let links: FxHashSet<u64> = clashing.flat_map(|hunk| &hunk.links).copied().collect();
        let conflicts = self.moved(&groups, &is_applied, &clashes);
        let mut is_other = !conflicts.is_empty();
        let mut done = usize::MAX;
        for found in conflicts.into_iter().rev() {
            // One that is behind the last may have been taken in by it.
            if found < done {
                done = self.close(base, found);
            }
        }
        if is_other {
            let is_void: Vec<bool> = self.hunks.iter().map(|hunk| hunk.conflict && self.is_void(base, hunk)).collect();
            let mut is_void = is_void.into_iter();
            self.hunks.retain(|_| !is_void.next().unwrap_or(false));
            // Where the user removed or moved text that an edit moves, its insertion is a conflict as well.
            let is_linked = |hunk: &PendingHunk| hunk.links.iter().any(|link| links.contains(link));
            self.hunks.iter_mut().for_each(|hunk| hunk.conflict |= is_linked(hunk));
        }
        is_other |= self.separate(base, changed, is_inside, is_other);
        self.name(numbers);
        self.adopt_names(base, first_new);
        is_other
    }

    /// Adds the splices of some changed blocks. Returns whether there are hunks in them.
    fn collect(&self, base: &Document, changed: &Changed, groups: &mut Vec<Group>) -> bool {
        let new = &base.blocks()[changed.now.clone()];
        if changed.old == new {
            return false;
        }
        let to = changed.from + changed.old.iter().map(Node::size).sum::<usize>();
        let first = self.hunks.partition_point(|hunk| hunk.base.end <= changed.from);
        let is_inside = self.hunks.get(first).is_some_and(|hunk| hunk.base.start < to);
        if !is_inside {
            let content = new.to_vec();
            groups.push(Group(vec![Splice::of(Change { from: changed.from, to, content })]));
            return false;
        }
        let (mut group, mut depth) = (Vec::new(), 0);
        for splice in diff(base.schema(), &changed.old, new, changed.from) {
            depth += splice.depth;
            group.push(splice);
            if depth == 0 {
                groups.push(Group(std::mem::take(&mut group)));
            }
        }
        true
    }

    /// Returns the hunks that were changed, with the groups that changed them.
    fn clashes(&self, groups: &[Group]) -> Vec<Clash> {
        let mut clashes: Vec<Clash> = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            if clashes.last().is_some_and(|last| last.groups.end > at) {
                continue;
            }
            let met = group.0.iter().flat_map(|splice| {
                let first = self.hunks.partition_point(|hunk| hunk.base.end < splice.from);
                let near = self.hunks[first..].iter().take_while(|hunk| hunk.base.start <= splice.to).enumerate();
                near.filter(|(_, hunk)| side(splice, hunk) == Ordering::Equal).map(move |(at, _)| first + at)
            });
            let Some((first, last)) = met.fold(None, |ends: Option<(usize, usize)>, at| {
                Some(ends.map_or((at, at), |(first, last)| (first.min(at), last.max(at))))
            }) else {
                continue;
            };
            self.add_clash(Clash { hunks: first..last + 1, groups: at..at + 1 }, groups, &mut clashes);
        }
        clashes
    }

    /// Adds a clash with all that overlaps it, other clashes included.
    fn add_clash(&self, mut clash: Clash, groups: &[Group], clashes: &mut Vec<Clash>) {
        self.widen(&mut clash, groups);
        while let Some(at) = clashes
            .iter()
            .position(|other| overlap(&other.hunks, &clash.hunks) || overlap(&other.groups, &clash.groups))
        {
            let other = clashes.remove(at);
            clash.hunks = other.hunks.start.min(clash.hunks.start)..other.hunks.end.max(clash.hunks.end);
            clash.groups = other.groups.start.min(clash.groups.start)..other.groups.end.max(clash.groups.end);
            self.widen(&mut clash, groups);
        }
        let at = clashes.partition_point(|other| other.groups.start < clash.groups.start);
        clashes.insert(at, clash);
    }

    /// Returns the range of a clash in the old base.
    fn extent(&self, clash: &Clash, groups: &[Group]) -> Range<usize> {
        let hunks = self.hunks[clash.hunks.clone()].iter().map(|hunk| hunk.base.clone());
        let ranges = hunks.chain(groups[clash.groups.clone()].iter().map(Group::range));
        ranges.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..0)
    }

    /// Takes what overlaps a clash into it.
    fn widen(&self, clash: &mut Clash, groups: &[Group]) {
        loop {
            let Range { start, end } = self.extent(clash, groups);
            let before = (clash.hunks.clone(), clash.groups.clone());
            let Clash { hunks, groups: own } = clash;
            while hunks.start > 0 && self.hunks[hunks.start - 1].base.end > start {
                hunks.start -= 1;
            }
            while self.hunks.get(hunks.end).is_some_and(|hunk| hunk.base.start < end) {
                hunks.end += 1;
            }
            while own.start > 0 && groups[own.start - 1].range().end > start {
                own.start -= 1;
            }
            while groups.get(own.end).is_some_and(|group| group.range().start < end) {
                own.end += 1;
            }
            if before == (clash.hunks.clone(), clash.groups.clone()) {
                return;
            }
        }
    }

    /// Makes the groups that are in no clash in the proposal. A group whose result would be invalid becomes a clash
    /// with the nearest hunk. Returns for each group whether it was made.
    fn apply(&mut self, base: &Document, groups: &[Group], clashes: &mut Vec<Clash>) -> Vec<bool> {
        let growths = self.growths();
        let before = |splice: &Splice| self.hunks.partition_point(|hunk| side(splice, hunk) == Ordering::Greater);
        let places: Vec<Vec<usize>> = groups.iter().map(|group| group.0.iter().map(before).collect()).collect();
        loop {
            let mut is_made = vec![true; groups.len()];
            clashes.iter().for_each(|clash| is_made[clash.groups.clone()].fill(false));
            let mut proposed = self.proposed.clone();
            // From the last to the first, so that the positions of those still to come hold.
            let failed = (0..groups.len()).rev().filter(|at| is_made[*at]).find(|at| {
                let placed = groups[*at].0.iter().zip(&places[*at]);
                let splices: Vec<(usize, &Splice)> =
                    placed.map(|(splice, before)| (shifted(splice.from, growths[*before]), splice)).collect();
                match blocks_after(&proposed, &splices) {
                    Some((range, blocks)) if fits(&proposed, &range, &blocks, base) => {
                        proposed.splice(range, blocks);
                        false
                    }
                    _ => true,
                }
            });
            let Some(failed) = failed else {
                self.proposed = proposed;
                return is_made;
            };
            let nearest = self.nearest(&groups[failed].range());
            self.add_clash(Clash { hunks: nearest..nearest + 1, groups: failed..failed + 1 }, groups, clashes);
        }
    }

    /// Returns the index of the hunk that is nearest to a range of base. There is at least one hunk.
    fn nearest(&self, range: &Range<usize>) -> usize {
        let distance = |hunk: &PendingHunk| {
            hunk.base.start.saturating_sub(range.end).max(range.start.saturating_sub(hunk.base.end))
        };
        (0..self.hunks.len()).min_by_key(|at| distance(&self.hunks[*at])).unwrap_or(0)
    }

    /// Moves the hunks to where they are after the groups, and puts one in the place of each clash. Returns where these
    /// are.
    fn moved(&mut self, groups: &[Group], is_made: &[bool], clashes: &[Clash]) -> Vec<usize> {
        let mut conflicts: Vec<PendingHunk> = Vec::new();
        if !clashes.is_empty() {
            let growths = self.growths();
            conflicts = clashes.iter().map(|clash| self.conflict(clash, groups, &growths)).collect();
        }
        let mut splices =
            groups.iter().enumerate().flat_map(|(at, group)| group.0.iter().map(move |splice| (at, splice)));
        let mut next = splices.next();
        // The growth of each document by the splices before the current place.
        let (mut in_base, mut in_proposed) = (0, 0);
        let mut pass = |is_before: &dyn Fn(usize, &Splice) -> bool| {
            while let Some((group, splice)) = next.filter(|(group, splice)| is_before(*group, splice)) {
                in_base += splice.growth();
                in_proposed += if is_made[group] { splice.growth() } else { 0 };
                next = splices.next();
            }
            (in_base, in_proposed)
        };
        let (mut hunks, mut found) = (Vec::with_capacity(self.hunks.len()), Vec::new());
        let mut clashing = clashes.iter().zip(conflicts).peekable();
        let mut left = std::mem::take(&mut self.hunks).into_iter().enumerate().peekable();
        loop {
            let at = left.peek().map(|(at, _)| *at);
            let is_here = |(clash, _): &(&Clash, PendingHunk)| at.is_none_or(|at| clash.hunks.start == at);
            if let Some((clash, mut conflict)) = clashing.next_if(is_here) {
                let (base, proposed) = pass(&|group, _| group < clash.groups.start);
                conflict.base = shifted_range(&conflict.base, base);
                conflict.proposed = shifted_range(&conflict.proposed, proposed);
                conflict.base.end =
                    shifted(conflict.base.end, groups[clash.groups.clone()].iter().map(Group::growth).sum());
                found.push(hunks.len());
                hunks.push(conflict);
                pass(&|group, _| group < clash.groups.end);
                while left.next_if(|(at, _)| *at < clash.hunks.end).is_some() {}
                continue;
            }
            let Some((_, mut hunk)) = left.next() else { break };
            // Text that the user wrote where a conflict begins is part of it, behind the hunks before it.
            let later = clashing.peek().map_or(usize::MAX, |(clash, _)| clash.groups.start);
            let (base, proposed) = pass(&|group, splice| group < later && side(splice, &hunk) == Ordering::Less);
            hunk.base = shifted_range(&hunk.base, base);
            hunk.proposed = shifted_range(&hunk.proposed, proposed);
            hunks.push(hunk);
        }
        self.hunks = hunks;
        found
    }

    /// Returns the hunk for a clash, at its place in the old documents.
    fn conflict(&self, clash: &Clash, groups: &[Group], growths: &[isize]) -> PendingHunk {
        let extent = self.extent(clash, groups);
        let hunks = &self.hunks[clash.hunks.clone()];
        let mut makers = Vec::new();
        hunks.iter().for_each(|hunk| add_makers(&mut makers, &hunk.makers));
        let links = hunks.iter().flat_map(|hunk| hunk.links.iter().copied()).collect();
        let (start, end) = (growths[clash.hunks.start], growths[clash.hunks.end]);
        PendingHunk {
            id: hunks.iter().map(|hunk| hunk.id).reduce(|_, _| SEVERAL).unwrap_or(UNNAMED),
            proposed: shifted(extent.start, start)..shifted(extent.end, end),
            base: extent,
            makers,
            links,
            conflict: true,
        }
    }

    /// Joins the hunks that are only right together since base has changed.
    fn separate(&mut self, base: &Document, changed: &[Changed], is_inside: bool, is_other: bool) -> bool {
        let schema = base.schema();
        let fewer = changed.iter().any(|changed| changed.now.len() < changed.old.len());
        // Hunks that became conflicts reach further than before.
        let all = fewer || is_other || is_inside && !schema.repeats_one_term(schema.top_type());
        if !all && !is_inside {
            return false;
        }
        let mut any = false;
        for changed in changed.iter().rev().filter(|_| !all) {
            let (from, to) = (base.block_start(changed.now.start), base.block_start(changed.now.end));
            let first = self.hunks.partition_point(|hunk| hunk.base.end <= from);
            let count = self.hunks[first..].partition_point(|hunk| hunk.base.start < to);
            any |= self.join_dependent(base, first..first + count, false);
        }
        any || all && self.join_dependent(base, 0..0, true)
    }
}

/// Compares a splice with a hunk: before it (`Less`), behind it, or in it. At the same position, the user's text comes
/// first; but an opening of a node there comes behind the hunk, which stays in its parent.
fn side(splice: &Splice, hunk: &PendingHunk) -> Ordering {
    let (base, is_insertion) = (&hunk.base, splice.from == splice.to);
    // Typing that continues a word of a conflict belongs to the conflict.
    if hunk.conflict && (splice.from == base.end || splice.to == base.start) && is_in_word(splice) {
        return Ordering::Equal;
    }
    let opens = is_insertion && splice.depth > 0 && base.is_empty() && base.start == splice.from;
    if splice.to <= base.start && !opens {
        Ordering::Less
    } else if splice.from >= base.end {
        Ordering::Greater
    } else {
        Ordering::Equal
    }
}

/// Returns whether somebody typed in a word.
fn is_in_word(splice: &Splice) -> bool {
    let text = |node: &Node| node.text().is_some_and(|text| !text.contains(char::is_whitespace));
    matches!(&splice.new, New::Nodes(nodes) if !nodes.is_empty() && nodes.iter().all(text))
}

/// Returns the top-level blocks that splices replace, and their new content; `None` if the result is not whole nodes.
fn blocks_after(document: &Document, splices: &[(usize, &Splice)]) -> Option<(Range<usize>, Vec<Node>)> {
    if let [(from, Splice { from: old, to, new: New::Nodes(nodes), .. })] = splices {
        let change = Change { from: *from, to: from + to - old, content: nodes.clone() };
        return change::blocks_after(document, &change).ok();
    }
    let ((from, _), (last, splice)) = (splices.first()?, splices.last()?);
    let to = last + splice.to - splice.from;
    let first = document.block_at(*from);
    let end = document.block_at(to);
    let end = if document.block_start(end) < to { end + 1 } else { end };
    let range = first..end.max(first).min(document.blocks().len());
    let blocks = document.blocks().get(range.clone())?;
    Some((range, spliced(document.schema(), blocks, document.block_start(first), splices)?))
}

/// Returns whether blocks are allowed in a range of top-level blocks. Blocks of the editor's own document are.
fn fits(document: &Document, range: &Range<usize>, blocks: &[Node], now: &Document) -> bool {
    let schema = document.schema();
    let sound = |block: &Node| checks(schema, block) || now.blocks().contains(block);
    blocks.iter().all(sound) && top_fits(document, range, blocks)
}

/// Returns whether the document's own node may hold blocks in a range of its blocks.
pub fn top_fits(document: &Document, range: &Range<usize>, blocks: &[Node]) -> bool {
    let (schema, top) = (document.schema(), document.schema().top_type());
    let old = &document.blocks()[range.clone()];
    if old.iter().map(Node::kind).eq(blocks.iter().map(Node::kind)) {
        return true;
    }
    let start = schema.node_type(top).content_match;
    if schema.repeats_one_term(top) {
        let left = document.blocks().len() - old.len() + blocks.len();
        return blocks.iter().all(|block| schema.match_type(start, block.kind()).is_some())
            && (left > 0 || schema.valid_end(start));
    }
    let (before, after) = (&document.blocks()[..range.start], &document.blocks()[range.end..]);
    let kinds = before.iter().chain(blocks).chain(after).map(Node::kind);
    schema.match_types(start, kinds).is_some_and(|end| schema.valid_end(end))
}

/// Returns whether the schema allows a node and all nodes in it.
pub fn checks(schema: &Schema, node: &Node) -> bool {
    schema.check(node).is_ok() && node.children().iter().all(|child| checks(schema, child))
}

/// Returns a range after changes that are stated on the same document. A partly included replacement is included whole;
/// an insertion at an edge is not included. An insertion at the position of an empty range is behind it.
pub fn map_range(range: &Range<usize>, changes: &[Change]) -> Range<usize> {
    let (mut start, mut end) = (range.start, range.end);
    let (mut before, mut inside) = (0, 0);
    for change in changes {
        let at_point = range.is_empty() && change.from == range.start && change.to == range.start;
        if at_point {
            break;
        } else if change.to <= range.start {
            before += growth(change);
        } else if change.from >= range.end {
            break;
        } else {
            start = start.min(change.from);
            end = end.max(change.to);
            inside += growth(change);
        }
    }
    shifted(start, before)..shifted(end, before + inside)
}

/// Returns the number of positions by which a change makes a document larger.
pub fn growth(change: &Change) -> isize {
    change.new_size() as isize - (change.to - change.from) as isize
}
