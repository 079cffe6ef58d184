//! Schemas: the types of nodes and marks, and their allowed content.

mod read;

use crate::Error;
use crate::attrs::Attrs;
use crate::content::{StateId, States};
use crate::expression::Names;
use crate::mark::{Mark, Marks};
use crate::marks::{self, MARKS, MarkSpec};
use crate::node::Node;
use crate::nodes::{NODES, NodeRole, NodeSpec};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};
use std::sync::{Arc, OnceLock};

/// A node type, as an index into [`Schema::node_types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeTypeId(u16);

impl NodeTypeId {
    pub(super) fn new(index: usize) -> NodeTypeId {
        NodeTypeId(index as u16)
    }

    /// The index into [`Schema::node_types`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A mark type, as an index into [`Schema::mark_types`]. The order of the ids is the rank of the marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MarkTypeId(u16);

impl MarkTypeId {
    pub(super) fn new(index: usize) -> MarkTypeId {
        MarkTypeId(index as u16)
    }

    /// The index into [`Schema::mark_types`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node type of a schema.
pub struct NodeType {
    /// The name, as in JSON.
    pub name: String,
    /// The content expression as it was written; empty for leaves.
    pub content: String,
    /// The groups that content expressions may name it by.
    pub groups: Vec<String>,
    /// True if it is inline.
    pub inline: bool,
    /// True if it is edited as one thing, although it may have content.
    pub atom: bool,
    /// True if its text is code.
    pub code: bool,
    /// True if white space in it is preserved.
    pub preserves_whitespace: bool,
    /// True if it keeps its type when its content is replaced.
    pub defining: bool,
    /// True if edits do not reach over its boundaries.
    pub isolating: bool,
    /// True if the schema declares it as the replacement of line breaks (`linebreakReplacement`).
    pub linebreak: bool,
    /// True if it breaks the line in a textblock: declared as such, or known by its name.
    is_hard_break: bool,
    /// The state in which matching its content begins.
    pub content_match: StateId,
    /// True if its content is inline.
    pub inline_content: bool,
    /// copydesk's definition of the type, by any of its names.
    pub(super) spec: Option<&'static NodeSpec>,
    attributes: Attributes,
    marks: AllowedMarks,
}

/// A mark type of a schema.
pub struct MarkType {
    /// The name, as in JSON.
    pub name: String,
    /// True if text typed at its end gets it too.
    pub inclusive: bool,
    /// True if one element may reach over several nodes.
    pub spanning: bool,
    /// copydesk's definition of types of this name, if it has one.
    pub(super) spec: Option<&'static MarkSpec>,
    attributes: Attributes,
    excluded: Vec<MarkTypeId>,
}

/// The attributes that a type declares.
struct Attributes {
    names: Arc<[Arc<str>]>,
    /// The names that copydesk's definition of the type does not have.
    added: Vec<Arc<str>>,
    defaults: Vec<Option<Value>>,
    /// Shared by all that carry only defaults; `None` if an attribute is required.
    shared: Option<Attrs>,
}

enum AllowedMarks {
    All,
    Only(Vec<MarkTypeId>),
}

/// A schema: the types of nodes and marks, and their allowed content. Made once, then shared.
pub struct Schema {
    nodes: Vec<NodeType>,
    marks: Vec<MarkType>,
    node_names: FxHashMap<String, NodeTypeId>,
    mark_names: FxHashMap<String, MarkTypeId>,
    top: NodeTypeId,
    text: NodeTypeId,
    linebreak: Option<NodeTypeId>,
    pub(crate) states: States,
    #[cfg(feature = "html")]
    pub(crate) rules: OnceLock<crate::html::ParseRules>,
}

impl Schema {
    /// The schema of TipTap 3.34 with StarterKit, Image, TableKit, TaskList and TaskItem.
    pub fn tiptap() -> Arc<Schema> {
        static TIPTAP: OnceLock<Arc<Schema>> = OnceLock::new();
        let build = || Schema::from_value(Schema::tiptap_data());
        TIPTAP.get_or_init(|| build().unwrap_or_else(|error| unreachable!("the built-in schema: {error}"))).clone()
    }

