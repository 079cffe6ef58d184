//! Attributes without a default that new content does not state.
//!
//! A new textblock or item gets those of the one before it, as pressing enter there gives them. Nothing supplies those of
//! other nodes.

use crate::Error;
use crate::plan::Replacement;
use copydesk_document::{Attrs, Document, Node, NodeRole, NodeTypeId, Schema};
use rustc_hash::FxHashMap;
use serde_json::Value;

/// Gives new nodes the attributes that their types require and the content did not state.
///
/// # Errors
/// [`Error::NotInSchema`] if nothing can supply one.
pub fn supply(document: &Document, replacement: &mut Replacement) -> Result<(), Error> {
    let schema = document.schema();
    if !schema.node_types().iter().any(|kind| kind.required_attrs().next().is_some()) {
        return Ok(());
    }
    let (before, behind) = document.blocks().split_at(replacement.blocks.start);
    let mut supply = Supply { schema, before, behind, latest: FxHashMap::default() };
    replacement.with = supply.all(&replacement.with)?;
    Ok(())
}

struct Supply<'d> {
    schema: &'d Schema,
    /// The blocks before the new ones, and all others of the old document.
    before: &'d [Node],
    behind: &'d [Node],
    /// The attributes of the last new node of each type.
    latest: FxHashMap<NodeTypeId, Attrs>,
}

impl Supply<'_> {
    fn all(&mut self, nodes: &[Node]) -> Result<Vec<Node>, Error> {
        nodes.iter().map(|node| self.one(node)).collect()
    }

    fn one(&mut self, node: &Node) -> Result<Node, Error> {
        let mut node = node.clone();
        if let Some(name) = self.lacking(&node) {
            let attrs = self.supplied(&node).ok_or_else(|| Error::NotInSchema {
                what: format!("<{}> without {name}=\"…\"", node.name(self.schema)),
            })?;
            node = node.with_attrs(attrs);
        }
        if self.schema.node_type(node.kind()).required_attrs().next().is_some() {
            self.latest.insert(node.kind(), node.attrs().clone());
        }
        let children = self.all(node.children())?;
        Ok(if children == node.children() { node } else { node.with_children(children) })
    }

    /// Returns an attribute that a node lacks, unless a node of the old document lacks it as well.
    fn lacking(&self, node: &Node) -> Option<&str> {
        let kind = self.schema.node_type(node.kind());
        let lacks = |node: &Node, name: &str| node.attrs().get(name).is_none_or(Value::is_null);
        let is_old = |name: &str| {
            let lacks = |old: &Node| old.kind() == node.kind() && lacks(old, name);
            find(self.before, &lacks).or_else(|| find(self.behind, &lacks)).is_some()
        };
        kind.required_attrs().find(|name| lacks(node, name) && !is_old(name))
    }

    /// Returns the attributes of a node with those that it lacks of the one before it.
    fn supplied(&self, node: &Node) -> Option<Attrs> {
        let is_repeated =
            self.schema.is_textblock(node.kind()) || node.role(self.schema).is_some_and(NodeRole::is_item);
        if !is_repeated {
            return None;
        }
        let is_like = |old: &Node| old.kind() == node.kind();
        let old = || find_last(self.before, &is_like).or_else(|| find(self.behind, &is_like)).map(Node::attrs);
        let like = self.latest.get(&node.kind()).or_else(old)?;
        let required = self.schema.node_type(node.kind()).required_attrs();
        let stated = |name: &&str| node.attrs().get(name).is_some_and(|value| !value.is_null());
        Some(
            required.filter(|name| !stated(name)).fold(node.attrs().clone(), |attrs, name| {
                attrs.with(name, like.get(name).cloned().unwrap_or_default())
            }),
        )
    }
}

/// Returns the first node that satisfies a condition.
fn find<'n>(nodes: &'n [Node], is_meant: &dyn Fn(&Node) -> bool) -> Option<&'n Node> {
    nodes.iter().find_map(|node| Some(node).filter(|node| is_meant(node)).or_else(|| find(node.children(), is_meant)))
}

/// Returns the last node that satisfies a condition.
fn find_last<'n>(nodes: &'n [Node], is_meant: &dyn Fn(&Node) -> bool) -> Option<&'n Node> {
    let last =
        |node: &'n Node| find_last(node.children(), is_meant).or_else(|| Some(node).filter(|node| is_meant(node)));
    nodes.iter().rev().find_map(last)
}
