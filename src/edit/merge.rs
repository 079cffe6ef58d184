//! Two people's changes of one document made into one.
//!
//! *Theirs* (the person's, a collaborator's) and *ours* (the agent's) are both stated on the same old document. Theirs
//! are carried over into the document that ours lead to. Where the two overlap, ours stay and the place is a conflict;
//! two insertions at one point are none: theirs stand first.

use super::change::{self, Change};
use super::plan;
use crate::document::{Document, Node, Schema};
use std::ops::Range;

/// A place that both changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// What they made of it: positions in the document after their changes.
    pub base: Range<usize>,
    /// What we made of it: positions in ours.
    pub proposed: Range<usize>,
}

/// What a merge comes to.
pub struct Merged {
    /// Ours with theirs in it.
    pub document: Document,
    /// Their changes as they were made to ours, ascending.
    pub made: Vec<Change>,
    /// For each of those whether it stands before what we did at the same point.
    pub leading: Vec<bool>,
    /// Where they could not be.
    pub conflicts: Vec<Conflict>,
}

/// Brings their changes, which lead to `now`, into `proposed`, to which our changes lead.
///
/// `contested` are places of the old document at which the two are in conflict already: who goes on with a word there
/// goes on with the conflict.
pub fn merge(
    theirs: &[Change],
    now: &Document,
    ours: &[Change],
    mut proposed: Document,
    contested: &[Range<usize>],
) -> Merged {
    // What each of our changes and all before it add.
    let mut added = vec![0_isize];
    for change in ours {
        added.push(added[added.len() - 1] + growth(change));
    }
    let (mut carried, mut conflicts) = (Vec::new(), Vec::new());
    let mut grown = 0;
    for their in theirs {
        let base = shifted(their.from, grown)..shifted(their.from, grown) + their.new_size();
        grown += growth(their);
        let goes_on = |our: &Change| {
            let at_edge = our.from == their.to || our.to == their.from;
            at_edge && is_in_word(their) && contested.iter().any(|place| touch(place, &(our.from..our.to)))
        };
        let mut first = ours.partition_point(|our| our.to <= their.from);
        if first > 0 && goes_on(&ours[first - 1]) {
            first -= 1;
        }
        let meets =
            |our: &&Change| our.from < their.to || their.from == their.to && our.from < their.from || goes_on(our);
        let met = ours[first..].iter().take_while(meets).count();
        if met > 0 {
            let (our_first, our_last) = (&ours[first], &ours[first + met - 1]);
            let from = shifted(their.from.min(our_first.from), added[first]);
            let to = shifted(their.to.max(our_last.to), added[first + met]);
            conflicts.push(Conflict { base, proposed: from..to });
            continue;
        }
        let mut before = first;
        // At one point theirs stand first.
        while their.from == their.to
            && before > 0
            && ours[before - 1].from == their.from
            && ours[before - 1].to == their.from
        {
            before -= 1;
        }
        let (from, to) = (shifted(their.from, added[before]), shifted(their.to, added[before]));
        let leading = ours.get(before).is_some_and(|our| our.from == their.to);
        carried.push((Change { from, to, content: their.content.clone() }, base, leading));
    }
    let (mut made, mut leading) = (Vec::new(), Vec::new());
    for (change, base, leads) in carried.into_iter().rev() {
        match change::blocks_after(&proposed, &change) {
            Ok((range, blocks)) if fits(&proposed, &range, &blocks, now) => {
                proposed.splice(range, blocks);
                made.push(change);
                leading.push(leads);
            }
            // Both may be right by themselves and leave nothing valid together: two items of a list of two, each
            // deleted by one of them.
            _ => conflicts.push(Conflict { base, proposed: change.from..change.to }),
        }
    }
    made.reverse();
    leading.reverse();
    for conflict in &mut conflicts {
        conflict.proposed = map_range(&conflict.proposed, &made, &leading);
    }
    Merged { document: proposed, made, leading, conflicts }
}

/// Whether somebody typed in a word.
fn is_in_word(change: &Change) -> bool {
    let text = |node: &Node| node.text().is_some_and(|text| !text.contains(char::is_whitespace));
    change.content.iter().all(text) && change.new_size() > 0
}

