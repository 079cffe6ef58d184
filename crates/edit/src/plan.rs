//! The smallest changes that turn some blocks into others.
//!
//! Equal nodes stay untouched, so that the editor keeps its nodes, its selection and its decorations there.
//! A difference is narrowed from the outside in: blocks against blocks, a changed block against the one it is
//! most like, the words inside it against its words. **Each change can be made by itself, in any order, and
//! leaves a valid document**: ProseMirror checks every step, so where a parent's content is more than one
//! repeated term (a list item is a paragraph and then blocks), its children change in one piece.

use super::change::Change;
use super::word_diff::{diff_sentence, merge_replaced};
use copydesk_document::align::{Chunk, Relation, align, align_documents};
use copydesk_document::words::{self, InlinePiece};
use copydesk_document::{Document, Node, Schema, join_texts};
use std::ops::Range;

/// A range of top-level blocks and what replaces it.
#[derive(Debug)]
pub struct Replacement {
    /// The blocks that go, by index.
    pub blocks: Range<usize>,
    /// The blocks that come.
    pub with: Vec<Node>,
}

/// The changes that come to a replacement, in ascending order.
pub fn plan(document: &Document, replacement: &Replacement) -> Vec<Change> {
    let (blocks, range) = (document.blocks(), &replacement.blocks);
    let start = document.block_start(range.start);
    let mut plan = Plan { schema: document.schema(), changes: Vec::new() };
    let independent = plan.schema.repeats_one_term(plan.schema.top_type());
    plan.children(&blocks[range.clone()], &replacement.with, start, independent);
    plan.changes
}

/// The comparison of two states of a document.
pub struct Compared {
    /// The changes from its old state to the new one, in ascending order.
    pub changes: Vec<Change>,
    /// The top-level blocks that are equal: the old ones and the new ones.
    pub same: Vec<(Range<usize>, Range<usize>)>,
}

/// Compares two states of one document, in which a block that was changed has kept its id.
pub fn compare(old: &Document, new: &Document) -> Compared {
    let mut plan = Plan { schema: old.schema(), changes: Vec::new() };
    let mut chunks = align_documents(old, new);
    let independent = plan.schema.repeats_one_term(plan.schema.top_type());
    if !independent {
        merge_replaced(&mut chunks);
    }
    for chunk in chunks.iter().filter(|chunk| chunk.relation != Relation::Equal) {
        // The position of a top-level block is known without a walk over those before it.
        plan.chunks(
            old.blocks(),
            new.blocks(),
            old.block_start(chunk.old.start),
            std::slice::from_ref(chunk),
            independent,
        );
    }
    let equal = chunks.into_iter().filter(|chunk| chunk.relation == Relation::Equal);
    Compared { changes: plan.changes, same: equal.map(|chunk| (chunk.old, chunk.new)).collect() }
}

/// The changes from some children of a node, which begin at the position `at`, to others; without a node, of the
/// document.
pub fn between(schema: &Schema, parent: Option<&Node>, old: &[Node], new: &[Node], at: usize) -> Vec<Change> {
    let mut plan = Plan { schema, changes: Vec::new() };
    match parent {
        Some(parent) if schema.is_textblock(parent.kind()) => {
            plan.inline(&parent.with_children(old.to_vec()), &parent.with_children(new.to_vec()), at);
        }
        _ => {
            let independent = schema.repeats_one_term(parent.map_or(schema.top_type(), Node::kind));
            plan.children(old, new, at, independent);
        }
    }
    plan.changes
}

/// Returns whether there are as many old nodes as new ones, and each has the type of its counterpart.
fn are_pairs(old: &[Node], new: &[Node]) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|(old, new)| old.kind() == new.kind())
}

struct Plan<'a> {
    schema: &'a Schema,
    changes: Vec<Change>,
}

impl Plan<'_> {
    /// Children against children. `at` is the position before the first old one.
    fn children(&mut self, old: &[Node], new: &[Node], at: usize, independent: bool) {
        let mut chunks = align(old, new);
        // A parent may take nodes of another type only together with their siblings.
        let is_other = |chunk: &Chunk| old[chunk.old.start].kind() != new[chunk.new.start].kind();
        for chunk in chunks.iter_mut().filter(|chunk| chunk.relation == Relation::Edited && is_other(chunk)) {
            chunk.relation = Relation::Replaced;
        }
        if !independent {
            merge_replaced(&mut chunks);
        }
        self.chunks(old, new, at, &chunks, independent);
    }

    /// Chunks of children. Where these are `independent`, as many replaced by as many of their kinds change one by one.
    fn chunks(&mut self, old: &[Node], new: &[Node], at: usize, chunks: &[Chunk], independent: bool) {
        let mut position = at;
        for chunk in chunks {
            let size: usize = old[chunk.old.clone()].iter().map(Node::size).sum();
            match chunk.relation {
                Relation::Equal => {}
                Relation::Edited => self.node(&old[chunk.old.start], &new[chunk.new.start], position),
                Relation::Replaced if independent && are_pairs(&old[chunk.old.clone()], &new[chunk.new.clone()]) => {
                    let mut from = position;
                    for (old, new) in old[chunk.old.clone()].iter().zip(&new[chunk.new.clone()]) {
                        self.node(old, new, from);
                        from += old.size();
                    }
                }
                Relation::Replaced => self.replace(position, position + size, new[chunk.new.clone()].to_vec()),
            }
            position += size;
        }
    }

    /// A node against the node it becomes. `at` is the position before it.
    fn node(&mut self, old: &Node, new: &Node, at: usize) {
        if !old.same_markup(new) || old.is_leaf() {
            self.replace(at, at + old.size(), vec![new.clone()]);
        } else if self.schema.is_textblock(old.kind()) {
            self.inline(old, new, at + 1);
        } else {
            let independent = self.schema.repeats_one_term(old.kind());
            self.children(old.children(), new.children(), at + 1, independent);
        }
    }

    /// The content of a textblock against the content it gets, word by word. `at` is the position of its start.
    fn inline(&mut self, old: &Node, new: &Node, at: usize) {
        let (old, new) = (words::pieces(old), words::pieces(new));
        let mut position = at;
        for chunk in diff_sentence(&old, &new) {
            let size: usize = old[chunk.old].iter().map(InlinePiece::size).sum();
            if chunk.relation == Relation::Replaced {
                let content = new[chunk.new].iter().map(|piece| piece.to_node(self.schema)).collect();
                self.replace(position, position + size, join_texts(content));
            }
            position += size;
        }
    }

    fn replace(&mut self, from: usize, to: usize, content: Vec<Node>) {
        self.changes.push(Change { from, to, content });
    }
}
