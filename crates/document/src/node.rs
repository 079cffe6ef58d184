//! Nodes: the tree that a document is.

use super::attrs::Attrs;
use super::json;
use super::json_write::NodeToWrite;
use super::mark::{Mark, Marks};
use super::nodes::NodeRole;
use super::schema::{NodeTypeId, Schema};
use super::utf16;
use crate::Error;
use serde_json::Value;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A node of a document. A persistent value: nothing is mutated, a change gives a new node that shares the
/// rest, and a clone copies a pointer.
///
/// Sizes and offsets count UTF-16 code units, as ProseMirror does: a text is as wide as its units, a leaf is
/// 1 wide, any other node is its content and 2 for its boundaries.
#[derive(Clone)]
pub struct Node(Arc<Inner>);

struct Inner {
    kind: NodeTypeId,
    leaf: bool,
    inside: Inside,
    size: usize,
    attrs: Attrs,
    marks: Marks,
    content: NodeContent,
}

/// The kinds of inline content that a node is, or has in it.
#[derive(Clone, Copy)]
struct Inside(u8);

impl Inside {
    const NONE: Inside = Inside(0);
    /// An inline leaf with a text form.
    const ATOMS: Inside = Inside(1);
    /// A hard break, or a text with a newline.
    const BREAKS: Inside = Inside(2);

    fn of_text(text: &str) -> Inside {
        if memchr::memchr(b'\n', text.as_bytes()).is_some() { Inside::BREAKS } else { Inside::NONE }
    }

    fn of_nodes(nodes: &[Node]) -> Inside {
        nodes.iter().fold(Inside::NONE, |all, node| all.and(node.0.inside))
    }

    fn and(self, other: Inside) -> Inside {
        Inside(self.0 | other.0)
    }

    fn only(self, other: Inside) -> Inside {
        Inside(self.0 & other.0)
    }

    fn has(self, other: Inside) -> bool {
        self.only(other).0 != 0
    }
}

#[derive(PartialEq, Eq, Hash)]
enum NodeContent {
    Text(Box<str>),
    Children(Box<[Node]>),
}

impl Node {
    /// Creates a node of a type from its attributes, children and marks as they are given: nothing is filled in and
    /// nothing is checked (see [`Schema::check`]). Neighbouring texts with the same marks become one.
    pub fn new(schema: &Schema, kind: NodeTypeId, attrs: Attrs, children: Vec<Node>, marks: Marks) -> Node {
        let leaf = schema.is_leaf(kind);
        let children = join_texts(children);
        let size = if leaf { 1 } else { 2 + children.iter().map(Node::size).sum::<usize>() };
        let own = match schema.is_hard_break(kind) {
            true => Inside::BREAKS,
            false if leaf && schema.is_inline(kind) => Inside::ATOMS,
            false => Inside::NONE,
        };
        let inside = own.and(Inside::of_nodes(&children));
        let content = NodeContent::Children(children.into());
        Node(Arc::new(Inner { kind, leaf, inside, size, attrs, marks, content }))
    }

    /// A text node. ProseMirror knows no empty text, so the text should not be empty.
    pub fn text_node(schema: &Schema, text: impl Into<Box<str>>, marks: Marks) -> Node {
        let text = text.into();
        let size = utf16::len(&text);
        let kind = schema.text_type();
        let inside = Inside::of_text(&text);
        let (attrs, content) = (Attrs::NONE, NodeContent::Text(text));
        Node(Arc::new(Inner { kind, leaf: true, inside, size, attrs, marks, content }))
    }

    /// The type, an index into the schema's nodes.
    pub fn kind(&self) -> NodeTypeId {
        self.0.kind
    }

