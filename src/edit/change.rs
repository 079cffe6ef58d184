//! A change: a range of positions and the nodes that take its place.

use crate::document::{Document, Node};
use crate::error::Error;
use serde_json::{Value, json};

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
    /// The change as JSON: `{from, to, content}`.
    pub fn to_value(&self, document: &Document) -> Value {
        let content: Vec<Value> = self.content.iter().map(|node| node.to_value(document.schema())).collect();
        json!({ "from": self.from, "to": self.to, "content": content })
    }
}

/// A document with changes made. They are given in ascending order and do not overlap.
pub fn replace(document: &Document, changes: &[Change]) -> Result<Document, Error> {
    let mut document = document.clone();
    // From the last to the first, so that the positions of those still to come hold.
    for change in changes.iter().rev() {
        document = replace_one(&document, change)?;
    }
    Ok(document)
}

fn replace_one(document: &Document, change: &Change) -> Result<Document, Error> {
    let mut start = 0;
    let mut first = None;
    for (index, block) in document.blocks().iter().enumerate() {
        let end = start + block.size();
        if change.from > start && change.to < end {
            let block = replace_inside(block, change.from - start, change.to - start, change)?;
            return Ok(document.replace_blocks(index..index + 1, vec![block]));
        }
        if first.is_none() && change.from == start {
            first = Some(index);
        }
        if let Some(first) = first
            && change.to == start
        {
            return Ok(document.replace_blocks(first..index, change.content.clone()));
        }
        start = end;
    }
    match first {
        Some(first) if change.to == start => {
            Ok(document.replace_blocks(first..document.blocks().len(), change.content.clone()))
        }
        None if change.from == start && change.to == start => {
            let end = document.blocks().len();
            Ok(document.replace_blocks(end..end, change.content.clone()))
        }
        _ => Err(misplaced(change)),
    }
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
