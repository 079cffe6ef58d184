//! The check of setups and references.

use copydesk_base::Locale;
use copydesk_workspace::{CheckReport, Finding, references};

fn check(files: &[(&str, &str)]) -> CheckReport {
    references::check(files.iter().copied())
}

fn told(findings: &[Finding]) -> Vec<String> {
    findings
        .iter()
        .map(|finding| format!("{}:{} {}", finding.file, finding.line, finding.message(Locale::ZhCn)))
        .collect()
}

#[test]
fn references_need_a_setup_and_setups_a_reference() {
    let report = check(&[
        ("chapters/ch010.md", "十\n他打开了盒子 [REF:mystery-box]，拿出信 [REF:letter]。"),
        ("chapters/ch003.md", "[SETUP:clue-01]\n[SETUP:letter]"),
        ("notes/outline.md", "[REF:other]"),
        ("image.svg", "[REF:no-text]"),
    ]);
    assert_eq!(
        told(&report.errors),
        [
            "chapters/ch010.md:2 第10章引用 [REF:mystery-box] 不存在",
            "notes/outline.md:1 notes/outline.md 引用 [REF:other] 不存在"
        ]
    );
    assert_eq!(told(&report.warnings), ["chapters/ch003.md:1 伏笔 [SETUP:clue-01] 未被引用"]);
}

#[test]
fn a_second_setup_is_an_error_and_the_first_in_the_story_counts() {
    let report = check(&[("ch10.md", "[SETUP:a]"), ("ch2.md", "[SETUP: a ] [REF:a]"), ("ch3.md", "\n[SETUP:a]")]);
    assert_eq!(
        told(&report.errors),
        [
            "ch3.md:2 伏笔 [SETUP:a] 重复：已在 ch2.md 第 1 行设置",
            "ch10.md:1 伏笔 [SETUP:a] 重复：已在 ch2.md 第 1 行设置"
        ]
    );
    assert!(report.warnings.is_empty());
    // One that nothing refers to is reported once as unused.
    let report = check(&[("ch1.md", "[SETUP:b] [SETUP:b]")]);
    assert_eq!((report.errors.len(), report.warnings.len()), (1, 1));
}

#[test]
fn marks_that_cannot_be_read_are_warnings() {
    let report = check(&[("ch1.md", "[REF:] [SETUP: ] [REF:open\n[SETUP:x] [REF:a[REF:x] [SETUP：x]")]);
    let marks: Vec<String> = report.warnings.iter().map(|finding| finding.message(Locale::En)).collect();
    assert!(report.errors.is_empty(), "{:?}", report.errors);
    assert_eq!(marks.len(), 5, "{marks:?}");
    for mark in ["[REF:open", "[SETUP：x]"] {
        assert!(marks.contains(&format!("{mark} is not in the form [SETUP:id] or [REF:id]")), "{marks:?}");
    }
}

#[test]
fn waivers_keep_the_finding() {
    let report = check(&[(
        "ch1.md",
        "<!-- copydesk-ignore references: [REF:x] is set up in the next book -->\n[REF:x]\n[SETUP:y] <!-- copydesk-ignore references -->",
    )]);
    assert_eq!((report.errors.len(), report.warnings.len()), (1, 1));
    assert!(report.errors[0].waived && report.warnings[0].waived);
    // Marks in other comments count: writers hide them there.
    let hidden = check(&[("ch1.md", "<!-- [SETUP:z] -->"), ("ch2.md", "[REF:z]")]);
    assert_eq!(hidden, CheckReport::default());
}
