//! Random HTML for documents that are edited.

use crate::random::Random;

/// HTML of up to `most` blocks.
pub fn blocks(random: &mut Random, most: usize) -> String {
    (0..1 + random.below(most)).map(|_| block(random, 2)).collect()
}

fn block(random: &mut Random, depth: usize) -> String {
    match random.below(if depth == 0 { 5 } else { 10 }) {
        0 | 1 => format!("<p>{}</p>", inline(random)),
        2 => format!("<h2>{}</h2>", inline(random)),
        3 => "<pre><code>let a = 1;\nlet b = 2;</code></pre>".replace('1', pick(random, &["1", "😀", "x y"])),
        4 => pick(random, &["<hr>", "<img src=\"/a.png\" alt=\"a\">", "<img src=\"/b.png\">", "<p></p>"]).to_owned(),
        5 => format!("<ul>{}</ul>", items(random, depth)),
        6 => format!("<ol>{}</ol>", items(random, depth)),
        7 => format!("<blockquote>{}</blockquote>", block(random, depth - 1)),
        8 => {
            format!("<table><tbody><tr><td>{}</td><td>{}</td></tr></tbody></table>", block(random, 0), block(random, 0))
        }
        _ => format!("<ul data-type=\"taskList\"><li data-type=\"taskItem\"><p>{}</p></li></ul>", inline(random)),
    }
}

fn items(random: &mut Random, depth: usize) -> String {
    (0..1 + random.below(3))
        .map(|_| {
            format!(
                "<li><p>{}</p>{}</li>",
                inline(random),
                if random.below(3) == 0 { block(random, depth - 1) } else { String::new() }
            )
        })
        .collect()
}

fn inline(random: &mut Random) -> String {
    (0..random.below(6))
        .map(|_| {
            let word = pick(
                random,
                &["tea ", "leaf ", "茶", "叶子 ", "👨‍👩‍👧‍👦", "e\u{301}t\u{e9} ", "𝔸", "one two ", "<br>", "&amp;"],
            );
            match random.below(5) {
                0 => format!("<strong>{word}</strong>"),
                1 => format!("<a href=\"https://example.org/\">{word}</a>"),
                _ => word.to_owned(),
            }
        })
        .collect()
}

fn pick<'a>(random: &mut Random, from: &[&'a str]) -> &'a str {
    from[random.below(from.len())]
}
