//! `tableHeader`: a cell that is the heading of a row or column.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "tableHeader",
    other_name: "table_header",
    role: Some(NodeRole::HeaderCell),
    #[cfg(feature = "html")]
    parse: NodeParseSpec { tags: &[TagRule::named("th")], ..table_cell::PARSE },
    html: |writer, node| table_cell::write(writer, "th", node),
    ..table_cell::CELL
}];
