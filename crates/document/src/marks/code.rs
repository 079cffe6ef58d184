//! `code`.

use super::*;

pub(super) const MARKS: &[MarkSpec] = &[MarkSpec {
    name: "code",
    schema: r#"{"excludes": "_"}"#,
    #[cfg(feature = "html")]
    parse: ParseSpec { tags: &[Tag::named("code")], ..ParseSpec::DEFAULT },
    html: |writer, _| writer.start("code"),
    ..MarkSpec::DEFAULT
}];
