//! Long lines in results, against a naive version.

use copydesk_test_support::random::Random;
use copydesk_workspace::{CheckKind, Index, Needle};

/// The part of a line that a result shows for a match at a character.
fn naive(line: &str, at: usize) -> String {
    let signs: Vec<char> = line.chars().collect();
    let start = if at < 200 { 0 } else { at - 100 };
    if signs.len() <= 300 {
        return line.to_owned();
    }
    let shown: String = signs.iter().skip(start).take(300).collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if start + 300 < signs.len() { "…" } else { "" };
    format!("{before}{shown}{after}")
}

#[test]
fn matches_and_findings_show_the_line_around_them() {
    let mut random = Random::new();
    for _ in 0..300 {
        let mut some = |longest: usize| -> String {
            (0..random.below(longest)).map(|_| *random.pick(&["a", "茶", "🍵", "é"])).collect()
        };
        let (other, before, after) = (some(700), some(700), some(700));
        let line = format!("{before}[REF:x]{after}");
        let at = before.chars().count();
        for end in ["\n", "\r\n"] {
            let text = format!("{other}{end}{line}{end}{other}");
            let found = Needle::new("[REF:x]", true).unwrap().find(&text, 9);
            let [found] = &found[..] else { panic!("{text:?}") };
            assert_eq!((found.line, &found.text), (2, &naive(&line, at)), "{text:?}");
            assert_eq!(found.before, [naive(&other, 0)]);
            assert_eq!(found.after, if other.is_empty() { vec![] } else { vec![naive(&other, 0)] });
            let mut index = Index::default();
            index.set("ch1.md", &text);
            let report = index.check(CheckKind::References);
            assert_eq!((report.errors[0].line, &report.errors[0].text), (2, &naive(&line, at)), "{text:?}");
        }
    }
}