    /// Returns the data of [`Schema::tiptap`], in the shape that [`Schema::from_json`] reads.
    pub fn tiptap_data() -> Value {
        let data = |name: &str, schema: &str| -> Value {
            let mut data = Map::from_iter([("name".to_owned(), name.into())]);
            data.extend(serde_json::from_str::<Map<_, _>>(schema).unwrap_or_default());
            data.into()
        };
        let nodes = NODES.iter().copied().flatten().filter(|spec| spec.is_default);
        let nodes: Value = nodes.map(|spec| data(spec.name, spec.schema)).collect();
        let marks = MARKS.iter().copied().flatten().filter(|spec| spec.is_default);
        let marks: Value = marks.map(|spec| data(spec.name, spec.schema)).collect();
        Map::from_iter([("topNode".to_owned(), "doc".into()), ("nodes".to_owned(), nodes), ("marks".to_owned(), marks)])
            .into()
    }

    /// Reads a schema from JSON.
    ///
    /// The shape is `{topNode?, nodes: [{name, content?, group?, inline?, atom?, code?, whitespace?, marks?,
    /// attrs?: {name: {default?}}, defining?, isolating?, linebreakReplacement?}], marks?: [{name, excludes?,
    /// group?, attrs?, inclusive?, spanning?}]}`: ProseMirror's `NodeSpec` and `MarkSpec` with their names, nodes
    /// in schema order, marks in rank order. Other members are ignored.
    ///
    /// # Errors
    /// [`Error::InvalidSchema`] if the JSON has another shape, names a type or group that does not exist, or requires
    /// content that cannot be created.
    pub fn from_json(json: &str) -> Result<Arc<Schema>, Error> {
        Schema::from_value(serde_json::from_str(json).map_err(|error| read::invalid(error.to_string()))?)
    }

    /// Returns a node of a type with everything in it that its content expression requires (ProseMirror's
    /// `createAndFill`); `None` if that cannot be created.
    pub fn create_and_fill(&self, kind: NodeTypeId, attrs: Attrs) -> Option<Node> {
        self.fill(kind, attrs, 0)
    }

    fn fill(&self, kind: NodeTypeId, attrs: Attrs, depth: usize) -> Option<Node> {
        const DEEPEST: usize = 16;
        if depth > DEEPEST {
            return None;
        }
        let missing = self.fill_before(self.node_type(kind).content_match, &[], true)?;
        let children = missing.into_iter().map(|kind| self.fill(kind, self.default_attrs(kind), depth + 1));
        Some(Node::new(self, kind, attrs, children.collect::<Option<_>>()?, Marks::NONE))
    }

    /// The type of the document itself.
    pub fn top_type(&self) -> NodeTypeId {
        self.top
    }

    /// The type of texts.
    pub fn text_type(&self) -> NodeTypeId {
        self.text
    }

    /// The type that replaces line breaks inside a textblock, if the schema declares one.
    pub fn linebreak_type(&self) -> Option<NodeTypeId> {
        self.linebreak
    }

    /// The type of nodes that has a name.
    pub fn find_node(&self, name: &str) -> Option<NodeTypeId> {
        self.node_names.get(name).copied()
    }

    /// The first type of nodes that has a role.
    pub fn find_role(&self, role: NodeRole) -> Option<NodeTypeId> {
        self.nodes.iter().position(|node| node.role() == Some(role)).map(NodeTypeId::new)
    }

    /// The role of a type of nodes.
    pub fn role(&self, kind: NodeTypeId) -> Option<NodeRole> {
        self.node_type(kind).role()
    }

    /// The type of marks that has a name.
    pub fn find_mark(&self, name: &str) -> Option<MarkTypeId> {
        self.mark_names.get(name).copied()
    }

    /// Every type of nodes, in schema order.
    pub fn node_types(&self) -> &[NodeType] {
        &self.nodes
    }

    /// Every type of marks, in rank order.
    pub fn mark_types(&self) -> &[MarkType] {
        &self.marks
    }

    /// Every type of nodes with its id, in schema order.
    #[cfg(feature = "html")]
    pub(super) fn nodes(&self) -> impl Iterator<Item = (NodeTypeId, &NodeType)> + Clone {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeTypeId::new(index), node))
    }

    /// Every type of marks with its id, in rank order.
    #[cfg(feature = "html")]
    pub(super) fn marks(&self) -> impl Iterator<Item = (MarkTypeId, &MarkType)> + Clone {
        self.marks.iter().enumerate().map(|(index, mark)| (MarkTypeId::new(index), mark))
    }

    /// Returns a node type. The id must be this schema's.
    pub fn node_type(&self, kind: NodeTypeId) -> &NodeType {
        &self.nodes[kind.index()]
    }

