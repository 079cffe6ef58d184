//! `blockquote`.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "blockquote",
    role: Some(NodeRole::Quote),
    schema: r#"{"content": "block+", "group": "block", "defining": true}"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec::tags(&[TagRule::named("blockquote")]),
    html: |writer, node| writer.element("blockquote", node),
    child_prefix: |_| Some(Sign::Quote),
    is_plain: true,
    ..NodeSpec::DEFAULT
}];
