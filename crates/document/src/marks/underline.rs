//! `underline`.

use super::*;

pub(super) const MARKS: &[MarkSpec] = &[MarkSpec {
    name: "underline",
    other_name: "u",
    #[cfg(feature = "html")]
    parse: MarkParseSpec {
        tags: &[TagRule::named("u")],
        style: |style| Styled::adds_if(style.has_decoration("underline")),
        ..MarkParseSpec::DEFAULT
    },
    html: |writer, _| writer.start("u"),
    ..MarkSpec::DEFAULT
}];
