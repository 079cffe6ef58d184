//! `textStyle`: the `span` of TipTap's TextStyle extension, with what Color, BackgroundColor, FontFamily, FontSize and
//! LineHeight add to it. TipTap merges the styles of nested ones.

use super::*;
use crate::html::is_style_value;

/// The attributes and the CSS properties that they are.
const PROPERTIES: [(&str, &str); 5] = [
    ("color", "color"),
    ("backgroundColor", "background-color"),
    ("fontFamily", "font-family"),
    ("fontSize", "font-size"),
    ("lineHeight", "line-height"),
];

pub(super) const MARKS: &[MarkSpec] = &[MarkSpec {
    name: "textStyle",
    schema: r#"{
        "attrs": {
            "color": {"default": null}, "backgroundColor": {"default": null}, "fontFamily": {"default": null},
            "fontSize": {"default": null}, "lineHeight": {"default": null}
        }
    }"#,
    #[cfg(feature = "html")]
    parse: MarkParseSpec {
        tags: &[TagRule::named("span").when(|element| element.attribute("style").is_some()).first().passing()],
        attrs: &[
            ("color", |element| Some(without_quotes(element.merged_style_text("color").unwrap_or_default()))),
            ("backgroundColor", |element| {
                let color = element.merged_style_text("background-color").map(without_quotes);
                color.or_else(|| Some(element.style().background_color().into()))
            }),
            ("fontFamily", |element| Some(element.merged_style_text("font-family").unwrap_or_default().into())),
            ("fontSize", |element| Some(element.merged_style_text("font-size").unwrap_or_default().into())),
            ("lineHeight", |element| Some(element.merged_style_text("line-height").unwrap_or_default().into())),
        ],
        ..MarkParseSpec::DEFAULT
    },
    html: |writer, mark| {
        let property = |name: &str| PROPERTIES.iter().find(|(attribute, _)| *attribute == name).map(|(_, css)| css);
        let declarations = mark.attrs.iter().filter_map(|(name, value)| Some((property(name)?, value.as_str()?)));
        let declarations = declarations.filter(|(_, value)| is_style_value(value));
        let style: Vec<String> = declarations.map(|(property, value)| format!("{property}: {value};")).collect();
        writer.raw("<span");
        if !style.is_empty() {
            writer.attribute("style", &style.join(" "));
        }
        writer.raw(">");
        "span"
    },
    ..EXTENSION
}];

#[cfg(feature = "html")]
fn without_quotes(value: &str) -> Value {
    value.replace(['"', '\''], "").into()
}
