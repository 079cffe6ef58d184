//! `mention`: TipTap's Mention extension, the name of somebody or something behind the sign that it was chosen with.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec { name: "mention", text: Some(shown), ..EXTENSION }];

/// Returns the label, or else the id, behind the sign.
fn shown(mention: &Node) -> String {
    let attrs = mention.attrs();
    let sign = attrs.text("mentionSuggestionChar").filter(|sign| !sign.is_empty()).unwrap_or("@");
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
