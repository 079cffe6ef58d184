//! Lines with their numbers.

use copydesk_base::{ErrorInfo, Locale};
use copydesk_test_support::random::Random;
use copydesk_workspace::{LONGEST_RESULT, WantedLines, numbered};

fn shown(text: &str, first: Option<i64>, last: Option<i64>) -> String {
    numbered(text, WantedLines { first, last }, false, Locale::En).unwrap()
}

#[test]
fn lines_end_with_a_newline_of_either_kind() {
    for text in ["a\nb\n\nc", "a\nb\n\nc\n", "a\r\nb\r\n\r\nc\r\n", "\u{feff}a\nb\n\nc\n"] {
        assert_eq!(shown(text, None, None), "1 | a\n2 | b\n3 | \n4 | c", "{text:?}");
    }
    assert_eq!(shown("a\nb\nc", Some(2), Some(2)), "2 | b");
    assert_eq!(shown("a\nb\nc", Some(2), Some(100)), "2 | b\n3 | c");
    assert_eq!(shown("", None, None), "[The file is empty.]");
}

#[test]
fn raw_lines_are_the_text_itself() {
    let range = WantedLines { first: Some(2), last: Some(3) };
    assert_eq!(numbered("a\r\nb\r\nc\r\nd", range, true, Locale::En).unwrap(), "b\r\nc\r\n");
    assert_eq!(numbered("a\nb\n", WantedLines::default(), true, Locale::En).unwrap(), "a\nb\n");
    assert_eq!(numbered("", WantedLines::default(), true, Locale::En).unwrap(), "");
}

#[test]
fn lines_that_are_not_there_are_an_error_with_the_valid_range() {
    for (first, last) in [(0, 3), (4, 4), (3, 2), (-1, 2), (i64::MAX, i64::MAX)] {
        let range = WantedLines { first: Some(first), last: Some(last) };
        let error = numbered("a\nb\nc\n", range, false, Locale::En).unwrap_err();
        assert_eq!(error.code(), "invalid_parameter");
        assert!(error.message(Locale::En).starts_with("ValueError: "), "{error}");
        assert!(error.message(Locale::En).contains("–3: the file has 3 lines"), "{error}");
    }
}

#[test]
fn a_result_over_10000_characters_is_cut_and_says_so() {
    let text: String = (1..=300).map(|line| format!("第{line}行{}\n", "字".repeat(95))).collect();
    let cut = numbered(&text, WantedLines::default(), false, Locale::ZhCn).unwrap();
    let (lines, note) = cut.rsplit_once('\n').unwrap();
    let last = lines.lines().count();
    assert_eq!(note, format!("[已截断：文件共 300 行，以上为第 1–{last} 行。继续读取请用 start_line {}。]", last + 1));
    assert!(lines.chars().count() <= LONGEST_RESULT);
    let next = text.lines().nth(last).unwrap();
    assert!(lines.chars().count() + 1 + format!("{} | {next}", last + 1).chars().count() > LONGEST_RESULT);
    let rest = numbered(&text, WantedLines { first: Some(last as i64 + 1), last: None }, false, Locale::ZhCn).unwrap();
    assert!(rest.starts_with(&format!("{} | {next}\n", last + 1)));
}

#[test]
fn exactly_10000_characters_are_not_cut() {
    let text = format!("{}\n", "字".repeat(LONGEST_RESULT - "1 | ".len()));
    assert_eq!(shown(&text, None, None).chars().count(), LONGEST_RESULT);
    let longer = format!("字{text}");
    let cut = shown(&longer, None, None);
    assert!(cut.ends_with("of which the first 9996 are shown. Find text in the rest with search_files.]"), "{cut}");
}

#[test]
fn reading_on_shows_every_line_once() {
    let mut random = Random::new();
    for _ in 0..20 {
        let lines: Vec<String> = (0..1 + random.below(400)).map(|_| "é汉🎉x".repeat(random.below(60))).collect();
        let text = lines.join(*random.pick(&["\n", "\r\n"])) + "\n";
        let (mut seen, mut next) = (Vec::new(), 1);
        while next <= lines.len() {
            let part = shown(&text, Some(next as i64), None);
            let is_line = |line: &&str| !line.starts_with("[Cut: ");
            seen.extend(part.split('\n').filter(is_line).map(str::to_owned));
            assert!(seen.len() >= next, "no progress at line {next}");
            next = seen.len() + 1;
        }
        let expected: Vec<String> = (1..).zip(&lines).map(|(number, line)| format!("{number} | {line}")).collect();
        assert_eq!(seen, expected);
    }
}
