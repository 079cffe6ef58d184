//! `hardBreak`.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "hardBreak",
    other_name: "hard_break",
    role: Some(NodeRole::LineBreak),
    schema: r#"{"group": "inline", "inline": true, "linebreakReplacement": true}"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec::tags(&[TagRule::named("br")]),
    html: |writer, _| writer.raw("<br>"),
    is_plain: true,
    ..NodeSpec::DEFAULT
}];
