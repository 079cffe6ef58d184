//! `superscript`.

use super::*;

pub(super) const MARKS: &[MarkSpec] = &[MarkSpec {
    name: "superscript",
    #[cfg(feature = "html")]
    parse: MarkParseSpec {
        tags: &[TagRule::named("sup")],
        style: |style| Styled::adds_if(style.vertical_align() == "super"),
        ..MarkParseSpec::DEFAULT
    },
    html: |writer, _| writer.start("sup"),
    ..EXTENSION
}];