    /// The name of the type.
    pub fn name<'s>(&self, schema: &'s Schema) -> &'s str {
        schema.name(self.0.kind)
    }

    /// The role of its type.
    pub fn role(&self, schema: &Schema) -> Option<NodeRole> {
        schema.role(self.0.kind)
    }

    /// The number of the first item of an ordered list, if its attribute is a whole number.
    pub fn first_number(&self) -> Option<i64> {
        self.attrs().get(self.number_attr()?)?.as_i64()
    }

    /// Returns the ordered list with another number of its first item. A node without such an attribute is unchanged.
    pub fn with_first_number(&self, number: i64) -> Node {
        match self.number_attr() {
            Some(name) => self.with_attrs(self.attrs().with(name, number.into())),
            None => self.clone(),
        }
    }

    /// The attribute with the number of the first item: TipTap's, or that of ProseMirror's own schema.
    fn number_attr(&self) -> Option<&'static str> {
        ["start", "order"].into_iter().find(|name| self.attrs().get(name).is_some())
    }

    /// The width in UTF-16 code units, boundaries included (ProseMirror's `nodeSize`).
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// The width of the content alone; 0 for leaves and texts.
    pub fn content_size(&self) -> usize {
        if self.0.leaf { 0 } else { self.0.size - 2 }
    }

    /// The children; empty for leaves and texts.
    pub fn children(&self) -> &[Node] {
        match &self.0.content {
            NodeContent::Children(children) => children,
            NodeContent::Text(_) => &[],
        }
    }

    /// The text of a text node.
    pub fn text(&self) -> Option<&str> {
        match &self.0.content {
            NodeContent::Text(text) => Some(text),
            NodeContent::Children(_) => None,
        }
    }

    /// The attributes, every one that the type declares.
    pub fn attrs(&self) -> &Attrs {
        &self.0.attrs
    }

    /// The marks, in rank order.
    pub fn marks(&self) -> &[Mark] {
        &self.0.marks
    }

    /// The marks as the shared set they are.
    pub fn mark_set(&self) -> &Marks {
        &self.0.marks
    }

    /// Returns whether this is a text node.
    pub fn is_text(&self) -> bool {
        matches!(self.0.content, NodeContent::Text(_))
    }

    /// Returns whether the type takes no content. Texts are leaves too.
    pub fn is_leaf(&self) -> bool {
        self.0.leaf
    }

    /// Returns whether this is an inline leaf with a [text form](crate::text_form): neither text nor a line break.
    pub fn is_atom(&self) -> bool {
        self.0.leaf && self.has_atoms()
    }

    /// Returns whether this is such a leaf, or has one in it. Takes no walk.
    pub fn has_atoms(&self) -> bool {
        self.0.inside.has(Inside::ATOMS)
    }

    /// Returns false if this is neither a hard break nor a text with a newline, and contains none. Takes constant time.
    pub fn may_have_breaks(&self) -> bool {
        self.0.inside.has(Inside::BREAKS)
    }

    /// Returns whether both are one and the same value in memory.
    pub fn ptr_eq(&self, other: &Node) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the address of the value: two nodes that exist at the same time are one value if they have one address.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// Returns whether type, attributes and marks are equal, whatever the content.
    pub fn same_markup(&self, other: &Node) -> bool {
        self.0.kind == other.0.kind && self.0.attrs == other.0.attrs && self.0.marks == other.0.marks
    }

    /// Returns this node with other children. A text or leaf is not changed.
    pub fn with_children(&self, children: Vec<Node>) -> Node {
        if self.0.leaf {
            return self.clone();
        }
        let children = join_texts(children);
        let size = 2 + children.iter().map(Node::size).sum::<usize>();
        self.with(size, NodeContent::Children(children.into()), self.0.attrs.clone(), self.0.marks.clone())
    }

    /// Returns this text node with another text. Any other node is not changed.
    pub fn with_text(&self, text: impl Into<Box<str>>) -> Node {
        if !self.is_text() {
            return self.clone();
        }
        let text = text.into();
        self.with(utf16::len(&text), NodeContent::Text(text), self.0.attrs.clone(), self.0.marks.clone())
    }

    /// This node with other attributes.
    pub fn with_attrs(&self, attrs: Attrs) -> Node {
        self.with(self.0.size, self.same_content(), attrs, self.0.marks.clone())
    }

    /// This node with other marks.
    pub fn with_marks(&self, marks: Marks) -> Node {
        if marks == self.0.marks {
            return self.clone();
        }
        self.with(self.0.size, self.same_content(), self.0.attrs.clone(), marks)
    }

    /// Returns a part of a text node, by UTF-16 offsets into its text. Offsets past the end mean the end, and one
    /// inside a surrogate pair means the place before the pair. Any other node is not changed.
    pub fn cut_text(&self, from: usize, to: usize) -> Node {
        match self.text() {
            Some(text) => self.with_text(utf16::slice(text, from, to)),
            None => self.clone(),
        }
    }

    /// All text inside, one piece after the other with nothing between (ProseMirror's `textContent`).
    pub fn text_content(&self) -> String {
        fn collect(node: &Node, out: &mut String) {
            match node.text() {
                Some(text) => out.push_str(text),
                None => node.children().iter().for_each(|child| collect(child, out)),
            }
        }
        let mut out = String::new();
        collect(self, &mut out);
        out
    }

    fn same_content(&self) -> NodeContent {
        match &self.0.content {
            NodeContent::Text(text) => NodeContent::Text(text.clone()),
            NodeContent::Children(children) => NodeContent::Children(children.clone()),
        }
    }

    fn with(&self, size: usize, content: NodeContent, attrs: Attrs, marks: Marks) -> Node {
        let Inner { kind, leaf, .. } = *self.0;
        let inside = match &content {
            NodeContent::Text(text) => Inside::of_text(text),
            NodeContent::Children(children) if !leaf => {
                // It may be a break itself.
                Inside::of_nodes(children).and(self.0.inside.only(Inside::BREAKS))
            }
            NodeContent::Children(_) => self.0.inside,
        };
        Node(Arc::new(Inner { kind, leaf, inside, size, attrs, marks, content }))
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.ptr_eq(other)
            || (self.0.size == other.0.size && self.same_markup(other) && self.0.content == other.0.content)
    }
}

