//! Content that a parent allows: questions about the schema that come up where the children of a node change.

use crate::Error;
use copydesk_document::content::StateId;
use copydesk_document::{Node, NodeTypeId, Schema};
use serde_json::Value;

/// Returns whether a node, or one in it, satisfies a condition.
pub fn holds(node: &Node, is: &dyn Fn(&Node) -> bool) -> bool {
    is(node) || node.children().iter().any(|child| holds(child, is))
}

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

/// Textblocks that were removed, emptied, each with its former index among the children.
pub type Emptied = Vec<(usize, Node)>;

/// A type of node, and its content around the children that are considered.
pub struct Parent {
    /// The type.
    pub kind: NodeTypeId,
    /// Its other content.
    pub around: Around,
}

/// The types of children that stay as they are.
#[derive(Default)]
pub struct Around {
    /// Before those that are considered.
    pub before: Vec<NodeTypeId>,
    /// Behind them.
    pub after: Vec<NodeTypeId>,
}

impl Parent {
    /// A node's, with all its children looked at.
    pub fn of(node: &Node) -> Parent {
        Parent { kind: node.kind(), around: Around::default() }
    }

    /// Returns whether these may be all the children.
    pub fn takes<'n>(&self, schema: &Schema, children: impl IntoIterator<Item = &'n Node>) -> bool {
        let kinds = children.into_iter().map(Node::kind);
        let all = self.around.before.iter().copied().chain(kinds).chain(self.around.after.iter().copied());
        let end = schema.match_types(schema.node_type(self.kind).content_match, all);
        end.is_some_and(|end| schema.valid_end(end))
    }

    /// Returns the state of the content match before the children that are looked at.
    fn begin(&self, schema: &Schema) -> Option<StateId> {
        let before = self.around.before.iter().copied();
        schema.match_types(schema.node_type(self.kind).content_match, before)
    }

    /// Returns whether the content is valid if these children follow a state of the content match.
    fn ends(&self, schema: &Schema, state: Option<StateId>, children: &[Piece]) -> bool {
        let rest = children.iter().map(|piece| piece.node().kind()).chain(self.around.after.iter().copied());
        state.and_then(|state| schema.match_types(state, rest)).is_some_and(|end| schema.valid_end(end))
    }

    /// Returns the children of the document itself: at least one, and only what its schema allows.
    pub fn settle_top(&self, schema: &Schema, mut children: Vec<Piece>, emptied: Emptied) -> Result<Vec<Node>, Error> {
        if children.is_empty() && !self.takes(schema, []) {
            let after = &self.around.after;
            let missing =
                self.begin(schema).and_then(|state| schema.fill_before(state, after, true)).unwrap_or_default();
            let made = missing.into_iter().filter_map(|kind| schema.create_and_fill(kind, schema.default_attrs(kind)));
            children.extend(made.map(Piece::Node));
        }
        self.put_back(schema, &mut children, emptied);
        if !self.takes(schema, children.iter().map(Piece::node)) {
            return Err(no_place(schema, &children));
        }
        Ok(children.into_iter().map(|piece| piece.node().clone()).collect())
    }

    /// Restores removed textblocks, empty, one after the other until the content is valid. `emptied` is in document
    /// order.
    pub fn put_back(&self, schema: &Schema, children: &mut Vec<Piece>, emptied: Emptied) {
        let state = self.begin(schema);
        if self.ends(schema, state, children) {
            return;
        }
        let mut row = Row { pieces: Vec::with_capacity(children.len() + emptied.len()), state };
        let mut rest = std::mem::take(children).into_iter();
        for (count, (at, block)) in emptied.into_iter().enumerate() {
            let before = (at + count).saturating_sub(row.pieces.len());
            row.extend(schema, rest.by_ref().take(before));
            row.push(schema, Piece::Node(block));
            if self.ends(schema, row.state, rest.as_slice()) {
                break;
            }
        }
        *children = row.pieces;
        children.extend(rest);
    }
}

/// The children of a node under construction, with the state of the content match after them.
pub struct Row {
    /// The children.
    pub pieces: Vec<Piece>,
    /// The state after the last child; `None` if the parent does not allow these children.
    state: Option<StateId>,
}

