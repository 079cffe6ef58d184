//! Schemas: which types of nodes and marks there are, and what may stand where.

use super::attrs::Attrs;
use super::content::{StateId, States};
use super::expression::{self, Names};
use super::mark::{Mark, Marks};
use super::marks::{self, MARKS, MarkSpec};
use super::node::Node;
use super::nodes::{self, NODES, NodeSpec};
use crate::Error;
use copydesk_base::decode;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::sync::{Arc, OnceLock};

/// The most node or mark types a schema may have.
const MOST_TYPES: usize = 1000;

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
    /// The name, as it stands in JSON.
    pub name: String,
    /// The content expression as it was written; empty for leaves.
    pub content: String,
    /// The groups that content expressions may name it by.
    pub groups: Vec<String>,
    /// True if it stands among text.
    pub inline: bool,
    /// True if it is edited as one thing, although it may have content.
    pub atom: bool,
    /// True if its text is code.
    pub code: bool,
    /// True if white space in it is kept as it is.
    pub preserves_whitespace: bool,
    /// True if it keeps its type when its content is replaced.
    pub defining: bool,
    /// True if edits do not reach over its boundaries.
    pub isolating: bool,
    /// True if the schema declares it as what stands for a line break (`linebreakReplacement`).
    pub linebreak: bool,
    /// True if it breaks the line in a textblock: declared as such, or known by its name.
    is_hard_break: bool,
    /// The state in which matching its content begins.
    pub content_match: StateId,
    /// True if its content is inline.
    pub inline_content: bool,
    /// copydesk's definition of types of this name, if it has one.
    pub(super) spec: Option<&'static NodeSpec>,
    attributes: Attributes,
    marks: AllowedMarks,
}

/// A mark type of a schema.
pub struct MarkType {
    /// The name, as it stands in JSON.
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
    defaults: Vec<Option<Value>>,
    /// Shared by all that carry only defaults; none where an attribute is required.
    shared: Option<Attrs>,
}

enum AllowedMarks {
    All,
    Only(Vec<MarkTypeId>),
}

/// A schema: the types of nodes and marks, and what may stand where. Made once, then shared.
pub struct Schema {
    nodes: Vec<NodeType>,
    marks: Vec<MarkType>,
    node_names: FxHashMap<String, NodeTypeId>,
    mark_names: FxHashMap<String, MarkTypeId>,
    top: NodeTypeId,
    text: NodeTypeId,
    linebreak: Option<NodeTypeId>,
    pub(super) states: States,
    #[cfg(feature = "html")]
    pub(super) rules: OnceLock<super::html::Rules>,
}

