//! The check of days and dates.

use copydesk_base::Locale;
use copydesk_workspace::{CheckKind, CheckReport, Fact, Finding, Index, references, timeline};
use serde_json::json;

fn check(files: &[(&str, &str)]) -> CheckReport {
    timeline::check(files.iter().copied())
}

fn told(findings: &[Finding], locale: Locale) -> Vec<String> {
    findings.iter().map(|finding| finding.message(locale)).collect()
}

/// The errors of chapters with these texts, in Chinese.
fn errors(chapters: &[&str]) -> Vec<String> {
    let files: Vec<(String, &str)> =
        (1..).zip(chapters).map(|(number, text)| (format!("chapters/ch{number:03}.md"), *text)).collect();
    let report = timeline::check(files.iter().map(|(path, text)| (path.as_str(), *text)));
    told(&report.errors, Locale::ZhCn)
}

#[test]
fn jumps_and_steps_back_are_told_with_their_chapter() {
    assert_eq!(errors(&["第1天", "第3天"]), ["第2章时间线跳跃：第1天 → 第3天"]);
    assert_eq!(errors(&["第5天", "x", "第二天"]), ["第3章时间线倒退：第5天 → 第2天"]);
    assert_eq!(errors(&["第1天\n第1天\n第2天", "第２天，第 三 天"]), [""; 0]);
    assert_eq!(errors(&["第1天 第3天"]), ["第1章时间线跳跃：第1天 → 第3天"]);
}

#[test]
fn all_numerals_and_english_days_are_one_timeline() {
    assert_eq!(errors(&["第一天", "Day 2.", "第３天", "DAY 4", "第 5 天", "第六天"]), [""; 0]);
    assert_eq!(errors(&["Day 1", "Day 12"]), ["第2章时间线跳跃：第1天 → 第12天"]);
    let report = check(&[("ch1.md", "Day 1"), ("ch2.md", "Day 3")]);
    assert_eq!(told(&report.errors, Locale::En), ["Chapter 2: the timeline jumps: day 1 → day 3"]);
}

#[test]
fn words_that_only_look_like_days_are_none() {
    let texts = ["Sunday 3", "Day 3rd", "Days 9", "Day-9", "day 9 of nine", "第天", "第3章", "第9", "第九天", "Day 9"];
    assert_eq!(errors(&texts[..8]), [""; 0]);
    assert_eq!(errors(&["Day 8", texts[8], texts[9]]), [""; 0]);
}

#[test]
fn no_day_is_overlooked_or_read_as_another_one() {
    let jump = |to: &str| errors(&["第1天", to]);
    for (to, day) in [("第一○五天", 105), ("第兩百天", 200), ("第贰拾叁天", 23), ("第卌天", 40), ("第一百十天", 110)]
    {
        assert_eq!(jump(to), [format!("第2章时间线跳跃：第1天 → 第{day}天")], "{to}");
    }
    for to in ["Day 1,200", "Day １２００", "第1,200天", "第１，２００天"] {
        assert_eq!(jump(to), ["第2章时间线跳跃：第1天 → 第1200天"], "{to}");
    }
    // These are not thousands.
    for to in ["Day 9, 2024", "Day 9,12", "Day 9,1234", "Day 9,"] {
        assert_eq!(jump(to), ["第2章时间线跳跃：第1天 → 第9天"], "{to}");
    }
    for none in ["Day ,123", "第,123天", "第三,123天"] {
        assert_eq!(jump(none), [""; 0], "{none}");
    }
    let warned = check(&[("ch1.md", "第一萬天 Day 12,345 第1,2,300天")]).warnings;
    let marks: Vec<_> = warned.iter().map(|finding| finding.fact.details()["mark"].clone()).collect();
    assert_eq!(marks, ["第一萬天", "Day 12,345"]);
}

#[test]
fn a_look_back_is_one_finding() {
    assert_eq!(errors(&["第1天", "第2天", "第3天", "第1天", "第4天"]), ["第4章时间线倒退：第3天 → 第1天"]);
    assert_eq!(errors(&["第7天", "第1天", "第2天", "第7天", "第8天"]), ["第2章时间线倒退：第7天 → 第1天"]);
    // The day that was left long ago is a step back.
    assert_eq!(errors(&["第3天", "第1天", "第2天", "第3天", "第4天", "第5天", "第3天"]).len(), 2);
}

#[test]
fn chapters_are_read_by_number_in_their_folder() {
    let report = check(&[("b/ch10.md", "第3天"), ("b/ch9.md", "第2天"), ("b/ch2.md", "第1天"), ("a/ch1.md", "第9天")]);
    assert_eq!(report, CheckReport::default());
    let notes =
        check(&[("ch1.md", "第1天"), ("notes.md", "第9天 [TIME:x]"), ("ch2.md", "第2天"), ("ch3.png", "第9天")]);
    assert_eq!(notes, CheckReport::default());
    let without = check(&[("a.md", "第1天"), ("b.txt", "第9天")]);
    assert_eq!(told(&without.errors, Locale::ZhCn), ["b.txt 时间线跳跃：第1天 → 第9天"]);
}

