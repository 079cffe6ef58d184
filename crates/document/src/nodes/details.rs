//! `details`, `detailsSummary` and `detailsContent`: TipTap's Details extension, a summary that shows and hides
//! content.

use super::*;
use crate::html::javascript::is_truthy;
use crate::notation::SUMMARY;

pub(super) const NODES: &[NodeSpec] = &[
    NodeSpec {
        name: "details",
        role: Some(NodeRole::Details),
        schema: r#"{
            "content": "detailsSummary detailsContent", "group": "block", "defining": true, "isolating": true,
            "attrs": {"open": {"default": false}}
        }"#,
        #[cfg(feature = "html")]
        parse: NodeParseSpec {
            tags: &[TagRule::named("details")],
            // Only where the extension is configured with `persist`.
            attrs: &[("open", |details| Some(details.attribute("open").is_some().into()))],
            ..NodeParseSpec::DEFAULT
        },
        html: |writer, details| {
            writer.raw("<details");
            if details.attrs().get("open").is_some_and(is_truthy) {
                writer.attribute("open", "");
            }
            writer.raw(">");
            writer.fragment(details.children());
            writer.close("details");
        },
        ..EXTENSION
    },
    NodeSpec {
        name: "detailsSummary",
        role: Some(NodeRole::Summary),
        schema: r#"{"content": "text*", "defining": true, "isolating": true}"#,
        #[cfg(feature = "html")]
        parse: NodeParseSpec::tags(&[TagRule::named("summary")]),
        html: |writer, node| writer.element("summary", node),
        prefix: Some(|_| Some(Sign::Own(SUMMARY.to_owned()))),
        is_plain: true,
        ..EXTENSION
    },
    NodeSpec {
        name: "detailsContent",
        role: Some(NodeRole::DetailsContent),
        schema: r#"{"content": "block+", "defining": true}"#,
        #[cfg(feature = "html")]
        parse: NodeParseSpec::tags(&[TagRule::named("div").when(|element| element.is_of_type("detailsContent"))]),
        html: |writer, content| {
            writer.raw("<div data-type=\"detailsContent\">");
            writer.fragment(content.children());
            writer.close("div");
        },
        child_prefix: |_| Some(Sign::Indent),
        is_plain: true,
        ..EXTENSION
    },
];
