//! `heading`.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "heading",
    role: Some(NodeRole::Heading),
    schema: r#"{
        "content": "inline*", "group": "block", "defining": true, "attrs": {"level": {"default": 1}}
    }"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec {
        tags: &[
            TagRule::named("h1"),
            TagRule::named("h2"),
            TagRule::named("h3"),
            TagRule::named("h4"),
            TagRule::named("h5"),
            TagRule::named("h6"),
        ],
        // An attribute of that name comes before the name of the element.
        attrs: &[("level", |element| {
            let by_name = || element.name()[1..].parse::<u8>().ok().map(Value::from);
            element.value("level").or_else(by_name)
        })],
        ..NodeParseSpec::DEFAULT
    },
    html: |writer, node| writer.element(tag(node.attrs().get("level")), node),
    prefix: Some(|node| {
        let level = node.attrs().get("level").and_then(Value::as_u64)?;
        Some(Sign::Heading(level.clamp(1, 6) as u8))
    }),
    is_plain: true,
    ..NodeSpec::DEFAULT
}];

fn tag(level: Option<&Value>) -> &'static str {
    match level.and_then(Value::as_f64) {
        Some(2.0) => "h2",
        Some(3.0) => "h3",
        Some(4.0) => "h4",
        Some(5.0) => "h5",
        Some(6.0) => "h6",
        _ => "h1",
    }
}
