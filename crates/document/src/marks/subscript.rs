//! `subscript`.

use super::*;

pub(super) const MARKS: &[MarkSpec] = &[MarkSpec {
    name: "subscript",
    #[cfg(feature = "html")]
    parse: ParseSpec {
        tags: &[Tag::named("sub")],
        style: |style| Styled::adds_if(style.vertical_align() == "sub"),
        ..ParseSpec::DEFAULT
    },
    html: |writer, _| writer.start("sub"),
    ..EXTENSION
}];
