//! What a parent lets stand in it: questions about the schema that come up where the children of a node change.

use crate::document::{Node, NodeTypeId, Schema, heading_level};
use crate::error::Error;

/// A child of a node that is being made.
pub enum Piece {
    /// A node of the document.
    Node(Node),
    /// A block that looks for its place.
    Placed(Node),
}

impl Piece {
    /// The node itself.
    pub fn node(&self) -> &Node {
        match self {
            Piece::Node(node) | Piece::Placed(node) => node,
        }
    }
}

/// Textblocks that went, emptied, with the index among the children at which each stood.
pub type Emptied = Vec<(usize, Node)>;

/// A type of node, and what stands in it around the children that are looked at.
pub struct Parent {
    /// The type.
    pub kind: NodeTypeId,
    /// What else stands in it.
    pub around: Around,
}

/// The types of children that stay as they are.
#[derive(Default)]
pub struct Around {
    /// Before those that are looked at.
    pub before: Vec<NodeTypeId>,
    /// Behind them.
    pub after: Vec<NodeTypeId>,
}

impl Parent {
    /// A node's, with all its children looked at.
    pub fn of(node: &Node) -> Parent {
        Parent { kind: node.kind(), around: Around::default() }
    }

    /// Whether these may be all the children.
    pub fn takes<'n>(&self, schema: &Schema, children: impl IntoIterator<Item = &'n Node>) -> bool {
        let kinds = children.into_iter().map(Node::kind);
        let all = self.around.before.iter().copied().chain(kinds).chain(self.around.after.iter().copied());
        let end = schema.match_types(schema.node_type(self.kind).content_match, all);
        end.is_some_and(|end| schema.valid_end(end))
    }

    /// The type of a textblock that may follow some children.
    pub fn sibling(&self, schema: &Schema, children: &[Piece], of: &Node) -> Option<NodeTypeId> {
        let kinds = self.around.before.iter().copied().chain(children.iter().map(|piece| piece.node().kind()));
        let state = schema.match_types(schema.node_type(self.kind).content_match, kinds)?;
        let can_be = |kind: &NodeTypeId| schema.is_textblock(*kind) && !schema.node_type(*kind).has_required_attrs();
        let mut kinds = schema.edges(state).iter().map(|edge| edge.0).filter(can_be);
        let first = kinds.next()?;
        let same = of.kind() == first || schema.is_textblock(of.kind()) && heading_level(schema, of).is_none();
        Some(if same && kinds.any(|kind| kind == of.kind()) { of.kind() } else { first })
    }

    /// The children of the document itself: never none, and never what its schema forbids.
    pub fn settle_top(&self, schema: &Schema, mut children: Vec<Piece>, emptied: Emptied) -> Result<Vec<Node>, Error> {
        if children.is_empty() && !self.takes(schema, []) {
            let Around { before, after } = &self.around;
            let state = schema.match_types(schema.node_type(self.kind).content_match, before.iter().copied());
            let missing = state.and_then(|state| schema.fill_before(state, after, true)).unwrap_or_default();
            let made = missing.into_iter().filter_map(|kind| schema.create_and_fill(kind, schema.default_attrs(kind)));
            children.extend(made.map(Piece::Node));
        }
        self.put_back(schema, &mut children, emptied);
        if !self.takes(schema, children.iter().map(Piece::node)) {
            return Err(no_place(schema, &children));
        }
        Ok(children.into_iter().map(|piece| piece.node().clone()).collect())
    }

    /// Puts textblocks that went back to where they stood, empty, until the schema is content.
    pub fn put_back(&self, schema: &Schema, children: &mut Vec<Piece>, emptied: Emptied) {
        for (count, (at, block)) in emptied.into_iter().enumerate() {
            if self.takes(schema, children.iter().map(Piece::node)) {
                return;
            }
            children.insert((at + count).min(children.len()), Piece::Node(block));
        }
    }
}

/// Whether a node is what blocks are: of a kind with one of them, or a list as one of them is.
pub fn gives_way(schema: &Schema, node: &Node, blocks: &[Node]) -> bool {
    let is_list = node.children().first().is_some_and(|item| is_item(schema, node.kind(), item));
    let holds = |block: &Node| !block.children().is_empty() && Parent::of(node).takes(schema, block.children());
    let is_container = !node.is_leaf() && !schema.is_textblock(node.kind());
    is_container && blocks.iter().any(|block| block.kind() == node.kind() || is_list && holds(block))
}

/// Whether a node is an item of a list: its parent holds nothing but such nodes, and it begins with a text.
pub fn is_item(schema: &Schema, parent: NodeTypeId, node: &Node) -> bool {
    let edges = schema.edges(schema.node_type(parent).content_match);
    let own = schema.node_type(node.kind());
    parent != schema.top_type()
        && edges.len() == 1
        && schema.repeats_one_term(parent)
        && !own.isolating
        && schema.edges(own.content_match).iter().any(|(kind, _)| schema.is_textblock(*kind))
}

/// A node with other children.
pub fn with_pieces(node: &Node, children: Vec<Piece>) -> Node {
    node.with_children(children.iter().map(|piece| piece.node().clone()).collect())
}

/// The error that names what found no place.
pub fn no_place(schema: &Schema, children: &[Piece]) -> Error {
    let placed = children.iter().find(|piece| matches!(piece, Piece::Placed(_))).or(children.first());
    Error::NotInSchema { what: placed.map_or("nothing", |piece| piece.node().name(schema)).to_owned() }
}