impl Row {
    /// Returns an empty row.
    pub fn of(schema: &Schema, parent: &Parent) -> Row {
        Row { pieces: Vec::new(), state: parent.begin(schema) }
    }

    /// Appends a child.
    pub fn push(&mut self, schema: &Schema, piece: Piece) {
        self.state = self.state.and_then(|state| schema.match_type(state, piece.node().kind()));
        self.pieces.push(piece);
    }

    /// Appends children.
    pub fn extend(&mut self, schema: &Schema, pieces: impl IntoIterator<Item = Piece>) {
        pieces.into_iter().for_each(|piece| self.push(schema, piece));
    }

    /// Moves the items of a list or the rows of a table at the beginning of `pieces` into the last node, if both nodes
    /// are of the same kind: the first piece is a part of it, or replaces one. Rows become like `like`.
    pub fn join(&mut self, schema: &Schema, pieces: &mut Vec<Piece>, like: Option<&Node>) {
        let (Some(last), Some(first)) = (self.pieces.last_mut(), pieces.first()) else { return };
        let (list, next) = (last.node(), first.node());
        let is_list = |node: &Node| node.children().first().is_some_and(|item| is_item(schema, node.kind(), item));
        let is_table = |node: &Node| node.children().first().is_some_and(|row| is_row(schema, row.kind()));
        let more: Vec<Node> = match list.kind() == next.kind() {
            true if is_list(list) && is_list(next) => next.children().to_vec(),
            true if is_table(list) && is_table(next) => {
                let row = |new: &Node| like.map_or(new.clone(), |like| like_row(like, new));
                next.children().iter().map(row).collect()
            }
            _ => return,
        };
        let joined = list.with_children([list.children(), &more].concat());
        *last = match last {
            Piece::Node(_) => Piece::Node(joined),
            Piece::Placed(_) => Piece::Placed(joined),
        };
        pieces.remove(0);
    }

    /// Returns whether nodes of these types may follow.
    pub fn takes(&self, schema: &Schema, kinds: impl IntoIterator<Item = NodeTypeId>) -> bool {
        self.state.and_then(|state| schema.match_types(state, kinds)).is_some()
    }
}

/// Returns a row with the kinds and widths of the cells of another one, if it has as many.
fn like_row(row: &Node, new: &Node) -> Node {
    if row.children().len() != new.children().len() || spans_rows(row) {
        return new.clone();
    }
    let cells = row.children().iter().zip(new.children());
    row.with_children(cells.map(|(cell, new)| cell.with_children(new.children().to_vec())).collect())
}

/// Returns whether a node is what blocks are: of a kind with one of them, or a list as one of them is.
pub fn gives_way(schema: &Schema, node: &Node, blocks: &[Node]) -> bool {
    let is_list = node.children().first().is_some_and(|item| is_item(schema, node.kind(), item));
    let holds = |block: &Node| !block.children().is_empty() && Parent::of(node).takes(schema, block.children());
    let is_container = !node.is_leaf() && !schema.is_textblock(node.kind());
    is_container && blocks.iter().any(|block| block.kind() == node.kind() || is_list && holds(block))
}

/// Returns whether a node is an item of a list: its parent holds nothing but such nodes, and it begins with a text.
pub fn is_item(schema: &Schema, parent: NodeTypeId, node: &Node) -> bool {
    let edges = schema.edges(schema.node_type(parent).content_match);
    let own = schema.node_type(node.kind());
    parent != schema.top_type()
        && edges.len() == 1
        && schema.repeats_one_term(parent)
        && !own.isolating
        && schema.edges(own.content_match).iter().any(|(kind, _)| schema.is_textblock(*kind))
}

/// Returns whether nodes of a type are rows of cells: they allow only isolating nodes, and are not isolating
/// themselves.
pub fn is_row(schema: &Schema, kind: NodeTypeId) -> bool {
    let own = schema.node_type(kind);
    let edges = schema.edges(own.content_match);
    !own.isolating && !edges.is_empty() && edges.iter().all(|(kind, _)| schema.node_type(*kind).isolating)
}

/// Returns whether a row has a cell that reaches over several rows.
pub fn spans_rows(row: &Node) -> bool {
    let spans = |cell: &Node| cell.attrs().get("rowspan").and_then(Value::as_u64).is_some_and(|rows| rows > 1);
    row.children().iter().any(spans)
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
