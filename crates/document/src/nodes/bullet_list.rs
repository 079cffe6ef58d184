//! `bulletList`.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "bulletList",
    other_name: "bullet_list",
    role: Some(NodeRole::BulletList),
    schema: r#"{"content": "listItem+", "group": "block list"}"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec::tags(&[TagRule::named("ul")]),
    html: |writer, node| writer.element("ul", node),
    child_prefix: |child| child.marked(Sign::Bullet),
    is_plain: true,
    ..NodeSpec::DEFAULT
}];
