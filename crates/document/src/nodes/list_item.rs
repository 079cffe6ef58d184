//! `listItem`.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "listItem",
    other_name: "list_item",
    role: Some(NodeRole::ListItem),
    schema: r#"{"content": "paragraph block*", "defining": true}"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec::tags(&[TagRule::named("li")]),
    html: |writer, node| writer.element("li", node),
    is_plain: true,
    ..NodeSpec::DEFAULT
}];
