//! Random documents from a seed that is printed.

/// SplitMix64: small, and the same on every platform.
pub struct Random(u64);

impl Random {
    /// From `COPYDESK_SEED`, or from a fixed seed.
    pub fn seeded() -> Random {
        let seed = std::env::var("COPYDESK_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20_261_121);
        println!("COPYDESK_SEED={seed}");
        Random(seed)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    pub fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    /// HTML of up to `most` blocks.
    pub fn blocks(&mut self, most: usize) -> String {
        (0..1 + self.below(most)).map(|_| self.block(2)).collect()
    }

    fn block(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 5 } else { 10 }) {
            0 | 1 => format!("<p>{}</p>", self.inline()),
            2 => format!("<h2>{}</h2>", self.inline()),
            3 => "<pre><code>let a = 1;\nlet b = 2;</code></pre>".replace('1', self.pick(&["1", "😀", "x y"])),
            4 => self.pick(&["<hr>", "<img src=\"/a.png\" alt=\"a\">", "<img src=\"/b.png\">", "<p></p>"]).to_owned(),
            5 => format!("<ul>{}</ul>", self.items(depth)),
            6 => format!("<ol>{}</ol>", self.items(depth)),
            7 => format!("<blockquote>{}</blockquote>", self.block(depth - 1)),
            8 => format!("<table><tbody><tr><td>{}</td><td>{}</td></tr></tbody></table>", self.block(0), self.block(0)),
            _ => format!("<ul data-type=\"taskList\"><li data-type=\"taskItem\"><p>{}</p></li></ul>", self.inline()),
        }
    }

    fn items(&mut self, depth: usize) -> String {
        (0..1 + self.below(3))
            .map(|_| {
                format!(
                    "<li><p>{}</p>{}</li>",
                    self.inline(),
                    if self.below(3) == 0 { self.block(depth - 1) } else { String::new() }
                )
            })
            .collect()
    }

    fn inline(&mut self) -> String {
        (0..self.below(6))
            .map(|_| {
                let word = self.pick(&[
                    "tea ",
                    "leaf ",
                    "茶",
                    "叶子 ",
                    "👨‍👩‍👧‍👦",
                    "e\u{301}t\u{e9} ",
                    "𝔸",
                    "one two ",
                    "<br>",
                    "&amp;",
                ]);
                match self.below(5) {
                    0 => format!("<strong>{word}</strong>"),
                    1 => format!("<a href=\"https://example.org/\">{word}</a>"),
                    _ => word.to_owned(),
                }
            })
            .collect()
    }
}
