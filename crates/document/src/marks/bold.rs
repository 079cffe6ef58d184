//! `bold`.

use super::*;

pub(super) const MARKS: &[MarkSpec] = &[MarkSpec {
    name: "bold",
    other_name: "strong",
    #[cfg(feature = "html")]
    parse: MarkParseSpec {
        tags: &[
            TagRule::named("strong"),
            TagRule::named("b").when(|element| element.style().font_weight() != "normal"),
        ],
        style: |style| match style.font_weight() {
            "400" => Styled::Clears,
            weight => Styled::adds_if(is_bold(weight)),
        },
        ..MarkParseSpec::DEFAULT
    },
    html: |writer, _| writer.start("strong"),
    ..MarkSpec::DEFAULT
}];

/// Returns whether a weight is `bold`, `bolder`, or a number from 500 up as long as it begins with a digit from 5.
#[cfg(feature = "html")]
fn is_bold(weight: &str) -> bool {
    let is_number = weight.len() > 2 && weight.bytes().all(|byte| byte.is_ascii_digit());
    matches!(weight, "bold" | "bolder") || is_number && weight.as_bytes()[0] >= b'5'
}
