//! The node types that copydesk knows, each defined in one file: schema, parse rules, HTML, and how its lines are
//! shown.
//!
//! A definition applies to the type of that name in any schema. A type that is not in [`NODES`] can still be in a
//! document: in HTML it is a `div` or `span` with its name and its attributes.
//!
//! To add a node type, add a file with its [`NodeSpec`] and an entry in [`NODES`]. TypeScript knows the types by their
//! [`NodeTrait`]s, in a table that a test writes.

mod audio;
mod blockquote;
mod bullet_list;
mod code_block;
mod details;
mod doc;
mod emoji;
mod hard_break;
mod heading;
mod horizontal_rule;
mod image;
mod list_item;
mod math;
mod mention;
mod ordered_list;
mod paragraph;
mod role;
mod table;
mod table_cell;
mod table_header;
mod table_row;
mod task_item;
mod task_list;
mod text;
mod traits;
mod youtube;

pub use role::NodeRole;
pub use traits::{NodeTrait, nodes_with};

use super::html::Writer;
#[cfg(feature = "html")]
use super::html::{AttrReader, Content, Element, TagRule};
use super::node::Node;
use super::notation::Sign;
#[cfg(feature = "html")]
use super::schema::{NodeTypeId, Schema};
use serde_json::Value;

#[cfg(feature = "html")]
pub(super) use table_cell::Tables;

/// The definitions, the types of TipTap's own schema in its order.
pub(super) static NODES: &[&[NodeSpec]] = &[
    paragraph::NODES,
    blockquote::NODES,
    bullet_list::NODES,
    code_block::NODES,
    doc::NODES,
    hard_break::NODES,
    heading::NODES,
    horizontal_rule::NODES,
    list_item::NODES,
    ordered_list::NODES,
    text::NODES,
    image::NODES,
    table::NODES,
    table_cell::NODES,
    table_header::NODES,
    table_row::NODES,
    task_list::NODES,
    task_item::NODES,
    details::NODES,
    mention::NODES,
    math::NODES,
    emoji::NODES,
    audio::NODES,
    youtube::NODES,
];

/// Everything that is known about one type of nodes.
pub(super) struct NodeSpec {
    /// The name, as in JSON.
    pub(super) name: &'static str,
    /// The name in ProseMirror's own schemas. Under that name it has no parse rules and no HTML.
    pub(super) other_name: &'static str,
    /// ProseMirror's `NodeSpec` as JSON: content, group, attributes and the like.
    pub(super) schema: &'static str,
    /// True if it is in the schema of documents without an editor.
    pub(super) is_default: bool,
    /// The rules that make it from HTML.
    #[cfg(feature = "html")]
    pub(super) parse: NodeParseSpec,
    /// Writes a node as HTML.
    pub(super) html: fn(&mut Writer<'_>, &Node),
    /// Returns the sign before the lines of a child where lines are shown with their structure.
    pub(super) child_prefix: fn(Child<'_>) -> Option<Sign>,
    /// Returns the sign before the first line of a node, which is all that is shown of a leaf. A leaf without this
    /// function is shown by its name.
    pub(super) prefix: Option<fn(&Node) -> Option<Sign>>,
    /// Returns the text of an inline leaf, in one line, as a reader sees it. Empty if it has none. See
    /// [`text_form`](super::text_form::text_form).
    pub(super) text: Option<fn(&Node) -> String>,
    /// True if it consists of nothing but its text, so that nothing is lost if an edit rewrites that.
    pub(super) is_plain: bool,
    /// The kind of node that it is, for code that treats kinds differently.
    pub(super) role: Option<NodeRole>,
}

/// The base of the types of an extension that documents do not have without an editor.
const EXTENSION: NodeSpec = NodeSpec { is_default: false, ..NodeSpec::DEFAULT };

impl NodeSpec {
    /// A type without attributes, parse rules or lines of its own, which is written as a `div` or `span` with its name.
    const DEFAULT: NodeSpec = NodeSpec {
        name: "",
        other_name: "",
        schema: "{}",
        is_default: true,
        #[cfg(feature = "html")]
        parse: NodeParseSpec::DEFAULT,
        html: |writer, node| writer.unknown(node),
        child_prefix: |_| None,
        prefix: None,
        text: None,
        is_plain: false,
        role: None,
    };
}

/// The rules that make nodes of a type from HTML.
#[cfg(feature = "html")]
pub(super) struct NodeParseSpec {
    /// The elements that mean it.
    pub(super) tags: &'static [TagRule],
    /// Readers of attributes that are not simply the element's attribute of the same name. They return `None` if the
    /// element does not state the attribute.
    pub(super) attrs: &'static [AttrReader],
    /// Returns the source of the content.
    pub(super) content: fn(&Element<'_>, &Schema, NodeTypeId) -> Content,
}

#[cfg(feature = "html")]
impl NodeParseSpec {
    /// No element means it.
    const DEFAULT: NodeParseSpec =
        NodeParseSpec { tags: &[], attrs: &[], content: |element, _, _| Content::Of(element.id) };

    /// The elements of some names mean it.
    const fn tags(tags: &'static [TagRule]) -> NodeParseSpec {
        NodeParseSpec { tags, ..NodeParseSpec::DEFAULT }
    }
}

/// A child of a node, shown by one of its lines.
#[derive(Clone, Copy)]
pub(super) struct Child<'a> {
    pub(super) parent: &'a Node,
    pub(super) node: &'a Node,
    pub(super) index: usize,
    /// True if the line is the child's first.
    pub(super) is_first_line: bool,
}

impl Child<'_> {
    /// Returns a marker before the first line of a list item, and an indent before the others.
    fn marked(self, marker: Sign) -> Option<Sign> {
        Some(if self.is_first_line { marker } else { Sign::Indent })
    }
}

/// Returns the definition of the type with a name, be it the one in ProseMirror's own schemas.
pub(super) fn find_any(name: &str) -> Option<&'static NodeSpec> {
    let named = |spec: &&NodeSpec| spec.name == name || !name.is_empty() && spec.other_name == name;
    NODES.iter().copied().flatten().find(named)
}
