//! `tableRow`.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "tableRow",
    other_name: "table_row",
    role: Some(NodeRole::Row),
    schema: r#"{"content": "(tableCell | tableHeader)*"}"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec::tags(&[TagRule::named("tr")]),
    html: |writer, node| writer.element("tr", node),
    child_prefix: |_| Some(Sign::Cell),
    is_plain: true,
    ..NodeSpec::DEFAULT
}];
