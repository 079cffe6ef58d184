//! `superscript`.

use super::*;

pub(super) const MARKS: &[MarkSpec] = &[MarkSpec {
    name: "superscript",
    #[cfg(feature = "html")]
    parse: ParseSpec {
        tags: &[Tag::named("sup")],
        style: |style| Styled::adds_if(style.vertical_align() == "super"),
        ..ParseSpec::DEFAULT
    },
    html: |writer, _| writer.start("sup"),
    ..EXTENSION
}];
