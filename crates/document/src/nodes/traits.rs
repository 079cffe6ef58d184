//! Traits of the known node types, for code that asks for no more than these.

use super::{NODES, NodeRole, NodeSpec};
use serde_json::Value;

/// A trait that some node types have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeTrait {
    /// It is a list.
    List,
    /// It is an item of a list.
    Item,
    /// It is a cell of a table.
    Cell,
    /// Its text is kept unchanged: marks and notation in it are not interpreted.
    Raw,
    /// It is inline.
    Inline,
    /// It breaks a line of text.
    LineBreak,
}

impl NodeTrait {
    /// All traits.
    pub const ALL: [NodeTrait; 6] =
        [NodeTrait::List, NodeTrait::Item, NodeTrait::Cell, NodeTrait::Raw, NodeTrait::Inline, NodeTrait::LineBreak];

    fn is_of(self, spec: &NodeSpec) -> bool {
        let schema: Value = serde_json::from_str(spec.schema).unwrap_or_default();
        match self {
            NodeTrait::List => spec.role.is_some_and(NodeRole::is_list),
            NodeTrait::Item => spec.role.is_some_and(NodeRole::is_item),
            NodeTrait::Cell => spec.role.is_some_and(NodeRole::is_cell),
            NodeTrait::Raw => schema["code"] == true,
            NodeTrait::Inline => schema["inline"] == true || schema["group"] == "inline",
            NodeTrait::LineBreak => spec.role == Some(NodeRole::LineBreak),
        }
    }
}

/// Returns the names of the known node types with a trait, also those that they have in ProseMirror's own schemas, in
/// the order of the definitions.
pub fn nodes_with(wanted: NodeTrait) -> impl Iterator<Item = &'static str> {
    let specs = NODES.iter().copied().flatten().filter(move |spec| wanted.is_of(spec));
    specs.flat_map(|spec| [spec.name, spec.other_name]).filter(|name| !name.is_empty())
}
