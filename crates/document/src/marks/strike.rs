//! `strike`.

use super::*;

pub(super) const MARKS: &[MarkSpec] = &[MarkSpec {
    name: "strike",
    other_name: "s",
    #[cfg(feature = "html")]
    parse: ParseSpec {
        tags: &[Tag::named("s"), Tag::named("del"), Tag::named("strike")],
        style: |style| Styled::adds_if(style.has_decoration("line-through")),
        ..ParseSpec::DEFAULT
    },
    html: |writer, _| writer.start("s"),
    ..MarkSpec::DEFAULT
}];
