//! Texts that no writer wrote: no panic, and a result in bounds.

use copydesk_base::Locale;
use copydesk_test_support::random::Random;
use copydesk_workspace::{
    CheckKind, Index, LONGEST_RESULT, MOST_FINDINGS, Needle, TextQuery, WantedLines, numbered, replace_once,
};

#[test]
fn a_line_of_10_mb_is_read_searched_replaced_and_checked() {
    let line = format!("{}[REF:x]第3天", "字".repeat(3_300_000));
    let shown = numbered(&line, WantedLines::default(), false, Locale::En).unwrap();
    assert!(shown.chars().count() < LONGEST_RESULT + 300);
    assert_eq!(Needle::new("第3天", false).unwrap().find(&line, 50)[0].line, 1);
    let replaced = replace_once("f.md", &line, "[REF:x]", "").unwrap();
    assert_eq!(replaced.text.len(), line.len() - "[REF:x]".len());
    assert!(replace_once("f.md", &line, "nothing like it", "").is_err());
    let mut index = Index::default();
    index.set("ch1.md", &line);
    let report = index.check(CheckKind::References);
    assert!(report.errors[0].text.chars().count() < 400 && report.errors[0].text.contains("[REF:x]"));
    assert!(index.check(CheckKind::Timeline).errors.is_empty());
}

#[test]
fn random_texts_of_marks_cause_no_panic() {
    let parts = [
        "第",
        "天",
        "一",
        "百",
        "零",
        "9",
        "９",
        " ",
        "\u{3000}",
        "Day ",
        "DAY",
        "[TIME:",
        "[REF:",
        "[SETUP:",
        "]",
        "[",
        "2024-01-31",
        "\n",
        "\r\n",
        "\r",
        "<!-- copydesk-ignore timeline",
        "<!--",
        "-->",
        ": ",
        "🎉",
        "e\u{301}",
        "\u{feff}",
        "\0",
        "\u{2028}",
        "İ",
        "ß",
    ];
    let mut random = Random::new();
    for _ in 0..5_000 {
        let text: String = (0..random.below(40)).map(|_| *random.pick(&parts)).collect();
        let mut index = Index::default();
        index.set("ch1.md", &text);
        index.set("ch2.md", &text);
        for kind in [CheckKind::Timeline, CheckKind::References] {
            let report = index.check(kind);
            let lines = text.matches('\n').count() + 1;
            let findings = report.errors.iter().chain(&report.warnings);
            findings.for_each(|finding| assert!((1..=lines).contains(&finding.line), "{finding:?} {text:?}"));
        }
        let pattern = *random.pick(&parts);
        index.search(&TextQuery::literal(pattern)).unwrap();
        let _ = replace_once("ch1.md", &text, pattern, "x");
        let range = WantedLines { first: Some(random.below(4) as i64), last: Some(random.below(4) as i64) };
        let _ = numbered(&text, range, random.below(2) == 0, Locale::En);
    }
}

/// Each part takes minutes where the time grows with the square of the length.
#[test]
fn a_line_of_many_marks_is_checked_and_its_findings_are_bounded() {
    for part in ["[REF:", "[SETUP:a]", "[TIME:x]", "第1天第3天", "<!-- copydesk-ignore timeline -->第1天第3天"]
    {
        let mut index = Index::default();
        index.set("ch1.md", &part.repeat(4_000_000 / part.len()));
        for kind in [CheckKind::Timeline, CheckKind::References] {
            let report = index.check(kind);
            let count = report.errors.len().max(report.warnings.len());
            assert!(count == 0 || (count == MOST_FINDINGS && report.is_cut), "{part}: {count}");
            assert_eq!(report.to_value(Locale::En)["cut"].is_string(), report.is_cut);
        }
    }
}

#[test]
fn many_files_are_searched() {
    let mut index = Index::default();
    for number in 0..100_000 {
        index.set(&format!("notes/{number}.md"), "x");
    }
    index.set("notes/last.md", "needle");
    assert_eq!(index.search(&TextQuery::literal("Needle")).unwrap().matches[0].path, "notes/last.md");
    assert_eq!(index.len(), 100_001);
}
