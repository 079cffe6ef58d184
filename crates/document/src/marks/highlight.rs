//! `highlight`: TipTap's Highlight extension, with a color where it is configured with `multicolor`.

use super::*;
use crate::html::is_style_value;

pub(super) const MARKS: &[MarkSpec] = &[MarkSpec {
    name: "highlight",
    schema: r#"{"attrs": {"color": {"default": null}}}"#,
    #[cfg(feature = "html")]
    parse: MarkParseSpec {
        tags: &[TagRule::named("mark")],
        attrs: &[("color", |element| {
            let given = element.attribute("data-color").filter(|color| !color.is_empty());
            let color = given.or_else(|| element.style_text("background-color").filter(|color| !color.is_empty()));
            Some(color.map_or_else(|| element.style().background_color().into(), Value::from))
        })],
        ..MarkParseSpec::DEFAULT
    },
    html: |writer, highlight| {
        writer.raw("<mark");
        if let Some(color) = highlight.attrs.text("color").filter(|color| is_style_value(color)) {
            writer.attribute("data-color", color);
            if !writer.is_short() {
                writer.attribute("style", &format!("background-color: {color}; color: inherit;"));
            }
        }
        writer.raw(">");
        "mark"
    },
    ..EXTENSION
}];