/// Whether blocks may stand in a range of top-level blocks. What the editor itself holds may.
fn fits(document: &Document, range: &Range<usize>, blocks: &[Node], now: &Document) -> bool {
    let schema = document.schema();
    let sound = |block: &Node| checks(schema, block) || now.blocks().contains(block);
    blocks.iter().all(sound) && top_fits(document, range, blocks)
}

/// Whether the document's own node may hold blocks in a range of its blocks.
fn top_fits(document: &Document, range: &Range<usize>, blocks: &[Node]) -> bool {
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

fn checks(schema: &Schema, node: &Node) -> bool {
    schema.check(node).is_ok() && node.children().iter().all(|child| checks(schema, child))
}

/// Where a range is after changes that are stated on the same document. What a change replaces in part is in it
/// whole; what is inserted at its edge is not. An insertion at the very point of an empty range stands behind it, unless it is
/// `leading`.
pub fn map_range(range: &Range<usize>, changes: &[Change], leading: &[bool]) -> Range<usize> {
    let (mut start, mut end) = (range.start, range.end);
    let (mut before, mut inside) = (0, 0);
    for (index, change) in changes.iter().enumerate() {
        let at_point = range.is_empty() && change.from == range.start && change.to == range.start;
        if at_point && !leading.get(index).copied().unwrap_or(false) {
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

/// Whether two ranges overlap or touch.
pub fn touch(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// Whether two ranges have something in common; an empty one has what it stands in or beside.
pub fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    if a.is_empty() || b.is_empty() { touch(a, b) } else { a.start < b.end && b.start < a.end }
}

/// How much wider a change makes a document.
pub fn growth(change: &Change) -> isize {
    change.new_size() as isize - (change.to - change.from) as isize
}

/// A position moved; never below 0.
pub fn shifted(position: usize, by: isize) -> usize {
    position.saturating_add_signed(by)
}

/// The changes from one document to another, character by character: what a person types in a word is no change of
/// the word, so that it meets fewer of another's changes.
pub fn fine(old: &Document, new: &Document) -> Vec<Change> {
    let changes = plan::compare(old, new).changes;
    changes.into_iter().map(|change| narrow(old, change, usize::MAX, usize::MAX)).collect()
}

/// A change without what is the same on both sides at its beginning and its end, of which at most so much is left out.
pub fn narrow(document: &Document, change: Change, mut front: usize, mut back: usize) -> Change {
    let Change { mut from, mut to, content: mut new } = change;
    let mut old = change::content_between(document, from, to);
    while let (Some(a), Some(b)) = (old.first().cloned(), new.first().cloned()) {
        let same = if a == b && a.size() <= front { a.size() } else { common(&a, &b, front, false) };
        if same == 0 {
            break;
        }
        (from, front) = (from + same, front - same);
        cut(&mut old, 0, same..a.size());
        cut(&mut new, 0, same..b.size());
    }
    while let (Some(a), Some(b)) = (old.last().cloned(), new.last().cloned()) {
        let same = if a == b && a.size() <= back { a.size() } else { common(&a, &b, back, true) };
        if same == 0 {
            break;
        }
        (to, back) = (to - same, back - same);
        let (last_old, last_new) = (old.len() - 1, new.len() - 1);
        cut(&mut old, last_old, 0..a.size() - same);
        cut(&mut new, last_new, 0..b.size() - same);
    }
    Change { from, to, content: new }
}

/// How much two texts with the same marks have in common, up to a limit; nothing, where they are anything else.
fn common(a: &Node, b: &Node, limit: usize, at_end: bool) -> usize {
    let (Some(old), Some(new)) = (a.text(), b.text()) else { return 0 };
    if a.mark_set() != b.mark_set() {
        return 0;
    }
    let count = |pairs: &mut dyn Iterator<Item = (char, char)>| {
        let mut size = 0;
        for (sign, _) in pairs.take_while(|(a, b)| a == b) {
            if size + sign.len_utf16() > limit {
                break;
            }
            size += sign.len_utf16();
        }
        size
    };
    match at_end {
        false => count(&mut old.chars().zip(new.chars())),
        true => count(&mut old.chars().rev().zip(new.chars().rev())),
    }
}

/// Leaves a part of one of the nodes; none where nothing is left of it.
fn cut(nodes: &mut Vec<Node>, at: usize, part: Range<usize>) {
    if part.is_empty() {
        nodes.remove(at);
    } else {
        nodes[at] = nodes[at].cut_text(part.start, part.end);
    }
}
