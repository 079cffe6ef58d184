//! Nodes with content, such as footnotes, in a text that names them by their boundaries.

use super::retext;
use super::runs::{EDGE, InlineRuns, flat_text};
use copydesk_document::{Node, OBJECT, Schema};

/// Returns inline content in which text between two [`OBJECT`]s is the content of a node of `old` content: of the one with
/// this text, or else of the next one. A node that the content has as an element is not used again.
pub fn named(schema: &Schema, nodes: Vec<Node>, old: &[Node]) -> Vec<Node> {
    let mut left: Vec<&Node> = old.iter().filter(|node| is_object(node)).collect();
    named_of(schema, nodes, &mut left)
}

/// As [`named`], of the nodes that are `left`, in blocks or inline content.
pub fn named_of(schema: &Schema, nodes: Vec<Node>, left: &mut Vec<&Node>) -> Vec<Node> {
    if left.is_empty() {
        return nodes;
    }
    if nodes.iter().any(|node| !schema.is_inline(node.kind())) {
        let inside = |node: Node| match node.is_leaf() {
            true => node,
            false => {
                let children = named_of(schema, node.children().to_vec(), left);
                if children == node.children() { node } else { node.with_children(children) }
            }
        };
        return nodes.into_iter().map(inside).collect();
    }
    for node in nodes.iter().filter(|node| is_object(node)) {
        if let Some(at) = left.iter().position(|old| old.kind() == node.kind() && old.attrs() == node.attrs()) {
            left.remove(at);
        }
    }
    if !nodes.iter().any(|node| node.text().is_some_and(|text| text.contains(OBJECT))) {
        return nodes;
    }
    let whole = InlineRuns::new(schema, &nodes);
    let texts = whole.runs.iter().filter(|(_, node)| node.is_text());
    let edges: Vec<usize> = texts
        .flat_map(|(run, _)| whole.text[run.clone()].match_indices(OBJECT).map(|(at, _)| run.start + at))
        .collect();
    let (mut content, mut done) = (Vec::new(), 0);
    for pair in edges.chunks_exact(2) {
        let (start, end) = (pair[0], pair[1] + EDGE);
        let text = &whole.text[start..end];
        let same = left.iter().position(|node| flat_text(schema, std::slice::from_ref(*node)) == text);
        if left.is_empty() {
            break;
        }
        let node = left.remove(same.unwrap_or(0));
        content.extend(whole.cut(done..start));
        content.push(with_inner(schema, node, &text[EDGE..text.len() - EDGE]));
        done = end;
    }
    content.extend(whole.cut(done..whole.text.len()));
    content
}

/// Adds the inline nodes with content that are in nodes, but for those in another such node.
pub fn collect(schema: &Schema, nodes: &[Node], objects: &mut Vec<Node>) {
    for node in nodes.iter().filter(|node| is_object(node)) {
        match schema.is_inline(node.kind()) {
            true => objects.push(node.clone()),
            false => collect(schema, node.children(), objects),
        }
    }
}

/// Returns whether an inline node is one with content.
pub fn is_object(node: &Node) -> bool {
    !node.is_text() && !node.is_leaf()
}

/// Returns a node with content with another text.
pub fn with_inner(schema: &Schema, node: &Node, text: &str) -> Node {
    match flat_text(schema, node.children()) == text {
        true => node.clone(),
        false => node.with_children(retext::inline(schema, node.children(), text)),
    }
}
