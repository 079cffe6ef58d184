//! `paragraph`.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "paragraph",
    role: Some(NodeRole::Paragraph),
    schema: r#"{"content": "inline*", "group": "block"}"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec::tags(&[TagRule::named("p")]),
    html: |writer, node| writer.element("p", node),
    is_plain: true,
    ..NodeSpec::DEFAULT
}];
