//! `italic`.

use super::*;

pub(super) const MARKS: &[MarkSpec] = &[MarkSpec {
    name: "italic",
    other_name: "em",
    #[cfg(feature = "html")]
    parse: MarkParseSpec {
        tags: &[TagRule::named("em"), TagRule::named("i").when(|element| element.style().font_style() != "normal")],
        style: |style| match style.font_style() {
            "normal" => Styled::Clears,
            style => Styled::adds_if(style == "italic"),
        },
        ..MarkParseSpec::DEFAULT
    },
    html: |writer, _| writer.start("em"),
    ..MarkSpec::DEFAULT
}];
