//! `callout`: blocks in a box.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "callout",
    schema: r#"{"content": "block+", "group": "block", "attrs": {"kind": {"default": "note"}}}"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec {
        tags: &[TagRule::named("aside")],
        attrs: &[("kind", |aside| Some(aside.attribute("data-kind")?.into()))],
        ..NodeParseSpec::DEFAULT
    },
    html: |writer, callout| {
        writer.raw("<aside");
        if let Some(kind) = callout.attrs().get("kind").and_then(Value::as_str) {
            writer.attribute("data-kind", kind);
        }
        writer.raw(">");
        writer.fragment(callout.children());
        writer.close("aside");
    },
    child_prefix: |_| Some(Sign::Indent),
    ..NodeSpec::DEFAULT
}];
