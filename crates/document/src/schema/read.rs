//! Schemas from JSON.

use super::{AllowedMarks, Attributes, MarkType, MarkTypeId, NodeType, NodeTypeId, Schema};
use crate::content::{MatchState, StateId};
use crate::nodes::NodeRole;
use crate::{Error, expression, marks, nodes};
use copydesk_base::decode;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::sync::Arc;
#[cfg(feature = "html")]
use std::sync::OnceLock;

/// The most node or mark types a schema may have.
const MOST_TYPES: usize = 1000;

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
    pub(super) fn from_value(value: Value) -> Result<Arc<Schema>, Error> {
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
        let nodes = data.nodes.iter().map(|node| (node, nodes::find_any(&node.name))).map(|(node, spec)| NodeType {
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
                || node.inline && spec.and_then(|spec| spec.role) == Some(NodeRole::LineBreak),
            content_match: StateId::EMPTY,
            inline_content: false,
            spec,
            attributes: Attributes::new(
                node.attrs.as_ref(),
                spec.filter(|spec| spec.name == node.name).map(|spec| spec.schema),
            ),
            marks: AllowedMarks::All,
        });
        let marks = data.marks.iter().map(|mark| (mark, marks::find(&mark.name))).map(|(mark, spec)| MarkType {
            name: mark.name.clone(),
            inclusive: mark.inclusive.unwrap_or(true),
            spanning: mark.spanning.unwrap_or(true),
            spec,
            attributes: Attributes::new(mark.attrs.as_ref(), spec.map(|spec| spec.schema)),
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
        let states = vec![MatchState::new(true)];
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
}

/// Returns the marks that an expression such as `"bold link"`, `"_"` or a group's name represents.
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

pub(super) fn invalid(reason: String) -> Error {
    Error::InvalidSchema { reason }
}
