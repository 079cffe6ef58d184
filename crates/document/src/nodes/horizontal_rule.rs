//! `horizontalRule`.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "horizontalRule",
    other_name: "horizontal_rule",
    role: Some(NodeRole::Rule),
    schema: r#"{"group": "block"}"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec::tags(&[TagRule::named("hr")]),
    html: |writer, _| writer.raw("<hr>"),
    prefix: Some(|_| Some(Sign::Own("---".to_owned()))),
    is_plain: true,
    ..NodeSpec::DEFAULT
}];