#[test]
fn dates_must_be_written_exist_and_go_on() {
    let chapters =
        ["[TIME:2024-01-15] [TIME: 2024-01-15 ]", "[TIME:2024-1-5] [TIME:] [TIME:2024/01/20", "[TIME:2024-02-30]"];
    assert_eq!(
        errors(&chapters),
        [
            "第2章时间标记格式错误：[TIME:2024-1-5]，应为 [TIME:YYYY-MM-DD]",
            "第2章时间标记格式错误：[TIME:]，应为 [TIME:YYYY-MM-DD]",
            "第2章时间标记格式错误：[TIME:2024/01/20，应为 [TIME:YYYY-MM-DD]",
            "第3章日期不存在：[TIME:2024-02-30]",
        ]
    );
    assert_eq!(errors(&["[TIME：2024-01-15]"]), ["第1章时间标记格式错误：[TIME：2024-01-15]，应为 [TIME:YYYY-MM-DD]"]);
    assert_eq!(errors(&["[TIME：", "[TIMES:x] [TIME x]"]), ["第1章时间标记格式错误：[TIME：，应为 [TIME:YYYY-MM-DD]"]);
    assert_eq!(errors(&["[TIME:2024-01-15]", "[TIME:2024-01-10]"]), ["第2章时间顺序错误：2024-01-15 → 2024-01-10"]);
}

#[test]
fn the_calendar_is_the_gregorian_one() {
    let exists = |date: &str| errors(&[&format!("[TIME:{date}]")]).is_empty();
    // The lengths of all months of years of each kind.
    for (year, february) in [(2023, 28), (2024, 29), (1900, 28), (2000, 29)] {
        let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        for (month, length) in (1..).zip(lengths) {
            for day in 0..=32 {
                let date = format!("{year:04}-{month:02}-{day:02}");
                assert_eq!(exists(&date), (1..=length).contains(&day), "{date}");
            }
        }
    }
    assert!(!exists("2024-00-10") && !exists("2024-13-10") && !exists("0000-01-01"));
}

#[test]
fn findings_have_file_line_and_text() {
    let report = check(&[("ch001.md", "# 一\r\n\r\n第1天。\r\n"), ("ch002.md", "# 二\r\n\r\n  雨停了，第5天。\r\n")]);
    let Finding { file, line, text, fact, waived } = &report.errors[0];
    assert_eq!((file.as_str(), *line, text.as_str(), *waived), ("ch002.md", 3, "雨停了，第5天。", false));
    let Fact::DayJump { since, .. } = fact else { panic!("{fact:?}") };
    assert_eq!((since.file.as_str(), since.line), ("ch001.md", 3));
}

#[test]
fn numbers_that_cannot_be_read_are_warnings() {
    let report = check(&[("ch1.md", "第1天 第十百天 第10000天 第一万天 第2天 Day 99999")]);
    assert!(report.errors.is_empty());
    assert_eq!(report.warnings.len(), 4);
    assert_eq!(report.warnings[0].message(Locale::ZhCn), "第1章无法识别的天数：第十百天");
}

#[test]
fn waived_findings_stay_listed() {
    let waived = |text: &str| {
        let report = check(&[("ch1.md", "第1天"), ("ch2.md", text)]);
        report.errors.iter().map(|finding| finding.waived).collect::<Vec<_>>()
    };
    assert_eq!(waived("第9天 <!-- copydesk-ignore timeline: 昏迷 -->"), [true]);
    assert_eq!(waived("<!-- copydesk-ignore timeline: 昏迷 -->\n第9天\n第20天"), [true, false]);
    assert_eq!(waived("<!-- copydesk-ignore timeline -->\n\n第9天"), [true]);
    assert_eq!(waived("<!-- copydesk-ignore references, timeline: x -->\n<!-- note -->\n第9天"), [true]);
    assert_eq!(waived("<!-- copydesk-ignore references: x -->\n第9天"), [false]);
    assert_eq!(waived("<!-- copydesk-ignored timeline -->\n第9天"), [false]);
    assert_eq!(waived("前文 <!-- copydesk-ignore timeline: x -->\n第9天"), [false]);
    // The reason may name a day.
    assert_eq!(waived("<!-- copydesk-ignore timeline: 到第30天 -->\n第9天\n第10天"), [true]);
}

#[test]
fn a_report_as_json_has_everything_for_programs() {
    let report = check(&[("ch1.md", "第1天 [TIME:x]"), ("ch2.md", "第9天 <!-- copydesk-ignore timeline -->")]);
    assert_eq!(
        report.to_value(Locale::En),
        json!({
            "errors": [
                {
                    "file": "ch1.md",
                    "line": 1,
                    "text": "第1天 [TIME:x]",
                    "message": "Chapter 1: [TIME:x] is not in the form [TIME:YYYY-MM-DD]",
                    "code": "time_format",
                    "details": { "chapter": 1, "mark": "[TIME:x]" },
                },
                {
                    "file": "ch2.md",
                    "line": 1,
                    "text": "第9天 <!-- copydesk-ignore timeline -->",
                    "message": "Chapter 2: the timeline jumps: day 1 → day 9",
                    "code": "day_jump",
                    "details": { "chapter": 2, "from": 1, "to": 9, "since": { "file": "ch1.md", "line": 1 } },
                    "waived": true,
                },
            ],
            "warnings": [],
        })
    );
}

#[test]
fn a_check_of_an_index_reads_the_texts_of_now() {
    let texts = [
        "Day 1.\n[SETUP:a] 第2天\n",
        "\n\nDay 5. [TIME:2024-02-30]\n[REF:b]\n",
        "<!-- copydesk-ignore timeline -->\n第9天 [REF:a]\n",
        "",
    ];
    let mut index = Index::default();
    for (round, text) in texts.iter().cycle().take(12).enumerate() {
        index.set(&format!("ch{:03}.md", round % 3 + 1), text);
        let now: Vec<_> = (1..=3)
            .filter_map(|chapter| {
                let written = (0..=round).rev().find(|at| at % 3 + 1 == chapter)?;
                Some((format!("ch{chapter:03}.md"), texts[written % texts.len()]))
            })
            .collect();
        let files = || now.iter().map(|(path, text)| (path.as_str(), *text));
        assert_eq!(index.check(CheckKind::Timeline), timeline::check(files()), "round {round}");
        assert_eq!(index.check(CheckKind::References), references::check(files()), "round {round}");
    }
}
