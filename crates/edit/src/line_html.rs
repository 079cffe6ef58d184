//! HTML of the content of one line.

use copydesk_document::{Document, Marks, Node, NodeTypeId, Schema};
use std::borrow::Cow;

/// Returns HTML that is one paragraph as the textblock of the schema that takes most of what may be in a line, without which
/// the parser puts the text into the first textblock that it finds.
pub fn in_textblock<'h>(document: &Document, html: &'h str) -> Cow<'h, str> {
    let schema = document.schema();
    let inside = || html.trim().strip_prefix("<p>")?.strip_suffix("</p>").filter(|inside| !inside.contains("</p>"));
    let Some(kind) = widest_textblock(schema).filter(|kind| schema.name(*kind) != "paragraph") else {
        return html.into();
    };
    let Some(inside) = inside() else { return html.into() };
    let empty = document.html_of(&[Node::new(schema, kind, schema.default_attrs(kind), Vec::new(), Marks::NONE)]);
    match empty.split_once("></") {
        Some((start, end)) => format!("{start}>{inside}</{end}").into(),
        None => html.into(),
    }
}

/// Returns the type of textblocks at the top level that takes most types of marks and nodes, a paragraph if it takes as many.
fn widest_textblock(schema: &Schema) -> Option<NodeTypeId> {
    let takes = |kind: NodeTypeId| {
        let block = schema.node_type(kind);
        let marks = schema.mark_types().iter().filter_map(|mark| schema.find_mark(&mark.name));
        marks.filter(|mark| block.allows_mark(*mark)).count() + schema.edges(block.content_match).len()
    };
    let edges = schema.edges(schema.node_type(schema.top_type()).content_match).iter().map(|(kind, _)| *kind);
    let blocks = edges.filter(|kind| schema.is_textblock(*kind) && !schema.node_type(*kind).code);
    blocks.rev().max_by_key(|kind| (takes(*kind), schema.name(*kind) == "paragraph"))
}
