//! Marks that Markdown does not repeat.
//!
//! A model is shown lines without their marks, and writes them like this when it makes a heading of a paragraph or adds
//! a list below it. If the text of a new block is that of an old line, or nearly, [`keep`] puts the old content into
//! it: the unchanged text keeps its marks.

use super::inlines::Inlines;
use super::moved_text::{Carried, NewText, carried};
use super::retext;
use super::rows::pair_moved_texts;
use super::word_diff::are_unlike;
use copydesk_document::{Document, Line, Node, Schema};
use rustc_hash::FxHashSet;

/// Returns blocks that were parsed from Markdown and replace `old` lines, with the marks of the unchanged text. `all`
/// has every line of the blocks that contain the lines. A block with marks of its own, or with more than text, is not
/// changed.
pub fn keep(document: &Document, all: &[Line], old: &[Line], blocks: Vec<Node>) -> Vec<Node> {
    let schema = document.schema();
    let mut texts = Vec::new();
    blocks.iter().for_each(|block| collect(schema, block, &mut texts));
    let Some(first) = old.first() else { return blocks };
    let before = all.partition_point(|line| line.line < first.line);
    let mut inlines = Inlines::new(document, all);
    let inline = |at: usize| match inlines.of(before + at) {
        inline if inline.iter().all(Node::is_text) && !old[at].is_code(schema) => inline.to_vec(),
        _ => Vec::new(),
    };
    let inlines: Vec<Vec<Node>> = (0..old.len()).map(inline).collect();
    let old_texts: Vec<&str> = old.iter().map(|line| line.text.as_str()).collect();
    let new_texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let is_it = |at: usize, own: usize| {
        let (old, new) = (old_texts[at], new_texts[own]);
        !new.is_empty() && (old == new || !are_unlike(old, new))
    };
    // What moved keeps its marks too, such as a row that is sorted.
    let pairs = pair_moved_texts(&old_texts, &new_texts);
    let pairs: Vec<Option<usize>> = (0..texts.len()).map(|own| pairs[own].filter(|at| is_it(*at, own))).collect();
    let stays: FxHashSet<usize> = pairs.iter().flatten().copied().collect();
    let lines: Vec<(&[Node], bool)> =
        inlines.iter().enumerate().map(|(at, inline)| (&inline[..], !stays.contains(&at))).collect();
    let new = pairs.iter().zip(&texts).map(|(own, text)| NewText { own: *own, text: text.clone() }).collect();
    let own = |(at, carried): (usize, Carried)| {
        let has_marks = |inline: &&Vec<Node>| inline.iter().any(|node| !node.marks().is_empty());
        let inline = || pairs[at].map(|own| &inlines[own]).filter(has_marks);
        carried.moved.or_else(|| Some(retext::inline(schema, inline()?, &texts[at])))
    };
    let mut contents = carried(schema, &lines, new, None).into_iter().enumerate().map(own);
    blocks.iter().map(|block| with_contents(schema, block, &mut contents)).collect()
}

/// Returns whether a textblock is plain text.
fn is_plain(schema: &Schema, block: &Node) -> bool {
    let plain = |node: &Node| node.is_text() && node.marks().is_empty();
    !schema.node_type(block.kind()).code && block.children().iter().all(plain)
}

/// Collects the texts of the textblocks, in order; those that are not plain have an empty one.
fn collect(schema: &Schema, node: &Node, texts: &mut Vec<String>) {
    if schema.is_textblock(node.kind()) {
        texts.push(if is_plain(schema, node) { node.text_content() } else { String::new() });
    } else {
        node.children().iter().for_each(|child| collect(schema, child, texts));
    }
}

/// Returns a node with the next content in each of its textblocks, where there is one.
fn with_contents(schema: &Schema, node: &Node, contents: &mut impl Iterator<Item = Option<Vec<Node>>>) -> Node {
    if schema.is_textblock(node.kind()) {
        return contents.next().flatten().map_or_else(|| node.clone(), |content| node.with_children(content));
    }
    let children = node.children().iter().map(|child| with_contents(schema, child, contents));
    node.with_children(children.collect())
}
