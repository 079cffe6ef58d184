//! A textblock as its lines: the inline content between its breaks, as [`Document::lines`] counts them.
//!
//! [`Document::lines`]: copydesk_document::Document::lines

use copydesk_document::{Marks, Node, NodeRole, Schema, join_texts};

/// One line of a textblock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Segment {
    /// The break before it; `None` for the first line, and for a new one whose break is still to be made.
    pub opened_by: Option<Node>,
    /// Its content.
    pub inline: Vec<Node>,
}

/// The lines of a textblock; at least one.
pub fn split(schema: &Schema, block: &Node) -> Vec<Segment> {
    let (mut segments, mut open) = (Vec::new(), Segment::default());
    let mut next = |open: &mut Segment, with: Node| {
        segments.push(std::mem::replace(open, Segment { opened_by: Some(with), inline: Vec::new() }));
    };
    for child in block.children() {
        match child.text() {
            Some(text) if text.contains('\n') => {
                for (index, piece) in text.split('\n').enumerate() {
                    if index > 0 {
                        next(&mut open, child.with_text("\n"));
                    }
                    if !piece.is_empty() {
                        open.inline.push(child.with_text(piece));
                    }
                }
            }
            None if schema.is_hard_break(child.kind()) => next(&mut open, child.clone()),
            _ => open.inline.push(child.clone()),
        }
    }
    segments.push(open);
    segments
}

/// Returns the textblock with other lines. Missing breaks are made like those that it has: newlines in code and if the
/// block has only newlines, otherwise hard breaks; a block whose schema has none gets spaces.
pub fn join(schema: &Schema, block: &Node, segments: Vec<Segment>) -> Node {
    let newlines = has_newlines(schema, block);
    let mut content = Vec::new();
    for (index, segment) in segments.into_iter().enumerate() {
        if index > 0 {
            content.push(segment.opened_by.unwrap_or_else(|| line_break(schema, newlines)));
        }
        content.extend(segment.inline);
    }
    block.with_children(join_texts(content))
}

fn has_newlines(schema: &Schema, block: &Node) -> bool {
    let children = block.children();
    schema.node_type(block.kind()).code
        || !children.iter().any(|child| schema.is_hard_break(child.kind()))
            && children.iter().any(|child| child.text().is_some_and(|text| text.contains('\n')))
}

fn line_break(schema: &Schema, newlines: bool) -> Node {
    let kind = schema.linebreak_type().or_else(|| schema.find_role(NodeRole::LineBreak));
    match kind.filter(|_| !newlines) {
        Some(kind) => Node::new(schema, kind, schema.default_attrs(kind), Vec::new(), Marks::NONE),
        None => Node::text_node(schema, if newlines { "\n" } else { " " }, Marks::NONE),
    }
}