    /// Returns a mark type, or `None` for the id of another schema.
    pub fn mark(&self, kind: MarkTypeId) -> Option<&MarkType> {
        self.marks.get(kind.index())
    }

    /// The name of a type of nodes.
    pub fn name(&self, kind: NodeTypeId) -> &str {
        &self.node_type(kind).name
    }

    /// Returns whether nodes of a type take no content.
    pub fn is_leaf(&self, kind: NodeTypeId) -> bool {
        self.node_type(kind).content_match == StateId::EMPTY
    }

    /// Returns whether nodes of a type are inline.
    pub fn is_inline(&self, kind: NodeTypeId) -> bool {
        self.node_type(kind).inline
    }

    /// Returns whether nodes of a type are blocks that hold inline content.
    pub fn is_textblock(&self, kind: NodeTypeId) -> bool {
        let node = self.node_type(kind);
        !node.inline && node.inline_content
    }

    /// Returns whether a node of a type is a line break: the schema's replacement for one, or what TipTap and
    /// ProseMirror's own schemas call it.
    pub fn is_hard_break(&self, kind: NodeTypeId) -> bool {
        self.node_type(kind).is_hard_break
    }

    /// Returns whether any number of children (or any from one up) of the same kinds is allowed in a node of this type,
    /// as in `listItem+` or `block*`, so that they can be added and removed one by one.
    pub fn repeats_one_term(&self, kind: NodeTypeId) -> bool {
        let start = self.node_type(kind).content_match;
        let edges = self.edges(start);
        !edges.is_empty()
            && edges.iter().all(|(_, next)| {
                self.valid_end(*next) && self.edges(*next).iter().map(|edge| edge.0).eq(edges.iter().map(|edge| edge.0))
            })
    }

    /// Returns the first textblock type that is allowed in a node of a type and can be created without attributes or
    /// content given.
    pub fn default_textblock(&self, parent: NodeTypeId) -> Option<NodeTypeId> {
        let edges = self.edges(self.node_type(parent).content_match);
        edges
            .iter()
            .map(|(kind, _)| *kind)
            .find(|kind| self.is_textblock(*kind) && !self.node_type(*kind).has_required_attrs())
    }

    /// The attributes of a type with every default; [`Value::Null`] if one is required.
    pub fn default_attrs(&self, kind: NodeTypeId) -> Attrs {
        self.node_type(kind).attributes.default()
    }

    /// The attributes of a mark type with every default; [`Value::Null`] if one is required.
    pub fn default_mark_attrs(&self, kind: MarkTypeId) -> Attrs {
        self.marks[kind.index()].attributes.default()
    }

    /// Returns the attributes of a type: the given ones and its defaults. Undeclared ones are dropped.
    ///
    /// # Errors
    /// The name of an attribute that is required and was not given.
    pub fn node_attrs(&self, kind: NodeTypeId, given: Vec<(String, Value)>) -> Result<Attrs, String> {
        self.node_type(kind).attributes.compute(given)
    }

    /// As [`Schema::node_attrs`], with null for an attribute that is required and was not given.
    #[cfg(feature = "html")]
    pub(super) fn attrs_with_nulls(&self, kind: NodeTypeId, mut given: Vec<(String, Value)>) -> Attrs {
        let attributes = &self.node_type(kind).attributes;
        if attributes.shared.is_none() {
            let nulls = attributes.required().map(|name| (name.to_owned(), Value::Null));
            given.splice(0..0, nulls.collect::<Vec<_>>());
        }
        attributes.compute(given).unwrap_or_default()
    }

    /// Returns a mark of a type with the given attributes and its defaults. Undeclared ones are dropped.
    ///
    /// # Errors
    /// The name of an attribute that is required and was not given.
    pub fn create_mark(&self, kind: MarkTypeId, given: Vec<(String, Value)>) -> Result<Mark, String> {
        Ok(Mark { kind, attrs: self.marks[kind.index()].attributes.compute(given)? })
    }
}

impl Names for Schema {
    fn resolve(&self, name: &str) -> Vec<NodeTypeId> {
        if let Some(kind) = self.find_node(name) {
            return vec![kind];
        }
        let in_group = |node: &NodeType| node.groups.iter().any(|group| group == name);
        (0..self.nodes.len()).filter(|index| in_group(&self.nodes[*index])).map(NodeTypeId::new).collect()
    }