/// A schema as the page sends it: ProseMirror's `NodeSpec`s in the schema's order and `MarkSpec`s in the order of their
/// rank, each with its name.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SchemaData {
    top_node: Option<String>,
    nodes: Vec<NodeData>,
    #[serde(default)]
    marks: Vec<MarkData>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NodeData {
    name: String,
    content: Option<String>,
    marks: Option<String>,
    group: Option<String>,
    #[serde(default)]
    inline: bool,
    #[serde(default)]
    atom: bool,
    #[serde(default)]
    code: bool,
    whitespace: Option<String>,
    #[serde(default)]
    defining: bool,
    #[serde(default)]
    isolating: bool,
    #[serde(default)]
    linebreak_replacement: bool,
    /// `{name: {default?}}`
    attrs: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
struct MarkData {
    name: String,
    group: Option<String>,
    excludes: Option<String>,
    inclusive: Option<bool>,
    spanning: Option<bool>,
    /// `{name: {default?}}`
    attrs: Option<Map<String, Value>>,
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
        let marks: Value = MARKS.iter().copied().flatten().map(|spec| data(spec.name, spec.schema)).collect();
        Map::from_iter([("topNode".to_owned(), "doc".into()), ("nodes".to_owned(), nodes), ("marks".to_owned(), marks)])
            .into()
    }

    /// Reads a schema from JSON.
    ///
    /// The shape is `{topNode?, nodes: [{name, content?, group?, inline?, atom?, code?, whitespace?, marks?,
    /// attrs?: {name: {default?}}, defining?, isolating?, linebreakReplacement?}], marks?: [{name, excludes?,
    /// group?, attrs?, inclusive?, spanning?}]}`: ProseMirror's `NodeSpec` and `MarkSpec` with their names, nodes
    /// in schema order, marks in rank order. What else is there is passed over.
    ///
    /// # Errors
    /// [`Error::InvalidSchema`] where the JSON has another shape, names a type or group that is not there, or
    /// asks for content that cannot be made.
    pub fn from_json(json: &str) -> Result<Arc<Schema>, Error> {
        Schema::from_value(serde_json::from_str(json).map_err(|error| invalid(error.to_string()))?)
    }

    fn from_value(value: Value) -> Result<Arc<Schema>, Error> {
        let data = decode::from_value::<SchemaData>(&value).map_err(|error| invalid(error.to_string()))?;
        if data.nodes.len().max(data.marks.len()) > MOST_TYPES {
            return Err(invalid(format!("it has more than {MOST_TYPES} types of nodes or marks")));
        }
        let mut schema = Schema::with_names(&data)?;
        for (index, node) in data.nodes.iter().enumerate() {
            schema.add_content(NodeTypeId::new(index), node)?;
        }
        for (index, node) in data.nodes.iter().enumerate() {
            let allowed = match node.marks.as_deref() {
                Some("_") => AllowedMarks::All,
                Some(expr) => AllowedMarks::Only(gather_marks(&data.marks, expr)?),
                None if schema.nodes[index].inline_content => AllowedMarks::All,
                None => AllowedMarks::Only(vec![]),
            };
            schema.nodes[index].marks = allowed;
        }
        for (index, mark) in data.marks.iter().enumerate() {
            schema.marks[index].excluded = match mark.excludes.as_deref() {
                None => vec![MarkTypeId::new(index)],
                Some(expr) => gather_marks(&data.marks, expr)?,
            };
        }
        schema.check_generation()?;
        Ok(Arc::new(schema))
    }

    fn with_names(data: &SchemaData) -> Result<Schema, Error> {
        let words =
            |text: &Option<String>| text.as_deref().unwrap_or("").split_whitespace().map(str::to_owned).collect();
        let nodes = data.nodes.iter().map(|node| NodeType {
            name: node.name.clone(),
            content: node.content.clone().unwrap_or_default(),
            groups: words(&node.group),
            inline: node.inline || node.name == "text",
            atom: node.atom,
            code: node.code,
            preserves_whitespace: node.whitespace.as_deref().map_or(node.code, |kind| kind == "pre"),
            defining: node.defining,
            isolating: node.isolating,
            linebreak: node.linebreak_replacement,
            is_hard_break: node.linebreak_replacement
                || node.inline && nodes::find_any(&node.name).is_some_and(|spec| spec.is_line_break),
            content_match: StateId::EMPTY,
            inline_content: false,
            spec: nodes::find(&node.name),
            attributes: Attributes::new(node.attrs.as_ref()),
            marks: AllowedMarks::All,
        });
        let marks = data.marks.iter().map(|mark| MarkType {
            name: mark.name.clone(),
            inclusive: mark.inclusive.unwrap_or(true),
            spanning: mark.spanning.unwrap_or(true),
            spec: marks::find(&mark.name),
            attributes: Attributes::new(mark.attrs.as_ref()),
            excluded: vec![],
        });
        let (nodes, marks): (Vec<_>, Vec<_>) = (nodes.collect(), marks.collect());
        let node_names: FxHashMap<_, _> =
            nodes.iter().enumerate().map(|(index, node)| (node.name.clone(), NodeTypeId::new(index))).collect();
        let mark_names: FxHashMap<_, _> =
            marks.iter().enumerate().map(|(index, mark)| (mark.name.clone(), MarkTypeId::new(index))).collect();
        if node_names.len() < nodes.len() || mark_names.len() < marks.len() {
            return Err(invalid("two types have the same name".into()));
        }
        let find = |name: &str| {
            node_names.get(name).copied().ok_or_else(|| invalid(format!("it has no node type \"{name}\"")))
        };
        let text = find("text")?;
        let top = find(data.top_node.as_deref().unwrap_or("doc"))?;
        let linebreak = nodes.iter().position(|node| node.linebreak).map(NodeTypeId::new);
        let states = vec![super::content::MatchState::new(true)];
        Ok(Schema {
            nodes,
            marks,
            node_names,
            mark_names,
            top,
            text,
            linebreak,
            states,
            #[cfg(feature = "html")]
            rules: OnceLock::new(),
        })
    }

    fn add_content(&mut self, kind: NodeTypeId, data: &NodeData) -> Result<(), Error> {
        let Some(source) = data.content.as_deref() else { return Ok(()) };
        let mut states = std::mem::take(&mut self.states);
        let start = expression::compile(source, self, &mut states)
            .map_err(|reason| invalid(format!("node type \"{}\": {reason}", data.name)))?;
        self.states = states;
        let inline = self.edges(start).first().is_some_and(|(first, _)| self.node_type(*first).inline);
        let node = &mut self.nodes[kind.index()];
        node.content_match = start;
        node.inline_content = inline;
        Ok(())
    }

    /// Every type that can be filled must be fillable, in a depth that people's schemas stay far below.
    fn check_generation(&self) -> Result<(), Error> {
        for (index, node) in self.nodes.iter().enumerate() {
            if self.fill(NodeTypeId::new(index), self.default_attrs(NodeTypeId::new(index)), 0).is_none() {
                return Err(invalid(format!(
                    "the content \"{}\" of node type \"{}\" cannot be made",
                    node.content, node.name
                )));
            }
        }
        Ok(())
    }

    /// A node of a type with everything in it that its content expression requires (ProseMirror's
    /// `createAndFill`); none where that cannot be made.
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

    /// The type that stands for a line break inside a textblock, where the schema declares one.
    pub fn linebreak_type(&self) -> Option<NodeTypeId> {
        self.linebreak
    }

    /// The type of nodes that has a name.
    pub fn find_node(&self, name: &str) -> Option<NodeTypeId> {
        self.node_names.get(name).copied()
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

    /// Returns whether nodes of a type stand among text.
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

    /// Returns whether any number of children (or any from one up) of the same kinds may stand in a node of this type,
    /// as in `listItem+` or `block*`, so that they can be added and removed one by one.
    pub fn repeats_one_term(&self, kind: NodeTypeId) -> bool {
        let start = self.node_type(kind).content_match;
        let edges = self.edges(start);
        !edges.is_empty()
            && edges.iter().all(|(_, next)| {
                self.valid_end(*next) && self.edges(*next).iter().map(|edge| edge.0).eq(edges.iter().map(|edge| edge.0))
            })
    }

    /// The first textblock type that may stand in a node of a type and can be made out of nothing.
    pub fn default_textblock(&self, parent: NodeTypeId) -> Option<NodeTypeId> {
        let edges = self.edges(self.node_type(parent).content_match);
        edges
            .iter()
            .map(|(kind, _)| *kind)
            .find(|kind| self.is_textblock(*kind) && !self.node_type(*kind).has_required_attrs())
    }

    /// The attributes of a type with every default; [`Value::Null`] where one is required.
    pub fn default_attrs(&self, kind: NodeTypeId) -> Attrs {
        self.node_type(kind).attributes.default()
    }

    /// The attributes of a mark type with every default; [`Value::Null`] where one is required.
    pub fn default_mark_attrs(&self, kind: MarkTypeId) -> Attrs {
        self.marks[kind.index()].attributes.default()
    }

    /// The attributes of a type made of what is given and its defaults; what it does not declare is dropped.
    ///
    /// # Errors
    /// The name of an attribute that is required and was not given.
    pub fn node_attrs(&self, kind: NodeTypeId, given: Vec<(String, Value)>) -> Result<Attrs, String> {
        self.node_type(kind).attributes.compute(given)
    }

    /// A mark of a type made of what is given and its defaults; what it does not declare is dropped.
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
    /// Returns whether an attribute has no default, so that no such node can be made out of nothing.
    pub fn has_required_attrs(&self) -> bool {
        self.attributes.shared.is_none()
    }

    /// Returns whether such a node is no more than the text in it, so that nothing is lost where an edit rewrites that.
    pub fn is_plain(&self) -> bool {
        nodes::find_any(&self.name).is_some_and(|spec| spec.is_plain)
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
    fn new(data: Option<&Map<String, Value>>) -> Attributes {
        let entries = || data.into_iter().flatten();
        let names: Arc<[Arc<str>]> = entries().map(|(name, _)| Arc::from(name.as_str())).collect();
        let defaults: Vec<_> = entries().map(|(_, spec)| spec.get("default").cloned()).collect();
        let shared = defaults.iter().cloned().collect::<Option<Vec<_>>>().map(|values| Attrs::new(&names, values));
        Attributes { names, defaults, shared }
    }

    fn default(&self) -> Attrs {
        let values = || self.defaults.iter().map(|value| value.clone().unwrap_or_default());
        self.shared.clone().unwrap_or_else(|| Attrs::new(&self.names, values().collect()))
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

/// The marks that an expression such as `"bold link"`, `"_"` or a group's name stands for.
fn gather_marks(marks: &[MarkData], expr: &str) -> Result<Vec<MarkTypeId>, Error> {
    let mut found = Vec::new();
    for name in expr.split_whitespace() {
        let in_group =
            |mark: &MarkData| mark.group.as_deref().is_some_and(|groups| groups.split(' ').any(|group| group == name));
        let before = found.len();
        match marks.iter().position(|mark| mark.name == name) {
            Some(index) => found.push(MarkTypeId::new(index)),
            None => {
                let named = marks.iter().enumerate().filter(|(_, mark)| name == "_" || in_group(mark));
                found.extend(named.map(|(index, _)| MarkTypeId::new(index)));
            }
        }
        if found.len() == before && name != "_" {
            return Err(invalid(format!("there is no mark type or group \"{name}\"")));
        }
    }
    Ok(found)
}

fn invalid(reason: String) -> Error {
    Error::InvalidSchema { reason }
}
