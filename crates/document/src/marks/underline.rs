//! `underline`.

use super::*;

pub(super) const MARKS: &[MarkSpec] = &[MarkSpec {
    name: "underline",
    other_name: "u",
    #[cfg(feature = "html")]
    parse: ParseSpec {
        tags: &[Tag::named("u")],
        style: |style| Styled::adds_if(style.has_decoration("underline")),
        ..ParseSpec::DEFAULT
    },
    html: |writer, _| writer.start("u"),
    ..MarkSpec::DEFAULT
}];
