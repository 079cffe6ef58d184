//! Random novels with planted faults, whose findings are known.

use copydesk_test_support::random::Random;
use copydesk_workspace::{CheckKind, Finding, Index};
use std::collections::BTreeMap;

const FILLER: [&str; 6] =
    ["雨停了。", "She slept.\r\n", "\n\n", "🎉 一、二、三。", "天亮了，第二个人来了。", "On Sunday "];

/// A novel under construction.
struct Novel {
    chapters: BTreeMap<u32, String>,
    /// The expected findings: file, line, code.
    errors: Vec<(String, usize, &'static str)>,
    warnings: Vec<(String, usize, &'static str)>,
}

fn path(chapter: u32) -> String {
    format!("book/ch{chapter:03}.md")
}

impl Novel {
    fn add(&mut self, random: &mut Random, chapter: u32, text: &str) -> usize {
        let whole = self.chapters.entry(chapter).or_default();
        for _ in 0..random.below(5) {
            whole.push_str(random.pick::<&str>(&FILLER));
        }
        whole.push(' ');
        let line = 1 + whole.matches('\n').count();
        whole.push_str(text);
        whole.push_str(" .");
        line
    }
}

fn day(random: &mut Random, number: u32) -> String {
    let wide = |number: u32| -> String {
        number.to_string().chars().map(|c| char::from_u32(c as u32 + ('０' as u32 - '0' as u32)).unwrap()).collect()
    };
    let chinese = |number: u32| -> String {
        number
            .to_string()
            .chars()
            .map(|c| "〇一二三四五六七八九".chars().nth(c.to_digit(10).unwrap() as usize).unwrap())
            .collect()
    };
    match random.below(4) {
        0 => format!("第{number}天"),
        1 => format!("第 {} 天", wide(number)),
        2 => format!("第{}天", chinese(number)),
        _ => format!("Day {number}"),
    }
}

fn novel(random: &mut Random) -> Novel {
    let mut novel = Novel { chapters: BTreeMap::new(), errors: Vec::new(), warnings: Vec::new() };
    let mut today = 1 + random.below(50) as u32;
    let written = day(random, today);
    novel.add(random, 1, &written);
    for chapter in 1..=(3 + random.below(20) as u32) {
        for _ in 0..random.below(4) {
            match random.below(8) {
                0 => {
                    today += 2 + random.below(9) as u32;
                    let written = day(random, today);
                    let line = novel.add(random, chapter, &written);
                    novel.errors.push((path(chapter), line, "day_jump"));
                }
                1 if today > 3 => {
                    // A look back, and the return.
                    let past = 1 + random.below(today as usize - 1) as u32;
                    let written = day(random, past);
                    let line = novel.add(random, chapter, &written);
                    novel.errors.push((path(chapter), line, "day_back"));
                    today += random.below(2) as u32;
                    let written = day(random, today);
                    novel.add(random, chapter, &written);
                }
                2 => {
                    let line = novel.add(random, chapter, "[TIME:2024-13-01]");
                    novel.errors.push((path(chapter), line, "time_impossible"));
                }
                3 => {
                    let line = novel.add(random, chapter, "第百百天");
                    novel.warnings.push((path(chapter), line, "unreadable_day"));
                }
                _ => {
                    today += random.below(2) as u32;
                    let written = day(random, today);
                    novel.add(random, chapter, &written);
                }
            }
        }
    }
    novel
}

fn found(findings: &[Finding]) -> Vec<(String, usize, String)> {
    findings.iter().map(|finding| (finding.file.clone(), finding.line, finding.fact.code().to_owned())).collect()
}

fn expected(planted: &[(String, usize, &str)]) -> Vec<(String, usize, String)> {
    planted.iter().map(|(file, line, code)| (file.clone(), *line, (*code).to_owned())).collect()
}

#[test]
fn the_timeline_check_finds_what_was_planted_and_nothing_else() {
    let mut random = Random::new();
    for _ in 0..300 {
        let novel = novel(&mut random);
        let mut index = Index::default();
        novel.chapters.iter().for_each(|(chapter, text)| index.set(&path(*chapter), text));
        let report = index.check(CheckKind::Timeline);
        assert_eq!(found(&report.errors), expected(&novel.errors), "{:?}", novel.chapters);
        assert_eq!(found(&report.warnings), expected(&novel.warnings), "{:?}", novel.chapters);
        for finding in report.errors.iter().chain(&report.warnings) {
            let chapter = novel.chapters.iter().find(|(chapter, _)| path(**chapter) == finding.file).unwrap().1;
            let line = chapter.lines().nth(finding.line - 1).unwrap();
            assert!(line.contains(finding.text.trim_matches('…')), "{finding:?} {line}");
        }
    }
}

#[test]
fn the_reference_check_finds_what_was_planted_and_nothing_else() {
    let mut random = Random::new();
    for _ in 0..300 {
        let mut novel = Novel { chapters: BTreeMap::new(), errors: Vec::new(), warnings: Vec::new() };
        let (mut missing, mut unused) = (Vec::new(), Vec::new());
        for id in 0..random.below(20) {
            let (first, second) = (1 + random.below(10) as u32, 11 + random.below(10) as u32);
            match random.below(4) {
                0 => {
                    let line = novel.add(&mut random, second, &format!("[REF:线索-{id}]"));
                    missing.push((path(second), line, "missing_setup"));
                }
                1 => {
                    let line = novel.add(&mut random, first, &format!("[SETUP:线索-{id}]"));
                    unused.push((path(first), line, "unused_setup"));
                }
                2 => {
                    novel.add(&mut random, first, &format!("[SETUP:线索-{id}]"));
                    novel.add(&mut random, second, &format!("[REF:线索-{id}]"));
                    let line = novel.add(&mut random, second, &format!("[SETUP:线索-{id}]"));
                    novel.errors.push((path(second), line, "duplicate_setup"));
                }
                _ => {
                    novel.add(&mut random, first, &format!("[SETUP:线索-{id}]"));
                    novel.add(&mut random, second, &format!("[REF:线索-{id}]"));
                }
            }
        }
        novel.errors.extend(missing);
        novel.warnings.extend(unused);
        let mut index = Index::default();
        novel.chapters.iter().for_each(|(chapter, text)| index.set(&path(*chapter), text));
        let report = index.check(CheckKind::References);
        let sorted = |mut findings: Vec<(String, usize, String)>| {
            findings.sort();
            findings
        };
        assert_eq!(sorted(found(&report.errors)), sorted(expected(&novel.errors)), "{:?}", novel.chapters);
        assert_eq!(sorted(found(&report.warnings)), sorted(expected(&novel.warnings)), "{:?}", novel.chapters);
    }
}
