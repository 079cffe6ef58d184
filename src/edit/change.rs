//! A change: a range of positions and the nodes that take its place.

use crate::document::{Document, Node};
use crate::error::Error;
use crate::fields::form;
use serde_json::Value;
use std::ops::Range;

/// The range `from`–`to` becomes `content`. Both ends lie in one parent, so the change is one ProseMirror
/// `ReplaceStep` with a closed slice. Positions are UTF-16 code units in the document before the edit.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Where the range begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What takes its place: children for the parent of the range.
    pub content: Vec<Node>,
}

impl Change {
    /// The width of what comes.
    pub fn new_size(&self) -> usize {
        self.content.iter().map(Node::size).sum()
    }

    /// The change as JSON: `{from, to, content}`.
    pub fn to_value(&self, document: &Document) -> Value {
        let content: Vec<Value> = self.content.iter().map(|node| node.to_value(document.schema())).collect();
        form("from to content", [self.from.into(), self.to.into(), content.into()])
    }
}

/// A document with changes made. They are given in ascending order and do not overlap.
pub fn replace(document: &Document, changes: &[Change]) -> Result<Document, Error> {
    let mut document = document.clone();
    // From the last to the first, so that the positions of those still to come hold.
    for change in changes.iter().rev() {
        let (range, blocks) = blocks_after(&document, change)?;
        document.splice(range, blocks);
    }
    Ok(document)
}

/// Which top-level blocks a change replaces, and by which.
pub fn blocks_after(document: &Document, change: &Change) -> Result<(Range<usize>, Vec<Node>), Error> {
    let first = document.block_at(change.from);
    let start = document.block_start(first);
    if let Some(block) = document.blocks().get(first).filter(|_| change.from > start) {
        if change.to >= start + block.size() {
            return Err(misplaced(change));
        }
        let block = replace_inside(block, change.from - start, change.to.wrapping_sub(start), change)?;
        return Ok((first..first + 1, vec![block]));
    }
    let last = document.block_at(change.to);
    if change.from != start || change.to < start || change.to != document.block_start(last) {
        return Err(misplaced(change));
    }
    Ok((first..last, change.content.clone()))
}

/// The nodes between two positions of one parent; texts are cut.
pub fn content_between(document: &Document, from: usize, to: usize) -> Vec<Node> {
    if from >= to {
        return Vec::new();
    }
    let first = document.block_at(from);
    let start = document.block_start(first);
    match document.blocks().get(first) {
        Some(block) if from > start => content_inside(block, from - start, to - start),
        _ => document.blocks()[first..document.block_at(to).max(first)].to_vec(),
    }
}

/// How many nodes lie between two positions of one parent; texts that are cut count too.
pub fn children_between(document: &Document, range: &Range<usize>) -> usize {
    let first = document.block_at(range.start);
    match document.block_start(first) == range.start {
        true => document.block_at(range.end).saturating_sub(first),
        false => content_between(document, range.start, range.end).len(),
    }
}

/// The same inside a node; the offsets count from just before it.
fn content_inside(node: &Node, from: usize, to: usize) -> Vec<Node> {
    let mut start = 1;
    let mut found = Vec::new();
    for child in node.children() {
        let end = start + child.size();
        if !child.is_text() && from > start && to < end {
            return content_inside(child, from - start, to - start);
        }
        if end > from && start < to {
            found.push(match child.is_text() {
                true => child.cut_text(from.saturating_sub(start), to.min(end) - start),
                false => child.clone(),
            });
        }
        start = end;
    }
    found
}

/// A node with the change made inside it; the offsets count from just before the node.
fn replace_inside(node: &Node, from: usize, to: usize, change: &Change) -> Result<Node, Error> {
    let (mut kept, mut after) = (Vec::new(), Vec::new());
    let mut start = 1;
    let mut covered = start;
    for (index, child) in node.children().iter().enumerate() {
        let end = start + child.size();
        if !child.is_text() && from > start && to < end {
            let mut children = node.children().to_vec();
            children[index] = replace_inside(child, from - start, to - start, change)?;
            return Ok(node.with_children(children));
        }
        if end <= from {
            kept.push(child.clone());
        } else if start >= to {
            after.push(child.clone());
        } else if child.is_text() {
            if start < from {
                kept.push(child.cut_text(0, from - start));
            }
            if end > to {
                after.push(child.cut_text(to - start, end - start));
            }
        } else if start < from || end > to {
            return Err(misplaced(change));
        }
        start = end;
        covered = end;
    }
    if from < 1 || to > covered || from > to {
        return Err(misplaced(change));
    }
    kept.extend(change.content.iter().cloned());
    kept.extend(after);
    Ok(node.with_children(kept))
}

fn misplaced(change: &Change) -> Error {
    Error::Internal { reason: format!("the range {}–{} is not inside one parent", change.from, change.to) }
}
