//! Content as models write it: detecting its format.

use super::sources::*;
use super::{Family, family};
use copydesk_edit::content::{Format, is_inline, to_html};
use copydesk_edit::guard;

pub fn families() -> Vec<Family> {
    let of = |name, unit, make: fn(usize) -> String| family(name, unit, make, |text: &String| Format::of(text));
    vec![
        of("format of prose", 2000, |n| repeat(n, |at| sentence(at) + "\n")),
        of("format of comparisons", 4000, |n| "a < b and ".repeat(n)),
        of("format of comparisons that close at last", 4000, |n| "a <b and ".repeat(n) + ">"),
        of("format of unknown tags", 1000, |n| repeat(n, |at| format!("<x{at}> "))),
        of("format of fences that nothing closes", 2000, |n| "```a\n".repeat(n)),
        of("format of fences of other lengths", 20_000, |n| {
            let most = (2.0 * n as f64).sqrt() as usize;
            repeat(most, |at| "`".repeat(most - at) + "a\n")
        }),
        of("format of ends of links", 4000, |n| "a](".repeat(n)),
        of("format of links that close at last", 4000, |n| "[a](b ".repeat(n) + ")"),
        of("format of half bold text", 4000, |n| "a** b ".repeat(n)),
        of("format of dashes", 4000, |n| "- \n\n".repeat(n)),
        of("format of numbers", 4000, |n| repeat(n, |at| format!("{}.\n\n  a\n", at * 2))),
        of("format of backticks", 4000, |n| "a ` b `` c ".repeat(n)),
        family("inline HTML or not", 2000, |n| "a <b>b</b> ".repeat(n), |text: &String| is_inline(text)),
        family("text as paragraphs", 2000, |n| "a & b\n\n".repeat(n), |text: &String| to_html(text)),
        family(
            "addresses in HTML looked at",
            1000,
            |n| (repeat(n, |at| format!("<a href='javascript:{at}'>a</a>")), document("<p>a</p>")),
            |(html, document)| guard::check_html(&[html], document).expect_err("the addresses are refused"),
        ),
        family(
            "addresses in HTML looked at, n of them in the document",
            500,
            |n| {
                let json = repeat(n, |at| format!(r#"{{"type":"image","attrs":{{"src":"javascript:{at}"}}}},"#));
                let json = format!(r#"{{"type":"doc","content":[{}]}}"#, json.trim_end_matches(','));
                (repeat(n, |at| format!("<img src='javascript:{at}'>")), from_json(&json))
            },
            |(html, document)| guard::check_html(&[html], document).is_err(),
        ),
    ]
}
