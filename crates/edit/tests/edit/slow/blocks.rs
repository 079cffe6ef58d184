//! Several changes of blocks and lines at once: the same as one after the other.

use crate::documents::{block, blocks, document_of, for_seeds};
use crate::random::Random;
use copydesk_document::{BlockId, Document, Line, Node, Style, line_text_in};
use copydesk_edit::{Change, change};
use serde_json::Value;

/// Returns the positions and line numbers at which blocks begin.
fn places(document: &Document) -> Vec<(usize, usize)> {
    (0..=document.blocks().len()).map(|at| (document.block_start(at), document.line_numbers_of(at).start)).collect()
}

/// Checks that changes made at once have the same result as those made one by one, and that what moved is the same
/// block.
fn check(before: &Document, fast: &Document, slow: &Document) {
    let is_new = |id: &&BlockId| before.is_older_than(**id);
    assert_eq!(state_of(before, fast, false), state_of(before, slow, true), "{before:?}");
    assert_eq!(places(fast), places(slow));
    let new: Vec<BlockId> = fast.block_ids().iter().filter(is_new).copied().collect();
    let given = before.next_id().0..fast.next_id().0;
    assert_eq!((new.len(), new.iter().all(|id| given.contains(&id.0))), (given.count(), true), "none is given twice");
}

/// Returns the content, the ids that were there before, the version, and the number of new blocks. In a document that
/// was changed step by step (`slow`) the blocks that moved are searched: a block that equals one that no longer exists
/// is that block, and one that only resembles it is new.
fn state_of(before: &Document, now: &Document, slow: bool) -> (String, Vec<Option<BlockId>>, String, usize) {
    let known = |id: &BlockId| before.block_with_id(*id);
    let mut ids: Vec<Option<BlockId>> = now.block_ids().iter().map(|id| known(id).map(|_| *id)).collect();
    let is_equal = |id: &Option<BlockId>, at: usize| {
        id.and_then(|id| known(&id)).is_some_and(|old| before.blocks()[old] == now.blocks()[at])
    };
    let equal: Vec<bool> = ids.iter().enumerate().map(|(at, id)| is_equal(id, at)).collect();
    let unmoved: Vec<Option<BlockId>> =
        ids.iter().zip(&equal).filter(|(_, equal)| **equal).map(|(id, _)| *id).collect();
    let mut left: Vec<usize> =
        (0..before.blocks().len()).filter(|at| slow && !unmoved.contains(&Some(before.block_ids()[*at]))).collect();
    for at in (0..ids.len()).filter(|at| !equal[*at]) {
        let Some(found) = left.iter().position(|old| before.blocks()[*old] == now.blocks()[at]) else { continue };
        let id = Some(before.block_ids()[left.remove(found)]);
        ids.iter_mut().filter(|other| **other == id).for_each(|other| *other = None);
        ids[at] = id;
    }
    let new = ids.iter().filter(|id| id.is_none()).count();
    (now.to_json(), ids, now.version(), new)
}

/// A change of a few children somewhere in a document, behind `from`; some change nothing.
fn some_change(random: &mut Random, document: &Document, from: usize) -> Option<Change> {
    let at = random.below(document.blocks().len() + 1);
    let start = document.block_start(at);
    let change = match document.blocks().get(at) {
        Some(block) if random.below(4) > 0 => inside(random, document, block, start)?,
        _ => {
            let to = document.block_start(at + random.below(2));
            let content = document_of(&blocks(random, 1, 3)).blocks()[1..].to_vec();
            Change { from: start, to, content }
        }
    };
    (change.from >= from).then_some(change)
}

/// Returns the offsets at which the content of a textblock may be cut.
fn places_in(textblock: &Node) -> Vec<usize> {
    let (mut places, mut at) = (vec![0], 0);
    for child in textblock.children() {
        let widths = child.text().map_or(vec![child.size()], |text| text.chars().map(char::len_utf16).collect());
        for width in widths {
            at += width;
            places.push(at);
        }
    }
    places
}

/// The same inside a node that begins at `start`.
fn inside(random: &mut Random, document: &Document, node: &Node, start: usize) -> Option<Change> {
    let children = node.children();
    if let Some(child) = children.get(random.below(children.len().max(1))).filter(|child| !child.children().is_empty())
        && random.below(3) > 0
    {
        let before: usize = children.iter().take_while(|other| !other.ptr_eq(child)).map(Node::size).sum();
        return inside(random, document, child, start + 1 + before);
    }
    if document.schema().is_textblock(node.kind()) {
        let places = places_in(node);
        let (a, b) = (*random.pick(&places), *random.pick(&places));
        let (from, to) = (start + 1 + a.min(b), start + 1 + a.max(b));
        let content = match random.below(3) {
            0 => Vec::new(),
            1 => change::content_between(document, from, to),
            _ => vec![Node::text_node(document.schema(), "new", Default::default())],
        };
        return Some(Change { from, to, content });
    }
    let first = random.below(children.len() + 1);
    let last = (first + random.below(2)).min(children.len());
    let width = |nodes: &[Node]| nodes.iter().map(Node::size).sum::<usize>();
    let from = start + 1 + width(&children[..first]);
    let content = children.iter().filter(|_| random.below(3) == 0).cloned().collect();
    Some(Change { from, to: from + width(&children[first..last]), content }).filter(|_| !node.is_leaf())
}

