//! A textblock with another text, and as many of its marks as the new text has a place for.

use super::align::{Stretch, align_pieces};
use super::words;
use crate::document::{Marks, Node, Schema, join_texts};

/// `block` with `text`. What stays keeps its marks; what takes the place of other text takes that text's marks; what
/// is merely added takes those of its left neighbour, but a link does not grow.
pub fn with_text(schema: &Schema, block: &Node, text: &str) -> Node {
    let pieces: Vec<Node> = words::pieces(schema, block);
    let plain = |piece: &Node| match piece.text() {
        Some(_) => piece.with_marks(Marks::default()),
        None => piece.clone(),
    };
    let old: Vec<Node> = pieces.iter().map(plain).collect();
    let new: Vec<Node> = words::split(text).map(|word| Node::text_node(schema, word, Marks::default())).collect();
    let mut content = Vec::new();
    for (stretch, old_range, new_range) in align_pieces(&old, &new) {
        if let Stretch::Equal = stretch {
            content.extend_from_slice(&pieces[old_range]);
            continue;
        }
        let marks = match pieces.get(old_range.start).filter(|_| !old_range.is_empty()) {
            Some(replaced) => replaced.mark_set().clone(),
            None => content.last().map(|left: &Node| without_links(schema, left)).unwrap_or_default(),
        };
        content.extend(new[new_range].iter().map(|piece| piece.with_marks(marks.clone())));
    }
    block.with_children(join_texts(content))
}

fn without_links(schema: &Schema, node: &Node) -> Marks {
    let is_link = |kind| schema.mark(kind).is_some_and(|mark| mark.name == "link" || !mark.inclusive);
    node.marks().iter().filter(|mark| !is_link(mark.kind)).cloned().collect::<Vec<_>>().into()
}
