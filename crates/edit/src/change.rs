//! A change: a range of positions and the nodes that take its place.

use crate::Error;
use copydesk_document::{BlockChange, Document, Node, Schema, join_texts, utf16};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Range;

/// The range `from`–`to` becomes `content`. Both ends lie in one parent, so the change is one ProseMirror
/// `ReplaceStep` with a closed slice. Positions are UTF-16 code units in the document before the edit.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The beginning of the range.
    pub from: usize,
    /// The end of the range.
    pub to: usize,
    /// The nodes that replace it, children for the parent of the range.
    pub content: Vec<Node>,
}

impl Change {
    /// Returns the size of the new content.
    pub fn new_size(&self) -> usize {
        self.content.iter().map(Node::size).sum()
    }

    /// Returns the change as JSON: `{from, to, content}`.
    pub fn to_value(&self, document: &Document) -> Value {
        serde_json::to_value(self.to_json(document)).unwrap_or_default()
    }

    /// Reads a change from JSON as [`Self::to_value`] writes it.
    ///
    /// # Errors
    /// [`copydesk_base::Error::InvalidArguments`] for another shape; those of [`Node::from_value`].
    pub fn from_value(schema: &Schema, value: Value) -> Result<Change, Error> {
        let read: ChangeJson = serde_json::from_value(value)
            .map_err(|error| copydesk_base::Error::InvalidArguments { reason: error.to_string() })?;
        let content: Result<Vec<Node>, _> = read.content.iter().map(|node| Node::from_value(schema, node)).collect();
        Ok(Change { from: read.from, to: read.to, content: content? })
    }

    /// Returns the JSON form, to be written with other fields.
    pub fn to_json(&self, document: &Document) -> ChangeJson {
        let content = self.content.iter().map(|node| node.to_value(document.schema())).collect();
        ChangeJson { from: self.from, to: self.to, content }
    }
}

/// The JSON form of a change.
#[derive(Serialize, Deserialize)]
pub struct ChangeJson {
    /// The beginning of the range.
    pub from: usize,
    /// The end of the range.
    pub to: usize,
    /// The nodes that replace it.
    pub content: Vec<Value>,
}

/// A document with changes made. They are given in ascending order and do not overlap.
pub fn replace(document: &Document, changes: &[Change]) -> Result<Document, Error> {
    let mut parts = Vec::new();
    let mut rest = changes;
    while let Some(last) = rest.last() {
        let at = document.block_at(last.from);
        let start = document.block_start(at);
        match document.blocks().get(at).filter(|_| last.from > start) {
            // All changes inside this block, in one pass.
            Some(block) => {
                let inside = rest.partition_point(|change| change.from <= start);
                let mut steps = 0;
                let block = replace_inside(block, start, &rest[inside..], &mut steps)?;
                parts.push(BlockChange { range: at..at + 1, blocks: vec![block], steps });
                rest = &rest[..inside];
            }
            None => {
                let (range, blocks) = blocks_after(document, last)?;
                parts.push(BlockChange { range, blocks, steps: 1 });
                rest = &rest[..rest.len() - 1];
            }
        }
    }
    parts.reverse();
    let mut document = document.clone();
    document.splice_all(parts);
    Ok(document)
}

/// Returns the top-level blocks that a change replaces, and their replacements.
pub fn blocks_after(document: &Document, change: &Change) -> Result<(Range<usize>, Vec<Node>), Error> {
    let first = document.block_at(change.from);
    let start = document.block_start(first);
    if let Some(block) = document.blocks().get(first).filter(|_| change.from > start) {
        let block = replace_inside(block, start, std::slice::from_ref(change), &mut 0)?;
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

/// Returns the number of nodes between two positions of one parent; a text that is cut counts too.
pub fn children_between(document: &Document, range: &Range<usize>) -> usize {
    let first = document.block_at(range.start);
    match document.block_start(first) == range.start {
        true => document.block_at(range.end).saturating_sub(first),
        false => content_between(document, range.start, range.end).len(),
    }
}

/// Returns the content between two offsets, which count from just before the node.
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

/// Applies changes inside a node that starts at `start`, in one pass over its children. Adds the number of changes that
/// alter the content to `steps`.
fn replace_inside(node: &Node, start: usize, changes: &[Change], steps: &mut u64) -> Result<Node, Error> {
    let mut walk = Walk { children: node.children().iter(), cut: None, at: start + 1, out: Vec::new() };
    let mut changes = changes.iter();
    while let Some(change) = changes.as_slice().first() {
        walk.keep_to(change.from);
        match walk.children.as_slice().first() {
            // The change is inside a child, perhaps together with some that follow.
            Some(child) if walk.cut.is_none() && walk.at < change.from => {
                let end = walk.at + child.size();
                let inside = changes.as_slice().partition_point(|other| other.from < end);
                let child = replace_inside(child, walk.at, &changes.as_slice()[..inside], steps)?;
                walk.skip();
                walk.out.push(child);
                changes = changes.as_slice()[inside..].iter();
            }
            _ if walk.at != change.from || change.to < change.from => return Err(misplaced(change)),
            _ => {
                let gone = walk.take_to(change.to).ok_or_else(|| misplaced(change))?;
                *steps += u64::from(gone != join_texts(change.content.clone()));
                walk.out.extend(change.content.iter().cloned());
                changes.next();
            }
        }
    }
    walk.keep_to(usize::MAX);
    Ok(node.with_children(walk.out))
}

/// A cursor over the children of a node that can stop inside text.
struct Walk<'n> {
    children: std::slice::Iter<'n, Node>,
    /// If the cursor is inside a text node: the node, the rest of its text, and the position where that rest starts.
    cut: Option<(&'n Node, &'n str, usize)>,
    /// The current position.
    at: usize,
    /// The children of the result up to here.
    out: Vec<Node>,
}

impl<'n> Walk<'n> {
    /// Copies children up to a position, or to the start of the non-text child that contains it.
    fn keep_to(&mut self, position: usize) {
        while let Some(piece) = self.next(position) {
            self.out.push(piece);
        }
    }

    /// Returns the children up to a position without copying them; `None` if the position is inside a child that is not
    /// text.
    fn take_to(&mut self, position: usize) -> Option<Vec<Node>> {
        let mut gone = Vec::new();
        while let Some(piece) = self.next(position) {
            gone.push(piece);
        }
        (self.at == position).then_some(gone)
    }

    /// Skips the next child.
    fn skip(&mut self) {
        self.at += self.children.next().map_or(0, Node::size);
    }

    /// Returns the next child, or part of a text node, that ends at or before a position.
    fn next(&mut self, position: usize) -> Option<Node> {
        if position <= self.at {
            return None;
        }
        let (node, text, start) = match self.cut.take() {
            Some(cut) => cut,
            None => {
                let node = self.children.as_slice().first()?;
                let (end, text) = (self.at + node.size(), node.text().unwrap_or_default());
                if end > position && text.is_empty() {
                    return None;
                }
                self.children.next();
                if end <= position {
                    self.at = end;
                    return Some(node.clone());
                }
                (node, text, self.at)
            }
        };
        // An offset inside a surrogate pair means the offset before it.
        let (piece, rest) = text.split_at(utf16::byte_offset(text, position - start));
        let end = start + utf16::len(piece);
        self.at = if rest.is_empty() { end } else { position };
        self.cut = Some((node, rest, end)).filter(|_| !rest.is_empty());
        Some(node.with_text(piece))
    }
}

fn misplaced(change: &Change) -> Error {
    Error::Internal { reason: format!("the range {}–{} is not inside one parent", change.from, change.to) }
}