impl Eq for Node {}

impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0.kind, &self.0.attrs, &self.0.marks, &self.0.content).hash(state);
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.content {
            NodeContent::Text(text) => write!(f, "{text:?}{:?}", self.0.marks),
            NodeContent::Children(children) => {
                write!(f, "{:?}{:?}", self.0.kind, self.0.attrs)?;
                f.debug_list().entries(children.iter()).finish()
            }
        }
    }
}

/// Makes one text of neighbours that carry the same marks, as ProseMirror's fragments do.
pub fn join_texts(children: Vec<Node>) -> Vec<Node> {
    let joins = |a: &Node, b: &Node| a.is_text() && b.is_text() && a.mark_set() == b.mark_set();
    if !children.windows(2).any(|pair| joins(&pair[0], &pair[1])) {
        return children;
    }
    let runs = children.chunk_by(joins);
    runs.map(|run| match run {
        [only] => only.clone(),
        run => run[0].with_text(run.iter().filter_map(Node::text).collect::<String>()),
    })
    .collect()
}

/// Conversion to and from JSON.
impl Node {
    /// The node as JSON text, with the members and the order of ProseMirror's `toJSON`.
    pub fn to_json(&self, schema: &Schema) -> String {
        serde_json::to_string(&NodeToWrite { schema, node: self }).unwrap_or_default()
    }

    /// The node as a JSON value.
    pub fn to_value(&self, schema: &Schema) -> Value {
        serde_json::to_value(NodeToWrite { schema, node: self }).unwrap_or_default()
    }

    /// Reads a node from a JSON value and checks it against the schema.
    ///
    /// # Errors
    /// [`Error::InvalidDocument`] with the place, [`Error::UnknownType`], [`Error::TooDeep`].
    pub fn from_value(schema: &Schema, value: &Value) -> Result<Node, Error> {
        json::read_value(schema, value)
    }
}
