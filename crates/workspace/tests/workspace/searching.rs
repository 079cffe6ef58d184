//! The search for a literal text, against a naive one.

use copydesk_base::ErrorInfo;
use copydesk_test_support::random::Random;
use copydesk_workspace::{Index, MOST_MATCHES, Needle, TextQuery};

/// Returns the lines in which a match begins: compares at every character.
fn naive(text: &str, pattern: &str, case_sensitive: bool) -> Vec<usize> {
    let fold = |c: char| if case_sensitive { c } else { simple(c) };
    let text: Vec<char> = text.chars().map(fold).collect();
    let pattern: Vec<char> = pattern.chars().map(fold).collect();
    let mut lines = Vec::new();
    for at in 0..text.len() {
        if text[at..].starts_with(&pattern) {
            lines.push(1 + text[..at].iter().filter(|c| **c == '\n').count());
        }
    }
    lines.dedup();
    lines
}

/// Folds the letters of these tests, by a table.
fn simple(c: char) -> char {
    const PAIRS: &str = "AaBbKkÄäΣσςσΩωЖжＡａſsSsẞßKkÉé";
    let pairs: Vec<char> = PAIRS.chars().collect();
    pairs.chunks(2).find(|pair| pair[0] == c).map_or(c, |pair| pair[1])
}

#[test]
fn it_finds_what_a_naive_search_finds() {
    let mut random = Random::new();
    let letters: Vec<char> = "AaBbKkÄäΣσςΩωЖжＡａſsSẞßKÉé雨天。 \n🎉1".chars().collect();
    for _ in 0..3_000 {
        let text: String = (0..random.below(80)).map(|_| *random.pick(&letters)).collect();
        let pattern: String = (0..1 + random.below(3)).map(|_| *random.pick(&letters)).collect();
        for case_sensitive in [true, false] {
            let found = Needle::new(&pattern, case_sensitive).unwrap().find(&text, usize::MAX);
            let found: Vec<usize> = found.iter().map(|found| found.line).collect();
            assert_eq!(found, naive(&text, &pattern, case_sensitive), "{text:?} {pattern:?} {case_sensitive}");
        }
    }
}

#[test]
fn a_match_has_two_lines_before_and_after_it() {
    let found = Needle::new("tea", true).unwrap().find("tea\r\nb\r\nc\r\nd\r\ntea, tea\r\nf", 50);
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].before.len(), &*found[0].after.join("|")), (0, "b|c"));
    assert_eq!((&*found[1].before.join("|"), &*found[1].text, &*found[1].after.join("|")), ("c|d", "tea, tea", "f"));
}

#[test]
fn long_lines_are_cut_around_the_match() {
    let line = format!("{}needle{}", "前".repeat(1_000_000), "后".repeat(1_000_000));
    let found = &Needle::new("NEEDLE", false).unwrap().find(&line, 50)[0];
    assert!(found.text.contains("前needle后") && found.text.chars().count() < 400, "{}", found.text);
}

#[test]
fn an_index_searches_files_in_order_and_says_when_it_cuts() {
    let mut index = Index::default();
    for number in 0..60 {
        index.set(&format!("ch{number:02}.md"), "Rain. rain.\nRAIN\n");
    }
    let all = index.search(&TextQuery { limit: 1_000, ..TextQuery::literal("rain") }).unwrap();
    assert_eq!((all.matches.len(), all.is_cut), (120, false));
    let cut = index.search(&TextQuery::literal("rain")).unwrap();
    assert_eq!((cut.matches.len(), cut.is_cut), (MOST_MATCHES, true));
    assert!(
        cut.matches.iter().zip(&all.matches).all(|(one, other)| (&one.path, one.line) == (&other.path, other.line))
    );
    let exact = index.search(&TextQuery { limit: 120, ..TextQuery::literal("rain") }).unwrap();
    assert!(!exact.is_cut);
    let paths = Some(vec!["ch07.md".to_owned(), "gone.md".to_owned(), "ch03.md".to_owned()]);
    let some = index.search(&TextQuery { paths, case_sensitive: true, ..TextQuery::literal("RAIN") }).unwrap();
    let some: Vec<_> = some.matches.iter().map(|found| (found.path.as_str(), found.line)).collect();
    assert_eq!(some, [("ch07.md", 2), ("ch03.md", 2)]);
}

