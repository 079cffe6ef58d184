//! `orderedList`.

use super::*;
#[cfg(feature = "html")]
use crate::html::javascript::{is_space, parse_int};
use crate::html::javascript::{is_truthy, to_text};

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "orderedList",
    other_name: "ordered_list",
    role: Some(NodeRole::OrderedList),
    schema: r#"{
        "content": "listItem+", "group": "block list", "attrs": {"start": {"default": 1}, "type": {"default": null}}
    }"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec {
        tags: &[TagRule::named("ol")],
        attrs: &[
            ("start", |element| element.attribute("start").map(parse_int)),
            ("type", |element| numbering(element).map(Value::from)),
        ],
        ..NodeParseSpec::DEFAULT
    },
    html: write,
    child_prefix: |child| {
        let start = child.parent.first_number().unwrap_or(1);
        child.marked(Sign::Number(start.saturating_add(child.index as i64)))
    },
    is_plain: true,
    ..NodeSpec::DEFAULT
}];

fn write(writer: &mut Writer<'_>, list: &Node) {
    writer.raw("<ol");
    match list.attrs().get("start") {
        // A value that was not a number when it was parsed is null in JSON, and still "NaN" to the page.
        Some(Value::Null) => writer.attribute("start", "NaN"),
        Some(start) if start.as_f64() != Some(1.0) => writer.attribute("start", &to_text(start)),
        _ => {}
    }
    if let Some(kind) = list.attrs().get("type").filter(|kind| is_truthy(kind) && kind.as_str() != Some("1")) {
        writer.attribute("type", &to_text(kind));
    }
    writer.raw(">");
    writer.fragment(list.children());
    writer.close("ol");
}

/// Returns the kind of numbers a list has, by its attribute, its style, or the style of its first item.
#[cfg(feature = "html")]
fn numbering(list: &Element<'_>) -> Option<String> {
    if let Some(kind) = list.attribute("type").filter(|kind| !kind.is_empty()) {
        return Some(kind.to_owned());
    }
    let styled = |element| list.dom.attribute(element, "style").and_then(list_style_type).map(str::to_owned);
    styled(list.id).or_else(|| {
        let first = list.dom.descendants(list.id).find(|id| list.dom.name(*id) == Some("li"))?;
        styled(first)
    })
}

/// Returns the first `list-style-type` in a style's text, as the letter that HTML has for it.
#[cfg(feature = "html")]
fn list_style_type(style: &str) -> Option<&'static str> {
    const NAME: &str = "list-style-type";
    let lower = style.to_ascii_lowercase();
    let value = lower.match_indices(NAME).find_map(|(at, _)| {
        let rest =
            lower[at + NAME.len()..].trim_start_matches(is_space).strip_prefix(':')?.trim_start_matches(is_space);
        let value = rest.split(';').next().unwrap_or("");
        (!value.is_empty()).then(|| value.trim_matches(is_space))
    })?;
    match value {
        "upper-roman" => Some("I"),
        "lower-roman" => Some("i"),
        "upper-alpha" | "upper-latin" => Some("A"),
        "lower-alpha" | "lower-latin" => Some("a"),
        _ => None,
    }
}
