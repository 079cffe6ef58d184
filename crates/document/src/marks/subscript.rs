//! `subscript`.

use super::*;

pub(super) const MARKS: &[MarkSpec] = &[MarkSpec {
    name: "subscript",
    #[cfg(feature = "html")]
    parse: MarkParseSpec {
        tags: &[TagRule::named("sub")],
        style: |style| Styled::adds_if(style.vertical_align() == "sub"),
        ..MarkParseSpec::DEFAULT
    },
    html: |writer, _| writer.start("sub"),
    ..EXTENSION
}];
