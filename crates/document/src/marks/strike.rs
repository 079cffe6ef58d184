//! `strike`.

use super::*;

pub(super) const MARKS: &[MarkSpec] = &[MarkSpec {
    name: "strike",
    other_name: "s",
    #[cfg(feature = "html")]
    parse: MarkParseSpec {
        tags: &[TagRule::named("s"), TagRule::named("del"), TagRule::named("strike")],
        style: |style| Styled::adds_if(style.has_decoration("line-through")),
        ..MarkParseSpec::DEFAULT
    },
    html: |writer, _| writer.start("s"),
    ..MarkSpec::DEFAULT
}];
