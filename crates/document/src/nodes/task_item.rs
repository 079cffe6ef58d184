//! `taskItem`.

use super::*;
use crate::html::javascript::{is_truthy, to_text};

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "taskItem",
    role: Some(NodeRole::TaskItem),
    schema: r#"{"content": "paragraph+", "defining": true, "attrs": {"checked": {"default": false}}}"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec {
        tags: &[TagRule::named("li").first().when(|item| item.attribute("data-type") == Some("taskItem"))],
        attrs: &[("checked", |item| Some(matches!(item.attribute("data-checked"), Some("" | "true")).into()))],
        content: |item, _, _| {
            let first = item.dom.descendants(item.id).find(|id| item.dom.name(*id) == Some("div"));
            Content::Of(first.unwrap_or(item.id))
        },
    },
    html: write,
    is_plain: true,
    ..NodeSpec::DEFAULT
}];

fn write(writer: &mut Writer<'_>, item: &Node) {
    let checked = item.attrs().get("checked");
    writer.raw("<li");
    if let Some(checked) = checked.filter(|checked| !checked.is_null()) {
        writer.attribute("data-checked", &to_text(checked));
    }
    writer.raw(" data-type=\"taskItem\"><label><input type=\"checkbox\"");
    writer.raw(if checked.is_some_and(is_truthy) { " checked=\"checked\"" } else { "" });
    writer.raw("><span></span></label><div>");
    writer.fragment(item.children());
    writer.raw("</div></li>");
}
