//! Nodes with content, such as footnotes, in a text that names them by their boundaries.

use super::retext;
use super::runs::{EDGE, InlineRuns, flat_text};
use copydesk_document::{Node, OBJECT, Schema};

/// The nodes with content that new content can name, each with its text.
pub struct Objects<'n>(Vec<(String, &'n Node)>);

impl<'n> Objects<'n> {
    /// Takes those of inline nodes.
    pub fn of(schema: &Schema, nodes: impl IntoIterator<Item = &'n Node>) -> Objects<'n> {
        let objects = nodes.into_iter().filter(|node| is_object(node));
        Objects(objects.map(|node| (flat_text(schema, std::slice::from_ref(node)), node)).collect())
    }

    /// Returns blocks or inline content in which text between two [`OBJECT`]s is the content of one of the nodes: of the
    /// one with this text, or else of the next one. A node that the content has as an element is not used again.
    pub fn named(&mut self, schema: &Schema, nodes: Vec<Node>) -> Vec<Node> {
        if self.0.is_empty() {
            return nodes;
        }
        if nodes.iter().any(|node| !schema.is_inline(node.kind())) {
            return nodes.into_iter().map(|node| self.named_in(schema, node)).collect();
        }
        for node in nodes.iter().filter(|node| is_object(node)) {
            if let Some(at) =
                self.0.iter().position(|(_, old)| old.kind() == node.kind() && old.attrs() == node.attrs())
            {
                self.0.remove(at);
            }
        }
        if !nodes.iter().any(|node| node.text().is_some_and(|text| text.contains(OBJECT))) {
            return nodes;
        }
        let whole = InlineRuns::new(schema, &nodes);
        let mut edges: Vec<usize> = Vec::new();
        for (run, _) in whole.runs.iter().filter(|(_, node)| node.is_text()) {
            edges.extend(whole.text[run.clone()].match_indices(OBJECT).map(|(at, _)| run.start + at));
        }
        let (mut content, mut done) = (Vec::new(), 0);
        for pair in edges.chunks_exact(2) {
            let (start, end) = (pair[0], pair[1] + EDGE);
            let text = &whole.text[start..end];
            let Some(node) = self.take(text) else { break };
            content.extend(whole.cut(done..start));
            content.push(with_inner(schema, node, &text[EDGE..text.len() - EDGE]));
            done = end;
        }
        content.extend(whole.cut(done..whole.text.len()));
        content
    }

    fn named_in(&mut self, schema: &Schema, node: Node) -> Node {
        if node.is_leaf() {
            return node;
        }
        let children = self.named(schema, node.children().to_vec());
        if children == node.children() { node } else { node.with_children(children) }
    }

    fn take(&mut self, text: &str) -> Option<&'n Node> {
        let at = self.0.iter().position(|(own, _)| own == text).unwrap_or(0);
        (at < self.0.len()).then(|| self.0.remove(at).1)
    }
}

/// Adds the inline nodes with content that are in nodes, except those inside another such node.
pub fn collect(schema: &Schema, nodes: &[Node], objects: &mut Vec<Node>) {
    for node in nodes.iter().filter(|node| is_object(node)) {
        match schema.is_inline(node.kind()) {
            true => objects.push(node.clone()),
            false => collect(schema, node.children(), objects),
        }
    }
}

/// Returns whether an inline node has content.
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