#[test]
fn changes_made_in_one_walk_are_changes_made_one_by_one() {
    for_seeds(2000, |random| {
        let document = document_of(&blocks(random, 1, 6));
        let mut changes: Vec<Change> = Vec::new();
        for _ in 0..random.below(12) {
            let from = changes.last().map_or(0, |last| last.to);
            changes.extend(some_change(random, &document, from));
        }
        let mut slow = document.clone();
        for change in changes.iter().rev() {
            let (range, blocks) = change::blocks_after(&slow, change).unwrap();
            slow.splice(range, blocks);
        }
        let fast = change::replace(&document, &changes).unwrap();
        check(&document, &fast, &slow);
    });
}

#[test]
fn a_change_that_is_not_inside_one_parent_is_refused_among_others() {
    let document = Document::from_html("<ul><li>one</li><li>two</li></ul><p>three</p>").unwrap();
    let sound = Change { from: 3, to: 4, content: Vec::new() };
    for (from, to) in [(4, 12), (5, 7), (12, 18), (17, 90), (4, 3)] {
        let wrong = Change { from, to, content: Vec::new() };
        assert!(change::replace(&document, &[sound.clone(), wrong.clone()]).is_err(), "{from}–{to}");
        assert!(change::replace(&document, &[wrong]).is_err(), "{from}–{to}");
    }
}

#[test]
fn stretches_synced_at_once_are_stretches_synced_one_by_one() {
    for_seeds(500, |random| {
        let before = document_of(&blocks(random, 1, 12));
        let (mut slow, mut fast) = (before.clone(), before.clone());
        let (mut stretches, mut came, mut at) = (Vec::new(), Vec::<Value>::new(), 0);
        while at <= slow.blocks().len() {
            let removed = random.below(3).min(slow.blocks().len() - at);
            let added: Vec<Value> = (0..random.below(3)).map(|_| block(random, 0)).collect();
            stretches.push([at, removed, added.len()]);
            came.extend(added);
            at += removed + random.below(4);
            if random.below(6) == 0 {
                break;
            }
        }
        let mut rest = came.clone();
        for [from, removed, added] in stretches.iter().rev() {
            let own = rest.split_off(rest.len() - added);
            slow.sync(*from, *removed, &Value::from(own).to_string()).unwrap();
        }
        fast.sync_stretches(&stretches, &Value::from(came).to_string()).unwrap();
        check(&before, &fast, &slow);
    });
}

#[test]
fn lines_of_several_ranges_are_those_of_each() {
    for_seeds(500, |random| {
        let document = document_of(&blocks(random, 1, 8));
        let total = document.line_count();
        let range = |random: &mut Random| random.below(total + 3)..=random.below(total + 3);
        let ranges: Vec<_> = (0..random.below(5)).map(|_| range(random)).collect();
        let lines = document.lines_at(ranges.iter().cloned());
        for range in &ranges {
            let expected = document.lines_between(*range.start(), *range.end());
            if range.start() <= range.end() && *range.start() > 0 {
                assert_eq!(lines.between(*range.start(), *range.end()), expected, "{range:?} of {ranges:?}");
            }
        }
        assert!(lines.0.is_sorted_by(|a, b| a.line < b.line));
    });
}

/// The prefix of a line that is shown alone.
fn shown_before(document: &Document, line: &Line) -> String {
    let shown = document.numbered(Some(line.line), Some(line.line), Style::Structure).unwrap();
    let start = format!("\n{}: ", line.line);
    let row = shown.split_once(&start).unwrap().1.strip_suffix("\n```").unwrap_or(shown.split_once(&start).unwrap().1);
    let mut text = String::new();
    document.each_line_between(line.line, line.line, &mut |line| {
        text = line_text_in(document.schema(), line, Style::Structure).into_owned();
    });
    row.strip_suffix(&text).unwrap().to_owned()
}

#[test]
fn the_signs_of_all_lines_of_a_block_are_those_of_each_line_alone() {
    for_seeds(500, |random| {
        let document = document_of(&blocks(random, 1, 6));
        for at in 0..document.blocks().len() {
            let lines = document.lines_of_blocks(at..at + 1);
            let expected: Vec<String> = lines.iter().map(|line| shown_before(&document, line)).collect();
            let prefixes: Vec<String> = document.prefixes(at).iter().map(ToString::to_string).collect();
            assert_eq!(prefixes, expected);
        }
    });
}

#[test]
fn changes_that_overlap_or_end_before_they_begin_are_refused() {
    for_seeds(500, |random| {
        let document = document_of(&[serde_json::json!({
            "type": *random.pick(&["paragraph", "codeBlock"]),
            "content": [{ "type": "text", "text": "a text of some words" }],
        })]);
        let end = document.size() - 1;
        let from = 1 + random.below(end - 3);
        let to = from + 2 + random.below(end - from - 2);
        let inside = from + 1 + random.below(to - from - 1);
        let change = |from: usize, to: usize| Change { from, to, content: Vec::new() };
        let overlapping = [change(from, to), change(inside, to + random.below(end - to + 1))];
        assert!(change::replace(&document, &overlapping[..1]).is_ok());
        assert!(change::replace(&document, &overlapping).is_err(), "{overlapping:?}");
        assert!(change::replace(&document, &[change(to, from)]).is_err(), "{to} to {from}");
    });
}
