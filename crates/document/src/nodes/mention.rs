//! `mention`: TipTap's Mention extension, the name of somebody or something behind the sign that it was chosen with.

use super::*;
use crate::html::javascript::{is_truthy, to_text};

/// The attributes and their names in HTML.
const DATA: [(&str, &str); 3] =
    [("id", "data-id"), ("label", "data-label"), ("mentionSuggestionChar", "data-mention-suggestion-char")];

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "mention",
    schema: r#"{
        "group": "inline", "inline": true, "atom": true,
        "attrs": {"id": {"default": null}, "label": {"default": null}, "mentionSuggestionChar": {"default": "@"}}
    }"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec {
        tags: &[TagRule::named("span").when(|span| {
            span.is_of_type("mention") && DATA.iter().any(|(_, attribute)| span.attribute(attribute).is_some())
        })],
        attrs: &[
            ("id", |mention| mention.verbatim("data-id")),
            ("label", |mention| mention.verbatim("data-label")),
            ("mentionSuggestionChar", |mention| mention.verbatim("data-mention-suggestion-char")),
        ],
        ..NodeParseSpec::DEFAULT
    },
    html: |writer, mention| {
        writer.raw("<span");
        writer.attribute("data-type", "mention");
        writer.attributes(DATA.iter().filter_map(|(name, attribute)| {
            let value = mention.attrs().get(name)?;
            (*name == "mentionSuggestionChar" || is_truthy(value)).then_some((*attribute, value))
        }));
        writer.raw(">");
        writer.text(&written(mention));
        writer.close("span");
    },
    text: Some(shown),
    ..EXTENSION
}];

fn sign(mention: &Node) -> &str {
    mention.attrs().text("mentionSuggestionChar").filter(|sign| !sign.is_empty()).unwrap_or("@")
}

/// Returns the text that TipTap writes into the element.
fn written(mention: &Node) -> String {
    let value = |name: &str| mention.attrs().get(name).filter(|value| !value.is_null());
    let name = value("label").or_else(|| value("id")).unwrap_or(&Value::Null);
    format!("{}{}", sign(mention), to_text(name))
}

/// Returns the label, or else the id, behind the sign.
fn shown(mention: &Node) -> String {
    let (attrs, sign) = (mention.attrs(), sign(mention));
    let name = attrs.text("label").filter(|label| !label.trim().is_empty()).map(str::to_owned);
    let id = || match attrs.get("id") {
        Some(Value::String(id)) => Some(id.clone()).filter(|id| !id.trim().is_empty()),
        Some(Value::Number(id)) => Some(id.to_string()),
        _ => None,
    };
    match name.or_else(id) {
        Some(name) if name.starts_with(sign) => name,
        Some(name) => format!("{sign}{}", name.trim_start()),
        None => String::new(),
    }
}
