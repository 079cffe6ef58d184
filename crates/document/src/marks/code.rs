//! `code`.

use super::*;

pub(super) const MARKS: &[MarkSpec] = &[MarkSpec {
    name: "code",
    schema: r#"{"excludes": "_"}"#,
    #[cfg(feature = "html")]
    parse: MarkParseSpec { tags: &[TagRule::named("code")], ..MarkParseSpec::DEFAULT },
    html: |writer, _| writer.start("code"),
    ..MarkSpec::DEFAULT
}];
