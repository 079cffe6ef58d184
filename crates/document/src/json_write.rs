//! Documents to JSON, with the members and the order of ProseMirror's `toJSON`.

use super::attrs::Attrs;
use super::mark::Mark;
use super::node::Node;
use super::schema::Schema;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A node with its schema, as serde writes it.
pub(super) struct NodeToWrite<'a> {
    pub(super) schema: &'a Schema,
    pub(super) node: &'a Node,
}

impl Serialize for NodeToWrite<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let NodeToWrite { schema, node } = *self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", node.name(schema))?;
        if !node.attrs().is_empty() {
            map.serialize_entry("attrs", &WrittenAttrs(node.attrs()))?;
        }
        if !node.children().is_empty() {
            map.serialize_entry("content", &WrittenContent { schema, nodes: node.children() })?;
        }
        if !node.marks().is_empty() {
            map.serialize_entry("marks", &WrittenMarks { schema, marks: node.marks() })?;
        }
        if let Some(text) = node.text() {
            map.serialize_entry("text", text)?;
        }
        map.end()
    }
}

struct WrittenContent<'a> {
    schema: &'a Schema,
    nodes: &'a [Node],
}

impl Serialize for WrittenContent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.nodes.iter().map(|node| NodeToWrite { schema: self.schema, node }))
    }
}

struct WrittenAttrs<'a>(&'a Attrs);

impl Serialize for WrittenAttrs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter())
    }
}

struct WrittenMarks<'a> {
    schema: &'a Schema,
    marks: &'a [Mark],
}

impl Serialize for WrittenMarks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.marks.iter().map(|mark| WrittenMark { schema: self.schema, mark }))
    }
}

struct WrittenMark<'a> {
    schema: &'a Schema,
    mark: &'a Mark,
}

impl Serialize for WrittenMark<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.schema.mark(self.mark.kind).map_or("", |kind| &kind.name))?;
        if !self.mark.attrs.is_empty() {
            map.serialize_entry("attrs", &WrittenAttrs(&self.mark.attrs))?;
        }
        map.end()
    }
}
