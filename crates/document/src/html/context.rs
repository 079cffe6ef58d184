//! A node that is being filled while HTML is parsed.

use super::whitespace::is_collapsible;
use crate::attrs::Attrs;
use crate::content::StateId;
use crate::mark::Marks;
use crate::node::Node;
use crate::schema::{NodeTypeId, Schema};

/// The treatment of white space in a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Whitespace {
    /// Runs become one space.
    Collapse,
    /// Kept, but for newlines, which become line breaks or spaces.
    Preserve,
    /// Kept unchanged.
    Verbatim,
}

/// A node that is open.
pub(super) struct OpenElement {
    /// Tells it from every other that was ever open.
    pub(super) id: u32,
    pub(super) kind: NodeTypeId,
    pub(super) attrs: Attrs,
    pub(super) marks: Marks,
    /// True if it was made from an element. A node that was only added around content may be closed at any time.
    pub(super) solid: bool,
    pub(super) state: Option<StateId>,
    pub(super) content: Vec<Node>,
    pub(super) whitespace: Whitespace,
}

impl OpenElement {
    /// The node: without white space at its end, and with what its content expression still requires.
    ///
    /// The vector of its content is left empty in `spare`, for another node: each grows only a few times.
    pub(super) fn finish(mut self, schema: &Schema, spare: &mut Vec<Vec<Node>>) -> Node {
        if self.whitespace == Whitespace::Collapse {
            let last = self.content.pop().and_then(trim_end);
            self.content.extend(last);
        }
        let missing = self.state.and_then(|state| schema.fill_before(state, &[], true)).unwrap_or_default();
        self.content
            .extend(missing.into_iter().filter_map(|kind| schema.create_and_fill(kind, schema.default_attrs(kind))));
        let content = self.content.drain(..).collect();
        spare.push(self.content);
        Node::new(schema, self.kind, self.attrs, content, self.marks)
    }
}

/// Returns a text without white space at its end, `None` if nothing is left of it; any other node unchanged.
fn trim_end(node: Node) -> Option<Node> {
    let Some(text) = node.text() else { return Some(node) };
    let trimmed = text.trim_end_matches(|char: char| char.is_ascii() && is_collapsible(char as u8));
    match trimmed.len() {
        0 => None,
        length if length == text.len() => Some(node),
        _ => Some(node.with_text(trimmed)),
    }
}