#[test]
fn a_changed_file_is_searched_as_it_is_now() {
    let mut index = Index::default();
    index.set("a.md", "OLD");
    assert!(!index.is_empty());
    assert_eq!(index.search(&TextQuery::literal("old")).unwrap().matches.len(), 1);
    index.set("a.md", "NEW");
    assert!(index.search(&TextQuery::literal("old")).unwrap().matches.is_empty());
    assert_eq!(index.search(&TextQuery::literal("new")).unwrap().matches.len(), 1);
    index.remove("a.md");
    assert!(index.is_empty() && index.search(&TextQuery::literal("new")).unwrap().matches.is_empty());
}

#[test]
fn a_query_without_a_limit_finds_50_lines() {
    let mut index = Index::default();
    index.set("a.md", &"rain\n".repeat(60));
    let query: TextQuery = serde_json::from_value(serde_json::json!({ "pattern": "RAIN" })).unwrap();
    assert_eq!(index.search(&query).unwrap().matches.len(), MOST_MATCHES);
}

/// Letters that `RegExp` with the flags `iu` takes for equal, and letters that it does not.
#[test]
fn letters_with_odd_capitals_are_found_as_in_the_browser() {
    let is_found = |pattern: &str, text: &str| !Needle::new(pattern, false).unwrap().find(text, 1).is_empty();
    for (one, other) in
        [("\u{1fd3}", "\u{390}"), ("\u{1fe3}", "\u{3b0}"), ("\u{fb05}", "\u{fb06}"), ("ſ", "S"), ("K", "\u{212a}")]
    {
        assert!(is_found(one, other) && is_found(other, one), "{one} {other}");
    }
    for (one, other) in [("ı", "i"), ("ı", "I"), ("ß", "ss"), ("İ", "i")] {
        assert!(!is_found(one, other) && !is_found(other, one), "{one} {other}");
    }
}

#[test]
fn an_empty_pattern_is_refused() {
    assert_eq!(Index::default().search(&TextQuery::literal("")).unwrap_err().code(), "invalid_pattern");
}

#[test]
fn an_index_finds_in_many_files_what_a_naive_search_finds() {
    let mut random = Random::new();
    let letters: Vec<char> = "AaBbKkÄäΣσς雨天。 \n🎉".chars().collect();
    for _ in 0..100 {
        let mut some =
            |longest: usize| -> String { (0..random.below(longest)).map(|_| *random.pick(&letters)).collect() };
        let files: Vec<String> = (0..20).map(|_| some(200)).collect();
        let patterns: Vec<String> = (0..30).map(|_| some(6)).filter(|pattern| !pattern.is_empty()).collect();
        let mut index = Index::default();
        (0..).zip(&files).for_each(|(at, text)| index.set(&format!("{at:02}"), text));
        for pattern in &patterns {
            for case_sensitive in [true, false] {
                let query = TextQuery { limit: usize::MAX, case_sensitive, ..TextQuery::literal(pattern) };
                let found = index.search(&query).unwrap().matches;
                let found: Vec<(String, usize)> = found.into_iter().map(|found| (found.path, found.line)).collect();
                let mut expected = Vec::new();
                for (at, text) in files.iter().enumerate() {
                    let lines = naive(text, pattern, case_sensitive).into_iter();
                    expected.extend(lines.map(|line| (format!("{at:02}"), line)));
                }
                assert_eq!(found, expected, "{pattern:?} {case_sensitive} {files:?}");
            }
        }
    }
}