    fn is_inline(&self, kind: NodeTypeId) -> bool {
        Schema::is_inline(self, kind)
    }
}

impl NodeType {
    /// Returns the names of the attributes that the schema adds to those of copydesk's definition of the type.
    pub(super) fn added_attrs(&self) -> &[Arc<str>] {
        &self.attributes.added
    }

    /// Returns whether an attribute has no default, so that no such node can be created without it.
    pub fn has_required_attrs(&self) -> bool {
        self.attributes.shared.is_none()
    }

    /// Returns the names of the attributes that have no default.
    pub fn required_attrs(&self) -> impl Iterator<Item = &str> {
        self.attributes.required()
    }

    /// Returns whether such a node consists of nothing but its text, so that nothing is lost if an edit rewrites that.
    pub fn is_plain(&self) -> bool {
        self.spec.is_some_and(|spec| spec.is_plain)
    }

    /// The kind of node that it is, if it is one of those that code treats differently.
    pub fn role(&self) -> Option<NodeRole> {
        self.spec.and_then(|spec| spec.role)
    }

    /// The definition of its form in HTML. `None` if the schema has the type under a name of ProseMirror's own schemas.
    pub(super) fn html_spec(&self) -> Option<&'static NodeSpec> {
        self.spec.filter(|spec| spec.name == self.name)
    }

    /// Returns whether the content of such a node may carry a mark.
    pub fn allows_mark(&self, mark: MarkTypeId) -> bool {
        match &self.marks {
            AllowedMarks::All => true,
            AllowedMarks::Only(marks) => marks.contains(&mark),
        }
    }
}

impl MarkType {
    /// Returns the names of the attributes that the schema adds to those of copydesk's definition of the type.
    pub(super) fn added_attrs(&self) -> &[Arc<str>] {
        &self.attributes.added
    }

    /// Returns whether nothing is lost where an edit drops such a mark together with its text.
    pub fn is_plain(&self) -> bool {
        marks::find_any(&self.name).is_some_and(|spec| spec.is_plain)
    }

    /// Returns whether the two marks cannot be on one node.
    pub fn excludes(&self, other: MarkTypeId) -> bool {
        self.excluded.contains(&other)
    }
}

impl Attributes {
    /// Reads the attributes of a type; `definition` is the schema of copydesk's definition of it.
    fn new(data: Option<&Map<String, Value>>, definition: Option<&str>) -> Attributes {
        let entries = || data.into_iter().flatten();
        let names: Arc<[Arc<str>]> = entries().map(|(name, _)| Arc::from(name.as_str())).collect();
        let definition = definition.filter(|_| !names.is_empty());
        let defined: Value = definition.and_then(|schema| serde_json::from_str(schema).ok()).unwrap_or_default();
        let is_added = |name: &&Arc<str>| defined["attrs"].get(&***name).is_none();
        let added = names.iter().filter(is_added).cloned().collect();
        let defaults: Vec<_> = entries().map(|(_, spec)| spec.get("default").cloned()).collect();
        let shared = defaults.iter().cloned().collect::<Option<Vec<_>>>().map(|values| Attrs::new(&names, values));
        Attributes { names, added, defaults, shared }
    }

    fn default(&self) -> Attrs {
        let values = || self.defaults.iter().map(|value| value.clone().unwrap_or_default());
        self.shared.clone().unwrap_or_else(|| Attrs::new(&self.names, values().collect()))
    }

    fn required(&self) -> impl Iterator<Item = &str> {
        self.names.iter().zip(&self.defaults).filter(|(_, default)| default.is_none()).map(|(name, _)| &**name)
    }

    fn compute(&self, mut given: Vec<(String, Value)>) -> Result<Attrs, String> {
        if let (Some(shared), true) = (&self.shared, given.is_empty()) {
            return Ok(shared.clone());
        }
        let mut values = Vec::with_capacity(self.names.len());
        let mut differs = self.shared.is_none();
        for (name, default) in self.names.iter().zip(&self.defaults) {
            let found = given.iter_mut().rev().find(|(key, _)| **key == **name).map(|(_, value)| value.take());
            let value = found.or_else(|| default.clone()).ok_or_else(|| name.to_string())?;
            differs |= default.as_ref() != Some(&value);
            values.push(value);
        }
        match &self.shared {
            Some(shared) if !differs => Ok(shared.clone()),
            _ => Ok(Attrs::new(&self.names, values)),
        }
    }
}
