//! `emoji`: TipTap's Emoji extension, an emoji by its name.
//!
//! The options of the extension map names to emoji, so HTML has the name where TipTap writes the emoji.

use super::*;
use crate::html::javascript::to_text;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "emoji",
    schema: r#"{"group": "inline", "inline": true, "attrs": {"name": {"default": null}}}"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec {
        tags: &[TagRule::named("span").when(|span| span.is_of_type("emoji") && span.attribute("data-name").is_some())],
        attrs: &[("name", |emoji| emoji.verbatim("data-name"))],
        ..NodeParseSpec::DEFAULT
    },
    html: |writer, emoji| {
        let name = emoji.attrs().get("name").unwrap_or(&Value::Null);
        writer.raw("<span");
        writer.attributes([("data-name", name)].into_iter());
        writer.attribute("data-type", "emoji");
        writer.raw(">");
        writer.text(&format!(":{}:", to_text(name)));
        writer.close("span");
    },
    text: Some(|emoji| match emoji.attrs().text("name").map(str::trim) {
        Some(name) if !name.is_empty() => format!(":{name}:"),
        _ => String::new(),
    }),
    ..EXTENSION
}];
